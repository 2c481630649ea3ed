//! What the command line needs to know of a game beside its rules.

use std::sync::Arc;

use dicehill_arena::{Appraiser, Failure, Move, Play, RareGame};
use dicehill_bots::House;
use dicehill_link::WireGame;
use dicehill_rules::chance::TableDice;
use dicehill_rules::{Game, Seat};
use serde_json::{Map, Value};

use crate::text;

/// A game that can be shown at a terminal, and played there and by programs.
pub(crate) trait TerminalGame: WireGame + RareGame {
    /// The opponents of a person who names none.
    const USUAL_OPPONENTS: &'static [&'static str];
    /// What a person may type, a line each.
    const INPUT_HELP: &'static str;

    /// Who says what decisions cost in games by these rules; `None` if nobody can.
    fn appraiser(_rules: Self::Rules) -> Option<Arc<dyn Appraiser<Self>>> {
        None
    }

    /// The house bots.
    fn house_bots() -> Vec<House<Self>>;

    /// Those that play where nobody is named.
    fn usual_field() -> Vec<House<Self>>;

    /// A heading before the move that comes next, if it begins something: a round, a new roll.
    fn heading(play: &Play<'_, Self>, names: &[&str]) -> Option<String>;

    /// What a player sees at the beginning of something.
    fn public_heading(play: &Play<'_, Self>) -> Option<String>;

    /// The position before a move, for programs.
    fn position(play: &Play<'_, Self>) -> Map<String, Value>;

    /// What an action in this position does, for people who may see everything.
    fn narrate(play: &Play<'_, Self>, names: &[&str], action: &Self::Action) -> String;

    /// What of an opponent's action in this position a player may see.
    fn narrate_publicly(
        play: &Play<'_, Self>,
        names: &[&str],
        action: &Self::Action,
    ) -> Option<String>;

    /// What the player to act sees, with a hint of what is legal.
    fn show_view(view: &Self::View<'_>) -> String;

    /// The action that a person typed.
    fn read_input(view: &Self::View<'_>, input: &str) -> Result<Self::Action, String>;

    /// A line for each seat when the game is over.
    fn show_results(play: &Play<'_, Self>, names: &[&str]) -> String;

    /// Who can tell a person what decisions are worth, if the game is solved. May take a second.
    fn mentor(rules: Self::Rules) -> Option<Box<dyn Mentor<Self>>>;
}

/// Who knows what decisions of a game are worth.
pub(crate) trait Mentor<G: Game> {
    /// The best choices of the player to act.
    fn hint(&self, view: &G::View<'_>) -> String;

    /// What the decisions at a seat have cost in a game that is over, with the dice of its table; nothing if it
    /// counts for nobody.
    fn report(&self, play: &Play<'_, G>, table: &TableDice, seat: Seat) -> Option<String>;
}

/// What a move in this position does, for people who may see everything.
pub(crate) fn narrate_move<G: TerminalGame>(
    play: &Play<'_, G>,
    names: &[&str],
    one: &Move<G>,
) -> String {
    match one {
        Move::Acted(action) => G::narrate(play, names, action),
        Move::Failed(failure) => narrate_failure(play, names, failure),
    }
}

fn narrate_failure<G: TerminalGame>(
    play: &Play<'_, G>,
    names: &[&str],
    failure: &Failure,
) -> String {
    let name = play.turn().map_or("somebody", |(seat, _)| names[seat.index()]);
    let failure = text::printable(&failure.to_string());
    format!("  {name} gives no legal action: {}", text::styled(text::BAD, failure))
}
