//! Players for the published Java interfaces: what is checked before play, and what a fault of theirs costs.

use crate::support::{Scratch, hill};

const KEYS: &str = "game = \"liars-dice\"\ngames = 12\nseed = \"s\"\nopen_seed = true";

/// A player of Liar's Dice with this body of `bid`, in which `last` is the last bid or null.
fn player(name: &str, body: &str) -> String {
    format!(
        "public class {name} extends Player {{
            public String bid(int you, int[] counts, int[] dice, String[] bids) {{
                String last = bids.length == 0 ? null : bids[bids.length - 1];
                {body}
            }}
        }}"
    )
}

/// Legal answers without any decision.
const CALLER: &str = "return last == null ? \"1 2\" : \"Liar!\";";

/// The message of a run that does not begin, of a hill with the player `java`.
fn refused(scratch: &Scratch, java: &str) -> String {
    let bot = format!("[[bot]]\nname = \"Mine\"\njava = \"{java}\"\n");
    scratch.write("hill.toml", hill(KEYS, &["nobody", "honest"]) + &bot);
    let output = scratch.run(&["run", "hill.toml"]);
    assert_eq!((output.code, output.out.as_str()), (2, ""), "{output:?}");
    output.err
}

#[test]
fn a_missing_or_ambiguous_player_class_is_an_error_of_the_hill_file() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path("two")).expect("it is ours");
    for name in ["One", "Other"] {
        scratch.write(&format!("two/{name}.java"), player(name, CALLER));
    }
    let error = refused(&scratch, "two");
    assert!(error.contains("hill.toml:"), "{error}");
    let why = "java = two: several classes extend Player: One, Other; say which with class";
    assert!(error.contains(why), "{error}");
    scratch.write("None.java", "class None { }");
    assert!(refused(&scratch, "None.java").contains("no class extends Player"));
    scratch.write("Named.java", player("Otherwise", CALLER).replace("public class", "class"));
    let error = refused(&scratch, "Named.java");
    assert!(error.contains("no player class is called Named; there is Otherwise"), "{error}");
}

#[test]
fn a_new_player_for_each_game_has_the_time_for_the_start() {
    let scratch = Scratch::new();
    let members = "
        static int made;
        { for (long began = System.nanoTime(); ++made == 2 && System.nanoTime() - began < 2_500_000_000L; made = 1) { } }";
    let slow = player("Slow", CALLER).replacen('{', &format!("{{{members}"), 1);
    scratch.write("Slow.java", slow);
    let keys = KEYS.replace("12", "2") + "\nmemory = \"set\"\n[limits]\nmove_ms = 1500";
    let bot = "[[bot]]\nname = \"Slow\"\njava = \"Slow.java\"\n";
    scratch.write("hill.toml", hill(&keys, &["nobody", "honest"]) + bot);
    let output = scratch.run(&["run", "hill.toml", "--logs", "logs"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(!output.err.contains("timeout"), "{}", output.err);
}

#[test]
fn a_folder_of_sources_is_a_player_without_a_bot_toml() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path("team")).expect("it is ours");
    scratch.write("team/Calm.java", player("Calm", CALLER));
    let output = scratch.run(&["check", "liars-dice", "./team", "--games", "2", "--seed", "s"]);
    assert_eq!((output.code, output.err.as_str()), (0, ""), "{}", output.out);
    assert!(output.out.starts_with("team: qualified: 2 games, "), "{}", output.out);
}

#[test]
fn messages_of_the_compiler_keep_their_lines() {
    let scratch = Scratch::new();
    scratch.write("Broken.java", player("Broken", "int none = last;\nreturn \"1 2\";"));
    let error = refused(&scratch, "Broken.java");
    assert!(!error.contains("\\n"), "{error}");
    let lines: Vec<_> = error.lines().collect();
    let first = lines.iter().position(|line| line.starts_with("    ./Broken.java:4: error: "));
    let first = first.unwrap_or_else(|| panic!("{error}"));
    assert_eq!(lines[first + 1].trim(), "int none = last;");
    assert_eq!(lines[first + 2].trim(), "^");
}

#[test]
fn failing_where_a_bid_is_above_the_dice_on_the_table_does_not_disqualify() {
    let scratch = Scratch::new();
    let body = "int count = last == null ? 0 : Integer.parseInt(last.split(\" \")[0]);
        if (count > Controller.diceInPlay()) throw new IllegalStateException(\"so many\");
        return last == null ? \"1 2\" : \"Liar!\";";
    scratch.write("Trusting.java", player("Trusting", body));
    let output =
        scratch.run(&["check", "liars-dice", "Trusting.java", "--games", "2", "--seed", "s"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.out.starts_with("Trusting: qualified: "), "{}", output.out);
    let note = "note: 9 x crash in positions that no sensible player leads to, which does not count; first: rare \
                position: the highest bid on the table, among 2: crash: java.lang.IllegalStateException: so many \
                at Trusting.bid(Trusting.java:5)";
    assert!(output.out.contains(note), "{}", output.out);
}

#[test]
fn an_exception_ends_its_game_alone() {
    let scratch = Scratch::new();
    let body = "if (dice[0] == 6 && dice[1] == 6) throw new IllegalStateException(\"two sixes\");"
        .to_owned()
        + CALLER;
    scratch.write("Mine.java", player("Mine", &body));
    let bot = "[[bot]]\nname = \"Mine\"\njava = \"Mine.java\"\n";
    scratch.write("hill.toml", hill(&KEYS.replace("12", "60"), &["nobody", "honest"]) + bot);
    let output = scratch.run(&["run", "hill.toml", "--out", "log", "--jobs", "1"]);
    let log = scratch.read("log");
    let failure = "\"reason\":\"crash\",\"detail\":\"java.lang.IllegalStateException: two sixes at Mine.bid(Mine.java:4)\"";
    assert!(log.matches(failure).count() > 1, "{log}");
    // The process went on, so that no other game had to be played again.
    assert!(!output.err.contains("played alone"), "{}", output.err);
}

/// Its process ends after the answer, so that the next game finds none.
#[test]
fn the_end_of_the_jvm_is_charged_to_the_games_that_cause_it() {
    let scratch = Scratch::new();
    let ends = format!("if (bids.length > 1) System.exit(0); {CALLER}");
    scratch.write("Ends.java", player("Ends", &ends));
    let output = scratch.run(&["check", "liars-dice", "Ends.java", "--games", "3", "--seed", "s"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.out.contains("crash: it ended the JVM at Ends.bid(Ends.java:"), "{output:?}");
    assert!(!output.out.contains("it ended with status"), "{output:?}");
}
