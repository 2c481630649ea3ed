//! The bot's beliefs and its evaluation of a position, for a reader.

use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, Position, dice_that_count};
use dicehill_rules::{Face, Game};

use crate::liars_dice::count_distribution::CountDistribution;
use crate::liars_dice::count_distribution::MAX_DICE;
use crate::liars_dice::fair_dice::{fair_chance, fair_tail};
use crate::liars_dice::seer::evaluation::evaluator::{ActionValue, Evaluator};
use crate::liars_dice::seer::features::observation::Observation;
use crate::liars_dice::seer::model::parameters::Parameters;
use crate::liars_dice::seer::opponents::opponent_model::OpponentModel;

/// A position of Liar's Dice as the player to act sees it, checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedPosition {
    you: Position,
    counts: Vec<u8>,
    dice: Vec<Face>,
    bids: Vec<Bid>,
}

/// Why a position is impossible.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ObservedPositionError {
    /// No game has this number of players.
    #[error("{0} players: a game has 2 to 5")]
    Players(usize),
    /// A player without dice is out.
    #[error("the player at seat {} has no dice, and is out", .0 + 1)]
    NoDice(Position),
    /// No game has this number of dice.
    #[error("{0} dice on the table: there are at most 25")]
    Dice(u32),
    /// There is no such seat.
    #[error("seat {}: with {players} players seats are 1 to {players}", you + 1)]
    Seat {
        /// The seat.
        you: Position,
        /// Number of players.
        players: usize,
    },
    /// The hand does not have as many dice as the seat.
    #[error("{dice} own dice, but {count} at seat {}", you + 1)]
    Hand {
        /// Dice in the hand.
        dice: usize,
        /// Dice at the seat.
        count: u8,
        /// The seat.
        you: Position,
    },
    /// A bid that is not higher than the one before it.
    #[error("the bid {} is not higher than {}, the one before it", bid.notation(), before.notation())]
    Bid {
        /// The bid.
        bid: Bid,
        /// The one before it.
        before: Bid,
    },
}

impl ObservedPosition {
    /// The position of the player at seat `you`, who holds `dice`. `counts` has the number of dice of each player by seat; `bids` has
    /// the bids of this round, oldest first, the last one by the player before `you`.
    ///
    /// # Errors
    /// Says why no game can reach the position.
    pub fn new(
        you: Position,
        counts: Vec<u8>,
        dice: Vec<Face>,
        bids: Vec<Bid>,
    ) -> Result<Self, ObservedPositionError> {
        let players = counts.len();
        if !LiarsDice::SEATS.contains(&players) {
            return Err(ObservedPositionError::Players(players));
        }
        if let Some(out) = counts.iter().position(|count| *count == 0) {
            return Err(ObservedPositionError::NoDice(out));
        }
        let all = counts.iter().map(|count| u32::from(*count)).sum();
        if all > MAX_DICE as u32 {
            return Err(ObservedPositionError::Dice(all));
        }
        let count = *counts.get(you).ok_or(ObservedPositionError::Seat { you, players })?;
        if dice.len() != usize::from(count) {
            return Err(ObservedPositionError::Hand { dice: dice.len(), count, you });
        }
        if let Some(two) = bids.windows(2).find(|two| two[1] <= two[0]) {
            return Err(ObservedPositionError::Bid { bid: two[1], before: two[0] });
        }
        Ok(Self { you, counts, dice, bids })
    }

    /// The seat of the player to act, from 0.
    #[must_use]
    pub const fn you(&self) -> Position {
        self.you
    }

    /// Number of dice of each player, by seat.
    #[must_use]
    pub fn counts(&self) -> &[u8] {
        &self.counts
    }

    /// The player's own dice.
    #[must_use]
    pub fn dice(&self) -> &[Face] {
        &self.dice
    }

    /// The bids of the round, oldest first.
    #[must_use]
    pub fn bids(&self) -> &[Bid] {
        &self.bids
    }
}

