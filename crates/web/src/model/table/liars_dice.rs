//! A position of Liar's Dice, as a seat or a visitor may see it.

use serde::Serialize;
use utoipa::ToSchema;

/// A position of Liar's Dice. A hand is visible only to its holder until a call shows all hands
/// ([`super::TableEvent::hands`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(
    description = "A position of Liar's Dice. A hand is visible only to its holder until a call shows all hands\n([`super::Happening::hands`])."
)]
pub(crate) struct LiarsDiceDocument {
    /// The round, from 1; each begins with a roll.
    pub(crate) round: u32,
    /// The players still in, in the order in which they act; empty when the game is over.
    pub(crate) seats: Vec<HolderDocument>,
    /// The client's dice in the order rolled; `null` if it holds none.
    pub(crate) dice: Option<Vec<u8>>,
    /// The bids of this round, oldest first.
    pub(crate) bids: Vec<BidDocument>,
    /// The client's legal actions; `null` if it is not its turn.
    pub(crate) turn: Option<LiarsDiceTurn>,
    /// The winner when the game is over; `null` if the limit on turns ended it.
    pub(crate) winner: Option<usize>,
}

/// How many dice a player holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct HolderDocument {
    /// Who.
    pub(crate) player: usize,
    /// How many.
    pub(crate) dice: usize,
}

/// A bid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct BidDocument {
    /// Who made it.
    pub(crate) player: usize,
    /// How many dice at least.
    pub(crate) count: u32,
    /// Of which face; ones count as every face.
    pub(crate) face: u8,
}

/// What may be done: bid above the last bid, or call it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct LiarsDiceTurn {
    /// Whether there is a bid to call.
    pub(crate) may_call: bool,
    /// The lowest bid that may be made: every higher one may be, too. Nothing if there is none.
    pub(crate) lowest: Option<LowestBid>,
    /// The dice of all players; a higher count cannot hold.
    pub(crate) most: u32,
}

/// The lowest bid that may be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct LowestBid {
    /// Its count.
    pub(crate) count: u32,
    /// Its face.
    pub(crate) face: u8,
}

/// What a player did in a game, and what that was worth.
///
/// Values are dice under the model of the analyses: hidden dice are fair, and the next player calls a bid that is more
/// likely to fail than to hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub(crate) struct LiarsDiceReport {
    /// Turns taken.
    pub(crate) turns: u64,
    /// Calls of bids that did not hold.
    pub(crate) calls_right: u64,
    /// Calls of bids that held.
    pub(crate) calls_wrong: u64,
    /// Own bids that were called and held.
    pub(crate) bids_held: u64,
    /// Own bids that were called and did not hold.
    pub(crate) bids_fallen: u64,
    /// How many decisions there were.
    pub(crate) decisions: usize,
    /// How many of them lost something.
    pub(crate) mistakes: usize,
    /// Dice that decisions lost.
    pub(crate) lost: f64,
    /// Dice won by more than the decisions were worth on average.
    pub(crate) luck: f64,
    /// Decisions that lost most, worst first; at most five.
    pub(crate) worst: Vec<LiarsDiceMistake>,
}

/// A decision that lost something.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct LiarsDiceMistake {
    /// The round.
    pub(crate) round: u32,
    /// The player's dice, in ascending order.
    pub(crate) dice: Vec<u8>,
    /// What the player did.
    pub(crate) chosen: String,
    /// What was best.
    pub(crate) best: String,
    /// Dice that the best was worth more.
    pub(crate) loss: f64,
}
