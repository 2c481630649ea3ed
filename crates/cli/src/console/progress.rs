//! The progress of runs, checks and exports: live lines, lines of text, and lines for programs.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Display;
use std::time::{Duration, Instant};

use dicehill_arena::{
    Bar, BotName, EntrantId, Event, Hill, Ledger, ProgressLine, Retrial, RunOutcome,
};
use dicehill_rules::Game;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::line_clock::LineClock;
use super::live_ratings::LiveRatings;
use super::pace::{Pace, left, rate};
use super::{Console, ProgressMode};
use crate::layout::Width;
use crate::text::{bar_place, counted, is_absent, printable, thousands};

/// How often a live line is updated.
const UPDATE_INTERVAL: Duration = Duration::from_millis(200);

/// Whether a line shows the games a second.
#[derive(Clone, Copy)]
enum Rate {
    Shown,
    LeftOut,
}

/// Shows the progress of a run.
pub(crate) struct Progress {
    console: Console,
    bar: ProgressBar,
    title: &'static str,
    games: u64,
    done: u64,
    changed: Instant,
    clock: LineClock,
    pace: Pace,
    ratings: LiveRatings,
    /// By bot, the log of its last failure in a process that it shared with other games.
    shown_logs: HashMap<String, Vec<String>>,
}

impl Progress {
    /// A line for a run of `games` games.
    pub(crate) fn new(title: &'static str, games: u64, console: &Console) -> Self {
        let bar = live_line(games, format!("{title}: {} games", thousands(games)), console);
        let clock = LineClock::start(console.progress().line_interval());
        Self {
            console: console.clone(),
            bar,
            title,
            games,
            done: 0,
            changed: Instant::now(),
            clock,
            pace: Pace::start(),
            ratings: LiveRatings::new(),
            shown_logs: HashMap::new(),
        }
    }

    pub(crate) fn show<G: Game>(&mut self, hill: &Hill<G>, event: &Event<'_, G>) {
        match event {
            Event::Started(_) => {}
            Event::Played(_, ledger) => {
                self.pace.play();
                self.show_ledger(hill, ledger);
            }
            Event::Recalled(_, ledger) => {
                self.pace.recall(ledger.games() + ledger.play_offs());
                self.show_ledger(hill, ledger);
            }
            Event::Barred(bar) => {
                let Bar { bot, game, reason, .. } = (*bar).clone();
                self.console.emit(&ProgressLine::Barred { bot, game, reason });
                self.print_above(&bar.bot, describe_bar(bar));
                self.bar.reset();
                self.pace = Pace::start();
                self.done = 0;
            }
            Event::Retried(retrial) => {
                let text = describe_retrial(retrial) + &self.new_log_lines(retrial);
                self.print_above(&retrial.bot, text);
            }
            Event::MemoryLost { bot, game, failure } => {
                let failure = printable(&failure.to_string());
                let lost = "and continues without its memory";
                self.print_above(bot, format!("{bot} failed in game {game} {lost}: {failure}"));
            }
            Event::Diverged { bot, game, recorded, answered } => {
                let [recorded, answered] = [printable(recorded), printable(answered)];
                self.print_above(bot, format!(
                    "{bot} is not deterministic, so its memory is lost: in game {game} it answered {recorded}, and now {answered}"
                ));
            }
            Event::Ended(_) => self.bar.finish_and_clear(),
        }
    }

    /// Removes the live line, and reports to programs that the run has stopped.
    pub(crate) fn finish(&self, outcome: RunOutcome) {
        self.bar.finish_and_clear();
        let seconds = self.clock.seconds();
        self.console.emit(&ProgressLine::RunFinished { outcome, played: self.done, seconds });
    }

    /// Whether the line is about to be updated.
    pub(crate) fn is_due(&self) -> bool {
        self.changed.elapsed() >= UPDATE_INTERVAL
    }

    /// The games played so far that count.
    pub(crate) const fn done(&self) -> u64 {
        self.done
    }

    /// Prints a line about a bot above the live one, even without a terminal.
    fn print_above(&self, bot: impl Display, line: String) {
        let bot = bot.to_string();
        let remark = |text| ProgressLine::Remark { bot, text };
        self.bar.suspend(|| self.console.report_as(line, remark));
    }

