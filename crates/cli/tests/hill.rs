//! Permanent hills: entrants are added and removed, tournaments are played, and no record is lost.

use std::fs;

use rusqlite::Connection;

use crate::support::external::python;
use crate::support::store::stored_games;
use crate::support::{PATIENT, Scratch, with_single_spaces};

/// Answers at random, so that a replayed game would differ.
const RANDOM_BOT: &str = "\
import json, os, sys
print(json.dumps({'type': 'ready', 'inflight': 1}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        if 'bids' in message:
            bids = message['bids']
            answer = {'bid': 'Liar!'} if bids else {'bid': '1 %d' % (2 + os.urandom(1)[0] % 5)}
        else:
            legal = list(message['legal'])
            answer = {'category': legal[os.urandom(1)[0] % len(legal)]}
        print(json.dumps({'id': message['id'], **answer}), flush=True)
";

#[test]
fn entrants_and_runs_of_a_hill_are_kept() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "100", "--name", "spring"]);
    let first = scratch.run_ok(&["hill", "add", "h.db", "dummy"]);
    assert!(first.err.contains("the first run is played once there are enough"));
    let json = ["--format", "json"];
    let second = scratch.run_ok(&[&["hill", "add", "h.db", "greedy"], &json[..]].concat()).json();
    assert_eq!((&second["champion"], &second["name"]), (&"greedy".into(), &"spring".into()));
    let third = scratch.run_ok(&["hill", "add", "h.db", "aces-and-eights", "--format", "json"]);
    assert_eq!(third.json()["standings"].as_array().map(Vec::len), Some(3));
    let shown =
        |run: &str| scratch.run_ok(&["hill", "show", "h.db", "--run", run, "--format", "json"]);
    assert_eq!(shown("1").json(), second, "an earlier board stays");
    assert_eq!(shown("2").out, third.out);
    assert_eq!(scratch.run_ok(&["hill", "show", "h.db", "--format", "json"]).out, third.out);
    scratch.run_ok(&["hill", "remove", "h.db", "greedy"]);
    let fourth = scratch.run_ok(&["hill", "run", "h.db", "--format", "json"]).json();
    assert_eq!(fourth["champion"], "aces-and-eights");
    let log = scratch.run_ok(&["hill", "log", "h.db"]).out;
    let champions: Vec<_> =
        log.lines().map(|line| line.rsplit(' ').next().unwrap_or_default()).collect();
    assert_eq!(champions, ["greedy", "greedy", "aces-and-eights"], "{log}");
    let listed = scratch.run_ok(&["hill", "list", "h.db"]);
    let list = with_single_spaces(&listed.out);
    assert!(!list.contains("greedy") && list.contains("dummy 1 house"), "{list}");
    assert_eq!(listed.err, "no longer on the hill: greedy\n");
    let replay = scratch.run_ok(&["replay", "h.db#1", "17"]).out;
    assert!(replay.starts_with("Yahtzee, game 17"), "{replay}");
}

#[test]
fn the_board_of_a_run_is_shown_again() {
    let scratch = Scratch::new();
    // Half of an interval is half of the last digit here.
    let seed = "5d03feefe604a1bebbf1209759033d6c";
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--seed", seed]);
    let added = scratch.run_ok(&["hill", "add", "h.db", "greedy", "dummy", "aces-and-eights"]).out;
    let shown = scratch.run_ok(&["hill", "show", "h.db"]).out;
    let row = |text: &str| text.lines().find(|line| line.contains("aces-and")).map(str::to_owned);
    assert!(row(&added).is_some() && row(&added) == row(&shown), "{added}{shown}");
}

#[test]
fn the_files_of_entrants_are_stored() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("bots")).expect("a folder");
    scratch.write("bots/mine.py", RANDOM_BOT.replace("os.urandom(1)[0]", "0"));
    scratch.write(
        "bots/bot.toml",
        "name = \"Mine\"\ncommand = [\"python3\", \"mine.py\"]\nauthor = \"me\"\n",
    );
    scratch.write(
        "h.toml",
        format!("game = \"yahtzee\"\ngames = 20\nseed = \"s\"\nopen_seed = true\n{PATIENT}\n"),
    );
    scratch.run_ok(&["hill", "init", "spring.db", "h.toml"]);
    let first =
        scratch.run_ok(&["hill", "add", "spring.db", "./bots", "dummy", "--format", "json"]);
    fs::remove_dir_all(scratch.path("bots")).expect("it is ours");
    let repeated = scratch.run_ok(&["hill", "run", "spring.db", "--seed", "s", "--format", "json"]);
    assert_eq!(repeated.out, first.out, "the same bots from their copies");
    assert_eq!(first.json()["name"], "spring", "the name is that of the hill's own file");
    let hash = &first.json()["standings"][0]["hash"];
    assert!(hash.as_str().is_some_and(|hash| hash.starts_with("blake3:")), "{hash}");
    let list = with_single_spaces(&scratch.run_ok(&["hill", "list", "spring.db"]).out);
    assert!(
        list.starts_with("bot version kind author identity\n")
            && list.contains("Mine 1 command me blake3:"),
        "{list}"
    );
}

