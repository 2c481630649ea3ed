//! What an analysis needs to know of a game.

use std::io::{self, Write};
use std::num::NonZero;

use dicehill_arena::Replay;
use dicehill_coach::{AppraisedGame, Tally};
use dicehill_rules::{Chance, Game};
use serde_json::Value;

use super::Analysed;
use crate::layout::{Form, Printer};

/// A recorded game with what its decisions cost.
pub(super) type Appraised<C> = AppraisedGame<<<C as Coach>::Tally as Tally>::Seat>;
/// What the games of a bot show.
pub(super) type Report<C> = <<C as Coach>::Tally as Tally>::Report;

/// Who says what decisions in a game cost.
pub(super) trait Coach: Sync + Sized {
    /// The game.
    type Game: Game;
    /// The sums over the games of a bot.
    type Tally: Tally<Seat: Send>;

    /// For games by these rules. May take a second on so many threads.
    fn new(rules: <Self::Game as Game>::Rules, jobs: NonZero<usize>) -> Self;

    /// Appraises the decisions of those players for whom `wanted` holds; nothing if the game counts for nobody.
    fn appraise(
        &self,
        chance: &Chance,
        replay: &Replay<Self::Game>,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<Appraised<Self>>;

    /// Writes the whole analysis for people.
    fn write<W: Write>(
        out: &mut Printer<W>,
        analysed: &Analysed<Self>,
        form: Form,
    ) -> io::Result<()>;

    /// The whole analysis for programs.
    fn document(analysed: &Analysed<Self>) -> Value;
}
