//! Who may upload a bot, tested through the whole server.

mod accounts;
mod fuzz;

use std::path::PathBuf;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Request, StatusCode};
use dicehill_arena::{BotName, HillDraft};
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{
    BotKind, EntryKey, EntryState, EntryStore, HillSettings, HillStore, Host, HostAction,
    NewEntrant, SecretToken, TokenRole, TokenTerms,
};
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

use super::*;
use crate::RequestLimits;
use crate::entries::admission::UploadAdmission;
use crate::hills::Hills;
use crate::server::router;

/// A server with one hill that cannot start the `dicehill` command, so that no entry is qualified.
struct TestServer {
    folder: TempDir,
    site: Site,
}

/// Longer than any test takes.
const HOUR: Duration = Duration::from_secs(3600);

/// What a server answered.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

fn config(hill: PathBuf) -> Config {
    Config {
        hills: vec![hill],
        accept: true,
        program: "/nowhere/dicehill".into(),
        limits: RequestLimits {
            upload_bytes: 100_000,
            retry_pause: Duration::ZERO,
            // No test is to depend on how long its requests take.
            request_time: HOUR,
            wrong_token_pause: HOUR,
            ..RequestLimits::default()
        },
        ..Config::default()
    }
}

impl TestServer {
    fn new(change: impl FnOnce(&mut Config)) -> Self {
        // In memory where there is such a folder, so that nothing waits for a disk.
        let folder = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).unwrap();
        let path = folder.path().join("spring.db");
        let mut record =
            HillSettings::from_draft(&HillDraft::<Yahtzee>::challenge(Vec::new(), ""), None);
        record.entries = record.entries.with(EntryKey::Reports, Some("public"), 0).unwrap();
        HillStore::create(&path, &record).unwrap();
        let mut config = config(path);
        change(&mut config);
        let hills = Hills::open(&config.hills).unwrap();
        let uploads = UploadAdmission::open(&config, &hills).unwrap();
        Self { folder, site: Site::new(config, hills, uploads) }
    }

    fn book(&self) -> EntryStore {
        EntryStore::open(&self.folder.path().join("spring.db")).unwrap()
    }

    fn token(&self, number: u8, terms: &TokenTerms) -> String {
        let token = SecretToken::new([number; 32]);
        self.book().add_token(&token, terms).unwrap();
        token.reveal().to_owned()
    }

    async fn ask(&self, mut request: Request<Body>) -> Answer {
        let host = HeaderValue::from_static("localhost:9");
        request.headers_mut().entry("host").or_insert(host);
        let answer = router(&self.site).oneshot(request).await.unwrap();
        let status = answer.status();
        let headers = answer.headers().clone();
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
async fn a_token_holder_can_upload() {
    let server = TestServer::new(|_| {});
    let token = server.token(1, &TokenTerms::default());
    let taken = server.post(Some(&token), &[BOT]).await;
    taken.is(201, "\"bot\":\"mine\"");
    assert_eq!(taken.headers["location"], "/api/v1/hills/spring/entries/1");
    let form = [("token", None, token.as_bytes()), ("name", None, b"Other"), BOT];
    let taken = server.submit("http://localhost:9", &form).await;
    taken.is(303, "");
    assert_eq!(taken.headers["location"], "/hills/spring/entries/2");
    server.get("/hills/spring/entries").await.is(200, "Other");
    let list: Value =
        serde_json::from_str(&server.get("/api/v1/hills/spring/entries").await.text).unwrap();
    assert_eq!(
        (&list["entries"][0]["id"], &list["entries"][0]["bot"]),
        (&2.into(), &"Other".into())
    );
    server.get("/hills/spring/entries/1").await.is(200, "Entry 1");
    server.get("/hills/spring/entries/3").await.is(404, "no entry 3");
    assert_eq!(server.book().tokens().unwrap()[0].used, 2);
}

#[tokio::test]
async fn the_queue_is_listed_in_the_order_of_processing() {
    let server = TestServer::new(|_| {});
    let token = server.token(1, &TokenTerms::default());
    // What is held stays in the queue.
    let entries = vec![(EntryKey::Approval, Some("all".to_owned()))];
    let host = Host { name: "host".to_owned(), token: None };
    server.book().act(&host, &HostAction::Set { limits: Vec::new(), entries }).unwrap();
    for name in [b"First", b"Other", b"First"] {
        server.post(Some(&token), &[("name", None, name), BOT]).await.is(201, "");
    }
    let page = server.get("/hills/spring/entries").await.text;
    let queue = page.split("class=\"queue\"").nth(1).and_then(|rest| rest.split("</ol>").next());
    let queue = queue.expect("a queue");
    let at = |id: i64| queue.find(&format!("/hills/spring/entries/{id}\""));
    assert!(at(3) < at(2) && at(3).is_some() && at(1).is_none(), "{queue}");
}

#[tokio::test]
async fn without_a_valid_token_nothing_is_accepted() {
    let server = TestServer::new(|_| {});
    let unknown = SecretToken::new([9; 32]);
    let expired = server.token(1, &TokenTerms { expires: Some(1), ..TokenTerms::default() });
    let revoked = server.token(2, &TokenTerms::default());
    server.book().revoke(2).unwrap();
    let once = server.token(3, &TokenTerms { uses: Some(1), ..TokenTerms::default() });
    server.post(Some(&once), &[BOT]).await.is(201, "");
    server.post(None, &[BOT]).await.is(403, "a token of this hill is needed");
    server.post(Some("dh_x"), &[BOT]).await.is(403, "has no such token");
    for (token, why) in [
        (unknown.reveal(), "has no such token"),
        (&expired, "has expired"),
        (&revoked, "was revoked"),
        (&once, "is used up"),
    ] {
        let refused = server.post(Some(token), &[BOT]).await;
        refused.is(403, why);
        assert!(!refused.text.contains(token), "no message contains the token");
    }
    let program = [("token", None, once.as_bytes()), BOT];
    server.post(None, &program).await.is(403, "Authorization");
    let late = [BOT, ("token", None, once.as_bytes())];
    server.submit("http://localhost:9", &late).await.is(403, "before the file");
    assert_eq!(server.entries(), 1);
}

#[tokio::test]
async fn pages_of_other_servers_cannot_upload() {
    let server = TestServer::new(|_| {});
    let token = server.token(1, &TokenTerms::default());
    let form = [("token", None, token.as_bytes()), BOT];
    for origin in ["http://evil.org", "null", "http://localhost:8"] {
        server.submit(origin, &form).await.is(403, "a page of another server");
    }
    let foreign = Request::get("/hills/spring/entries").header("host", "evil.org");
    server.ask(foreign.body(Body::empty()).unwrap()).await.is(403, "not answer to the host name");
    let twice =
        Request::get("/api/v1/hills").header("host", "localhost").header("host", "evil.org");
    server.ask(twice.body(Body::empty()).unwrap()).await.is(400, "exactly one Host");
    assert_eq!(server.entries(), 0);
}

#[tokio::test]
async fn a_server_without_accept_takes_no_uploads() {
    let shows = TestServer::new(|config| config.accept = false);
    let token = shows.token(1, &TokenTerms::default());
    shows.post(Some(&token), &[BOT]).await.is(403, "accepts no uploads");
    shows.post(None, &[]).await.is(403, "accepts no uploads");
    let form = [("token", None, token.as_bytes()), BOT];
    shows.submit("http://localhost:9", &form).await.is(403, "accepts no uploads");
    shows.get("/hills/spring/enter").await.is(200, "This hill accepts no uploads");
    let unsafe_machine = TestServer::new(|config| config.missing = vec!["no network".to_owned()]);
    let token = unsafe_machine.token(1, &TokenTerms::default());
    unsafe_machine.post(Some(&token), &[BOT]).await.is(403, "cannot sandbox strangers");
    unsafe_machine.get("/hills/spring/enter").await.is(200, "cannot sandbox strangers");
    assert_eq!(shows.entries() + unsafe_machine.entries(), 0);
}

#[tokio::test]
async fn a_server_whose_queue_fails_is_not_ready() {
    let server = TestServer::new(|config| config.limits.retry_pause = HOUR);
    server.get("/readyz").await.is(200, "ready");
    let token = server.token(1, &TokenTerms::default());
    server.post(Some(&token), &[BOT]).await.is(201, "");
    let failed = "spring: the queue has failed and tries again";
    let until_failed = async {
        // It is determined again every two seconds.
        while !server.get("/readyz").await.text.contains(failed) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), until_failed).await.expect("it fails");
    server.get("/readyz").await.is(503, failed);
}

