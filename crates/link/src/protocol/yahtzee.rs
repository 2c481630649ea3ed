//! The messages of Yahtzee.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dicehill_arena::{Failure, Finished, Reason};
use dicehill_rules::Face;
use dicehill_rules::yahtzee::{
    Action, Category, CategorySet, Keep, Roll, Scorecard, View, Yahtzee,
};
use schemars::{JsonSchema, Schema};
use serde::ser::SerializeMap;
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
    /// 1 to 13.
    round: u32,
    /// Rerolls used: at stage 2 the only legal answer is a category.
    stage: u8,
    /// The five dice in the order shown.
    dice: [u8; 5],
    /// The boxes that are filled, each with its score.
    #[schemars(with = "BTreeMap<String, u32>")]
    card: Filled<'a>,
    /// The categories that may be named now, each with the score it would add to its box.
    #[schemars(with = "BTreeMap<String, u32>")]
    legal: Legal<'a>,
    /// Sum of the upper boxes, without the bonus.
    upper: u32,
    /// 35 once the upper total has reached 63, else 0.
    upper_bonus: u32,
    /// Bonuses for Yahtzees after the first.
    yahtzee_bonus: u32,
    /// The bot's own score, with all bonuses.
    score: u32,
    /// The scores of all players, ascending.
    scores: &'a [u32],
}

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

/// An answer: either `keep` or `category`.
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
}

/// The boxes that are filled, as a JSON object.
struct Filled<'a>(&'a Scorecard);

impl Serialize for Filled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for category in Category::ALL {
            if let Some(score) = self.0.filled(category) {
                map.serialize_entry(category.name(), &score)?;
            }
        }
        map.end()
    }
}

/// The categories that may be chosen, as a JSON object.
struct Legal<'a> {
    card: &'a Scorecard,
    dice: Roll,
    legal: CategorySet,
}

impl Serialize for Legal<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for category in self.legal.iter() {
            map.serialize_entry(category.name(), &self.card.box_score(category, &self.dice))?;
        }
        map.end()
    }
}

impl WireGame for Yahtzee {
    const ANSWER_FIELDS: &'static [&'static str] = &["type", "id", "keep", "category"];

    fn write_turn(view: &View<'_>, ids: RequestIds, line: &mut Vec<u8>) {
        let View { dice, stage, round, card, scores } = *view;
        let turn = Turn {
            id: ids.request,
            game: ids.game,
            round,
            stage,
            dice: dice.map(Face::pips),
            card: Filled(card),
            legal: Legal { card, dice, legal: view.legal() },
            upper: card.upper_total(),
            upper_bonus: card.upper_bonus(),
            yahtzee_bonus: card.yahtzee_bonus(),
            score: card.score(),
            scores,
        };
        write_line(&turn, line);
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
        write_line(&Answer { id, keep, category }, line);
    }

    fn schemas() -> Vec<(&'static str, Schema)> {
        vec![
            ("yahtzee.turn", schema_of::<Turn<'_>>("turn")),
            ("yahtzee.end", schema_of::<End<'_>>("end")),
            ("yahtzee.answer", schemars::schema_for!(Answer<'_>)),
        ]
    }
}

fn action(answer: &Answer<'_>, line: &[u8]) -> Result<Action, Failure> {
    let illegal = |why: &dyn std::fmt::Display| {
        Err(Failure::new(Reason::IllegalMove, format!("{why}: {}", excerpt(line))))
    };
    match (&answer.keep, &answer.category) {
        (Some(keep), None) => match Keep::new(keep.iter().copied()) {
            Ok(keep) => Ok(Action::Keep(keep)),
            Err(error) => illegal(&error),
        },
        (None, Some(name)) => match name.parse::<Category>() {
            Ok(category) => Ok(Action::Fill(category)),
            Err(error) => illegal(&error),
        },
        (Some(_), Some(_)) => Err(malformed(line, &"both \"keep\" and \"category\"")),
        (None, None) => Err(malformed(line, &"neither \"keep\" nor \"category\"")),
    }
}
