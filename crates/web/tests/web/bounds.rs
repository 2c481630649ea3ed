//! Limits on connections and requests.

use std::io::{Read, Write};
use std::time::Duration;

use dicehill_web::RequestLimits;

use crate::support::{Served, wait_until};

fn tight() -> Served {
    Served::with(RequestLimits {
        connections: 8,
        // Long enough for a request on a busy machine.
        header_time: Duration::from_secs(2),
        write_time: Duration::from_secs(2),
        ..RequestLimits::default()
    })
}

#[test]
fn floods_of_headers_are_refused() {
    let served = Served::new();
    let host = served.address;
    let many: String = (0..10_000).map(|number| format!("X-{number}: y\r\n")).collect();
    let long = format!("X-Long: {}\r\n", "y".repeat(1 << 20));
    for headers in [many, long] {
        let answer =
            served.raw(format!("GET / HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n").as_bytes());
        assert!([0, 400, 431].contains(&answer.status()), "{}", answer.head());
    }
    let endless = format!("GET /{} HTTP/1.1\r\n", "a".repeat(1 << 20));
    assert!([0, 400, 414, 431].contains(&served.raw(endless.as_bytes()).status()));
    assert_eq!(served.get("/healthz").body(), "ok\n");
}

#[test]
fn slow_requests_are_closed() {
    let served = tight();
    // As many connections as are allowed, each with half a request.
    let mut slow: Vec<_> = (0..8).map(|_| served.connect()).collect();
    for stream in &mut slow {
        stream.write_all(b"GET / HTTP/1.1\r\nHost:").expect("it is sent");
    }
    assert_eq!(served.get("/healthz").status(), 200, "connections are accepted again");
    for mut stream in slow {
        let mut rest = Vec::new();
        let _reset = stream.read_to_end(&mut rest);
        assert!(
            !String::from_utf8_lossy(&rest).contains(" 200 "),
            "its request was never complete"
        );
    }
}

#[test]
fn idle_connections_are_closed() {
    let served = tight();
    let host = served.address;
    let mut idle = served.connect();
    write!(idle, "GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("it is sent");
    let mut bytes = Vec::new();
    let _reset = idle.read_to_end(&mut bytes);
    assert!(String::from_utf8_lossy(&bytes).ends_with("ok\n"), "it is answered, and then closed");
}

#[test]
fn connections_that_do_not_read_are_closed() {
    let served = tight();
    let host = served.address;
    // More responses than the socket buffers hold.
    let request = format!("GET /hills/spring HTTP/1.1\r\nHost: {host}\r\n\r\n").repeat(2000);
    let mut stuck: Vec<_> = (0..8).map(|_| served.connect()).collect();
    for stream in &mut stuck {
        stream.set_write_timeout(Some(Duration::from_millis(200))).expect("a time");
        let _full = stream.write_all(request.as_bytes());
    }
    wait_until("connections are accepted again", || served.get("/healthz").status() == 200);
}

#[test]
fn bodies_are_bounded() {
    let served = Served::new();
    let host = served.address;
    for path in ["/hills/spring", "/api/v1/hills"] {
        let length = 1 << 30;
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
        );
        let answer = served.raw(head.as_bytes());
        assert!([405, 413].contains(&answer.status()), "{path}: {}", answer.head());
    }
}

#[test]
fn no_path_leaves_the_assets() {
    let served = Served::new();
    let canary = "a text that must not be served";
    std::fs::write(served.folder().join("canary.txt"), canary).expect("it can be written");
    let outside = served.folder().join("canary.txt").display().to_string();
    let paths = [
        "/assets/x/../../canary.txt".to_owned(),
        "/assets/x/..%2F..%2Fcanary.txt".to_owned(),
        "/assets/x/%2e%2e/canary.txt".to_owned(),
        format!("/assets/x/{}", outside.replace('/', "%2F")),
        format!("/hills/{}", outside.replace('/', "%2F")),
        "/hills/..%2Fcanary.txt".to_owned(),
        "/hills/spring/runs/1/bots/..%2F..%2Fcanary.txt".to_owned(),
        "//canary.txt".to_owned(),
        "/hills/spring%00.db".to_owned(),
    ];
    for path in paths {
        let answer = served.get(&path);
        assert!((400..500).contains(&answer.status()), "{path}: {}", answer.head());
        assert!(!answer.body().contains(canary), "{path}");
    }
}
