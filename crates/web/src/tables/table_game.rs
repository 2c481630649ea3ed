//! What a table needs to know about a game in addition to its rules.

use dicehill_arena::Move;
use dicehill_bots::HouseBot;
use dicehill_rules::{Dice, Game, Seat};

use super::finished_game::FinishedGame;
use crate::model::table::{HintDocument, MoveDocument, ReportDocument, TableDocument, TableEvent};

/// A position of a game at a table.
#[derive(Clone, Copy)]
pub(crate) struct TablePosition<'a, G> {
    pub(crate) game: &'a G,
    /// The seat to act; `None` when the game is over.
    pub(crate) turn: Option<Seat>,
}

/// A game that people can play here.
///
/// While a game goes on, [`TableGame::show`] and [`TableGame::event`] are all that seats other than the one to act learn
/// about it.
pub(crate) trait TableGame: Game {
    /// The most seats of a table here.
    const MAX_SEATS: usize;
    /// The house bots that the form proposes as opponents.
    const USUAL_OPPONENTS: &'static [&'static str];
    /// The description in the form.
    const ABOUT: &'static str;

    /// The house bots that people can play against.
    fn house_bots() -> Vec<HouseBot<Self>>;

    /// Adds to a document what a seat, or a visitor, may see of a position. Everything may be seen of a game that is
    /// over.
    fn show(position: TablePosition<'_, Self>, viewer: Option<Seat>, document: &mut TableDocument);

    /// What everyone can see of a legal action, given the position before it; `None` if only the acting seat sees it.
    fn event(before: &Self, names: &[String], action: &Self::Action) -> Option<TableEvent>;

    /// The number of the round being played, from 1.
    fn round_of(&self) -> u32;

    /// The dice of the seat to act.
    fn own_dice(&self) -> Vec<u8>;

    /// The action in words.
    fn in_words(&self, action: &Self::Action) -> String;

    /// The legal actions of the seat to act with their values. The first call may take seconds.
    fn hint(&self) -> HintDocument;

    /// Adds to a report what the decisions of each player were worth. The first call may take seconds.
    fn appraise<D: Dice>(finished: &FinishedGame<Self, D>, report: &mut ReportDocument);

    /// Every move of a finished game, with the dice that its player had.
    fn moves<D: Dice>(finished: &FinishedGame<Self, D>) -> Vec<MoveDocument> {
        let mut moves = Vec::with_capacity(finished.moves.len());
        finished.walk(|game, seat, one| {
            let (action, text) = match one {
                Move::Acted(action) => (Some(action.to_string()), game.in_words(action)),
                Move::Failed(failure) => (None, format!("gives no legal action: {failure}")),
            };
            moves.push(MoveDocument {
                round: game.round_of(),
                player: seat.index(),
                dice: game.own_dice(),
                action,
                text,
            });
        });
        moves
    }
}
