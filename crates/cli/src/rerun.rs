//! Recorded games that are played again, and where that leads elsewhere.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_arena::{
    Bar, EntrantId, Event, Fixture, Hill, MOST_PLAY_OFFS, Move, Past, Played, ReadRecordError,
    Recall, RunOptions, play_apart, read_game_line, run_from,
};
use dicehill_rules::{Chance, Game, Public};
use serde_json::Value;

use crate::terminal_game::TerminalGame;

/// A recorded game, as far as it can be compared with one that is played.
pub(crate) struct Recorded<G: Game> {
    /// Which game it was.
    pub(crate) fixture: Fixture,
    /// Every answer in order; `None` if they were not kept.
    pub(crate) moves: Option<Vec<Move<G>>>,
    /// The line without its moves.
    outcome: Value,
}

/// Where two plays of one game part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// Whose move it is, and its number from 1; nothing if only what came of the games can be compared.
    pub(crate) at: Option<(EntrantId, usize)>,
    /// What is recorded.
    pub(crate) recorded: String,
    /// What is played.
    pub(crate) played: String,
}

impl<G: TerminalGame> Recorded<G> {
    /// Reads the line of a game of `hill`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn read(hill: &Hill<G>, chance: &Chance, line: &str) -> Result<Self, String> {
        let moves = match read_game_line::<G>(line, hill.rules(), chance) {
            Ok(replay) => Some(replay.moves),
            Err(ReadRecordError::NoMoves) => None,
            Err(error) => return Err(crate::replay::why_unreadable(&error)),
        };
        let outcome = outcome(hill, line);
        let number = |key: &str| outcome[key].as_u64().unwrap_or_default();
        let names = outcome["seats"].as_array().into_iter().flatten();
        let id = |name: &Value| {
            let is_it = |id: &EntrantId| name.as_str() == Some(hill.name_of(*id));
            let stranger = || format!("bot {name} plays, and the header does not name it");
            hill.ids().find(is_it).ok_or_else(stranger)
        };
        let seats = names.map(id).collect::<Result<_, _>>()?;
        let fixture = Fixture { game: number("game"), table: number("table"), seats };
        Ok(Self { fixture, moves, outcome })
    }

    /// Plays it again, each bot at the beginning of its life.
    ///
    /// # Errors
    /// If a bot could not be prepared or started.
    pub(crate) fn play(&self, hill: &Hill<G>, chance: &Chance) -> io::Result<Played<G>> {
        play_apart(hill, chance, self.fixture.clone())
    }

    /// Where `played` leads elsewhere first.
    pub(crate) fn difference(
        &self,
        hill: &Hill<G>,
        chance: &Chance,
        played: &Played<G>,
    ) -> Option<Difference> {
        let Some(moves) = &self.moves else {
            let outcome = outcome(hill, &played.line);
            let parts = self.outcome != outcome;
            let (recorded, played) = (self.outcome.to_string(), outcome.to_string());
            return parts.then_some(Difference { at: None, recorded, played });
        };
        first_difference(hill, chance, &self.fixture, [moves, &played.record.moves])
    }
}

/// Where the second of two plays leads elsewhere than the first.
pub(crate) fn first_difference<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    fixture: &Fixture,
    [recorded, played]: [&[Move<G>]; 2],
) -> Option<Difference> {
    let longest = recorded.len().max(played.len());
    let text = |moves: &[Move<G>], index: usize| {
        moves.get(index).map_or_else(|| "no move".to_owned(), describe)
    };
    let index = (0..longest).find(|index| text(recorded, *index) != text(played, *index))?;
    let mover = mover(hill, chance, fixture, &recorded[..index.min(recorded.len())]);
    Some(Difference {
        at: mover.map(|mover| (mover, index + 1)),
        recorded: text(recorded, index),
        played: text(played, index),
    })
}

/// Who is to act behind these moves.
fn mover<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    fixture: &Fixture,
    moves: &[Move<G>],
) -> Option<EntrantId> {
    let names = fixture.seats.iter().map(|id| hill.name_of(*id)).collect();
    let public = Public { names, points: Vec::new() };
    let dice = chance.table(fixture.table);
    let mut play = dicehill_arena::Play::new(hill.rules(), dice, fixture.seats.len(), public);
    moves.iter().for_each(|one| play.repeat(one));
    play.turn().map(|(seat, _)| fixture.seats[seat.index()])
}

fn describe<G: Game>(one: &Move<G>) -> String {
    match one {
        Move::Acted(action) => action.to_string(),
        Move::Failed(failure) => failure.to_string(),
    }
}

/// What a line says beside the moves, and what of that can be found out here.
fn outcome<G: Game>(hill: &Hill<G>, line: &str) -> Value {
    let mut outcome: Value = serde_json::from_str(line).unwrap_or_default();
    if let Some(object) = outcome.as_object_mut() {
        object.remove("moves");
    }
    if !hill.has_appraiser() {
        let results = outcome["results"].as_array_mut().into_iter().flatten();
        for result in results.filter_map(Value::as_object_mut) {
            result.remove("loss");
            result.remove("variance");
        }
    }
    outcome
}

/// An answer of a bot that was led again through the games of its life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Divergence {
    pub(crate) bot: String,
    pub(crate) game: u64,
    pub(crate) recorded: String,
    pub(crate) answered: String,
}

/// Leads bots that live through a run again through its games up to `last`; the first answer of each that is
/// not the recorded one.
///
/// # Errors
/// If a recorded game cannot be read.
pub(crate) fn relive<G: TerminalGame>(
    hill: &Hill<G>,
    bars: &[Bar],
    games: &dyn Recall,
    last: u64,
) -> io::Result<Vec<Divergence>> {
    let stop = AtomicBool::new(last == 0);
    let past = Past { bars: bars.to_vec(), games, goes_on: true, records: None };
    let options = RunOptions { jobs: 1, most_play_offs: MOST_PLAY_OFFS, stop: &stop };
    let mut found = Vec::new();
    run_from(hill, past, options, &mut |event| {
        match event {
            Event::Diverged { bot, game, recorded, answered } => {
                let [bot, recorded, answered] = [bot, recorded, answered].map(str::to_owned);
                found.push(Divergence { bot, game, recorded, answered });
            }
            Event::Recalled(recalled, _) => {
                stop.store(recalled.fixture.game >= last, Ordering::Relaxed);
            }
            Event::Started(_)
            | Event::Played(..)
            | Event::Barred(_)
            | Event::Retried(_)
            | Event::MemoryLost { .. }
            | Event::Ended(_) => {}
        }
        Ok(())
    })?;
    Ok(found)
}
