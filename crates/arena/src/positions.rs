//! Positions that are rare in play, and that a bot must master all the same.
//!
//! Each is reached by playing: the dice are chosen, the actions are those of the game, and so nothing
//! can be shown to a bot that a game could not show it.

mod liars_dice;
mod yahtzee;

use std::collections::HashMap;

use dicehill_rules::{Dice, Face, Game, Public, Seat};

use crate::Play;

/// A game that knows which of its positions are rare.
pub trait RareGame: Game {
    /// All of them, in the order in which they are put to a bot.
    fn rare_positions(rules: Self::Rules) -> Vec<RarePosition<Self>>;
}

/// A position and the way to it.
#[derive(Clone, Debug)]
pub struct RarePosition<G: Game> {
    name: String,
    rules: G::Rules,
    seats: usize,
    dice: ChosenDice,
    actions: Vec<G::Action>,
}

impl<G: Game> RarePosition<G> {
    /// What is rare about it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many sit at the table.
    #[must_use]
    pub const fn seats(&self) -> usize {
        self.seats
    }

    /// A game in this position; the seat to act is the one that is to be asked.
    #[must_use]
    pub fn reach<'a>(&self, public: Public<'a>) -> Play<'a, G, ChosenDice> {
        let mut play = Play::new(self.rules, self.dice.clone(), self.seats, public);
        for action in &self.actions {
            play.answer(Ok(action.clone()));
        }
        play
    }
}

/// Dice that somebody has chosen for some places; all others show 2, 3, 4, 6, 6 and again.
#[derive(Clone, Debug, Default)]
pub struct ChosenDice {
    rolls: HashMap<(Seat, u32, u8), [Face; 5]>,
}

impl ChosenDice {
    /// What dice show that nobody has chosen: neither a Yahtzee nor a straight.
    const OTHERS: [Face; 5] = [Face::ALL[1], Face::ALL[2], Face::ALL[3], Face::SIX, Face::SIX];

    fn choose(&mut self, seat: Seat, round: u32, roll: u8, faces: [Face; 5]) {
        self.rolls.insert((seat, round, roll), faces);
    }
}

impl Dice for ChosenDice {
    fn roll(&self, seat: Seat, round: u32, roll: u8, faces: &mut [Face]) {
        let chosen = self.rolls.get(&(seat, round, roll)).unwrap_or(&Self::OTHERS);
        for (face, chosen) in faces.iter_mut().zip(chosen.iter().cycle()) {
            *face = *chosen;
        }
    }
}
