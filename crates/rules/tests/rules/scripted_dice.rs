//! Dice that a test writes down by place.

use std::collections::HashMap;

use dicehill_rules::{Dice, Face, Seat};

/// Dice written down by place. A roll that nobody wrote down is a mistake, and so is one of another
/// number of dice.
#[derive(Default)]
pub(crate) struct ScriptedDice {
    rolls: HashMap<(u16, u32, u8), Vec<Face>>,
}

impl ScriptedDice {
    /// The same dice, and those of one more roll: `faces` as digits, slot 0 first.
    pub(crate) fn with(mut self, seat: u16, round: u32, roll: u8, faces: &str) -> Self {
        let earlier = self.rolls.insert((seat, round, roll), read_faces(faces));
        assert!(earlier.is_none(), "seat {seat}, round {round}, roll {roll} is written twice");
        self
    }
}

impl Dice for ScriptedDice {
    fn roll(&self, seat: Seat, round: u32, roll: u8, faces: &mut [Face]) {
        let place = (seat.index() as u16, round, roll);
        let written = self.rolls.get(&place);
        let written = written.unwrap_or_else(|| panic!("no dice are written for {place:?}"));
        assert_eq!(written.len(), faces.len(), "dice rolled at {place:?}");
        faces.copy_from_slice(written);
    }
}

/// The faces that these digits name.
pub(crate) fn read_faces(digits: &str) -> Vec<Face> {
    let face = |digit: char| digit.to_digit(10).and_then(|pips| Face::new(pips as u8));
    let faces: Option<_> = digits.chars().map(face).collect();
    faces.unwrap_or_else(|| panic!("{digits:?} are not faces"))
}
