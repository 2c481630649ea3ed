//! The socket at which runs ask for processes of remote bots.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::time::sleep_until;

use super::hill_bots::HillBots;
use super::is_set;
use super::remote_bot::{GRACE, RemoteBot, SessionEvent};

/// The pause after an error of the socket.
const PAUSE: Duration = Duration::from_millis(50);

/// What a run says first.
#[derive(Deserialize)]
struct Wanted {
    entry: i64,
}

/// Serves all runs of a hill. Does not return.
pub(super) async fn accept(listener: UnixListener, bots: Arc<HillBots>) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let bots = Arc::clone(&bots);
                tokio::spawn(async move {
                    // The run has ended, which no one has to know.
                    let _ended = serve(stream, &bots).await;
                });
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// A session: a process of a remote bot for a run.
struct RunSession {
    requests: tokio::io::Lines<BufReader<OwnedReadHalf>>,
    answers: OwnedWriteHalf,
    changes: watch::Receiver<bool>,
    bot: Arc<RemoteBot>,
}

async fn serve(stream: UnixStream, bots: &HillBots) -> std::io::Result<()> {
    let (read, answers) = stream.into_split();
    let mut requests = BufReader::new(read).lines();
    let Some(first) = requests.next_line().await? else { return Ok(()) };
    let Wanted { entry } = serde_json::from_str(&first)?;
    let bot = bots.bot(entry);
    let changes = bot.connection_changes();
    RunSession { requests, answers, changes, bot }.run().await
}

impl RunSession {
    async fn run(mut self) -> std::io::Result<()> {
        if !*self.changes.borrow_and_update() {
            self.say("away").await?;
            if !self.wait_for_connection().await {
                return self.say(&self.absent()).await;
            }
            self.say("back").await?;
        }
        let (session, mut events) = self.bot.open_session();
        let done = self.pass_on(session, &mut events).await;
        self.bot.close_session(session);
        done
    }

    /// Waits for the connection, as long as the bot may be without one. Returns whether there is one.
    async fn wait_for_connection(&mut self) -> bool {
        let deadline = self.bot.absent_at();
        tokio::select! {
            () = is_set(&mut self.changes) => true,
            () = sleep_until(deadline.into()) => false,
        }
    }

    async fn pass_on(
        &mut self,
        session: u64,
        events: &mut tokio::sync::mpsc::Receiver<SessionEvent>,
    ) -> std::io::Result<()> {
        let mut deadline: Option<Instant> = None;
        loop {
            let at = deadline.unwrap_or_else(|| Instant::now() + GRACE);
            tokio::select! {
                line = self.requests.next_line() => {
                    let Some(line) = line? else { return Ok(()) };
                    if !self.bot.send_line(session, line) {
                        return self.say("absent its connection takes too little").await;
                    }
                }
                event = events.recv() => match event {
                    Some(SessionEvent::Line(line)) => self.say(&format!("bot {line}")).await?,
                    Some(SessionEvent::Ended(how)) => {
                        return self.say(&format!("ended {}", one_line(&how))).await;
                    }
                    None => {
                        return self.say("absent its author has started it again meanwhile").await;
                    }
                },
                _changed = self.changes.changed() => {
                    let is_connected = *self.changes.borrow_and_update();
                    deadline = (!is_connected).then(|| self.bot.absent_at());
                    self.say(if is_connected { "back" } else { "away" }).await?;
                }
                () = sleep_until(at.into()), if deadline.is_some() => {
                    return self.say(&self.absent()).await;
                }
            }
        }
    }

    fn absent(&self) -> String {
        format!("absent {}", self.bot.why_absent())
    }

    async fn say(&mut self, line: &str) -> std::io::Result<()> {
        self.answers.write_all(format!("{line}\n").as_bytes()).await
    }
}

/// A text without ends of lines.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