#[tokio::test]
async fn an_upload_is_bounded_and_complete() {
    let server = TestServer::new(|_| {});
    let token = |number| server.token(number, &TokenTerms::default());
    let [one, two, three] = [token(1), token(2), token(3)];
    let large = vec![b'x'; 100_001];
    server.post(Some(&one), &[("file", Some("a.py"), &large)]).await.is(413, "larger than");
    let larger = vec![b'x'; 300_000];
    server.post(Some(&one), &[("file", Some("a.py"), &larger)]).await.is(413, "larger than");
    server.post(Some(&one), &[]).await.is(400, "there is no file");
    server.post(Some(&two), &[BOT, BOT]).await.is(400, "one file");
    server.post(Some(&two), &[("name", None, &[b'x'; 401]), BOT]).await.is(413, "longer than");
    server.post(Some(&two), &[("other", None, b""), BOT]).await.is(400, "nothing else");
    let request = Request::post("/api/v1/hills/spring/entries")
        .header("authorization", format!("Bearer {three}"));
    server.ask(request.body(Body::from("x")).unwrap()).await.is(400, "");
    let request = Request::post("/api/v1/hills/spring/entries")
        .header("authorization", format!("Bearer {three}"))
        .header("content-type", "multipart/form-data; boundary=edge");
    server
        .ask(request.body(Body::from("--edge\r\nContent")).unwrap())
        .await
        .is(400, "not a complete multipart/form-data form");
    assert_eq!(server.entries(), 0);
    for address in ["/hills/spring/runs/x", "/api/v1/hills/spring/runs/x"] {
        server.get(address).await.is(404, "nothing is at");
    }
    server.get("/api/v1/hills/sprng/entries").await.is(404, "did you mean \\\"spring\\\"?");
}

