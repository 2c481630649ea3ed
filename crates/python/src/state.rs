//! Games in progress.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use dicehill_arena::RequestIds;
use dicehill_link::WireGame;
use dicehill_rules::chance::TableDice;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game, PublicInfo, Seat};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::{invalid, rules};
use crate::position::ShownPosition;

pyo3::create_exception!(
    dicehill,
    IllegalAction,
    PyValueError,
    "The rules do not allow this action now."
);

/// What a seat has achieved; final when the game has ended.
#[pyclass(frozen, get_all, module = "dicehill")]
pub(crate) struct SeatResult {
    /// Points of the challenge.
    points: u64,
    /// Whether it is a top scorer or the winner.
    won: bool,
    /// The game's figures by name, such as the score.
    figures: BTreeMap<&'static str, u64>,
}

#[pymethods]
impl SeatResult {
    fn __repr__(&self) -> String {
        let Self { points, won, figures } = self;
        format!(
            "SeatResult(points={points}, won={}, figures={figures:?})",
            if *won { "True" } else { "False" }
        )
    }
}

/// A game, its dice, and the names of its players.
#[derive(Clone)]
struct Table<G: Game> {
    game: G,
    dice: TableDice,
    names: Vec<String>,
}

impl<G: WireGame> Table<G> {
    fn new(players: usize, seed: &str, table: u64, rules_name: Option<&str>) -> PyResult<Self> {
        if !G::SEATS.contains(&players) {
            let (least, most) = (G::SEATS.start(), G::SEATS.end());
            return Err(invalid(format!("players: {players} is not {least} to {most}")));
        }
        let dice = Chance::new(seed).table(table);
        let game = G::new(rules::<G>(rules_name)?, players, &dice);
        let names = (1..=players).map(|number| format!("player {number}")).collect();
        Ok(Self { game, dice, names })
    }

    fn apply(&mut self, action: &str) -> PyResult<()> {
        let parsed: G::Action =
            action.parse().map_err(|why| IllegalAction::new_err(format!("{action}: {why}")))?;
        self.game
            .apply(&parsed, &self.dice)
            .map_err(|why| IllegalAction::new_err(format!("{action}: {why}")))
    }

    /// The request for an action, as the protocol writes it; `None` if the game has ended.
    fn request(&self) -> PyResult<Option<String>> {
        let names = self.names.iter().map(String::as_str).collect();
        let public = PublicInfo { names, points: vec![0; self.names.len()] };
        let Some(view) = self.game.view(&public) else { return Ok(None) };
        let mut line = Vec::new();
        G::write_turn(&view, RequestIds { request: 0, game: 0 }, &mut line);
        String::from_utf8(line).map(Some).map_err(invalid)
    }

    /// An answer of the protocol as an action's text.
    fn action_of(answer: &str) -> PyResult<String> {
        let parsed = G::read_answer(answer.as_bytes()).map_err(invalid)?;
        let action = parsed.action.map_err(|failure| IllegalAction::new_err(failure.detail))?;
        Ok(action.to_string())
    }

    fn results(&self) -> Vec<SeatResult> {
        let result = |seat| {
            let result = self.game.result(seat);
            let figures = G::FIGURES.iter().zip(result.figures).map(|(f, value)| (f.name, value));
            SeatResult { points: result.points, won: result.won, figures: figures.collect() }
        };
        Seat::all(self.names.len()).map(result).collect()
    }
}

/// Makes the class of a game; Python's classes cannot be generic.
macro_rules! state_class {
    ($class:ident, $game:ty, $doc:literal) => {
        #[doc = $doc]
        #[pyclass(module = "dicehill", subclass)]
        pub(crate) struct $class(Table<$game>);

        #[pymethods]
        impl $class {
            #[new]
            fn new(players: usize, seed: &str, table: u64, rules: Option<&str>) -> PyResult<Self> {
                Table::new(players, seed, table, rules).map(Self)
            }

            /// The seat to act, from 0; None if the game has ended.
            #[getter]
            fn seat(&self) -> Option<usize> {
                self.0.game.to_act().map(Seat::index)
            }

            /// The number of players.
            #[getter]
            fn players(&self) -> usize {
                self.0.names.len()
            }

            /// The first `limit` legal actions, in the notation of logs.
            fn legal_actions(&self, limit: usize) -> Vec<String> {
                self.0.game.legal_actions().take(limit).map(|action| action.to_string()).collect()
            }

            fn _apply(&mut self, action: &str) -> PyResult<()> {
                self.0.apply(action)
            }

            fn _request(&self) -> PyResult<Option<String>> {
                self.0.request()
            }

            #[staticmethod]
            fn _action_of(answer: &str) -> PyResult<String> {
                Table::<$game>::action_of(answer)
            }

            /// The position with all that is hidden, as JSON.
            fn _position(&self) -> String {
                self.0.game.position().to_string()
            }

            /// The results by seat, so far.
            fn results(&self) -> Vec<SeatResult> {
                self.0.results()
            }

            fn _copy_to(&self, other: &mut Self) {
                other.0 = self.0.clone();
            }

            fn __eq__(&self, other: &Self) -> bool {
                self.0.game == other.0.game
            }

            fn __hash__(&self) -> u64 {
                let mut hasher = DefaultHasher::new();
                format!("{:?}", self.0.game).hash(&mut hasher);
                hasher.finish()
            }
        }
    };
}

state_class!(YahtzeeState, Yahtzee, "A game of Yahtzee.");
state_class!(LiarsDiceState, LiarsDice, "A game of Liar's Dice.");
