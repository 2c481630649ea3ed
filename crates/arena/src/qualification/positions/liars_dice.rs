//! Rare positions of Liar's Dice: one die, the highest bid, unequal hands, first actions.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, LiarsDiceRules};

use crate::{RareGame, RarePosition, ScriptedDice};

impl RareGame for LiarsDice {
    fn rare_positions(rules: LiarsDiceRules) -> Vec<RarePosition<Self>> {
        let mut scripts = Vec::new();
        for seats in 2..=5 {
            scripts.extend(first_round(seats));
        }
        scripts.extend(one_die_against_nine());
        scripts.push(one_die_and_first_action());
        scripts.extend(many_dice());
        let dice = ScriptedDice::default;
        let position = |script: Script| RarePosition {
            name: script.name,
            rules,
            seats: script.seats,
            dice: dice(),
            actions: script.actions,
        };
        scripts.into_iter().map(position).collect()
    }

    fn is_contrived(&self) -> bool {
        let all_dice: usize = self.hands().iter().map(|hand| hand.faces().len()).sum();
        self.bids().last().is_some_and(|last| last.count() as usize > all_dice)
    }
}

/// The actions that lead to a position.
struct Script {
    name: String,
    seats: usize,
    actions: Vec<Action>,
}

impl Script {
    fn new(name: impl Into<String>, seats: usize, actions: Vec<Action>) -> Self {
        Self { name: name.into(), seats, actions }
    }

    /// The same actions followed by `more`, under another name.
    fn then(&self, name: &str, more: &[Action]) -> Self {
        Self::new(name, self.seats, [&self.actions, more].concat())
    }
}

fn bid(count: u32, face: Face) -> Action {
    Action::Bid(Bid::new(count, face).expect("1 to 1,000,000"))
}

/// Every hand has a two, so this bid always holds.
fn true_bid() -> Action {
    bid(1, Face::ALL[1])
}

fn highest_bid() -> Action {
    bid(Bid::MAX_COUNT, Face::SIX)
}

/// `times` rounds in which the seat to act wins a die from the next seat and begins the next round.
fn wins_dice(times: usize) -> Vec<Action> {
    [true_bid(), Action::Call].repeat(times)
}

/// A round in which the seat to act loses a die to the next seat, which begins the next round.
fn loses_die() -> Vec<Action> {
    vec![highest_bid(), Action::Call]
}

/// The first round: without a bid, with low bids, and with the highest bid.
fn first_round(seats: usize) -> Vec<Script> {
    let start = Script::new(format!("the first action among {seats}"), seats, Vec::new());
    let below = bid(Bid::MAX_COUNT, Face::ALL[4]);
    let bids = |last: u8| (1..=last).map(|pips| bid(1, Face::ALL[usize::from(pips)])).collect();
    vec![
        start.then(&format!("the highest bid on the table, among {seats}"), &[highest_bid()]),
        start.then(&format!("one bid is higher than the last, among {seats}"), &[below]),
        Script::new(format!("all others among {seats} have bid"), seats, bids(seats as u8 - 1)),
        start,
    ]
}

/// One die against nine, at either seat.
fn one_die_against_nine() -> Vec<Script> {
    let nine = Script::new("nine dice against one, first action", 2, wins_dice(4));
    let one = Script::new("", 2, [loses_die(), wins_dice(3)].concat());
    vec![
        nine.then("one die against nine, at seat 1", &[true_bid()]),
        nine.then("one die against nine and the highest bid", &[highest_bid()]),
        nine.then("nine dice against one, which has bid", &[true_bid(), bid(2, Face::ALL[1])]),
        one.then("one die against nine, at seat 0", &[true_bid()]),
        nine,
    ]
}

/// The winner of a die has at least two, so a seat with one die begins a round only after another's illegal bid.
fn one_die_and_first_action() -> Script {
    let begun = [loses_die(), loses_die(), wins_dice(3)].concat();
    let too_low = [true_bid(), bid(2, Face::ALL[1]), bid(1, Face::ONE)];
    Script::new(
        "one die, first action after another's illegal bid",
        3,
        [begun, too_low.into()].concat(),
    )
}

/// Nearly all dice in one hand, and one die among five seats.
fn many_dice() -> Vec<Script> {
    let most =
        Script::new("twenty-four dice against one, first action", 5, wins_dice(5 + 5 + 5 + 4));
    let five = Script::new("", 5, wins_dice(4));
    vec![
        most.then("one die against twenty-four", &[true_bid()]),
        five.then("one die among five players", &[true_bid()]),
        most,
    ]
}
