//! The connection with which a program on this machine plays on a hill.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dicehill_arena::{BotName, printable};
use dicehill_store::{FileError, SecretToken};
use dicehill_web::{AuthorFrame, Outbox, REPLACED_STATUS, ServerFrame};
use futures_util::{SinkExt, StreamExt};
use rustls::{ClientConfig, RootCertStore};
use serde::Deserialize;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{interval, sleep, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderValue, Response};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{
    Connector, MaybeTlsStream, WebSocketStream, connect_async_tls_with_config,
};

use super::HillUrl;
use super::authorities::{authorities, certificate_remedy};
use super::client::{encoded, moved_to};
use super::program::{Process, ProcessEvent, ProcessEventKind};
use crate::console::Console;
use crate::failure::Failure;

/// The pause after the first failure of a connection, which doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The longest time until a connection is there.
const CONNECT_TIME: Duration = Duration::from_secs(15);
/// The longest time without a sign of the server.
const SILENCE: Duration = Duration::from_secs(30);
/// The interval at which frames are confirmed and an interruption is noticed.
const TICK: Duration = Duration::from_millis(200);
/// Lines of processes that wait for the connection.
const MAX_EVENTS: usize = 1024;
/// The most processes at the same time, whatever the server asks for.
const MAX_PROCESSES: usize = 256;
/// The most bytes of lines that wait for a connection, and of those that wait until processes read them.
const MAX_WAITING_BYTES: usize = 8 << 20;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A program on this machine, and the hill that it plays on.
pub(crate) struct ConnectedBot {
    pub(crate) url: HillUrl,
    pub(crate) token: SecretToken,
    pub(crate) name: BotName,
    pub(crate) command: Vec<String>,
    pub(crate) is_new_version: bool,
}

/// The connection of a program, made again when it is lost.
pub(crate) struct AuthorConnection<'a> {
    bot: ConnectedBot,
    console: &'a Console,
    connector: Option<Connector>,
    /// The entry, once it is known.
    entry: Option<i64>,
    /// Gets the number of the entry once.
    known: std::sync::mpsc::Sender<i64>,
    /// What lets sessions go on after the connection was cut.
    key: Option<String>,
    /// The number of the last frame of the server.
    received: u64,
    outbox: Outbox,
    processes: HashMap<u64, Process>,
    events: mpsc::Sender<ProcessEvent>,
    reported: mpsc::Receiver<ProcessEvent>,
}

/// Why there is no connection.
enum Lost {
    /// The server refuses it, and will do so again.
    Refused(String),
    /// Another client has taken the place of this one.
    Replaced,
    /// Another attempt may succeed.
    For(String),
}

impl From<String> for Lost {
    fn from(why: String) -> Self {
        Self::For(why)
    }
}

/// A request that the server refuses.
#[derive(Deserialize)]
struct ProblemDocument {
    error: String,
}

impl<'a> AuthorConnection<'a> {
    /// The connection of a bot, which is not made yet. `known` gets the number of its entry.
    ///
    /// # Errors
    /// If the file of authorities cannot be read.
    pub(crate) fn new(
        bot: ConnectedBot,
        ca: Option<&Path>,
        known: std::sync::mpsc::Sender<i64>,
        console: &'a Console,
    ) -> Result<Self, FileError> {
        let (events, reported) = mpsc::channel(MAX_EVENTS);
        Ok(Self {
            bot,
            console,
            connector: ca.map(connector).transpose()?,
            entry: None,
            known,
            key: None,
            received: 0,
            outbox: Outbox::default(),
            processes: HashMap::new(),
            events,
            reported,
        })
    }

