//! A hill whose games are taken apart into what decisions cost and what was luck.

use std::sync::Arc;

use dicehill_rules::Game;

use crate::{Appraisal, Appraiser, Hill, Play, StartValue};

/// Why recorded appraisals are not those of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppraisalMismatch {
    /// There are none.
    #[error("its loss and variance are missing")]
    Missing,
    /// Nobody appraises games of this run, or the game counts for nobody.
    #[error("it has a loss and a variance, and should have none")]
    Surplus,
    /// A number was altered, or the moves.
    #[error("seat {seat} is recorded with {name} = {recorded}, and its decisions give {given}")]
    Differs {
        /// Whose.
        seat: usize,
        /// Which number.
        name: &'static str,
        /// As written in the line.
        recorded: String,
        /// As appraised again.
        given: String,
    },
}

impl<G: Game> Hill<G> {
    /// The same, each game appraised by `appraiser` as soon as it is played. Games that count for nobody are
    /// not.
    #[must_use]
    pub fn appraised_by(mut self, appraiser: Arc<dyn Appraiser<G>>) -> Self {
        self.start_value = Some(StartValue::rounded(appraiser.start()));
        self.appraiser = Some(appraiser);
        self
    }

    /// The same with games that somebody else has appraised, from this value on: nobody appraises more.
    #[must_use]
    pub fn appraised_before(mut self, start_value: StartValue) -> Self {
        self.start_value = Some(start_value);
        self.appraiser = None;
        self
    }

    /// The score that optimal play gets on average, if games are appraised.
    #[must_use]
    pub const fn start_value(&self) -> Option<StartValue> {
        self.start_value
    }

    /// Whether games that are played are appraised.
    #[must_use]
    pub const fn has_appraiser(&self) -> bool {
        self.appraiser.is_some()
    }

    /// The appraisal of each seat of a game that is over; nothing if nobody appraises, or the game counts
    /// for nobody.
    ///
    /// # Panics
    /// If the appraiser leaves somebody out.
    #[must_use]
    pub fn appraise(&self, play: &Play<'_, G>) -> Vec<Appraisal> {
        let Some(appraiser) = self.appraiser.as_ref().filter(|_| !play.is_void()) else {
            return Vec::new();
        };
        let appraisals = appraiser.appraise(self.rules(), play.dice(), play.seats(), play.moves());
        assert_eq!(appraisals.len(), play.seats(), "an appraisal for each seat");
        appraisals
    }

    /// Whether what is recorded of a game that is over is what its decisions give, as far as somebody here can
    /// tell.
    ///
    /// # Errors
    /// Says which number is another one.
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

    /// Whether the record of a game of this hill has appraisals.
    pub(crate) const fn records_luck(&self, void: bool) -> bool {
        self.start_value.is_some() && !void
    }
}
