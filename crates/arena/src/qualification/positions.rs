//! Positions that are rare in play, but that a bot must handle.
//!
//! Each is reached by legal actions with chosen dice, so a bot never sees a position that cannot occur in a game.

mod liars_dice;
mod yahtzee;

use std::collections::HashMap;

use dicehill_rules::{Dice, Face, Game, PublicInfo, Seat};

use crate::Play;

/// A game with a list of its rare positions.
pub trait RareGame: Game {
    /// All rare positions, in the order in which a bot is asked.
    fn rare_positions(rules: Self::Rules) -> Vec<RarePosition<Self>>;

    /// Whether no sensible player leads another into this position, such as one with a bid above the dice on the table. A
    /// failure in it is noted and does not disqualify.
    fn is_contrived(&self) -> bool;
}

/// A rare position, with the dice and actions that lead to it.
#[derive(Clone, Debug)]
pub struct RarePosition<G: Game> {
    name: String,
    rules: G::Rules,
    seats: usize,
    dice: ScriptedDice,
    actions: Vec<G::Action>,
}

impl<G: RareGame> RarePosition<G> {
    /// The name, which says what is rare.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is contrived ([`RareGame::is_contrived`]).
    #[must_use]
    pub fn is_contrived(&self) -> bool {
        self.reach(PublicInfo::default()).game().is_contrived()
    }

    /// The number of seats at the table.
    #[must_use]
    pub const fn seats(&self) -> usize {
        self.seats
    }

    /// The seat that is asked.
    pub(crate) fn asked(&self) -> Seat {
        let play = self.reach(PublicInfo::default());
        play.game().to_act().expect("a rare position asks for an action")
    }

    /// Plays a game up to this position; the seat to act is the one that is asked.
    #[must_use]
    pub fn reach<'a>(&self, public: PublicInfo<'a>) -> Play<'a, G, ScriptedDice> {
        let mut play = Play::new(self.rules, self.dice.clone(), self.seats, public);
        for action in &self.actions {
            play.answer(Ok(action.clone()));
        }
        play
    }
}

/// Dice with chosen faces for some rolls; all other rolls repeat 2, 3, 4, 6, 6.
#[derive(Clone, Debug, Default)]
pub struct ScriptedDice {
    rolls: HashMap<(Seat, u32, u8), [Face; 5]>,
}

impl ScriptedDice {
    /// The faces of rolls that were not chosen: neither a Yahtzee nor a straight.
    const OTHERS: [Face; 5] = [Face::ALL[1], Face::ALL[2], Face::ALL[3], Face::SIX, Face::SIX];

    fn choose(&mut self, seat: Seat, round: u32, roll: u8, faces: [Face; 5]) {
        self.rolls.insert((seat, round, roll), faces);
    }
}

impl Dice for ScriptedDice {
    fn roll(&self, seat: Seat, round: u32, roll: u8, faces: &mut [Face]) {
        let chosen = self.rolls.get(&(seat, round, roll)).unwrap_or(&Self::OTHERS);
        for (face, chosen) in faces.iter_mut().zip(chosen.iter().cycle()) {
            *face = *chosen;
        }
    }
}