    /// Plays until `is_over` says so.
    ///
    /// # Errors
    /// If the server refuses the bot, or another client connects for it.
    pub(crate) async fn run(&mut self, is_over: &dyn Fn() -> bool) -> Result<(), Failure> {
        let mut pause = FIRST_PAUSE;
        while !is_over() {
            let lost = match timeout(CONNECT_TIME, self.connect()).await {
                Ok(Ok(socket)) => match self.serve(socket, is_over).await {
                    None => return Ok(()),
                    Some(lost) => {
                        pause = FIRST_PAUSE;
                        lost
                    }
                },
                Ok(Err(lost)) => lost,
                Err(_) => Lost::For("the server does not answer".to_owned()),
            };
            match lost {
                Lost::Refused(why) => {
                    let message = format!("the server refuses the bot: {}", printable(&why));
                    return Err(Failure::Failed(io::Error::other(message)));
                }
                Lost::Replaced => {
                    let message = format!(
                        "{} is connected a second time, and plays over the newer connection",
                        self.bot.name
                    );
                    return Err(Failure::Failed(io::Error::other(message)));
                }
                Lost::For(why) => {
                    let (why, seconds) = (printable(&why), pause.as_secs());
                    self.console
                        .report(format!("no connection: {why}; next attempt in {seconds} s"));
                }
            }
            self.wait(jittered(pause)?, is_over).await;
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
        Ok(())
    }

    /// Waits before the next attempt. Processes go on meanwhile.
    async fn wait(&mut self, pause: Duration, is_over: &dyn Fn() -> bool) {
        let until = Instant::now() + pause;
        while Instant::now() < until && !is_over() {
            tokio::select! {
                Some(event) = self.reported.recv(), if self.has_room() => self.take_event(event),
                () = sleep(TICK.min(until.saturating_duration_since(Instant::now()))) => {}
            }
        }
    }

    fn has_room(&self) -> bool {
        self.outbox.bytes() < MAX_WAITING_BYTES
    }

    async fn connect(&self) -> Result<Socket, Lost> {
        let invalid = |error: &dyn std::fmt::Display| Lost::Refused(error.to_string());
        let mut request = self.address().into_client_request().map_err(|error| invalid(&error))?;
        let token = format!("Bearer {}", self.bot.token.reveal());
        let token = HeaderValue::from_str(&token).map_err(|error| invalid(&error))?;
        request.headers_mut().insert("Authorization", token);
        let connector = self.connector.clone();
        // Neither may what a server sends, nor what it does not read, fill the memory.
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_WAITING_BYTES))
            .write_buffer_size(0)
            .max_write_buffer_size(MAX_WAITING_BYTES);
        match connect_async_tls_with_config(request, Some(config), true, connector).await {
            Ok((socket, _)) => Ok(socket),
            Err(Error::Http(response)) => Err(refusal(&response)),
            Err(error) => {
                let why = error.to_string();
                Err(Lost::For(format!("{why}{}", certificate_remedy(&why))))
            }
        }
    }

    fn address(&self) -> String {
        let mut path = format!("connect?name={}", encoded(self.bot.name.as_str()));
        if let Some(entry) = self.entry {
            path.push_str(&format!("&entry={entry}"));
        } else if self.bot.is_new_version {
            path.push_str("&new_version=true");
        }
        if let Some(key) = &self.key {
            path.push_str(&format!("&key={}&received={}", encoded(key), self.received));
        }
        self.bot.url.socket(&path)
    }

    /// Serves a connection until it is lost, and says why; `None` once `is_over` says so.
    async fn serve(&mut self, mut socket: Socket, is_over: &dyn Fn() -> bool) -> Option<Lost> {
        let mut sent = match self.welcome(&mut socket).await {
            Ok(sent) => sent,
            Err(why) => return Some(why.into()),
        };
        let mut ticks = interval(TICK);
        let (mut heard, mut confirmed) = (Instant::now(), self.received);
        loop {
            while let Some((number, text)) = self.outbox.next_after(sent) {
                if let Err(error) = socket.send(Message::text(text)).await {
                    return Some(error.to_string().into());
                }
                sent = number;
            }
            tokio::select! {
                message = socket.next() => {
                    heard = Instant::now();
                    match message {
                        Some(Ok(Message::Text(text))) => {
                            if let Err(why) = self.take_frame(&text) {
                                return Some(why.into());
                            }
                        }
                        Some(Ok(Message::Close(frame))) => {
                            // Sends the answer to it, so that the server does not wait.
                            let _closed = timeout(TICK, socket.flush()).await;
                            return Some(closed(frame));
                        }
                        None => return Some(closed(None)),
                        Some(Ok(_)) => {}
                        Some(Err(error)) => return Some(error.to_string().into()),
                    }
                }
                Some(event) = self.reported.recv(), if self.has_room() => self.take_event(event),
                _ = ticks.tick() => {
                    if is_over() {
                        let _closing = timeout(TICK, socket.close(None)).await;
                        return None;
                    }
                    if heard.elapsed() > SILENCE {
                        let seconds = SILENCE.as_secs();
                        return Some(format!("the server is silent for {seconds} s").into());
                    }
                    if confirmed < self.received {
                        confirmed = self.received;
                        let frame = AuthorFrame::Confirm { received: confirmed };
                        let text = serde_json::to_string(&frame).expect("a frame is JSON");
                        if let Err(error) = socket.send(Message::text(text)).await {
                            return Some(error.to_string().into());
                        }
                    }
                }
            }
        }
    }

    /// Reads the first frame. Returns the number of the last frame that the server has.
    async fn welcome(&mut self, socket: &mut Socket) -> Result<u64, String> {
        let no_hill = || "the server's answer is not that of a hill".to_owned();
        let first = timeout(CONNECT_TIME, socket.next()).await.ok().flatten();
        let Some(Ok(Message::Text(text))) = first else { return Err(no_hill()) };
        let Ok(ServerFrame::Welcome { entry, key, received, resumed }) =
            serde_json::from_str(&text)
        else {
            return Err(no_hill());
        };
        let is_resumed = resumed && self.outbox.confirm(received);
        if !is_resumed {
            self.processes.clear();
            self.outbox = Outbox::default();
            self.received = 0;
        }
        let page = self.bot.url.page(&format!("entries/{entry}"));
        let again = if is_resumed { "connected again" } else { "connected" };
        self.console.report(format!("{again} as {}: {page}", self.bot.name));
        if self.entry.is_none() {
            // It is only shown.
            let _unread = self.known.send(entry);
        }
        (self.entry, self.key) = (Some(entry), Some(key));
        Ok(if is_resumed { received } else { 0 })
    }

    /// Does what the server asks for.
    fn take_frame(&mut self, text: &str) -> Result<(), String> {
        let frame: ServerFrame = serde_json::from_str(text)
            .map_err(|error| format!("the server sent what is no frame: {error}"))?;
        if let Some(number) = frame.number() {
            if number <= self.received {
                return Ok(());
            }
            if number != self.received + 1 {
                return Err("a frame of the server is missing".to_owned());
            }
            self.received = number;
        }
        match frame {
            ServerFrame::Open { session, .. } if self.processes.len() >= MAX_PROCESSES => {
                let how = format!("{MAX_PROCESSES} processes run already");
                self.outbox.push(|n| AuthorFrame::Ended { n, session, how });
            }
            ServerFrame::Open { session, .. } => {
                let process = Process::start(&self.bot.command, session, self.events.clone());
                self.processes.insert(session, process);
            }
            ServerFrame::Line { session, line, .. } => {
                if let Some(process) = self.processes.get(&session) {
                    process.send(line);
                    self.end_overfull();
                }
            }
            ServerFrame::Close { session, .. } => drop(self.processes.remove(&session)),
            ServerFrame::Confirm { received } => {
                if !self.outbox.confirm(received) {
                    return Err("the server confirms what was not sent".to_owned());
                }
            }
            ServerFrame::Welcome { .. } => {}
        }
        Ok(())
    }

    /// Ends the process that most waits for if too much waits: a program that does not read its stdin must not fill the memory.
    fn end_overfull(&mut self) {
        let waiting: usize = self.processes.values().map(Process::waiting).sum();
        let fullest = self.processes.iter().max_by_key(|(_, process)| process.waiting());
        let Some((&session, _)) = fullest.filter(|_| waiting > MAX_WAITING_BYTES) else { return };
        if let Some(process) = self.processes.remove(&session) {
            process.kill();
        }
        let mib = MAX_WAITING_BYTES >> 20;
        let how = format!("it does not read its stdin, and more than {mib} MiB wait for it");
        self.console.report(format!("a process is ended: {how}"));
        self.outbox.push(|n| AuthorFrame::Ended { n, session, how });
    }

    /// Passes on what a process has done, if the server still wants to know.
    fn take_event(&mut self, ProcessEvent { session, kind }: ProcessEvent) {
        if !self.processes.contains_key(&session) {
            return;
        }
        match kind {
            ProcessEventKind::Line(line, took) => {
                let took_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
                self.outbox.push(|n| AuthorFrame::Line { n, session, line, took_us });
            }
            ProcessEventKind::Ended(how) => {
                self.console.report(format!("a process has ended by itself: {}", printable(&how)));
                self.processes.remove(&session);
                self.outbox.push(|n| AuthorFrame::Ended { n, session, how });
            }
        }
    }
}

