//! A table as one client may see it, and the report on a finished game.
//!
//! Players are named by their place in [`TableDocument::players`], from 0.

pub(crate) mod liars_dice;
pub(crate) mod yahtzee;

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use liars_dice::{LiarsDiceDocument, LiarsDiceReport};
use yahtzee::{YahtzeeDocument, YahtzeeReport};

/// A table as whoever asks may see it: a person that sits there what the rules show its seat, anybody else what is
/// public.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct TableDocument {
    /// The table's id, which nobody can guess: whoever knows it may look and take a free seat.
    pub(crate) id: String,
    /// The game's name, `yahtzee` or `liars-dice`.
    #[schema(example = "liars-dice")]
    pub(crate) game: &'static str,
    /// The game's name for people.
    pub(crate) title: &'static str,
    /// The variant of the rules.
    #[schema(example = "official")]
    pub(crate) rules: String,
    /// Goes up whenever something has changed for whoever asks; the stream of events tells it.
    pub(crate) version: u64,
    /// Whether somebody gave the seed, and so may know all dice.
    pub(crate) seed_given: bool,
    /// Seats for people that nobody has taken yet; the game begins when there are none.
    pub(crate) free_seats: usize,
    /// Who plays: by seat once the game has begun, and before in the order in which they came.
    pub(crate) players: Vec<PlayerDocument>,
    /// The player who asks; nothing for a visitor.
    pub(crate) you: Option<usize>,
    /// Moves that you have made; an action names it, so that nothing is done twice.
    pub(crate) moves: usize,
    /// How far the game is.
    pub(crate) stage: Stage,
    /// Whose turn it is.
    pub(crate) turn: Option<usize>,
    /// What has happened for all to see, oldest first; the last 60 of it.
    pub(crate) happenings: Vec<TableEvent>,
    /// The position, if the game is Yahtzee and has begun.
    pub(crate) yahtzee: Option<YahtzeeDocument>,
    /// The position, if the game is Liar's Dice and has begun.
    pub(crate) liars_dice: Option<LiarsDiceDocument>,
    /// What each player has to show, when the game is over.
    pub(crate) results: Option<Vec<PlayerResult>>,
}

/// How far a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    /// Seats are free.
    Gathering,
    /// It is being played.
    Playing,
    /// It has ended.
    Over,
    /// A player's fault has ended it, so that it counts for nobody.
    Void,
}

/// A player at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PlayerDocument {
    /// The name at the table.
    pub(crate) name: String,
    /// A line about how a bot plays; nothing for a person.
    pub(crate) bot: Option<String>,
}

/// Something that all could see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Happening)]
pub(crate) struct TableEvent {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// The round in which it happened.
    pub(crate) round: u32,
    /// Who did it.
    pub(crate) player: usize,
    /// What, in words.
    #[schema(example = "bayes bids 4 fives")]
    pub(crate) text: String,
    /// The hands that were shown by it.
    pub(crate) hands: Vec<HandDocument>,
    /// The face whose dice were counted then.
    pub(crate) face: Option<u8>,
}

/// A player's dice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct HandDocument {
    /// Whose.
    pub(crate) player: usize,
    /// Pips, in the order rolled.
    #[schema(example = json!([1, 3, 3, 5, 6]))]
    pub(crate) dice: Vec<u8>,
}

/// What a player has to show for a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PlayerResult {
    /// Whether the game was won, alone or with others.
    pub(crate) won: bool,
    /// Points, as the game's own challenge counts them.
    pub(crate) points: u64,
    /// The game's own figures by name, such as `score`.
    pub(crate) figures: BTreeMap<&'static str, u64>,
}

/// What is best now, or what the odds are.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct HintDocument {
    /// What the numbers mean.
    pub(crate) note: &'static str,
    /// What can be done, best first.
    pub(crate) choices: Vec<HintChoice>,
}

/// Something that can be done.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct HintChoice {
    /// The action as it is sent.
    pub(crate) action: String,
    /// The action in words.
    pub(crate) text: String,
    /// Points still to be expected, in Yahtzee.
    pub(crate) value: Option<f64>,
    /// How much less that is than the best is worth.
    pub(crate) loss: Option<f64>,
    /// The chance to be right, in Liar's Dice, from 0 to 1.
    pub(crate) chance: Option<f64>,
    /// The same chance as a fraction, which is exact.
    #[schema(example = "211/243")]
    pub(crate) exact: Option<String>,
}

/// All there is to know of a game that is over.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct ReportDocument {
    /// The seed that all dice, and who sat where, follow from.
    pub(crate) seed: String,
    /// Every move.
    pub(crate) moves: Vec<MoveDocument>,
    /// What decisions were worth, by player, if the game was Yahtzee and counts.
    pub(crate) yahtzee: Option<Vec<YahtzeeReport>>,
    /// Calls and bids, by player, if the game was Liar's Dice.
    pub(crate) liars_dice: Option<Vec<LiarsDiceReport>>,
}

/// A move, with what only its player saw then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct MoveDocument {
    /// The round.
    pub(crate) round: u32,
    /// Who moved.
    pub(crate) player: usize,
    /// The player's own dice.
    pub(crate) dice: Vec<u8>,
    /// The action as it was sent; nothing if no legal action came.
    #[schema(example = "FULL_HOUSE")]
    pub(crate) action: Option<String>,
    /// The action in words, or the fault.
    pub(crate) text: String,
}
