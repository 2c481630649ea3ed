//! What authors, hosts and visitors see and do, tested through the whole server.

use dicehill_store::ReportAccess;

use super::*;

/// A server whose `dicehill` command prints its arguments, and tokens of Ada, Bob and a host.
struct Accounts {
    server: TestServer,
    _program: TempDir,
    ada: String,
    bob: String,
    host: String,
}

impl Accounts {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let program = folder.path().join("dicehill");
        let script = "#!/bin/sh\ntest \"$1 $2\" = 'hill skip' && { echo 'error: no such entry' >&2; exit 2; }\n\
                      test \"$1\" = check && { echo begun >&2; exec sleep 600; }\necho \"$@\" >&2\n";
        std::fs::write(&program, script).unwrap();
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&program, executable).unwrap();
        let server = TestServer::new(|config| config.program = program);
        let token = |number, name: &str, role| {
            let name = Some(name.to_owned());
            server.token(number, &TokenTerms { name, role, uses: None, expires: None })
        };
        let ada = token(1, "ada", TokenRole::Author);
        let bob = token(2, "bob", TokenRole::Author);
        let host = token(3, "eve", TokenRole::Host);
        Self { server, _program: folder, ada, bob, host }
    }

    fn set(&self, key: EntryKey, value: &str) {
        let host = Host { name: "host".to_owned(), token: None };
        let entries = vec![(key, Some(value.to_owned()))];
        self.server.book().act(&host, &HostAction::Set { limits: Vec::new(), entries }).unwrap();
    }

    async fn get(&self, path: &str, token: Option<&str>) -> Answer {
        let mut request = Request::get(path);
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        self.server.ask(request.body(Body::empty()).unwrap()).await
    }

    async fn act(&self, token: &str, body: &str) -> Answer {
        let request = Request::post("/api/v1/hills/spring/actions")
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json");
        self.server.ask(request.body(Body::from(body.to_owned())).unwrap()).await
    }
}

