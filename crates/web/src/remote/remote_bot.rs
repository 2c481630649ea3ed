//! A remote bot: its connection, and the sessions on it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, mpsc, watch};

use super::frames::{AuthorFrame, ServerFrame};
use super::outbox::Outbox;

/// How long a connection may be lost before the bot is absent, if it was not lost lately.
pub(super) const GRACE: Duration = Duration::from_secs(60);
/// The part of the time with a connection by which a later loss may last longer again. Without it a bot could hang up in each turn,
/// think while its clock stands still, and come back.
const REGAINED: f64 = 0.1;
/// The most bytes that wait for a connection.
const MAX_WAITING_BYTES: usize = 8 << 20;
/// The lines of a session that wait for its run.
const MAX_WAITING_LINES: usize = 256;

/// A remote bot that the server knows.
pub(crate) struct RemoteBot {
    state: Mutex<State>,
    /// Wakes the connection when there is something to send.
    wake: Notify,
    is_connected: watch::Sender<bool>,
}

struct State {
    /// Counts the connections: an older one ends when there is a newer one.
    generation: u64,
    is_connected: bool,
    /// When the connection was lost for the last time; when the server began, if there was none.
    lost: Instant,
    /// Whether the author's program has ended the last connection itself.
    has_left: bool,
    /// When the connection was made.
    made: Instant,
    /// How long the connection may be lost, from its last change on.
    grace: Duration,
    /// What the author's program sends to resume.
    key: String,
    /// What it has sent when it was given that key: it sends this again if it has not received the key.
    earlier_key: Option<String>,
    outbox: Outbox,
    /// The number of the last frame of the author's program.
    received: u64,
    sessions: HashMap<u64, Session>,
    last_session: u64,
    figures: RemoteFigures,
}

struct Session {
    events: mpsc::Sender<SessionEvent>,
    /// When the last line went to the author's program.
    asked: Instant,
}

/// What the author's program reports to a session.
pub(super) enum SessionEvent {
    Line(String),
    Ended(String),
}

/// The times of a remote bot's lines since the server has begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RemoteFigures {
    /// Lines of the bot.
    pub(crate) lines: u64,
    /// The time from a request to the line, as seen here.
    pub(crate) total: Duration,
    /// The part of it that the author's program says the bot took.
    pub(crate) thinking: Duration,
}

/// A connection as its task knows it.
pub(super) struct Connected {
    pub(super) generation: u64,
    pub(super) key: String,
    pub(super) received: u64,
    pub(super) is_resumed: bool,
}

/// Why a connection is ended.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum FrameError {
    /// A frame is missing before this one.
    #[error("frame {number} is out of order: the next one is {next}")]
    Order {
        /// Its number.
        number: u64,
        /// The number of the next frame.
        next: u64,
    },
    /// A frame is confirmed that was not sent.
    #[error("frame {0} was not sent, and cannot be confirmed")]
    Confirmed(u64),
    /// It is not a frame.
    #[error("it is not a frame")]
    Malformed,
    /// Its connection is not the last one.
    #[error("another client has connected for this bot")]
    Replaced,
}