#[test]
fn a_new_version_replaces_the_old_one() {
    let scratch = Scratch::new();
    let [program, option] = python();
    let line = format!("{program} {option} mine.py");
    scratch.write("mine.py", RANDOM_BOT);
    scratch.write("h.toml", format!("game = \"yahtzee\"\ngames = 10\n{PATIENT}\n"));
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    scratch.run_ok(&["hill", "add", "h.db", &line, "dummy"]);
    let same = scratch.run(&["hill", "add", "h.db", &line]);
    assert_eq!(same.code, 0, "nothing is to be done: {}", same.err);
    assert!(same.err.contains("mine is already on the hill, unchanged"), "{}", same.err);
    scratch.write("mine.py", format!("{RANDOM_BOT}\n"));
    // Bots that are there as they are do not prevent the others.
    let new = scratch.run_ok(&["hill", "add", "h.db", "dummy", &line]);
    assert!(new.err.contains("dummy is already on the hill, unchanged\n"), "{}", new.err);
    assert!(new.err.contains("mine: version 2"), "{}", new.err);
    let list = with_single_spaces(&scratch.run_ok(&["hill", "list", "h.db"]).out);
    assert_eq!(list.matches("mine 2 command").count(), 1, "{list}");
}

/// Adds a new entrant to a hill with a bot that never plays the same game twice; returns the game lines of both runs.
fn games_before_and_after_joining(
    format: &str,
    game: &str,
    house: [&str; 3],
) -> (Vec<String>, Vec<String>) {
    let scratch = Scratch::new();
    let [program, option] = python();
    let line = format!("{program} {option} mine.py");
    scratch.write("mine.py", RANDOM_BOT);
    scratch.write(
        "h.toml",
        format!("game = \"{game}\"\nformat = \"{format}\"\ngames = 12\nseed = \"s\"\nopen_seed = true\n{PATIENT}\n"),
    );
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    let [first, second, new_entrant] = house;
    scratch.run_ok(&["hill", "add", "h.db", &line, first, second]);
    scratch.run_ok(&["hill", "add", "h.db", new_entrant, "--full"]);
    (stored_games(&scratch.path("h.db"), 1), stored_games(&scratch.path("h.db"), 2))
}

fn has_seat(name: &str) -> impl Fn(&&String) -> bool {
    let name = format!("\"{name}\"");
    move |line| line.contains(&name)
}

#[test]
fn a_new_entrant_of_a_duel_changes_no_other_game() {
    let (before, after) =
        games_before_and_after_joining("duel", "yahtzee", ["dummy", "greedy", "aces-and-eights"]);
    assert_eq!((before.len(), after.len()), (36, 72));
    assert_eq!(before, after[..36], "the games of the others are not played again");
    assert!(after[36..].iter().all(|line| has_seat("aces-and-eights")(&line)));
}

