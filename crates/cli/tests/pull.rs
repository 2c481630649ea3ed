//! `dicehill pull`, also from servers that send what no hill sends.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::support::running::{Running, send, wait_for};
use crate::support::{Scratch, parse_json};

/// A server that answers each request by `answer`.
fn server(answer: impl Fn(&mut TcpStream) + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = listener.local_addr().expect("it listens");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let reader = BufReader::new(stream.try_clone().expect("a copy"));
            let head = reader.lines().map_while(Result::ok);
            let _request: Vec<_> = head.take_while(|line| !line.is_empty()).collect();
            answer(&mut stream);
        }
    });
    address
}

/// A server that answers each request with this head and body.
fn server_of(head: &'static str, body: String) -> String {
    let address = server(move |stream| {
        let length = body.len();
        let text = format!(
            "HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        let _gone = stream.write_all(text.as_bytes());
    });
    format!("http://{address}/hills/h")
}

/// The names of all files in the folder.
fn files(scratch: &Scratch) -> Vec<String> {
    let all = std::fs::read_dir(scratch.path(".")).expect("a folder");
    all.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn what_is_no_log_leaves_no_file() {
    let scratch = Scratch::new();
    for body in ["", "<html>\n", "{\"schema\":\"dicehill.run/1\"", "SQLite format 3\0"] {
        let url = server_of("200 OK", body.to_owned());
        let refused = scratch.run(&["pull", &url, "--bot", "Mine"]);
        assert_eq!(refused.code, 1, "{}", refused.err);
        assert!(refused.err.contains("what the server sent is no run log: "), "{}", refused.err);
        for other in ["draft", "another file"] {
            assert!(!refused.err.contains(other), "{}", refused.err);
        }
        assert_eq!(files(&scratch), [""; 0]);
    }
}

#[test]
fn a_log_without_games_of_the_bot_is_an_error() {
    let scratch = Scratch::new();
    let run = ["run", "yahtzee", "greedy", "random", "--games", "2", "--out", "run.jsonl"];
    scratch.run_ok(&run);
    let log = scratch.read("run.jsonl");
    std::fs::remove_file(scratch.path("run.jsonl")).expect("it is there");
    let header = log.lines().next().expect("a header");
    let url = server_of("200 OK", format!("{header}\n"));
    let refused = scratch.run(&["pull", &url, "--bot", "greedy", "--run", "7"]);
    let why = "greedy has no games in run 7; name another run with --run";
    assert!(refused.code == 1 && refused.err.contains(why), "{}", refused.err);
    assert_eq!(files(&scratch), [""; 0]);
}

#[test]
fn a_redirect_names_the_new_address() {
    let scratch = Scratch::new();
    let head = "302 Found\r\nLocation: https://new.example.org/api/v1/hills/h/bots/Mine/log";
    let url = server_of(head, String::new());
    let refused = scratch.run(&["pull", &url, "--bot", "Mine"]);
    let why = "the hill has moved to https://new.example.org/hills/h; use that address";
    assert!(refused.code == 1 && refused.err.contains(why), "{}", refused.err);
}

#[test]
fn an_interrupted_pull_leaves_no_draft() {
    // One sends for ever, the other nothing.
    for is_endless in [true, false] {
        let scratch = Scratch::new();
        let address = server(move |stream| {
            let head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
            let mut sent = stream.write_all(head);
            while sent.is_ok() {
                thread::sleep(Duration::from_millis(5));
                sent = if is_endless { stream.write_all(&[b'a'; 4096]) } else { Ok(()) };
            }
        });
        let url = format!("http://{address}/hills/h");
        let mut command = scratch.command(&["pull", &url, "--bot", "Mine"]);
        let child = command.stdin(Stdio::null()).spawn().expect("the command starts");
        let mut running = Running(child);
        wait_for("a draft", || (!files(&scratch).is_empty()).then_some(()));
        send("-TERM", &running.0);
        let status = running.0.wait().expect("it is ours");
        assert_eq!(status.code(), Some(130));
        assert_eq!(files(&scratch), [""; 0]);
    }
}

/// The bot sits at some tables only, and one that is barred at none.
#[test]
fn the_games_of_one_bot_are_analyzed_and_are_no_run() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "liars-dice", "--games", "40"]);
    let house = ["badnomial", "honest", "nobody", "pirate", "random", "bayes", "straight-shooter"];
    scratch.run_ok(&[&["hill", "add", "h.db"], &house[..]].concat());
    let serve = scratch.command(&["serve", "h.db", "--listen", "127.0.0.1:0"]).spawn();
    let mut server = Running(serve.expect("the command starts"));
    let mut first = String::new();
    let mut messages = BufReader::new(server.0.stderr.take().expect("it is a pipe"));
    messages.read_line(&mut first).expect("it prints its address");
    let address = first.split(' ').next().expect("an address").to_owned();
    let url = format!("{address}/hills/h");
    scratch.run_ok(&["pull", &url, "--bot", "honest", "--out", "mine.jsonl"]);
    drop(server);
    let log = scratch.read("mine.jsonl");
    let numbers: Vec<u64> = log
        .lines()
        .skip(2)
        .map(|line| parse_json(line)["game"].as_u64().expect("a game"))
        .collect();
    assert!(
        numbers.len() < 40 && numbers.last() > Some(&numbers.len().try_into().expect("few")),
        "{numbers:?}"
    );
    let analysis = scratch.run_ok(&["analyze", "mine.jsonl", "--bot", "honest"]).out;
    assert!(analysis.contains("honest"), "{analysis}");
    scratch.run_ok(&["replay", "mine.jsonl", &numbers[0].to_string()]);
    for command in [
        &["verify", "mine.jsonl"][..],
        &["resume", "mine.jsonl"],
        &["hill", "import", "h.db", "mine.jsonl"],
    ] {
        scratch.run_refused(command, &["mine.jsonl: has only the games of honest"]);
    }
    // Each game is checked by itself.
    let altered = log.replacen("Liar!", "9 6,Liar!", 1);
    assert_ne!(altered, log);
    scratch.write("mine.jsonl", altered);
    let refused = scratch.run(&["analyze", "mine.jsonl"]);
    assert!(refused.code == 1 && refused.err.contains("mine.jsonl:"), "{refused:?}");
}
