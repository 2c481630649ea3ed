//! What an analysis needs to know of a game.

use std::io::{self, Write};
use std::num::NonZero;

use dicehill_arena::Replay;
use dicehill_rules::{Chance, Game};
use serde_json::Value;

use super::Analysed;
use super::grid::Form;

/// Who says what decisions in a game cost.
pub(super) trait Coach: Sync + Sized {
    /// The game.
    type Game: Game;
    /// A recorded game with what its decisions cost.
    type Appraised: Send;
    /// Sums over games.
    type Analysis;
    /// What the games of a bot show.
    type Report;

    /// For games by these rules. May take a second on so many threads.
    fn new(rules: <Self::Game as Game>::Rules, jobs: NonZero<usize>) -> Self;

    /// Appraises the decisions of those players for whom `wanted` holds; nothing if the game counts for nobody.
    fn appraise(
        &self,
        chance: &Chance,
        replay: &Replay<Self::Game>,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<Self::Appraised>;

    /// An analysis of these players' games.
    fn begin(names: Vec<String>) -> Self::Analysis;

    /// Adds a game. They come in the order of their numbers.
    fn add(analysis: &mut Self::Analysis, game: &Self::Appraised);

    /// What came of it, in the order in which the players were named.
    fn reports(analysis: Self::Analysis) -> Vec<Self::Report>;

    /// How many games a report tells of.
    fn games(report: &Self::Report) -> u64;

    /// Writes the whole analysis for people.
    fn write(out: &mut impl Write, analysed: &Analysed<Self>, form: Form) -> io::Result<()>;

    /// The whole analysis for programs.
    fn document(analysed: &Analysed<Self>) -> Value;
}
