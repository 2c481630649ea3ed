//! Writes observations.

use dicehill_rules::liars_dice::{Bid, LiarsDice, View};
use dicehill_rules::{Face, Game, PublicInfo, Seat};

use super::actions::number_of;
use super::layout::{
    BID_COUNT, BIDS, COUNTS, DICE, FACES, LAST_COUNT, LAST_FACE, LEN, PLAYERS, POINTS, YOU,
};

/// Writes what the view shows.
#[inline]
pub(super) fn observe(view: &View<'_>, observation: &mut [u8]) {
    let bytes = cleared(observation);
    let players = view.players();
    bytes[YOU] = view.you as u8;
    bytes[PLAYERS] = players as u8;
    let mut position = view.you;
    for place in 0..players {
        bytes[COUNTS + place] = view.counts[position];
        write_points(bytes, place, view.points(position));
        position = if position + 1 == players { 0 } else { position + 1 };
    }
    write_dice(bytes, view.dice);
    write_bids(bytes, view.bids);
}

/// Writes what a seat sees when the game is over, or when it is out.
fn observe_end(game: &LiarsDice, seat: Seat, observation: &mut [u8]) {
    let bytes = cleared(observation);
    bytes[PLAYERS] = game.seats().len() as u8;
    write_points(bytes, 0, game.result(seat).points);
    write_bids(bytes, game.bids());
}

/// Writes what a seat sees.
pub(super) fn observe_seat(game: &LiarsDice, seat: Seat, observation: &mut [u8]) {
    if game.to_act() == Some(seat) {
        let public = PublicInfo::default();
        return observe(&game.view(&public).expect("the seat is to act"), observation);
    }
    let position = game.seats().iter().position(|still_in| *still_in == seat);
    let Some(you) = position.filter(|_| !game.has_ended()) else {
        return observe_end(game, seat, observation);
    };
    let bytes = cleared(observation);
    let players = game.seats().len();
    bytes[YOU] = you as u8;
    bytes[PLAYERS] = players as u8;
    for place in 0..players {
        let position = (you + place) % players;
        bytes[COUNTS + place] = game.hands()[position].faces().len() as u8;
        write_points(bytes, place, game.result(game.seats()[position]).points);
    }
    write_dice(bytes, game.hands()[you].faces());
    write_bids(bytes, game.bids());
}

#[inline]
fn cleared(observation: &mut [u8]) -> &mut [u8; LEN] {
    let bytes: &mut [u8; LEN] = observation.try_into().expect("an observation has 201 bytes");
    bytes.fill(0);
    bytes
}

/// The faces are counted in a register: counts in memory would wait for each other.
#[inline]
fn write_dice(bytes: &mut [u8; LEN], dice: &[Face]) {
    let mut faces = 0_u64;
    for (byte, die) in bytes[DICE..POINTS].iter_mut().zip(dice) {
        *byte = die.pips();
        faces += 1 << (8 * die.index());
    }
    bytes[FACES..DICE].copy_from_slice(&faces.to_le_bytes()[..DICE - FACES]);
}

#[inline]
fn write_points(bytes: &mut [u8; LEN], place: usize, points: u64) {
    let offset = POINTS + 2 * place;
    bytes[offset..offset + 2].copy_from_slice(&(points as u16).to_le_bytes());
}

#[inline]
fn write_bids(bytes: &mut [u8; LEN], bids: &[Bid]) {
    let at_most_255 = |number: u32| number.min(255) as u8;
    bytes[BID_COUNT] = bids.len().min(255) as u8;
    if let Some(last) = bids.last() {
        bytes[LAST_COUNT] = at_most_255(last.count());
        bytes[LAST_FACE] = last.face().pips();
    }
    for (byte, bid) in bytes[BIDS..].iter_mut().zip(bids.iter().rev()) {
        *byte = at_most_255(number_of(*bid) + 1);
    }
}
