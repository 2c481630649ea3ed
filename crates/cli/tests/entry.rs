//! Bots uploaded to the server: qualified in isolation, and entered into the hill's tournaments.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::external::path_with_python;
use crate::support::machine::can_isolate;
use crate::support::running::PATIENCE;
use crate::support::{BEST_BOX_BOT, PATIENT, Scratch, parse_json, with_single_spaces};

mod interrupted;
mod left_out;
mod news;
mod privacy;
pub(crate) mod remote;
mod upgrade;

/// The hill's seed, which no page may show before the result.
const SEED: &str = "known-to-the-host-alone";

/// A server that accepts uploads.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    pub(crate) fn start(scratch: &Scratch) -> Self {
        Self::start_with(scratch, &[], &[])
    }

    /// A server with these further options and environment variables.
    pub(crate) fn start_with(
        scratch: &Scratch,
        options: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        Self::start_at("127.0.0.1:0", scratch, options, variables)
    }

    fn start_at(
        listen: &str,
        scratch: &Scratch,
        options: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        let serve = ["serve", "h.db", "--accept", "--listen", listen];
        let mut command = scratch.command(&[&serve, options].concat());
        command.envs(variables.iter().copied());
        command.env("PATH", path_with_python()).env("XDG_CACHE_HOME", scratch.path("cache"));
        let mut child = command.spawn().expect("the command starts");
        let mut messages = BufReader::new(child.stderr.take().expect("it is a pipe"));
        let mut line = String::new();
        messages.read_line(&mut line).expect("it prints its address");
        let address = line.strip_prefix("http://").and_then(|rest| rest.split(' ').next());
        let address = address.and_then(|address| address.parse().ok());
        let address = address.unwrap_or_else(|| panic!("it prints no address: {line}"));
        // Drains the pipe, so that further messages cannot block the server.
        std::thread::spawn(move || std::io::copy(&mut messages, &mut std::io::sink()));
        Self { child, address }
    }

    /// Kills it, and starts another one at its address.
    fn restart_killed(self, scratch: &Scratch) -> Self {
        let address = self.address.to_string();
        drop(self);
        Self::start_at(&address, scratch, &[], &[])
    }

    /// The status and the body of a response.
    pub(crate) fn request(&self, head: &str, body: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        let host = self.address;
        let length = body.len();
        let head = format!(
            "{head} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(&[head.as_bytes(), body].concat()).expect("it reads");
        read_response(stream)
    }

    /// The status and the body of the answer to a client of a remote bot, which is refused.
    fn connect(&self, token: &str, query: &str) -> (u16, String) {
        read_response(self.web_socket(token, query))
    }

    /// The connection of a client of a remote bot, of whose answer nothing was read.
    fn web_socket(&self, token: &str, query: &str) -> TcpStream {
        let head = format!(
            "GET /api/v1/hills/h/connect?{query} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade, close\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\
             Authorization: Bearer {token}\r\n\r\n",
            self.address
        );
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.write_all(head.as_bytes()).expect("it reads");
        stream
    }

    /// The status and the body of what the holder of a token gets from this path.
    fn get_with_token(&self, path: &str, token: &str) -> (u16, String) {
        let host = self.address;
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Authorization: Bearer {token}\r\n\r\n"
        );
        let mut stream = TcpStream::connect(host).expect("it listens");
        stream.write_all(head.as_bytes()).expect("it reads");
        read_response(stream)
    }

    /// What the holder of a token sees of the hill, which conforms to its schema.
    pub(crate) fn account(&self, token: &str) -> Value {
        let (status, text) = self.get_with_token("/api/v1/hills/h/account", token);
        assert_eq!(status, 200, "{text}");
        let document = parse_json(&text);
        let (_, described) = self.request("GET /api/v1/openapi.json", b"");
        let mut schema = parse_json(&described);
        schema["$ref"] = "#/components/schemas/AccountDocument".into();
        let schema = jsonschema::validator_for(&schema).expect("a schema");
        let errors: Vec<_> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?} in {document:#}");
        document
    }

    /// Uploads a bot; returns the number of its entry.
    pub(crate) fn upload(&self, token: &str, file: &str, content: &[u8]) -> i64 {
        let (status, entry) = self.try_to_upload(token, file, content);
        assert_eq!(status, 201, "{entry:#}");
        entry["id"].as_i64().expect("a number")
    }

    /// Uploads a bot; returns the status and the document of the response.
    fn try_to_upload(&self, token: &str, file: &str, content: &[u8]) -> (u16, Value) {
        let mut body = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{file}\"\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n--edge--\r\n");
        let (host, length) = (self.address, body.len());
        let head = format!(
            "POST /api/v1/hills/h/entries HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Authorization: Bearer {token}\r\nContent-Type: multipart/form-data; boundary=edge\r\n\
             Content-Length: {length}\r\n\r\n"
        );
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.write_all(&[head.as_bytes(), &body].concat()).expect("it reads");
        let (status, text) = read_response(stream);
        (status, parse_json(&text))
    }

    /// Does what a host asks in this document.
    fn act(&self, token: &str, body: &str) -> (u16, String) {
        let (host, length) = (self.address, body.len());
        let head = format!(
            "POST /api/v1/hills/h/actions HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Authorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        let mut stream = TcpStream::connect(host).expect("it listens");
        stream.write_all(&[head.as_bytes(), body.as_bytes()].concat()).expect("it reads");
        read_response(stream)
    }

    fn entry(&self, id: i64) -> Value {
        let (status, text) = self.request(&format!("GET /api/v1/hills/h/entries/{id}"), b"");
        assert_eq!(status, 200, "{text}");
        parse_json(&text)
    }

    /// The entry once it satisfies the condition.
    #[track_caller]
    fn wait_for(&self, id: i64, condition: impl Fn(&Value) -> bool) -> Value {
        self.wait_until(id, |entry| {
            let is_met = condition(entry);
            assert!(is_met || entry["is_final"] == false, "{entry:#}");
            is_met
        })
    }

    /// The entry once it satisfies the condition, also if that is after its end.
    #[track_caller]
    fn wait_until(&self, id: i64, condition: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            let entry = self.entry(id);
            if condition(&entry) {
                return entry;
            }
            assert!(Instant::now() < until, "{entry:#}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// The final state of the entry, and its report.
    #[track_caller]
    pub(crate) fn final_entry(&self, id: i64) -> (Value, String) {
        let entry = self.wait_for(id, |entry| entry["is_final"] == true);
        let lines = entry["report"].as_array().expect("lines").iter();
        let report =
            lines.map(|line| line.as_str().expect("a text")).collect::<Vec<_>>().join("\n");
        assert!(!report.contains(SEED), "{report}");
        (entry, report)
    }

    pub(crate) fn shut_down(mut self) {
        self.terminate();
        assert!(self.child.wait().expect("it is ours").success());
    }

    fn terminate(&self) {
        let pid = Pid::from_raw(self.child.id().cast_signed()).expect("a process");
        kill_process(pid, Signal::TERM).expect("it is ours");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _gone = self.child.wait();
    }
}

fn read_response(mut stream: TcpStream) -> (u16, String) {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("it answers");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text}"));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("no status: {head}")), body.to_owned())
}

/// A hill with two house bots that have played, and an upload token.
pub(crate) fn hill_with_token(games: &str) -> (Scratch, String) {
    hill_with_bots(games, &[])
}

/// A hill with two house bots that were added with these options, and an upload token.
fn hill_with_bots(games: &str, options: &[&str]) -> (Scratch, String) {
    let scratch = Scratch::new();
    let keys = format!("game = \"yahtzee\"\ngames = {games}\nseed = \"{SEED}\"\n{PATIENT}\n");
    scratch.write("h.toml", keys);
    scratch.run_ok(&["hill", "init", "h.db", "h.toml"]);
    scratch.run_ok(&[&["hill", "add", "h.db", "dummy", "random"], options].concat());
    scratch.run_ok(&["hill", "set", "h.db", "reports=public"]);
    let token = scratch.run_ok(&["token", "new", "h.db", "--name", "ada"]).out;
    (scratch, token.trim_end().to_owned())
}

#[test]
fn a_good_bot_enters_the_board_and_a_hostile_one_is_refused() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("20");
    scratch.write("canary", "alive");
    let canary = scratch.path("canary");
    let hostile = format!(
        "import json, os, socket, sys
for name in [{canary:?}, 'here', '/tmp/here']:
    try:
        open(name, 'w').write('dead')
        print('WROTE', name, file=sys.stderr)
    except OSError:
        pass
try:
    print('READ', open('/etc/shadow').read(), file=sys.stderr)
except OSError:
    pass
print('HAS', [name for name in os.environ if name.startswith('SECRET')], file=sys.stderr)
for line in sys.stdin:
    turn = json.loads(line)
    if turn['type'] == 'turn':
        print(json.dumps({{'id': turn['id'], 'category': 'NONE'}}), flush=True)
"
    );
    let server = Server::start(&scratch);
    let good = server.upload(&token, "good.py", BEST_BOX_BOT.as_bytes());
    let bad = server.upload(&token, "bad.py", hostile.as_bytes());
    let again = server.upload(&token, "good.py", BEST_BOX_BOT.as_bytes());
    let ends = [good, again].map(|id| server.final_entry(id));
    let states = ends.each_ref().map(|(entry, _)| (entry["state"].as_str(), &entry["run"]));
    let (not_run, run) = (&Value::Null, &Value::from(2));
    // The second upload replaces the first one if that still waits for a processor.
    let report = if states == [(Some("replaced"), not_run), (Some("done"), run)] {
        &ends[1].1
    } else {
        assert_eq!(states, [(Some("done"), run), (Some("refused"), not_run)], "{ends:?}");
        let unchanged = "good is already on the hill, unchanged: nothing to add";
        assert!(ends[1].1.contains(unchanged), "{}", ends[1].1);
        &ends[0].1
    };
    assert!(report.contains("good: qualified"), "{report}");
    // Once the bot is there and nothing of it waits, it is refused at once.
    let (status, refused) = server.try_to_upload(&token, "good.py", BEST_BOX_BOT.as_bytes());
    let why = "good is already on the hill, unchanged: nothing to add";
    assert_eq!((status, refused["error"].as_str()), (409, Some(why)), "{refused:#}");
    let (entry, report) = server.final_entry(bad);
    assert_eq!((&entry["state"], &entry["run"]), (&"refused".into(), &Value::Null), "{report}");
    assert!(report.contains("bad: not qualified") && report.contains("NONE"), "{report}");
    assert!(report.contains("HAS []"), "its log is there: {report}");
    assert!(!report.contains("WROTE") && !report.contains("READ"), "{report}");
    assert!(!report.contains(scratch.path("").to_str().expect("a plain name")), "{report}");
    assert_eq!(std::fs::read_to_string(canary).expect("it is there"), "alive");
    server.shut_down();
    let list = with_single_spaces(&scratch.run_ok(&["hill", "list", "h.db"]).out);
    assert!(list.contains("good 1 command") && !list.contains("bad"), "{list}");
    let board = scratch.run_ok(&["hill", "show", "h.db", "--format", "json"]).out;
    assert!(board.contains("\"good\""), "{board}");
}