#[tokio::test]
async fn a_report_is_its_authors_and_the_hosts_and_its_verdict_is_public() {
    let test = Accounts::new();
    test.set(EntryKey::Reports, ReportAccess::Author.name());
    test.server.post(Some(&test.ada), &[BOT]).await.is(201, "");
    let report = "mine: not qualified: illegal-move\n  stderr: my secret plan\n";
    let mut book = test.server.book();
    // The check writes nothing more.
    while !book.entry(1).unwrap().unwrap().report.contains("begun") {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    book.set_report(1, report).unwrap();
    book.end_check(1, EntryState::Refused).unwrap();
    let paths = [
        "/hills/spring/entries/1",
        "/api/v1/hills/spring/entries/1",
        "/hills/spring/entries/1/live",
    ];
    for path in paths {
        for reader in [None, Some(&*test.bob), Some("dh_wrong")] {
            let shown = test.get(path, reader).await;
            shown.is(200, "mine: not qualified: illegal-move");
            assert!(!shown.text.contains("secret plan"), "{path} {reader:?}: {}", shown.text);
        }
        for reader in [&test.ada, &test.host] {
            test.get(path, Some(reader)).await.is(200, "my secret plan");
        }
    }
    test.set(EntryKey::Reports, ReportAccess::Public.name());
    test.get(paths[1], None).await.is(200, "my secret plan");
    // What the host has hidden is hidden from visitors in any case.
    let host = Host { name: "host".to_owned(), token: None };
    book.act(&host, &HostAction::Hide(1)).unwrap();
    for path in paths.into_iter().chain(["/hills/spring/entries", "/api/v1/hills/spring/entries"]) {
        let shown = test.get(path, None).await;
        shown.is(200, "hidden by the host");
        assert!(!shown.text.contains("mine") && !shown.text.contains("plan"), "{}", shown.text);
    }
}

#[tokio::test]
async fn authors_see_their_entries_and_hosts_the_queue() {
    let test = Accounts::new();
    test.set(EntryKey::Approval, "all");
    test.server.post(Some(&test.ada), &[BOT]).await.is(201, "");
    let other = [("name", None, &b"Other"[..]), BOT];
    test.server.post(Some(&test.bob), &other).await.is(201, "");
    let account = "/api/v1/hills/spring/account";
    let document = async |token: &str| -> Value {
        serde_json::from_str(&test.get(account, Some(token)).await.text).unwrap()
    };
    let names = |document: &Value| -> Vec<String> {
        let entries = document["entries"].as_array().unwrap().iter();
        entries.map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
    };
    let ada = document(&test.ada).await;
    assert_eq!((&ada["role"], &ada["name"]), (&"author".into(), &"ada".into()));
    assert_eq!(names(&ada), ["mine"]);
    assert_eq!(ada["actions"], Value::Array(Vec::new()), "actions are the hosts'");
    let host = document(&test.host).await;
    assert_eq!(names(&host), ["mine", "Other"]);
    assert_eq!(host["actions"][0]["detail"], "approval=all");
    test.get(account, None).await.is(403, "a token of this hill is needed");
    test.get(account, Some("dh_x")).await.is(403, "has no such token");
}

#[tokio::test]
async fn only_hosts_act_and_each_action_is_a_command() {
    let test = Accounts::new();
    let hold = r#"{"action":"hold","target":"1"}"#;
    test.act(&test.ada, hold).await.is(403, "the token of a host");
    test.act("dh_x", hold).await.is(403, "");
    test.act(&test.host, hold).await.is(200, "hill hold --as-token 3 -- spring.db 1");
    test.act(&test.host, r#"{"action":"skip","target":"9"}"#).await.is(409, "no such entry");
    test.act(&test.host, r#"{"action":"init","target":"x"}"#).await.is(400, "no such action");
    test.act(&test.host, r#"{"action":"hold","target":"1","more":1}"#)
        .await
        .is(400, "unknown field");
    test.act(&test.host, "{").await.is(400, "");
    let text = "x".repeat(100_000);
    let long = format!(r#"{{"action":"message","text":"{text}"}}"#);
    assert_eq!(test.act(&test.host, &long).await.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn a_browser_keeps_the_token_in_a_cookie_that_no_script_reads() {
    let test = Accounts::new();
    let post = |path: &str, origin: &'static str, cookie: String, body: String| {
        let request = Request::post(format!("/hills/spring/account{path}"))
            .header("host", "localhost:9")
            .header("origin", origin)
            .header("cookie", cookie)
            .header("content-type", "application/x-www-form-urlencoded");
        test.server.ask(request.body(Body::from(body)).unwrap())
    };
    let own = "http://localhost:9";
    let form = format!("token={}", test.host);
    post("", "http://evil.org", String::new(), form.clone()).await.is(403, "another server");
    post("", own, String::new(), "token=dh_x".to_owned()).await.is(403, "no such token");
    let entered = post("", own, String::new(), form).await;
    entered.is(303, "");
    let cookie = entered.headers["set-cookie"].to_str().unwrap().to_owned();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/hills/spring;"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let page = Request::get("/hills/spring/account").header("cookie", &cookie);
    let page = test.server.ask(page.body(Body::empty()).unwrap()).await;
    page.is(200, "What hosts have done");
    assert_eq!(page.headers["cache-control"], "no-store");
    assert!(!page.text.contains(&test.host), "the page does not show the token");
    let message = "action=message&text=Hello".to_owned();
    post("/actions", "http://evil.org", cookie.clone(), message.clone()).await.is(403, "");
    post("/actions", own, String::new(), message.clone()).await.is(403, "enter the token");
    let done = post("/actions", own, cookie.clone(), message).await;
    done.is(303, "");
    let location = done.headers["location"].to_str().unwrap();
    assert!(location.starts_with("/hills/spring/account?done=hill%20message"), "{location}");
    let left = post("/leave", own, cookie, String::new()).await;
    assert!(left.headers["set-cookie"].to_str().unwrap().contains("Max-Age=0"));
    test.server.get("/hills/spring/account").await.is(200, "It begins with dh_.");
}

#[tokio::test]
async fn a_used_up_token_still_shows_its_holder_the_page() {
    let server = TestServer::new(|_| {});
    let token = server.token(1, &TokenTerms { uses: Some(1), ..TokenTerms::default() });
    server.post(Some(&token), &[BOT]).await.is(201, "");
    server.post(Some(&token), &[BOT]).await.is(403, "used up");
    let request = Request::get("/api/v1/hills/spring/account")
        .header("authorization", format!("Bearer {token}"));
    server.ask(request.body(Body::empty()).unwrap()).await.is(200, "\"role\":\"author\"");
}
