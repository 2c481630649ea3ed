//! A recorded game, and how it differs from the same game played again.

use std::io;

use dicehill_arena::{
    EntrantId, Fixture, Hill, Move, Play, PlayedGame, ReadRecordError, play_alone, read_game_line,
};
use dicehill_rules::{Chance, Game, PublicInfo};
use dicehill_store::GameLine;
use serde_json::Value;

use super::unreadable::why_unreadable;
use crate::games::TerminalGame;

/// A recorded game, as far as it can be compared with the same game played again.
pub(crate) struct RecordedGame<G: Game> {
    /// Its number, table and seats.
    pub(crate) fixture: Fixture,
    /// The randomness under which it was played.
    pub(crate) chance: Chance,
    /// Every move in order; `None` if the run keeps none.
    pub(crate) moves: Option<Vec<Move<G>>>,
    /// The line without its moves.
    outcome: Value,
}

/// The first difference between two plays of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The entrant whose move it is, and the number of the move from 1; `None` if only the outcomes of the
    /// games can be compared.
    pub(crate) at: Option<(EntrantId, usize)>,
    /// The recorded move or outcome.
    pub(crate) recorded: String,
    /// That of the other play.
    pub(crate) played: String,
}

impl<G: TerminalGame> RecordedGame<G> {
    /// Reads the line of a game of `hill`.
    ///
    /// # Errors
    /// Says what is wrong with the line.
    pub(crate) fn read(hill: &Hill<G>, chance: &Chance, line: &str) -> Result<Self, String> {
        let moves = match read_game_line::<G>(line, hill.rules(), chance) {
            Ok(replay) => Some(replay.moves),
            Err(ReadRecordError::NoMoves) => None,
            Err(error) => return Err(why_unreadable(&error)),
        };
        let outcome = outcome(hill, line);
        let GameLine { game, table, seed, seats, .. } = GameLine::read(line)?;
        let chance = seed.map_or_else(|| chance.clone(), |seed| Chance::new(&seed));
        let id = |name: &String| {
            let unnamed = || format!("bot {name:?} plays, but the header does not name it");
            hill.ids().find(|id| hill.name_of(*id) == name).ok_or_else(unnamed)
        };
        let seats = seats.iter().map(id).collect::<Result<_, _>>()?;
        let fixture = Fixture { game, table, pairing: 0, seats };
        Ok(Self { fixture, chance, moves, outcome })
    }

    /// Plays it again with new instances of the bots.
    ///
    /// # Errors
    /// If a bot could not be prepared or started.
    pub(crate) fn play(&self, hill: &Hill<G>) -> io::Result<PlayedGame<G>> {
        play_alone(hill, &self.chance, self.fixture.clone())
    }

    /// The first difference of `played` from the record.
    pub(crate) fn difference(&self, hill: &Hill<G>, played: &PlayedGame<G>) -> Option<Difference> {
        let Some(moves) = &self.moves else {
            let outcome = outcome(hill, &played.line);
            let parts = self.outcome != outcome;
            let (recorded, played) = (self.outcome.to_string(), outcome.to_string());
            return parts.then_some(Difference { at: None, recorded, played });
        };
        self.first_difference(hill, [moves, &played.record.moves])
    }

    /// The first move in which two plays of this game differ.
    pub(crate) fn first_difference(
        &self,
        hill: &Hill<G>,
        [recorded, played]: [&[Move<G>]; 2],
    ) -> Option<Difference> {
        let longest = recorded.len().max(played.len());
        let is_equal = |index: &usize| match (recorded.get(*index), played.get(*index)) {
            (Some(recorded), Some(played)) => is_same_move(recorded, played),
            (None, _) | (_, None) => false,
        };
        let index = (0..longest).find(|index| !is_equal(index))?;
        let text =
            |moves: &[Move<G>]| moves.get(index).map_or_else(|| "no move".to_owned(), describe);
        let mover = self.mover(hill, &recorded[..index.min(recorded.len())]);
        Some(Difference {
            at: mover.map(|mover| (mover, index + 1)),
            recorded: text(recorded),
            played: text(played),
        })
    }

    /// The entrant that is to act after these moves.
    fn mover(&self, hill: &Hill<G>, moves: &[Move<G>]) -> Option<EntrantId> {
        let Fixture { table, seats, .. } = &self.fixture;
        let names = seats.iter().map(|id| hill.name_of(*id)).collect();
        let public = PublicInfo { names, points: Vec::new() };
        let mut play = Play::new(hill.rules(), self.chance.table(*table), seats.len(), public);
        moves.iter().for_each(|one| play.repeat(one));
        play.turn().map(|(seat, _)| seats[seat.index()])
    }
}

/// Whether two moves are the same. The lines that a bot logged before a failure may differ.
fn is_same_move<G: Game>(one: &Move<G>, other: &Move<G>) -> bool {
    match (one, other) {
        (Move::Acted(one), Move::Acted(other)) => one == other,
        (Move::Failed(one), Move::Failed(other)) => {
            one.reason == other.reason && one.detail == other.detail
        }
        (Move::Acted(_), Move::Failed(_)) | (Move::Failed(_), Move::Acted(_)) => false,
    }
}

fn describe<G: Game>(one: &Move<G>) -> String {
    match one {
        Move::Acted(action) => action.to_string(),
        Move::Failed(failure) => failure.to_string(),
    }
}

/// The line without its moves, and without the appraisal if this run cannot recompute it.
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