/// The hill's bot ends at once without its secret. The uploaded bot tells the names of its variables, in the qualification too.
#[test]
fn a_bot_of_a_trusted_hill_has_its_secret_when_an_uploaded_bot_plays() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("4");
    let needs = |name: &str| format!("import os\nassert os.environ[{name:?}] == 'plain-secret'\n");
    scratch.write("needy.py", needs("S_PLAIN") + BEST_BOX_BOT);
    scratch.write(
        "bots.toml",
        format!(
            "game = \"yahtzee\"\n{PATIENT}\n[[bot]]\nname = \"Needy\"\n\
             command = [\"python3\", \"needy.py\"]\nsecrets = [\"S_PLAIN\"]\n"
        ),
    );
    let variables = [("S_PLAIN", "plain-secret"), ("S_OTHER", "other-secret")];
    let mut add = scratch.command(&["hill", "add", "h.db", "bots.toml"]);
    let added = add.envs(variables).env("PATH", path_with_python()).output().expect("it starts");
    let text = String::from_utf8_lossy(&added.stderr);
    assert!(added.status.success(), "{text}");
    assert!(text.contains("h.db gives Needy the secret S_PLAIN: "), "{text}");
    let server = Server::start_with(&scratch, &["--trust-hill"], &variables);
    let curious = "import os, sys\n\
                   print('HAS', [n for n in os.environ if n.startswith('S_')], file=sys.stderr)\n\
                   assert not [n for n in os.environ if n.startswith('S_')]\n";
    let id = server.upload(&token, "good.py", format!("{curious}{BEST_BOX_BOT}").as_bytes());
    let (entry, report) = server.final_entry(id);
    assert_eq!((&entry["state"], &entry["run"]), (&"done".into(), &3.into()), "{report}");
    assert!(!report.contains("HAS ['"), "{report}");
    server.shut_down();
    let board = scratch.run_ok(&["hill", "show", "h.db"]).out;
    assert!(board.contains("Needy") && !board.contains("barred"), "{board}");
}

