//! `dicehill bench`: bots against frozen opponents. `cargo xtask baselines` regenerates the table of baselines.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use jsonschema::Validator;
use serde_json::Value;

use crate::support::external::python;
use crate::support::{Scratch, hill, parse_json, project_path};

/// Set by `cargo xtask baselines`, to regenerate the table.
const REGENERATE: &str = "DICEHILL_REGENERATE";
const BENCHMARKS: [&str; 3] = ["yahtzee-solo-v1", "yahtzee-2p-v1", "liars-5-v1"];
/// The baselines in docs/benchmarks.md, played with this seed.
const SEED: &str = "baseline";
const BASELINES: [(&str, &[&str]); 3] = [
    ("yahtzee-solo-v1", &["random", PPO, "greedy", "optimal"]),
    ("yahtzee-2p-v1", &["random", "greedy", "optimal"]),
    ("liars-5-v1", &["bayes", "seer"]),
];

/// The bot of the example that was trained.
const PPO: &str = "examples/ppo/bot";

/// The line of a benchmark with this bot.
fn line(scratch: &Scratch, benchmark: &str, bot: &str, arguments: &[&str]) -> String {
    let command = ["bench", benchmark, bot, "--format", "json"];
    scratch.run_ok(&[&command[..], arguments].concat()).out
}

fn schema() -> Value {
    let path = project_path("protocol/schemas/bench.json");
    parse_json(&fs::read_to_string(path).expect("the schema is there"))
}

fn validator() -> Validator {
    jsonschema::validator_for(&schema()).expect("a schema")
}

#[test]
fn the_document_is_as_the_schema_says_and_has_its_hash() {
    let scratch = Scratch::new();
    let text = line(&scratch, "yahtzee-solo-v1", "random", &["--seed", "s"]);
    let document = parse_json(&text);
    let errors: Vec<_> =
        validator().iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let keys =
        |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    let mut known = keys(&schema()["properties"]);
    known.retain(|key| key != "signature");
    assert_eq!(keys(&document), known, "no key is missing in the schema");
    let (open, hash) = text.trim_end().rsplit_once(",\"hash\":\"").expect("the last key");
    let expected = format!("blake3:{}\"}}", blake3::hash(format!("{open}}}").as_bytes()));
    assert_eq!(hash, expected);
}

#[test]
fn a_seed_repeats_an_evaluation_on_any_number_of_threads() {
    let scratch = Scratch::new();
    let one = line(&scratch, "yahtzee-solo-v1", "random", &["--seed", "s", "--jobs", "1"]);
    let log = ["--seed", "s", "--jobs", "3", "--out", "run.jsonl"];
    assert_eq!(line(&scratch, "yahtzee-solo-v1", "random", &log), one);
    let verified = scratch.run_ok(&["verify", "run.jsonl"]).out;
    assert!(verified.contains("verified: 2,000 games"), "{verified}");
    let drawn = scratch.run_ok(&["bench", "yahtzee-solo-v1", "random"]);
    let seed = drawn.err.lines().find_map(|line| line.strip_prefix("seed: ")).expect("a seed");
    assert!(drawn.out.contains(seed), "{}", drawn.out);
    let other = parse_json(&line(&scratch, "yahtzee-solo-v1", "random", &["--seed", seed]));
    assert_ne!(other["records"], parse_json(&one)["records"]);
    assert_eq!(other["bot"]["name"], "random-2", "an opponent has its name");
}

#[test]
fn optimal_play_loses_nothing() {
    let document =
        parse_json(&line(&Scratch::new(), "yahtzee-solo-v1", "optimal", &["--seed", "s"]));
    assert_eq!(document["value"].as_f64(), Some(254.588));
    assert_eq!(document["ci95"], serde_json::json!([254.588, 254.588]));
    let plain = &document["plain"];
    let [low, high] = [0, 1].map(|side| plain["ci95"][side].as_f64().expect("a bound"));
    assert!(low < 254.588 && 254.588 < high, "{plain}");
}

