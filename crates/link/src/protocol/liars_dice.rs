//! The messages of Liar's Dice.

use std::borrow::Cow;

use dicehill_arena::{BidTexts, Failure, Finished, LiarsDiceTurn, Pips, Reason, RequestIds};
use dicehill_rules::liars_dice::{Action, Hand, LiarsDice, ParseActionError, View};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize, Serializer};

use super::excerpt::excerpt;
use super::json_line::{id_of, malformed, reported, without_place, write_line};
use super::schemas::schema_of;
use super::wire_game::{ParsedAnswer, Unreadable, WireGame};

/// What a call revealed.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename = "round")]
struct Round<'a> {
    /// The game's id.
    game: u64,
    /// Every bid of the round, oldest first.
    #[schemars(with = "Vec<String>")]
    bids: BidTexts<'a>,
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

/// An answer: either `bid` or `error`.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Answer<'a> {
    /// The request's id.
    id: u64,
    /// `COUNT FACE`, or `Liar!`.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    bid: Option<Cow<'a, str>>,
    /// An exception that the bot has caught: this game fails as a crash with this text, and the process goes on.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    error: Option<Cow<'a, str>>,
}

/// Hands as lists of numbers.
struct Hands<'a>(&'a [Hand]);

impl Serialize for Hands<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|hand| Pips(hand.faces())))
    }
}

impl WireGame for LiarsDice {
    const ANSWER_FIELDS: &'static [&'static str] = &["type", "id", "bid", "error"];

    const NEW_PLAYERS_EACH_GAME: bool = true;

    fn write_turn(view: &View<'_>, ids: RequestIds, line: &mut Vec<u8>) {
        write_line(&LiarsDiceTurn::new(view, ids), line);
    }

    fn write_reveal(game: &Self, id: u64, line: &mut Vec<u8>) {
        let (Some(held), Some(caller)) = (game.last_bid_holds(), game.position_to_act()) else {
            return;
        };
        let players = game.seats().len();
        let round = Round {
            game: id,
            bids: BidTexts(game.bids()),
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
            Ok(answer) => Ok(ParsedAnswer { id: answer.id, action: action(&answer, line) }),
            Err(error) => {
                let id = id_of(line, &error)?;
                Ok(ParsedAnswer { id, action: Err(malformed(line, &without_place(&error))) })
            }
        }
    }

    fn write_answer(action: &Action, id: u64, line: &mut Vec<u8>) {
        write_line(&Answer { id, bid: Some(Cow::Owned(action.to_string())), error: None }, line);
    }

    fn schemas() -> Vec<(&'static str, Schema)> {
        vec![
            ("liars-dice.turn", schema_of::<LiarsDiceTurn<'_>>("turn")),
            ("liars-dice.round", schema_of::<Round<'_>>("round")),
            ("liars-dice.end", schema_of::<End<'_>>("end")),
            ("liars-dice.answer", schemars::schema_for!(Answer<'_>)),
        ]
    }
}

/// The action that an answer means. Its text may be as long as a line.
fn action(answer: &Answer<'_>, line: &[u8]) -> Result<Action, Failure> {
    match (&answer.bid, &answer.error) {
        (Some(bid), None) => bid.parse().map_err(|error: ParseActionError| {
            let why = excerpt(error.to_string().as_bytes());
            Failure::new(Reason::IllegalMove, format!("{why}: {}", excerpt(line)))
        }),
        (None, Some(error)) => Err(reported(error)),
        (None, None) => Err(malformed(line, &"no \"bid\"")),
        (Some(_), Some(_)) => Err(malformed(line, &"both \"bid\" and \"error\"")),
    }
}
