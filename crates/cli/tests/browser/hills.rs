//! Hills for the pages, made by the command.

use crate::support::Scratch;

/// Bot names that are as long, as wide and as unusual as permitted.
const YAHTZEE: &str = "\
game = \"yahtzee\"
games = 300
seed = \"s\"
name = \"Spring yahtzee\"
[[bot]]
name = \"greedy\"
house = \"greedy\"
author = \"Dicehill\"
[[bot]]
name = \"WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW\"
house = \"aces-and-eights\"
author = \"A person with a name of many words\"
[[bot]]
name = \"<b>bold & \\\"quoted\\\"</b>\"
house = \"dummy\"
[[bot]]
name = \"קוביות\"
house = \"random\"
";

const LIARS_DICE: &str = "\
game = \"liars-dice\"
rules = \"superjedi-2015\"
games = 200
seed = \"s\"
name = \"Superjedi's table\"
[[bot]]
name = \"Badnomial\"
house = \"badnomial\"
votes = 6
[[bot]]
name = \"Nobody\"
house = \"nobody\"
votes = 6
[[bot]]
name = \"The Pirate\"
house = \"pirate\"
votes = 1
";

/// `yahtzee.db` with a finished run.
pub(crate) fn yahtzee(scratch: &Scratch) {
    hill_with_run(scratch, "yahtzee", YAHTZEE);
}

/// `liars-dice.db` with a finished run.
pub(crate) fn liars_dice(scratch: &Scratch) {
    hill_with_run(scratch, "liars-dice", LIARS_DICE);
}

/// `history.db` with two runs: a new entrant joins in the second.
pub(crate) fn history(scratch: &Scratch) {
    let settings = ["--name", "History", "--games", "60", "--seed", "s"];
    scratch.run_ok(&[&["hill", "init", "history.db", "yahtzee"][..], &settings].concat());
    scratch.run_ok(&["hill", "add", "history.db", "greedy", "aces-and-eights"]);
    scratch.run_ok(&["hill", "add", "history.db", "dummy"]);
}

fn hill_with_run(scratch: &Scratch, name: &str, bots: &str) {
    let [store, file] = ["db", "toml"].map(|ending| format!("{name}.{ending}"));
    scratch.write(&file, bots);
    scratch.run_ok(&["hill", "init", &store, &file]);
    scratch.run_ok(&["hill", "add", &store, &file]);
}

/// `empty.db` without entrants.
pub(crate) fn empty(scratch: &Scratch) {
    scratch.run_ok(&["hill", "init", "empty.db", "yahtzee", "--name", "Empty"]);
}

/// `live.db` without games; its run with [`LIVE_RUN`] takes a few seconds.
pub(crate) fn live(scratch: &Scratch) {
    scratch.run_ok(&["hill", "init", "live.db", "yahtzee", "--name", "Live", "--games", "40000"]);
}

/// The arguments that start the run of [`live`].
pub(crate) const LIVE_RUN: [&str; 8] =
    ["hill", "add", "live.db", "greedy", "aces-and-eights", "dummy", "--jobs", "1"];

/// `live.db` without games; its run with [`ENDLESS_RUN`] lasts longer than any test.
pub(crate) fn endless(scratch: &Scratch) {
    let games = "1000000000";
    // Without a secret, the same bot is barred in the same game each time.
    let keys = format!("name = \"Live\"\ngame = \"yahtzee\"\ngames = {games}\nopen_seed = true\n");
    scratch.write("live.toml", keys);
    scratch.run_ok(&["hill", "init", "live.db", "live.toml"]);
    scratch.write("seldom.py", RARE_OFFENDER);
    scratch.write("bots.toml", format!("game = \"yahtzee\"\ngames = {games}\n{LEGAL}{OFFENDER}"));
    scratch.write("legal.toml", format!("game = \"yahtzee\"\ngames = {games}\n{LEGAL}"));
}

/// The arguments that start the run of [`endless`]: game 32 bars a bot, so that the run starts again without it.
pub(crate) const ENDLESS_RUN: [&str; 8] =
    ["hill", "add", "live.db", "bots.toml", "--seed", "b", "--jobs", "1"];

/// The arguments that start a run of [`endless`] in which each game that is stored stays.
pub(crate) const ENDLESS_RUN_WITHOUT_BARS: [&str; 8] =
    ["hill", "add", "live.db", "legal.toml", "--seed", "b", "--jobs", "1"];

const LEGAL: &str = "\
[[bot]]
name = \"greedy\"
house = \"greedy\"
[[bot]]
name = \"dummy\"
house = \"dummy\"
";

const OFFENDER: &str = "\
[[bot]]
name = \"Offender\"
command = [\"python3\", \"-S\", \"seldom.py\"]
";

/// A bot that qualifies, and answers illegally after a rare roll.
const RARE_OFFENDER: &str = "\
import json, sys
print(json.dumps({'type': 'ready', 'inflight': 1}), flush=True)
for line in sys.stdin:
    turn = json.loads(line)
    if turn['type'] == 'turn':
        is_seldom = turn['stage'] == 0 and turn['dice'] == [1, 2, 3, 4, 6]
        category = 'NONE' if is_seldom else next(iter(turn['legal']))
        print(json.dumps({'id': turn['id'], 'category': category}), flush=True)
";
