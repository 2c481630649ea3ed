//! Decides which offences bar an entrant.

use dicehill_rules::Game;

use super::{RunSegment, StopReason};
use crate::{Bar, Barring, EntrantId, Fixture, Offence, PlayedGame, Reason, RecordedGame};

impl<G: Game> RunSegment<'_, '_, G> {
    /// Called in the order of game numbers, so that the first bar found is the first of the run.
    pub(super) fn judge_played(&mut self, played: &PlayedGame<G>) -> Result<(), StopReason> {
        self.judge_offences(&played.record.fixture, &played.record.offences, &played.line)
    }

    /// Judges a game that another machine has played, and counts the failures of one that was judged before.
    pub(super) fn judge_recorded(&mut self, recorded: &RecordedGame) -> Result<(), StopReason> {
        let RecordedGame { fixture, failures, line, .. } = recorded;
        if let Some(offences) = self.recorded.unjudged_offences(fixture.game)? {
            return self.judge_offences(fixture, &offences, line);
        }
        for (seat, reason) in failures {
            self.count_failure(fixture.seats[seat.index()], *reason);
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
            if self.is_barred_by(id, offence) {
                let bar = self.bar(id, offence, fixture.game, line);
                return Err(StopReason::Barred(id, Box::new(bar)));
            }
        }
        Ok(())
    }

    fn is_barred_by(&mut self, id: EntrantId, offence: &Offence) -> bool {
        self.count_failure(id, offence.failure.reason);
        match self.hill.challenge().barring {
            _ if offence.failure.reason == Reason::Absent => true,
            Barring::FirstOffence => true,
            Barring::Failures { .. } if !offence.failure.reason.is_process_failure() => false,
            Barring::Failures { more_than, percent } => {
                let failures = self.failures[id.index()];
                failures > more_than && 100 * failures > percent * self.games_of(id)
            }
        }
    }

    fn count_failure(&mut self, id: EntrantId, reason: Reason) {
        self.failures[id.index()] += u64::from(reason.is_process_failure());
    }

    /// How many games an entrant is scheduled for, counted once because that takes a look at each game.
    fn games_of(&mut self, id: EntrantId) -> u64 {
        *self.scheduled[id.index()].get_or_insert_with(|| self.schedule.games_of(id))
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
