//! Writes observations.

use dicehill_rules::yahtzee::{Category, View, Yahtzee};
use dicehill_rules::{Face, Game, Seat};

use super::layout::{
    CARD, DICE, FACES, LEGAL, PLAYERS, ROUND, SCORE, SCORES, STAGE, UPPER, UPPER_BONUS,
    YAHTZEE_BONUS, len,
};

/// Writes what the view shows.
#[inline]
pub(super) fn observe(view: &View<'_>, observation: &mut [u8]) {
    let (fixed, scores) = observation.split_at_mut(SCORES);
    let fixed: &mut [u8; SCORES] = fixed.try_into().expect("split there");
    let View { dice, stage, round, card, .. } = *view;
    fixed[ROUND] = round as u8;
    fixed[STAGE] = stage;
    // The faces are counted in a register: counts in memory would wait for each other.
    let faces = dice.iter().map(|die| 1_u64 << (8 * die.index())).sum::<u64>();
    fixed[FACES..CARD].copy_from_slice(&faces.to_le_bytes()[..CARD - FACES]);
    fixed[DICE..FACES].copy_from_slice(&dice.map(Face::pips));
    let legal = view.legal();
    for category in Category::ALL {
        let (filled, box_score) = (card.filled(category), card.box_score(category, &dice));
        fixed[CARD + category.index()] = filled.map_or(0, |score| score + 1);
        fixed[LEGAL + category.index()] = if legal.contains(category) { box_score + 1 } else { 0 };
    }
    fixed[UPPER] = card.upper_total() as u8;
    fixed[UPPER_BONUS] = card.upper_bonus() as u8;
    fixed[YAHTZEE_BONUS..SCORE].copy_from_slice(&word(card.yahtzee_bonus()));
    fixed[SCORE..PLAYERS].copy_from_slice(&word(card.score()));
    fixed[PLAYERS] = view.scores.len() as u8;
    assert_eq!(
        scores.len(),
        2 * view.scores.len(),
        "an observation has {} bytes",
        len(view.scores.len())
    );
    for (bytes, score) in scores.chunks_exact_mut(2).zip(view.scores) {
        bytes.copy_from_slice(&word(*score));
    }
}

/// Writes what a seat sees. The dice on the table, and what they would score, are for the seat to act alone.
pub(super) fn observe_seat(game: &Yahtzee, seat: Seat, observation: &mut [u8]) {
    let card = &game.cards()[seat.index()];
    let (dice, stage, round, scores) = (*game.dice(), game.stage(), game.round(), game.scores());
    observe(&View { dice, stage, round, card, scores }, observation);
    if game.to_act() != Some(seat) {
        observation[STAGE..CARD].fill(0);
        observation[LEGAL..UPPER].fill(0);
    }
}

/// A number of two bytes.
const fn word(number: u32) -> [u8; 2] {
    (number as u16).to_le_bytes()
}