#[test]
fn a_new_entrant_of_a_duel_is_placed() {
    let scratch = Scratch::new();
    scratch.write(
        "h.toml",
        "game = \"yahtzee\"\nformat = \"duel\"\ngames = 40\nseed = \"s\"\nopen_seed = true\n",
    );
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    scratch.run_ok(&["hill", "add", "h.db", "dummy", "random", "aces-and-eights"]);
    let output = scratch.run_ok(&["hill", "add", "h.db", "greedy", "--format", "json"]);
    let placing = &output.json()["placing"];
    assert_eq!((&placing["bot"], &placing["rank"]), (&"greedy".into(), &1.into()), "{placing}");
    let games = placing["games"].as_u64().expect("a number");
    assert!((2..=32).contains(&games), "{placing}");
    assert_eq!(stored_games(&scratch.path("h.db"), 2).len() as u64, games);
    let shown = scratch.run_ok(&["hill", "show", "h.db"]).out;
    assert!(shown.contains("Placed: greedy is number 1 of 4 (1 to "), "{shown}");
    // The league is shown first; the placement is a run of its own.
    assert!(shown.contains("duel") && shown.contains("Champion: greedy"), "{shown}");
    let rows: Vec<_> = ["greedy", "aces-and-eights", "random", "dummy"].into();
    assert!(rows.iter().all(|bot| shown.contains(bot)), "{shown}");
    let league = scratch.run_ok(&["hill", "show", "h.db", "--format", "json"]).json();
    assert_eq!((&league["format"], &league["champion"]), (&"duel".into(), &"greedy".into()));
    assert_eq!(&league["standings"][0]["placed"], placing);
    let placement = scratch.run_ok(&["hill", "show", "h.db", "--run", "2"]).out;
    assert!(placement.contains("gauntlet") && !placement.contains("Champion"), "{placement}");
    // Ranks and ratings of its few games would contradict the rank that it found.
    let lines: Vec<_> = placement.lines().skip(1).collect();
    assert!(lines[0].starts_with("bot") && !lines[0].contains("Elo"), "{placement}");
    assert!(lines[1].starts_with("greedy "), "the new entrant is first: {placement}");
    let log = scratch.run_ok(&["hill", "log", "h.db"]).out;
    assert!(log.contains("placed greedy as number 1 of 4"), "{log}");
    // A placed entrant is one of those that later entrants are compared with.
    scratch
        .write("more.toml", "game = \"yahtzee\"\n[[bot]]\nname = \"Second\"\nhouse = \"dummy\"\n");
    let add = ["hill", "add", "h.db", "more.toml#Second", "--format", "json"];
    let repeated = scratch.run_ok(&add);
    let placing = &repeated.json()["placing"];
    assert_eq!((&placing["bot"], &placing["among"]), (&"Second".into(), &5.into()), "{placing}");
}

#[test]
fn a_new_entrant_of_a_set_changes_only_its_own_games() {
    let names = ["nobody", "badnomial", "pirate"];
    let (before, after) = games_before_and_after_joining("challenge", "liars-dice", names);
    let others: Vec<_> = after.iter().filter(|line| !has_seat("pirate")(line)).collect();
    let is_unchanged = |line: &&&String| before.contains(line);
    assert_eq!(others.iter().filter(|line| is_unchanged(line)).count(), others.len());
    assert!(others.len() < after.len(), "the new entrant has played");
}

/// The settings that `hill set` prints, with single spaces.
fn settings(scratch: &Scratch, arguments: &[&str]) -> Vec<String> {
    let printed = scratch.run_ok(&[&["hill", "set"], arguments].concat()).out;
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    printed.lines().map(words).collect()
}

#[test]
fn limits_of_later_runs_are_changed() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "4", "--seed", "s"]);
    scratch.run_ok(&["hill", "add", "h.db", "dummy", "greedy"]);
    let shown = || settings(&scratch, &["h.db"]);
    let defaults = shown();
    let limits = [
        "start_ms = 10000",
        "move_ms = 1000",
        "game_ms = default (30000)",
        "memory_mb = 512",
        "run_ms = default (none)",
        "schedule = default (none)",
    ];
    assert_eq!(defaults[..6], limits);
    assert!(defaults[5..].iter().all(|line| line.contains(" = default (")), "{defaults:?}");
    let set = ["h.db", "move_ms=2000", "game_ms=5000", "run_ms=600000"];
    let mut changed = defaults.clone();
    for (line, text) in [(1, "move_ms = 2000"), (2, "game_ms = 5000"), (4, "run_ms = 600000")] {
        text.clone_into(&mut changed[line]);
    }
    assert_eq!((settings(&scratch, &set), shown()), (changed.clone(), changed.clone()));
    scratch.run_ok(&["hill", "run", "h.db"]);
    let limits_of = |run: &str| {
        let log = scratch.run_ok(&["export", run, "--jsonl"]).out;
        let header = log.lines().next().map(crate::support::parse_json).expect("a header");
        header["limits"].to_string()
    };
    let usual = r#"{"memory_mb":512,"move_ms":1000,"start_ms":10000}"#;
    let other =
        r#"{"game_ms":5000,"memory_mb":512,"move_ms":2000,"run_ms":600000,"start_ms":10000}"#;
    assert_eq!([limits_of("h.db#1"), limits_of("h.db#2")], [usual, other]);
    for run in ["h.db#1", "h.db#2"] {
        scratch.run_ok(&["verify", run]);
    }
    let refused = |change: &str, text: &str| {
        scratch.run_refused(&["hill", "set", "h.db", "start_ms=1", change], &[text]);
    };
    refused("gamems=1", "no such setting: \"gamems\"; did you mean \"game_ms\"?");
    refused("game_ms=soon", "\"soon\" is neither a number nor `default`");
    refused("game_ms=0", "h.db: game_ms = 0: must be 1 to 86,400,000");
    assert_eq!(shown(), changed, "a refused change changes nothing");
    scratch.run_ok(&["hill", "set", "h.db", "move_ms=default", "game_ms=30000", "run_ms=default"]);
    assert_eq!(shown(), defaults, "the default is recorded like no value");
    scratch.run_ok(&["hill", "set", "h.db", "schedule=daily 20:00 Europe/Berlin", "author_bots=3"]);
    for line in ["schedule = daily 20:00 Europe/Berlin", "author_bots = 3"] {
        assert!(shown().iter().any(|shown| shown == line), "{line}");
    }
    refused("closes=2030-01-01 18:00 Europe/Berln", "no such time zone: \"Europe/Berln\"");
    refused("schedule=at noon", "schedule = \"at noon\": must be `daily HH:MM ZONE`");
    scratch.run_ok(&["hill", "set", "h.db", "schedule=default", "author_bots=default"]);
    assert_eq!(shown(), defaults);
}