#[test]
fn a_restarted_server_resumes_its_tournament() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("400");
    let slow = BEST_BOX_BOT
        .replace("    turn = ", "    time.sleep(0.002)\n    turn = ")
        .replace("json, sys", "json, sys, time");
    let server = Server::start(&scratch);
    let id = server.upload(&token, "slow.py", slow.as_bytes());
    let queued = server.upload(&token, "queued.py", BEST_BOX_BOT.as_bytes());
    let playing = server.wait_for(id, |entry| entry["state"] == "playing");
    assert_eq!(playing["run"], 2);
    server.shut_down();
    let log = scratch.run_ok(&["hill", "log", "h.db"]).out;
    assert!(log.lines().last().is_some_and(|line| line.ends_with("not finished")), "{log}");
    let server = Server::start(&scratch);
    let (entry, report) = server.final_entry(id);
    assert_eq!((&entry["state"], &entry["run"]), (&"done".into(), &2.into()), "{report}");
    assert!(report.contains("the run continues"), "{report}");
    let (entry, report) = server.final_entry(queued);
    assert_eq!((&entry["state"], &entry["run"]), (&"done".into(), &2.into()), "{report}");
    server.shut_down();
    let log = scratch.run_ok(&["hill", "log", "h.db"]).out;
    assert_eq!(log.lines().count(), 2, "both entries are in one run: {log}");
    assert!(!log.contains("not finished"), "{log}");
    scratch.run_ok(&["verify", "h.db"]);
}

