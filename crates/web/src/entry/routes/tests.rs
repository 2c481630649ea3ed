//! Who may bring a bot by the web, as the whole server answers.

use std::path::PathBuf;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use dicehill_arena::FormatName;
use dicehill_store::{EntryState, HillRecord, HillStore, SecretToken, TokenTerms};
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

use super::*;
use crate::Limits;
use crate::entry::door::Door;
use crate::hills::Hills;

/// A server with one hill, on which no command can be started: what comes in is not qualified.
struct Stage {
    folder: TempDir,
    site: Site,
}

/// What a server answered.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

fn config(hill: PathBuf) -> Config {
    Config {
        hills: vec![hill],
        listen: "127.0.0.1:0".parse().unwrap(),
        origins: Vec::new(),
        accept: true,
        missing: Vec::new(),
        program: "/nowhere/dicehill".into(),
        limits: Limits { upload_bytes: 100_000, ..Limits::default() },
    }
}

impl Stage {
    fn new(change: impl FnOnce(&mut Config)) -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("spring.db");
        let record = HillRecord {
            name: "spring".to_owned(),
            game: "yahtzee".parse().unwrap(),
            rules: "official".to_owned(),
            format: FormatName::Challenge,
            seats: None,
            challenger: None,
            strengths: None,
            games: 100,
            memory: Default::default(),
            limits: Default::default(),
            seed: None,
            until: None,
        };
        HillStore::create(&path, &record).unwrap();
        let mut config = config(path);
        change(&mut config);
        let hills = Hills::open(&config.hills).unwrap();
        let door = Door::open(&config, &hills).unwrap();
        Self { folder, site: Site::new(config, hills, door) }
    }

    fn book(&self) -> EntryBook {
        EntryBook::open(&self.folder.path().join("spring.db")).unwrap()
    }

    fn token(&self, number: u8, terms: TokenTerms) -> String {
        let token = SecretToken::new([number; 32]);
        self.book().add_token(&token, &terms).unwrap();
        token.reveal().to_owned()
    }

    async fn ask(&self, request: Request<Body>) -> Answer {
        let answer = crate::server::router(&self.site).oneshot(request).await.unwrap();
        let (status, headers) = (answer.status(), answer.headers().clone());
        let bytes = to_bytes(answer.into_body(), 1 << 20).await.unwrap();
        Answer { status, headers, text: String::from_utf8(bytes.to_vec()).unwrap() }
    }

    async fn get(&self, path: &str) -> Answer {
        self.ask(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// Sends a form as a program does, with the token in the header.
    async fn post(&self, token: Option<&str>, fields: &[Field<'_>]) -> Answer {
        let mut request = Request::post("/api/v1/hills/spring/entries");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        self.ask(with_form(request, fields)).await
    }

    /// Sends a form as a browser does, from a page of this origin.
    async fn submit(&self, origin: &str, fields: &[Field<'_>]) -> Answer {
        let request = Request::post("/hills/spring/entries");
        let request = request.header("host", "localhost:9").header("origin", origin);
        self.ask(with_form(request, fields)).await
    }

    fn entries(&self) -> usize {
        self.book().entries(100).unwrap().len()
    }
}

/// A field of a form: its name, the file's name, its content.
type Field<'a> = (&'a str, Option<&'a str>, &'a [u8]);

fn with_form(request: axum::http::request::Builder, fields: &[Field<'_>]) -> Request<Body> {
    let mut body = Vec::new();
    for (name, file, content) in fields {
        let file = file.map_or(String::new(), |file| format!("; filename=\"{file}\""));
        body.extend(
            format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n")
                .bytes(),
        );
        body.extend_from_slice(content);
        body.extend(b"\r\n");
    }
    body.extend(b"--edge--\r\n");
    let request = request.header("content-type", "multipart/form-data; boundary=edge");
    request.body(Body::from(body)).unwrap()
}

const BOT: Field<'_> = ("file", Some("mine.py"), b"import sys\n");

impl Answer {
    #[track_caller]
    fn is(&self, status: u16, part: &str) {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        assert!(self.text.contains(part), "{part:?} is not in {}", self.text);
    }
}

#[tokio::test]
async fn who_has_a_token_comes_in() {
    let stage = Stage::new(|_| {});
    let token = stage.token(1, TokenTerms::default());
    let taken = stage.post(Some(&token), &[BOT]).await;
    taken.is(201, "\"bot\":\"mine\"");
    assert_eq!(taken.headers["location"], "/api/v1/hills/spring/entries/1");
    let form = [("token", None, token.as_bytes()), ("name", None, b"Other"), BOT];
    let taken = stage.submit("http://localhost:9", &form).await;
    taken.is(303, "");
    assert_eq!(taken.headers["location"], "/hills/spring/entries/2");
    stage.get("/hills/spring/entries").await.is(200, "Other");
    let list: Value =
        serde_json::from_str(&stage.get("/api/v1/hills/spring/entries").await.text).unwrap();
    assert_eq!(
        (&list["entries"][0]["id"], &list["entries"][0]["bot"]),
        (&2.into(), &"Other".into())
    );
    stage.get("/hills/spring/entries/1").await.is(200, "Entry 1");
    stage.get("/hills/spring/entries/3").await.is(404, "no entry 3");
    assert_eq!(stage.book().tokens().unwrap()[0].used, 2);
}

#[tokio::test]
async fn who_has_none_does_not() {
    let stage = Stage::new(|_| {});
    let unknown = SecretToken::new([9; 32]);
    let expired = stage.token(1, TokenTerms { expires: Some(1), ..TokenTerms::default() });
    let revoked = stage.token(2, TokenTerms::default());
    stage.book().revoke(2).unwrap();
    let once = stage.token(3, TokenTerms { uses: Some(1), ..TokenTerms::default() });
    stage.post(Some(&once), &[BOT]).await.is(201, "");
    stage.post(None, &[BOT]).await.is(403, "a token of this hill is needed");
    stage.post(Some("dh_x"), &[BOT]).await.is(403, "knows no such token");
    for (token, why) in [
        (unknown.reveal(), "knows no such token"),
        (&expired, "has expired"),
        (&revoked, "was revoked"),
        (&once, "is used up"),
    ] {
        let refused = stage.post(Some(token), &[BOT]).await;
        refused.is(403, why);
        assert!(!refused.text.contains(token), "it is in no message");
    }
    let program = [("token", None, once.as_bytes()), BOT];
    stage.post(None, &program).await.is(403, "Authorization");
    let late = [BOT, ("token", None, once.as_bytes())];
    stage.submit("http://localhost:9", &late).await.is(403, "before the file");
    assert_eq!(stage.entries(), 1);
}

#[tokio::test]
async fn other_pages_bring_nothing() {
    let stage = Stage::new(|_| {});
    let token = stage.token(1, TokenTerms::default());
    let form = [("token", None, token.as_bytes()), BOT];
    for origin in ["http://evil.org", "null", "http://localhost:8"] {
        stage.submit(origin, &form).await.is(403, "a page of another server");
    }
    let foreign = Request::get("/hills/spring/entries").header("host", "evil.org");
    stage.ask(foreign.body(Body::empty()).unwrap()).await.is(403, "not known by the name");
    assert_eq!(stage.entries(), 0);
}

#[tokio::test]
async fn a_server_that_only_shows_takes_nothing() {
    let shows = Stage::new(|config| config.accept = false);
    let token = shows.token(1, TokenTerms::default());
    shows.post(Some(&token), &[BOT]).await.is(403, "takes no bots in");
    shows.post(None, &[]).await.is(403, "takes no bots in");
    let form = [("token", None, token.as_bytes()), BOT];
    shows.submit("http://localhost:9", &form).await.is(403, "takes no bots in");
    shows.get("/hills/spring/enter").await.is(200, "No bots come in here");
    let unsafe_machine = Stage::new(|config| config.missing = vec!["no network".to_owned()]);
    let token = unsafe_machine.token(1, TokenTerms::default());
    unsafe_machine.post(Some(&token), &[BOT]).await.is(403, "cannot keep strangers");
    unsafe_machine.get("/hills/spring/enter").await.is(200, "cannot keep strangers");
    assert_eq!(shows.entries() + unsafe_machine.entries(), 0);
}

#[tokio::test]
async fn an_upload_is_bounded_and_whole() {
    let stage = Stage::new(|_| {});
    let token = |number| stage.token(number, TokenTerms::default());
    let [one, two, three] = [token(1), token(2), token(3)];
    let large = vec![b'x'; 100_001];
    stage.post(Some(&one), &[("file", Some("a.py"), &large)]).await.is(413, "larger than");
    let larger = vec![b'x'; 300_000];
    stage.post(Some(&one), &[("file", Some("a.py"), &larger)]).await.is(413, "larger than");
    stage.post(Some(&one), &[]).await.is(400, "there is no file");
    stage.post(Some(&two), &[BOT, BOT]).await.is(400, "one file");
    stage.post(Some(&two), &[("name", None, &[b'x'; 401]), BOT]).await.is(413, "longer than");
    stage.post(Some(&two), &[("other", None, b""), BOT]).await.is(400, "nothing else");
    let request = Request::post("/api/v1/hills/spring/entries")
        .header("authorization", format!("Bearer {three}"));
    stage.ask(request.body(Body::from("x")).unwrap()).await.is(400, "");
    let request = Request::post("/api/v1/hills/spring/entries")
        .header("authorization", format!("Bearer {three}"))
        .header("content-type", "multipart/form-data; boundary=edge");
    stage
        .ask(request.body(Body::from("--edge\r\nContent")).unwrap())
        .await
        .is(400, "no whole form");
    assert_eq!(stage.entries(), 0);
    assert_eq!(stage.get("/api/v1/hills/autumn/entries").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_is_no_bot_of_its_own_is_refused() {
    let stage = Stage::new(|_| {});
    let zip = |toml: &str| {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, content) in [("bot.toml", toml), ("mine.py", "import sys\n")] {
            writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut writer, content.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    };
    let command = "command = [\"python3\", \"mine.py\"]";
    let tries = [
        (format!("name = \"X\"\n{command}\nread = [\"/etc\"]"), "only a hill file says"),
        (format!("name = \"X\"\n{command}\nvotes = 7"), "entered by the host"),
        ("name = \"X\"\nhouse = \"greedy\"".to_owned(), "a house bot needs no upload"),
        ("name = \"X\"\ncommand = [\"/bin/sh\"]".to_owned(), "leads out of the bot's folder"),
        (format!("name = \"X\"\n{command}\ndir = \"..\""), "leads out of the bot's folder"),
        ("name = \"X\"\njava = \"../x.jar\"".to_owned(), "leads out of the bot's folder"),
        (format!("name = \"a\\u202eb\"\n{command}"), "unprintable"),
        (format!("name = \"X\"\n{command}\nlimits = 3"), "unknown"),
        ("name".to_owned(), "bot.toml:1"),
    ];
    for (number, (toml, why)) in tries.iter().enumerate() {
        let token = stage.token(number as u8, TokenTerms::default());
        let refused = stage.post(Some(&token), &[("file", Some("x.zip"), &zip(toml))]).await;
        refused.is(400, why);
        assert!(!refused.text.contains("/tmp"), "no path of the machine: {}", refused.text);
    }
    let token = stage.token(100, TokenTerms::default());
    let named = [
        ("name", None, &b"Y"[..]),
        ("file", Some("x.zip"), &zip(&format!("name = \"X\"\n{command}"))),
    ];
    stage.post(Some(&token), &named).await.is(400, "that its name is");
    stage
        .post(Some(&token), &[("file", Some("notes.txt"), b"hello")])
        .await
        .is(400, "what is to be started");
    assert_eq!(stage.entries(), 0);
}

#[tokio::test]
async fn names_and_reports_are_shown_as_they_are() {
    let stage = Stage::new(|_| {});
    let token = stage.token(1, TokenTerms::default());
    let name = "<b onclick='x'>&";
    stage.post(Some(&token), &[("name", None, name.as_bytes()), BOT]).await.is(201, "");
    let mut book = stage.book();
    book.set_report(1, "</pre><script>alert(1)</script>\u{202e}\n").unwrap();
    book.set_state(1, EntryState::Done).unwrap();
    let page = stage.get("/hills/spring/entries/1").await;
    page.is(200, "&lt;b onclick='x'&gt;&amp;");
    page.is(200, "&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}");
    assert!(!page.text.contains("<b onclick") && !page.text.contains("style="));
}

#[tokio::test]
async fn guessing_and_flooding_are_slowed_down() {
    let stage = Stage::new(|_| {});
    for number in 0..10 {
        let wrong = SecretToken::new([number; 32]);
        stage.post(Some(wrong.reveal()), &[BOT]).await.is(403, "no such token");
    }
    let token = stage.token(100, TokenTerms::default());
    stage.post(Some(&token), &[BOT]).await.is(429, "too many wrong tokens");
    let stage = Stage::new(|_| {});
    let token = stage.token(1, TokenTerms::default());
    for _ in 0..3 {
        stage.post(Some(&token), &[BOT]).await.is(201, "");
    }
    stage.post(Some(&token), &[BOT]).await.is(429, "too many uploads");
}

#[tokio::test]
async fn a_report_is_told_as_it_comes() {
    let stage = Stage::new(|_| {});
    let token = stage.token(1, TokenTerms::default());
    stage.post(Some(&token), &[BOT]).await.is(201, "");
    // The command cannot be started: the stream tells so, and ends.
    let events = stage.get("/hills/spring/entries/1/live").await;
    events.is(200, "could not start the command");
    events.is(200, "\"state\":\"failed\"");
    assert_eq!(events.headers["content-type"], "text/event-stream");
    assert!(!events.text.contains("/nowhere"));
    let known = stage.get("/hills/spring/entries/1/live?from=1").await;
    known.is(200, "\"from\":1,\"new\":[]");
}