#[tokio::test]
async fn uploads_that_describe_no_own_bot_are_refused() {
    let server = TestServer::new(|_| {});
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
        (format!("name = \"X\"\n{command}\nread = [\"/etc\"]"), "only the host's hill file"),
        (format!("name = \"X\"\n{command}\nnetwork = true"), "network: only the host's hill file"),
        (
            format!("name = \"X\"\n{command}\nsecrets = [\"HOME\"]"),
            "secrets: only the host's hill file",
        ),
        (format!("name = \"X\"\n{command}\nvotes = 7"), "the host's hill file may set them"),
        ("name = \"X\"\nhouse = \"greedy\"".to_owned(), "a house bot cannot be uploaded"),
        ("name = \"X\"\ncommand = [\"/bin/sh\"]".to_owned(), "leads out of the bot's folder"),
        (format!("name = \"X\"\n{command}\ndir = \"..\""), "leads out of the bot's folder"),
        ("name = \"X\"\njava = \"../x.jar\"".to_owned(), "leads out of the bot's folder"),
        (format!("name = \"a\\u202eb\"\n{command}"), "unprintable"),
        (format!("name = \"X\"\n{command}\nlimits = 3"), "expected a table"),
        (
            format!("name = \"X\"\n{command}\nenvironment = \"magic\""),
            r#"the hill has no environment \"magic\"; it has none"#,
        ),
        ("name".to_owned(), "bot.toml:1"),
    ];
    for (number, (toml, why)) in tries.iter().enumerate() {
        let token = server.token(number as u8, &TokenTerms::default());
        let refused = server.post(Some(&token), &[("file", Some("x.zip"), &zip(toml))]).await;
        refused.is(400, why);
        assert!(!refused.text.contains("/tmp"), "no path of the machine: {}", refused.text);
    }
    let token = server.token(100, &TokenTerms::default());
    let named = [
        ("name", None, &b"Y"[..]),
        ("file", Some("x.zip"), &zip(&format!("name = \"X\"\n{command}"))),
    ];
    server.post(Some(&token), &named).await.is(400, "names the bot");
    server
        .post(Some(&token), &[("file", Some("notes.txt"), b"hello")])
        .await
        .is(400, "which program to start");
    assert_eq!(server.entries(), 0);
}

