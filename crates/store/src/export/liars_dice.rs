//! Liar's Dice in exports.

use dicehill_arena::Move;
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, dice_that_count};

use super::cell::{Cell, ExportColumn};
use super::exported_game::ExportedGame;

impl ExportedGame for LiarsDice {
    const MOVE_COLUMNS: &'static [ExportColumn] = &[
        ExportColumn::number("dice_in_play"),
        ExportColumn::text("hand"),
        ExportColumn::number("bids"),
        ExportColumn::number("last_count"),
        ExportColumn::number("last_face"),
        ExportColumn::text("kind"),
        ExportColumn::number("count"),
        ExportColumn::number("face"),
        ExportColumn::number("there"),
        ExportColumn::flag("held"),
    ];

    fn round(game: &Self) -> u32 {
        Self::round(game)
    }

    fn move_cells(game: &Self, one: &Move<Self>) -> Vec<Cell> {
        let hands = game.hands();
        let dice: usize = hands.iter().map(|hand| hand.faces().len()).sum();
        let hand = game.position_to_act().map(|position| hands[position].faces());
        let last = game.bids().last();
        let face = |face: Face| Cell::from(face.pips());
        let nothing = || Cell::Nothing;
        let mut cells = vec![
            dice.into(),
            hand.into(),
            game.bids().len().into(),
            last.map(|bid| bid.count()).into(),
            last.map_or_else(nothing, |bid| face(bid.face())),
        ];
        cells.extend(match one {
            Move::Acted(Action::Bid(bid)) => {
                ["bid".into(), bid.count().into(), face(bid.face()), nothing(), nothing()]
            }
            Move::Acted(Action::Call) => {
                let there = last.map(|bid| {
                    hands.iter().map(|hand| dice_that_count(hand.faces(), bid.face())).sum::<u32>()
                });
                ["call".into(), nothing(), nothing(), there.into(), game.last_bid_holds().into()]
            }
            Move::Failed(_) => [const { Cell::Nothing }; 5],
        });
        cells
    }
}
