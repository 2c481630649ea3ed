//! Many simultaneous visitors, without a browser: all of them are served, and all see the end of the run.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use crate::browser::hills;
use crate::browser::test_server::TestServer;

/// Viewers of the live board.
const VIEWERS: u64 = 20;
/// Readers of other pages.
const READERS: u64 = 4;
/// Pages that each reader requests.
const PAGES: u64 = 100;

/// A connection for consecutive requests.
struct Visitor {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Visitor {
    fn new(server: &TestServer) -> Self {
        let stream = TcpStream::connect(server.host()).expect("the server takes everybody");
        let timeout = Some(Duration::from_secs(120));
        stream.set_read_timeout(timeout).expect("a socket can be set so");
        Self { stream: BufReader::new(stream), host: server.host().to_owned() }
    }

    /// Sends a request and reads up to the body; returns the length of the body, if it is given.
    fn send_request(&mut self, path: &str, headers: &str) -> Option<usize> {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", self.host);
        self.stream.get_mut().write_all(request.as_bytes()).expect("the server listens");
        let status = self.line();
        assert!(status.starts_with("HTTP/1.1 200 "), "{path}: {status}");
        let mut length = None;
        loop {
            let header = self.line().to_ascii_lowercase();
            if header.is_empty() {
                return length;
            }
            if let Some(number) = header.strip_prefix("content-length: ") {
                length = Some(number.parse().expect("a length"));
            }
        }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("the server answers");
        line.trim_end().to_owned()
    }

    fn get(&mut self, path: &str, headers: &str) -> Vec<u8> {
        let length = self.send_request(path, headers).expect("pages have a length");
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("the whole page comes");
        body
    }
}

#[test]
fn many_visitors_are_served_during_a_run() {
    let server = TestServer::new(&["live.db", "yahtzee.db"], |scratch| {
        hills::live(scratch);
        hills::yahtzee(scratch);
    });
    thread::scope(|scope| {
        for _ in 0..VIEWERS {
            scope.spawn(|| watch(&server));
        }
        let mut run = server.start(&hills::LIVE_RUN);
        for reader in 0..READERS {
            let server = &server;
            scope.spawn(move || read_pages(server, reader));
        }
        run.wait_for_success();
    });
    server.expect_no_warnings();
}

/// Fetches the board after each event, until the run has ended.
fn watch(server: &TestServer) {
    let mut events = Visitor::new(server);
    let mut pages = Visitor::new(server);
    events.send_request("/hills/live/live", "");
    loop {
        if events.line().starts_with("data:") {
            let board = pages.get("/hills/live/now", "");
            let board = String::from_utf8(board).expect("pages are UTF-8");
            if board.contains("data-state=\"ended\"") {
                return assert!(board.contains("Champion:"), "{board}");
            }
        }
    }
}

/// Requests pages in a pseudorandom order, half of them compressed.
fn read_pages(server: &TestServer, reader: u64) {
    let paths = ["/", "/hills/live", "/hills/yahtzee", "/hills/yahtzee/runs/1", "/healthz"];
    let mut visitor = Visitor::new(server);
    for page in 0..PAGES {
        let random = (reader * PAGES + page).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let path = paths[random as usize % paths.len()];
        let headers = if random & 32 == 0 { "" } else { "Accept-Encoding: gzip\r\n" };
        let body = visitor.get(path, headers);
        assert!(!body.is_empty(), "{path}");
        let is_compressed = body.starts_with(&[0x1f, 0x8b]);
        assert!(
            !is_compressed || !headers.is_empty(),
            "{path} is compressed without being asked for"
        );
    }
}
