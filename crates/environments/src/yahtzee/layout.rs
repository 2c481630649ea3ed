//! The observation of Yahtzee: the offsets of its fields, in bytes.
//!
//! It has everything that a bot may see by the bot protocol's `turn`, and nothing else.
//!
//! | offset | numbers | meaning |
//! |---|---|---|
//! | 0 | 1 | round, 1 to 13; 14 when the game is over |
//! | 1 | 1 | stage: rerolls made in this turn, 0 to 2 |
//! | 2 | 5 | the dice, 1 to 6, in the order shown: newly rolled dice first, then the kept ones |
//! | 7 | 6 | the number of dice that show each face, ones first |
//! | 13 | 13 | the own card: 0 for a free box, else 1 + its score (1 to 51) |
//! | 26 | 13 | what each box would score now: 0 if it may not be filled, else 1 + the score (1 to 51) |
//! | 39 | 1 | the sum of the upper boxes, 0 to 105 |
//! | 40 | 1 | the upper bonus, 0 or 35 |
//! | 41 | 1 × 2 bytes | the bonuses for further Yahtzees, 0 to 1200 |
//! | 43 | 1 × 2 bytes | the own score with all bonuses, 0 to 1575 |
//! | 45 | 1 | the number of players |
//! | 46 | players × 2 bytes | the scores of all players, ascending, so that they do not say who has which |

use dicehill_rules::yahtzee::Category;

use crate::environment_game::Field;

/// Round.
pub const ROUND: usize = 0;
/// Stage.
pub const STAGE: usize = 1;
/// Dice in the order shown.
pub const DICE: usize = 2;
/// Dice by face.
pub const FACES: usize = 7;
/// The own card.
pub const CARD: usize = 13;
/// What each box would score.
pub const LEGAL: usize = 26;
/// The sum of the upper boxes.
pub const UPPER: usize = 39;
/// The upper bonus.
pub const UPPER_BONUS: usize = 40;
/// The bonuses for further Yahtzees.
pub const YAHTZEE_BONUS: usize = 41;
/// The own score.
pub const SCORE: usize = 43;
/// The number of players.
pub const PLAYERS: usize = 45;
/// The scores of all players.
pub const SCORES: usize = 46;

/// The largest number of players whose scores fit an observation.
pub const MAX_PLAYERS: usize = 105;

/// The highest score: 375 in boxes, the upper bonus, and twelve further Yahtzees.
const MAX_SCORE: u16 = 1575;

/// The fields for a number of players.
pub(super) fn fields(players: usize) -> Vec<Field> {
    let boxes = Category::ALL.len();
    vec![
        Field::bytes("round", ROUND, 1, 14),
        Field::bytes("stage", STAGE, 1, 2),
        Field::bytes("dice", DICE, 5, 6),
        Field::bytes("faces", FACES, 6, 5),
        Field::bytes("card", CARD, boxes, 51),
        Field::bytes("legal", LEGAL, boxes, 51),
        Field::bytes("upper", UPPER, 1, 105),
        Field::bytes("upper_bonus", UPPER_BONUS, 1, 35),
        Field::words("yahtzee_bonus", YAHTZEE_BONUS, 1, 1200),
        Field::words("score", SCORE, 1, MAX_SCORE),
        Field::bytes("players", PLAYERS, 1, MAX_PLAYERS as u16),
        Field::words("scores", SCORES, players, MAX_SCORE),
    ]
}

/// The bytes of an observation.
pub(super) const fn len(players: usize) -> usize {
    SCORES + 2 * players
}
