//! Invalid input of every kind: exit code 2, nothing on stdout, nothing written, and a message that names the file, the
//! line and the value.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::support::{CommandOutput, Scratch, hill_as_is as hill};

/// The keys of a valid hill; a test adds keys to them, or to the file.
const KEYS: &str = "game = \"yahtzee\"\ngames = 2\nseed = \"s\"";

/// Runs the command and expects it to refuse, with all of `parts` on stderr.
#[track_caller]
fn refused(scratch: &Scratch, arguments: &[&str], parts: &[&str]) {
    let CommandOutput { code, out, err } = scratch.run(arguments);
    assert_eq!(code, 2, "{arguments:?}: {err}");
    assert_eq!(out, "", "{arguments:?}");
    assert!(err.starts_with("error: "), "{arguments:?}: {err}");
    for part in parts {
        assert!(err.contains(part), "{arguments:?}: {part:?} is not in {err}");
    }
}

/// Expects a hill file with this content to be refused, with all of `parts` on stderr, the file's name among them, and
/// no log created.
#[track_caller]
fn check(content: impl AsRef<[u8]>, parts: &[&str]) {
    let scratch = Scratch::new();
    scratch.write("hill.toml", content);
    refused(&scratch, &["run", "hill.toml", "--out", "log"], parts);
    refused(&scratch, &["run", "hill.toml"], &["hill.toml"]);
    assert!(!scratch.path("log").exists(), "{parts:?}: a log was begun");
}

/// The hill of [`KEYS`] between two bots, with more keys after line 3.
fn with_keys(keys: &str) -> String {
    hill(&format!("{KEYS}\n{keys}"), &["dummy", "random"])
}

/// The hill of [`KEYS`] between two bots, with these lines from line 10.
fn with_end(end: &str) -> String {
    hill(KEYS, &["dummy", "random"]) + end
}

/// A third bot of this name, in line 11.
fn with_name(name: &str) -> String {
    with_end(&format!("[[bot]]\nname = \"{name}\"\nhouse = \"dummy\"\n"))
}

/// A hill of Yahtzee between two bots with `games` in line 2.
fn with_games(games: &str) -> String {
    hill(&format!("game = \"yahtzee\"\ngames = {games}"), &["dummy", "random"])
}

#[test]
fn files_that_are_not_toml() {
    check("game = = 3", &["hill.toml:1: game = = 3: "]);
    check(with_keys("[limits"), &["hill.toml:4: [limits: "]);
    check(with_keys("name = \"\0\""), &["hill.toml:4: "]);
    check(with_keys("seed = \"t\""), &["hill.toml:4: seed = \"t\": this key is there twice"]);
    check(with_games("ten"), &["hill.toml:2: games = ten: not a value: a number has digits"]);
    check("[bot]\nname = \"a\"\n[bot]\n", &["hill.toml:3: [bot]: each bot has a table [[bot]]"]);
    check(b"game = \"yahtzee\"\n# \xff\n", &["hill.toml:2: not UTF-8"]);
    check(b"\0\0\0\0", &["hill.toml:1: "]);
}

#[test]
fn missing_hill_files() {
    let scratch = Scratch::new();
    refused(&scratch, &["run", "none.toml"], &["none.toml: no such file"]);
    refused(&scratch, &["run", "."], &[".: a folder needs a bot.toml"]);
    refused(&scratch, &["run", "chess"], &["\"chess\"", "yahtzee or liars-dice", "hill file"]);
    refused(&scratch, &["run", ""], &["\"\""]);
}

#[test]
fn unknown_keys() {
    check(with_keys("colour = 3"), &["hill.toml:4: colour = 3: unknown key `colour`", "`seed`"]);
    check(with_keys("[limits]\nmoves = 3"), &["hill.toml:5: moves = 3: unknown key", "`move_ms`"]);
    check(
        with_keys("move_ms = 3"),
        &["hill.toml:4: move_ms = 3", "written as limits.move_ms = ..."],
    );
    check(with_end("elo = 3"), &["hill.toml:10: elo = 3: unknown key `elo`", "`house`"]);
}

#[test]
fn missing_keys() {
    let bots = |keys| hill(keys, &["dummy", "random"]);
    check("", &["hill.toml: game = \"yahtzee\" or game = \"liars-dice\" is missing"]);
    check(
        bots("games = 2"),
        &["hill.toml: game = \"yahtzee\" or game = \"liars-dice\" is missing"],
    );
    check(with_end("[[bot]]\nhouse = \"dummy\""), &["hill.toml:10: [[bot]]: missing key `name`"]);
}

