//! The secret of a run with external bots: nothing shows it before the result, and every reader of records knows it.

use std::fs;

use serde_json::Value;

use crate::support::external::{bot, python};
use crate::support::store::stored_games;
use crate::support::{BEST_BOX_BOT, CommandOutput, PATIENT, Scratch, hill, parse_json};

/// Keys of a hill file with the text `spring`.
const KEYS: &str = "game = \"yahtzee\"\ngames = 6\nseed = \"spring\"";

/// The key with which a run of these keys plays with the text as it stands.
const OPEN: &str = "\nopen_seed = true";

/// A hill file with these keys, an external bot and two house bots.
fn with_external_bot(keys: &str) -> String {
    let [program, option] = python();
    format!("{}{}", hill(keys, &["greedy", "dummy"]), bot("P", &[program, option, "best.py"]))
}

/// A folder with a hill file of these keys and its external bot.
fn scratch_with(keys: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("best.py", BEST_BOX_BOT);
    scratch.write("h.toml", with_external_bot(keys));
    scratch
}

/// The lines of a log.
fn log(scratch: &Scratch, name: &str) -> Vec<Value> {
    scratch.read(name).lines().map(parse_json).collect()
}

fn seats(log: &[Value]) -> Vec<&Value> {
    log.iter().filter(|line| line["type"] == "game").map(|line| &line["seats"]).collect()
}

/// The secret of a seed, which follows the text `spring`.
#[track_caller]
fn secret(seed: &Value) -> String {
    let secret = seed.as_str().and_then(|seed| seed.strip_prefix("spring#")).expect("a secret");
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    assert!(secret.len() == 32 && secret.bytes().all(is_digit), "{secret}");
    secret.to_owned()
}

const WARNING: &str = "warning: the seed is open";

#[test]
fn each_run_with_external_bots_has_a_secret_of_its_own_and_can_be_repeated() {
    let scratch = scratch_with(KEYS);
    let run = |log: &str| scratch.run_ok(&["run", "h.toml", "--format", "json", "--out", log]);
    let [first, second] = [run("1.jsonl"), run("2.jsonl")];
    let [one, two] = [&first, &second].map(|output| secret(&output.json()["seed"]));
    assert_ne!(one, two);
    assert!(!first.err.contains(&one) && !first.err.contains(WARNING), "{}", first.err);
    let [header, other] = ["1.jsonl", "2.jsonl"].map(|name| log(&scratch, name));
    assert_eq!(secret(&header[0]["seed"]), one);
    assert_eq!(seats(&header), seats(&other), "seats follow from the text");
    assert_ne!(first.json()["records"], second.json()["records"]);
    scratch.run_ok(&["verify", "1.jsonl"]);

    let again = ["run", "h.toml", "--format", "json", "--seed", &format!("spring#{one}")];
    let again = scratch.run_ok(&again);
    assert_eq!(again.out, first.out, "the same seed, the same bytes");
    assert!(again.err.contains(WARNING), "{}", again.err);
}

#[test]
fn an_open_seed_and_house_bots_have_no_secret() {
    let scratch = scratch_with(&format!("{KEYS}{OPEN}"));
    let open = scratch.run_ok(&["run", "h.toml", "--format", "json"]);
    assert_eq!(open.json()["seed"], "spring");
    assert!(open.err.contains(WARNING), "{}", open.err);
    scratch.write("house.toml", hill(KEYS, &["greedy", "dummy"]));
    let house = scratch.run_ok(&["run", "house.toml", "--format", "json"]);
    assert_eq!(house.json()["seed"], "spring");
    assert!(!house.err.contains(WARNING), "{}", house.err);
}

