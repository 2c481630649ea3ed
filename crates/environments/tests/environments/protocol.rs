//! Observations and masks from the requests of the bot protocol alone.

use dicehill_arena::{LiarsDiceTurn, RequestIds, YahtzeeTurn};
use dicehill_environments::EnvironmentGame;
use dicehill_environments::liars_dice::layout as dice_layout;
use dicehill_environments::yahtzee::layout as card_layout;
use dicehill_rules::Game;
use dicehill_rules::liars_dice::{self, LiarsDice};
use dicehill_rules::yahtzee::{self, Category, Yahtzee};
use serde_json::Value;

/// A game whose observations can be recomputed from what a bot is sent.
pub(crate) trait ProtocolGame: EnvironmentGame {
    /// The request for an action.
    fn request(view: &Self::View<'_>) -> Value;

    /// The observation and the mask of a request.
    fn read(request: &Value) -> (Vec<u8>, Vec<u8>);
}

const IDS: RequestIds = RequestIds { request: 1, game: 1 };

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().expect("an array").iter().map(number).collect()
}

fn put(bytes: &mut [u8], offset: usize, number: u64) {
    bytes[offset..offset + 2].copy_from_slice(&(number as u16).to_le_bytes());
}

impl ProtocolGame for Yahtzee {
    fn request(view: &yahtzee::View<'_>) -> Value {
        serde_json::to_value(YahtzeeTurn::new(view, IDS)).expect("a request")
    }

    fn read(request: &Value) -> (Vec<u8>, Vec<u8>) {
        let scores = numbers(&request["scores"]);
        let mut bytes = vec![0; Self::observation_len(scores.len())];
        let mut mask = vec![0; Self::ACTIONS];
        bytes[card_layout::ROUND] = number(&request["round"]) as u8;
        bytes[card_layout::STAGE] = number(&request["stage"]) as u8;
        mask[..32].fill(u8::from(number(&request["stage"]) < 2));
        for (slot, pips) in numbers(&request["dice"]).into_iter().enumerate() {
            bytes[card_layout::DICE + slot] = pips as u8;
            bytes[card_layout::FACES + pips as usize - 1] += 1;
        }
        for (index, category) in Category::ALL.into_iter().enumerate() {
            let of = |key: &str| request[key].get(category.name()).map(|score| number(score) as u8);
            bytes[card_layout::CARD + index] = of("card").map_or(0, |score| score + 1);
            bytes[card_layout::LEGAL + index] = of("legal").map_or(0, |score| score + 1);
            mask[32 + index] = u8::from(of("legal").is_some());
        }
        bytes[card_layout::UPPER] = number(&request["upper"]) as u8;
        bytes[card_layout::UPPER_BONUS] = number(&request["upper_bonus"]) as u8;
        put(&mut bytes, card_layout::YAHTZEE_BONUS, number(&request["yahtzee_bonus"]));
        put(&mut bytes, card_layout::SCORE, number(&request["score"]));
        bytes[card_layout::PLAYERS] = scores.len() as u8;
        for (index, score) in scores.into_iter().enumerate() {
            put(&mut bytes, card_layout::SCORES + 2 * index, score);
        }
        (bytes, mask)
    }
}

impl ProtocolGame for LiarsDice {
    fn request(view: &liars_dice::View<'_>) -> Value {
        serde_json::to_value(LiarsDiceTurn::new(view, IDS)).expect("a request")
    }

    fn read(request: &Value) -> (Vec<u8>, Vec<u8>) {
        let (counts, points) = (numbers(&request["counts"]), numbers(&request["points"]));
        let (you, players) = (number(&request["you"]) as usize, counts.len());
        let mut bytes = vec![0; Self::observation_len(players)];
        let mut mask = vec![0; Self::ACTIONS];
        bytes[dice_layout::YOU] = you as u8;
        bytes[dice_layout::PLAYERS] = players as u8;
        for place in 0..players {
            let position = (you + place) % players;
            bytes[dice_layout::COUNTS + place] = counts[position] as u8;
            put(&mut bytes, dice_layout::POINTS + 2 * place, points[position]);
        }
        for (slot, pips) in numbers(&request["dice"]).into_iter().enumerate() {
            bytes[dice_layout::DICE + slot] = pips as u8;
            bytes[dice_layout::FACES + pips as usize - 1] += 1;
        }
        let bids = request["bids"].as_array().expect("an array");
        bytes[dice_layout::BID_COUNT] = bids.len().min(255) as u8;
        let mut first = 0;
        for (place, bid) in bids.iter().rev().enumerate() {
            let (count, face) = bid.as_str().expect("a text").split_once(' ').expect("two numbers");
            let [count, face] = [count, face].map(|text| text.parse::<usize>().expect("a number"));
            let value = 6 * (count - 1) + face;
            if place == 0 {
                first = value;
                bytes[dice_layout::LAST_COUNT] = count.min(255) as u8;
                bytes[dice_layout::LAST_FACE] = face as u8;
            }
            if place < 150 {
                bytes[dice_layout::BIDS + place] = value.min(255) as u8;
            }
        }
        let end = 6 * counts.iter().sum::<u64>() as usize;
        mask[first.min(end)..end].fill(1);
        mask[150] = u8::from(!bids.is_empty());
        (bytes, mask)
    }
}

/// The observation and the mask of a view.
pub(crate) fn observed<G: EnvironmentGame>(
    view: &G::View<'_>,
    players: usize,
) -> (Vec<u8>, Vec<u8>) {
    let (mut bytes, mut mask) = (vec![0; G::observation_len(players)], vec![0; G::ACTIONS]);
    G::observe(view, &mut bytes);
    G::write_mask(G::legal(view), &mut mask);
    (bytes, mask)
}

/// The request has all that an observation needs, and at most that.
pub(crate) fn check_request<G: ProtocolGame>(view: &<G as Game>::View<'_>, players: usize) {
    assert_eq!(G::read(&G::request(view)), observed::<G>(view, players));
}
