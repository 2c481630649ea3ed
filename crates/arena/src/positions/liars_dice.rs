//! Rare positions of Liar's Dice: one die, the highest bid, unequal hands, first actions.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, LiarsDiceRules};

use super::{ChosenDice, RareGame, RarePosition};

impl RareGame for LiarsDice {
    fn rare_positions(rules: LiarsDiceRules) -> Vec<RarePosition<Self>> {
        let mut ways = Vec::new();
        for seats in 2..=5 {
            ways.extend(at_the_start(seats));
        }
        ways.extend(two_left());
        ways.push(one_die_and_first_action());
        ways.extend(many_dice());
        let dice = ChosenDice::default;
        let position = |Way { name, seats, actions }| RarePosition {
            name,
            rules,
            seats,
            dice: dice(),
            actions,
        };
        ways.into_iter().map(position).collect()
    }
}

/// The way to an action of whoever is asked.
struct Way {
    name: String,
    seats: usize,
    actions: Vec<Action>,
}

impl Way {
    fn new(name: impl Into<String>, seats: usize, actions: Vec<Action>) -> Self {
        Self { name: name.into(), seats, actions }
    }

    /// The same with more actions.
    fn then(&self, name: &str, more: &[Action]) -> Self {
        Self::new(name, self.seats, [&self.actions, more].concat())
    }
}

fn bid(count: u32, face: Face) -> Action {
    Action::Bid(Bid::new(count, face).expect("1 to 1,000,000"))
}

/// Every hand begins with a two, so that this bid holds.
fn true_bid() -> Action {
    bid(1, Face::ALL[1])
}

fn highest_bid() -> Action {
    bid(Bid::MOST, Face::SIX)
}

/// Whoever begins the round gets a die of the next one, `times` over, and begins the next round.
fn gains(times: usize) -> Vec<Action> {
    [true_bid(), Action::Call].repeat(times)
}

/// Whoever begins the round gives the next one a die, who begins the next round.
fn loses() -> Vec<Action> {
    vec![highest_bid(), Action::Call]
}

/// The first round, with nothing, little and everything on the table.
fn at_the_start(seats: usize) -> Vec<Way> {
    let start = Way::new(format!("the first action among {seats}"), seats, Vec::new());
    let below = bid(Bid::MOST, Face::ALL[4]);
    let bids = |last: u8| (1..=last).map(|pips| bid(1, Face::ALL[usize::from(pips)])).collect();
    vec![
        start.then(&format!("the highest bid on the table, among {seats}"), &[highest_bid()]),
        start.then(&format!("one bid is higher than the last, among {seats}"), &[below]),
        Way::new(format!("everybody else among {seats} has bid"), seats, bids(seats as u8 - 1)),
        start,
    ]
}

/// One die against nine, on either side.
fn two_left() -> Vec<Way> {
    let nine = Way::new("nine dice against one, first action", 2, gains(4));
    let one = Way::new("", 2, [loses(), gains(3)].concat());
    vec![
        nine.then("one die against nine, at seat 1", &[true_bid()]),
        nine.then("one die against nine and the highest bid", &[highest_bid()]),
        nine.then("nine dice against one, which has bid", &[true_bid(), bid(2, Face::ALL[1])]),
        one.then("one die against nine, at seat 0", &[true_bid()]),
        nine,
    ]
}

/// Whoever gains a die has two, so only another's illegal bid lets somebody with one die begin.
fn one_die_and_first_action() -> Way {
    let begun = [loses(), loses(), gains(3)].concat();
    let too_low = [true_bid(), bid(2, Face::ALL[1]), bid(1, Face::ONE)];
    Way::new(
        "one die, first action after another's illegal bid",
        3,
        [begun, too_low.into()].concat(),
    )
}

/// Nearly all dice in one hand, and one die among five players.
fn many_dice() -> Vec<Way> {
    let most = Way::new("twenty-four dice against one, first action", 5, gains(5 + 5 + 5 + 4));
    let five = Way::new("", 5, gains(4));
    vec![
        most.then("one die against twenty-four", &[true_bid()]),
        five.then("one die among five players", &[true_bid()]),
        most,
    ]
}