#[tokio::test]
async fn a_bot_that_the_host_has_barred_cannot_be_uploaded() {
    let server = TestServer::new(|_| {});
    let token = server.token(1, &TokenTerms::default());
    let bot = NewEntrant {
        name: BotName::new("Mine").unwrap(),
        identity: "house:dummy@1".to_owned(),
        kind: BotKind::House("dummy".to_owned()),
        files: Vec::new(),
        author: None,
        url: None,
        votes: None,
        entry: None,
    };
    HillStore::open_to_write(&server.folder.path().join("spring.db")).unwrap().add(&[bot]).unwrap();
    let host = Host { name: "host".to_owned(), token: None };
    server.book().act(&host, &HostAction::Bar("Mine".to_owned())).unwrap();
    server.post(Some(&token), &[BOT]).await.is(409, "the host has barred the bot of this name");
    assert_eq!(server.entries(), 0);
}

#[tokio::test]
async fn an_interrupted_qualification_or_run_lets_the_next_entry_follow() {
    let folder = TempDir::new().unwrap();
    let program = folder.path().join("dicehill");
    // Qualifies every bot, and is interrupted when it adds one.
    let script = "#!/bin/sh\ntest \"$1\" = check && exit 0\nexit 130\n";
    std::fs::write(&program, script).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, executable).unwrap();
    let server = TestServer::new(|config| config.program = program);
    let token = server.token(1, &TokenTerms::default());
    for entry in 1..=2 {
        server.post(Some(&token), &[("name", None, b"Other"), BOT]).await.is(201, "");
        // The stream ends with the final state.
        let events = server.get(&format!("/hills/spring/entries/{entry}/live")).await;
        events.is(200, "the run was interrupted, by the host or by its time limit");
        events.is(200, "the bot is not on the hill; please upload it again");
        events.is(200, "\"state\":\"failed\"");
    }
}

#[tokio::test]
async fn names_and_reports_are_escaped() {
    let server = TestServer::new(|_| {});
    let token = server.token(1, &TokenTerms::default());
    let name = "<b onclick='x'>&";
    server.post(Some(&token), &[("name", None, name.as_bytes()), BOT]).await.is(201, "");
    // The stream ends with the final state.
    server.get("/hills/spring/entries/1/live").await.is(200, "is_final");
    let mut book = server.book();
    book.set_report(1, "</pre><script>alert(1)</script>\u{202e}\n").unwrap();
    book.set_state(1, EntryState::Done).unwrap();
    let page = server.get("/hills/spring/entries/1").await;
    page.is(200, "&lt;b onclick='x'&gt;&amp;");
    page.is(200, "&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}");
    assert!(!page.text.contains("<b onclick") && !page.text.contains("style="));
}

