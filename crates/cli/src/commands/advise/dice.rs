//! Dice on the command line.

use dicehill_rules::Face;

use crate::failure::Failure;

/// Reads dice such as `1,1,4,6,6` or `11466`.
pub(super) fn read_dice(text: &str) -> Result<Vec<Face>, Failure> {
    let pips = text.chars().filter(|c| !c.is_whitespace() && *c != ',');
    let face = |c: char| {
        let pips = c.to_digit(10).and_then(|digit| Face::new(digit as u8));
        pips.ok_or_else(|| {
            Failure::Usage(format!("--dice {text:?}: {c:?} is no face: they are 1 to 6"))
        })
    };
    pips.map(face).collect()
}
