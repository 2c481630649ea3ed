//! Bots with terms of their own: a network, secrets, limits, and answers that need not be the same again.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::external::source;
use crate::support::user::{Isolation, User, make_accessible};
use crate::support::{CommandOutput, PATIENT, Scratch, parse_json};

/// The content of a file that no bot may read.
const FOREIGN: &str = "xyzzy-plugh";
/// The environment variable that `online.py` looks for, and its value.
const VARIABLE: &str = "ONLINE_TEST_KEY";
const KEY: &str = "sk-test-1234567890";

/// A server on this machine that says hello to each client.
struct Server {
    port: u16,
    /// The first line of each client.
    heard: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("it is bound").port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let lines = Arc::clone(&heard);
        // It ends with the process of the tests.
        std::thread::spawn(move || {
            for client in listener.incoming().filter_map(Result::ok) {
                let mut line = String::new();
                let _may_have_ended = BufReader::new(&client).read_line(&mut line);
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                lines.push(line.trim().to_owned());
                let _may_have_ended = (&client).write_all(b"hello from the server\n");
            }
        });
        Self { port, heard }
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A hill whose bots are `online.py`, in the folder of a test.
struct Online {
    scratch: Scratch,
    server: Server,
    user: User,
}

impl Online {
    fn new(user: User) -> Self {
        let (scratch, server) = (Scratch::new(), Server::new());
        make_accessible(&scratch);
        user.give_ownership(&scratch.path(""));
        for (name, content) in [
            ("online.py", fs::read_to_string(source("online.py")).expect("the source is there")),
            ("foreign", FOREIGN.to_owned()),
        ] {
            scratch.write(name, content);
            user.give_ownership(&scratch.path(name));
        }
        Self { scratch, server, user }
    }

    /// The table of a bot that plays in this way, with more keys.
    fn bot(&self, name: &str, how: &str, keys: &str) -> String {
        let [program, option] = self.user.python().expect("seen before");
        let (port, folder) = (self.server.port.to_string(), self.scratch.path(""));
        let folder = folder.to_str().expect("a plain name");
        let command = [program, option, "online.py", &port, folder, how];
        format!("[[bot]]\nname = \"{name}\"\ncommand = {command:?}\n{keys}\n")
    }

    /// Writes the hill file with these bots and a house bot.
    fn hill(&self, bots: &[String]) {
        let house = "[[bot]]\nname = \"House\"\nhouse = \"greedy\"\n";
        let keys = format!("game = \"yahtzee\"\ngames = 4\nseed = \"s\"\n{PATIENT}\n");
        self.scratch.write("hill.toml", keys + house + &bots.concat());
        self.user.give_ownership(&self.scratch.path("hill.toml"));
    }

    /// Runs the command with this value of the variable.
    fn run_with(&self, key: Option<&str>, arguments: &[&str]) -> CommandOutput {
        let mut command = Command::new(self.scratch.path("dicehill"));
        command.args(arguments).current_dir(self.scratch.path("")).stdin(Stdio::null());
        command.env("HOME", self.scratch.path("")).env_remove("XDG_CACHE_HOME");
        command
            .env_remove("CLICOLOR_FORCE")
            .env_remove(VARIABLE)
            .envs(key.map(|key| (VARIABLE, key)));
        self.user.apply_to(&mut command);
        CommandOutput::from(command.output().expect("the command starts"))
    }

    #[track_caller]
    fn run(&self, expected: i32, arguments: &[&str]) -> CommandOutput {
        let output = self.run_with(Some(KEY), arguments);
        assert_eq!(output.code, expected, "{arguments:?}: {}{}", output.out, output.err);
        output
    }

    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.scratch.path(&format!("logs/{name}.log"))).expect("a log")
    }
}

/// The keys of a bot with a network, a secret, limits, and other answers each time.
const ALL_KEYS: &str = "network = true\nsecrets = [\"ONLINE_TEST_KEY\"]\ndeterministic = false\n[bot.limits]\nmove_ms = 77000";

