//! The contract between the arena and a bot.

use dicehill_rules::Game;

use crate::{Failure, Finished, Server, Start};

/// A player of one game at a time.
///
/// A bot gets views of the game and has no access to anything else of it. The judge does not know how the bot is run.
///
/// ```
/// use dicehill_arena::{Bot, Failure, Program};
/// use dicehill_rules::yahtzee::{Action, View, Yahtzee};
///
/// /// Fills the first free box with the first roll.
/// struct FirstBox;
///
/// impl Bot<Yahtzee> for FirstBox {
///     fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
///         Ok(Action::Fill(view.legal().iter().next().expect("a box is free")))
///     }
/// }
///
/// impl Program<Yahtzee> for FirstBox {
///     fn identity(&self) -> String {
///         "house:first-box@1".to_owned()
///     }
///
///     fn bot(&self) -> Box<dyn Bot<Yahtzee>> {
///         Box::new(FirstBox)
///     }
/// }
/// ```
pub trait Bot<G: Game>: Send {
    /// A game begins; called before the game's first [`Bot::act`].
    fn start(&mut self, _start: &Start) {}

    /// An action is about to show what was hidden; `game` is the state before it.
    fn reveal(&mut self, _game: &G, _action: &G::Action) {}

    /// The answer just given is refused, for this reason. Returns the last lines of the bot's log, for reports.
    fn refused(&mut self, _why: &str) -> Vec<String> {
        Vec::new()
    }

    /// The game is over.
    fn end(&mut self, _finished: &Finished<'_, G>) {}

    /// Decides in the position that `view` shows.
    ///
    /// # Errors
    /// If the bot gives no action: a fault of the bot, which is judged.
    fn act(&mut self, view: &G::View<'_>) -> Result<G::Action, Failure>;

    /// Its process, if it has one that may serve the games of a run; it must have no game in progress.
    fn into_server(self: Box<Self>) -> Option<Box<dyn Server<G>>> {
        None
    }
}