/// The server is killed while uploads arrive, are qualified, and play.
#[test]
fn no_upload_is_lost_or_played_twice_by_a_killed_server() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("200");
    let mut server = Server::start(&scratch);
    let names = ["ada", "bob", "cy", "dan"];
    let mut entries = Vec::new();
    // Moments between the arrival of an upload and its run, in milliseconds.
    for (name, moment) in names.iter().zip([0, 1_700, 400, 3_300]) {
        entries.push(server.upload(&token, &format!("{name}.py"), BEST_BOX_BOT.as_bytes()));
        std::thread::sleep(Duration::from_millis(moment));
        drop(server);
        server = Server::start(&scratch);
    }
    let playing = |entry: &Value| entry["state"] == "playing" || entry["is_final"] == true;
    server.wait_for(entries[0], playing);
    drop(server);
    server = Server::start(&scratch);
    for (id, name) in entries.iter().zip(names) {
        let (entry, report) = server.final_entry(*id);
        assert_eq!((&entry["state"], &entry["bot"]), (&"done".into(), &name.into()), "{report}");
        assert!(entry["run"].is_i64(), "{entry:#}");
    }
    server.shut_down();
    let list = with_single_spaces(&scratch.run_ok(&["hill", "list", "h.db"]).out);
    for name in names {
        assert!(list.contains(&format!("{name} 1 command")), "{list}");
    }
    assert_eq!(list.lines().count(), 3 + names.len(), "the headings too: {list}");
    let log = scratch.run_ok(&["hill", "log", "h.db"]).out;
    assert!(!log.contains("not finished"), "{log}");
    scratch.run_ok(&["verify", "h.db"]);
}

/// A qualification that the host ends keeps nobody waiting.
#[test]
fn the_host_ends_a_qualification() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_bots("4", &["--next-run"]);
    scratch.run_ok(&["hill", "set", "h.db", "schedule=daily 20:00"]);
    let server = Server::start(&scratch);
    // Each of its many starts takes almost as long as it may.
    let slow = format!("import time\ntime.sleep(9)\n{BEST_BOX_BOT}");
    let slow = server.upload(&token, "slow.py", slow.as_bytes());
    server.wait_for(slow, |entry| entry["state"] == "checking");
    scratch.run_ok(&["hill", "skip", "h.db", &slow.to_string()]);
    let quick = server.upload(&token, "quick.py", BEST_BOX_BOT.as_bytes());
    server.wait_for(quick, |entry| entry["state"] == "ready");
    assert_eq!(server.entry(slow)["state"], "skipped");
}