#[test]
fn a_hill_file_says_when_runs_are_played_and_which_uploads_are_accepted() {
    let scratch = Scratch::new();
    let hill = "game = \"yahtzee\"\n[entries]\nschedule = \"weekly friday 18:30\"\nauthor_daily = 5\n\
                approval = \"names\"\napproval_words = [\"rude\", \"words\"]\n";
    scratch.write("h.toml", hill);
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    let lines = settings(&scratch, &["h.db"]);
    for line in [
        "schedule = weekly friday 18:30 UTC",
        "author_daily = 5",
        "approval = names",
        "approval_words = rude,words",
    ] {
        assert!(lines.iter().any(|shown| shown == line), "{line}: {lines:?}");
    }
    scratch.write("bad.toml", hill.replace("friday", "freitag"));
    let why = "bad.toml:3: schedule = \"weekly freitag 18:30\": no such day: \"freitag\"";
    scratch.run_refused(&["hill", "init", "bad.db", "bad.toml"], &[why]);
}

#[test]
fn the_settings_of_a_hill_are_copied_for_the_next_one() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "a.db", "yahtzee", "--games", "4"]);
    scratch.run_ok(&[
        "hill",
        "set",
        "a.db",
        "game_ms=9000",
        "author_bots=2",
        "closes=2030-01-01 00:00",
    ]);
    scratch.run_ok(&["hill", "add", "a.db", "dummy", "greedy"]);
    scratch.run_ok(&["hill", "init", "b.db", "a.db"]);
    let shown = settings(&scratch, &["b.db"]);
    for line in ["game_ms = 9000", "author_bots = 2", "closes = default (none)"] {
        assert!(shown.iter().any(|shown| shown == line), "{line}: {shown:?}");
    }
    let list = scratch.run_ok(&["hill", "list", "b.db"]);
    assert!(list.out.is_empty() && list.err.contains("the hill has no entrants"), "{}", list.err);
}

#[test]
fn two_simultaneous_runs_on_one_hill_are_refused() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "100000000", "--seed", "s"]);
    let mut first =
        scratch.command(&["hill", "add", "h.db", "greedy", "dummy"]).spawn().expect("it starts");
    let wait_for = |sql: &str| {
        let games = || {
            let database = Connection::open(scratch.path("h.db"))?;
            database.query_row(sql, [], |row| row.get::<_, i64>(0))
        };
        while games().unwrap_or(0) == 0 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    wait_for("SELECT count(*) FROM page");
    for second in [
        &["hill", "add", "h.db", "aces-and-eights"][..],
        &["hill", "run", "h.db"],
        &["hill", "remove", "h.db", "dummy"],
        &["resume", "h.db#1"],
    ] {
        let output = scratch.run(second);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{second:?}");
        assert!(
            output.err.contains("h.db: another dicehill is playing on this hill"),
            "{}",
            output.err
        );
    }
    let shown = scratch.run_ok(&["hill", "show", "h.db"]);
    assert!(shown.err.contains("run 1 is being played"), "one may look: {}", shown.err);
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
}

