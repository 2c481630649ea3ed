//! What a server tells those who do not look at its pages, and those who watch over it.

use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use super::*;

/// A receiver of news, which takes them at the second attempt.
fn receiver() -> (SocketAddr, Receiver<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it listens");
    let (sender, received) = channel();
    std::thread::spawn(move || {
        for (attempt, stream) in listener.incoming().map_while(Result::ok).enumerate() {
            let mut reader = BufReader::new(stream);
            let (mut head, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).expect("a head");
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().expect("a number");
                }
                if line.trim().is_empty() {
                    break;
                }
                head.push_str(&line.to_lowercase());
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).expect("a body");
            let status = if attempt == 0 { "503 Busy" } else { "200 OK" };
            let answer =
                format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            reader.get_mut().write_all(answer.as_bytes()).expect("it reads");
            let body = parse_json(&String::from_utf8(body).expect("UTF-8"));
            if sender.send((head, body)).is_err() {
                return;
            }
        }
    });
    (address, received)
}

#[test]
fn an_ended_run_is_news_in_a_feed_a_post_and_a_webhook_that_is_tried_again() {
    let (scratch, _) = hill_with_token("10");
    scratch.write("secret", "a secret of the host\n");
    let (address, news) = receiver();
    let hook = format!("http://{address}/hook");
    let options =
        ["--webhook", &hook, "--webhook-secret", "secret", "--origin", "https://h.example"];
    let server = Server::start_with(&scratch, &options, &[]);
    // What ended before is no news.
    scratch.run_ok(&["hill", "add", "h.db", "greedy"]);
    let attempts: Vec<_> =
        (0..2).map(|_| news.recv_timeout(PATIENCE).expect("the news of a run")).collect();
    assert_eq!(attempts[0], attempts[1], "the same is sent again");
    let (head, body) = &attempts[0];
    assert!(head.contains("x-dicehill-delivery: h-2\r\n"), "{head}");
    let signature =
        head.lines().find_map(|line| line.strip_prefix("x-dicehill-signature: sha256="));
    assert_eq!(signature.map(str::len), Some(64), "{head}");
    assert_eq!((&body["schema"], &body["run"]), (&"dicehill.news/1".into(), &2.into()));
    assert_eq!(body["url"], "https://h.example/hills/h/runs/2");
    let kinds: Vec<_> =
        body["items"].as_array().expect("items").iter().map(|item| &item["kind"]).collect();
    assert!(kinds.contains(&&"run".into()) && kinds.contains(&&"new-entrant".into()), "{body:#}");
    let post = body["post"].as_str().expect("a post").to_owned();
    assert!(post.starts_with("## h, run 2\n") && post.contains("| greedy |"), "{post}");

    let (status, text) = server.request("GET /hills/h/runs/2/post.md", b"");
    assert_eq!((status, text), (200, post));
    let (status, feed) = server.request("GET /hills/h/feed.atom", b"");
    assert!(
        status == 200 && feed.contains("<id>https://h.example/hills/h/runs/2#run-</id>"),
        "{feed}"
    );
    assert!(feed.contains("greedy has played for the first time"), "{feed}");
    // The server notes it after the answer.
    let noted = Instant::now();
    while scratch.read("h.webhook") != "2\n" {
        assert!(noted.elapsed() < PATIENCE, "{}", scratch.read("h.webhook"));
        std::thread::sleep(Duration::from_millis(20));
    }
    server.shut_down();

    // A server that was started again sends nothing twice.
    let server = Server::start_with(&scratch, &options, &[]);
    scratch.run_ok(&["hill", "run", "h.db"]);
    let (head, _) = news.recv_timeout(PATIENCE).expect("the news of the next run");
    assert!(head.contains("x-dicehill-delivery: h-3\r\n"), "{head}");
    server.shut_down();
}

#[test]
fn a_server_says_whether_it_can_do_its_work() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("10");
    let server = Server::start(&scratch);
    assert_eq!(server.request("GET /readyz", b""), (200, "ready\n".to_owned()));
    server.shut_down();
    let server = Server::start_with(&scratch, &["--min-free-disk", "4294967295"], &[]);
    let (status, text) = server.request("GET /readyz", b"");
    assert!(status == 503 && text.contains("h: the disk for the hill has"), "{text}");
    let head = format!(
        "POST /api/v1/hills/h/entries HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\nContent-Type: multipart/form-data; boundary=edge\r\nContent-Length: 10\r\n\r\n--edge--\r\n",
        server.address
    );
    let mut stream = TcpStream::connect(server.address).expect("it listens");
    stream.write_all(head.as_bytes()).expect("it reads");
    let (status, text) = read_response(stream);
    assert!(status == 507 && text.contains("nearly full"), "{status} {text}");
    server.shut_down();
}

#[test]
fn the_log_is_also_for_programs_and_for_journald() {
    let (scratch, _) = hill_with_token("10");
    let log = |format: &str, variable: &str| {
        let words = ["serve", "h.db", "--listen", "127.0.0.1:0", "--log-format", format];
        let words = if format.is_empty() { &words[..4] } else { &words[..] };
        let mut command = scratch.command(words);
        let mut child = command.env("JOURNAL_STREAM", variable).spawn().expect("it starts");
        let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let lines: Vec<_> = lines.take(2).map(|line| line.expect("a line")).collect();
        let _ended = child.kill();
        let _gone = child.wait();
        <[String; 2]>::try_from(lines).expect("two lines")
    };
    let [address, start] = log("json", "").map(|line| parse_json(&line));
    let message = |line: &Value| line["fields"]["message"].as_str().expect("a text").to_owned();
    assert!(message(&address).starts_with("http://127.0.0.1:"), "{address}");
    assert_eq!(
        (&start["level"], message(&start)),
        (&"INFO".into(), "the server has started".into())
    );
    let [address, start] = log("journal", "");
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    assert!(start.starts_with("<6>dicehill_web::server::listener: the server has started"));
    assert!(log("", "8:1234")[1].starts_with("<6>"), "systemd names its stream");
}
