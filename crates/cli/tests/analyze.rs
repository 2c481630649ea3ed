//! `analyze`: what the mistakes in a recorded run cost.

use crate::support::{CommandOutput, Scratch, hill, number};
use serde_json::Value;

const HOUSE: [&str; 3] = ["greedy", "aces-and-eights", "random"];

/// A folder with the log of a Yahtzee run in `log`.
fn yahtzee_log(keys: &str) -> Scratch {
    let scratch = Scratch::new();
    let keys = format!("game = \"yahtzee\"\nseed = \"s\"\n{keys}");
    scratch.write("hill.toml", hill(&keys, &HOUSE));
    scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
    scratch
}

/// The output of the command, which has to be without messages on stderr.
#[track_caller]
fn analysed(scratch: &Scratch, arguments: &[&str]) -> String {
    let CommandOutput { code, out, err } = scratch.run(&[&["analyze"], arguments].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(!out.contains('\u{1b}'), "{out}");
    out
}

#[track_caller]
fn document(scratch: &Scratch, arguments: &[&str]) -> Value {
    let out = analysed(scratch, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&out).expect("a document")
}

#[track_caller]
fn refused(scratch: &Scratch, arguments: &[&str], message: &str) {
    fails(scratch, arguments, 2, message);
}

#[track_caller]
fn fails(scratch: &Scratch, arguments: &[&str], exit: i32, message: &str) {
    let CommandOutput { code, out, err } = scratch.run(&[&["analyze"], arguments].concat());
    assert_eq!((code, out.as_str()), (exit, ""));
    assert!(err.contains(message), "{message:?} is not in {err}");
}

#[test]
fn yahtzee_losses_add_up() {
    for keys in ["games = 40", "games = 40\nrules = \"mego-2016\"", "games = 40\nformat = \"duel\""]
    {
        let document = document(&yahtzee_log(keys), &["log"]);
        assert_eq!(document["schema"], "dicehill.analysis/1");
        let bots = document["bots"].as_array().expect("bots");
        assert_eq!(bots.len(), 3, "{keys}");
        for bot in bots {
            let mean = |key: &str| number(&bot[key]["mean"]);
            let expected = number(&document["best_play"]) + mean("luck") - mean("loss");
            assert!(
                (expected - mean("score")).abs() < 2e-3,
                "{keys}: {expected} {}",
                mean("score")
            );
            for parts in ["kinds", "rounds"] {
                let parts = bot[parts].as_array().expect("parts");
                let sum: f64 = parts.iter().map(|part| number(&part["mean"])).sum();
                assert!((sum - mean("loss")).abs() < 2e-3, "{keys}: {sum} {}", mean("loss"));
            }
            let choice = number(&bot["kinds"][2]["mean"]);
            for side in ["filled", "passed_over"] {
                let boxes = bot["boxes"].as_array().expect("boxes");
                let sum: f64 = boxes.iter().map(|part| number(&part[side]["mean"])).sum();
                assert!((sum - choice).abs() < 2e-3, "{keys}: {sum} {choice}");
            }
            let [low, high] = [0, 1].map(|end| number(&bot["loss"]["ci95"][end]));
            assert!(low < mean("loss") && mean("loss") < high);
        }
    }
}

#[test]
fn a_stronger_bot_loses_less() {
    let document = document(&yahtzee_log("games = 60"), &["log"]);
    let loss = |bot: usize| number(&document["bots"][bot]["loss"]["mean"]);
    assert!(loss(0) < 10.0 && loss(0) + 30.0 < loss(1) && loss(1) + 50.0 < loss(2));
}

#[test]
fn the_yahtzee_analysis_does_not_depend_on_the_number_of_threads() {
    let scratch = yahtzee_log("games = 300");
    let formats = ["text", "json", "markdown"];
    for format in formats {
        let with_jobs = |jobs| analysed(&scratch, &["log", "--format", format, "--jobs", jobs]);
        assert_eq!(with_jobs("1"), with_jobs("3"), "{format}");
    }
}

#[test]
fn the_yahtzee_text_has_all_sections_and_fits_on_100_columns() {
    let out = analysed(&yahtzee_log("games = 40"), &["log", "--bot", "A"]);
    for words in [
        "Analysis of log  official rules, the best play scores 254.59 on average\n",
        "\nA  40 games, ",
        "\nBy kind of decision\n",
        "\nLoss per game by round\n",
        "\nChoice of a box\n",
        "\nCostliest habits\n",
        "\nWorst decisions\n",
        "Losses are in expected score: ",
    ] {
        assert!(out.contains(words), "{words:?} is not in {out}");
    }
    assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
    assert!(!out.contains("\nB  "), "{out}");
}

#[test]
fn worst_decisions_name_replays_of_their_games() {
    let scratch = yahtzee_log("games = 40");
    let document = document(&scratch, &["log", "--bot", "B"]);
    let bot = &document["bots"][0];
    assert_eq!(bot["habits"].as_array().map(Vec::len), Some(10));
    let costs: Vec<_> = bot["habits"]
        .as_array()
        .expect("habits")
        .iter()
        .map(|habit| number(&habit["mean"]))
        .collect();
    assert!(costs.windows(2).all(|two| two[0] >= two[1]), "{costs:?}");
    let worst = bot["worst"].as_array().expect("decisions");
    assert_eq!(worst.len(), 10);
    for mistake in worst {
        let command = mistake["replay"].as_str().expect("a command");
        let words: Vec<_> = command.split(' ').skip(1).collect();
        let output = scratch.run(&words);
        assert_eq!(output.code, 0, "{command}: {}", output.err);
        let box_name = mistake["did"].as_str().and_then(|did| did.strip_prefix("fill "));
        assert!(box_name.is_none_or(|name| output.out.contains(name)), "{command}");
    }
}

/// The loss of the worst decision is the one that `advise` computes for it.
#[test]
fn losses_agree_with_advise() {
    let scratch = yahtzee_log("games = 40");
    let document = document(&scratch, &["log", "--bot", "B"]);
    for mistake in document["bots"][0]["worst"].as_array().expect("decisions") {
        let list = |key: &str| {
            let items = mistake[key].as_array().expect("a list").iter();
            let text = |item: &Value| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
            items.map(text).collect::<Vec<_>>().join(",")
        };
        let (dice, free, upper) = (list("dice"), list("free"), mistake["upper"].to_string());
        let stage = mistake["stage"].to_string();
        let mut words = vec!["advise", "yahtzee", "--format", "json", "--dice", &dice];
        words.extend(["--free", &free, "--upper", &upper, "--stage", &stage]);
        if mistake["has_yahtzee"] == true {
            words.extend(["--yahtzee", "50"]);
        }
        let output = scratch.run_ok(&words);
        let advice = output.json();
        let did = mistake["did"].as_str().expect("a choice");
        let choices = advice["choices"].as_array().expect("choices");
        let is_chosen = |choice: &&Value| match choice["category"].as_str() {
            Some(category) => did == format!("fill {category}"),
            None => false,
        };
        let Some(chosen) = choices.iter().find(is_chosen) else { continue };
        let difference = number(&chosen["loss"]) - number(&mistake["loss"]);
        // An early fill of a box may cost more than the box itself, so only final stages are compared.
        assert!(stage != "2" || difference.abs() < 1e-3, "{mistake} {chosen}");
    }
}

/// One figure has one interval: in a challenge, and between the pairings of a duel.
#[test]
fn intervals_are_those_of_the_board() {
    for keys in ["games = 20", "format = \"duel\"\ngames = 12"] {
        let scratch = yahtzee_log(keys);
        let log = scratch.read("log");
        let board: Value =
            serde_json::from_str(log.lines().last().expect("a result")).expect("a document");
        let analysis = document(&scratch, &["log"]);
        for bot in analysis["bots"].as_array().expect("bots") {
            let rows = board["standings"].as_array().expect("rows");
            let row = rows.iter().find(|row| row["bot"] == bot["bot"]).expect("a row");
            for (shown, counted) in
                [(&row["luck"]["loss_ci95"], &bot["loss"]), (&row["score"]["ci95"], &bot["score"])]
            {
                for (shown, counted) in [0, 1].map(|end| (&shown[end], &counted["ci95"][end])) {
                    let difference = number(shown) - number(counted);
                    // Losses are recorded in millionths.
                    assert!(difference.abs() < 1e-3, "{keys}: {shown} and {counted} of {bot}");
                }
            }
        }
    }
}

#[test]
fn a_stored_run_is_analysed_like_its_log() {
    let scratch = Scratch::new();
    for arguments in [
        &["hill", "init", "h.db", "yahtzee", "--seed", "s", "--games", "40"][..],
        &["hill", "add", "h.db", "greedy", "aces-and-eights"],
        &["export", "h.db#1", "--jsonl", "--out", "log"],
    ] {
        scratch.run_ok(arguments);
    }
    let (mut stored, mut log) = (document(&scratch, &["h.db#1"]), document(&scratch, &["log"]));
    let worst = &stored["bots"][0]["worst"][0]["replay"];
    assert!(worst.as_str().is_some_and(|command| command.starts_with("dicehill replay 'h.db#1' ")));
    for document in [&mut stored, &mut log] {
        forget_run(document);
    }
    assert_eq!(stored, log);
}

/// Removes the fields that name the run.
fn forget_run(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.remove("run");
            object.remove("replay");
            object.values_mut().for_each(forget_run);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_run),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn invalid_yahtzee_logs_are_refused() {
    let scratch = yahtzee_log("games = 4");
    refused(
        &scratch,
        &["log", "--bot", "Z"],
        "--bot \"Z\": not a bot of this run, whose bots are A, B, C",
    );
    refused(&scratch, &["nowhere"], "nowhere");
    let log = scratch.read("log");
    scratch.write("broken", &log[..log.len() / 2]);
    refused(&scratch, &["broken"], "the log is truncated: this line breaks off");
    scratch.write("altered", log.replacen("\"score\":", "\"score\":1", 1));
    fails(&scratch, &["altered"], 1, "altered:2");
    let header = log.lines().next().expect("a header");
    scratch.write("empty", format!("{header}\n"));
    refused(&scratch, &["empty"], "holds no game that counts");
}

/// A folder with the log of a Liar's Dice run in `log`.
fn liars_dice_log(games: u32) -> Scratch {
    let scratch = Scratch::new();
    let keys = format!("game = \"liars-dice\"\nseed = \"s\"\ngames = {games}");
    scratch.write("hill.toml", hill(&keys, &["bayes", "honest", "random"]));
    scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
    scratch
}

#[test]
fn liars_dice_losses_add_up() {
    let document = document(&liars_dice_log(60), &["log"]);
    assert_eq!(
        (&document["schema"], &document["game"]),
        (&"dicehill.analysis/1".into(), &"liars-dice".into())
    );
    let bots = document["bots"].as_array().expect("bots");
    assert_eq!(bots.len(), 3);
    for bot in bots {
        for (cost, nested) in [("mean", None), ("mean", Some("hindsight"))] {
            let value = |part: &Value| number(&nested.map_or(part, |key| &part[key])[cost]);
            for parts in ["kinds", "faults", "players"] {
                let parts = bot[parts].as_array().expect("parts");
                let sum: f64 = parts.iter().map(value).sum();
                assert!((sum - value(&bot["loss"])).abs() < 2e-3, "{sum} {}", bot["loss"]);
            }
        }
        for accuracy in [&bot["calls"], &bot["bids"]["when_called"]] {
            let expected = number(&accuracy["expected"]) + number(&accuracy["beyond_odds"]);
            assert!((expected - number(&accuracy["times"])).abs() < 2e-2, "{accuracy}");
        }
        let bands = bot["calls"]["bands"].as_array().expect("bands");
        let calls: f64 = bands.iter().map(|band| number(&band["of"])).sum();
        assert_eq!(calls, number(&bot["calls"]["of"]));
    }
    let unsupported =
        |bot: usize, end: usize| number(&document["bots"][bot]["bids"]["unsupported"]["ci95"][end]);
    assert!(unsupported(1, 1) < unsupported(2, 0), "the honest bids beyond the odds less often");
}

#[test]
fn the_liars_dice_analysis_does_not_depend_on_the_number_of_threads() {
    let scratch = liars_dice_log(300);
    for format in ["text", "json", "markdown"] {
        let with_jobs = |jobs| analysed(&scratch, &["log", "--format", format, "--jobs", jobs]);
        assert_eq!(with_jobs("1"), with_jobs("3"), "{format}");
    }
}

#[test]
fn the_liars_dice_text_has_all_sections() {
    let scratch = liars_dice_log(60);
    let out = analysed(&scratch, &["log", "--bot", "C"]);
    for words in [
        "Analysis of log  official rules, losses in dice\n",
        "\nC  ",
        " dice per game by the odds (95 %: ",
        "\nCalls: ",
        "\nBids: ",
        "\nCalled bids held ",
        "\nUnsupported bids: ",
        "\nBy fault\n",
        "\nBy players left\n",
        "\nCalls by the probability that they are right\n",
        "\nBids by the probability that they hold\n",
        "\nHabits, by cost in hindsight\n",
        "\nWorst decisions by the odds\n",
        "Losses are in dice, ",
    ] {
        assert!(out.contains(words), "{words:?} is not in {out}");
    }
    assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
    assert!(!out.contains("\nA  "), "{out}");
}

/// The named move is in the named game.
#[test]
fn worst_liars_dice_decisions_name_their_moves() {
    let scratch = liars_dice_log(60);
    let document = document(&scratch, &["log", "--bot", "C"]);
    let worst = document["bots"][0]["worst"].as_array().expect("decisions");
    assert_eq!(worst.len(), 10);
    for mistake in worst {
        let command = mistake["replay"].as_str().expect("a command");
        let words: Vec<_> = command.split(' ').skip(1).chain(["--format", "json"]).collect();
        let output = scratch.run(&words);
        assert_eq!(output.code, 0, "{command}: {}", output.err);
        let replay = output.json();
        let place = mistake["move"].as_u64().expect("a number") as usize - 1;
        let one = &replay["moves"][place];
        assert_eq!((&one["bot"], &one["action"]), (&"C".into(), &mistake["did"]), "{command}");
        assert_eq!(
            one["bids"].as_array().and_then(|bids| bids.last()).unwrap_or(&Value::Null),
            &mistake["last"]
        );
    }
}

#[test]
fn invalid_liars_dice_logs_are_refused() {
    let scratch = liars_dice_log(4);
    refused(
        &scratch,
        &["log", "--bot", "Z"],
        "--bot \"Z\": not a bot of this run, whose bots are A, B, C",
    );
    let log = scratch.read("log");
    scratch.write("altered", log.replacen("\"turns\":", "\"turns\":1", 1));
    fails(&scratch, &["altered"], 1, "altered:2");
    let header = log.lines().next().expect("a header");
    scratch.write("empty", format!("{header}\n"));
    refused(&scratch, &["empty"], "holds no game that counts");
}

#[test]
fn runs_without_moves_are_refused() {
    for (game, bots) in [("yahtzee", ["greedy", "dummy"]), ("liars-dice", ["honest", "pirate"])] {
        let scratch = Scratch::new();
        for arguments in [
            &["hill", "init", "h.db", game, "--seed", "s", "--games", "4"][..],
            &["hill", "add", "h.db", bots[0], bots[1], "--no-moves"],
        ] {
            scratch.run_ok(arguments);
        }
        refused(&scratch, &["h.db#1"], "the moves of this game were not kept, only its outcome");
    }
}

#[test]
fn a_transcript_adds_the_loss_per_token() {
    let scratch = yahtzee_log("games = 4");
    let chance = dicehill_rules::Chance::new("s");
    let exchange = |game: u64| {
        let game = chance.game_id(game, "A");
        format!(
            "{{\"type\":\"exchange\",\"bot\":\"A\",\"game\":{game},\"turn\":{game},\"request\":{{}},\
             \"prompt_tokens\":900,\"completion_tokens\":100}}\n"
        )
    };
    // The fifth game is none of the run.
    let lines: String = [1, 2, 3, 4, 5].map(exchange).concat();
    scratch.write("A.log", format!("a line of the log\n{lines}"));
    let arguments = ["log", "--transcript", "A.log"];
    let document = document(&scratch, &arguments);
    let [a, b] = [0, 1].map(|place| &document["bots"][place]);
    assert_eq!((number(&a["tokens"]["turns"]), number(&a["tokens"]["each_game"])), (4.0, 1000.0));
    let [loss, per_token] = [&a["loss"]["mean"], &a["tokens"]["loss_per_1000"]["mean"]];
    assert_eq!(loss, per_token, "a thousand tokens a game");
    assert_eq!(b["tokens"], Value::Null);
    let text = analysed(&scratch, &arguments);
    assert!(text.contains("Took 4,000 tokens in 4 turns, 1000 a game: lost "), "{text}");
    assert!(text.contains(" points per 1,000 tokens\n"), "{text}");
    refused(&scratch, &["log", "--transcript", "none"], "--transcript none: ");
    scratch.write("empty", exchange(5));
    refused(&scratch, &["log", "--transcript", "empty"], "has no request of a bot in the games");
}