#[test]
fn a_bot_that_fails_has_no_figure() {
    let scratch = Scratch::new();
    scratch.write("bad.py", "raise SystemExit(1)");
    let [program, option] = python();
    let bot = format!("{program} {option} bad.py");
    let command = ["bench", "yahtzee-solo-v1", &bot, "--no-isolation", "--format", "json"];
    let output = scratch.run(&command);
    assert_eq!(output.code, 3, "{}", output.err);
    let document = parse_json(&output.out);
    assert!(validator().is_valid(&document), "{document}");
    assert_eq!((&document["value"], &document["games"]), (&Value::Null, &0.into()));
    let barred = document["barred"].as_str().expect("a reason");
    assert!(barred.starts_with("crash: "), "{barred}");
    // The secret of the seed is there, so that the evaluation can be repeated.
    assert!(document["seed"].as_str().is_some_and(|seed| seed.contains('#')), "{document}");
}

#[test]
fn a_signed_result_is_checked_by_verify_and_by_openssh() {
    let scratch = Scratch::new();
    let ssh_keygen = |arguments: &[&str], input: &str| {
        let mut command = Command::new("ssh-keygen");
        command.args(arguments).current_dir(scratch.path("")).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).spawn().expect("ssh-keygen");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it is read");
        let output = child.wait_with_output().expect("it ends");
        (output.status.success(), String::from_utf8(output.stdout).expect("text"))
    };
    assert!(ssh_keygen(&["-q", "-t", "ed25519", "-N", "", "-f", "key"], "").0);
    let (_, key) = ssh_keygen(&["-l", "-f", "key.pub"], "");
    let fingerprint = key.split(' ').nth(1).expect("a fingerprint");
    let signed = line(&scratch, "yahtzee-solo-v1", "random", &["--seed", "s", "--sign", "key"]);
    let document = parse_json(&signed);
    assert!(validator().is_valid(&document), "{document}");
    scratch.write("mine.json", &signed);
    let verified = scratch.run_ok(&["verify", "mine.json"]).out;
    assert!(verified.contains(fingerprint), "{verified}");
    assert!(verified.contains("dicehill bench yahtzee-solo-v1 BOT --seed s"), "{verified}");
    // As docs/benchmarks.md shows it.
    scratch.write("mine.sig", document["signature"].as_str().expect("a signature"));
    let (unsigned, _) = signed.split_once(",\"signature\":").expect("the last key");
    let check = ["-Y", "check-novalidate", "-n", "dicehill.bench", "-s", "mine.sig"];
    assert!(ssh_keygen(&check, &format!("{unsigned}}}")).0);

    // A forger can make the hash right again, and not the signature.
    let value = format!("\"value\":{}", document["value"]);
    let forged = signed.replacen(&value, "\"value\":254.5", 1);
    assert_ne!(forged, signed);
    scratch.write("forged.json", &forged);
    let output = scratch.run(&["verify", "forged.json"]);
    assert_eq!(output.code, 1, "{}", output.err);
    for altered in ["altered  hash", "altered  signature"] {
        assert!(output.out.contains(altered), "{}", output.out);
    }
    scratch.write("unsigned.json", format!("{unsigned}}}\n"));
    let verified = scratch.run_ok(&["verify", "unsigned.json"]).out;
    assert!(verified.contains("skipped  signature: there is none"), "{verified}");
}

#[test]
fn a_result_is_not_signed_without_a_key() {
    let scratch = Scratch::new();
    let sign = ["bench", "yahtzee-solo-v1", "random", "--sign"];
    for (arguments, message) in [
        (&["absent", "--format", "json"][..], "--sign absent: "),
        (&["absent"], "--sign: only the JSON document can be signed: add --format json"),
    ] {
        let output = scratch.run(&[&sign[..], arguments].concat());
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{}", output.err);
        assert!(output.err.contains(message), "{}", output.err);
    }
}

#[test]
fn what_is_wrong_is_named() {
    let scratch = Scratch::new();
    scratch.write("two.toml", hill("game = \"yahtzee\"", &["greedy", "dummy"]));
    for (arguments, message) in [
        (&["bench", "yahtzee-3p-v1", "greedy"][..], "yahtzee-2p-v1"),
        (&["bench", "liars-5-v1", "greedy"], "plays yahtzee, not liars-dice"),
        (&["bench", "yahtzee-2p-v1", "gredy"], "no such house bot"),
        (
            &["bench", "yahtzee-2p-v1", "two.toml"],
            "two.toml: has 2 bots; name one as two.toml#NAME",
        ),
    ] {
        let output = scratch.run(arguments);
        assert_eq!(output.code, 2, "{arguments:?}: {}", output.out);
        assert!(output.err.contains(message), "{arguments:?}: {}", output.err);
    }
}

