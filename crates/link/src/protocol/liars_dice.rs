//! The messages of Liar's Dice.

use std::borrow::Cow;

use dicehill_arena::{Failure, Finished, Reason};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid, Hand, LiarsDice, ParseActionError, View};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize, Serializer};

use super::excerpt::excerpt;
use super::json_line::{id_of, malformed, without_place, write_line};
use super::schemas::schema_of;
use super::wire_game::{ParsedAnswer, RequestIds, Unreadable, WireGame};

/// Asks for an action.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename = "turn")]
struct Turn<'a> {
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
    bids: Bids<'a>,
    /// The names of the players still in, by seat.
    names: Names<'a>,
    /// Their points so far, by seat.
    points: Points,
}

/// What a call revealed.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename = "round")]
struct Round<'a> {
    /// The game's id.
    game: u64,
    /// Every bid of the round, oldest first.
    #[schemars(with = "Vec<String>")]
    bids: Bids<'a>,
    /// The dice of each player still in, by seat.
    #[schemars(with = "Vec<Vec<u8>>")]
    hands: Hands<'a>,
    /// The seat that called.
    caller: usize,
    /// The seat that made the last bid.
    bidder: usize,
    /// Whether the last bid was right.
    held: bool,
}

/// A game is over.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename = "end")]
struct End<'a> {
    /// The game's id.
    game: u64,
    /// The winner's name; null if the turn limit ended the game.
    winner: Option<&'a str>,
    /// The points of all players, by seat at the start.
    points: Vec<u64>,
    /// The names of all players, by seat at the start.
    names: &'a [&'a str],
}

/// An answer: a bid, or `Liar!`.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Answer<'a> {
    /// The request's id.
    id: u64,
    /// `COUNT FACE`, or `Liar!`.
    #[serde(borrow)]
    bid: Cow<'a, str>,
}

/// Dice as numbers.
struct Pips<'a>(&'a [Face]);

impl Serialize for Pips<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|face| face.pips()))
    }
}

/// Hands as lists of numbers.
struct Hands<'a>(&'a [Hand]);

impl Serialize for Hands<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|hand| Pips(hand.faces())))
    }
}

/// Bids as texts.
struct Bids<'a>(&'a [Bid]);

impl Serialize for Bids<'_> {
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

/// The names of the players still in the game; empty if names are not public.
type Names<'a> = Vec<&'a str>;

/// The points of the players still in the game.
type Points = Vec<u64>;

impl WireGame for LiarsDice {
    const ANSWER_FIELDS: &'static [&'static str] = &["type", "id", "bid"];

    fn write_turn(view: &View<'_>, ids: RequestIds, line: &mut Vec<u8>) {
        let turn = Turn {
            id: ids.request,
            game: ids.game,
            you: view.you,
            counts: view.counts,
            dice: Pips(view.dice),
            bids: Bids(view.bids),
            names: (0..view.players()).filter_map(|position| view.name(position)).collect(),
            points: (0..view.players()).map(|position| view.points(position)).collect(),
        };
        write_line(&turn, line);
    }

    fn write_reveal(game: &Self, id: u64, line: &mut Vec<u8>) {
        let (Some(held), Some(caller)) = (game.last_bid_holds(), game.position_to_act()) else {
            return;
        };
        let players = game.seats().len();
        let round = Round {
            game: id,
            bids: Bids(game.bids()),
            hands: Hands(game.hands()),
            caller,
            bidder: (caller + players - 1) % players,
            held,
        };
        write_line(&round, line);
    }

    fn write_end(finished: &Finished<'_, Self>, id: u64, line: &mut Vec<u8>) {
        let Finished { game, public, .. } = *finished;
        let seats = dicehill_rules::Seat::all(public.names.len());
        let points = seats.map(|seat| {
            public.earlier_points(seat) + dicehill_rules::Game::result(game, seat).points
        });
        let winner = game.winner().and_then(|seat| public.names.get(seat.index()).copied());
        write_line(&End { game: id, winner, points: points.collect(), names: &public.names }, line);
    }

    fn read_answer(line: &[u8]) -> Result<ParsedAnswer<Self>, Unreadable> {
        match serde_json::from_slice::<Answer<'_>>(line) {
            Ok(answer) => Ok(ParsedAnswer { id: answer.id, action: action(&answer.bid, line) }),
            Err(error) => {
                let id = id_of(line, &error)?;
                Ok(ParsedAnswer { id, action: Err(malformed(line, &without_place(&error))) })
            }
        }
    }

    fn write_answer(action: &Action, id: u64, line: &mut Vec<u8>) {
        write_line(&Answer { id, bid: Cow::Owned(action.to_string()) }, line);
    }

    fn schemas() -> Vec<(&'static str, Schema)> {
        vec![
            ("liars-dice.turn", schema_of::<Turn<'_>>("turn")),
            ("liars-dice.round", schema_of::<Round<'_>>("round")),
            ("liars-dice.end", schema_of::<End<'_>>("end")),
            ("liars-dice.answer", schemars::schema_for!(Answer<'_>)),
        ]
    }
}

/// The action that a bid means. Its text may be as long as a line.
fn action(bid: &str, line: &[u8]) -> Result<Action, Failure> {
    bid.parse().map_err(|error: ParseActionError| {
        let why = excerpt(error.to_string().as_bytes());
        Failure::new(Reason::IllegalMove, format!("{why}: {}", excerpt(line)))
    })
}
