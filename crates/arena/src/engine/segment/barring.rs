//! Decides which offences bar an entrant.

use dicehill_rules::Game;

use super::{RunSegment, StopReason};
use crate::{Bar, EntrantId, Fixture, Offence, PlayedGame, RecordedGame};

impl<G: Game> RunSegment<'_, '_, G> {
    /// Called in the order of game numbers, so that the first bar found is the first of the run.
    pub(super) fn judge_played(&mut self, played: &PlayedGame<G>) -> Result<(), StopReason> {
        self.judge_offences(&played.record.fixture, &played.record.offences, &played.line)
    }

    /// Judges a game that another machine has played, and counts the failures of one that was judged before.
    pub(super) fn judge_recorded(&mut self, recorded: &RecordedGame) -> Result<(), StopReason> {
        let RecordedGame { fixture, failures, unjudged, line, .. } = recorded;
        if let Some(offences) = unjudged {
            return self.judge_offences(fixture, offences, line);
        }
        for (seat, reason) in failures {
            self.failures.add(fixture.seats[seat.index()], *reason);
        }
        Ok(())
    }

    fn judge_offences(
        &mut self,
        fixture: &Fixture,
        offences: &[Offence],
        line: &str,
    ) -> Result<(), StopReason> {
        for offence in offences {
            let id = fixture.seats[offence.seat.index()];
            if self.failures.is_barred_by(id, offence.failure.reason) {
                let bar = self.bar(id, offence, fixture.game, line);
                return Err(StopReason::Barred(id, Box::new(bar)));
            }
        }
        Ok(())
    }

    fn bar(&self, id: EntrantId, offence: &Offence, game: u64, line: &str) -> Bar {
        Bar {
            bot: self.hill.name_of(id).to_owned(),
            reason: offence.failure.reason.name().to_owned(),
            game,
            request: offence.request.clone(),
            detail: offence.failure.detail.clone(),
            log: offence.failure.log.clone(),
            record: line.to_owned(),
        }
    }
}