#[cfg(unix)]
#[test]
fn logs_and_hills_are_readable_by_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = scratch_with(KEYS);
    scratch.write("old.jsonl", "");
    for name in ["new.jsonl", "old.jsonl"] {
        scratch.run_ok(&["run", "h.toml", "--out", name]);
    }
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    for name in ["new.jsonl", "old.jsonl", "h.db"] {
        let mode = fs::metadata(scratch.path(name)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

/// Writes the log `cut.jsonl` of a run that was interrupted after three games.
fn interrupt(scratch: &Scratch) -> String {
    scratch.run_ok(&["run", "h.toml", "--out", "whole.jsonl"]);
    let lines: Vec<_> = scratch.read("whole.jsonl").lines().take(4).map(str::to_owned).collect();
    scratch.write("cut.jsonl", lines.join("\n") + "\n");
    secret(&parse_json(&lines[0])["seed"])
}

#[test]
fn nothing_shows_the_secret_before_the_result() {
    let scratch = scratch_with(KEYS);
    let secret = interrupt(&scratch);
    let shown = |arguments: &[&str]| {
        let CommandOutput { out, err, .. } = scratch.run(arguments);
        out + &err
    };
    for arguments in [
        &["replay", "cut.jsonl", "1"][..],
        &["replay", "cut.jsonl", "1", "--format", "json"],
        &["replay", "cut.jsonl", "1", "--input", "P"],
        &["replay", "cut.jsonl", "1", "--save", "one.jsonl"],
        &["analyze", "cut.jsonl"],
        &["verify", "cut.jsonl"],
        &["export", "cut.jsonl", "--markdown"],
        &["export", "cut.jsonl", "--jsonl"],
        &["export", "cut.jsonl", "--csv", "--out", "tables"],
        &["export", "cut.jsonl", "--html", "pages"],
    ] {
        let text = shown(arguments);
        assert!(!text.contains(&secret), "{arguments:?}: {text}");
    }
    assert!(!scratch.path("one.jsonl").exists());
    for folder in ["tables", "pages"] {
        for file in fs::read_dir(scratch.path(folder)).into_iter().flatten().flatten() {
            let bytes = fs::read(file.path()).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains(&secret), "{}", file.path().display());
        }
    }
    assert!(shown(&["replay", "whole.jsonl", "1"]).contains(&secret), "it has ended");
}

#[test]
fn an_interrupted_run_is_resumed_under_its_secret() {
    let scratch = scratch_with(KEYS);
    interrupt(&scratch);
    let resumed = scratch.run_ok(&["resume", "cut.jsonl", "h.toml"]);
    assert!(!resumed.err.contains(WARNING), "{}", resumed.err);
    assert!(scratch.read("cut.jsonl") == scratch.read("whole.jsonl"), "the same log");
}

#[test]
fn an_altered_or_lost_secret_is_called_that() {
    let scratch = scratch_with(KEYS);
    let secret = interrupt(&scratch);
    let log = scratch.read("whole.jsonl");
    let last = if secret.ends_with('0') { "1" } else { "0" };
    let altered = format!("{}{last}", &secret[..31]);
    for (name, from, to, what) in [
        (
            "altered.jsonl",
            secret.clone(),
            altered,
            "the secret or the text of its seed was altered",
        ),
        ("lost.jsonl", format!("#{secret}"), String::new(), "the secret of its seed is missing"),
    ] {
        scratch.write(name, log.replacen(&from, &to, 1));
        for command in ["verify", "replay", "resume"] {
            let arguments = [command, name, "1"];
            let count = if command == "replay" { 3 } else { 2 };
            let output = scratch.run(&arguments[..count]);
            assert!(output.code == 1 && output.err.contains(what), "{command}: {output:?}");
        }
    }
}

/// A bot that failed on purpose where it was about to lose would otherwise play only its lost games again.
#[test]
fn a_bot_that_has_failed_plays_all_its_games_again() {
    let scratch = Scratch::new();
    scratch.write(
        "quitter.py",
        "import json, sys\nprint(json.dumps({'type': 'ready'}), flush=True)\nfor line in sys.stdin:\n    turn = json.loads(line)\n    if turn['type'] == 'turn':\n        bid = '0 6' if turn['bids'] else '1 6'\n        print(json.dumps({'id': turn['id'], 'bid': bid}), flush=True)\n",
    );
    let keys = "game = \"liars-dice\"\nformat = \"duel\"\ngames = 4\nseed = \"spring\"";
    scratch.write("empty.toml", format!("{keys}\n{PATIENT}\n"));
    scratch.run_ok(&["hill", "init", "h.db", "empty.toml"]);
    let [program, option] = python();
    let player = format!("{program} {option} quitter.py");
    scratch.run_ok(&["hill", "add", "h.db", &player, "honest", "nobody"]);
    scratch.run_ok(&["hill", "run", "h.db"]);
    let path = scratch.path("h.db");
    let [first, second] = [1, 2].map(|run| stored_games(&path, run));
    let failed = |line: &String| line.contains("quitter") && line.contains("\"failures\"");
    assert!(first.iter().any(failed), "{first:?}");
    assert!(second.iter().any(|line| !line.contains("quitter")), "{second:?}");
    for line in &second {
        let is_reused = line.contains(",\"seed\":\"spring#");
        assert_eq!(is_reused, !line.contains("quitter"), "{line}");
    }
}

/// Games that a new entrant does not change are reused under the secret with which they were dealt.
#[test]
fn reused_games_name_their_secret() {
    let scratch =
        scratch_with(&format!("{KEYS}\nformat = \"duel\"").replace("games = 6", "games = 4"));
    scratch.write("empty.toml", format!("{KEYS}\nformat = \"duel\"\n{PATIENT}\n"));
    scratch.run_ok(&["hill", "init", "h.db", "empty.toml"]);
    let [program, option] = python();
    let player = format!("{program} {option} best.py");
    scratch.run_ok(&["hill", "add", "h.db", &player, "greedy", "dummy"]);
    let second = scratch.run_ok(&["hill", "add", "h.db", "random", "--full", "--format", "json"]);
    let own = secret(&second.json()["seed"]);
    let path = scratch.path("h.db");
    let [before, after] = [1, 2].map(|run| stored_games(&path, run));
    let earlier = {
        scratch.run_ok(&["export", "h.db#1", "--jsonl", "--out", "1.jsonl"]);
        secret(&log(&scratch, "1.jsonl")[0]["seed"])
    };
    assert_ne!(own, earlier);
    let named = format!(",\"seed\":\"spring#{earlier}\"");
    let (reused, new): (Vec<_>, Vec<_>) = after.iter().partition(|line| line.contains(&named));
    assert_eq!(reused.len(), before.len(), "all games between the old entrants");
    let without_seed: Vec<_> = reused.iter().map(|line| line.replacen(&named, "", 1)).collect();
    assert!(without_seed.iter().all(|line| before.contains(line)), "as they were recorded");
    assert!(new.iter().all(|line| !line.contains("\"seed\"") && line.contains("\"random\"")));

    scratch.run_ok(&["verify", "h.db#2"]);
    scratch.run_ok(&["export", "h.db#2", "--jsonl", "--out", "2.jsonl"]);
    scratch.run_ok(&["verify", "2.jsonl"]);
    let game = parse_json(reused[0])["game"].to_string();
    let shown = scratch.run_ok(&["replay", "h.db#2", &game]);
    assert!(shown.out.contains(&earlier), "{}", shown.out);

    // A third run names both secrets.
    let third = scratch.run_ok(&["hill", "add", "h.db", "aces-and-eights", "--full"]);
    assert!(third.out.contains("spring#"), "{}", third.out);
    let after = stored_games(&path, 3);
    let count = |secret: &str| after.iter().filter(|line| line.contains(secret)).count();
    assert_eq!((count(&earlier), count(&own)), (before.len(), new.len()));
    scratch.run_ok(&["verify", "h.db#3"]);
}

#[test]
fn a_hill_with_an_open_seed_takes_no_uploads() {
    let scratch = scratch_with(&format!("{KEYS}{OPEN}"));
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    let refused = scratch.run(&["serve", "h.db", "--accept", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("h.db has open_seed = true"), "{}", refused.err);
}

/// A bot that knows the host's text and the method cannot find the seed: here it compares the seed that it is given with those
/// of all games under every text it can think of.
#[test]
fn a_bot_cannot_recognise_the_seed() {
    const GUESS: &str = r#"
import json, sys
from chance import Chance
print(json.dumps({"type": "ready", "inflight": 1}), flush=True)
known = {Chance(text).bot_seed(game, "P") for text in ("spring", "", "summer") for game in range(1, 50)}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start" and int(message["seed"], 16) in known:
        sys.exit("the seed is known")
    if message["type"] == "turn":
        best = max(message["legal"], key=message["legal"].get)
        print(json.dumps({"id": message["id"], "category": best}), flush=True)
"#;
    for (keys, is_barred) in [(KEYS.to_owned(), false), (format!("{KEYS}{OPEN}"), true)] {
        let scratch = scratch_with(&keys);
        let chance = crate::support::project_path("protocol/chance.py");
        let [program, _] = python();
        fs::create_dir(scratch.path("bot")).expect("a folder");
        fs::copy(chance, scratch.path("bot/chance.py")).expect("the script");
        scratch.write("bot/guess.py", GUESS);
        let guess = format!(
            "[[bot]]\nname = \"P\"\ndir = \"bot\"\ncommand = [\"{program}\", \"guess.py\"]\n"
        );
        scratch.write("h.toml", hill(&keys, &["greedy", "dummy"]) + &guess);
        let output = scratch.run(&["run", "h.toml", "--format", "json"]);
        assert_eq!(output.code, if is_barred { 3 } else { 0 }, "{keys}: {}", output.err);
    }
}
