//! The live lines of runs, checks, exports and attacks.

use std::time::{Duration, Instant};

use dicehill_arena::{Bar, EntrantId, Event, Hill, Ledger, Retrial};
use dicehill_rules::Game;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::Console;
use crate::text::{counted, printable, thousands};

/// How often a live line is updated.
const UPDATE_INTERVAL: Duration = Duration::from_millis(200);

/// Shows the progress of a run on a terminal.
pub(crate) struct Progress {
    console: Console,
    bar: ProgressBar,
    title: &'static str,
    games: u64,
    done: u64,
    changed: Instant,
}

impl Progress {
    /// A line for a run of `games` games.
    pub(crate) fn new(title: &'static str, games: u64, console: &Console) -> Self {
        let bar = line(games, format!("{title}: {} games", thousands(games)), console);
        Self { console: console.clone(), bar, title, games, done: 0, changed: Instant::now() }
    }

    pub(crate) fn show<G: Game>(&mut self, hill: &Hill<G>, event: &Event<'_, G>) {
        match event {
            Event::Started(_) => {}
            Event::Played(_, ledger) | Event::Recalled(_, ledger) => self.show_ledger(hill, ledger),
            Event::Barred(bar) => {
                self.print_above(describe_bar(bar));
                self.bar.reset();
                self.done = 0;
            }
            Event::Retried(retrial) => self.print_above(describe_retrial(retrial)),
            Event::MemoryLost { bot, game, failure } => self.print_above(format!(
                "{bot} failed in game {game} and goes on without its memory: {}",
                printable(&failure.to_string())
            )),
            Event::Diverged { bot, game, recorded, answered } => self.print_above(format!(
                "{bot} is not deterministic, and what it knew is lost: in game {game} it answered {}, and now {}",
                printable(recorded),
                printable(answered)
            )),
            Event::Ended(_) => self.clear(),
        }
    }

    /// Whether the line is about to be updated.
    pub(crate) fn is_due(&self) -> bool {
        self.changed.elapsed() >= UPDATE_INTERVAL
    }

    /// The games played so far that count.
    pub(crate) const fn done(&self) -> u64 {
        self.done
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Prints a line above the live one, even without a terminal.
    fn print_above(&self, line: String) {
        self.bar.suspend(|| self.console.report(line));
    }

    fn show_ledger<G: Game>(&mut self, hill: &Hill<G>, ledger: &Ledger) {
        self.done = ledger.games() + ledger.play_offs();
        self.bar.set_position(self.done);
        if !self.is_due() {
            return;
        }
        self.changed = Instant::now();
        let ids: Vec<_> = hill.ids().collect();
        let leads = |leader: &EntrantId| format!(", {} leads", hill.name_of(*leader));
        let leader = ledger.leaders(&ids).first().map(leads).unwrap_or_default();
        let sure = |certainty: f64| format!(", {:.0} % sure", (100.0 * certainty).floor());
        let sure = ledger.certainty().map(sure).unwrap_or_default();
        self.bar.set_message(format!("{}{leader}{sure}", self.pace()));
    }

    /// The number of games done, the rate, and the time left.
    fn pace(&self) -> String {
        let (title, done) = (self.title, thousands(self.done));
        let all = thousands(self.games.max(self.done));
        let rate = thousands(self.bar.per_sec() as u64);
        let left = HumanDuration(self.bar.eta());
        format!("{title}: {done} of {all} games, {rate}/s, {left:#} left")
    }
}

/// Which entrant is barred and why, with the last lines of its log.
pub(crate) fn describe_bar(Bar { bot, game, reason, detail, log, .. }: &Bar) -> String {
    let place = match game {
        0 => "the qualification".to_owned(),
        game => format!("game {game}"),
    };
    let mut text = format!("{bot} is barred in {place}: {reason}: {}", printable(detail));
    for line in log {
        text.push_str(&format!("\n    {}", printable(line)));
    }
    text
}

/// A live line with this text.
fn line(steps: u64, message: String, console: &Console) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), console.live());
    // A single message, so that it is cut off where the terminal ends instead of wrapped.
    let style = ProgressStyle::with_template("{wide_msg}").expect("the template is well-formed");
    bar.set_style(style);
    bar.set_message(message);
    bar.enable_steady_tick(UPDATE_INTERVAL);
    bar
}

/// Shows the progress of a qualification on a terminal.
pub(crate) struct CheckProgress {
    bar: ProgressBar,
    title: String,
}

impl CheckProgress {
    /// A line that begins with `title`.
    pub(crate) fn new(title: &str, console: &Console) -> Self {
        let title = printable(title);
        Self { bar: line(0, title.clone(), console), title }
    }

    /// Sets the number of games and positions.
    pub(crate) fn expect(&self, steps: u64) {
        self.bar.set_length(steps);
    }

    /// Sets how many of them are done.
    pub(crate) fn show(&self, done: u64) {
        self.bar.set_position(done);
        let all = thousands(self.bar.length().unwrap_or(done));
        let left = HumanDuration(self.bar.eta());
        let done = thousands(done);
        self.bar.set_message(format!("{}: {done} of {all} steps, {left:#} left", self.title));
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Shows the progress of an export on a terminal.
pub(crate) struct ExportProgress {
    bar: ProgressBar,
    changed: Instant,
    done: u64,
}

impl ExportProgress {
    pub(crate) fn new(games: u64, console: &Console) -> Self {
        let bar = line(games, counted(games, "game"), console);
        Self { bar, changed: Instant::now(), done: 0 }
    }

    /// Counts another game.
    pub(crate) fn advance(&mut self) {
        self.done += 1;
        if self.changed.elapsed() < UPDATE_INTERVAL {
            return;
        }
        self.changed = Instant::now();
        self.bar.set_position(self.done);
        let all = thousands(self.bar.length().unwrap_or(self.done));
        let (done, left) = (thousands(self.done), HumanDuration(self.bar.eta()));
        self.bar.set_message(format!("{done} of {all} games, {left:#} left"));
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Shows on a terminal which attack is running.
pub(crate) struct DoctorProgress {
    bar: ProgressBar,
}

impl DoctorProgress {
    pub(crate) fn new(attacks: usize, console: &Console) -> Self {
        Self { bar: line(attacks as u64, counted(attacks as u64, "attack"), console) }
    }

    /// Shows the next attack.
    pub(crate) fn begin(&self, what: &str) {
        self.bar.inc(1);
        let all = self.bar.length().unwrap_or(0);
        self.bar.set_message(format!("attack {} of {all}: {what}", self.bar.position()));
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn describe_retrial(Retrial { bot, game, failure, retry_failure }: &Retrial) -> String {
    let first = printable(&failure.to_string());
    match retry_failure {
        None => format!("{bot} failed in game {game}, and not when it was played alone: {first}"),
        Some(again) => {
            let again = printable(&again.to_string());
            format!("{bot} failed in game {game}, and again when it was played alone: {again}")
        }
    }
}
