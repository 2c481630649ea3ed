//! Who plays in training.

use std::sync::Arc;

use dicehill_arena::Bot;
use dicehill_rules::liars_dice::LiarsDice;

use super::sketch::{SKETCHES, Sketch};
use crate::liars_dice::seer::Seer;
use crate::liars_dice::seer::parameters::Parameters;
use crate::liars_dice::{badnomial, nobody, pirate, straight_shooter};

/// All kinds of players.
pub(super) struct Population {
    parameters: Arc<Parameters>,
}

/// A kind of player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Badnomial,
    Nobody,
    Pirate,
    StraightShooter,
    Seer,
    Sketch(usize),
}

/// A player in a game.
pub(super) enum Player {
    Seer(Box<Seer>),
    Other(Box<dyn Bot<LiarsDice>>),
}

impl Kind {
    const ALONE: [Self; 5] =
        [Self::Badnomial, Self::Nobody, Self::Pirate, Self::StraightShooter, Self::Seer];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Badnomial => "badnomial",
            Self::Nobody => "nobody",
            Self::Pirate => "pirate",
            Self::StraightShooter => "straight-shooter",
            Self::Seer => "seer",
            Self::Sketch(index) => SKETCHES[index].name,
        }
    }
}

impl Population {
    pub(super) const fn new(parameters: Arc<Parameters>) -> Self {
        Self { parameters }
    }

    /// All kinds, in the order in which they are counted.
    pub(super) fn kinds(&self) -> impl ExactSizeIterator<Item = Kind> + use<> {
        let sketches = (0..SKETCHES.len()).map(Kind::Sketch);
        Kind::ALONE.into_iter().chain(sketches).collect::<Vec<_>>().into_iter()
    }

    /// A player of a kind for one game, with a seed of its own.
    pub(super) fn player(&self, kind: Kind, seed: u64) -> Player {
        match kind {
            Kind::Badnomial => Player::Other(Box::new(badnomial::Badnomial)),
            Kind::Nobody => Player::Other(Box::new(nobody::Nobody)),
            Kind::Pirate => Player::Other(Box::new(pirate::Pirate)),
            Kind::StraightShooter => Player::Other(Box::new(straight_shooter::StraightShooter)),
            Kind::Seer => Player::Seer(Box::new(Seer::with(self.parameters.clone()))),
            Kind::Sketch(index) => Player::Other(Box::new(Sketch::new(&SKETCHES[index], seed))),
        }
    }
}

impl Player {
    pub(super) fn bot(&mut self) -> &mut dyn Bot<LiarsDice> {
        match self {
            Self::Seer(seer) => &mut **seer,
            Self::Other(other) => &mut **other,
        }
    }
}