#[test]
fn invalid_stores_have_clear_errors() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "10"]);
    scratch.run_refused(&["hill", "init", "h.db", "yahtzee"], &["h.db: already exists"]);
    scratch.run_refused(&["hill", "show", "none.db"], &["none.db: no such file"]);
    scratch.run_refused(&["hill", "show", "h.db"], &["h.db: has no run yet"]);
    scratch.run_refused(&["hill", "run", "h.db"], &["h.db: has 0 entrants, too few to play"]);
    scratch.run_refused(&["hill", "remove", "h.db", "Nobody"], &["has no entrant \"Nobody\""]);
    scratch.run_refused(&["hill", "add", "h.db", "nobody"], &["this house bot plays liars-dice"]);
    scratch.run_ok(&["hill", "add", "h.db", "greedy", "dummy"]);
    scratch.run_refused(&["replay", "h.db#7", "1"], &["h.db: has no run 7: it has 1 run"]);
    scratch.run_refused(&["replay", "h.db#x", "1"], &["#x: a run has a number"]);
    scratch.run_refused(&["replay", "h.db#1", "11"], &["run 1: has no game 11: it has 10 games"]);
    scratch.run_refused(&["hill", "show", "h.db", "--run", "2"], &["has no run 2"]);

    scratch.write("text.db", "what is this\n".repeat(200));
    scratch.run_refused(
        &["hill", "show", "text.db"],
        &["text.db: is not a hill: not an SQLite database"],
    );
    Connection::open(scratch.path("foreign.db"))
        .and_then(|database| database.execute_batch("CREATE TABLE t (x)"))
        .expect("a foreign database");
    scratch.run_refused(&["hill", "show", "foreign.db"], &["a database of another program"]);
    scratch.run_refused(&["resume", "foreign.db"], &["a database of another program"]);
    scratch.write("empty.db", "");
    scratch.run_refused(&["hill", "list", "empty.db"], &["empty.db: is empty: not a hill"]);
    fs::copy(scratch.path("h.db"), scratch.path("newer.db")).expect("a copy");
    Connection::open(scratch.path("newer.db"))
        .and_then(|database| database.pragma_update(None, "user_version", 99))
        .expect("a newer one");
    scratch.run_refused(
        &["hill", "show", "newer.db"],
        &["a hill of a newer dicehill: its version is 99"],
    );
    let original = fs::read(scratch.path("h.db")).expect("the file");
    scratch.write("short.db", &original[..original.len() / 2]);
    let output = scratch.run(&["replay", "short.db#1", "3"]);
    assert!(output.code == 2 && output.err.contains("damaged"), "{}", output.err);
}

#[test]
fn a_run_with_altered_games_is_not_resumed() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "10", "--seed", "s"]);
    scratch.run_ok(&["hill", "add", "h.db", "greedy", "dummy"]);
    let database = Connection::open(scratch.path("h.db")).expect("the store");
    database
        .execute_batch(
            "UPDATE run SET result = NULL, ended = NULL, seal = NULL;
             UPDATE page SET games = replace(games, '\"game\":4,', '\"game\":4 ,');",
        )
        .expect("it can be altered");
    drop(database);
    let output = scratch.run(&["resume", "h.db#1"]);
    assert_eq!((output.code, output.out.as_str()), (1, ""), "{}", output.err);
    let message =
        "h.db: run 1: table page: game 4: its record, its times or their checksum was altered";
    assert!(output.err.contains(message), "{}", output.err);
}

