//! Ports of a bot to another language make the same decisions.

use crate::support::{PATIENT, Scratch, project_path};

/// A hill of `P`, which plays as `player` says, and house bots.
fn hill(keys: &str, player: &str, others: &[&str]) -> String {
    let other = |(index, house): (usize, &&str)| {
        format!("[[bot]]\nname = \"O{index}\"\nhouse = \"{house}\"\n")
    };
    let others: String = others.iter().enumerate().map(other).collect();
    format!("{keys}\n{PATIENT}\n[[bot]]\nname = \"P\"\n{player}\n{others}")
}

/// The lines of all games between house bots and `P`, which plays as `player` says. Seats and dice follow from names,
/// so that the lines differ exactly where decisions do.
fn games(keys: &str, player: &str, others: &[&str]) -> Vec<String> {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill(keys, player, others));
    let output = scratch.run(&["run", "hill.toml", "--out", "log", "--format", "json"]);
    assert_eq!(output.code, 0, "{player}: {output:?}");
    let log = scratch.read("log");
    log.lines().filter(|line| line.starts_with("{\"type\":\"game\"")).map(str::to_owned).collect()
}

/// Expects every game with `port` to equal the one with `original`.
fn check(keys: &str, original: &str, port: &str, others: &[&str], count: usize) {
    let expected = games(keys, original, others);
    let found = games(keys, port, others);
    assert_eq!(expected.len(), count);
    for (expected, found) in expected.iter().zip(&found) {
        assert_eq!(expected, found, "{original} and {port}");
    }
    assert_eq!(expected.len(), found.len());
}

#[test]
fn aces_and_eights_decides_alike_in_java() {
    let keys = "game = \"yahtzee\"\nseed = \"ports\"\nopen_seed = true\ngames = 1000";
    let java = project_path("crates/cli/tests/ports/AcesAndEights.java");
    let port = format!("java = {java:?}");
    check(keys, "house = \"aces-and-eights\"", &port, &["dummy"], 1000);
}

/// Two at a table, so that rounds with fewer than four hidden dice are frequent.
#[test]
fn the_pirate_decides_alike_in_java() {
    let keys = "game = \"liars-dice\"\nseed = \"ports\"\nopen_seed = true\ngames = 1000";
    let java = project_path("crates/cli/tests/ports/Pirate.java");
    let port = format!("java = {java:?}");
    for other in ["random", "badnomial"] {
        check(keys, "house = \"pirate\"", &port, &[other], 1000);
    }
}

#[test]
fn published_liars_dice_bots_decide_alike_in_python() {
    let keys = "game = \"liars-dice\"\nseed = \"ports\"\nopen_seed = true\ngames = 1000";
    let ports = project_path("crates/cli/tests/ports/liars_dice_ports.py");
    for bot in ["badnomial", "straight-shooter", "nobody", "pirate"] {
        // The script finds the SDK relative to its own folder, and so is run there.
        let folder = project_path("crates/cli/tests/ports");
        let read = [&folder, &project_path("sdk/python")];
        let command = format!("command = [\"python3\", {ports:?}, \"{bot}\"]");
        let port = format!("dir = {folder:?}\n{command}\nread = {read:?}");
        let house = format!("house = \"{bot}\"");
        check(keys, &house, &port, &["badnomial", "nobody", "honest", "random"], 1000);
    }
}

/// Expects `replay --input` to print exactly what the bot was sent.
fn check_input(keys: &str, others: &[&str]) {
    let scratch = Scratch::new();
    // The bot stores its input in a file for each game, named by the game's id and seed: the qualification before the run
    // has the same ids.
    scratch.write(
        "recorder.py",
        "import json, os, sys\n\
         folder = sys.argv[1]\n\
         hello = sys.stdin.readline()\n\
         print('{\"type\":\"ready\",\"inflight\":8,\"events\":[\"round\"]}', flush=True)\n\
         names = {}\n\
         for line in sys.stdin:\n\
         \x20   message = json.loads(line)\n\
         \x20   if message['type'] == 'start':\n\
         \x20       names[message['game']] = '%d-%s' % (message['game'], message['seed'])\n\
         \x20   if 'game' in message:\n\
         \x20       with open(os.path.join(folder, names[message['game']]), 'a') as file:\n\
         \x20           file.write(hello + line if message['type'] == 'start' else line)\n\
         \x20   if message['type'] != 'turn':\n\
         \x20       continue\n\
         \x20   if 'legal' in message:\n\
         \x20       answer = {'category': max(message['legal'], key=message['legal'].get)}\n\
         \x20   elif message['bids'] and int(message['bids'][-1].split()[0]) > 5:\n\
         \x20       answer = {'bid': 'Liar!'}\n\
         \x20   else:\n\
         \x20       last = message['bids'][-1].split()[0] if message['bids'] else '0'\n\
         \x20       answer = {'bid': '%d 3' % (int(last) + 1)}\n\
         \x20   answer['id'] = message['id']\n\
         \x20   print(json.dumps(answer), flush=True)\n",
    );
    let folder = scratch.path("seen");
    std::fs::create_dir(&folder).expect("a folder");
    let player = format!("command = [\"python3\", \"recorder.py\", {folder:?}]");
    scratch.write("hill.toml", hill(keys, &player, others));
    // The bot has to write outside of its sandbox.
    let output = scratch.run(&["run", "hill.toml", "--out", "log", "--no-isolation"]);
    assert_eq!(output.code, 0, "{output:?}");
    for game in 1..=20 {
        let replayed =
            scratch.run(&["replay", "log", &game.to_string(), "--input", "P", "--rounds"]);
        assert_eq!(replayed.code, 0, "{replayed:?}");
        let start: serde_json::Value =
            serde_json::from_str(replayed.out.lines().nth(1).expect("a start")).expect("JSON");
        let seed = start["seed"].as_str().expect("a seed");
        let recorded = std::fs::read_to_string(folder.join(format!("{}-{seed}", start["game"])));
        assert_eq!(recorded.expect("the bot has seen the game"), replayed.out, "game {game}");
    }
}

#[test]
fn replay_prints_the_exact_input_of_a_bot() {
    check_input("game = \"yahtzee\"\nseed = \"told\"\nopen_seed = true\ngames = 20", &["greedy"]);
    let liars = "game = \"liars-dice\"\nseed = \"told\"\nopen_seed = true\ngames = 20";
    check_input(liars, &["badnomial", "nobody"]);
    check_input(&format!("{liars}\nmemory = \"set\""), &["badnomial", "nobody"]);
}
