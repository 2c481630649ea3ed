//! Tokens: created, listed and revoked, also during a run.

use std::fs;

use crate::support::Scratch;

fn hill_in_scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "100000"]);
    scratch
}

#[test]
fn a_token_is_shown_once_and_stored_as_a_hash() {
    let scratch = hill_in_scratch();
    let made =
        scratch.run_ok(&["token", "new", "h.db", "--name", "ada", "--uses", "2", "--days", "7"]);
    let token = made.out.trim_end();
    assert_eq!((token.len(), &token[..3], made.out.lines().count()), (67, "dh_", 1));
    assert!(!made.err.contains("dh_"), "it is on stdout alone: {}", made.err);
    assert!(made.err.contains("token 1, for ada, 2 bots in all, until 2"), "{}", made.err);
    let other = scratch.run_ok(&["token", "new", "h.db"]);
    assert_ne!(other.out, made.out);
    assert!(other.err.starts_with("token 2; it is not shown again"), "{}", other.err);
    let list = scratch.run_ok(&["token", "list", "h.db"]).out;
    let lines: Vec<_> = list.lines().collect();
    assert_eq!(lines.len(), 3, "a heading and two tokens: {list}");
    let cells = |line: &str| {
        line.split("  ")
            .map(str::trim)
            .filter(|cell| !cell.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        cells(lines[0]),
        ["token", "name", "role", "state", "bots uploaded", "until", "made"]
    );
    assert_eq!(cells(lines[1])[..5], ["1", "ada", "author", "open", "0 of 2"], "{list}");
    assert_eq!(cells(lines[2])[..6], ["2", "-", "author", "open", "0", "-"], "{list}");
    assert!(!list.contains(&token[3..20]));
    let bytes = fs::read(scratch.path("h.db")).expect("the hill is there");
    let secret = &token.as_bytes()[3..];
    assert!(
        !bytes.windows(secret.len()).any(|window| window == secret),
        "the hill keeps its hash alone"
    );
    scratch.run_ok(&["token", "revoke", "h.db", "1", "2"]);
    let list = scratch.run_ok(&["token", "list", "h.db"]).out;
    assert_eq!(list.matches("revoked").count(), 2, "{list}");
}

#[test]
fn invalid_token_commands_are_refused() {
    let scratch = hill_in_scratch();
    for (arguments, why) in [
        (&["token", "new", "none.db"][..], "no such file"),
        (&["token", "new", "h.db", "--uses", "0"], "--uses"),
        (&["token", "new", "h.db", "--days", "0"], "--days"),
        (&["token", "new", "h.db", "--name", "a\tb"], "--name"),
        (&["token", "new", "h.db", "--name", ""], "--name: the name \"\" is empty"),
        (&["token", "new", "h.db", "--name", "bot name "], "the name \"bot name \" begins or ends"),
        (&["token", "revoke", "h.db", "7"], "has no token 7"),
        (&["token", "revoke", "h.db"], "NUMBER"),
        (&["token", "list", "none.db"], "no such file"),
    ] {
        let output = scratch.run(arguments);
        assert_eq!(output.code, 2, "{arguments:?}: {}", output.err);
        assert!(output.err.contains(why), "{arguments:?}: {}", output.err);
    }
}

#[test]
fn tokens_can_be_changed_during_a_run() {
    let scratch = hill_in_scratch();
    let mut playing = scratch.command(&["hill", "add", "h.db", "random", "dummy"]);
    let mut playing = playing.spawn().expect("the command starts");
    let has_begun = || scratch.run_ok(&["hill", "log", "h.db"]).out.contains("run 1");
    while !has_begun() {
        assert!(playing.try_wait().expect("it is ours").is_none(), "it ended before it began");
    }
    for number in 1..=5 {
        scratch.run_ok(&["token", "new", "h.db"]);
        scratch.run_ok(&["token", "revoke", "h.db", &number.to_string()]);
    }
    assert!(playing.try_wait().expect("it is ours").is_none(), "it played all the while");
    playing.kill().expect("it is ours");
    playing.wait().expect("it is ours");
    assert_eq!(scratch.run_ok(&["token", "list", "h.db"]).out.matches("revoked").count(), 5);
}

#[test]
fn a_class_gets_a_token_for_each_row() {
    let scratch = hill_in_scratch();
    scratch.write("class.csv", "Name,pseudonym\n\"Lovelace, Ada\",Sun\nBob,\n");
    let made = scratch.run_ok(&["token", "new", "h.db", "--from", "class.csv", "--uses", "5"]);
    let lines: Vec<_> = made.out.lines().collect();
    assert_eq!(lines.len(), 3, "{}", made.out);
    assert_eq!(lines[0], "name,pseudonym,token");
    assert!(lines[1].starts_with("\"Lovelace, Ada\",Sun,dh_"), "{}", lines[1]);
    assert!(lines[2].starts_with("Bob,Bob,dh_"), "{}", lines[2]);
    assert_eq!(made.err, "2 tokens; they are not shown again\n");
    let list = scratch.run_ok(&["token", "list", "h.db"]).out;
    assert!(list.contains("Sun") && list.contains("Bob"), "{list}");
    assert_eq!(list.matches("0 of 5").count(), 2, "{list}");
    let bytes = fs::read(scratch.path("h.db")).expect("the hill is there");
    let has = |part: &str| bytes.windows(part.len()).any(|window| window == part.as_bytes());
    assert!(has("Sun") && !has("Lovelace"), "the hill has pseudonyms alone");
    for (list, why) in [
        ("name,pseudonym\n", "class.csv: has no students"),
        ("pupil\nAda\n", "class.csv:1: \"pupil\": the first line must name the columns"),
        (
            "name;pseudonym\n",
            "class.csv:1: \"name;pseudonym\": the first line must name the columns",
        ),
        (
            "name,Pseudonyms\nAda,Sun\n",
            "class.csv:1: unknown column \"Pseudonyms\"; did you mean \"pseudonym\"?",
        ),
        ("name\nAda\n\"\"\n", "class.csv:3: has no name"),
        ("name\r\nAda\r\n\"\"\r\n\r\n", "class.csv:3: has no name"),
        ("name,pseudonym\nA,a\n\n\n,b\n", "class.csv:5: has no name"),
        ("name,pseudonym\nA,a,c\n", "class.csv:2: has 3 cells, and the first line has 2"),
        ("name\nAda\nAda\n", "class.csv:3: \"Ada\" appears twice"),
        ("name\na\u{202e}b\n", "class.csv:2: \"a\\u{202e}b\" contains the unprintable character"),
        ("name\nEve\n\"Mal\nZoe\n", "class.csv:3: a quotation mark has no counterpart"),
        ("name\nEve\nSun\n", "class.csv:3: \"Sun\" already has token 1; use another name"),
        ("name,pseudonym\nEve,Bob\n", "class.csv:2: \"Bob\" already has token 2"),
        (&"x".repeat((1 << 20) + 1), "class.csv: is larger than 1 MiB"),
    ] {
        scratch.write("class.csv", list);
        let refused = scratch.run(&["token", "new", "h.db", "--from", "class.csv"]);
        assert_eq!(refused.code, 2, "{}", refused.err);
        assert!(refused.err.contains(why), "{list:?}: {}", refused.err);
    }
    // As a spreadsheet on Windows saves it.
    scratch.write("class.csv", b"name\nEve\nJos\xe9\n");
    let saved = ["token", "new", "h.db", "--from", "class.csv"];
    scratch.run_refused(&saved, &["class.csv:3: is not UTF-8 text: in a spreadsheet"]);
    assert_eq!(scratch.run_ok(&["token", "list", "h.db"]).out, list, "nothing was added");
    // A revoked token no longer stands in the way.
    scratch.write("class.csv", "mail,name,year\nada@example.org,Sun,3\n");
    scratch.run_ok(&["token", "revoke", "h.db", "1"]);
    let made = scratch.run_ok(&["token", "new", "h.db", "--from", "class.csv"]);
    assert!(made.err.starts_with("class.csv: not used, and not stored: mail, year\n"), "{made:?}");
}

#[test]
fn no_cell_of_a_class_is_a_formula() {
    let scratch = hill_in_scratch();
    scratch.write("class.csv", "name,pseudonym\n=1+2,-x\n@a,+b\n");
    let made = scratch.run_ok(&["token", "new", "h.db", "--from", "class.csv"]).out;
    assert!(made.contains("\n'=1+2,'-x,dh_") && made.contains("\n'@a,'+b,dh_"), "{made}");
}

#[test]
fn a_second_token_of_an_author_is_reported_as_such() {
    let scratch = hill_in_scratch();
    let new = |name: &str| scratch.run_ok(&["token", "new", "h.db", "--name", name]).err;
    assert!(!new("ada").contains("same author") && !new("bob").contains("same author"));
    let third = new("ada");
    assert!(third.contains("the same author as token 1: its holder sees"), "{third}");
    // A host uploads no bots.
    let host = scratch.run_ok(&["token", "new", "h.db", "--name", "ada", "--host"]).err;
    assert!(!host.contains("same author"), "{host}");
    assert!(new("ada").contains("the same author as token 3"), "a host is no author");
}