#[test]
fn a_pruned_hill_keeps_its_boards_and_the_games_of_its_last_runs() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "100"]);
    scratch.run_ok(&["hill", "add", "h.db", "dummy", "greedy"]);
    scratch.run_ok(&["hill", "run", "h.db"]);
    scratch.run_ok(&["hill", "run", "h.db"]);
    let boards = || {
        let show =
            |run| scratch.run_ok(&["hill", "show", "h.db", "--run", run, "--format", "json"]);
        ["1", "2", "3"].map(|run| show(run).out)
    };
    let (before, size) = (boards(), fs::metadata(scratch.path("h.db")).expect("a file").len());
    let pruned = scratch.run_ok(&["hill", "prune", "h.db", "--keep-moves", "1"]);
    assert!(pruned.err.contains("the moves of 2 runs are removed"), "{}", pruned.err);
    assert_eq!(boards(), before);
    let now = fs::metadata(scratch.path("h.db")).expect("a file").len();
    assert!(now < size, "{size} bytes before, {now} now");
    // Outcomes stay, moves do not, and what is left is sealed.
    scratch.run_ok(&["verify", "h.db#3"]);
    scratch.run_ok(&["replay", "h.db#3", "17"]);
    let gone = scratch.run(&["replay", "h.db#1", "17"]);
    assert!(gone.code != 0 && gone.err.contains("moves"), "{}", gone.err);
    scratch.run_ok(&["verify", "h.db#1"]);
    let again = scratch.run_ok(&["hill", "prune", "h.db", "--keep-moves", "1"]);
    assert!(again.err.contains("no run but the last 1 has moves"), "{}", again.err);
    // An altered run is not sealed again.
    let database = Connection::open(scratch.path("h.db")).expect("a database");
    database
        .execute("UPDATE run SET result = replace(result, 'dummy', 'dammy') WHERE id = 3", [])
        .expect("it is altered");
    drop(database);
    let refused = scratch.run(&["hill", "prune", "h.db", "--keep-moves", "0"]);
    assert!(
        refused.code == 1 && refused.err.contains("run 3: table run, column result"),
        "{}",
        refused.err
    );
}

#[test]
fn the_message_of_a_hill_is_shown_printed_and_removed() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee"]);
    let message = |words: &[&str]| scratch.run_ok(&[&["hill", "message", "h.db"], words].concat());
    let none = "the page of the hill shows no message\n";
    assert_eq!((message(&[]).out.as_str(), message(&[]).err.as_str()), ("", none));
    assert_eq!(message(&["No run on Friday."]).err, "the page of the hill shows the message\n");
    for _ in 0..2 {
        assert_eq!(message(&[]).out, "No run on Friday.\n", "to print it changes nothing");
    }
    assert_eq!((message(&[""]).err.as_str(), message(&[]).err.as_str()), (none, none));
    let actions = scratch.run_ok(&["hill", "actions", "h.db"]).out;
    assert_eq!(actions.matches("message on the page").count(), 2, "{actions}");
}

#[test]
fn bots_that_are_added_are_in_the_log_of_actions() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "4"]);
    scratch.run_ok(&["hill", "add", "h.db", "greedy"]);
    scratch.run_ok(&["hill", "add", "h.db", "dummy", "greedy"]);
    let actions = scratch.run_ok(&["hill", "actions", "h.db"]).out;
    let lines: Vec<_> = actions.lines().skip(1).collect();
    assert!(lines.len() == 2 && lines[0].ends_with("add dummy version 1"), "{actions}");
    assert!(lines[1].ends_with("add greedy version 1"), "{actions}");
}

#[test]
fn what_a_hill_keeps_from_its_start_cannot_be_set() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee"]);
    let why =
        "\"games\" stays as it was when the hill was made; `dicehill hill init` makes another";
    scratch.run_refused(&["hill", "set", "h.db", "games=500"], &[why]);
}

#[test]
fn a_folder_that_is_not_there_is_called_that() {
    let scratch = Scratch::new();
    scratch.run_refused(&["run", "./Mine", "greedy"], &["./Mine: no such file or folder"]);
    scratch
        .run_refused(&["run", "Mine/spring.toml"], &["Mine/spring.toml: no such file or folder"]);
}

#[test]
fn bots_that_come_with_one_that_is_refused_are_added() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "4"]);
    scratch.write("bad.py", RANDOM_BOT.replace("legal[", "'NONE' or legal["));
    let [program, option] = python();
    let bad = format!("[[bot]]\nname = \"bad\"\ncommand = [{program:?}, {option:?}, \"bad.py\"]\n");
    scratch.write("bad.toml", format!("game = \"yahtzee\"\n{bad}"));
    let output = scratch.run(&["hill", "add", "h.db", "greedy", "dummy", "bad.toml#bad"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.err.contains("not added: bad\n"), "{output:?}");
    assert!(output.out.contains(" greedy ") && !output.out.contains(" bad "), "{output:?}");
    let list = with_single_spaces(&scratch.run_ok(&["hill", "list", "h.db"]).out);
    assert!(list.contains("greedy 1") && list.contains("dummy 1"), "{list}");
    assert!(!list.contains("bad"), "{list}");
    let alone = scratch.run(&["hill", "add", "h.db", "bad.toml#bad"]);
    assert!(
        alone.code == 3 && alone.err.contains("not added: bad\n`dicehill check BOT` shows"),
        "{alone:?}"
    );
}
