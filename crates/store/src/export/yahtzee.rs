//! Yahtzee in exports.

use dicehill_arena::Move;
use dicehill_rules::Game;
use dicehill_rules::yahtzee::{Action, Yahtzee};

use super::cell::{Cell, ExportColumn};
use super::exported_game::ExportedGame;

impl ExportedGame for Yahtzee {
    const MOVE_COLUMNS: &'static [ExportColumn] = &[
        ExportColumn::number("stage"),
        ExportColumn::text("dice"),
        ExportColumn::text("kind"),
        ExportColumn::text("kept"),
        ExportColumn::text("category"),
        ExportColumn::number("score"),
        ExportColumn::number("bonus"),
    ];

    fn round(game: &Self) -> u32 {
        Self::round(game)
    }

    fn move_cells(game: &Self, one: &Move<Self>) -> Vec<Cell> {
        let dice = game.dice();
        let mut cells = vec![game.stage().into(), dice[..].into()];
        cells.extend(match one {
            Move::Acted(Action::Keep(keep)) => {
                let kept: Vec<_> = keep.indexes().map(|index| dice[index]).collect();
                ["keep".into(), kept[..].into(), Cell::Nothing, Cell::Nothing, Cell::Nothing]
            }
            Move::Acted(Action::Fill(category)) => {
                let card = game.to_act().map(|seat| &game.cards()[seat.index()]);
                let score = card.map(|card| card.box_score(*category, dice));
                let bonus = card.map(|card| card.bonus_for(dice));
                let category = category.name().into();
                ["fill".into(), Cell::Nothing, category, score.into(), bonus.into()]
            }
            Move::Failed(_) => [const { Cell::Nothing }; 5],
        });
        cells
    }
}
