//! Requests behind a proxy, and what one client may do at the same time.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use dicehill_web::RequestLimits;

use crate::support::{Served, wait_until};

/// A stream of a hill for a client behind the proxy, and the status of its response.
fn stream(served: &Served, forwarded: &str) -> (u16, BufReader<TcpStream>) {
    let host = served.address;
    let mut stream = served.connect();
    let head = format!(
        "GET /hills/spring/live HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-For: {forwarded}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("it is sent");
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).expect("it answers");
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("no status: {line}")), reader)
}

fn page(served: &Served, forwarded: &str) -> u16 {
    served.ask("GET", "/healthz", &format!("X-Forwarded-For: {forwarded}\r\n")).status()
}

#[test]
fn streams_of_one_client_are_bounded() {
    let served = Served::with(RequestLimits { streams_per_client: 2, ..RequestLimits::default() });
    let open = ["203.0.113.7", "198.51.100.1, 203.0.113.7"].map(|from| stream(&served, from));
    assert_eq!(open.each_ref().map(|(status, _)| *status), [200; 2]);
    assert_eq!(stream(&served, "203.0.113.7").0, 429);
    assert_eq!(stream(&served, "203.0.113.8, 203.0.113.7").0, 429, "a spoofed address");
    assert_eq!(page(&served, "203.0.113.7"), 200, "pages are no streams");
    assert_eq!(stream(&served, "203.0.113.8").0, 200, "another client");
    assert_eq!(stream(&served, "2001:db8::1").0, 200);
    drop(open);
    wait_until("closed streams are free again", || stream(&served, "203.0.113.7").0 == 200);
}

#[test]
fn requests_of_one_client_are_bounded() {
    let served =
        Served::with(RequestLimits { connections_per_client: 2, ..RequestLimits::default() });
    let open = [0; 2].map(|_| stream(&served, "203.0.113.7"));
    assert_eq!(open.each_ref().map(|(status, _)| *status), [200; 2]);
    assert_eq!(page(&served, "203.0.113.7"), 429);
    assert_eq!((page(&served, "203.0.113.8"), served.get("/healthz").status()), (200, 200));
    drop(open);
    wait_until("closed streams are free again", || page(&served, "203.0.113.7") == 200);
}

#[test]
fn each_request_names_one_host() {
    let served = Served::new();
    let host = served.address;
    let status = |target: &str, version: &str, headers: &str| {
        served
            .raw(format!("GET {target} {version}\r\nConnection: close\r\n{headers}\r\n").as_bytes())
            .status()
    };
    let named = format!("Host: {host}\r\n");
    for version in ["HTTP/1.1", "HTTP/1.0"] {
        assert_eq!(status("/healthz", version, &named), 200);
        assert_eq!(status(&format!("http://{host}/healthz"), version, &named), 200);
        assert_eq!(status("/healthz", version, ""), 400, "no host");
        assert_eq!(status("/healthz", version, &format!("{named}{named}")), 400, "two hosts");
        assert_eq!(status("/healthz", version, &format!("{named}Host: evil.org\r\n")), 400);
        assert_eq!(status("http://evil.org/healthz", version, &named), 400, "two different hosts");
        assert_eq!(status(&format!("http://{host}/healthz"), version, ""), 400);
        assert_eq!(status("/api/v1/hills", version, "Host: \r\n"), 400);
    }
}

#[test]
fn metrics_are_served_on_their_own_address_alone() {
    let served = Served::new();
    assert_eq!(served.get("/metrics").status(), 404);
    assert_eq!(served.ask("GET", "/metrics", "X-Forwarded-For: 127.0.0.1\r\n").status(), 404);
    let local = served.metrics.to_string();
    let metrics = served.ask_metrics("/metrics", &local);
    assert_eq!(metrics.status(), 200);
    assert!(metrics.body().contains("dicehill_requests_total"), "{}", metrics.body());
    assert_eq!(
        served.ask_metrics("/metrics", "evil.org").status(),
        403,
        "a page of a foreign name"
    );
    assert_eq!(served.ask_metrics("/", &local).status(), 404);
    assert_eq!(served.ask_metrics("/hills/spring", &local).status(), 404);
}