#[test]
fn values_of_the_wrong_type() {
    check(with_games("\"x\""), &["hill.toml:2: games = \"x\": ", "expected a whole number"]);
    check(with_games("1.5"), &["hill.toml:2: games = 1.5: ", "expected a whole number"]);
    check(with_games(&"9".repeat(25)), &["hill.toml:2: games = 999", "expected a whole number"]);
    check(
        "seed = 5\ngame = \"yahtzee\"",
        &["hill.toml:1: seed = 5: ", "expected a string in quotation marks"],
    );
    check("game = 5", &["hill.toml:1: game = 5: ", "expected a string"]);
    check(with_end("[[bot]]\nname = 3"), &["hill.toml:11: name = 3: ", "expected a string"]);
    check(with_end("votes = \"x\""), &["hill.toml:10: votes = \"x\": ", "a whole number"]);
    check("game = \"yahtzee\"\nbot = 5", &["hill.toml:2: bot = 5: ", "expected [[bot]]"]);
    check("game = \"yahtzee\"\nbot = [5]", &["hill.toml:2: bot = [5]: ", "a [[bot]] table"]);
    check("game = \"yahtzee\"\n[bot]", &["hill.toml:2: [bot]: ", "expected [[bot]]"]);
    check(with_keys("limits = 5"), &["hill.toml:4: limits = 5: ", "expected a table"]);
}

#[test]
fn unknown_values() {
    let bots = |keys| hill(keys, &["dummy", "random"]);
    check(bots("game = \"chess\""), &["hill.toml:1: ", "\"chess\"", "yahtzee or liars-dice"]);
    check(with_keys("rules = \"house\""), &["hill.toml:4: rules = \"house\"", "mego-2016"]);
    check(with_keys("rules = \"superjedi-2015\""), &["hill.toml:4: rules = ", "mego-2016"]);
    check(with_keys("format = \"cup\""), &["hill.toml:4: format = \"cup\"", "duel or gauntlet"]);
    check(with_keys("memory = \"no\""), &["hill.toml:4: memory = \"no\"", "game or set"]);
    let rules = "game = \"liars-dice\"\nrules = \"mego-2016\"";
    let bots = hill(rules, &["pirate", "nobody"]);
    check(bots, &["hill.toml:2: rules = \"mego-2016\"", "superjedi-2015"]);
}

#[test]
fn unknown_house_bots() {
    let bot = |house| with_end(&format!("[[bot]]\nname = \"C\"\nhouse = \"{house}\""));
    check(bot("nemo"), &["hill.toml:12: house = \"nemo\": no such house bot", "aces-and-eights"]);
    check(bot(""), &["hill.toml:12: house = \"\": no such house bot"]);
    check(bot("pirate"), &["hill.toml:12: house = \"pirate\": this house bot plays liars-dice"]);
}

#[test]
fn unprintable_bot_names() {
    check(with_name("A"), &["hill.toml:11: bot name \"A\" is repeated"]);
    check(with_name(""), &["hill.toml:11: bot name \"\" is empty"]);
    check(with_name(" "), &["hill.toml:11: bot name \" \" is empty"]);
    check(with_name(" x"), &["hill.toml:11: bot name \" x\" begins or ends with a blank"]);
    check(with_name("x\\u0007"), &["hill.toml:11: ", "unprintable character U+0007"]);
    check(with_name("x\\u001b[2J"), &["hill.toml:11: ", "unprintable character U+001B"]);
    check(with_name("x\\u200b"), &["hill.toml:11: ", "unprintable character U+200B"]);
    check(with_name("x\\u202ey"), &["hill.toml:11: ", "unprintable character U+202E"]);
    check(with_name("x\\ny"), &["hill.toml:11: ", "unprintable character U+000A"]);
    check(with_name("\u{3164}x"), &["hill.toml:11: ", "unprintable character U+3164"]);
    check(with_name("x\u{a0}y"), &["hill.toml:11: ", "unprintable character U+00A0"]);
    check(with_name("x\u{2066}y"), &["hill.toml:11: ", "unprintable character U+2066"]);
    check(with_name("x\u{2028}y"), &["hill.toml:11: ", "unprintable character U+2028"]);
    // A combining mark would join the character before the name.
    check(with_name("\u{301}x"), &["hill.toml:11: ", "unprintable character U+0301"]);
    check(with_name(&"x".repeat(65)), &["hill.toml:11: bot name \"xxx", "longer than 64"]);
}

