//! Hill files.

use std::fs;

use super::{KEYS, hill, refused, with_keys};
use crate::support::Scratch;

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

/// The hill of [`KEYS`] between two bots, with these lines from line 10.
fn with_end(end: &str) -> String {
    hill(KEYS, &["dummy", "random"]) + end
}

/// A third bot of this name, in line 11.
pub(super) fn with_name(name: &str) -> String {
    with_end(&format!("[[bot]]\nname = \"{name}\"\nhouse = \"dummy\"\n"))
}

/// A hill of Yahtzee between two bots with `games` in line 2.
pub(super) fn with_games(games: &str) -> String {
    hill(&format!("game = \"yahtzee\"\ngames = {games}"), &["dummy", "random"])
}

#[test]
fn files_that_are_not_toml() {
    check("game = = 3", &["hill.toml:1: game = = 3: "]);
    check(with_keys("[limits"), &["hill.toml:4: [limits: "]);
    check(with_keys("name = \"\0\""), &["hill.toml:4: "]);
    check(with_keys("seed = \"t\""), &["hill.toml:4: seed = \"t\": this key is there twice"]);
    check(with_games("ten"), &["hill.toml:2: games = ten: not a value: a number has digits"]);
    check(with_games("1,000"), &["hill.toml:2: games = 1,000: not a value: a number has digits"]);
    let curly = ["game = “yahtzee”", "game = ‘yahtzee’", "game = „yahtzee“"];
    for line in curly {
        check(line, &["hill.toml:1: game = ", "not those of a keyboard: write \"...\""]);
    }
    check("game = \"yahtzee\n", &["hill.toml:1: game = \"yahtzee: the quotation mark at the end"]);
    for time in ["2026-12-01", "2026-12-01 18:00 Europe/Berlin", "1.12.2026"] {
        let place = format!("hill.toml:5: closes = {time}: a time stands in quotation marks: ");
        check(with_keys(&format!("[entries]\ncloses = {time}")), &[&place]);
    }
    check("[bot]\nname = \"a\"\n[bot]\n", &["hill.toml:3: [bot]: each bot has a table [[bot]]"]);
    check(b"game = \"yahtzee\"\n# \xff\n", &["hill.toml:2: not UTF-8"]);
    check(b"\0\0\0\0", &["hill.toml:1: "]);
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
fn keys_of_the_hill_behind_a_bot() {
    let place = "it belongs to the hill: write it before the first [[bot]]";
    check(with_end("games = 2\n"), &["hill.toml:10: games = 2: unknown key `games`", place]);
    check(with_end("seed = \"x\"\n"), &["hill.toml:10: seed = \"x\": unknown key `seed`", place]);
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
    check(with_games(&"9".repeat(25)), &["hill.toml:2: games = 999", ": the number is too large"]);
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
