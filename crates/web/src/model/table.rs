//! A table as one client may see it, and the report on a finished game.
//!
//! Players are named by their place in [`TableDocument::players`], from 0.

pub(crate) mod liars_dice;
pub(crate) mod yahtzee;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use liars_dice::{BidDocument, HolderDocument, LiarsDiceDocument, LiarsDiceReport};
use yahtzee::{YahtzeeDocument, YahtzeeReport};

/// A table as the client may see it: a seated player gets its seat's view, others the public view.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct TableDocument {
    /// The table's id, which cannot be guessed: with it a client may watch and take a free seat.
    pub(crate) id: String,
    /// The game's name, `yahtzee` or `liars-dice`.
    #[schema(example = "liars-dice")]
    pub(crate) game: &'static str,
    /// The game's name for people.
    pub(crate) title: &'static str,
    /// The variant of the rules.
    #[schema(example = "official")]
    pub(crate) rules: String,
    /// Increases with every change that the client can see; sent by the event stream.
    pub(crate) version: u64,
    /// Whether a player gave the seed, and so may know all dice.
    pub(crate) seed_given: bool,
    /// Whether everyone sees all cards and dice: an option of tables of Yahtzee without bots.
    pub(crate) open: bool,
    /// The time limit of a move in seconds; `null` without a limit.
    pub(crate) move_seconds: Option<u32>,
    /// The seconds left for the move of the person whose turn it is; `null` without a limit, and for others at a closed table of
    /// Yahtzee, who would learn from it when that person rolls.
    pub(crate) seconds_left: Option<u32>,
    /// Free seats for people; the game begins when there are none.
    pub(crate) free_seats: usize,
    /// The players: by seat once the game has begun, before that in the order in which they joined.
    pub(crate) players: Vec<PlayerDocument>,
    /// The client's player; `null` for a visitor.
    pub(crate) you: Option<usize>,
    /// The number of moves that the client has made; an action states it, so that no action is played twice.
    pub(crate) moves: usize,
    /// The state of the game.
    pub(crate) stage: Stage,
    /// Whose turn it is.
    pub(crate) turn: Option<usize>,
    /// The last 60 public events, oldest first.
    pub(crate) happenings: Vec<TableEvent>,
    /// The position, if the game is Yahtzee and has begun.
    pub(crate) yahtzee: Option<YahtzeeDocument>,
    /// The position, if the game is Liar's Dice and has begun.
    pub(crate) liars_dice: Option<LiarsDiceDocument>,
    /// The result of each player when the game is over.
    pub(crate) results: Option<Vec<PlayerResult>>,
    /// The id of the table of the rematch; `null` if there is none, and for visitors.
    pub(crate) rematch: Option<String>,
}

/// The state of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    /// Seats are free.
    Gathering,
    /// It is being played.
    Playing,
    /// It has ended.
    Over,
    /// A player's fault has ended it; it does not count.
    Void,
}

/// A player at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PlayerDocument {
    /// The name at the table.
    pub(crate) name: String,
    /// A line about how a bot plays; `null` for a person.
    pub(crate) bot: Option<String>,
    /// Why a bot plays for this person; `null` if none does.
    pub(crate) absence: Option<Absence>,
}

/// Why a bot plays for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Absence {
    /// The time for a move was over. The person may return.
    Late,
    /// The page was closed for some minutes, or the person left. The person may return.
    Away,
    /// The person has resigned: a bot plays the rest of the game, and this seat cannot win.
    Resigned,
}

/// What a public event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EventKind {
    /// A bid in Liar's Dice.
    Bid,
    /// A call in Liar's Dice, which shows all hands.
    Call,
    /// A roll of some dice again in Yahtzee, visible at open tables.
    Keep,
    /// The end of a turn in Yahtzee.
    Fill,
    /// A player gave no legal action.
    Fault,
    /// A bot begins to play for a person, or the person returns.
    Seat,
}

/// A public event.
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
    #[schema(example = "bayes bids four fives")]
    pub(crate) text: String,
    /// The hands that were shown by it.
    pub(crate) hands: Vec<HandDocument>,
    /// The face whose dice were counted then.
    pub(crate) face: Option<u8>,
    /// What it is.
    pub(crate) kind: EventKind,
    /// The bid that was made or called.
    pub(crate) bid: Option<BidDocument>,
    /// Whether the bid that was called holds.
    pub(crate) holds: Option<bool>,
    /// The number of dice of each player still in afterwards, in Liar's Dice.
    pub(crate) seats: Vec<HolderDocument>,
    /// The player's dice, at open tables of Yahtzee.
    pub(crate) dice: Vec<u8>,
}

impl TableEvent {
    /// An event with nothing but words. Its number is set when it is recorded.
    pub(crate) const fn new(kind: EventKind, round: u32, player: usize, text: String) -> Self {
        Self {
            number: 0,
            round,
            player,
            text,
            hands: Vec::new(),
            face: None,
            kind,
            bid: None,
            holds: None,
            seats: Vec::new(),
            dice: Vec::new(),
        }
    }
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

/// A player's result of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PlayerResult {
    /// Whether the game was won, alone or with others.
    pub(crate) won: bool,
    /// Points, as the game's own challenge counts them.
    pub(crate) points: u64,
    /// The game's own figures by name, such as `score`.
    pub(crate) figures: BTreeMap<&'static str, u64>,
}

/// The best actions, or the odds.
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
    /// Why it is worth that, in a sentence.
    #[schema(example = "You hold two fives. Of 5 hidden dice, 1 must be a five or a one.")]
    pub(crate) why: String,
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
    /// Whether a bot played it for a person.
    pub(crate) substituted: bool,
}
