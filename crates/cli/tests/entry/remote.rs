//! Bots that stay with their authors: `dicehill connect`.

use std::process::Stdio;

use super::*;
use crate::support::running::send;

/// A program that plays from its author's machine.
pub(crate) struct Connected {
    child: Child,
    messages: std::sync::mpsc::Receiver<String>,
}

impl Connected {
    pub(crate) fn start(
        scratch: &Scratch,
        address: SocketAddr,
        token: &str,
        options: &[&str],
    ) -> Self {
        Self::start_program(
            scratch,
            address,
            token,
            &[options, &["--", "python3", "mine.py"]].concat(),
        )
    }

    /// The arguments end with the program.
    fn start_program(
        scratch: &Scratch,
        address: SocketAddr,
        token: &str,
        arguments: &[&str],
    ) -> Self {
        let url = format!("http://{address}/hills/h");
        let words = [&["connect", &url][..], arguments].concat();
        let mut command = scratch.command(&words);
        command.env("DICEHILL_TOKEN", token).env("PATH", path_with_python());
        let mut child = command.stdin(Stdio::null()).spawn().expect("the command starts");
        let lines = BufReader::new(child.stderr.take().expect("it is a pipe")).lines();
        let (sender, messages) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { child, messages }
    }

    /// The number of its entry, once it is connected.
    #[track_caller]
    pub(crate) fn entry(&self) -> i64 {
        let mut all = String::new();
        loop {
            let line = self.messages.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("it does not connect: {all}"));
            if let Some((_, number)) = line.split_once("/entries/") {
                return number.parse().expect("a number");
            }
            all.push_str(&line);
            all.push('\n');
        }
    }

    /// Waits until it says this of its entry.
    #[track_caller]
    fn expect_message(&self, start: &str) {
        let mut all = Vec::new();
        loop {
            let line = self.messages.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("{start:?} is not in {all:?}"));
            if line.starts_with(start) {
                return;
            }
            all.push(line);
        }
    }

    pub(crate) fn interrupt(mut self) {
        send("-TERM", &self.child);
        assert_eq!(self.child.wait().expect("it is ours").code(), Some(130));
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _gone = self.child.wait();
    }
}

/// A hill that takes remote bots, and a token.
pub(crate) fn open_hill(games: &str) -> (Scratch, String) {
    let (scratch, token) = hill_with_token(games);
    scratch.run_ok(&["hill", "set", "h.db", "remote=yes"]);
    scratch.write("mine.py", BEST_BOX_BOT);
    (scratch, token)
}

fn row<'a>(document: &'a Value, bot: &str) -> &'a Value {
    let rows = document["standings"].as_array().expect("standings");
    rows.iter().find(|row| row["bot"] == bot).unwrap_or_else(|| panic!("{document:#}"))
}

