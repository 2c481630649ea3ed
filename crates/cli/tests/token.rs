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
    assert_eq!(lines.len(), 2, "{list}");
    assert!(lines[0].contains("open, 0 bots uploaded, for ada, 2 bots in all"), "{list}");
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
