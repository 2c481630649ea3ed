//! A position of Yahtzee, as a seat or a visitor may see it.

use serde::Serialize;
use utoipa::ToSchema;

/// A position of Yahtzee. As in the challenge, players see of each other only the scores of all, lowest first, when it
/// is their turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct YahtzeeDocument {
    /// The round, 1 to 13.
    pub(crate) round: u32,
    /// The client's card; `null` for a visitor.
    pub(crate) card: Option<CardDocument>,
    /// The turn of the client; `null` if it is another player's.
    pub(crate) turn: Option<YahtzeeTurn>,
    /// The cards of all players; `null` before the game is over, except at open tables.
    pub(crate) cards: Option<Vec<CardDocument>>,
    /// The dice of the player to act, at open tables.
    #[schema(example = json!([2, 2, 3, 5, 5]))]
    pub(crate) dice: Option<Vec<u8>>,
}

/// What a player sees in its turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct YahtzeeTurn {
    /// Pips, in the order shown; a keep names them by their places here, from 0.
    #[schema(example = json!([2, 2, 3, 5, 5]))]
    pub(crate) dice: Vec<u8>,
    /// How often some may be rolled again; 0 if a box must be filled.
    pub(crate) rolls_left: u8,
    /// The scores of all players, lowest first, without their names.
    pub(crate) scores: Vec<u32>,
    /// The bonus of a further Yahtzee among these dice.
    pub(crate) bonus: u32,
}

/// A scorecard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct CardDocument {
    /// The thirteen boxes.
    pub(crate) boxes: Vec<BoxDocument>,
    /// The sum of the upper boxes.
    pub(crate) upper_total: u32,
    /// The bonus for an upper total of 63.
    pub(crate) upper_bonus: u32,
    /// The bonus for further Yahtzees.
    pub(crate) yahtzee_bonus: u32,
    /// The score with all bonuses.
    pub(crate) score: u32,
}

/// A box of a scorecard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct BoxDocument {
    /// The category as actions name it.
    #[schema(example = "FULL_HOUSE")]
    pub(crate) category: &'static str,
    /// Its name for people.
    #[schema(example = "Full house")]
    pub(crate) title: &'static str,
    /// What it holds; nothing if it is free.
    pub(crate) score: Option<u8>,
    /// What your dice would score in it now; nothing if it cannot be filled with them.
    pub(crate) now: Option<u8>,
}

/// What a player's decisions were worth, held against the best there is.
///
/// `score` is `best_play` plus `luck` minus `lost`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct YahtzeeReport {
    /// The final score.
    pub(crate) score: u32,
    /// The expected score of optimal play.
    pub(crate) best_play: f64,
    /// By how much the dice were better than the mean.
    pub(crate) luck: f64,
    /// Points that decisions lost.
    pub(crate) lost: f64,
    /// How many decisions there were.
    pub(crate) decisions: usize,
    /// How many of them lost points.
    pub(crate) mistakes: usize,
    /// Those that lost most, worst first; at most five.
    pub(crate) worst: Vec<YahtzeeMistake>,
}

/// A decision that lost points.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct YahtzeeMistake {
    /// The round, 1 to 13.
    pub(crate) round: u32,
    /// The dice in the order shown.
    pub(crate) dice: Vec<u8>,
    /// What the player did.
    pub(crate) chosen: String,
    /// What was best.
    pub(crate) best: String,
    /// Points that the best was worth more.
    pub(crate) loss: f64,
}