#[test]
fn unprintable_texts_and_urls() {
    let with_last_line = |line: &str| with_end(line);
    check(
        with_last_line("author = \"\\u001b[2J\""),
        &["hill.toml:10: author = ", "character U+001B"],
    );
    check(
        with_last_line("author = \"x\u{202e}\""),
        &["hill.toml:10: author = ", "character U+202E"],
    );
    let long = format!("author = \"{}\"", "x".repeat(1001));
    check(with_last_line(&long), &["hill.toml:10: author: longer than 1000 characters"]);
    check(with_keys("name = \"x\\u009b\""), &["hill.toml:4: name = ", "character U+009B"]);
    let url = |url: &str| with_end(&format!("url = \"{url}\""));
    for no_page in ["", "x", "javascript:alert(1)", "ftp://x.org", "//x.org", "https://"] {
        check(url(no_page), &["hill.toml:10: url = ", "must begin with https:// or http://"]);
    }
    check(url("https://x.org/\\u001b"), &["hill.toml:10: url = ", "character U+001B"]);
    check(url("https://x.org/a b"), &["hill.toml:10: url = ", "' ' is not allowed in an address"]);
    check(url("https://x.org/<b>"), &["hill.toml:10: url = ", "'<' is not allowed in an address"]);
    let long = format!("https://x.org/{}", "x".repeat(1000));
    check(url(&long), &["hill.toml:10: url: longer than 1000 characters"]);
}

#[test]
fn oversized_files() {
    check("a = ".to_owned() + &"[".repeat(100_000), &["hill.toml:1: "]);
    check("x".repeat((4 << 20) + 1), &["hill.toml: longer than 4194304 bytes"]);
    let name = "x".repeat(1 << 20);
    let scratch = Scratch::new();
    scratch.write("hill.toml", with_keys(&format!("rules = \"{name}\"")));
    let output = scratch.run(&["run", "hill.toml"]);
    assert_eq!(output.code, 2);
    assert!(output.err.len() < 11_000, "{} bytes", output.err.len());
}

#[test]
fn bots_without_or_with_two_programs() {
    let bot = |keys| with_end(&format!("[[bot]]\nname = \"C\"\n{keys}"));
    check(bot(""), &["hill.toml:11: bot \"C\"", "house, command, java or dir is missing"]);
    check(bot("house = \"dummy\"\njava = \"C.java\""), &["hill.toml:13: ", "house and java"]);
    check(bot("house = \"dummy\"\ncommand = [\"c\"]"), &["hill.toml:13: ", "house and command"]);
    check(bot("command = [\"c\"]\njava = \"C.java\""), &["hill.toml:13: ", "command and java"]);
    check(
        bot("house = \"dummy\"\nbuild = [\"make\"]"),
        &["hill.toml:13: build: not allowed for a bot with house = ..."],
    );
    check(
        bot("java = \"C.java\"\ndir = \".\""),
        &["hill.toml:13: dir: not allowed for a bot with java = ..."],
    );
    check(
        bot("house = \"dummy\"\nread = []"),
        &["hill.toml:13: read: not allowed for a bot with house = ..."],
    );
    check(
        bot("command = [\"c\"]\nclass = \"C\""),
        &["hill.toml:13: class: not allowed for a bot with command"],
    );
}

#[test]
fn own_terms_that_are_wrong() {
    let bot = |keys| with_end(&format!("[[bot]]\nname = \"C\"\ncommand = [\"true\"]\n{keys}"));
    for (key, value) in
        [("network", "true"), ("secrets", "[\"A\"]"), ("deterministic", "false"), ("limits", "{}")]
    {
        let house = with_end(&format!("[[bot]]\nname = \"C\"\nhouse = \"dummy\"\n{key} = {value}"));
        let refusal = format!("hill.toml:13: {key}: not allowed for a bot with house = ...");
        check(house, &[&refusal]);
    }
    check(
        bot("network = \"yes\""),
        &["hill.toml:13: network = \"yes\": ", "expected true or false"],
    );
    check(bot("secrets = \"A\""), &["hill.toml:13: secrets = \"A\": ", "expected a list"]);
    let no_name = "is not the name of an environment variable";
    check(bot("secrets = [\"A\", \"a key\"]"), &["hill.toml:13: secrets: \"a key\" ", no_name]);
    check(bot("secrets = [\"1A\"]"), &["hill.toml:13: secrets: \"1A\" ", no_name]);
    check(bot("secrets = [\"\"]"), &["hill.toml:13: secrets: \"\" ", no_name]);
    check(bot("secrets = [\"A\", \"A\"]"), &["hill.toml:13: secrets: \"A\" is named twice"]);
    check(
        bot("[bot.limits]\nmove_ms = 0"),
        &["hill.toml:14: move_ms = 0: must be 1 to 86,400,000"],
    );
    check(bot("[bot.limits]\nrun_ms = 9"), &["hill.toml:14: run_ms: ", "into [limits]"]);
    check(bot("[bot.limits]\ntime = 9"), &["hill.toml:14: time = 9: unknown key"]);
}

