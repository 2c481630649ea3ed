//! `serve`: the line with its address, and its log.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use crate::support::running::{Running, send};
use crate::support::{Scratch, hill};

/// What a server prints until it is interrupted, after a request for a page that is not there: the line with the address,
/// and the log.
fn served(filter: &[&str]) -> (String, Vec<String>) {
    served_at("127.0.0.1:0", filter)
}

/// The same of a server that listens on this address.
fn served_at(listen: &str, filter: &[&str]) -> (String, Vec<String>) {
    let scratch = Scratch::new();
    scratch.write("h.toml", hill("game = \"yahtzee\"", &["dummy", "random"]));
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    let arguments = [&["serve", "h.db", "--listen", listen], filter].concat();
    let mut server = Running(scratch.command(&arguments).spawn().expect("the command starts"));
    let mut messages = BufReader::new(server.0.stderr.take().expect("it is a pipe"));
    let mut first = String::new();
    messages.read_line(&mut first).expect("it prints its address");
    let address = first.strip_prefix("http://").and_then(|rest| rest.split(' ').next());
    let mut stream =
        TcpStream::connect(address.expect("the address comes first")).expect("it listens");
    let request = "GET /hills/not-here HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).expect("it reads");
    stream.read_to_end(&mut Vec::new()).expect("it answers");
    send("-INT", &server.0);
    let log = messages.lines().map(|line| line.expect("the log is text")).collect();
    (first, log)
}

#[track_caller]
fn assert_has(log: &[String], words: &[&str]) {
    let has_all = |line: &&String| words.iter().all(|word| line.contains(word));
    assert!(log.iter().any(|line| has_all(&line)), "{words:?}: {log:#?}");
}

#[test]
fn the_log_follows_the_address() {
    let (first, log) = served(&[]);
    assert!(first.ends_with(" - Ctrl-C ends it\n"), "{first}");
    assert_has(&log, &[" INFO ", "the server has started", "it only shows its hills"]);
    assert_has(&log, &[" INFO ", "following the hill", "hill=\"h\"", "file=h.db"]);
    assert_has(&log, &[" INFO ", "the server ends"]);
    // Neither colours outside a terminal, nor requests that were refused.
    assert!(!log.iter().any(|line| line.contains('\x1b') || line.contains("refused")), "{log:#?}");
}

#[test]
fn every_address_of_the_machine_is_printed_as_one_that_works() {
    // The request of `served_at` goes to the printed address.
    let (first, log) = served_at("0.0.0.0:0", &["--log", "off"]);
    assert!(first.starts_with("http://127.0.0.1:"), "{first}");
    assert_has(&log, &["listening on 0.0.0.0:", "every address of this machine", "HTTPS proxy"]);
}

#[test]
fn a_filter_chooses_what_is_logged() {
    let (_, log) = served(&["--log", "warn,dicehill_web::server=debug"]);
    assert_has(&log, &["DEBUG ", "a request was refused", "method=GET", "{hill}", "code=404"]);
    assert!(!log.iter().any(|line| line.contains("not-here")), "the path is private: {log:#?}");
    let (_, log) = served(&["--log", "off"]);
    assert_eq!(log, [""; 0]);
}

#[test]
fn a_word_that_is_no_level_is_refused() {
    for (filter, wrong) in [("loud", "`loud`"), ("info,dicehill_web", "`dicehill_web`")] {
        let output = Scratch::new().run(&["serve", "--log", filter]);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{}", output.err);
        assert!(output.err.contains(&format!("{wrong} is not a level")), "{}", output.err);
    }
    let output = Scratch::new().run(&["serve", "--log", "dicehill_web=loud"]);
    assert_eq!((output.code, output.out.as_str()), (2, ""), "{}", output.err);
}

/// The last connection moves the write-ahead log into the file, so that a copy of it is whole.
#[test]
fn the_end_of_a_server_leaves_one_file() {
    let scratch = Scratch::new();
    scratch.write("h.toml", hill("game = \"yahtzee\"\ngames = 4", &["dummy", "random"]));
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    let command = scratch.command(&["serve", "h.db", "--listen", "127.0.0.1:0"]).spawn();
    let mut server = Running(command.expect("the command starts"));
    let mut messages = BufReader::new(server.0.stderr.take().expect("it is a pipe"));
    messages.read_line(&mut String::new()).expect("it prints its address");
    scratch.run_ok(&["hill", "add", "h.db", "greedy"]);
    assert!(scratch.path("h.db-wal").exists(), "the server has the hill open");
    send("-INT", &server.0);
    messages.read_to_end(&mut Vec::new()).expect("it ends");
    assert!(server.0.wait().expect("it is ours").success());
    for left in ["h.db-wal", "h.db-shm"] {
        assert!(!scratch.path(left).exists(), "{left}");
    }
}
