//! Requests with forms, fuzzed through the whole server: none fails by the server's fault or shows a path of the host.
//!
//! An input is a request as it is sent, with `\n` after each line of its head, and `TOKEN` where the server puts a token.

use std::cell::RefCell;
use std::path::Path as FilePath;
use std::time::Duration;

use dicehill_fuzz::FuzzTarget;
use tokio::runtime::Runtime;

use super::*;

/// Tokens of a server. Each takes ten uploads at once.
const TOKENS: u8 = 12;
/// Requests to a server, of which each may be an upload.
const REQUESTS: usize = 36;

/// A server and what has been sent to it.
struct FuzzedServer {
    server: TestServer,
    tokens: Vec<String>,
    requests: usize,
}

impl FuzzedServer {
    fn new() -> Self {
        // Clients behind a proxy do not share the limit on wrong tokens.
        let server = TestServer::new(|config| {
            config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
        });
        let tokens = (0..TOKENS).map(|one| server.token(one, &TokenTerms::default())).collect();
        Self { server, tokens, requests: 0 }
    }

    fn token(&self) -> &str {
        &self.tokens[self.requests % usize::from(TOKENS)]
    }

    /// The request that an input describes; `None` if no HTTP request can be like that.
    fn request(&self, input: &[u8]) -> Option<Request<Body>> {
        let input = replaced(input, b"TOKEN", self.token().as_bytes());
        let end = input.windows(2).position(|end| end == b"\n\n")?;
        let (head, body) = (&input[..end], input[end + 2..].to_vec());
        let mut lines = head.split(|byte| *byte == b'\n');
        let mut words = lines.next()?.split(|byte| *byte == b' ');
        let mut request = Request::builder().method(words.next()?).uri(words.next()?);
        for line in lines {
            let colon = line.iter().position(|byte| *byte == b':')?;
            request = request.header(&line[..colon], line[colon + 1..].trim_ascii());
        }
        let client = format!("192.0.2.{}", self.requests % 250);
        request.header("x-forwarded-for", client).body(Body::from(body)).ok()
    }

    async fn send(&mut self, input: &[u8]) -> String {
        let Some(mut request) = self.request(input) else { return "no request".to_owned() };
        self.requests += 1;
        let host = HeaderValue::from_static("localhost:9");
        request.headers_mut().entry("host").or_insert(host);
        let path = request.uri().path().to_owned();
        let response = router(&self.server.site).oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let kind = headers.get("content-type").map_or(&[][..], HeaderValue::as_bytes);
        assert!(!status.is_server_error(), "{path}: {status}");
        if kind.starts_with(b"text/event-stream") {
            return "a stream".to_owned();
        }
        let bytes = to_bytes(response.into_body(), 1 << 20).await.expect("it is bounded");
        let text = String::from_utf8_lossy(&bytes);
        for secret in ["/tmp", "/dev/shm", "/nowhere", self.token()] {
            // A page may quote what the client has sent, but for the token.
            let is_sent = secret.starts_with('/') && contains(input, secret);
            assert!(is_sent || !text.contains(secret), "{path}: {text}");
        }
        if status.is_success() { status.to_string() } else { format!("{status} {text}") }
    }
}

fn contains(input: &[u8], part: &str) -> bool {
    input.windows(part.len()).any(|window| window == part.as_bytes())
}

fn replaced(input: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut left = input;
    let mut text = Vec::new();
    while let Some(place) = left.windows(from.len()).position(|window| window == from) {
        text.extend_from_slice(&left[..place]);
        text.extend_from_slice(to);
        left = &left[place + from.len()..];
    }
    text.extend_from_slice(left);
    text
}

const HEAD: &str = "authorization: Bearer TOKEN\ncontent-type: multipart/form-data; boundary=edge";
const FILE: &str = "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"mine.py\"\r\n\
    Content-Type: text/x-python\r\n\r\nimport sys\n\r\n";
const NAME: &str = "--edge\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nOther\r\n";
const TOKEN: &str = "--edge\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nTOKEN\r\n";

fn seeds() -> Vec<Vec<u8>> {
    let page = "origin: http://localhost:9";
    let form = "content-type: application/x-www-form-urlencoded";
    let json = "content-type: application/json";
    let manifest = "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename*=utf-8''b%C3%A9.toml\r\n\
        \r\nname = \"X\"\r\n";
    [
        format!("POST /api/v1/hills/spring/entries\n{HEAD}\n\n{FILE}--edge--\r\n"),
        format!("POST /api/v1/hills/spring/entries\n{HEAD}\n\n{NAME}{FILE}--edge--\r\n"),
        format!("POST /api/v1/hills/spring/entries\n{HEAD}\n\n{manifest}--edge--\r\n"),
        format!("POST /hills/spring/entries\n{page}\n{HEAD}\n\n{TOKEN}{NAME}{FILE}--edge--\r\n"),
        format!("POST /play\n{page}\n{form}\n\ngame=yahtzee&rules=official&name=A+%C3%A9&seat2=greedy"),
        format!("POST /play\n{page}\n{form}\n\ngame=liars-dice&seed=s&seat2=honest&seat3=person"),
        format!("POST /api/v1/tables\n{json}\n\n{{\"game\":\"yahtzee\",\"opponents\":[\"dummy\"],\"people\":1}}"),
        format!("POST /api/v1/tables/00112233445566778899aabbccddeeff/seats\n{json}\n\n{{\"name\":\"A\"}}"),
        format!("POST /api/v1/tables/00112233445566778899aabbccddeeff/actions\n{json}\n\n{{\"turn\":1}}"),
        "GET /hills/spring/entries?from=1\n\n".to_owned(),
        "GET /hills/spring/entries/1\naccept-encoding: gzip\n\n".to_owned(),
        "GET /hills/spring/entries/1/live?from=1\nlast-event-id: 7\n\n".to_owned(),
        "GET /api/v1/hills/spring/runs/1/games?bot=a%20b&from=1\nif-none-match: \"x\"\n\n".to_owned(),
        "GET /hills/spring/runs/1/bots/%F0%9F%8E%B2\ncookie: a=b; seat-0=1\n\n".to_owned(),
    ]
    .map(String::into_bytes)
    .into()
}

#[test]
fn forms() {
    let corpus = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpora/form");
    let runtime = Runtime::new().unwrap();
    let fuzzed = RefCell::new(None::<FuzzedServer>);
    FuzzTarget { name: "form", corpus, seeds: seeds(), cases: 60 }.check(|input| {
        runtime.block_on(async {
            // A panic leaves the server behind.
            let server = fuzzed.take().filter(|server| server.requests < REQUESTS);
            let mut server = server.unwrap_or_else(FuzzedServer::new);
            let sent = tokio::time::timeout(Duration::from_secs(60), server.send(input)).await;
            fuzzed.replace(Some(server));
            sent.expect("every request has its end")
        })
    });
}