#[test]
fn misspelt_names_are_suggested() {
    let similar = |name: &str| format!("; did you mean \"{name}\"?");
    check(with_keys("gaems = 3"), &["hill.toml:4: gaems = 3: ", &similar("games")]);
    check(with_keys("rules = \"oficial\""), &["rules = \"oficial\": ", &similar("official")]);
    check(with_keys("format = \"duell\""), &["format = \"duell\": ", &similar("duel")]);
    check("game = \"yatzee\"", &["hill.toml:1: ", &similar("yahtzee")]);
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("two")).expect("a folder");
    refused(
        &scratch,
        &["run", "yahtzee", "two", "dummy"],
        &["two: to use this folder, write ./two"],
    );
    scratch.write("spring.toml", with_keys(""));
    refused(
        &scratch,
        &["run", "sprng.toml"],
        &["sprng.toml: no such file", &similar("spring.toml")],
    );
    refused(&scratch, &["run", "yatzee"], &[&similar("yahtzee")]);
    refused(&scratch, &["run", "yahtzee", "dummy", "spring.toml#a"], &[&similar("A")]);
    refused(&scratch, &["replya"], &["similar subcommand", "'replay'"]);
    refused(&scratch, &["rnu"], &["similar subcommand", "'run'"]);
    refused(&scratch, &["hill", "hsow"], &["similar subcommand", "'show'"]);
    refused(&scratch, &["export", "spring.db", "--format", "csv"], &["such as '--csv'"]);
    refused(&scratch, &["export", "spring.db", "--cvs"], &["similar argument", "'--csv'"]);
    let unknown = scratch.run(&["replay", "spring.db", "--what"]);
    assert!(unknown.code == 2 && !unknown.err.contains("-- --what"), "{}", unknown.err);
    let opponent = "there is only one bot, but 2 are needed; name an opponent, such as a \
                    house bot: dicehill run yahtzee dummy aces-and-eights";
    refused(&scratch, &["run", "yahtzee", "dummy"], &[opponent]);
    scratch.run_ok(&["hill", "init", "spring.db", "yahtzee", "--games", "2"]);
    scratch.run_ok(&["hill", "add", "spring.db", "spring.toml", "--seed", "s"]);
    for command in [["hill", "remove", "spring.db", "a"], ["hill", "bar", "spring.db", "a"]] {
        refused(&scratch, &command, &["has no entrant \"a\"", &similar("A")]);
    }
    refused(&scratch, &["hill", "show", "sprign.db"], &["no such file", &similar("spring.db")]);
    refused(&scratch, &["replay", "spring.dbx"], &[&similar("spring.db")]);
    refused(
        &scratch,
        &["run", "yahtzee", "dummy", "random", "--rules", "mego"],
        &[&similar("mego-2016")],
    );
    let swapped = "if it is the new hill, it comes first: dicehill hill init new.db yahtzee";
    refused(&scratch, &["hill", "init", "yatzee", "new.db"], &[swapped]);
    let missing = ["no such file", &similar("spring.toml")];
    refused(&scratch, &["check", "dummy", "--positions", "sprng.toml"], &missing);
    let gauntlet = with_keys("format = \"gauntlet\"\nchallenger = \"a\"");
    check(gauntlet, &["challenger = \"a\": no bot has that name", &similar("A")]);
}

