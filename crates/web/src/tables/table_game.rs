//! What a table needs to know about a game in addition to its rules.

use dicehill_arena::Move;
use dicehill_bots::HouseBot;
use dicehill_rules::{Dice, Game, Seat};

use super::finished_game::FinishedGame;
use crate::model::replay::ReplayMoves;
use crate::model::shown_game::ShownGame;
use crate::model::table::liars_dice::HolderDocument;
use crate::model::table::{HintDocument, MoveDocument, ReportDocument, TableDocument, TableEvent};

/// A position of a game at a table.
#[derive(Clone, Copy)]
pub(crate) struct TablePosition<'a, G> {
    pub(crate) game: &'a G,
    /// The seat to act; `None` when the game is over.
    pub(crate) turn: Option<Seat>,
    /// Whether everyone sees what is otherwise hidden ([`TableGame::CAN_BE_OPEN`]).
    pub(crate) is_open: bool,
}

/// A legal action that was played.
#[derive(Clone, Copy)]
pub(crate) struct PlayedAction<'a, G: Game> {
    /// The position before it.
    pub(crate) before: &'a G,
    pub(crate) action: &'a G::Action,
    /// The players' names by seat.
    pub(crate) names: &'a [String],
    pub(crate) is_open: bool,
}

/// A game that people can play here.
///
/// While a game goes on, [`TableGame::show`] and [`TableGame::event`] are all that seats other than the one to act learn
/// about it.
pub(crate) trait TableGame: ShownGame<Moves: Into<ReplayMoves>> {
    /// The most seats of a table here.
    const MAX_SEATS: usize;
    /// The house bots that the form proposes as opponents.
    const USUAL_OPPONENTS: &'static [&'static str];
    /// The house bot that plays for an absent person.
    const SUBSTITUTE: &'static str;
    /// Whether people among themselves may show each other what is otherwise hidden.
    const CAN_BE_OPEN: bool;
    /// The description in the form.
    const ABOUT: &'static str;

    /// The rules in at most 120 words.
    const HOW_TO_PLAY: &'static str;
    /// A round or turn as an example.
    const EXAMPLE: &'static str;

    /// The house bots that people can play against.
    fn house_bots() -> Vec<HouseBot<Self>>;

    /// Adds to a document what a seat, or a visitor, may see of a position. Everything may be seen of a game that is
    /// over.
    fn show(position: TablePosition<'_, Self>, viewer: Option<Seat>, document: &mut TableDocument);

    /// What everyone can see of an action; `None` if only the acting seat sees it.
    fn event(played: PlayedAction<'_, Self>) -> Option<TableEvent>;

    /// The number of dice of each player still in, if it is public.
    fn counts(&self) -> Vec<HolderDocument>;

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
        let mut substituted = finished.substituted.iter().copied();
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
                substituted: substituted.next().unwrap_or_default(),
            });
        });
        moves
    }
}
