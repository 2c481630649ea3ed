//! The request for an action in Liar's Dice.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Bid, View};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::RequestIds;

/// Asks for an action.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename = "turn")]
pub struct LiarsDiceTurn<'a> {
    /// The request's id, to be repeated in the answer.
    id: u64,
    /// The game's id.
    game: u64,
    /// The bot's seat now, among the players still in, from 0.
    you: usize,
    /// How many dice each player still in holds, by seat.
    counts: &'a [u8],
    /// The bot's own dice in the order rolled.
    #[schemars(with = "Vec<u8>")]
    dice: Pips<'a>,
    /// Every bid of this round, oldest first; `bids[len - k]` was made by seat `(you - k) mod n`.
    #[schemars(with = "Vec<String>")]
    bids: BidTexts<'a>,
    /// The names of the players still in, by seat.
    names: Vec<&'a str>,
    /// Their points so far, by seat.
    points: Vec<u64>,
}

impl<'a> LiarsDiceTurn<'a> {
    /// The request in the position of a view.
    #[must_use]
    pub fn new(view: &'a View<'a>, ids: RequestIds) -> Self {
        Self {
            id: ids.request,
            game: ids.game,
            you: view.you,
            counts: view.counts,
            dice: Pips(view.dice),
            bids: BidTexts(view.bids),
            names: (0..view.players()).filter_map(|position| view.name(position)).collect(),
            points: (0..view.players()).map(|position| view.points(position)).collect(),
        }
    }
}

/// Dice as numbers.
pub struct Pips<'a>(pub &'a [Face]);

impl Serialize for Pips<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|face| face.pips()))
    }
}

/// Bids as texts.
pub struct BidTexts<'a>(pub &'a [Bid]);

impl Serialize for BidTexts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(BidText))
    }
}

struct BidText<'a>(&'a Bid);

impl Serialize for BidText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}
