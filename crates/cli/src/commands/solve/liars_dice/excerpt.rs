//! Parts of a strategy that a person can read.

use std::fmt;

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid};
use dicehill_solver::liars_dice::{History, Round, Side, Strategy, Tree, TreeLimits};
use serde::{Serialize, Serializer};

/// A bid, or the call. Documents have the text of records, people read the notation.
pub(super) struct ShownAction(Action);

impl Serialize for ShownAction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl fmt::Display for ShownAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.notation())
    }
}

/// The strategy of a hand.
#[derive(Serialize)]
pub(super) struct HandLine {
    /// Its dice, ascending.
    pub(super) hand: String,
    /// Each action and its chance; the likeliest first.
    pub(super) choices: Vec<(ShownAction, f64)>,
}

/// The answers to a bid.
#[derive(Serialize)]
pub(super) struct Answers {
    pub(super) bid: ShownAction,
    /// How often the starter makes it.
    pub(super) chance: f64,
    pub(super) hands: Vec<HandLine>,
}

/// The first bids whose answers are shown.
const MAX_BIDS: usize = 3;

/// The strategy of each hand after `history`.
pub(super) fn hands(strategy: &Strategy, history: History) -> Vec<HandLine> {
    let tree = Tree::new(strategy.round(), TreeLimits::with_max_bids(strategy.side(), 2));
    let hands = tree.hands(strategy.side());
    let line = |hand: usize| {
        let mut choices = strategy.action_probabilities(history, hand);
        choices.sort_by(|a, b| b.1.total_cmp(&a.1));
        let choices = choices.into_iter().map(|(bid, chance)| (shown(bid), chance)).collect();
        HandLine { hand: dice(hands.faces(hand)), choices }
    };
    (0..hands.count()).map(line).collect()
}

/// The answers to the likeliest first bids.
pub(super) fn answers(starter: &Strategy, responder: &Strategy) -> Vec<Answers> {
    let mut bids = first_bids(starter);
    bids.sort_by(|a, b| b.1.total_cmp(&a.1));
    let answer = |(bid, chance): (Bid, f64)| {
        let history = History::from_bids(starter.round(), &[bid]).ok()?;
        Some(Answers { bid: shown(Some(bid)), chance, hands: hands(responder, history) })
    };
    bids.into_iter().take(MAX_BIDS).filter_map(answer).collect()
}

/// How often each first bid is made.
fn first_bids(starter: &Strategy) -> Vec<(Bid, f64)> {
    let round: Round = starter.round();
    let tree = Tree::new(round, TreeLimits::with_max_bids(Side::Starter, 2));
    let mut bids: Vec<(Bid, f64)> = Vec::new();
    for (hand, chance) in tree.hands(Side::Starter).chances().iter().enumerate() {
        for (bid, share) in starter.action_probabilities(History::EMPTY, hand) {
            let Some(bid) = bid else { continue };
            match bids.iter_mut().find(|(known, _)| *known == bid) {
                Some((_, sum)) => *sum += chance * share,
                None => bids.push((bid, chance * share)),
            }
        }
    }
    bids
}

fn shown(bid: Option<Bid>) -> ShownAction {
    ShownAction(bid.map_or(Action::Call, Action::Bid))
}

fn dice(faces: [u8; 6]) -> String {
    let dice = Face::ALL.into_iter().zip(faces);
    let dice = dice.flat_map(|(face, count)| std::iter::repeat_n(face.to_string(), count.into()));
    dice.collect::<Vec<_>>().join(" ")
}
