//! Plans and shards that are refused, with the reason.

use super::plan;
use crate::support::external::{bot, python};
use crate::support::{BEST_BOX_BOT, Scratch, hill};

#[test]
fn runs_that_cannot_be_divided_are_refused() {
    let scratch = Scratch::new();
    let keys = "game = \"yahtzee\"\nmemory = \"set\"\ngames = 9";
    scratch.write("hill.toml", hill(keys, &["greedy", "dummy"]));
    let texts = ["--plan p.json: memory = \"set\": bots remember the games before"];
    scratch.run_refused(&["run", "hill.toml", "--plan", "p.json"], &texts);
    let until = ["run", "yahtzee", "greedy", "dummy", "--until", "0.9", "--plan", "p.json"];
    scratch
        .run_refused(&until, &["--plan p.json: a run that may end early decides after each game"]);
    scratch.run_refused(
        &["run", "--plan", "p.json"],
        &["a plan is of one run: pass a hill file or a game to write it, or --shard 1/2"],
    );
    let out = ["run", "yahtzee", "--plan", "p.json", "--out", "log"];
    scratch.run_refused(&out, &["--out log: a plan has no games yet"]);
    assert!(!scratch.path("p.json").exists() && !scratch.path("log").exists());
}

#[test]
fn a_plan_and_a_part_replace_no_other_file() {
    let scratch = Scratch::new();
    scratch.write(
        "hill.toml",
        hill("game = \"yahtzee\"\nseed = \"s\"\ngames = 9", &["greedy", "dummy"]),
    );
    plan(&scratch);
    let again = ["run", "hill.toml", "--plan", "plan.json"];
    scratch.run_refused(&again, &["plan.json: exists already"]);
    let shard = |shard, out| ["run", "--plan", "plan.json", "--shard", shard, "--out", out];
    scratch.run_ok(&shard("1/3", "part"));
    scratch.run_refused(
        &shard("2/3", "part"),
        &["part: exists already, with games 1 to 3 of the plan"],
    );
    scratch.run_refused(&shard("1/3", "hill.toml"), &["hill.toml:1: not the part of a run"]);
    scratch.run_refused(&shard("4/3", "part"), &["shard 4 of 3: shards are numbered 1 to 3"]);
    scratch.run_refused(&["run", "--plan", "plan.json", "--shard", "1/3"], &["--out"]);
    let typed = [&shard("1/3", "other")[..], &["--seed", "t"]].concat();
    scratch.run_refused(&typed, &["--seed", "cannot be used with"]);
}

#[cfg(unix)]
#[test]
fn bots_that_have_changed_since_the_plan_are_refused() {
    let [program, option] = python();
    let scratch = Scratch::new();
    let external = bot("Best", &[program, option, "best.py"]);
    let file = hill("game = \"yahtzee\"\nseed = \"s\"\ngames = 9", &["greedy"]);
    scratch.write("best.py", BEST_BOX_BOT);
    scratch.write("hill.toml", format!("{file}{external}"));
    plan(&scratch);
    let play = ["run", "--plan", "plan.json", "--shard", "1/3", "--out", "part"];
    scratch.run_ok(&play);
    scratch.write("best.py", BEST_BOX_BOT.replace("max(", "min("));
    let texts = ["plan.json: cannot be played as planned: the bot Best has changed: its hash was "];
    scratch.run_refused(&play, &texts);
    scratch.write("hill.toml", hill("game = \"yahtzee\"", &["greedy", "dummy"]));
    scratch.run_refused(
        &play,
        &["plan.json: Best is not in \"hill.toml\": name the bot or its hill file"],
    );
    // The bots may be elsewhere on this machine.
    scratch.write("elsewhere.toml", format!("{file}{external}"));
    scratch.write("best.py", BEST_BOX_BOT);
    scratch.run_ok(&[&play[..], &["elsewhere.toml"]].concat());
}