/// A frame of a WebSocket from a client, whose mask changes nothing.
fn client_frame(opcode: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x80 | opcode];
    match u16::try_from(payload.len()) {
        Ok(length @ 0..=125) => frame.push(0x80 | length as u8),
        Ok(length) => {
            frame.push(0x80 | 126);
            frame.extend(length.to_be_bytes());
        }
        Err(_) => {
            frame.push(0x80 | 127);
            frame.extend((payload.len() as u64).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(payload);
    frame
}

/// The status and the reason of the server's close frame, after the answer to the upgrade and short frames.
#[track_caller]
fn close_frame(mut stream: TcpStream) -> (u16, String) {
    stream.set_read_timeout(Some(PATIENCE)).expect("it is open");
    let mut all = Vec::new();
    stream.read_to_end(&mut all).expect("the server ends the connection in order");
    let head = all.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let mut rest = &all[head + 4..];
    while let [first, length, following @ ..] = rest {
        let (length, following) = match length {
            126 => (usize::from(u16::from_be_bytes([following[0], following[1]])), &following[2..]),
            length => (usize::from(*length), following),
        };
        let (payload, others) = following.split_at(length);
        if *first == 0x88 {
            let status = u16::from_be_bytes([payload[0], payload[1]]);
            return (status, String::from_utf8_lossy(&payload[2..]).into_owned());
        }
        rest = others;
    }
    panic!("no close frame in {all:?}");
}

#[test]
fn a_connection_ends_with_a_close_frame() {
    let (scratch, token) = open_hill("10");
    let server = Server::start(&scratch);
    for (name, opcode, payload, status, reason) in [
        ("Ann", 1, vec![b'x'; (512 << 10) + 1], 1008, "a frame has at most 524288 bytes"),
        ("Bea", 2, vec![b'x'; 3], 1008, "a frame is a text"),
        ("Cyd", 8, 1000_u16.to_be_bytes().to_vec(), 1000, ""),
    ] {
        let mut stream = server.web_socket(&token, &format!("name={name}"));
        stream.write_all(&client_frame(opcode, &payload)).expect("it reads");
        assert_eq!(close_frame(stream), (status, reason.to_owned()), "{name}");
    }
}

#[test]
fn a_connected_bot_plays_and_is_marked_as_remote() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = open_hill("10");
    let server = Server::start(&scratch);
    let connected = Connected::start(&scratch, server.address, &token, &["--name", "Mine"]);
    let id = connected.entry();
    let (entry, report) = server.final_entry(id);
    assert_eq!(entry["state"], "done", "{report}");
    assert!(report.contains("Mine: qualified"), "{report}");
    connected.expect_message("done: run 2, http://");
    let document = scratch.run_ok(&["hill", "show", "h.db", "--format", "json"]).json();
    let mine = row(&document, "Mine");
    assert_eq!((&mine["remote"], &mine["deterministic"]), (&true.into(), &false.into()));
    assert_eq!((&mine["hash"], &mine["barred"]), (&format!("remote:{id}").into(), &Value::Null));
    assert_eq!(mine["games"], 10);
    let board = scratch.run_ok(&["hill", "show", "h.db"]);
    assert!(board.out.contains("Mine (remote)"), "{}", board.out);
    assert!(board.out.contains("they are not sandboxed"), "{}", board.out);
    let (_, page) = server.request("GET /hills/h", b"");
    assert!(page.contains("Bots marked remote"), "{page}");
    let (_, metrics) = server.request("GET /readyz", b"");
    assert_eq!(metrics, "ready\n");
    // The moves are replayed, and the bot is not asked again.
    let last = document_run(&scratch);
    scratch.run_ok(&["verify", &format!("h.db#{last}")]);
    let rerun = ["replay", &format!("h.db#{last}"), "1", "--rerun"];
    scratch.run_refused(&rerun, &["Mine is a remote bot: a game with it cannot be played again"]);

    // The program that was connected is the same bot, and no new entry.
    connected.interrupt();
    let again = Connected::start(&scratch, server.address, &token, &["--name", "Mine"]);
    assert_eq!(again.entry(), id);
    again.interrupt();
    let other =
        Connected::start(&scratch, server.address, &token, &["--name", "Mine", "--new-version"]);
    let second = other.entry();
    assert_ne!(second, id);
    let (entry, report) = server.final_entry(second);
    assert_eq!(entry["state"], "done", "{report}");
    other.interrupt();
    server.shut_down();

    // Neither can workers: its author is connected to this server alone.
    let workers = ["hill", "run", "h.db", "--workers", "nats://127.0.0.1:4222"];
    scratch
        .run_refused(&workers, &["Mine is a remote bot", "leave out --workers, or leave out Mine"]);

    // The games of a run in which nothing has changed are those of the last one, for which no bot is asked.
    let same = scratch.run_ok(&["hill", "run", "h.db", "--format", "json"]).json();
    assert_eq!(
        (&row(&same, "Mine")["barred"], &row(&same, "Mine")["games"]),
        (&Value::Null, &10.into())
    );

    // Without a server no remote bot can play. The run goes on without it, and it stays on the hill.
    scratch.run_ok(&["hill", "set", "h.db", "memory_mb=777"]);
    let run = scratch.run(&["hill", "run", "h.db", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let absent = row(&run.json(), "Mine")["barred"].clone();
    assert_eq!((&absent["reason"], &absent["game"]), (&"absent".into(), &1.into()), "{absent}");
    assert!(run.err.contains("Mine is skipped in game 1"), "{}", run.err);
    assert!(scratch.run_ok(&["hill", "list", "h.db"]).out.contains("remote:"));

    // `pull` fetches the last run in which it has games, and says so of one in which it has none.
    let server = Server::start(&scratch);
    let url = format!("http://{}/hills/h", server.address);
    let pulled = scratch.run_ok(&["pull", &url, "--bot", "Mine"]);
    assert!(pulled.err.contains("h-Mine.jsonl: 10 games of Mine"), "{}", pulled.err);
    let last = document_run(&scratch);
    let absent = scratch.run(&["pull", &url, "--bot", "Mine", "--run", &last, "--out", "x.jsonl"]);
    let why = format!("Mine has no games in run {last}; name another run with --run");
    assert!(absent.code == 1 && absent.err.contains(&why), "{}", absent.err);
    server.shut_down();
}

/// The number of the last run.
fn document_run(scratch: &Scratch) -> String {
    let log = scratch.run_ok(&["hill", "log", "h.db"]).out;
    let last = log.lines().last().expect("a run");
    last.split_whitespace().nth(1).expect("its number").to_owned()
}

/// The program stays connected. It is not absent: its server was.
#[test]
fn a_killed_server_loses_no_run_of_a_connected_bot() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = open_hill("400");
    let slow = BEST_BOX_BOT
        .replace("    turn = ", "    time.sleep(0.002)\n    turn = ")
        .replace("json, sys", "json, sys, time");
    scratch.write("mine.py", slow);
    let server = Server::start(&scratch);
    let connected = Connected::start(&scratch, server.address, &token, &["--name", "Mine"]);
    let id = connected.entry();
    let playing = server.wait_for(id, |entry| entry["state"] == "playing");
    assert_eq!(playing["run"], 2);
    let server = server.restart_killed(&scratch);
    let (entry, report) = server.final_entry(id);
    assert_eq!((&entry["state"], &entry["run"]), (&"done".into(), &2.into()), "{report}");
    assert!(report.contains("the run continues"), "{report}");
    let document = scratch.run_ok(&["hill", "show", "h.db", "--format", "json"]).json();
    let mine = row(&document, "Mine");
    assert_eq!((&mine["games"], &mine["barred"]), (&400.into(), &Value::Null), "{mine}");
    connected.interrupt();
    server.shut_down();
    scratch.run_ok(&["verify", "h.db"]);
}

#[test]
fn a_hill_and_its_names_are_protected_from_connections() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("10");
    scratch.write("mine.py", BEST_BOX_BOT);
    let server = Server::start(&scratch);
    let url = format!("http://{}/hills/h", server.address);
    let refused = |token: &str, name: &str, why: &str| {
        let mut command =
            scratch.command(&["connect", &url, "--name", name, "--", "python3", "mine.py"]);
        let output = command.env("DICEHILL_TOKEN", token).output().expect("it starts");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && err.contains(why), "{err}");
        assert!(!err.contains(token), "{err}");
    };
    refused(&token, "Mine", "this hill takes no remote bots");
    scratch.run_ok(&["hill", "set", "h.db", "remote=yes"]);
    refused(&format!("dh_{}", "0".repeat(64)), "Mine", "this hill has no such token");
    let first = scratch.run_ok(&["hill", "list", "h.db"]).out;
    let taken = first
        .lines()
        .nth(1)
        .and_then(|line| line.split_whitespace().next())
        .expect("an entrant")
        .to_owned();
    refused(&token, &taken, "another author's bot has this name");
    let host = scratch.run_ok(&["token", "new", "h.db", "--host"]).out;
    refused(host.trim(), "Mine", "a token of the host");
    // An uploaded bot is replaced by a program that has to be connected only if its author says so.
    let uploaded = server.upload(&token, "Good.py", BEST_BOX_BOT.as_bytes());
    let (entry, report) = server.final_entry(uploaded);
    assert_eq!(entry["state"], "done", "{report}");
    refused(&token, "Good", "Good plays here as an uploaded bot: --new-version replaces it");
    let replaced =
        Connected::start(&scratch, server.address, &token, &["--name", "Good", "--new-version"]);
    assert_ne!(replaced.entry(), uploaded);
    replaced.interrupt();
    let (status, text) = server.request("GET /api/v1/hills/h/connect?name=Mine", b"");
    assert!(status == 400 && text.contains("error"), "{text}");
    let (status, text) = server.request("GET /api/v1/hills/h/connect", b"");
    assert!(status == 400 && text.contains("the parameter name is missing"), "{text}");
    server.shut_down();
}

