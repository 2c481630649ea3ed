//! The beliefs and the evaluation of the house bot `seer` in a position of Liar's Dice.

use dicehill_bots::{
    EvaluatedAction, HiddenHandBelief, LastBidBelief as Belief, ObservedPosition,
    ObservedPositionError, advise_liars_dice as advise,
};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid};
use pyo3::prelude::*;

use crate::arguments::{invalid, number};

/// An action in a position of Liar's Dice and its evaluation.
#[pyclass(frozen, get_all, module = "dicehill")]
pub(crate) struct LiarsDiceChoice {
    /// `(count, face)` of the bid; None for the call.
    bid: Option<(u32, u8)>,
    /// The probability of winning the game, 0 to 1.
    wins: f64,
    /// The expected number of dice gained in this round, -1 to 1.
    value: f64,
    /// The probability that the bid, or the called bid, holds.
    holds: f64,
    /// The probability that the next player calls the bid; 1 for the call.
    called: f64,
}

#[pymethods]
impl LiarsDiceChoice {
    /// The action as a bot answers it.
    #[getter]
    fn action(&self) -> String {
        self.bid.map_or_else(|| Action::Call.to_string(), |(count, face)| format!("{count} {face}"))
    }

    fn __repr__(&self) -> String {
        let Self { wins, value, holds, .. } = self;
        let action = self.action();
        format!("LiarsDiceChoice({action:?}, wins={wins:.4}, value={value:+.4}, holds={holds:.4})")
    }
}

/// The belief about the last bid.
#[pyclass(frozen, get_all, module = "dicehill")]
pub(crate) struct LastBidBelief {
    /// `(count, face)`.
    bid: (u32, u8),
    /// The player's own dice that count for it.
    held: u32,
    /// The probability that it holds if all hidden dice are fair.
    fair: f64,
    /// The probability that it holds, given all bids of the round.
    holds: f64,
    /// By seat of each opponent: the probability of each number of dice that count, given all bids of the round.
    hands: Vec<(usize, Vec<f64>)>,
}

#[pymethods]
impl LastBidBelief {
    fn __repr__(&self) -> String {
        let Self { bid, held, fair, holds, .. } = self;
        format!("LastBidBelief(bid={bid:?}, held={held}, fair={fair:.4}, holds={holds:.4})")
    }
}

/// What each action is worth in a position of Liar's Dice, and what the bids of the round tell.
#[pyclass(frozen, get_all, module = "dicehill")]
pub(crate) struct LiarsDiceAdvice {
    /// The belief about the last bid; None before the first one.
    last: Option<Py<LastBidBelief>>,
    /// The call and the bids worth considering, the most promising first.
    choices: Vec<Py<LiarsDiceChoice>>,
}

#[pymethods]
impl LiarsDiceAdvice {
    fn __repr__(&self) -> String {
        let shown = self.choices.iter().take(3).map(|choice| choice.get().__repr__());
        let more = if self.choices.len() > 3 { ", ..." } else { "" };
        format!("<LiarsDiceAdvice: {}{more}>", shown.collect::<Vec<_>>().join(", "))
    }
}

/// Evaluates a position of Liar's Dice as the house bot `seer` does against unknown opponents: `counts` are the dice of
/// each player still in, by seat, `dice` those of the player at `seat`, `bids` the bids of this round as pairs of count
/// and face, oldest first. A pure function of its arguments.
#[pyfunction]
#[pyo3(signature = (counts, seat, dice, bids))]
pub(crate) fn advise_liars_dice(
    py: Python<'_>,
    counts: Vec<i64>,
    seat: i64,
    dice: Vec<i64>,
    bids: Vec<(i64, i64)>,
) -> PyResult<LiarsDiceAdvice> {
    let count = |count| number("counts", count, "a number of dice");
    let counts = counts.into_iter().map(count).collect::<PyResult<_>>()?;
    let seat = number("seat", seat, "the number of a seat")?;
    let dice = dice.into_iter().map(|pips| face("dice", pips)).collect::<PyResult<_>>()?;
    let bids = bids.into_iter().map(|(count, pips)| bid(count, pips)).collect::<PyResult<_>>()?;
    // Elsewhere seats count from 1 in messages.
    let position =
        ObservedPosition::new(seat, counts, dice, bids).map_err(|error| match error {
            ObservedPositionError::Seat { you, players } => {
                invalid(format!("seat: {you} is not 0 to {}", players - 1))
            }
            ObservedPositionError::NoDice(seat) => {
                invalid(format!("counts: the player at seat {seat} has no dice, and is out"))
            }
            ObservedPositionError::Hand { you, count, dice } => {
                invalid(format!("dice: {dice} own dice, but counts has {count} at seat {you}"))
            }
            ObservedPositionError::Players(_)
            | ObservedPositionError::Dice(_)
            | ObservedPositionError::Bid { .. } => invalid(error),
        })?;
    let advice = py.detach(|| advise(&position));
    Ok(LiarsDiceAdvice {
        last: advice.last.map(|last| Py::new(py, belief(last))).transpose()?,
        choices: advice
            .choices
            .into_iter()
            .map(|choice| Py::new(py, evaluated(choice)))
            .collect::<PyResult<_>>()?,
    })
}

/// A face from its pips; `what` names the argument in the error.
pub(crate) fn face(what: &str, pips: i64) -> PyResult<Face> {
    let face = u8::try_from(pips).ok().and_then(Face::new);
    face.ok_or_else(|| invalid(format!("{what}: {pips} is not 1 to 6")))
}

/// A bid from its count and its pips.
pub(crate) fn bid(count: i64, pips: i64) -> PyResult<Bid> {
    Bid::new(number("bids", count, "a number of dice")?, face("bids", pips)?)
        .map_err(|why| invalid(format!("bids: ({count}, {pips}): {why}")))
}

/// A bid as Python has it.
pub(crate) fn pair(bid: Bid) -> (u32, u8) {
    (bid.count(), bid.face().pips())
}

fn belief(belief: Belief) -> LastBidBelief {
    let Belief { bid, held, fair, holds, hands } = belief;
    let hand = |HiddenHandBelief { seat, given_bids, .. }: HiddenHandBelief| (seat, given_bids);
    let hands = hands.into_iter().map(hand).collect();
    LastBidBelief { bid: pair(bid), held, fair, holds, hands }
}

fn evaluated(choice: EvaluatedAction) -> LiarsDiceChoice {
    let EvaluatedAction { action, wins, value, holds, called } = choice;
    let bid = match action {
        Action::Call => None,
        Action::Bid(bid) => Some(pair(bid)),
    };
    LiarsDiceChoice { bid, wins, value, holds, called }
}