/// A row of the table of baselines.
fn row(benchmark: &str, bot: &str) -> String {
    let folder = project_path(bot);
    let path = if folder.exists() { folder.to_str().expect("a plain path") } else { bot };
    let document = parse_json(&line(&Scratch::new(), benchmark, path, &["--seed", SEED]));
    let figure = |value: &Value| {
        let [low, high] = [0, 1].map(|side| value["ci95"][side].as_f64().expect("a bound"));
        let value = value["value"].as_f64().expect("a value");
        let digits = if value >= 2.0 { 2 } else { 4 };
        format!("{value:.digits$} ({low:.digits$} to {high:.digits$})")
    };
    let plain = document.get("plain").filter(|plain| !plain.is_null());
    let plain = plain.map_or_else(|| "-".to_owned(), figure);
    let games = document["games"].as_u64().expect("games");
    let hash = document["bot"]["hash"].as_str().expect("a hash");
    let bot = match hash.split_once("blake3:") {
        Some((_, hash)) => format!("`{bot}` (`blake3:{}...`)", &hash[..8]),
        None => format!("`{hash}`"),
    };
    let [metric, value] = [document["metric"].as_str().expect("a metric"), &figure(&document)];
    format!("| `{benchmark}` | {bot} | {games} | {metric} | {value} | {plain} |\n")
}

/// The row of a bot in the page, if it has the hash of the bot's files.
fn kept_row(page: &str, benchmark: &str, bot: &str) -> String {
    let path = project_path(bot);
    let path = path.to_str().expect("a plain path");
    let scratch = Scratch::new();
    let run = ["run", "yahtzee", path, "dummy", "--games", "1", "--no-luck", "--format", "json"];
    let result = parse_json(&scratch.run_ok(&run).out);
    let bots = result["standings"].as_array().expect("standings").iter();
    let hash = bots.filter_map(|row| row["hash"].as_str()?.split_once("blake3:")).next();
    let (_, hash) = hash.expect("the hash of an external bot");
    let begin = format!("| `{benchmark}` | `{bot}` (`blake3:{}...`) |", &hash[..8]);
    let row = page.lines().find(|line| line.starts_with(&begin));
    format!("{}\n", row.unwrap_or_else(|| panic!("no row begins with {begin}")))
}

#[test]
fn the_table_of_baselines_is_what_the_command_prints() {
    const BEGIN: &str = "<!-- baselines -->\n";
    const END: &str = "<!-- end -->\n";
    let path = project_path("docs/benchmarks.md");
    let page = fs::read_to_string(&path).expect("a page");
    let (before, rest) = page.split_once(BEGIN).expect("where the table begins");
    let (_, after) = rest.split_once(END).expect("where it ends");
    let mut table = "| benchmark | bot | games | metric | value (95 % CI) | without luck adjustment (95 % CI) |\n\
                     |---|---|--:|---|--:|--:|\n"
        .to_owned();
    for (benchmark, bots) in BASELINES {
        for bot in bots {
            // Its games take minutes: between regenerations, its row is that of the same files.
            let is_kept = *bot == PPO && std::env::var_os(REGENERATE).is_none();
            table += &if is_kept { kept_row(&page, benchmark, bot) } else { row(benchmark, bot) };
        }
    }
    let expected = format!("{before}{BEGIN}{table}{END}{after}");
    if std::env::var_os(REGENERATE).is_some() {
        fs::write(&path, &expected).expect("the project can be written");
    }
    let found = fs::read_to_string(&path).expect("a page");
    assert!(
        found == expected,
        "docs/benchmarks.md is out of date; `cargo xtask baselines` regenerates it"
    );
}

#[test]
fn every_benchmark_is_described() {
    let page = fs::read_to_string(project_path("docs/benchmarks.md")).expect("a page");
    for benchmark in BENCHMARKS {
        assert!(page.contains(&format!("## `{benchmark}`")), "{benchmark}");
    }
}
