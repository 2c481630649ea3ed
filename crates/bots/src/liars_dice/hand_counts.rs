//! A player's own dice, counted by face.

use dicehill_rules::Face;

/// How many of a player's own dice show each face.
#[derive(Clone, Copy)]
pub(super) struct HandCounts {
    shown: [u32; 6],
}

impl HandCounts {
    pub(super) fn new(dice: &[Face]) -> Self {
        let mut shown = [0; 6];
        for die in dice {
            shown[die.index()] += 1;
        }
        Self { shown }
    }

    /// Dice that show the face itself.
    pub(super) const fn showing(&self, face: Face) -> u32 {
        self.shown[face.index()]
    }

    /// Dice that show a one.
    pub(super) const fn ones(&self) -> u32 {
        self.shown[0]
    }

    /// Dice that count for a bid on the face: those that show it, and the ones.
    pub(super) fn counting(&self, face: Face) -> u32 {
        if face == Face::ONE { self.ones() } else { self.showing(face) + self.ones() }
    }
}
