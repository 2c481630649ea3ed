//! The connection of a remote bot's author.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use dicehill_store::FileError;
use tokio::sync::watch;
use tokio::time::{interval, timeout};

use super::frames::{MAX_FRAME, REPLACED_STATUS, ServerFrame};
use super::is_set;
use super::remote_bot::{Connected, FrameError, RemoteBot, SessionEvent};

/// The interval at which the server asks for a sign of life, and confirms frames.
const PING: Duration = Duration::from_secs(10);
/// The longest time without a sign of life.
const SILENCE: Duration = Duration::from_secs(30);
/// Frames after which the server confirms them.
const CONFIRMED: u64 = 32;
/// How long a client may take to close a connection that has ended. Until then it may read why.
const CLOSE_TIME: Duration = Duration::from_secs(5);
/// How long a run may take to read a line.
const RUN_TIME: Duration = Duration::from_secs(10);

/// What the author's program says of its last connection.
#[derive(Clone, Debug)]
pub(crate) struct LastConnection {
    /// Its key.
    pub(crate) key: Option<String>,
    /// The number of the last frame that was received.
    pub(crate) received: u64,
}

/// Serves the connection of a bot until it ends, `stop` yields `true`, or the author's token is not valid any more.
pub(crate) async fn serve(
    mut socket: WebSocket,
    (bot, entry): (Arc<RemoteBot>, i64),
    last: LastConnection,
    stop: watch::Receiver<bool>,
    is_token_valid: impl AsyncFn() -> bool,
) {
    let Ok(new_key) = random_key() else { return };
    let connected = bot.connect(last.key.as_deref(), last.received, new_key);
    let generation = connected.generation;
    let sent = if connected.is_resumed { last.received } else { 0 };
    let Connected { key, received, is_resumed: resumed, .. } = connected;
    let welcome = ServerFrame::Welcome { entry, key, received, resumed };
    let mut fault = None;
    if send(&mut socket, &welcome).await {
        let bot = &*bot;
        let mut serving =
            Serving { socket: &mut socket, bot, generation, sent, confirmed: received };
        fault = serving.run(stop, is_token_valid).await;
    }
    bot.disconnect(generation);
    if let Some(fault) = fault {
        close(socket, &fault).await;
    }
}

/// Tells the client why its connection ends. A connection that is dropped with frames that were not read loses the reason.
async fn close(mut socket: WebSocket, fault: &ConnectionFault) {
    let reason = CloseFrame { code: fault.status(), reason: fault.to_string().into() };
    if is_sent(&mut socket, Message::Close(Some(reason))).await {
        let closed = async { while let Some(Ok(_)) = socket.recv().await {} };
        let _late = timeout(CLOSE_TIME, closed).await;
    }
}

fn random_key() -> Result<String, FileError> {
    let mut bytes = [0; 16];
    let drawn = getrandom::fill(&mut bytes);
    drawn.map_err(|error| {
        FileError::new(std::path::Path::new("the system's random numbers"), error)
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

async fn send(socket: &mut WebSocket, frame: &ServerFrame) -> bool {
    let text = serde_json::to_string(frame).expect("a frame is JSON");
    is_sent(socket, Message::Text(text.into())).await
}

/// Sends a message; returns whether the client takes it in time. One that reads nothing would hold the connection for ever.
async fn is_sent(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(SILENCE, socket.send(message)).await, Ok(Ok(())))
}

/// Why the server ends a connection.
#[derive(Debug, thiserror::Error)]
enum ConnectionFault {
    #[error(transparent)]
    Frame(#[from] FrameError),
    #[error("a frame is a text")]
    NoText,
    #[error("a frame has at most {MAX_FRAME} bytes")]
    TooLong,
    #[error("the token is revoked or has expired")]
    Token,
}

impl ConnectionFault {
    const fn status(&self) -> u16 {
        match self {
            Self::Frame(FrameError::Replaced) => REPLACED_STATUS,
            Self::Frame(
                FrameError::Order { .. } | FrameError::Confirmed(_) | FrameError::Malformed,
            )
            | Self::NoText
            | Self::TooLong
            | Self::Token => close_code::POLICY,
        }
    }
}

struct Serving<'a> {
    socket: &'a mut WebSocket,
    bot: &'a RemoteBot,
    generation: u64,
    /// The number of the last frame that was sent.
    sent: u64,
    /// The number of the last frame that was confirmed.
    confirmed: u64,
}

impl Serving<'_> {
    /// Serves it to its end; returns the reason if the author has to know it.
    async fn run(
        &mut self,
        mut stop: watch::Receiver<bool>,
        is_token_valid: impl AsyncFn() -> bool,
    ) -> Option<ConnectionFault> {
        let mut pings = interval(PING);
        let mut heard = Instant::now();
        while self.send_waiting().await {
            if !self.bot.is_current(self.generation) {
                return Some(FrameError::Replaced.into());
            }
            tokio::select! {
                () = self.bot.woken() => {}
                message = self.socket.recv() => match message {
                    Some(Ok(Message::Text(text))) if text.len() > MAX_FRAME => {
                        return Some(ConnectionFault::TooLong);
                    }
                    Some(Ok(Message::Text(text))) => {
                        heard = Instant::now();
                        match self.take(&text).await {
                            Ok(true) => {}
                            Ok(false) => return None,
                            Err(fault) => return Some(fault.into()),
                        }
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => heard = Instant::now(),
                    Some(Ok(Message::Binary(_))) => return Some(ConnectionFault::NoText),
                    Some(Ok(Message::Close(_))) => {
                        self.bot.leave(self.generation);
                        // The answer to it is sent with the next read.
                        let _late = timeout(CLOSE_TIME, self.socket.recv()).await;
                        return None;
                    }
                    Some(Err(_)) | None => return None,
                },
                _ = pings.tick() => {
                    let is_silent = heard.elapsed() > SILENCE;
                    if is_silent || !self.confirm().await {
                        return None;
                    }
                    if !is_token_valid().await {
                        return Some(ConnectionFault::Token);
                    }
                    if !is_sent(self.socket, Message::Ping(Vec::new().into())).await {
                        return None;
                    }
                }
                () = is_set(&mut stop) => return None,
            }
        }
        None
    }

    /// Sends the frames that wait; returns whether the connection is still there.
    async fn send_waiting(&mut self) -> bool {
        while let Some((number, text)) = self.bot.next_frame(self.sent) {
            if !is_sent(self.socket, Message::Text(text.into())).await {
                return false;
            }
            self.sent = number;
        }
        true
    }

    async fn confirm(&mut self) -> bool {
        let received = self.bot.received();
        if received == self.confirmed {
            return true;
        }
        self.confirmed = received;
        send(self.socket, &ServerFrame::Confirm { received }).await
    }

    /// Takes a frame; returns whether the connection is still there.
    ///
    /// # Errors
    /// If the frame cannot follow the last one.
    async fn take(&mut self, text: &str) -> Result<bool, FrameError> {
        if let Some((events, event)) = self.bot.take(self.generation, text)? {
            let event: SessionEvent = event;
            // A run that reads nothing has ended, or is about to.
            let _late = timeout(RUN_TIME, events.send(event)).await;
        }
        let is_enough = self.bot.received().saturating_sub(self.confirmed) >= CONFIRMED;
        Ok(!is_enough || self.confirm().await)
    }
}