#[test]
fn a_file_of_another_kind_is_recognised() {
    let scratch = Scratch::new();
    scratch.write("spring.toml", with_keys(""));
    scratch.run_ok(&["run", "spring.toml", "--games", "2", "--seed", "s", "--out", "spring.jsonl"]);
    scratch.run_ok(&["hill", "init", "spring.db", "spring.toml"]);
    let hill = "spring.db: not a hill file; this is a hill: `dicehill hill show spring.db`";
    let log = "this is a run log: `dicehill open spring.jsonl` shows it";
    let file = "this is a hill file: `dicehill run spring.toml` plays it";
    refused(&scratch, &["run", "spring.db"], &[hill]);
    refused(
        &scratch,
        &["hill", "add", "spring.db", "spring.jsonl"],
        &[&format!("not a bot; {log}")],
    );
    fs::create_dir(scratch.path("Mine")).expect("a folder");
    scratch.write("Mine/bot.toml", "name = \"Mine\"\ncommand = [\"true\"]\n");
    let folder = "is a file: name a folder";
    refused(&scratch, &["export", "spring.jsonl", "--html", "spring.toml"], &[folder]);
    refused(&scratch, &["run", "yahtzee", "--logs", "spring.toml"], &[folder]);
    refused(&scratch, &["hill", "show", "Mine"], &["Mine: is a folder, not a file"]);
    refused(&scratch, &["serve", "--listen", "8017"], &["such as 127.0.0.1:8017"]);
    let manifest = "Mine/bot.toml: not a hill file; it describes a bot, which is named by its folder: `dicehill check Mine`";
    refused(&scratch, &["run", "Mine/bot.toml", "greedy"], &[manifest]);
    for command in [&["run", "Mine/bot.toml"][..], &["hill", "add", "spring.db", "Mine/bot.toml"]] {
        refused(&scratch, command, &[manifest]);
    }
    for (path, what) in [
        (
            "Mine/bot.toml",
            "Mine/bot.toml:1: is no position: `dicehill analyze RUN --save-positions FILE`",
        ),
        (
            "spring.db",
            "spring.db: holds runs: `dicehill analyze spring.db --save-positions FILE` writes",
        ),
    ] {
        refused(&scratch, &["check", "dummy", "--positions", path], &[what]);
    }
    refused(&scratch, &["run", "spring.jsonl"], &[log]);
    refused(&scratch, &["hill", "show", "spring.jsonl"], &["not an SQLite database", log]);
    refused(&scratch, &["hill", "show", "spring.toml"], &["not an SQLite database", file]);
    refused(&scratch, &["replay", "spring.toml", "1"], &["not a run log of dicehill", file]);
    // Names without an extension, and arguments in the wrong order.
    refused(&scratch, &["hill", "show", "spring"], &["did you mean \"spring.db\" or "]);
    refused(&scratch, &["run", "spring"], &["\"spring.jsonl\" or \"spring.toml\"?"]);
    let order = "yahtzee: the hill's file comes first: dicehill hill init new.db yahtzee";
    refused(&scratch, &["hill", "init", "yahtzee", "new.db"], &[order]);
    refused(&scratch, &["hill", "init", "new.toml", "yahtzee"], &["name should end with .db"]);
    refused(
        &scratch,
        &["hill", "init", "none/new.db", "yahtzee"],
        &["none/new.db: there is no folder \"none\": create it, or write elsewhere\n"],
    );
    refused(
        &scratch,
        &["run", "yahtzee", "--games", "2", "--out", "none/run.jsonl"],
        &["none/run.jsonl: there is no folder \"none\""],
    );
    refused(&scratch, &["replay", "17", "spring.jsonl"], &["the run comes before it"]);
    refused(&scratch, &["replay", "spring.jsonl", "0"], &["games of a run are numbered from 1"]);
    refused(&scratch, &["token", "revoke", "spring.db", "Ada"], &["`dicehill token list` prints"]);
}

#[test]
fn missing_programs() {
    let bot = |keys| with_end(&format!("[[bot]]\nname = \"C\"\n{keys}"));
    check(bot("java = \"C.java\""), &["hill.toml:12: java = C.java: no such file or folder"]);
    check(bot("java = 5"), &["hill.toml:12: java = 5: ", "expected a string"]);
    check(bot("command = []"), &["hill.toml:12: command: is empty"]);
    let list = "command = \"python3 c.py\": a command is a list of words: [\"python3\", \"c.py\"]";
    check(bot("command = \"python3 c.py\""), &["hill.toml:12: ", list]);
    check(bot("command = 5"), &["hill.toml:12: command = 5: ", "expected a list"]);
    check(bot("command = [\"\"]"), &["hill.toml:12: command = the command is empty"]);
    let nowhere = "\"no-such-c\": no such program in the PATH";
    check(bot("command = [\"no-such-c\"]"), &["hill.toml:12: command = ", nowhere]);
    let missing = "hill.toml:12: command = mine.py: no such file";
    check(bot("command = [\"python3\", \"mine.py\"]"), &[missing]);
    check(
        bot("command = [\"pyhton3\", \"mine.py\"]"),
        &["no such program in the PATH; did you mean \"python3\"?"],
    );
    let there = "\"./c\": no such program there";
    check(bot("command = [\"./c\"]"), &["hill.toml:12: command = ", there]);
    check(
        bot("dir = \"none\"\ncommand = [\"./c\"]"),
        &["hill.toml:12: dir = none: no such folder"],
    );
    check(
        bot("command = [\"sh\"]\nbuild = [\"true\"]"),
        &["hill.toml:13: build: needs dir = \"...\""],
    );
}

#[test]
fn too_few_bots() {
    let challenge = |house| hill(KEYS, house);
    check(challenge(&[]), &["hill.toml: there is no bot", "2 are needed"]);
    check(challenge(&["dummy"]), &["hill.toml: there is only one bot", "2 are needed"]);
    let three = with_keys("format = \"duel\"\nseats = 3");
    check(three, &["hill.toml:5: there are only 2 bots", "3 are needed"]);
}