/// A connector that trusts the authorities in a file alone.
fn connector(ca: &Path) -> Result<Connector, FileError> {
    let mut roots = RootCertStore::empty();
    for certificate in authorities(ca)? {
        let added = roots.add(certificate);
        added.map_err(|error| FileError::new(ca, format!("a certificate is invalid: {error}")))?;
    }
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    Ok(Connector::Rustls(Arc::new(config)))
}

/// What follows from the end of a connection that the server has closed.
fn closed(frame: Option<CloseFrame>) -> Lost {
    let Some(CloseFrame { code, reason }) = frame else {
        return Lost::For("the server has closed it".to_owned());
    };
    if u16::from(code) == REPLACED_STATUS {
        return Lost::Replaced;
    }
    let why = if reason.is_empty() { String::new() } else { format!(": {}", printable(&reason)) };
    Lost::For(format!("the server has closed it{why}"))
}

/// What follows from a response that is no connection.
fn refusal(response: &Response<Option<Vec<u8>>>) -> Lost {
    let status = response.status();
    if let Some(place) = moved_to(status, response.headers()) {
        return Lost::Refused(format!("the hill has moved to {place}; use that address"));
    }
    let body = response.body().as_deref().unwrap_or_default();
    let why = serde_json::from_slice(body).map(|document: ProblemDocument| document.error);
    let why = why.unwrap_or_else(|_| format!("status {status}"));
    // A proxy or a server that is busy or being started answers otherwise some time later.
    let is_final = status.is_client_error() && status.as_u16() != 429 && status.as_u16() != 408;
    if is_final { Lost::Refused(why) } else { Lost::For(why) }
}

