//! Replays recorded games to bots: to those that serve the whole run, so that they know what they knew, and to new ones, to
//! compare their answers.

use std::io;

use dicehill_rules::{Chance, Game, Seat};

use crate::engine::player::{arena_error, begin};
use crate::judge::Audience;
use crate::{
    Bot, EntrantId, Failure, Fixture, Hill, InertBot, Move, Program, RecordedGame, Replay,
    read_game_line,
};

/// An answer that differs from the recorded one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferentAnswer {
    /// The entrant that was asked.
    pub entrant: EntrantId,
    /// The number of the move in the game, from 1.
    pub number: usize,
    /// The recorded move or failure.
    pub recorded: String,
    /// The answer.
    pub answered: String,
}

/// Asks new bots of these entrants for their moves in a recorded game, each in the recorded position. Returns the first answer
/// that differs from the record.
///
/// # Errors
/// If the record cannot be replayed, or a bot could not be started.
pub fn first_different_answer<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    recorded: &RecordedGame,
    asked: &[EntrantId],
) -> io::Result<Option<DifferentAnswer>> {
    let is_asked = |id: &EntrantId| asked.contains(id) && recorded.fixture.seats.contains(id);
    let bot = |id: EntrantId| match is_asked(&id) {
        true => hill.entrant(id).program.bot(),
        false => InertBot(String::new()).bot(),
    };
    let mut bots: Vec<_> = hill.ids().map(bot).collect();
    let different = replay_to_bots(hill, chance, recorded, Vec::new(), &mut bots)?;
    Ok(different.into_iter().find(|answer| is_asked(&answer.entrant)))
}

/// The bots of the entrants that sit at a table.
struct BotsAtTable<'a, G: Game> {
    /// By entrant.
    bots: &'a mut [Box<dyn Bot<G>>],
    fixture: &'a Fixture,
}

impl<G: Game> BotsAtTable<'_, G> {
    fn at(&mut self, seat: Seat) -> &mut Box<dyn Bot<G>> {
        &mut self.bots[self.fixture.seats[seat.index()].index()]
    }
}

impl<G: Game> Audience<G> for BotsAtTable<'_, G> {
    fn reveal(&mut self, game: &G, action: &G::Action) {
        for id in &self.fixture.seats {
            self.bots[id.index()].reveal(game, action);
        }
    }

    fn refused(&mut self, seat: Seat, why: &str) -> Vec<String> {
        self.at(seat).refused(why)
    }
}

/// Asks `bots`, by entrant, as in the recorded game, and continues with the recorded answers. `points` are by seat.
/// Returns the answers that differ.
///
/// # Errors
/// If the record cannot be replayed, or the arena could not start a bot.
pub(crate) fn replay_to_bots<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    recorded: &RecordedGame,
    points: Vec<u64>,
    bots: &mut [Box<dyn Bot<G>>],
) -> io::Result<Vec<DifferentAnswer>> {
    let Replay { moves, .. } = read_game_line::<G>(&recorded.line, hill.rules(), chance)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))?;
    let fixture = &recorded.fixture;
    let (mut play, starts) = begin(hill, chance, fixture, points);
    let mut table = BotsAtTable { bots, fixture };
    for (seat, start) in Seat::all(starts.len()).zip(&starts) {
        table.at(seat).start(start);
    }
    let mut different = Vec::new();
    for (number, recorded) in (1..).zip(&moves) {
        let Some((seat, view)) = play.turn() else { break };
        let entrant = fixture.seats[seat.index()];
        let answer = table.at(seat).act(&view);
        if let Err(failure) = &answer
            && failure.reason.is_arena_error()
        {
            return Err(arena_error(hill.name_of(entrant), failure));
        }
        if !is_same(recorded, &answer) {
            let (recorded, answered) = (describe(recorded), describe_answer::<G>(&answer));
            different.push(DifferentAnswer { entrant, number, recorded, answered });
        }
        if process_ended(recorded) && answer.is_ok() {
            *table.at(seat) = hill.entrant(entrant).program.bot();
        }
        play.judge(recorded.answer(), &mut table);
    }
    for seat in Seat::all(fixture.seats.len()) {
        table.at(seat).end(&play.finished(seat));
    }
    Ok(different)
}

/// Whether the process behind an answer ended with it.
fn process_ended<G: Game>(recorded: &Move<G>) -> bool {
    match recorded {
        Move::Acted(_) => false,
        Move::Failed(failure) => failure.reason.is_process_failure(),
    }
}

fn is_same<G: Game>(recorded: &Move<G>, answer: &Result<G::Action, Failure>) -> bool {
    match (recorded, answer) {
        (Move::Acted(recorded), Ok(answered)) => recorded == answered,
        (Move::Failed(recorded), Ok(answered)) => {
            recorded.refused_action() == Some(answered.to_string().as_str())
        }
        (Move::Failed(recorded), Err(failed)) => recorded.reason == failed.reason,
        (Move::Acted(_), Err(_)) => false,
    }
}

fn describe<G: Game>(recorded: &Move<G>) -> String {
    match recorded {
        Move::Acted(action) => action.to_string(),
        Move::Failed(failure) => failure.to_string(),
    }
}

fn describe_answer<G: Game>(answer: &Result<G::Action, Failure>) -> String {
    answer.as_ref().map_or_else(ToString::to_string, ToString::to_string)
}