    /// The last lines of the log of a bot that has failed, unless those of its failure before were the same: a process that ends
    /// fails in all of its games.
    fn new_log_lines(&mut self, Retrial { bot, failure, .. }: &Retrial) -> String {
        let shown = self.shown_logs.entry(bot.to_string()).or_default();
        if *shown == failure.log {
            return String::new();
        }
        shown.clone_from(&failure.log);
        log_lines(&failure.log)
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
        let leaders = if ledger.games() > 0 { ledger.leaders(&ids) } else { Vec::new() };
        let leader = leaders.first().map(leads).unwrap_or_default();
        let sure = |certainty: f64| format!(", {:.0} % sure", (100.0 * certainty).floor());
        let sure = ledger.certainty().map(sure).unwrap_or_default();
        self.ratings.update(hill, ledger);
        let [shown, left_out] = [Rate::Shown, Rate::LeftOut].map(|rate| self.described(rate));
        let width = self.console.width_of_messages();
        let whole = format!("{shown}{leader}{sure}");
        let message = if width.holds(&whole) {
            self.ratings.appended(&whole, &format!("{left_out}{sure}"), width)
        } else {
            let parts = [
                format!("{left_out}{leader}"),
                shown,
                left_out,
                format!("{} games", thousands(self.done)),
            ];
            first_that_fits(parts, width)
        };
        if self.clock.is_due() {
            self.write_line(&message);
        }
        self.bar.set_message(message);
    }

    fn write_line(&self, message: &str) {
        match self.console.progress() {
            ProgressMode::Auto => {}
            ProgressMode::Plain => self.console.report(message),
            ProgressMode::Json => self.console.emit(&ProgressLine::RunProgress {
                played: self.done,
                games: self.games,
                seconds: self.clock.seconds(),
            }),
        }
    }

    /// The number of games done, the rate, and the time left.
    fn described(&self, shows: Rate) -> String {
        let done = thousands(self.done);
        let all = thousands(self.games.max(self.done));
        let rate = match shows {
            Rate::Shown => self.pace.per_second(self.done).map(rate),
            Rate::LeftOut => None,
        };
        let left = self.pace.time_left(self.done, self.games).map(left);
        let more: String = rate.into_iter().chain(left).map(|text| format!(", {text}")).collect();
        format!("{}: {done} of {all} games{more}", self.title)
    }
}

/// The first of these texts that fits on a line, or else the last one.
fn first_that_fits<const N: usize>(texts: [String; N], width: Width) -> String {
    let mut texts = texts.into_iter().peekable();
    while let Some(text) = texts.next() {
        if width.holds(&text) || texts.peek().is_none() {
            return text;
        }
    }
    String::new()
}

/// Which entrant is barred and why, with the last lines of its log.
pub(crate) fn describe_bar(Bar { bot, game, reason, detail, log, .. }: &Bar) -> String {
    let place = bar_place(*game);
    let word = if is_absent(reason) { "skipped" } else { "barred" };
    format!("{bot} is {word} in {place}: {reason}: {}{}", printable(detail), log_lines(log))
}

/// The lines of a log below a message.
fn log_lines(log: &[String]) -> String {
    log.iter().map(|line| format!("\n    {}", printable(line))).collect()
}

/// A live line with this text.
pub(crate) fn live_line(steps: u64, message: String, console: &Console) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), console.live());
    // A single message, so that it is cut off where the terminal ends instead of wrapped.
    let style = ProgressStyle::with_template("{wide_msg}").expect("the template is well-formed");
    bar.set_style(style);
    bar.set_message(message);
    bar.enable_steady_tick(UPDATE_INTERVAL);
    bar
}

/// A game of a qualification that takes as long is worth a word, if the whole takes long.
const SLOW_STEP: Duration = Duration::from_secs(5);
/// A qualification that takes as long is long.
const LONG: Duration = Duration::from_secs(120);

/// Shows the progress of a qualification.
pub(crate) struct CheckProgress {
    console: Console,
    bar: ProgressBar,
    bot: String,
    title: String,
    clock: LineClock,
    /// Whether it was said that the bot is slow.
    is_called_slow: Cell<bool>,
    /// The longest time that can be left.
    longest: Cell<Duration>,
}