#[test]
fn numbers_out_of_range() {
    check(with_games("0"), &["hill.toml:2: games = 0: must be 1 to 1,000,000,000"]);
    check(with_games("-5"), &["hill.toml:2: games = -5: must be 1 to"]);
    check(with_games("1000000001"), &["hill.toml:2: games = 1000000001: must be 1 to"]);
    let limit = |line| with_keys(&format!("[limits]\n{line}"));
    check(limit("move_ms = 0"), &["hill.toml:5: move_ms = 0: must be 1 to"]);
    check(limit("start_ms = -1"), &["hill.toml:5: start_ms = -1: must be 1 to"]);
    check(limit("game_ms = 0"), &["hill.toml:5: game_ms = 0: must be 1 to 86,400,000"]);
    check(limit("run_ms = 0"), &["hill.toml:5: run_ms = 0: must be 1 to 31,536,000,000"]);
    check(
        limit("move_ms = 9\ngame_ms = 99999999999"),
        &["hill.toml:6: game_ms = 99999999999: must"],
    );
    check(limit("memory_mb = 99999999999"), &["hill.toml:5: memory_mb = 99999999999: must be"]);
}

#[test]
fn conflicting_keys() {
    check(with_keys("seats = 2"), &["hill.toml:4: seats = 2: only format = \"duel\""]);
    check(
        with_keys("format = \"duel\"\nseats = 1"),
        &["hill.toml:5: seats = 1: ", "yahtzee has 2"],
    );
    check(with_keys("format = \"duel\"\nseats = -1"), &["hill.toml:5: seats = -1: "]);
    let liars = hill(
        "game = \"liars-dice\"\nformat = \"duel\"\nseats = 99",
        &["pirate", "nobody", "random"],
    );
    check(liars, &["hill.toml:3: seats = 99: a table of liars-dice has 2 to 5"]);
    check(with_keys("challenger = \"A\""), &["hill.toml:4: challenger = \"A\": only format"]);
    let gauntlet = with_keys("format = \"gauntlet\"\nchallenger = \"Z\"");
    check(gauntlet, &["hill.toml:5: challenger = \"Z\": no bot has that name"]);
    for format in ["duel", "gauntlet"] {
        let set = with_keys(&format!("format = \"{format}\"\nmemory = \"set\""));
        check(set, &["hill.toml:5: memory = \"set\" cannot be combined", format]);
    }
    check(with_end("votes = 3"), &["hill.toml:10: votes = 3: votes do not count in yahtzee"]);
    let least =
        hill("game = \"liars-dice\"", &["pirate", "nobody"]) + "votes = -9223372036854775808";
    check(least, &["hill.toml:8: votes = -9223372036854775808: must be -1000000 to 1000000"]);
    let votes = hill("game = \"liars-dice\"", &["pirate", "nobody"]) + "votes = 1000001";
    check(votes, &["hill.toml:8: votes = 1000001: must be -1000000 to 1000000"]);
}

#[test]
fn errors_name_the_source_of_a_number() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", with_keys(""));
    for hill in ["hill.toml", "yahtzee", "liars-dice"] {
        let check_games = |games: &str, message: &str| {
            refused(&scratch, &["run", hill, "--games", games], &[message]);
        };
        check_games("-5", "error: --games -5: must be 1 to 1,000,000,000");
        check_games("0", "error: --games 0: must be 1 to 1,000,000,000");
        check_games("99999999999", "error: --games 99999999999: must be 1 to 1,000,000,000");
        check_games("99999999999999999999", "99999999999999999999");
        check_games("x", "'x'");
    }
    refused(&scratch, &["run", "--games", "0"], &["error: --games 0: "]);
    scratch.write("zero.toml", with_games("0"));
    scratch.run_ok(&["run", "zero.toml", "--games", "1", "--seed", "s"]);
}

#[test]
fn unwritable_logs() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", with_keys(""));
    scratch.write("full", "their text\n");
    fs::create_dir(scratch.path("folder")).expect("the folder can be made");
    let run =
        |out: &str, part: &str| refused(&scratch, &["run", "hill.toml", "--out", out], &[part]);
    run("none/log", "none/log: there is no folder");
    run("folder", "folder: is a folder, not a file");
    run("full", "full: exists already, with 11 bytes: it is not a run log: choose another name");
    run("hill.toml", "hill.toml: exists already");
    assert_eq!(fs::read(scratch.path("full")).expect("it is there"), b"their text\n");
    assert_eq!(fs::read(scratch.path("hill.toml")).expect("it is there"), with_keys("").as_bytes());
    refused(&scratch, &["run", "--out", "log"], &["--out log: ", "pass a hill file or a game"]);
    assert!(!scratch.path("log").exists());
}

#[cfg(unix)]
#[test]
fn logs_in_read_only_folders() {
    use std::os::unix::fs::PermissionsExt;

    let scratch = Scratch::new();
    scratch.write("hill.toml", with_keys(""));
    let folder = scratch.path("closed");
    fs::create_dir(&folder).expect("the folder can be made");
    fs::set_permissions(&folder, PermissionsExt::from_mode(0o555)).expect("the folder is ours");
    // For root no folder is closed.
    if fs::write(folder.join("probe"), "").is_err() {
        refused(
            &scratch,
            &["run", "hill.toml", "--out", "closed/log"],
            &["closed/log: Permission"],
        );
    }
}

