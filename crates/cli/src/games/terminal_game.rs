//! What the command line needs to know of a game besides its rules.

use std::sync::Arc;

use dicehill_arena::{Appraiser, Failure, Move, Play, RareGame, TournamentGame};
use dicehill_bots::HouseBot;
use dicehill_link::WireGame;
use dicehill_rules::chance::TableDice;
use dicehill_rules::{Game, Seat};
use dicehill_store::ExportedGame;
use serde_json::{Map, Value};

use crate::text;

/// A game that can be shown at a terminal, and played there and by programs.
pub(crate) trait TerminalGame: TournamentGame + WireGame + RareGame + ExportedGame {
    /// The opponents of a person, unless `--against` names others.
    const USUAL_OPPONENTS: &'static [&'static str];
    /// What a person may type, one line each.
    const INPUT_HELP: &'static str;

    /// The words of the input that a person can misspell.
    const INPUT_WORDS: &'static [&'static str];

    /// What computes losses and luck in games by these rules; `None` if nothing can.
    fn appraiser(_rules: Self::Rules) -> Option<Arc<dyn Appraiser<Self>>> {
        None
    }

    /// The house bots.
    fn house_bots() -> Vec<HouseBot<Self>>;

    /// The house bots that play unless the command line names others.
    fn usual_field() -> Vec<HouseBot<Self>>;

    /// The heading before the next move, if a round or a roll begins with it.
    fn heading(play: &Play<'_, Self>, names: &[&str]) -> Option<String>;

    /// The heading that a player sees.
    fn public_heading(play: &Play<'_, Self>) -> Option<String>;

    /// The position before a move, for programs.
    fn position(play: &Play<'_, Self>) -> Map<String, Value>;

    /// An action in this position as people write it: `keep 6 6`, `4×5`.
    fn written(game: &Self, action: &Self::Action) -> String;

    /// What an action in this position does, for people who may see everything.
    fn narrate(play: &Play<'_, Self>, names: &[&str], action: &Self::Action) -> String;

    /// The part of an opponent's action in this position that a player may see.
    fn narrate_publicly(
        play: &Play<'_, Self>,
        names: &[&str],
        action: &Self::Action,
    ) -> Option<String>;

    /// What the player to act sees, with a hint of what is legal.
    fn show_view(view: &Self::View<'_>) -> String;

    /// The action that a person typed.
    fn read_input(view: &Self::View<'_>, input: &str) -> Result<Self::Action, String>;

    /// The same after the request of a report. `None` of a request that is none of this game.
    fn written_after(request: &Value, action: &Self::Action) -> Option<String>;

    /// Why an action is illegal after the request of a report; `None` if it is legal.
    fn refusal(request: &Value, action: &Self::Action) -> Option<String>;

    /// A line for each seat when the game is over.
    fn show_results(play: &Play<'_, Self>, names: &[&str]) -> String;

    /// What values decisions for a person. May take a second.
    fn advisor(rules: Self::Rules) -> Box<dyn Advisor<Self>>;
}

/// Values the decisions of a game.
pub(crate) trait Advisor<G: Game> {
    /// The best choices of the player to act.
    fn hint(&self, view: &G::View<'_>) -> String;

    /// The losses of the person's decisions; `None` for a void game.
    fn report(&self, played: PlayedGame<'_, G>) -> Option<String>;
}

/// A game that is over, from the person's seat.
pub(crate) struct PlayedGame<'a, G: Game> {
    pub(crate) play: &'a Play<'a, G>,
    /// The dice of its table.
    pub(crate) dice: TableDice,
    /// The number of players at its start.
    pub(crate) players: usize,
    pub(crate) seat: Seat,
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