impl CheckProgress {
    /// The qualification of `bot`, with lines that begin with `title`.
    pub(crate) fn new(bot: &BotName, title: &str, console: &Console) -> Self {
        let title = printable(title);
        let clock = LineClock::start(console.progress().line_interval());
        let bar = live_line(0, title.clone(), console);
        let (console, bot, is_called_slow) = (console.clone(), bot.to_string(), Cell::new(false));
        let longest = Cell::new(Duration::MAX);
        Self { console, bar, bot, title, clock, is_called_slow, longest }
    }

    /// Sets the number of games and positions, and for how long games begin, and then positions.
    pub(crate) fn expect(&self, steps: u64, time: Option<Duration>) {
        // The last one of each takes longer, and the games are played again.
        self.longest.set(time.map_or(Duration::MAX, |time| 4 * time));
        self.bar.set_length(steps);
        self.console.emit(&ProgressLine::QualificationStarted { bot: self.bot.clone(), steps });
    }

    /// Sets how many of them are done.
    pub(crate) fn show(&self, done: u64) {
        self.bar.set_position(done);
        let steps = self.bar.length().unwrap_or(done);
        // Steps may take half a minute each, which is too few for an estimate that follows changes.
        let step = self.bar.elapsed().checked_div(u32::try_from(done).unwrap_or(u32::MAX));
        let step = step.unwrap_or_default();
        let time_left =
            step.saturating_mul(u32::try_from(steps - done.min(steps)).unwrap_or(u32::MAX));
        let time_left = time_left.min(self.longest.get());
        let left = HumanDuration(time_left);
        // A bot that does not answer at all is asked twice, and is not slow.
        if done > 2 && step >= SLOW_STEP && time_left >= LONG && !self.is_called_slow.replace(true)
        {
            let Self { bot, .. } = self;
            self.console.report(format!(
                "{bot} is slow: a game takes it {}, and its qualification {left}",
                HumanDuration(step)
            ));
        }
        let message = format!(
            "{}: {} of {} steps, {left:#} left",
            self.title,
            thousands(done),
            thousands(steps)
        );
        if self.clock.is_due() {
            self.write_line(&message, done, steps);
        }
        self.bar.set_message(message);
    }

    fn write_line(&self, message: &str, done: u64, steps: u64) {
        match self.console.progress() {
            ProgressMode::Auto => {}
            ProgressMode::Plain => self.console.report(message),
            ProgressMode::Json => self.console.emit(&ProgressLine::QualificationProgress {
                bot: self.bot.clone(),
                done,
                steps,
                seconds: self.clock.seconds(),
            }),
        }
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
        let bar = live_line(games, counted(games, "game"), console);
        Self { bar, changed: Instant::now(), done: 0 }
    }

    /// Counts another game.
    pub(crate) fn advance(&mut self) {
        self.advance_by(1);
    }

    /// Counts this many games.
    pub(crate) fn advance_by(&mut self, games: u64) {
        self.done += games;
        if self.changed.elapsed() < UPDATE_INTERVAL {
            return;
        }
        self.changed = Instant::now();
        self.bar.set_position(self.done);
        let all = thousands(self.bar.length().unwrap_or(self.done));
        let done = thousands(self.done);
        let left = HumanDuration(self.bar.eta());
        self.bar.set_message(format!("{done} of {all} games, {left:#} left"));
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn describe_retrial(Retrial { bot, game, failure, retry_failure }: &Retrial) -> String {
    let first = printable(&failure.to_string());
    match retry_failure {
        None => format!(
            "{bot} failed in game {game}, but not when the game was replayed alone: {first}"
        ),
        Some(again) => {
            let again = printable(&again.to_string());
            format!(
                "{bot} failed in game {game}, and again when the game was replayed alone: {again}"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shortened_by_whole_parts() {
        let fitting = |width| {
            let texts = ["9 games, 3/s, greedy leads", "9 games, 3/s", "9 games"];
            first_that_fits(texts.map(str::to_owned), width)
        };
        assert_eq!(fitting(Width::Unlimited), "9 games, 3/s, greedy leads");
        assert_eq!(fitting(Width::Columns(26)), "9 games, 3/s, greedy leads");
        assert_eq!(fitting(Width::Columns(25)), "9 games, 3/s");
        assert_eq!(fitting(Width::Columns(3)), "9 games");
    }
}