#[test]
fn unknown_flags_and_commands() {
    let scratch = Scratch::new();
    refused(&scratch, &["fly"], &["'fly'"]);
    refused(&scratch, &["run", "--fast"], &["'--fast'"]);
    refused(&scratch, &["run", "--jobs", "0"], &["'0'", "--jobs"]);
    refused(&scratch, &["run", "--jobs", "-1"], &["-1"]);
    refused(&scratch, &["run", "--format", "xml"], &["'xml'", "markdown"]);
    refused(&scratch, &["check", "chess", "dummy"], &["\"chess\"", "yahtzee or liars-dice"]);
    refused(&scratch, &["check", "yahtzee"], &["name the bots of yahtzee"]);
    refused(&scratch, &["check", "yahtzee", "dummy", "--games", "0"], &["'0'", "--games"]);
    refused(&scratch, &["play", "chess"], &["\"chess\""]);
    refused(&scratch, &["replay"], &["<RUN>"]);
    refused(&scratch, &["replay", "log", "0"], &["'0'"]);
    refused(&scratch, &["completions", "csh"], &["'csh'", "bash"]);
}

#[test]
fn invalid_bots() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", with_keys(""));
    scratch.write("liars.toml", hill("game = \"liars-dice\"", &["pirate", "nobody"]));
    scratch.write("plain", "#!/bin/sh\n");
    scratch.write("windows", "#!/bin/sh\r\n");
    let executable = Permissions::from_mode(0o755);
    scratch.write("lost", "#!/usr/none/python3\n");
    for program in ["windows", "lost"] {
        let executable = executable.clone();
        fs::set_permissions(scratch.path(program), executable).expect("the file is ours");
    }
    let cases = [
        ("nemo", "\"nemo\": no such house bot"),
        ("yahtzee", "yahtzee: the game comes before the bots"),
        ("radnom", "; did you mean \"random\"?"),
        ("./nowhere", "./nowhere: no such file or folder"),
        ("hill.tmol", "; did you mean \"hill.toml\"?"),
        ("python3 mine.py", "mine.py: no such file"),
        ("plain", "plain: to start this file, write ./plain if it is a program"),
        (
            "./windows",
            "./windows\": cannot be run, because its first line ends with a carriage return",
        ),
        (
            "./lost",
            "./lost\": cannot be run, because its first line names \"/usr/none/python3\", which does not exist here",
        ),
        ("./plain", "./plain\": not executable: run `chmod +x ./plain`"),
        ("", "bot name \"\" is empty"),
        ("pirate", "\"pirate\": this house bot plays liars-dice, not yahtzee"),
        ("Mine.java", "Mine.java: no such file"),
        ("mine.jar", "mine.jar: no such file"),
        ("mine.py", "mine.py: no such file"),
        ("mine.js", "mine.js: no such file"),
        ("./mine --fast", "./mine --fast: \"./mine\": no such program there"),
        ("'unclosed -x", "\"'unclosed -x\": missing closing quote"),
        (".", ".: a folder needs a bot.toml"),
        ("hill.toml#Z", "hill.toml: has no bot \"Z\""),
        ("hill.toml#", "bot name \"\" is empty"),
        ("none.toml#A", "none.toml: no such file"),
        ("liars.toml#A", "liars.toml: a hill of liars-dice, not of yahtzee"),
    ];
    for (bot, message) in cases {
        refused(&scratch, &["run", "yahtzee", "dummy", bot, "--out", "log"], &[message]);
        refused(&scratch, &["check", "yahtzee", bot], &[message]);
        refused(&scratch, &["play", "yahtzee", "--against", bot], &[message]);
    }
    assert!(!scratch.path("log").exists());
    refused(&scratch, &["check", "./nowhere"], &["./nowhere: no such file or folder"]);
    refused(&scratch, &["check", "./dummy", "--watch"], &["./dummy: no such file or folder"]);
    let rival = ["check", "yahtzee", "dummy", "--watch", "--against", "pirate", "--seed", "s"];
    refused(&scratch, &rival, &["--watch: pirate does not play yahtzee"]);
    refused(&scratch, &["run", "yahtzee", "dummy"], &["there is only one bot"]);
    refused(&scratch, &["run", "hill.toml", "dummy"], &["\"dummy\": a hill file has its own bots"]);
}

/// A folder `Mine` whose `bot.toml` has these keys, and a file outside of it.
fn with_bot_file(keys: &str) -> Scratch {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("Mine/sub")).expect("the folder can be made");
    scratch.write("secret.py", "secret");
    scratch.write("Mine/bot.py", "import sys\nsys.stdin.read()\n");
    scratch.write("Mine/bot.toml", format!("name = \"Mine\"\n{keys}\n"));
    scratch
}

