//! The trained parameters.

use crate::liars_dice::seer::features::bid_context::TRUST_BINS;
use crate::liars_dice::seer::model::likelihood_factors::LikelihoodFactors;
use crate::liars_dice::seer::model::playing_style::PlayingStyle;
use crate::liars_dice::seer::model::style_table::StyleTable;
use crate::liars_dice::seer::model::win_probability::WinProbability;

/// Number of equally wide bins of the probability that a bid holds.
pub(crate) const HOLD_BINS: usize = 10;
/// Number of table sizes: 2 to 5 players.
pub(crate) const TABLES: usize = 4;

/// Everything that `seer` has learned.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Parameters {
    /// The seed of the training.
    pub(crate) seed: u64,
    /// How a round ends for a player whose bid was raised over.
    pub(crate) raise_outcomes: RaiseOutcomes,
    /// The win probability at the start of a round.
    pub(crate) win_probability: WinProbability,
    /// The playing styles of opponents.
    pub(crate) styles: Vec<PlayingStyle>,
    /// The same styles, in the layout that decisions use.
    pub(crate) style_table: StyleTable,
}

/// How a round ends for a player whose bid was raised over.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct RaiseOutcome {
    /// The probability of gaining a die.
    pub(crate) gains: f64,
    /// The probability of losing a die.
    pub(crate) losses: f64,
}

/// By number of players, from two, and by the bin of the probability that the bid holds.
pub(crate) type RaiseOutcomes = [[RaiseOutcome; HOLD_BINS]; TABLES];

impl Parameters {
    /// Parameters with these parts.
    ///
    /// # Panics
    /// If there are more than 12 styles.
    pub(crate) fn new(
        seed: u64,
        raise_outcomes: RaiseOutcomes,
        win_probability: WinProbability,
        styles: Vec<PlayingStyle>,
    ) -> Self {
        let style_table = StyleTable::new(&styles);
        Self { seed, raise_outcomes, win_probability, styles, style_table }
    }

    /// The parameters before training: bids carry no information about hands, and the probability of a call falls linearly with
    /// trust.
    pub(crate) fn untrained(seed: u64) -> Self {
        let mut calls = [0.0; TRUST_BINS];
        for (bin, call) in calls.iter_mut().enumerate() {
            *call = 1.0 - bin as f64 / (TRUST_BINS - 1) as f64;
        }
        let factors = std::array::from_fn(|_| std::array::from_fn(|_| LikelihoodFactors::NONE));
        let style = PlayingStyle { name: "all".to_owned(), share: 1.0, calls: [calls; 2], factors };
        let nothing = RaiseOutcome { gains: 0.0, losses: 0.0 };
        let fair = WinProbability::new([WinProbability::FAIR; TABLES]);
        Self::new(seed, [[nothing; HOLD_BINS]; TABLES], fair, vec![style])
    }

    /// How a round ends after a raise over a bid that holds with probability `holds`, with 2 players or more.
    pub(crate) fn raise_outcome(&self, players: usize, holds: f64) -> RaiseOutcome {
        let bin = (holds * HOLD_BINS as f64) as usize;
        self.raise_outcomes[(players - 2).min(TABLES - 1)][bin.min(HOLD_BINS - 1)]
    }
}
