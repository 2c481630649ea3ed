//! The appraisal of games: the loss of each seat's decisions, and the variance of its luck.

use std::sync::Arc;

use dicehill_rules::Game;

use crate::{Appraisal, Appraiser, Hill, Play, StartValue};

/// Why the recorded appraisals of a game are wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppraisalMismatch {
    /// They are missing.
    #[error("its loss and variance are missing")]
    Missing,
    /// There are some, but the run is not appraised or the game is void.
    #[error("it has a loss and a variance, but should have none")]
    Surplus,
    /// A number was altered, or the moves were.
    #[error("seat {} is recorded with {name} = {recorded}, but its decisions lead to {given}", seat + 1)]
    Differs {
        /// The seat.
        seat: usize,
        /// The name of the number.
        name: &'static str,
        /// The number in the record.
        recorded: String,
        /// The number that the appraiser gives.
        given: String,
    },
}

impl<G: Game> Hill<G> {
    /// Sets the appraiser of the games that are played from now on. Void games are not appraised.
    #[must_use]
    pub fn with_appraiser(mut self, appraiser: Arc<dyn Appraiser<G>>) -> Self {
        self.start_value = Some(StartValue::rounded(appraiser.start()));
        self.appraiser = Some(appraiser);
        self
    }

    /// Sets the start value of a run whose recorded games are already appraised, without an appraiser for further
    /// games.
    #[must_use]
    pub fn with_start_value(mut self, start_value: StartValue) -> Self {
        self.start_value = Some(start_value);
        self.appraiser = None;
        self
    }

    /// The expected score of optimal play, if games are appraised.
    #[must_use]
    pub const fn start_value(&self) -> Option<StartValue> {
        self.start_value
    }

    /// Whether this hill can appraise games.
    #[must_use]
    pub const fn has_appraiser(&self) -> bool {
        self.appraiser.is_some()
    }

    /// The appraisal of each seat of a game that is over; empty without an appraiser, or if the game is void.
    ///
    /// # Panics
    /// If the appraiser does not return one appraisal for each seat.
    #[must_use]
    pub fn appraise(&self, play: &Play<'_, G>) -> Vec<Appraisal> {
        let Some(appraiser) = self.appraiser.as_ref().filter(|_| !play.is_void()) else {
            return Vec::new();
        };
        let appraisals = appraiser.appraise(self.rules(), play.dice(), play.seats(), play.moves());
        assert_eq!(appraisals.len(), play.seats(), "an appraisal for each seat");
        appraisals
    }

    /// Checks the recorded appraisals of a game that is over. Without an appraiser only their presence is checked.
    ///
    /// # Errors
    /// The first mismatch.
    pub fn check_appraisals(
        &self,
        play: &Play<'_, G>,
        recorded: &[Appraisal],
    ) -> Result<(), AppraisalMismatch> {
        match (self.records_luck(play.is_void()), recorded) {
            (true, []) => return Err(AppraisalMismatch::Missing),
            (false, [_, ..]) => return Err(AppraisalMismatch::Surplus),
            (true | false, _) => {}
        }
        let given = self.appraise(play);
        recorded.iter().zip(&given).enumerate().try_for_each(|(seat, (recorded, given))| {
            let differs = |name, recorded, given| {
                Err(AppraisalMismatch::Differs { seat, name, recorded, given })
            };
            if recorded.loss != given.loss {
                return differs("loss", recorded.loss_text(), given.loss_text());
            }
            if recorded.variance != given.variance {
                return differs("variance", recorded.variance_text(), given.variance_text());
            }
            Ok(())
        })
    }

    /// Whether the record of a game of this hill must have appraisals.
    pub(crate) const fn records_luck(&self, void: bool) -> bool {
        self.start_value.is_some() && !void
    }
}