#[test]
fn bot_files_cannot_lead_out_of_their_folder() {
    let python = "command = [\"python3\", \"bot.py\"]";
    for (keys, message) in [
        (format!("{python}\nread = [\"/etc\"]"), "bot.toml:3: read: only the host's hill file"),
        (format!("{python}\nread = []"), "bot.toml:3: read: only the host's hill file"),
        (format!("{python}\nnetwork = true"), "bot.toml:3: network: only the host's hill file"),
        (format!("{python}\nsecrets = []"), "bot.toml:3: secrets: only the host's hill file"),
        (
            format!("{python}\ndeterministic = true"),
            "bot.toml:3: deterministic: only the host's hill file",
        ),
        (
            format!("{python}\n[limits]\nmove_ms = 1"),
            "bot.toml:3: limits: only the host's hill file",
        ),
        (format!("{python}\ndir = \"..\""), "bot.toml:3: dir = \"..\": leads out"),
        (format!("{python}\ndir = \"/etc\""), "bot.toml:3: dir = \"/etc\": leads out"),
        (format!("{python}\ndir = \"sub/../..\""), "bot.toml:3: dir = \"sub/../..\": leads"),
        (format!("{python}\ndir = \"up\""), "bot.toml:3: dir = \"up\": leads out"),
        (format!("{python}\nbuild = [\"../x\"]"), "bot.toml:3: build = \"../x\": leads out"),
        ("command = [\"../x\"]".to_owned(), "bot.toml:2: command = \"../x\": leads out"),
        ("command = [\"/bin/sh\"]".to_owned(), "bot.toml:2: command = \"/bin/sh\": leads out"),
        (
            "command = [\"python3\", \"../secret.py\"]".to_owned(),
            "bot.toml:2: command = \"../secret.py\": leads out",
        ),
        ("java = \"../X.java\"".to_owned(), "bot.toml:2: java = \"../X.java\": leads out"),
        ("java = \"up\"".to_owned(), "bot.toml:2: java = \"up\": leads out"),
    ] {
        let scratch = with_bot_file(&keys);
        symlink("..", scratch.path("Mine/up")).expect("a link");
        refused(&scratch, &["check", "yahtzee", "./Mine"], &["Mine/", message]);
        refused(&scratch, &["run", "yahtzee", "dummy", "./Mine"], &["Mine/", message]);
    }
    // From inside the folder the result is the same.
    let scratch = with_bot_file("command = [\"python3\", \"bot.py\"]\ndir = \"..\"");
    let mut command = scratch.command(&["check", "yahtzee", "."]);
    let output =
        CommandOutput::from(command.current_dir(scratch.path("Mine")).output().expect("it runs"));
    assert!(output.code == 2 && output.err.contains("leads out"), "{output:?}");
}

#[test]
fn links_cannot_lead_out_of_a_bots_folder() {
    let python = "command = [\"python3\", \"bot.py\"]";
    let why = "is a link that does not lead to a file in the same folder";
    for target in ["../secret.py", "/etc/passwd", "nowhere", "sub"] {
        let scratch = with_bot_file(python);
        symlink(target, scratch.path("Mine/link")).expect("a link");
        refused(&scratch, &["check", "yahtzee", "./Mine"], &["Mine/link: ", why]);
    }
    let scratch = with_bot_file(python);
    symlink("../secret.py", scratch.path("Mine/mine.py")).expect("a link");
    refused(&scratch, &["check", "yahtzee", "Mine/mine.py"], &["Mine/mine.py: ", why]);
    symlink("/etc/passwd", scratch.path("X.java")).expect("a link");
    refused(&scratch, &["check", "yahtzee", "X.java"], &["X.java: ", why]);
    fs::remove_file(scratch.path("Mine/bot.toml")).expect("it is there");
    symlink("../secret.py", scratch.path("Mine/bot.toml")).expect("a link");
    refused(
        &scratch,
        &["check", "yahtzee", "./Mine"],
        &["bot.toml: is a link or not a regular file"],
    );
}

#[test]
fn opponents_that_do_not_fit_at_the_table() {
    let scratch = Scratch::new();
    let many = ["pirate"; 5];
    let arguments = [&["play", "liars-dice", "--against"], &many[..]].concat();
    refused(&scratch, &arguments, &["--against: 5 opponents, but there are only 4 seats for them"]);
    scratch.write("hill.toml", with_name("you"));
    let arguments = ["play", "yahtzee", "--against", "hill.toml#you"];
    refused(&scratch, &arguments, &["--against: \"you\" is your own name"]);
    for command in ["check", "play"] {
        let arguments = [command, "yahtzee", "--rules", "superjedi-2015", "dummy"];
        let arguments = if command == "check" { &arguments[..] } else { &arguments[..4] };
        refused(&scratch, arguments, &["--rules superjedi-2015: ", "official and mego-2016"]);
    }
}
