//! Games of a run, with one line each.

use dicehill_store::{GameLine, RunHeader};
use serde::Serialize;
use utoipa::ToSchema;

use super::replay::{ReplayFailure, is_played_off};

/// Some games of a run that follow each other, a line each.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct GamesDocument {
    /// The hill's name.
    #[schema(example = "Spring hill")]
    pub(crate) name: String,
    /// The number of the run, from 1.
    pub(crate) run: i64,
    /// Games of the run that are stored and count.
    pub(crate) count: u64,
    /// Whether the moves of its games are kept.
    pub(crate) keeps_moves: bool,
    /// Whose games these are, if they are those of one bot.
    pub(crate) bot: Option<String>,
    /// In the order of their numbers.
    pub(crate) games: Vec<GameRow>,
    /// What to ask for as `before` for those before these; `null` at the beginning.
    pub(crate) before: Option<u64>,
    /// What to ask for as `from` for those behind these; `null` at the end. Of a bot that plays seldom there may be
    /// fewer games than asked for, and more behind them.
    pub(crate) from: Option<u64>,
}

/// A game in a line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GameRow {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// The names by seat.
    pub(crate) seats: Vec<String>,
    /// The points by seat.
    pub(crate) points: Vec<u64>,
    /// The scores by seat, of a game that has scores; else empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) scores: Vec<u64>,
    /// The seats that won, from 0.
    pub(crate) won: Vec<usize>,
    /// Who gave no legal action, and why.
    pub(crate) failures: Vec<ReplayFailure>,
    /// Whether it does not count, because a fault ended it.
    pub(crate) void: bool,
    /// Whether it was played to break a tie after the last game of the run.
    pub(crate) played_off: bool,
}

impl GameRow {
    /// What a line says.
    pub(crate) fn of(header: &RunHeader, line: GameLine) -> Self {
        let seats = 0..line.seats.len();
        Self {
            number: line.game,
            points: seats.clone().map(|seat| line.figure(seat, "points").unwrap_or(0)).collect(),
            scores: seats.clone().filter_map(|seat| line.figure(seat, "score")).collect(),
            won: seats.filter(|seat| line.won(*seat)).collect(),
            seats: line.seats,
            failures: line.failures.into_iter().map(ReplayFailure::from).collect(),
            void: line.void,
            played_off: is_played_off(header, line.game),
        }
    }
}
