//! What a bot was sent and answered in a recorded game, line by line.

use dicehill_arena::{Failure, Move, Play};
use dicehill_rules::Seat;

use super::json_line::write_line;
use super::messages::{GameStart, Hello, Refused};
use super::wire_game::{Ids, WireGame};

/// A line of a transcript, with its newline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// To the bot.
    Request(Vec<u8>),
    /// From the bot, in plain form.
    Answer(Vec<u8>),
}

/// A recorded game, as one of its bots has seen it.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// The first message of the bot's process.
    pub hello: &'a Hello<'a>,
    /// The bot's seat at the game's start.
    pub seat: Seat,
    /// The id by which it was told of the game.
    pub game_id: u64,
    /// Its own seed.
    pub seed: u64,
    /// Whether it has asked to be told what calls reveal.
    pub rounds: bool,
}

/// Plays a recorded game again, from `play` at its first action, and says what one bot was sent, and
/// what it answered.
pub fn transcript<G: WireGame>(
    mut play: Play<'_, G>,
    moves: &[Move<G>],
    players: usize,
    sight: &Sight<'_>,
) -> Vec<Line> {
    let seed = format!("{:016x}", sight.seed);
    let start = GameStart { game: sight.game_id, players, seed: &seed };
    let mut told = Told { lines: Vec::new(), sight, requests: 0, listens: true };
    told.request(|line| write_line(sight.hello, line));
    told.request(|line| write_line(&start, line));
    for one in moves {
        told.before(&play, one);
        play.repeat(one);
    }
    told.request(|line| G::write_end(&play.finished(sight.seat), sight.game_id, line));
    told.lines
}

/// What the bot has been told so far.
struct Told<'a> {
    lines: Vec<Line>,
    sight: &'a Sight<'a>,
    requests: u64,
    /// Until its process fails.
    listens: bool,
}

impl Told<'_> {
    fn request(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let mut line = Vec::new();
        write(&mut line);
        if self.listens && !line.is_empty() {
            self.lines.push(Line::Request(line));
        }
    }

    /// What it is told of a move that comes next, its own or another's.
    fn before<G: WireGame>(&mut self, play: &Play<'_, G>, one: &Move<G>) {
        let Some((seat, view)) = play.turn() else { return };
        let game = self.sight.game_id;
        let own = seat == self.sight.seat;
        if own {
            self.requests += 1;
            let ids = Ids { request: game + self.requests, game };
            self.request(|line| G::write_turn(&view, ids, line));
        }
        match one {
            Move::Acted(action) => {
                if own {
                    let mut line = Vec::new();
                    G::write_answer(action, game + self.requests, &mut line);
                    self.lines.push(Line::Answer(line));
                }
                if self.sight.rounds && play.game().reveals(action) {
                    self.request(|line| G::write_reveal(play.game(), game, line));
                }
            }
            Move::Failed(failure) if own => self.refused(failure),
            Move::Failed(_) => {}
        }
    }

    fn refused(&mut self, failure: &Failure) {
        let id = self.sight.game_id + self.requests;
        self.request(|line| write_line(&Refused { id, why: &failure.detail }, line));
        self.listens = !failure.reason.is_process_failure();
    }
}