/// Half to all of a pause, so that many clients do not come at once after the server was started again.
fn jittered(pause: Duration) -> Result<Duration, Failure> {
    let [random]: [u8; 1] = crate::seed::random()?;
    Ok(pause / 2 + pause * u32::from(random) / 512)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_reads_nothing_loses_its_session() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.unwrap().block_on(async {
            let bot = ConnectedBot {
                url: "https://hill.example.org/hills/h".parse().unwrap(),
                token: SecretToken::new([7; 32]),
                name: BotName::new("Mine").unwrap(),
                command: ["sleep", "600"].map(str::to_owned).into(),
                is_new_version: false,
            };
            let console = Console::of_files(io::empty(), io::sink(), io::sink());
            let mut connection =
                AuthorConnection::new(bot, None, std::sync::mpsc::channel().0, &console).unwrap();
            connection.take_frame(r#"{"type":"open","n":1,"session":1}"#).unwrap();
            let line = "x".repeat(60_000);
            let ended = (2..1_000).find(|n| {
                let frame = format!(r#"{{"type":"line","n":{n},"session":1,"line":"{line}"}}"#);
                connection.take_frame(&frame).unwrap();
                connection.processes.is_empty()
            });
            let bytes = ended.expect("it is ended") * line.len();
            assert!(bytes < MAX_WAITING_BYTES + 200_000, "{bytes}");
            let (_, text) = connection.outbox.next_after(0).expect("it is reported");
            assert!(text.contains("it does not read its stdin, and more than 8 MiB"), "{text}");
        });
    }
}
