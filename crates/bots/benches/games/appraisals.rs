//! The cost of appraising decisions: turns of players that keep their most frequent face.

use dicehill_rules::yahtzee::{Action, Keep, Yahtzee, YahtzeeRules};
use dicehill_rules::{Chance, Face, Game, PublicInfo};
use dicehill_solver::yahtzee::{Hand, Position, TurnHistory};

/// The turns of a game of two.
pub(crate) fn turns(table: u64) -> Vec<TurnHistory> {
    let chance = Chance::new("appraisals");
    let (dice, public) = (chance.table(table), PublicInfo::default());
    let mut game = Yahtzee::new(YahtzeeRules::Official, 2, &dice);
    let mut turns = Vec::new();
    let mut keeps = Vec::new();
    while let Some(view) = game.view(&public) {
        let (shown, roll) = (Hand::from_roll(&view.dice), view.dice);
        let position = Position::from_scorecard(view.card);
        let most = Face::ALL.into_iter().max_by_key(|face| shown.count(*face));
        let best = view.legal().iter().max_by_key(|category| category.score(&roll));
        let category = best.expect("a box is free");
        let keep = Keep::filter(&roll, |face| Some(face) == most);
        let action = if view.may_keep() { Action::Keep(keep) } else { Action::Fill(category) };
        game.apply(&action, &dice).expect("a legal action");
        if let Action::Keep(keep) = action {
            keeps.push((shown, Hand::from_keep(keep, &roll)));
            continue;
        }
        let [(roll, first), (second, last)] = keeps[..] else { unreachable!("two keeps a turn") };
        let keeps_of_turn = [Some((first, second)), Some((last, shown))];
        turns.push(TurnHistory { position, roll, keeps: keeps_of_turn, category });
        keeps.clear();
    }
    turns
}
