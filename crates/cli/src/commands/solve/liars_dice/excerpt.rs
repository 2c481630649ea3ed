//! Parts of a strategy that a person can read.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::Bid;
use dicehill_solver::liars_dice::{History, Round, Side, Strategy, Tree, TreeLimits};
use serde::Serialize;

/// The strategy of a hand.
#[derive(Serialize)]
pub(super) struct HandLine {
    /// Its dice, ascending.
    pub(super) hand: String,
    /// A bid or `Liar!`, and its chance; the likeliest first.
    pub(super) choices: Vec<(String, f64)>,
}

/// The answers to a bid.
#[derive(Serialize)]
pub(super) struct Answers {
    pub(super) bid: String,
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
        let choices = choices.into_iter().map(|(bid, chance)| (name(bid), chance)).collect();
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
        Some(Answers { bid: bid.to_string(), chance, hands: hands(responder, history) })
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

fn name(bid: Option<Bid>) -> String {
    bid.map_or_else(|| "Liar!".to_owned(), |bid| bid.to_string())
}

fn dice(faces: [u8; 6]) -> String {
    let dice = Face::ALL.into_iter().zip(faces);
    let dice = dice.flat_map(|(face, count)| std::iter::repeat_n(face.to_string(), count.into()));
    dice.collect::<Vec<_>>().join(" ")
}
