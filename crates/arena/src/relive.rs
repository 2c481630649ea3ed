//! Bots that live through a run are led again through games that are recorded already.

use std::io;

use dicehill_rules::{Chance, Game};

use crate::played::{arena_error, begin};
use crate::recall::Recalled;
use crate::{Bot, EntrantId, Failure, Hill, Move, Reason, Replay, read_game_line};

/// An answer that is not the recorded one.
pub(crate) struct Divergence {
    pub(crate) entrant: EntrantId,
    pub(crate) recorded: String,
    pub(crate) answered: String,
}

/// Asks `lives`, by entrant, as in the recorded game, and goes on with the recorded answers whatever
/// they say. `points` go by seat. Says who has answered otherwise.
///
/// # Errors
/// If the record cannot be replayed, or the arena could not start a bot.
pub(crate) fn relive<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    recalled: &Recalled,
    points: Vec<u64>,
    lives: &mut [Box<dyn Bot<G>>],
) -> io::Result<Vec<Divergence>> {
    let Replay { moves, .. } = read_game_line::<G>(&recalled.line, hill.rules(), chance)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))?;
    let seats = &recalled.fixture.seats;
    let (mut play, starts) = begin(hill, chance, &recalled.fixture, points);
    for (id, start) in seats.iter().zip(&starts) {
        lives[id.index()].start(start);
    }
    let mut divergences = Vec::new();
    for recorded in &moves {
        let Some((seat, view)) = play.turn() else { break };
        let entrant = seats[seat.index()];
        let answer = lives[entrant.index()].act(&view);
        if let Err(failure) = &answer
            && failure.reason.is_arena_error()
        {
            return Err(arena_error(hill.name_of(entrant), failure));
        }
        if !is_same(recorded, &answer) {
            let (recorded, answered) = (describe(recorded), describe_answer::<G>(&answer));
            divergences.push(Divergence { entrant, recorded, answered });
        }
        if begins_anew(recorded) && answer.is_ok() {
            lives[entrant.index()] = hill.entrant(entrant).program.bot();
        }
        let told = match recorded {
            Move::Acted(action) => Ok(action.clone()),
            Move::Failed(failure) => Err((**failure).clone()),
        };
        if let Some(action) = play.revealing(&told) {
            seats.iter().for_each(|id| lives[id.index()].reveal(play.game(), action));
        }
        play.answer(told);
        if let Some(why) = play.refusal() {
            lives[entrant.index()].refused(why);
        }
    }
    for (seat, id) in dicehill_rules::Seat::first(seats.len()).zip(seats) {
        lives[id.index()].end(&play.finished(seat));
    }
    Ok(divergences)
}

/// Whether the process behind an answer has ended with it.
fn begins_anew<G: Game>(recorded: &Move<G>) -> bool {
    match recorded {
        Move::Acted(_) => false,
        Move::Failed(failure) => failure.reason.is_process_failure(),
    }
}

fn is_same<G: Game>(recorded: &Move<G>, answer: &Result<G::Action, Failure>) -> bool {
    match (recorded, answer) {
        (Move::Acted(recorded), Ok(answered)) => recorded == answered,
        // The judge has refused it, and said so behind the action.
        (Move::Failed(recorded), Ok(answered)) => {
            recorded.reason == Reason::IllegalMove
                && recorded.detail.starts_with(&format!("{answered}: "))
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
