//! What a table needs to know of a game beside its rules.

use dicehill_arena::Move;
use dicehill_bots::House;
use dicehill_rules::{Dice, Game, Seat};

use super::session::Session;
use crate::model::table::{Happening, HintDocument, MoveDocument, ReportDocument, TableDocument};

/// A game that people can play here.
///
/// [`TableGame::show`] and [`TableGame::happening`] are all that others than the player to act ever learn of a game that
/// goes on.
pub(crate) trait TableGame: Game {
    /// The most that may sit at a table here.
    const MOST_SEATS: usize;
    /// Opponents of a person who names none.
    const USUAL_OPPONENTS: &'static [&'static str];

    /// Those that people can play against.
    fn house_bots() -> Vec<House<Self>>;

    /// Puts into a document what a seat, or a visitor, may see of the position; of a game that is over all may be seen.
    fn show<D: Dice + Clone>(
        session: &Session<Self, D>,
        viewer: Option<Seat>,
        document: &mut TableDocument,
    );

    /// What all can see of a legal action of the seat to act, in the position before it; nothing if that is its own matter.
    fn happening(before: &Self, names: &[String], action: &Self::Action) -> Option<Happening>;

    /// The number of the round being played.
    fn round_of(&self) -> u32;

    /// The dice of the seat to act.
    fn own_dice(&self) -> Vec<u8>;

    /// The action in words.
    fn in_words(&self, action: &Self::Action) -> String;

    /// What the seat to act may do, with what it is worth. May take seconds at first.
    fn hint(&self) -> HintDocument;

    /// Puts into a report what the decisions of each player were worth. May take seconds at first.
    fn appraise<D: Dice>(finished: &FinishedGame<Self, D>, report: &mut ReportDocument);
}

/// A game that is over.
#[derive(Clone, Debug)]
pub(crate) struct FinishedGame<G: Game, D> {
    pub(crate) rules: G::Rules,
    pub(crate) dice: D,
    pub(crate) seats: usize,
    pub(crate) moves: Vec<Move<G>>,
    /// The game as it ended.
    pub(crate) end: G,
    /// Whether it counts for nobody.
    pub(crate) void: bool,
}

impl<G: TableGame, D: Dice> FinishedGame<G, D> {
    /// The game at its first action.
    pub(crate) fn first(&self) -> G {
        G::new(self.rules, self.seats, &self.dice)
    }

    /// Plays the moves again, and hands each with the position before it and its seat to `look`.
    pub(crate) fn walk(&self, mut look: impl FnMut(&G, Seat, &Move<G>)) {
        let mut game = self.first();
        for one in &self.moves {
            let Some(seat) = game.to_act() else { return };
            look(&game, seat, one);
            let went_on = match one {
                Move::Acted(action) => game.apply(action, &self.dice).is_ok(),
                Move::Failed(_) => {
                    game.forfeit(&self.dice);
                    true
                }
            };
            if !went_on {
                return;
            }
        }
    }

    /// Every move, with the dice that its player had.
    pub(crate) fn moves(&self) -> Vec<MoveDocument> {
        let mut moves = Vec::with_capacity(self.moves.len());
        self.walk(|game, seat, one| {
            let (action, text) = match one {
                Move::Acted(action) => (Some(action.to_string()), game.in_words(action)),
                Move::Failed(failure) => (None, format!("gives no legal action: {failure}")),
            };
            let (round, dice) = (game.round_of(), game.own_dice());
            moves.push(MoveDocument { round, player: seat.index(), dice, action, text });
        });
        moves
    }
}
