//! A plain bot for both games that every SDK has as an example, with the same decisions in each.

use dicehill_arena::{Bot, Failure, Program};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{self, Bid, LiarsDice, dice_that_count};
use dicehill_rules::yahtzee::{self, Category, Keep, Yahtzee};

/// Keeps the most frequent face, and believes likely bids.
pub(super) struct Steady;

impl Program<Yahtzee> for Steady {
    fn identity(&self) -> String {
        "golden:steady@1".to_owned()
    }

    fn bot(&self) -> Box<dyn Bot<Yahtzee>> {
        Box::new(Self)
    }
}

impl Program<LiarsDice> for Steady {
    fn identity(&self) -> String {
        "golden:steady@1".to_owned()
    }

    fn bot(&self) -> Box<dyn Bot<LiarsDice>> {
        Box::new(Self)
    }
}

impl Bot<Yahtzee> for Steady {
    /// Keeps the most frequent face, the higher one of two, until all dice show it; then fills the box that is worth
    /// most, the first one of several.
    fn act(&mut self, view: &yahtzee::View<'_>) -> Result<yahtzee::Action, Failure> {
        let frequency = |face: &Face| view.dice.iter().filter(|die| *die == face).count();
        let face = Face::ALL.into_iter().max_by_key(frequency).expect("there are faces");
        if view.may_keep() && frequency(&face) < 5 {
            return Ok(yahtzee::Action::Keep(Keep::filter(&view.dice, |die| die == face)));
        }
        let worth = |category: &Category| view.card.box_score(*category, &view.dice);
        let most = view.legal().iter().map(|category| worth(&category)).max().unwrap_or(0);
        let best = view.legal().iter().find(|category| worth(category) == most);
        Ok(yahtzee::Action::Fill(best.expect("a box is free")))
    }
}

impl Bot<LiarsDice> for Steady {
    /// Calls bids above its own dice and a third of the others (a sixth for ones), and otherwise bids as little as
    /// possible on its best face.
    fn act(&mut self, view: &liars_dice::View<'_>) -> Result<liars_dice::Action, Failure> {
        let own_count = |face: &Face| dice_that_count(view.dice, *face);
        let faces = Face::ALL.into_iter().filter(|face| *face != Face::ONE);
        let best = faces.max_by_key(own_count).expect("there are faces");
        let Some(last) = view.last_bid() else { return bid(own_count(&best).max(1), best) };
        let share = if last.face() == Face::ONE { 6 } else { 3 };
        if last.count() > own_count(&last.face()) + view.hidden_dice() / share {
            return Ok(liars_dice::Action::Call);
        }
        bid(last.count() + u32::from(best <= last.face()), best)
    }
}

fn bid(count: u32, face: Face) -> Result<liars_dice::Action, Failure> {
    Ok(liars_dice::Action::Bid(Bid::new(count, face).expect("there are never a million dice")))
}
