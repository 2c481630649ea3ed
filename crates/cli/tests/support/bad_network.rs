//! A network that loses connections.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{sleep, spawn};
use std::time::Duration;

/// How much longer every second connection takes to be made, so that later ones arrive before it.
const DETOUR: Duration = Duration::from_millis(200);

/// What of an exchange is lost, with its connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lost {
    Request,
    Answer,
}

/// A network between clients and a server: it delays what goes through, cuts each connection after a while, and lets
/// connections pass each other.
pub(crate) struct BadNetwork {
    pub(crate) address: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    is_cutting: AtomicBool,
    cuts: AtomicU64,
    /// The request that is lost next, by its first bytes.
    next_loss: Mutex<Option<(&'static str, Lost)>>,
}

impl BadNetwork {
    /// A network to `server` with this delay. It cuts connections that are older than `life`, but none before [`Self::cut`].
    pub(crate) fn to(server: SocketAddr, delay: Duration, life: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        let state = Arc::new(State::default());
        let of_network = Arc::clone(&state);
        spawn(move || {
            for (number, client) in listener.incoming().map_while(Result::ok).enumerate() {
                let state = Arc::clone(&of_network);
                spawn(move || {
                    if number % 2 == 1 {
                        sleep(DETOUR);
                    }
                    let Ok(server) = TcpStream::connect(server) else { return };
                    Connection { client, server, delay }.live(&state, life);
                });
            }
        });
        Self { address, state }
    }

    /// From now on cuts each connection at the end of its life.
    pub(crate) fn cut(&self) {
        self.state.is_cutting.store(true, Ordering::Relaxed);
    }

    /// How many ends of connections were cut.
    pub(crate) fn cuts(&self) -> u64 {
        self.state.cuts.load(Ordering::Relaxed)
    }

    /// Loses the next request that begins so, or its answer.
    pub(crate) fn lose(&self, start: &'static str, lost: Lost) {
        *self.state.next_loss.lock().unwrap_or_else(PoisonError::into_inner) = Some((start, lost));
    }

    /// Whether a loss is still to come.
    pub(crate) fn is_losing(&self) -> bool {
        self.state.next_loss.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

impl State {
    /// What is lost of a request that begins with these bytes.
    fn loss(&self, bytes: &[u8]) -> Option<Lost> {
        let mut next = self.next_loss.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, lost) = next.take_if(|(start, _)| bytes.starts_with(start.as_bytes()))?;
        Some(lost)
    }
}

/// A connection of the network.
struct Connection {
    client: TcpStream,
    server: TcpStream,
    delay: Duration,
}

impl Connection {
    /// Passes on what arrives until the connection is cut.
    fn live(self, state: &Arc<State>, life: Duration) {
        let is_lost = Arc::new(AtomicBool::new(false));
        let (losing, state_of_requests) = (Arc::clone(&is_lost), Arc::clone(state));
        self.pass_on(&self.client, &self.server, move |bytes| {
            let lost = state_of_requests.loss(bytes);
            losing.fetch_or(lost.is_some(), Ordering::Relaxed);
            lost != Some(Lost::Request)
        });
        self.pass_on(&self.server, &self.client, move |_| !is_lost.load(Ordering::Relaxed));
        sleep(life);
        while !state.is_cutting.load(Ordering::Relaxed) {
            sleep(life);
        }
        for socket in [self.client, self.server] {
            if socket.shutdown(Shutdown::Both).is_ok() {
                state.cuts.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Passes on what arrives until one side ends or it does not pass.
    fn pass_on(
        &self,
        from: &TcpStream,
        to: &TcpStream,
        passes: impl Fn(&[u8]) -> bool + Send + 'static,
    ) {
        let clone = |socket: &TcpStream| socket.try_clone().expect("a socket");
        let (mut from, mut to, delay) = (clone(from), clone(to), self.delay);
        spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = from.read(&mut bytes) {
                sleep(delay);
                if !passes(&bytes[..read]) || to.write_all(&bytes[..read]).is_err() {
                    break;
                }
            }
            for socket in [from, to] {
                let _closed = socket.shutdown(Shutdown::Both);
            }
        });
    }
}