/// A run is played at its time, with all bots that have qualified by then.
#[test]
fn entries_wait_for_the_schedule_and_the_host_acts_meanwhile() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_bots("4", &["--next-run"]);
    scratch.run_ok(&["hill", "set", "h.db", "schedule=daily 20:00 Europe/Berlin", "approval=all"]);
    let eve = scratch.run_ok(&["token", "new", "h.db", "--name", "eve", "--host"]).out;
    let eve = eve.trim_end();
    let server = Server::start(&scratch);
    let first = server.upload(&token, "first.py", BEST_BOX_BOT.as_bytes());
    let second = server.upload(&token, "second.py", BEST_BOX_BOT.as_bytes());
    assert_eq!(server.entry(first)["state"], "held");
    let queue = scratch.run_ok(&["hill", "queue", "h.db"]).out;
    assert!(with_single_spaces(&queue).contains("\n1 held first ada "), "{queue}");
    scratch.run_ok(&["hill", "approve", "h.db", "1"]);
    let act = |body: &str| server.act(eve, body);
    let skipped = act(r#"{"action":"skip","target":"2"}"#);
    assert_eq!(skipped, (200, r#"{"done":"entry 2 is skipped"}"#.to_owned()));
    assert_eq!(act(r#"{"action":"skip","target":"2"}"#).0, 409);
    assert_eq!(server.final_entry(second).0["state"], "skipped");
    let ready = server.wait_for(first, |entry| entry["state"] == "ready");
    assert!(ready["run_at"].as_str().is_some_and(|at| at.ends_with(":00:00Z")), "{ready:#}");
    assert_eq!(scratch.run_ok(&["hill", "log", "h.db"]).out, "");
    // As if the schedule had been set two days ago, and the server had been down since.
    let database = rusqlite::Connection::open(scratch.path("h.db")).expect("a database");
    let two_days_ago = "UPDATE setting SET value = value - 172800 WHERE key = 'scheduled'";
    assert_eq!(database.execute(two_days_ago, []), Ok(1));
    let (entry, report) = server.final_entry(first);
    assert_eq!((&entry["state"], &entry["run"]), (&"done".into(), &1.into()), "{report}");
    // The server notices the end of the run after the entry's.
    let ended = Instant::now();
    let author = loop {
        let author = server.account(&token);
        if author["bots"][0]["rank"].is_u64() || ended.elapsed() > Duration::from_secs(60) {
            break author;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let host = server.account(eve);
    assert_eq!((&author["role"], &host["role"]), (&"author".into(), &"host".into()));
    let [bot] = author["bots"].as_array().expect("bots").as_slice() else { panic!("{author:#}") };
    let stands = ["rank", "among"].map(|key| bot[key].as_u64());
    assert!(stands[0].is_some() && stands[1] > Some(1) && bot["loss"].is_object(), "{author:#}");
    // The page shows the same if the token is sent in the header.
    let (status, page) = server.get_with_token("/hills/h/account", &token);
    let shown = stands.map(Option::unwrap_or_default);
    let line = format!("; number {} of {}; loss ", shown[0], shown[1]);
    assert!(status == 200 && page.contains(&line), "{page}");
    assert_eq!(host["actions"][0]["action"], "skip", "{host:#}");
    server.shut_down();
    let actions = scratch.run_ok(&["hill", "actions", "h.db"]).out;
    let lines: Vec<_> = actions.lines().skip(1).collect();
    assert!(
        with_single_spaces(lines[0]).ends_with("eve (token 2) skip entry 2\n")
            && lines[1].ends_with("approve entry 1"),
        "{actions}"
    );
    assert!(lines[2].ends_with("new token 2 (a host's, for eve)"), "{actions}");
    assert!(
        lines[3].contains("set settings schedule=daily 20:00 Europe/Berlin approval=all"),
        "{actions}"
    );
}

#[test]
fn submit_follows_the_report_and_pull_fetches_the_games() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("4");
    scratch.run_ok(&["hill", "set", "h.db", "reports=author"]);
    std::fs::create_dir(scratch.path("Mine")).expect("a folder");
    scratch.write("Mine/bot.toml", "name = \"Mine\"\ncommand = [\"python3\", \"main.py\"]\n");
    scratch.write("Mine/main.py", BEST_BOX_BOT);
    let server = Server::start(&scratch);
    let url = format!("http://{}/hills/h", server.address);
    let submit = |variable: &str| {
        let mut command = scratch.command(&["submit", "./Mine", &url]);
        let output = command.env("DICEHILL_TOKEN", variable).output().expect("it starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, _, err) = submit("");
    assert!(code == Some(2) && err.contains("DICEHILL_TOKEN: has no token"), "{err}");
    let (code, _, err) = submit("dh_secret");
    assert!(
        code == Some(2) && err.contains("DICEHILL_TOKEN: not a token, which is dh_ and 64"),
        "{err}"
    );
    assert!(!err.contains("secret"), "{err}");
    let (code, _, err) = submit(&format!("dh_{}", "0".repeat(64)));
    assert!(code == Some(1) && err.contains("this hill has no such token"), "{err}");
    let (code, out, err) = submit(&token);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("Mine: qualified") && err.contains("done: run 2"), "{out}{err}");
    assert!(!out.contains(&token) && !err.contains(&token), "{out}{err}");
    let pulled = scratch.run_ok(&["pull", &url, "--bot", "Mine"]);
    assert!(pulled.err.contains("h-Mine.jsonl: "), "{}", pulled.err);
    let log = scratch.read("h-Mine.jsonl");
    let games: Vec<_> = log.lines().skip(2).map(parse_json).collect();
    let plays =
        |game: &Value| game["seats"].as_array().is_some_and(|it| it.contains(&"Mine".into()));
    assert!(!games.is_empty() && games.iter().all(plays), "{log}");
    scratch.run_ok(&["replay", "h-Mine.jsonl", &games[0]["game"].to_string()]);
    scratch.run_ok(&["analyze", "h-Mine.jsonl"]);
    scratch.run_refused(&["pull", &url, "--bot", "Mine"], &["h-Mine.jsonl: already exists"]);
    let unknown = scratch.run(&["pull", &url, "--bot", "Min"]);
    let why = "\"Min\" has played in no run that has ended; did you mean \"Mine\"?";
    assert!(unknown.code == 1 && unknown.err.contains(why), "{}", unknown.err);
    assert!(!scratch.path("h-Min.jsonl").exists(), "nothing is left of it");
    server.shut_down();
}

#[test]
fn an_entry_waits_for_another_run_on_the_hill() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("20");
    let server = Server::start(&scratch);
    let file = std::fs::File::open(scratch.path("h.db")).expect("the hill is there");
    file.lock().expect("no run is in progress");
    let id = server.upload(&token, "good.py", BEST_BOX_BOT.as_bytes());
    let reports_other_run =
        |entry: &Value| entry["report"].to_string().contains("another run is in progress");
    let waiting = server.wait_for(id, reports_other_run);
    assert_eq!(waiting["state"], "waiting");
    file.unlock().expect("it is ours");
    let (entry, report) = server.final_entry(id);
    assert_eq!(entry["state"], "done", "{report}");
    server.shut_down();
}

/// A file of a tar archive.
fn archived(name: &str, content: &[u8]) -> Vec<u8> {
    let mut header = [0_u8; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[100..107].copy_from_slice(b"0000644");
    header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
    header[148..156].copy_from_slice(b"        ");
    header[156] = b'0';
    header[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..154].copy_from_slice(format!("{sum:06o}").as_bytes());
    header[154] = 0;
    let mut file = [&header[..], content].concat();
    file.resize(file.len().next_multiple_of(512), 0);
    file
}

/// All files in a folder and the folders in it.
fn files_below(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let below = |path: std::path::PathBuf| match path.is_dir() {
        true => files_below(&path),
        false => vec![path],
    };
    paths.flat_map(below).collect()
}

/// What a build has written is as large as its author likes.
#[test]
fn nothing_that_was_built_outlives_a_refused_upload() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("20");
    let server = Server::start(&scratch);
    for (name, answer, state) in [("good", "best", "done"), ("bad", "'NONE'", "refused")] {
        let manifest = format!(
            "name = \"{name}\"\ncommand = [\"python3\", \"built.py\"]\n\
             build = [\"cp\", \"main.py\", \"built.py\"]\n"
        );
        let program = BEST_BOX_BOT.replace("'category': best", &format!("'category': {answer}"));
        let files =
            [archived("bot.toml", manifest.as_bytes()), archived("main.py", program.as_bytes())];
        let archive = [files.concat(), vec![0; 1024]].concat();
        let (entry, report) = server.final_entry(server.upload(&token, "bot.tar", &archive));
        assert_eq!(entry["state"], state, "{report}");
    }
    server.shut_down();
    // The bot on the hill may be there, as it is built for its runs.
    let left = files_below(&scratch.path("cache/dicehill"));
    let of_refused = left.iter().filter(|file| {
        std::fs::read(file).is_ok_and(|bytes| bytes.windows(6).any(|part| part == b"'NONE'"))
    });
    assert_eq!(of_refused.count(), 0, "{left:?}");
}
