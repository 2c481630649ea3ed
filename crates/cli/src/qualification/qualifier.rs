//! Qualifies one bot after another: games against house bots, played twice, and rare positions.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dicehill_arena::{
    BotName, Entrant, EntrantId, Finding, Hill, QualificationPlan, QualificationReport,
    RarePosition,
};

use crate::console::Console;
use crate::console::progress::CheckProgress;
use crate::games::TerminalGame;

/// Games of a bot with a network: each of its answers may cost money.
pub(crate) const GAMES_WITH_NETWORK: u64 = 2;

/// For how long games begin, and then positions, unless the number of games is chosen: one bot waits for the other.
pub(crate) const QUALIFICATION_TIME: Duration = Duration::from_secs(30);

/// Qualifies bots: what all of them have in common.
pub(crate) struct Qualifier<'a, G: TerminalGame> {
    pub(crate) positions: Vec<RarePosition<G>>,
    /// For how long games begin, and then positions; `None` if all of them do.
    pub(crate) time: Option<Duration>,
    /// The number of process failures after which a bot is not asked again.
    pub(crate) patience: usize,
    /// Set by a signal to stop early.
    pub(crate) stop: Option<&'a AtomicBool>,
    pub(crate) console: &'a Console,
}

impl<G: TerminalGame> Qualifier<'_, G> {
    /// Qualifies an entrant of a hill, with lines of progress that begin with `title`. One with a network is asked in no rare
    /// position.
    ///
    /// # Errors
    /// If the bot could not be prepared or started.
    pub(crate) fn qualify(
        &self,
        hill: &Hill<G>,
        entrant: EntrantId,
        games: u64,
        title: &str,
    ) -> io::Result<QualificationReport> {
        let Entrant { name, own_terms, .. } = hill.entrant(entrant);
        let progress = CheckProgress::new(name, title, self.console);
        let stand_ins: Vec<_> = usual_field().map(|entrant| entrant.program).collect();
        let trial = QualificationPlan {
            hill,
            entrant,
            stand_ins: &stand_ins,
            games,
            positions: if own_terms.network { &[] } else { &self.positions },
            time: self.time,
            patience: self.patience,
            progress: &|done| {
                progress.show(done);
                self.stop.is_none_or(|stop| !stop.load(Ordering::Relaxed))
            },
        };
        progress.expect(trial.steps(), self.time);
        let report = dicehill_arena::qualify(&trial);
        progress.clear();
        let mut report = report?;
        report.findings.iter_mut().for_each(show_answers::<G>);
        Ok(report)
    }
}

/// Writes the two answers of a bot that gave different ones as people read them: faces instead of positions of dice.
fn show_answers<G: TerminalGame>(finding: &mut Finding) {
    let Finding::Unrepeatable { request, first, second, .. } = finding else { return };
    let Ok(request) = serde_json::from_str(request) else { return };
    for answer in [first, second] {
        let written = answer.parse().ok().and_then(|action| G::written_after(&request, &action));
        *answer = written.unwrap_or_else(|| std::mem::take(answer));
    }
}

/// The house bots as entrants.
pub(crate) fn usual_field<G: TerminalGame>() -> impl Iterator<Item = Entrant<G>> {
    G::usual_field().into_iter().map(|bot| {
        let name = BotName::new(bot.name()).expect("house bots have names that may be shown");
        Entrant::new(name, Arc::new(bot))
    })
}

/// The error that a bot could not be started, with its name.
pub(crate) fn start_error(name: &BotName, error: &io::Error) -> io::Error {
    io::Error::other(format!("{name}: {error}"))
}
