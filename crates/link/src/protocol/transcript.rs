//! What a bot was sent and answered in a recorded game, line by line.

use dicehill_arena::{Failure, Move, Play, RequestIds};
use dicehill_rules::Seat;

use super::json_line::write_line;
use super::messages::{GameStart, Hello, Refused};
use super::wire_game::WireGame;

/// A line of a transcript, with its newline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranscriptLine {
    /// To the bot.
    Request(Vec<u8>),
    /// From the bot, in plain form.
    Answer(Vec<u8>),
}

/// A recorded game from the perspective of one bot's process.
#[derive(Clone, Copy, Debug)]
pub struct ProcessView<'a> {
    /// The first message to the process.
    pub hello: &'a Hello<'a>,
    /// The bot's seat at the start of the game.
    pub seat: Seat,
    /// The id of the game in the messages to the bot.
    pub game_id: u64,
    /// The seed that the bot was sent.
    pub seed: u64,
    /// Whether the bot asked for what calls reveal.
    pub rounds: bool,
}

/// Replays a recorded game, of which `play` is the start, and returns the messages to and from one bot.
pub fn transcript<G: WireGame>(
    mut play: Play<'_, G>,
    moves: &[Move<G>],
    players: usize,
    process_view: &ProcessView<'_>,
) -> Vec<TranscriptLine> {
    let seed = format!("{:016x}", process_view.seed);
    let start = GameStart { game: process_view.game_id, players, seed: &seed };
    let mut writer =
        TranscriptWriter { lines: Vec::new(), process_view, requests: 0, is_receiving: true };
    writer.request(|line| write_line(process_view.hello, line));
    writer.request(|line| write_line(&start, line));
    for recorded_move in moves {
        writer.record_move(&play, recorded_move);
        play.repeat(recorded_move);
    }
    let finished = play.finished(process_view.seat);
    writer.request(|line| G::write_end(&finished, process_view.game_id, line));
    writer.lines
}

/// Collects the messages to and from one bot during a replay.
struct TranscriptWriter<'a> {
    lines: Vec<TranscriptLine>,
    process_view: &'a ProcessView<'a>,
    requests: u64,
    /// Whether its process still receives messages: until it fails.
    is_receiving: bool,
}

impl TranscriptWriter<'_> {
    fn request(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let mut line = Vec::new();
        write(&mut line);
        if self.is_receiving && !line.is_empty() {
            self.lines.push(TranscriptLine::Request(line));
        }
    }

    /// Adds the messages that come before and with a move, of the bot or another player.
    fn record_move<G: WireGame>(&mut self, play: &Play<'_, G>, recorded_move: &Move<G>) {
        let Some((seat, view)) = play.turn() else { return };
        let game = self.process_view.game_id;
        let is_own = seat == self.process_view.seat;
        if is_own {
            self.requests += 1;
            let ids = RequestIds { request: game + self.requests, game };
            self.request(|line| G::write_turn(&view, ids, line));
        }
        match recorded_move {
            Move::Acted(action) => {
                if is_own {
                    let mut line = Vec::new();
                    G::write_answer(action, game + self.requests, &mut line);
                    self.lines.push(TranscriptLine::Answer(line));
                }
                if self.process_view.rounds && play.game().reveals(action) {
                    self.request(|line| G::write_reveal(play.game(), game, line));
                }
            }
            Move::Failed(failure) if is_own => self.refused(failure),
            Move::Failed(_) => {}
        }
    }

    fn refused(&mut self, failure: &Failure) {
        let id = self.process_view.game_id + self.requests;
        self.request(|line| write_line(&Refused { id, why: &failure.detail }, line));
        self.is_receiving = !failure.reason.is_process_failure();
    }
}
