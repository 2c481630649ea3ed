//! What an entrant plays with: code of this process, or an external program.

use dicehill_rules::Game;

use crate::{Bot, Failure, Server, Start};

/// Makes bots: the code of a house bot, or an external program.
pub trait Program<G: Game>: Send + Sync {
    /// Identifies the program down to its content, for example `house:dummy@1`. Two programs with the same identity
    /// play alike.
    fn identity(&self) -> String;

    /// Remarks for the author, other than about its play, as far as they are known by now.
    ///
    /// # Errors
    /// Why nothing can be known of it.
    fn remarks(&self) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }

    /// Whether it ships with this program, so that it needs no qualification.
    fn is_house(&self) -> bool {
        false
    }

    /// Whether its bots run as processes of their own, so that [`Program::server`] is available.
    fn is_outside(&self) -> bool {
        false
    }

    /// Whether a process of it is known to play one game only, so that no game can remember another.
    fn plays_one_game_a_process(&self) -> bool {
        false
    }

    /// A fresh bot, which has no memory of any game.
    fn bot(&self) -> Box<dyn Bot<G>>;

    /// A process of an external program: the faster way to play many games. It is fresh unless one was kept
    /// ([`Program::keep`]). `None` for code of this process, whose bots cost nothing to make.
    fn server(&self) -> Option<Box<dyn Server<G>>> {
        None
    }

    /// Keeps a process of this program that has played legally, for the next call of [`Program::server`]: a run need not start
    /// another one.
    fn keep(&self, _server: Box<dyn Server<G>>) {}

    /// Sends the request of a report to a fresh bot. The game that begins with `start` has the id 0, as in requests of
    /// reports. `None` for code of this process, which gets no messages.
    fn resend(&self, _start: &Start, _request: &str) -> Option<Resent<G>> {
        None
    }
}

/// What a bot answers to the request of a report.
#[derive(Debug)]
pub struct Resent<G: Game> {
    /// Its action, which may be illegal, or its fault.
    pub answer: Result<G::Action, Failure>,
    /// The last lines of its log.
    pub log: Vec<String>,
}
