//! Bots that try to recognise the qualification, so as to behave only there.

use std::collections::BTreeSet;

use crate::support::external::source;
use crate::support::{Scratch, hill};

/// The house bots of the hill, under their own names.
const HOUSE: [&str; 5] = ["random", "pirate", "honest", "nobody", "badnomial"];

/// The facts that the recogniser has logged.
fn facts(scratch: &Scratch, logs: &str) -> BTreeSet<String> {
    let log = scratch.read(&format!("{logs}/recogniser.log"));
    let facts: BTreeSet<_> =
        log.lines().filter_map(|line| line.strip_prefix("FACT ")).map(str::to_owned).collect();
    for kind in ["environment ", "files ", "hello ", "game ", "seed ", "players ", "name "] {
        assert!(facts.iter().any(|fact| fact.starts_with(kind)), "{kind}: {facts:?}");
    }
    facts
}

/// Whether the fact is a name that no entrant has.
fn is_foreign_name(fact: &str) -> bool {
    let is_known = |name: &&str| fact == format!("name \"{name}\"");
    fact.starts_with("name ") && !HOUSE.iter().chain(&["recogniser"]).any(is_known)
}

/// The author lets its bot log what it sees in `check` and in a run of the hill. A second version plays legally only
/// where something is true that was true in `check` alone, and `check` finds that it does not play legally at all.
#[test]
fn a_bot_that_knows_a_check_does_not_recognise_the_next() {
    let scratch = Scratch::new();
    let recogniser = std::fs::read_to_string(source("recogniser.py")).expect("the source is there");
    scratch.write("recogniser.py", &recogniser);
    scratch.write("hill.toml", hill("game = \"liars-dice\"\ngames = 20", &[]));
    scratch.run_ok(&["hill", "init", "hill.db", "hill.toml"]);
    scratch.run_ok(&[&["hill", "add", "hill.db"], &HOUSE[..]].concat());
    let check = |more: &[&str]| {
        let check = ["check", "liars-dice", "recogniser.py", "--hill", "hill.db", "--games", "4"];
        scratch.run(&[&check[..], more].concat())
    };
    let output = check(&["--logs", "checked"]);
    assert_eq!(output.code, 0, "{output:?}");
    scratch.run_ok(&["hill", "add", "hill.db", "recogniser.py", "--logs", "played"]);
    let [mut tells, played] = ["checked", "played"].map(|logs| facts(&scratch, logs));
    tells.retain(|fact| !played.contains(fact) || is_foreign_name(fact));
    let is_drawn = |fact: &String| fact.starts_with("game ") || fact.starts_with("seed ");
    assert!(tells.iter().all(is_drawn), "{tells:?}");
    let known = recogniser.replace("TELLS = None", &format!("TELLS = {tells:?}"));
    assert_ne!(known, recogniser);
    scratch.write("recogniser.py", known);
    let output = check(&[]);
    assert_eq!(output.code, 3, "{output:?}");
    // Findings that differ by their requests alone are one: of every game and position.
    assert!(output.out.contains("\n  4 games, 4 answers, "), "{output:?}");
    assert!(output.out.contains("no answer was legal"), "{output:?}");
}

#[test]
fn a_check_draws_a_seed_that_repeats_it() {
    let scratch = Scratch::new();
    let check = |more: &[&str]| {
        let report =
            ["check", "liars-dice", "random", "honest", "--games", "6", "--report", "report"];
        let output = scratch.run_ok(&[&report[..], more].concat());
        let files = ["random.md", "honest.md", "check.csv"];
        let files = files.map(|file| scratch.read(&format!("report/{file}")));
        let files = [files[0].clone(), files[1].clone(), without_times(&files[2])];
        std::fs::remove_dir_all(scratch.path("report")).expect("it is ours");
        (output.err, output.out, files)
    };
    let (message, out, files) = check(&[]);
    let seed = message.strip_prefix("seed: ").expect("the seed is printed").trim_end();
    assert!(seed.len() == 32 && seed.bytes().all(|byte| byte.is_ascii_hexdigit()), "{message}");
    let table = files[2].lines().skip(1);
    assert!(
        table.clone().count() == 2 && table.clone().all(|row| row.ends_with(seed)),
        "{files:?}"
    );
    assert!(files[0].contains(&format!("\n- seed: {seed}\n")), "{files:?}");
    let (other, ..) = check(&[]);
    assert_ne!(other, message, "each check draws its own");
    let (message, again, files_again) = check(&["--seed", seed]);
    assert_eq!((message.as_str(), again), ("", out));
    assert_eq!(files_again[2], files[2]);
}

/// A table without the columns of answer times.
fn without_times(table: &str) -> String {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let headings = reader.headers().expect("headings").clone();
    let row = |row: &csv::StringRecord| {
        let cells = headings.iter().zip(row).filter(|(heading, _)| !heading.ends_with("_ms"));
        cells.map(|(_, cell)| cell).collect::<Vec<_>>().join(",") + "\n"
    };
    let rows: String = reader.records().map(|record| row(&record.expect("a row"))).collect();
    row(&headings) + &rows
}
