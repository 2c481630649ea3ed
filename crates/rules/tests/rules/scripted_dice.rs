//! Dice that a test scripts by place.

use std::collections::HashMap;

use dicehill_rules::{Dice, Face, Seat};

/// Dice by place. Panics at a roll that is not scripted or has another number of dice.
#[derive(Default)]
pub(crate) struct ScriptedDice {
    rolls: HashMap<(u16, u32, u8), Vec<Face>>,
}

impl ScriptedDice {
    /// Adds a roll: `faces` as digits, slot 0 first.
    pub(crate) fn with(mut self, seat: u16, round: u32, roll: u8, faces: &str) -> Self {
        let earlier = self.rolls.insert((seat, round, roll), read_faces(faces));
        assert!(earlier.is_none(), "seat {seat}, round {round}, roll {roll} is scripted twice");
        self
    }
}

impl Dice for ScriptedDice {
    fn roll(&self, seat: Seat, round: u32, roll: u8, faces: &mut [Face]) {
        let place = (seat.index() as u16, round, roll);
        let scripted = self.rolls.get(&place);
        let scripted = scripted.unwrap_or_else(|| panic!("no dice are scripted for {place:?}"));
        assert_eq!(scripted.len(), faces.len(), "dice rolled at {place:?}");
        faces.copy_from_slice(scripted);
    }
}

/// The faces of a text of digits.
pub(crate) fn read_faces(digits: &str) -> Vec<Face> {
    let face = |digit: char| digit.to_digit(10).and_then(|pips| Face::new(pips as u8));
    let faces: Option<_> = digits.chars().map(face).collect();
    faces.unwrap_or_else(|| panic!("{digits:?} are not faces"))
}
