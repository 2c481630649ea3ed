//! `open`: a recorded run or game on a page, without a hill.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use crate::support::Scratch;
use crate::support::running::{Running, send};

/// The address that the command prints, and the page there.
fn opened(scratch: &Scratch, arguments: &[&str]) -> (String, String) {
    let arguments = [&["open"], arguments, &["--no-browser"]].concat();
    let mut command = scratch.command(&arguments);
    let mut server = Running(command.stderr(Stdio::piped()).spawn().expect("the command starts"));
    let mut messages = BufReader::new(server.0.stderr.take().expect("it is a pipe"));
    let mut first = String::new();
    messages.read_line(&mut first).expect("it prints its address");
    let address = first.strip_prefix("http://").and_then(|rest| rest.split(' ').next());
    let address = address.unwrap_or_else(|| panic!("an address: {first}"));
    let (host, path) = address.split_once('/').expect("a page");
    let mut stream = TcpStream::connect(host).expect("it listens");
    let request = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut page = Vec::new();
    stream.read_to_end(&mut page).expect("it answers");
    send("-INT", &server.0);
    assert!(server.0.wait().expect("it ends").success());
    (format!("/{path}"), String::from_utf8_lossy(&page).into_owned())
}

#[test]
fn a_log_and_its_games_have_pages() {
    let scratch = Scratch::new();
    let run = [
        "run",
        "yahtzee",
        "greedy",
        "dummy",
        "--games",
        "4",
        "--seed",
        "s",
        "--out",
        "My run.jsonl",
    ];
    scratch.run_ok(&run);
    let (address, page) = opened(&scratch, &["My run.jsonl"]);
    assert_eq!(address, "/hills/my-run/runs/1");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("greedy"), "{page}");
    let (address, page) = opened(&scratch, &["My run.jsonl", "3"]);
    assert_eq!(address, "/hills/my-run/runs/1/games/3");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("dummy"), "{page}");
}

#[test]
fn a_run_of_a_hill_is_opened_in_place() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "4"]);
    scratch.run_ok(&["hill", "add", "h.db", "random", "dummy"]);
    let (address, page) = opened(&scratch, &["h.db"]);
    assert_eq!(address, "/hills/h/runs/1");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
}

/// It is not the hill's last run, and no result of it is stored.
#[test]
fn a_run_that_was_not_finished_has_a_page() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "4"]);
    scratch.run_ok(&["hill", "add", "h.db", "random", "dummy"]);
    let run = ["run", "yahtzee", "greedy", "dummy", "--games", "4", "--seed", "s", "--out", "log"];
    scratch.run_ok(&run);
    let log = scratch.read("log");
    let is_game = |line: &&str| line.starts_with("{\"type\":\"game\"");
    let games = log.lines().filter(is_game).count();
    // Without the last game and what follows it.
    let begun: Vec<_> = log.lines().take(games).collect();
    assert!(begun.last().is_some_and(is_game) && games > 1, "{log}");
    scratch.write("begun", begun.join("\n") + "\n");
    let imported = scratch.run_ok(&["hill", "import", "h.db", "begun"]).err;
    assert!(imported.contains("`dicehill open h.db#2` shows this one"), "{imported}");
    let (address, page) = opened(&scratch, &["h.db#2"]);
    assert_eq!(address, "/hills/h/runs/2");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("interrupted"), "{page}");
    assert!(page.contains("greedy") && !page.contains("random"), "{page}");
}

#[test]
fn a_game_that_is_not_there_is_refused() {
    let scratch = Scratch::new();
    let run = ["run", "yahtzee", "greedy", "dummy", "--games", "4", "--seed", "s", "--out", "log"];
    scratch.run_ok(&run);
    let output = scratch.run(&["open", "log", "99", "--no-browser"]);
    assert_eq!(output.code, 2, "{}", output.err);
    assert!(output.err.contains("99"), "{}", output.err);
    let log = scratch.read("log");
    let altered = log.replacen("\"won\":true", "\"won\":false", 1);
    assert_ne!(altered, log);
    scratch.write("altered", altered);
    assert_eq!(scratch.run(&["open", "altered", "--no-browser"]).code, 1);
}