#[tokio::test]
async fn wrong_tokens_and_uploads_are_rate_limited() {
    let server = TestServer::new(|_| {});
    let wrong = |number| SecretToken::new([number; 32]).reveal().to_owned();
    for number in 0..10 {
        server.post(Some(&wrong(number)), &[BOT]).await.is(403, "no such token");
    }
    server.post(Some(&wrong(10)), &[BOT]).await.is(429, "too many wrong tokens");
    server.post(Some("nonsense"), &[BOT]).await.is(429, "too many wrong tokens");
    let token = server.token(100, &TokenTerms::default());
    server.post(Some(&token), &[BOT]).await.is(201, "");
    let form = [("token", None, token.as_bytes()), BOT];
    server.submit("http://localhost:9", &form).await.is(303, "");
    let server = TestServer::new(|_| {});
    let token = server.token(1, &TokenTerms::default());
    for _ in 0..10 {
        server.post(Some(&token), &[BOT]).await.is(201, "");
    }
    server.post(Some(&token), &[BOT]).await.is(429, "too many entries");
}

#[tokio::test]
async fn wrong_tokens_are_counted_by_the_client_behind_a_proxy() {
    // The requests of these tests come from 127.0.0.1.
    let try_wrong = async |server: &TestServer, forwarded: &str| {
        let wrong = SecretToken::new([1; 32]);
        let request = Request::post("/api/v1/hills/spring/entries")
            .header("authorization", format!("Bearer {}", wrong.reveal()))
            .header("x-forwarded-for", forwarded);
        server.ask(with_form(request, &[BOT])).await.status.as_u16()
    };
    let trusts = |config: &mut Config| config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    let server = TestServer::new(trusts);
    for spoofed in 0..10 {
        let forwarded = format!("192.0.2.{spoofed}, 203.0.113.7");
        assert_eq!(try_wrong(&server, &forwarded).await, 403);
    }
    assert_eq!(try_wrong(&server, "203.0.113.7").await, 429);
    assert_eq!(try_wrong(&server, "203.0.113.8").await, 403);
    let server = TestServer::new(|_| {});
    for spoofed in 0..10 {
        assert_eq!(try_wrong(&server, &format!("192.0.2.{spoofed}")).await, 403);
    }
    assert_eq!(try_wrong(&server, "192.0.2.99").await, 429, "nobody trusts this header");
}

#[tokio::test]
async fn names_that_can_be_taken_for_others_are_refused() {
    let server = TestServer::new(|_| {});
    let token = server.token(1, &TokenTerms::default());
    let long_mixed = "Gr\u{435}\u{435}dy";
    let form = [("name", None, long_mixed.as_bytes()), BOT];
    server.post(Some(&token), &form).await.is(400, "mixes letters of several scripts");
    let form = [("name", None, "a\u{301}\u{301}".as_bytes()), BOT];
    server.post(Some(&token), &form).await.is(400, "marks on a letter");
    let form = [("name", None, "a\u{200b}b".as_bytes()), BOT];
    server.post(Some(&token), &form).await.is(400, "unprintable");
    assert_eq!(server.entries(), 0);
}

#[tokio::test]
async fn reports_have_no_paths_of_the_host() {
    let server = TestServer::new(|_| {});
    let token = server.token(1, &TokenTerms::default());
    server.post(Some(&token), &[BOT]).await.is(201, "");
    server.get("/hills/spring/entries/1/live").await.is(200, "is_final");
    let report = "  File \"/tmp/dicehill-work-x/own/bot/mine.py\", line 3\n/run/user/1000/x\ncc -I/home/ada/inc\n";
    server.book().set_report(1, report).unwrap();
    for page in [
        "/hills/spring/entries/1",
        "/hills/spring/entries/1/live",
        "/api/v1/hills/spring/entries/1",
    ] {
        let shown = server.get(page).await;
        shown.is(200, "line 3");
        shown.is(200, ".../mine.py");
        for path in ["/tmp", "/own/", "/1000", "/home"] {
            assert!(!shown.text.contains(path), "{path}: {}", shown.text);
        }
    }
}

