//! Hills to look at, made by the command.

use crate::support::Scratch;

/// Names that are as long, as wide and as strange as names may be.
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

/// `yahtzee.db`, whose tournament has ended.
pub(crate) fn yahtzee(scratch: &Scratch) {
    ended(scratch, "yahtzee", YAHTZEE);
}

/// `liars-dice.db`, whose tournament has ended.
pub(crate) fn liars_dice(scratch: &Scratch) {
    ended(scratch, "liars-dice", LIARS_DICE);
}

fn ended(scratch: &Scratch, name: &str, bots: &str) {
    let [store, file] = ["db", "toml"].map(|ending| format!("{name}.{ending}"));
    scratch.write(&file, bots);
    scratch.run_ok(&["hill", "init", &store, &file]);
    scratch.run_ok(&["hill", "add", &store, &file]);
}

/// `empty.db`, to which nobody has come.
pub(crate) fn empty(scratch: &Scratch) {
    scratch.run_ok(&["hill", "init", "empty.db", "yahtzee", "--name", "Empty"]);
}

/// `live.db`, on which nothing has been played, and whose tournament by [`PLAYED`] takes a few seconds.
pub(crate) fn live(scratch: &Scratch) {
    scratch.run_ok(&["hill", "init", "live.db", "yahtzee", "--name", "Live", "--games", "40000"]);
}

/// The arguments that begin the tournament of [`live`].
pub(crate) const PLAYED: [&str; 8] =
    ["hill", "add", "live.db", "greedy", "aces-and-eights", "dummy", "--jobs", "1"];

/// `live.db`, on which nothing has been played, and whose tournament by [`ENDLESS`] goes on for longer than any test.
pub(crate) fn endless(scratch: &Scratch) {
    let games = "1000000000";
    scratch.run_ok(&["hill", "init", "live.db", "yahtzee", "--name", "Live", "--games", games]);
    scratch.write("seldom.py", SELDOM);
    scratch.write("bots.toml", format!("game = \"yahtzee\"\ngames = {games}\n{BARRED_SOON}"));
}

/// The arguments that begin the tournament of [`endless`]: in its game 32 a bot is barred, and it begins anew.
pub(crate) const ENDLESS: [&str; 8] =
    ["hill", "add", "live.db", "bots.toml", "--seed", "b", "--jobs", "1"];

const BARRED_SOON: &str = "\
[[bot]]
name = \"greedy\"
house = \"greedy\"
[[bot]]
name = \"dummy\"
house = \"dummy\"
[[bot]]
name = \"Offender\"
command = [\"python3\", \"-S\", \"seldom.py\"]
";

/// A bot that qualifies, and breaks the rules when it sees dice that are seldom.
const SELDOM: &str = "\
import json, sys
print(json.dumps({'type': 'ready', 'inflight': 1}), flush=True)
for line in sys.stdin:
    turn = json.loads(line)
    if turn['type'] == 'turn':
        is_seldom = turn['stage'] == 0 and turn['dice'] == [1, 2, 3, 4, 6]
        category = 'NONE' if is_seldom else next(iter(turn['legal']))
        print(json.dumps({'id': turn['id'], 'category': category}), flush=True)
";