/// A program that is missing takes no place in the queue, and one that does not qualify does not wait for runs.
#[test]
fn a_program_that_cannot_play_does_not_stay_connected() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = open_hill("2");
    let server = Server::start(&scratch);
    let ended = |program: &str| {
        let arguments = ["--name", "Mine", "--", program];
        let mut connected = Connected::start_program(&scratch, server.address, &token, &arguments);
        let messages: Vec<_> = connected.messages.iter().collect();
        (connected.child.wait().expect("it ends").code(), messages.join("\n"))
    };
    let (code, messages) = ended("nosuchprogram");
    assert_eq!(code, Some(2), "{messages}");
    assert_eq!(messages, "error: \"nosuchprogram\": no such program in the PATH");
    let (_, messages) = ended("pyhton3");
    assert!(messages.ends_with("in the PATH; did you mean \"python3\"?"), "{messages}");
    assert!(!scratch.run_ok(&["hill", "queue", "h.db"]).out.contains("Mine"));
    let (code, messages) = ended("false");
    assert_eq!(code, Some(3), "{messages}");
    assert!(messages.ends_with("refused"), "{messages}");
    server.shut_down();
}

#[test]
fn a_bot_that_is_connected_twice_plays_over_the_newer_connection() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = open_hill("2");
    let server = Server::start(&scratch);
    let start = || Connected::start(&scratch, server.address, &token, &["--name", "Mine"]);
    let mut older = start();
    let id = older.entry();
    assert_eq!(server.final_entry(id).0["state"], "done");
    let newer = start();
    assert_eq!(newer.entry(), id);
    assert_eq!(older.child.wait().expect("it ends").code(), Some(1));
    let messages: Vec<_> = older.messages.iter().collect();
    let why = "error: Mine is connected a second time, and plays over the newer connection";
    assert_eq!(messages.last().map(String::as_str), Some(why), "{messages:?}");
    assert!(!messages.iter().any(|message| message.contains("next attempt")), "{messages:?}");
    // An older client that comes back after a lost connection does not take the place of the newer one.
    let (status, text) =
        server.connect(&token, &format!("name=Mine&entry={id}&key=00ff&received=1"));
    assert!(status == 409 && text.contains("another client has connected for this bot"), "{text}");
    std::thread::sleep(Duration::from_secs(2));
    let messages: Vec<_> = newer.messages.try_iter().collect();
    assert!(!messages.iter().any(|message| message.contains("connection")), "{messages:?}");
    newer.interrupt();
    server.shut_down();
}

#[test]
fn a_connection_ends_with_its_token() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = open_hill("2");
    let server = Server::start(&scratch);
    let mut connected = Connected::start(&scratch, server.address, &token, &["--name", "Mine"]);
    connected.entry();
    scratch.run_ok(&["token", "revoke", "h.db", "1"]);
    let messages: Vec<_> = connected.messages.iter().collect();
    let has = |text: &str| messages.iter().any(|message| message.contains(text));
    assert!(has("the server has closed it: the token is revoked or has expired"), "{messages:?}");
    assert!(has("this token was revoked"), "{messages:?}");
    assert_eq!(connected.child.wait().expect("it ends").code(), Some(1));
    server.shut_down();
}
