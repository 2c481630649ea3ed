//! The players of the training games.

use std::sync::Arc;

use dicehill_arena::Bot;
use dicehill_rules::liars_dice::LiarsDice;

use super::synthetic_player::{SYNTHETIC_PLAYERS, SyntheticPlayer};
use crate::liars_dice::seer::Seer;
use crate::liars_dice::seer::model::parameters::Parameters;
use crate::liars_dice::{badnomial, nobody, pirate, straight_shooter};

/// All kinds of players, with the parameters that the bot itself plays with.
pub(crate) struct Population {
    parameters: Arc<Parameters>,
}

/// A kind of player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlayerKind {
    Badnomial,
    Nobody,
    Pirate,
    StraightShooter,
    Seer,
    /// By index into [`SYNTHETIC_PLAYERS`].
    Synthetic(usize),
}

/// A player in a game.
pub(crate) enum Player {
    Seer(Box<Seer>),
    Other(Box<dyn Bot<LiarsDice>>),
}

impl PlayerKind {
    /// The kinds that are bots of their own.
    const BOTS: [Self; 5] =
        [Self::Badnomial, Self::Nobody, Self::Pirate, Self::StraightShooter, Self::Seer];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Badnomial => "badnomial",
            Self::Nobody => "nobody",
            Self::Pirate => "pirate",
            Self::StraightShooter => "straight-shooter",
            Self::Seer => "seer",
            Self::Synthetic(index) => SYNTHETIC_PLAYERS[index].name,
        }
    }
}

impl Population {
    pub(crate) const fn new(parameters: Arc<Parameters>) -> Self {
        Self { parameters }
    }

    /// All kinds, in the order in which they are counted.
    pub(crate) fn kinds(&self) -> impl ExactSizeIterator<Item = PlayerKind> + use<> {
        let synthetic = (0..SYNTHETIC_PLAYERS.len()).map(PlayerKind::Synthetic);
        PlayerKind::BOTS.into_iter().chain(synthetic).collect::<Vec<_>>().into_iter()
    }

    /// A player of a kind for one game, with its own seed.
    pub(crate) fn player(&self, kind: PlayerKind, seed: u64) -> Player {
        match kind {
            PlayerKind::Badnomial => Player::Other(Box::new(badnomial::Badnomial)),
            PlayerKind::Nobody => Player::Other(Box::new(nobody::Nobody)),
            PlayerKind::Pirate => Player::Other(Box::new(pirate::Pirate)),
            PlayerKind::StraightShooter => {
                Player::Other(Box::new(straight_shooter::StraightShooter))
            }
            PlayerKind::Seer => {
                Player::Seer(Box::new(Seer::with_parameters(self.parameters.clone())))
            }
            PlayerKind::Synthetic(index) => {
                Player::Other(Box::new(SyntheticPlayer::new(&SYNTHETIC_PLAYERS[index], seed)))
            }
        }
    }
}

impl Player {
    pub(crate) fn bot(&mut self) -> &mut dyn Bot<LiarsDice> {
        match self {
            Self::Seer(seer) => &mut **seer,
            Self::Other(other) => &mut **other,
        }
    }
}