impl RemoteBot {
    /// A bot without a connection; `begun` is when the server began.
    pub(super) fn new(begun: Instant) -> Self {
        let state = State {
            generation: 0,
            is_connected: false,
            lost: begun,
            has_left: false,
            made: begun,
            grace: GRACE,
            key: String::new(),
            earlier_key: None,
            outbox: Outbox::default(),
            received: 0,
            sessions: HashMap::new(),
            last_session: 0,
            figures: RemoteFigures::default(),
        };
        Self {
            state: Mutex::new(state),
            wake: Notify::new(),
            is_connected: watch::Sender::new(false),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is connected.
    pub(crate) fn is_connected(&self) -> bool {
        self.state().is_connected
    }

    /// Whether it was not connected at some time since `begun`.
    pub(crate) fn was_absent_since(&self, begun: Instant) -> bool {
        let state = self.state();
        !state.is_connected || state.lost > begun
    }

    pub(crate) fn figures(&self) -> RemoteFigures {
        self.state().figures
    }

    /// Until when a session waits for the connection: not at all for a program that has ended it.
    pub(super) fn absent_at(&self) -> Instant {
        let state = self.state();
        if state.has_left { state.lost } else { state.lost + state.grace }
    }

    /// Why the bot is absent.
    pub(super) fn why_absent(&self) -> String {
        match self.state().has_left {
            true => "its author has ended the connection".to_owned(),
            false => format!("it was without a connection for {} seconds in all", GRACE.as_secs()),
        }
    }

    /// The author's program ends the connection, unless there is a newer one.
    pub(super) fn leave(&self, generation: u64) {
        let mut state = self.state();
        state.has_left |= state.generation == generation;
    }

    /// A channel that says whether it is connected.
    pub(super) fn connection_changes(&self) -> watch::Receiver<bool> {
        self.is_connected.subscribe()
    }

    /// Waits until there may be something to send.
    pub(super) async fn woken(&self) {
        self.wake.notified().await;
    }

    /// Whether the client with this key lost its place to another client, which is connected. A client without a key is a new one.
    pub(crate) fn is_replaced(&self, key: Option<&str>) -> bool {
        let state = self.state();
        let is_own = || key == Some(&*state.key) || key == state.earlier_key.as_deref();
        state.is_connected && key.is_some() && !is_own()
    }

    /// Takes a new connection in place of the last one. With the key of the last one, and if nothing has been lost, its sessions go
    /// on. `new_key` is the key of a connection that does not resume another.
    pub(super) fn connect(&self, key: Option<&str>, received: u64, new_key: String) -> Connected {
        let mut state = self.state();
        let is_resumed = !state.key.is_empty()
            && key == Some(&*state.key)
            && state.outbox.has_all_after(received);
        if is_resumed {
            state.outbox.confirm(received);
            if !state.is_connected {
                state.grace = state.grace.saturating_sub(state.lost.elapsed());
            }
        } else {
            // Without its sender, a session ends, so that no clock of one has stood still.
            state.grace = GRACE;
            state.sessions.clear();
            state.outbox = Outbox::default();
            state.received = 0;
            state.key = new_key;
            state.earlier_key = key.map(str::to_owned);
        }
        state.generation += 1;
        if !state.is_connected {
            state.made = Instant::now();
        }
        (state.is_connected, state.has_left) = (true, false);
        self.is_connected.send_replace(true);
        // The task of an older connection notices that there is a newer one.
        self.wake.notify_waiters();
        Connected {
            generation: state.generation,
            key: state.key.clone(),
            received: state.received,
            is_resumed,
        }
    }

    /// A connection is lost, unless there is a newer one.
    pub(super) fn disconnect(&self, generation: u64) {
        let mut state = self.state();
        if state.generation == generation {
            state.is_connected = false;
            state.lost = Instant::now();
            let regained = state.made.elapsed().mul_f64(REGAINED);
            state.grace = (state.grace + regained).min(GRACE);
            self.is_connected.send_replace(false);
        }
    }

    /// Whether there is no newer connection.
    pub(super) fn is_current(&self, generation: u64) -> bool {
        self.state().generation == generation
    }

    /// The number and text of the first frame after `sent`.
    pub(super) fn next_frame(&self, sent: u64) -> Option<(u64, String)> {
        let state = self.state();
        state.outbox.next_after(sent).map(|(number, text)| (number, text.to_owned()))
    }

    /// The number of the last frame that was received.
    pub(super) fn received(&self) -> u64 {
        self.state().received
    }

    /// Takes a frame of the author's program; returns the session that it is for, and what it says.
    ///
    /// # Errors
    /// If the frame cannot follow the last one, or there is a newer connection.
    pub(super) fn take(
        &self,
        generation: u64,
        text: &str,
    ) -> Result<Option<(mpsc::Sender<SessionEvent>, SessionEvent)>, FrameError> {
        let frame: AuthorFrame = serde_json::from_str(text).map_err(|_| FrameError::Malformed)?;
        let mut state = self.state();
        if state.generation != generation {
            return Err(FrameError::Replaced);
        }
        if let Some(number) = frame.number() {
            // It was received already, and the confirmation was lost.
            if number <= state.received {
                return Ok(None);
            }
            if number != state.received + 1 {
                return Err(FrameError::Order { number, next: state.received + 1 });
            }
            state.received = number;
        }
        let (session, event) = match frame {
            AuthorFrame::Confirm { received } => {
                let is_possible = state.outbox.confirm(received);
                return is_possible.then_some(None).ok_or(FrameError::Confirmed(received));
            }
            AuthorFrame::Line { line, .. } if line.contains('\n') => {
                return Err(FrameError::Malformed);
            }
            AuthorFrame::Line { session, line, took_us, .. } => {
                let asked = state.sessions.get(&session).map(|session| session.asked);
                if let Some(asked) = asked {
                    state.figures.add(asked.elapsed(), Duration::from_micros(took_us));
                }
                (session, SessionEvent::Line(line))
            }
            AuthorFrame::Ended { session, how, .. } => (session, SessionEvent::Ended(how)),
        };
        let events = state.sessions.get(&session).map(|session| session.events.clone());
        Ok(events.map(|events| (events, event)))
    }

    /// Opens a session; returns its number and what is reported to it.
    pub(super) fn open_session(&self) -> (u64, mpsc::Receiver<SessionEvent>) {
        let (events, received) = mpsc::channel(MAX_WAITING_LINES);
        let mut state = self.state();
        state.last_session += 1;
        let session = state.last_session;
        state.sessions.insert(session, Session { events, asked: Instant::now() });
        state.outbox.push(|n| ServerFrame::Open { n, session });
        self.wake.notify_one();
        (session, received)
    }

    /// Sends a line to the process of a session. Returns `false` if too much waits for the connection.
    pub(super) fn send_line(&self, session: u64, line: String) -> bool {
        let mut state = self.state();
        if state.outbox.bytes() > MAX_WAITING_BYTES {
            return false;
        }
        if let Some(session) = state.sessions.get_mut(&session) {
            session.asked = Instant::now();
        }
        state.outbox.push(|n| ServerFrame::Line { n, session, line });
        self.wake.notify_one();
        true
    }

    /// Closes a session.
    pub(super) fn close_session(&self, session: u64) {
        let mut state = self.state();
        if state.sessions.remove(&session).is_some() {
            state.outbox.push(|n| ServerFrame::Close { n, session });
            self.wake.notify_one();
        }
    }
}

impl RemoteFigures {
    fn add(&mut self, total: Duration, thinking: Duration) {
        self.lines += 1;
        self.total += total;
        self.thinking += thinking.min(total);
    }

    /// The mean time of a line, and the part of it that is the network's, in percent; `None` without lines.
    pub(crate) fn network_share(&self) -> Option<(Duration, f64)> {
        let mean = self.total.checked_div(u32::try_from(self.lines).unwrap_or(u32::MAX))?;
        let network = self.total.saturating_sub(self.thinking).as_secs_f64();
        let share = 100.0 * network / self.total.as_secs_f64().max(f64::MIN_POSITIVE);
        Some((mean, share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(n: u64, session: u64) -> String {
        let line = "{}".to_owned();
        serde_json::to_string(&AuthorFrame::Line { n, session, line, took_us: 5 }).unwrap()
    }

    #[test]
    fn a_connection_that_is_cut_loses_nothing() {
        let bot = RemoteBot::new(Instant::now());
        let first = bot.connect(None, 0, "key".to_owned());
        assert!(!first.is_resumed && bot.is_connected());
        let (session, mut events) = bot.open_session();
        assert!(bot.send_line(session, "hello".to_owned()));
        assert!(matches!(bot.take(first.generation, &line(1, session)), Ok(Some(_))));
        bot.disconnect(first.generation);
        assert!(!bot.is_connected());
        // The program has seen the session, but not the line.
        let second = bot.connect(Some("key"), 1, "other".to_owned());
        assert!(second.is_resumed && second.received == 1 && second.key == "key");
        let (number, text) = bot.next_frame(1).unwrap();
        assert!(number == 2 && text.contains("hello"), "{text}");
        let repeated = bot.take(second.generation, &line(1, session));
        assert!(matches!(repeated, Ok(None)), "it is repeated");
        let order = FrameError::Order { number: 3, next: 2 };
        assert_eq!(bot.take(second.generation, &line(3, session)).err(), Some(order));
        let late = bot.take(first.generation, &line(2, session));
        assert_eq!(late.err(), Some(FrameError::Replaced));
        assert!(events.try_recv().is_err(), "the caller passes events on");
        bot.disconnect(first.generation);
        assert!(bot.is_connected(), "an older connection ends later");
    }

    #[test]
    fn a_bot_that_hangs_up_again_and_again_is_absent_sooner() {
        let long_ago = Instant::now().checked_sub(Duration::from_secs(50)).unwrap();
        let bot = RemoteBot::new(long_ago);
        let is_about = |seconds: u64| {
            let left = bot.absent_at().duration_since(Instant::now());
            let least = Duration::from_secs(seconds);
            assert!(left > least && left < least + Duration::from_secs(3), "{left:?}");
        };
        let first = bot.connect(None, 0, "key".to_owned());
        bot.disconnect(first.generation);
        // The time before its first connection does not count.
        is_about(58);
        bot.state().lost = long_ago;
        for _ in 0..3 {
            let connected = bot.connect(Some("key"), 0, "key".to_owned());
            assert!(connected.is_resumed);
            bot.disconnect(connected.generation);
            is_about(8);
        }
        let regained = bot.connect(Some("key"), 0, "key".to_owned());
        bot.state().made = long_ago;
        bot.disconnect(regained.generation);
        is_about(13);
        // A program that was started again has lost its games, and has the whole minute.
        bot.state().lost = long_ago;
        let again = bot.connect(None, 0, "key".to_owned());
        bot.disconnect(again.generation);
        is_about(58);
    }

    #[test]
    fn a_program_that_ends_its_connection_is_absent_at_once() {
        let bot = RemoteBot::new(Instant::now());
        let first = bot.connect(None, 0, "key".to_owned());
        bot.leave(first.generation);
        bot.disconnect(first.generation);
        assert!(bot.absent_at() <= Instant::now() && bot.why_absent().contains("author has ended"));
        // It comes back, and this connection is lost.
        let second = bot.connect(None, 0, "key".to_owned());
        bot.leave(first.generation);
        bot.disconnect(second.generation);
        let left = bot.absent_at().duration_since(Instant::now());
        assert!(left > Duration::from_secs(50), "{left:?}");
        assert!(bot.why_absent().contains("without a connection"));
    }

    #[test]
    fn a_program_that_was_started_again_ends_the_sessions() {
        let bot = RemoteBot::new(Instant::now());
        bot.connect(None, 0, "key".to_owned());
        let (_, mut events) = bot.open_session();
        for (key, received) in [(Some("wrong"), 0), (Some("key"), 9)] {
            assert!(!bot.connect(key, received, "new".to_owned()).is_resumed);
        }
        assert!(matches!(events.try_recv(), Err(mpsc::error::TryRecvError::Disconnected)));
        assert_eq!(bot.next_frame(0), None);
    }

    #[test]
    fn a_client_is_replaced_while_another_one_is_connected() {
        let bot = RemoteBot::new(Instant::now());
        let connect = |key, new: &str| bot.connect(key, 0, new.to_owned());
        // It has its key from an earlier server, and connects again without having received the new one.
        assert!(!bot.is_replaced(Some("old")));
        connect(Some("old"), "first");
        assert!(!bot.is_replaced(Some("old")) && !bot.is_replaced(Some("first")));
        let other = connect(None, "second");
        assert!(bot.is_replaced(Some("old")) && bot.is_replaced(Some("first")));
        assert!(!bot.is_replaced(Some("second")) && !bot.is_replaced(None));
        bot.disconnect(other.generation);
        assert!(!bot.is_replaced(Some("first")));
    }

    #[test]
    fn other_frames_are_refused() {
        let bot = RemoteBot::new(Instant::now());
        let generation = bot.connect(None, 0, "key".to_owned()).generation;
        for text in [
            "",
            "{}",
            "[]",
            r#"{"type":"line","n":1}"#,
            r#"{"type":"line","n":1,"session":1,"line":"a\nb","took_us":0}"#,
        ] {
            assert_eq!(bot.take(generation, text).err(), Some(FrameError::Malformed), "{text}");
        }
        let confirm = |received| serde_json::to_string(&AuthorFrame::Confirm { received }).unwrap();
        assert_eq!(bot.take(generation, &confirm(1)).err(), Some(FrameError::Confirmed(1)));
        assert!(bot.take(generation, &confirm(0)).is_ok());
    }

    #[test]
    fn the_share_of_the_network_is_what_the_program_did_not_take() {
        let mut figures = RemoteFigures::default();
        assert_eq!(figures.network_share(), None);
        figures.add(Duration::from_millis(40), Duration::from_millis(10));
        figures.add(Duration::from_millis(20), Duration::from_secs(9));
        let (mean, share) = figures.network_share().unwrap();
        assert!(mean == Duration::from_millis(30) && (share - 50.0).abs() < 1e-9, "{share}");
    }
}
