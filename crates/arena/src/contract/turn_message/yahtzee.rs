//! The request for an action in Yahtzee.

use std::collections::BTreeMap;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Category, CategorySet, Roll, Scorecard, View};
use schemars::JsonSchema;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::RequestIds;

/// Asks for an action.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename = "turn")]
pub struct YahtzeeTurn<'a> {
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

impl<'a> YahtzeeTurn<'a> {
    /// The request in the position of a view.
    #[must_use]
    pub fn new(view: &'a View<'a>, ids: RequestIds) -> Self {
        let View { dice, stage, round, card, scores } = *view;
        Self {
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
        }
    }
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
