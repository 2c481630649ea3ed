//! The observation of Liar's Dice: the offsets of its fields, in bytes.
//!
//! It has everything that a bot may see by the bot protocol's `turn` except the names, and nothing else. Players are in the order of
//! turns, the own seat first: the next number is that of the player that acts next.
//!
//! | offset | numbers | meaning |
//! |---|---|---|
//! | 0 | 1 | the own position among the players still in, 0 to 4 |
//! | 1 | 1 | the number of players still in, 2 to 5; 1 or more when the game is over |
//! | 2 | 5 | the number of dice of each player still in, the own first; 0 beyond the last |
//! | 7 | 6 | the number of own dice that show each face, ones first |
//! | 13 | 25 | the own dice, 1 to 6, in the order rolled; 0 beyond the last |
//! | 38 | 5 × 2 bytes | the points of each player still in, the own first, with the point for this turn; 0 beyond the last |
//! | 48 | 1 | the number of bids in this round, at most 255 |
//! | 49 | 1 | the count of the last bid, at most 255; 0 if there is none |
//! | 50 | 1 | the face of the last bid; 0 if there is none |
//! | 51 | 150 | the bids of this round, the last first: 1 + the number of the action, at most 255; 0 beyond the first bid |
//!
//! Bid `k` of the list (from 0) was made by the player `k + 1` places before the own seat. A round has at most 150 bids unless house bots
//! bid more dice than are on the table; then the list has the last 150, and a bid of 43 dice or more may be 255.
//!
//! A seat that is not to act sees the same fields from its own place, without the point for this turn.
//!
//! When the game is over, and for a seat that is out, the observation has the bids of the last round and the number of players still in; the own points are first
//! and alone. Other numbers are 0.

use dicehill_rules::Game;
use dicehill_rules::liars_dice::LiarsDice;

use super::actions::{BIDS as ALL_BIDS, MAX_DICE};
use crate::environment_game::Field;

/// The own position.
pub const YOU: usize = 0;
/// The number of players still in.
pub const PLAYERS: usize = 1;
/// Dice by player.
pub const COUNTS: usize = 2;
/// Own dice by face.
pub const FACES: usize = 7;
/// Own dice in the order rolled.
pub const DICE: usize = 13;
/// Points by player.
pub const POINTS: usize = 38;
/// The number of bids.
pub const BID_COUNT: usize = 48;
/// The count of the last bid.
pub const LAST_COUNT: usize = 49;
/// The face of the last bid.
pub const LAST_FACE: usize = 50;
/// The bids, the last first.
pub const BIDS: usize = 51;
/// The bytes of an observation.
pub const LEN: usize = BIDS + ALL_BIDS;

/// The largest number of players.
pub(super) const MAX_PLAYERS: usize = 5;

/// The fields for any number of players: offsets and largest values are those of five, so that an observation follows from a turn alone.
pub(super) fn fields() -> Vec<Field> {
    let (dice, bids) = (MAX_DICE as u16, ALL_BIDS as u16);
    let points = LiarsDice::max_points(MAX_PLAYERS);
    let points = u16::try_from(points).expect("points are below 2^16");
    vec![
        Field::bytes("you", YOU, 1, MAX_PLAYERS as u16 - 1),
        Field::bytes("players", PLAYERS, 1, MAX_PLAYERS as u16),
        Field::bytes("counts", COUNTS, MAX_PLAYERS, dice),
        Field::bytes("faces", FACES, 6, dice),
        Field::bytes("dice", DICE, MAX_DICE, 6),
        Field::words("points", POINTS, MAX_PLAYERS, points),
        Field::bytes("bid_count", BID_COUNT, 1, bids),
        Field::bytes("last_count", LAST_COUNT, 1, dice),
        Field::bytes("last_face", LAST_FACE, 1, 6),
        Field::bytes("bids", BIDS, ALL_BIDS, bids),
    ]
}