/// The beliefs and the evaluation of `seer` in a position, against unknown opponents.
#[derive(Clone, PartialEq, Debug)]
pub struct LiarsDiceAdvice {
    /// The belief about the last bid; `None` where there is none.
    pub last: Option<LastBidBelief>,
    /// The call and the bids worth considering, the best first.
    pub choices: Vec<EvaluatedAction>,
}

/// The belief about the bid that may be called.
#[derive(Clone, PartialEq, Debug)]
pub struct LastBidBelief {
    /// The bid.
    pub bid: Bid,
    /// The player's own dice that count for it.
    pub held: u32,
    /// The probability that it holds if all hidden dice are fair: a binomial tail.
    pub fair: f64,
    /// The probability that it holds, given all bids of the round.
    pub holds: f64,
    /// The hands of the opponents, by seat.
    pub hands: Vec<HiddenHandBelief>,
}

/// The belief about the dice of one hand that count for the last bid.
#[derive(Clone, PartialEq, Debug)]
pub struct HiddenHandBelief {
    /// The opponent's seat.
    pub seat: Position,
    /// The probability of each number of dice that count, from none to all, for fair dice.
    pub fair: Vec<f64>,
    /// The same, given all bids of the round.
    pub given_bids: Vec<f64>,
}

/// An action and its evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvaluatedAction {
    /// The action.
    pub action: Action,
    /// The probability of winning the game, 0 to 1.
    pub wins: f64,
    /// The expected number of dice gained in this round, -1 to 1.
    pub value: f64,
    /// The probability that the bid, or the called bid, holds.
    pub holds: f64,
    /// The probability that the next player calls the bid; 1 for the call.
    pub called: f64,
}

/// Evaluates a position as `seer` does against unknown opponents. A pure function of its argument.
#[must_use]
pub fn advise_liars_dice(position: &ObservedPosition) -> LiarsDiceAdvice {
    let parameters = Parameters::shipped();
    let unknown = OpponentModel::new(parameters);
    let ObservedPosition { you, counts, dice, bids } = position;
    let observation = Observation::new(*you, counts, dice, bids);
    let evaluator = Evaluator::new(observation, parameters, |_| &unknown);
    let action_values = evaluator.action_values();
    let called = action_values.first().filter(|first| first.action == Action::Call).copied();
    let last = bids.last().zip(called);
    let last = last.map(|(bid, call)| last_bid(position, *bid, call, &evaluator));
    let mut choices: Vec<_> = action_values.into_iter().map(weighed_action).collect();
    // A stable sort: of equal actions, the one that the bot takes stays first.
    choices.sort_by(|a, b| b.wins.total_cmp(&a.wins));
    LiarsDiceAdvice { last, choices }
}

fn last_bid(
    position: &ObservedPosition,
    bid: Bid,
    call: ActionValue,
    evaluator: &Evaluator<'_>,
) -> LastBidBelief {
    let face = bid.face();
    let held = dice_that_count(&position.dice, face);
    let all: u32 = position.counts.iter().map(|count| u32::from(*count)).sum();
    let hidden = all as usize - position.dice.len();
    let hand = |seat: Position| HiddenHandBelief {
        seat,
        fair: CountDistribution::new(position.counts[seat], fair_chance(face)).chances().to_vec(),
        given_bids: evaluator.counting(seat, face).chances().to_vec(),
    };
    LastBidBelief {
        bid,
        held,
        fair: fair_tail(hidden, face).at_least(bid.count().saturating_sub(held)),
        holds: call.holds.min(1.0),
        hands: evaluator.observation.others().map(hand).collect(),
    }
}

/// Sums of probabilities can be above 1 by a rounding error.
const fn weighed_action(
    ActionValue { action, value, dice, holds, called }: ActionValue,
) -> EvaluatedAction {
    EvaluatedAction {
        action,
        wins: value.min(1.0),
        value: dice,
        holds: holds.min(1.0),
        called: called.min(1.0),
    }
}