/// Expects a log to have the line, and not to say otherwise.
#[track_caller]
fn has_line(log: &str, line: &str) {
    assert!(log.lines().any(|one| one == line), "{line:?} is not in {log}");
}

#[test]
fn only_a_bot_with_a_network_reaches_a_server_and_no_bot_foreign_files() {
    for user in Isolation::On.users() {
        let online = Online::new(user);
        online.hill(&[online.bot("On", "best", "network = true"), online.bot("Off", "best", "")]);
        online.run(0, &["run", "hill.toml", "--logs", "logs", "--require-isolation"]);
        let [on, off] = ["On", "Off"].map(|name| online.log(name));
        has_line(&on, "connect: hello from the server");
        has_line(&off, "connect: refused: OSError");
        assert!(!off.contains("hello from the server"), "{off}");
        for log in [&on, &off] {
            assert!(log.contains("listen: refused: "), "{log}");
            assert!(log.contains("unix socket: refused: "), "{log}");
            assert!(log.contains("rare protocols: refused: "), "{log}");
            assert!(log.contains("core dumps: refused: "), "{log}");
            assert!(log.contains("foreign file: refused: FileNotFoundError"), "{log}");
            assert!(!log.contains(FOREIGN), "{log}");
        }
    }
}

#[test]
fn without_isolation_every_bot_has_the_network_and_the_files() {
    let online = Online::new(User::Current);
    online.hill(&[online.bot("Off", "best", "")]);
    online.run(0, &["run", "hill.toml", "--logs", "logs", "--no-isolation"]);
    let log = online.log("Off");
    has_line(&log, "connect: hello from the server");
    has_line(&log, &format!("foreign file: {FOREIGN}"));
    has_line(&log, "listen: it listens");
    has_line(&log, "core dumps: it sets their limit");
}

#[test]
fn a_secret_reaches_one_bot_and_no_document() {
    for user in Isolation::On.users() {
        let online = Online::new(user);
        online.hill(&[
            online.bot("On", "tell", ALL_KEYS),
            online.bot("Off", "best", "network = true"),
        ]);
        let run =
            ["run", "hill.toml", "--logs", "logs", "--out", "run.jsonl", "--progress", "json"];
        let output = online.run(3, &run);
        let heard = online.server.heard();
        assert!(heard.iter().any(|line| line == KEY), "{heard:?}");
        assert!(heard.iter().any(|line| line == "none"), "{heard:?}");
        let told = "the key [secret ONLINE_TEST_KEY] is refused";
        has_line(&online.log("On"), told);
        assert!(output.out.contains(told), "{}", output.out);
        let check = online.run(3, &["check", "yahtzee", "hill.toml#On", "--report", "report"]);
        let replayed = online.run(3, &["run", "hill.toml", "--format", "json", "--no-luck"]);
        online.run(0, &["hill", "init", "h.db", "hill.toml"]);
        let added = online.run(3, &["hill", "add", "h.db", "hill.toml"]);
        for output in [output, check, replayed, added] {
            assert!(!output.out.contains(KEY) && !output.err.contains(KEY), "{output:?}");
        }
        expect_no_key_below(&online.scratch.path(""));
    }
}

/// Expects the value of the secret in no file of the folder.
#[track_caller]
fn expect_no_key_below(folder: &std::path::Path) {
    for entry in fs::read_dir(folder).expect("the folder is there").map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            expect_no_key_below(&path);
        } else {
            let content = fs::read(&path).expect("a file");
            let is_told = content.windows(KEY.len()).any(|part| part == KEY.as_bytes());
            assert!(!is_told, "{} has the key", path.display());
        }
    }
}

