//! The messages of Yahtzee.

use std::borrow::Cow;

use dicehill_arena::{Failure, Finished, Reason, RequestIds, YahtzeeTurn};
use dicehill_rules::yahtzee::{Action, Category, Keep, View, Yahtzee};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use super::excerpt::excerpt;
use super::json_line::{id_of, malformed, reported, without_place, write_line};
use super::schemas::schema_of;
use super::wire_game::{ParsedAnswer, Unreadable, WireGame};

/// A game is over.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename = "end")]
struct End<'a> {
    /// The game's id.
    game: u64,
    /// The final scores of all players, ascending.
    scores: &'a [u32],
    /// The bot's own.
    score: u32,
    /// Whether it is the highest, alone or with others.
    won: bool,
}

/// An answer: one of `keep`, `category` and `error`.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Answer<'a> {
    /// The request's id.
    id: u64,
    /// Indexes, 0 to 4, of the dice to keep, in the order in which they are to be shown next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    keep: Option<Vec<i64>>,
    /// The category to fill; ONES is taken for ACES.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    category: Option<Cow<'a, str>>,
    /// An exception that the bot has caught: this game fails as a crash with this text, and the process goes on.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    error: Option<Cow<'a, str>>,
}

impl WireGame for Yahtzee {
    const ANSWER_FIELDS: &'static [&'static str] = &["type", "id", "keep", "category", "error"];

    const NEW_PLAYERS_EACH_GAME: bool = false;

    fn write_turn(view: &View<'_>, ids: RequestIds, line: &mut Vec<u8>) {
        write_line(&YahtzeeTurn::new(view, ids), line);
    }

    fn write_reveal(_game: &Self, _id: u64, _line: &mut Vec<u8>) {}

    fn write_end(finished: &Finished<'_, Self>, id: u64, line: &mut Vec<u8>) {
        let Finished { game, seat, .. } = *finished;
        let score = game.cards()[seat.index()].score();
        let scores = game.scores();
        let won = !finished.void && scores.last() == Some(&score);
        write_line(&End { game: id, scores, score, won }, line);
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
        let (keep, category) = match action {
            Action::Keep(keep) => (Some(keep.indexes().map(|index| index as i64).collect()), None),
            Action::Fill(category) => (None, Some(Cow::Borrowed(category.name()))),
        };
        write_line(&Answer { id, keep, category, error: None }, line);
    }

    fn schemas() -> Vec<(&'static str, Schema)> {
        vec![
            ("yahtzee.turn", schema_of::<YahtzeeTurn<'_>>("turn")),
            ("yahtzee.end", schema_of::<End<'_>>("end")),
            ("yahtzee.answer", schemars::schema_for!(Answer<'_>)),
        ]
    }
}

fn action(answer: &Answer<'_>, line: &[u8]) -> Result<Action, Failure> {
    let illegal = |why: &dyn std::fmt::Display| {
        Err(Failure::new(Reason::IllegalMove, format!("{why}: {}", excerpt(line))))
    };
    match (&answer.keep, &answer.category, &answer.error) {
        (Some(keep), None, None) => match Keep::new(keep.iter().copied()) {
            Ok(keep) => Ok(Action::Keep(keep)),
            Err(error) => illegal(&error),
        },
        (None, Some(name), None) => match name.parse::<Category>() {
            Ok(category) => Ok(Action::Fill(category)),
            Err(error) => illegal(&error),
        },
        (None, None, Some(error)) => Err(reported(error)),
        (None, None, None) => Err(malformed(line, &"neither \"keep\" nor \"category\"")),
        (Some(_), Some(_), _) => Err(malformed(line, &"both \"keep\" and \"category\"")),
        (_, _, Some(_)) => Err(malformed(line, &"an action and \"error\"")),
    }
}