#[tokio::test]
async fn a_report_is_streamed() {
    let server = TestServer::new(|_| {});
    let token = server.token(1, &TokenTerms::default());
    server.post(Some(&token), &[BOT]).await.is(201, "");
    // The command cannot be started: the stream reports that and ends.
    let events = server.get("/hills/spring/entries/1/live").await;
    events.is(200, "could not start the command");
    events.is(200, "\"state\":\"failed\"");
    assert_eq!(events.headers["content-type"], "text/event-stream");
    assert!(!events.text.contains("/nowhere"));
    let known = server.get("/hills/spring/entries/1/live?from=1000").await;
    known.is(200, "\"new\":[]");
}

/// The places in the queue of a hill whose first entry is being qualified, which does not end.
#[tokio::test]
async fn thirty_uploads_are_all_accepted_and_know_their_places() {
    let folder = TempDir::new().unwrap();
    let program = folder.path().join("dicehill");
    std::fs::write(&program, "#!/bin/sh\nexec sleep 600\n").unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, executable).unwrap();
    let server = TestServer::new(|config| config.program = program);
    for number in 0..30 {
        let token = server.token(number, &TokenTerms::default());
        let name = format!("Bot {number}");
        server.post(Some(&token), &[("name", None, name.as_bytes()), BOT]).await.is(201, &name);
    }
    let entry = async |id: i64| -> Value {
        let text = server.get(&format!("/api/v1/hills/spring/entries/{id}")).await.text;
        serde_json::from_str(&text).unwrap()
    };
    let last = entry(30).await;
    assert_eq!((&last["state"], &last["ahead"]), (&"waiting".into(), &29.into()));
    assert_eq!(last["check_in_seconds"], Value::Null, "no time is known yet");
    // What earlier qualifications took is in the store.
    server.book().set_check_time(1, 20_000).unwrap();
    let last = entry(30).await;
    assert_eq!(last["check_in_seconds"], 29 * 20, "{last}");
    // A newer upload takes the place of the one that waits.
    let token = SecretToken::new([28; 32]);
    let newer = [("name", None, &b"Bot 28"[..]), BOT];
    server.post(Some(token.reveal()), &newer).await.is(201, "Bot 28");
    let (older, newer) = (entry(29).await, entry(31).await);
    assert_eq!((&older["state"], &older["is_final"]), (&"replaced".into(), &true.into()));
    assert_eq!(newer["ahead"], 28, "{newer}");
    server.get("/hills/spring/entries").await.is(200, "28 entries come before it");
    server.site.uploads().queue().close().await;
}

#[tokio::test]
async fn entries_are_accepted_only_while_they_are_open_and_within_the_limits_for_an_author() {
    let server = TestServer::new(|_| {});
    let host = Host { name: "host".to_owned(), token: None };
    let set = |key: EntryKey, value: &str| {
        let entries = vec![(key, Some(value.to_owned()))];
        server.book().act(&host, &HostAction::Set { limits: Vec::new(), entries }).unwrap();
    };
    let token = server.token(1, &TokenTerms::default());
    set(EntryKey::Opens, "2900-01-01 00:00 Europe/Berlin");
    server
        .post(Some(&token), &[BOT])
        .await
        .is(403, "entries open on 2900-01-01 00:00 Europe/Berlin");
    server
        .get("/hills/spring/enter")
        .await
        .is(200, "Entries open on 2900-01-01 00:00 Europe/Berlin.");
    set(EntryKey::Opens, "2000-01-01 00:00");
    set(EntryKey::Closes, "2000-01-02 00:00");
    server.post(Some(&token), &[BOT]).await.is(403, "entries closed on 2000-01-02 00:00 UTC");
    set(EntryKey::Closes, "2900-01-02 00:00");
    set(EntryKey::AuthorDaily, "1");
    server.post(Some(&token), &[BOT]).await.is(201, "");
    server
        .post(Some(&token), &[BOT])
        .await
        .is(429, "the limit for an author is 1 upload in 24 hours");
    let host_token =
        server.token(2, &TokenTerms { role: TokenRole::Host, ..TokenTerms::default() });
    server.post(Some(&host_token), &[BOT]).await.is(403, "a token of the host");
    server.site.uploads().queue().close().await;
}