#[test]
fn own_terms_are_recorded_and_the_board_marks_a_bot_with_a_network() {
    let online = Online::new(User::Current);
    online.hill(&[online.bot("On", "random", ALL_KEYS), online.bot("Off", "best", "")]);
    let run = ["run", "hill.toml", "--logs", "logs", "--out", "run.jsonl", "--no-isolation"];
    let board = online.run(0, &run).out;
    assert!(board.contains("On (network)") && board.contains("Bots marked (network)"), "{board}");
    assert!(!board.contains("Off (network)"), "{board}");
    has_line(
        &online.log("On"),
        r#"limits: {"memory_mb": 512, "move_ms": 77000, "start_ms": 60000}"#,
    );
    has_line(
        &online.log("Off"),
        r#"limits: {"memory_mb": 512, "move_ms": 10000, "start_ms": 60000}"#,
    );
    let log = online.scratch.read("run.jsonl");
    let header = parse_json(log.lines().next().expect("a header"));
    let result = parse_json(log.lines().last().expect("a result"));
    let expected = json!([true, [VARIABLE], {"move_ms": 77000}, false]);
    let terms = |row: &Value| -> Value {
        ["network", "secrets", "limits", "deterministic"]
            .map(|key| row[key].clone())
            .to_vec()
            .into()
    };
    let nothing = Value::from(vec![Value::Null; 4]);
    let [house, on, off] = [0, 1, 2].map(|place| terms(&header["bots"][place]));
    assert_eq!((house, on, off), (nothing.clone(), expected.clone(), nothing.clone()));
    for row in result["standings"].as_array().expect("standings") {
        let is_on = row["bot"] == "On";
        assert_eq!(terms(row), if is_on { expected.clone() } else { nothing.clone() });
    }
    // The document is shown and recomputed from the record alone.
    let verified = online.run_with(None, &["verify", "run.jsonl", "hill.toml", "--no-isolation"]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    let skipped = "On need not be deterministic: none of its games is replayed";
    assert!((verified.out.clone() + &verified.err).contains(skipped), "{}", verified.out);
    let pages = online.run(0, &["export", "run.jsonl", "--html", "pages"]);
    let page = online.scratch.read("pages/index.html");
    assert!(page.contains("Bots marked network"), "{}{page}", pages.err);
}

#[test]
fn a_hill_keeps_own_terms() {
    let online = Online::new(User::Current);
    online.hill(&[online.bot("On", "random", ALL_KEYS)]);
    online.run(0, &["hill", "init", "h.db", "hill.toml"]);
    let added = online.run(0, &["hill", "add", "h.db", "hill.toml", "--no-isolation"]);
    assert!(added.out.contains("On (network)"), "{}", added.out);
    let list = online.run(0, &["hill", "list", "h.db"]).out;
    assert!(list.contains("On") && list.contains("network"), "{list}");
    let again = online.run(0, &["hill", "add", "h.db", "hill.toml#On", "--no-isolation"]);
    assert!(again.err.contains("On is already on the hill, unchanged"), "{}", again.err);
    let missing = online.run_with(None, &["hill", "run", "h.db", "--no-isolation", "--trust-hill"]);
    assert_eq!(missing.code, 2, "{}", missing.err);
    let expected = "On: secrets = \"ONLINE_TEST_KEY\": no such environment variable";
    assert!(missing.err.contains(expected), "{}", missing.err);
    online.run(0, &["hill", "run", "h.db", "--no-isolation", "--trust-hill"]);
    // A bot that is not played again is not started either.
    let verified = online.run_with(None, &["verify", "h.db#1", "--no-isolation"]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    // Other terms make a new version.
    online.hill(&[online.bot("On", "random", "deterministic = false")]);
    let new = online.run(0, &["hill", "add", "h.db", "hill.toml#On", "--no-isolation"]);
    assert!(new.err.contains("On: version 2"), "{}", new.err);
}

#[test]
fn a_bot_that_need_not_be_deterministic_qualifies_in_two_games_with_a_network() {
    let online = Online::new(User::Current);
    let check = |keys: &str, code| {
        online.hill(&[online.bot("On", "random", keys)]);
        online.run(code, &["check", "yahtzee", "hill.toml#On", "--no-isolation", "--seed", "s"]).out
    };
    let paid = check("network = true\ndeterministic = false", 0);
    let expected =
        "On: qualified: 2 games, 26 answers, 0 rare positions, all legal; not played again";
    assert!(paid.contains(expected), "{paid}");
    let other = check("network = true", 3);
    assert!(other.contains("not deterministic"), "{other}");
}

#[test]
fn secrets_that_are_missing_or_cannot_be_kept_are_refused_before_play() {
    let online = Online::new(User::Current);
    online.hill(&[online.bot("On", "best", "secrets = [\"ONLINE_TEST_KEY\"]")]);
    let check = |key, what: &str| {
        let output = online.run_with(key, &["run", "hill.toml", "--out", "log", "--no-isolation"]);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{}", output.err);
        let expected = format!("hill.toml:13: secrets = \"ONLINE_TEST_KEY\": {what}");
        assert!(output.err.contains(&expected), "{}", output.err);
        assert!(!output.err.contains("abc"), "{}", output.err);
        assert!(!online.scratch.path("log").exists());
    };
    check(None, "no such environment variable");
    check(Some(""), "the environment variable is empty");
    check(Some("abc"), "the environment variable has fewer than 8 characters");
    check(
        Some("abc def ghi"),
        "the environment variable may contain only visible ASCII characters",
    );
    assert_eq!(online.server.heard(), Vec::<String>::new(), "no bot was started");
}

/// The keys of a bot with a network and a secret.
const NETWORK_AND_SECRET: &str = "network = true\nsecrets = [\"ONLINE_TEST_KEY\"]";

/// A stored hill with a run of a bot with a network and a secret, and of one with a file.
fn stored_hill() -> Online {
    let online = Online::new(User::Current);
    online.hill(&[
        online.bot("On", "best", NETWORK_AND_SECRET),
        online.bot("Reader", "best", "read = [\"foreign\"]"),
    ]);
    online.run(0, &["hill", "init", "h.db", "hill.toml"]);
    online
}

/// What the hill of [`stored_hill`] gives its bots, in messages.
fn given(online: &Online) -> String {
    let file = online.scratch.path("foreign");
    let file = file.display();
    format!("h.db gives On a network and the secret ONLINE_TEST_KEY, and Reader the files {file}: ")
}

/// Without isolation, each bot that is started would reach the server.
#[test]
fn bots_of_a_store_get_a_network_secrets_and_files_only_of_a_trusted_hill() {
    let online = stored_hill();
    let added = online.run(0, &["hill", "add", "h.db", "hill.toml", "--no-isolation"]);
    let note = given(&online) + "from now on its runs need --trust-hill";
    assert_eq!(added.err.matches("--trust-hill").count(), 1, "{}", added.err);
    assert!(added.err.contains(&note), "{}", added.err);
    let clients = online.server.heard().len();
    let refused = given(&online) + "if you trust the hill's maker with them, add --trust-hill";
    let commands: [&[&str]; 6] = [
        &["verify", "h.db"],
        &["verify", "h.db#1", "--sample", "1"],
        &["replay", "h.db#1", "1", "--rerun"],
        &["hill", "run", "h.db"],
        &["hill", "add", "h.db", "dummy"],
        &["hill", "run", "h.db", "--no-luck"],
    ];
    for command in commands {
        let output = online.run(2, &[command, &["--no-isolation"]].concat());
        assert!(output.err.contains(&refused), "{command:?}: {}", output.err);
        assert_eq!(output.out, "", "{command:?}");
    }
    let served = online.run(2, &["serve", "h.db", "--accept", "--listen", "127.0.0.1:0"]);
    assert!(served.err.contains(&refused), "{}", served.err);
    // These commands start no bot.
    let reading: [&[&str]; 6] = [
        &["verify", "h.db", "--sample", "0"],
        &["hill", "show", "h.db"],
        &["hill", "list", "h.db"],
        &["replay", "h.db#1", "1"],
        &["export", "h.db#1", "--jsonl"],
        &["hill", "backup", "h.db", "copy.db"],
    ];
    reading.into_iter().for_each(|command| drop(online.run(0, command)));
    assert_eq!(online.server.heard().len(), clients, "no bot was started");
    let trusted: [&[&str]; 3] =
        [&["verify", "h.db"], &["replay", "h.db#1", "1", "--rerun"], &["hill", "run", "h.db"]];
    for command in trusted {
        online.run(0, &[command, &["--no-isolation", "--trust-hill"]].concat());
    }
    assert!(online.server.heard().len() > clients, "its bots were started");
}

#[test]
fn an_interrupted_run_of_a_store_is_resumed_only_of_a_trusted_hill() {
    let online = Online::new(User::Current);
    let [bot, house] = [
        online.bot("On", "best", "network = true"),
        "[[bot]]\nname = \"House\"\nhouse = \"greedy\"\n".to_owned(),
    ];
    let keys = format!("game = \"yahtzee\"\ngames = 100000\n{PATIENT}\nrun_ms = 1000\n");
    online.scratch.write("hill.toml", keys + &house + &bot);
    online.run(0, &["hill", "init", "h.db", "hill.toml"]);
    online.run(130, &["hill", "add", "h.db", "hill.toml", "--no-isolation"]);
    let clients = online.server.heard().len();
    let output = online.run(2, &["resume", "h.db", "--no-isolation"]);
    let refused =
        "h.db gives On a network: if you trust the hill's maker with them, add --trust-hill";
    assert!(output.err.contains(refused), "{}", output.err);
    assert_eq!(online.server.heard().len(), clients, "no bot was started");
    online.run(130, &["resume", "h.db", "--no-isolation", "--trust-hill"]);
    assert!(online.server.heard().len() > clients, "its bot was started");
}

/// Bots that the command line names are placed one after another, each among those before it.
#[test]
fn bots_of_one_command_need_no_trust_and_those_of_the_hill_do() {
    let online = Online::new(User::Current);
    let keys = "game = \"yahtzee\"\nformat = \"duel\"\ngames = 4\nseed = \"s\"\nopen_seed = true\n";
    let readers = ["A", "B"].map(|name| online.bot(name, "best", "read = [\"foreign\"]"));
    online.scratch.write("hill.toml", format!("{keys}{PATIENT}\n{}", readers.concat()));
    online.run(0, &["hill", "init", "h.db", "hill.toml"]);
    online.run(0, &["hill", "add", "h.db", "dummy", "greedy"]);
    let added = online.run(0, &["hill", "add", "h.db", "hill.toml", "--no-isolation"]);
    assert!(added.err.contains("placing B;"), "{}", added.err);
    let output = online.run(2, &["hill", "add", "h.db", "random", "--no-isolation"]);
    assert!(output.err.contains("h.db gives A the files "), "{}", output.err);
    online.run(0, &["hill", "add", "h.db", "random", "--no-isolation", "--trust-hill"]);
}

/// A hill's maker can write any source of a bot into the store, not only what `hill add` stores.
#[test]
fn a_forged_source_in_a_store_takes_no_files_of_the_user() {
    let online = Online::new(User::Current);
    online.hill(&[online.bot("Off", "best", "")]);
    online.run(0, &["hill", "init", "h.db", "hill.toml"]);
    let added = online.run(0, &["hill", "add", "h.db", "hill.toml", "--no-isolation"]);
    assert!(!added.err.contains("--trust-hill"), "{}", added.err);
    let foreign = online.scratch.path("foreign");
    let foreign = foreign.to_str().expect("a plain name");
    let command = json!(["python3", "online.py", "1", ".", "best", foreign]);
    let folder = online.scratch.path("");
    for source in [
        json!({"command": {"command": command, "folder": false, "build": null, "read": []}}),
        json!({"java": {"path": foreign, "class": null, "read": []}}),
        json!({"java": {"path": folder, "class": null, "read": []}}),
    ] {
        let database = Connection::open(online.scratch.path("h.db")).expect("a database");
        let change = "UPDATE version SET source = ?1 WHERE source LIKE '%online.py%' OR source LIKE '%java%'";
        assert_eq!(database.execute(change, [source.to_string()]).expect("a column"), 1);
        drop(database);
        let output = online.run(2, &["hill", "run", "h.db", "--no-isolation"]);
        let refused = "h.db gives Off the files ";
        assert!(output.err.contains(refused), "{source}: {}", output.err);
        assert!(output.err.contains("add --trust-hill"), "{}", output.err);
    }
}
