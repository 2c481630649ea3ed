//! `dicehill check --watch`: on every save a quick check, and whether the bot became better against a rival.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use dicehill_arena::{
    Entrant, Event, FormatName, Hill, HillDraft, Interval, Jobs, MAX_PLAY_OFFS, PlayedGame,
    ResumeState, RunEnd, RunOptions, run_from,
};

use super::qualifying_hill::QualifyingHill;
use crate::args::{CheckArgs, LuckArgs};
use crate::bots::{BotLoader, default_terms, games_of};
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::qualification::{QUALIFICATION_TIME, Qualifier, start_error, verdict};
use crate::text::{BAD, FAINT, GOOD, STRONG, printable, styled};
use crate::threads::threads;
use crate::tournament::appraised;

/// The number of process failures after which the bot is not asked again until the next save.
const PATIENCE: usize = 2;
/// Games of the quick check.
const QUICK_GAMES: u64 = 3;
/// Games against the rival, two at each table.
const GAMES: i64 = 200;
/// Losses are kept in millionths of a point.
const MILLION: f64 = 1e6;
/// How often it is looked whether a file was saved.
const LOOK: Duration = Duration::from_millis(200);
/// Folders in which nothing is edited.
const IGNORED: [&str; 8] =
    [".git", ".hg", ".venv", "__pycache__", "build", "classes", "node_modules", "target"];
/// The most files that are watched.
const MAX_FILES: usize = 5000;

/// When the files of a bot were saved, and their lengths.
type Saved = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// What a version of the bot reached against the rival, by table: the same dice for each version.
#[derive(Default)]
struct Reached {
    /// The share of games that were won, 0 to 1, with its 95 % interval, as boards have it.
    win_rate: Option<(f64, Interval)>,
    /// The share of games at a table that were won, jointly or alone.
    wins: BTreeMap<u64, f64>,
    /// The loss per game in points, where games are appraised.
    losses: BTreeMap<u64, f64>,
}

/// Checks the bot and plays with it whenever it was saved, until the user interrupts it.
pub(super) fn watch<G: TerminalGame>(
    bots: &[String],
    args: &CheckArgs,
    seed: String,
    console: &Console,
) -> Result<Outcome, Failure> {
    let [bot] = bots else {
        return Err(Failure::Usage("--watch: name one bot".to_owned()));
    };
    let rival = args.against.as_deref().unwrap_or(G::USUAL_OPPONENTS[0]);
    // No save can mend these.
    for bot in [bot, rival] {
        if !games_of(bot)?.iter().any(|game| game.name() == G::NAME) {
            return Err(Failure::Usage(format!("--watch: {bot} does not play {}", G::NAME)));
        }
    }
    let stop = interrupt::stop_flag(console)?;
    let watch = Watch { bot, rival, seed, stop: &stop, args, console };
    let mut before: Option<Reached> = None;
    loop {
        let saved = saved_files(bot);
        match watch.examine::<G>() {
            Ok(Some(reached)) => {
                watch.report(&reached, before.as_ref())?;
                before = Some(reached);
            }
            Ok(None) => {}
            // The next save may mend it.
            Err(Failure::ClosedPipe) => return Ok(Outcome::Done),
            Err(failure) => console.report(failure.to_string()),
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(Outcome::Interrupted);
        }
        writeln!(
            console.out(),
            "{}",
            styled(FAINT, format!("waiting for a save of {bot}; Ctrl-C ends it"))
        )?;
        // Until the files differ, and no longer change: an editor empties a file before it writes it.
        let mut last = saved_files(bot);
        loop {
            if stop.load(Ordering::Relaxed) {
                return Ok(Outcome::Interrupted);
            }
            std::thread::sleep(LOOK);
            let now = saved_files(bot);
            if now == last && now != saved {
                break;
            }
            last = now;
        }
    }
}

/// What stays the same from one save to the next.
struct Watch<'a> {
    bot: &'a String,
    rival: &'a str,
    seed: String,
    stop: &'a AtomicBool,
    args: &'a CheckArgs,
    console: &'a Console,
}

impl Watch<'_> {
    /// Checks the bot as it is now, and plays with it; `None` if it does not qualify or the user interrupts it.
    fn examine<G: TerminalGame>(&self) -> Result<Option<Reached>, Failure> {
        let Self { bot, rival, seed, stop, args, console } = self;
        let terms = default_terms::<G>(args.variant.rules::<G>()?);
        let loader =
            BotLoader::new(args.logs.folder(), args.isolation, console)?.with_limits_of_hills();
        let entrants = loader.entrants::<G>(&[(*bot).clone(), (*rival).to_owned()], terms)?;
        let [entrant, other] = <[Entrant<G>; 2]>::try_from(entrants)
            .map_err(|_| Failure::Usage("--watch: name one bot and one rival".to_owned()))?;
        let (hill, id) = QualifyingHill::new(None, terms, seed, &loader)?.with(&entrant)?;
        let positions = G::rare_positions(terms.rules);
        let (time, stop) = (Some(QUALIFICATION_TIME), Some(*stop));
        let qualifier = Qualifier { positions, time, patience: PATIENCE, stop, console };
        let check = qualifier.qualify(&hill, id, QUICK_GAMES, entrant.name.as_str());
        if self.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let check = check.map_err(|error| start_error(&entrant.name, &error))?;
        verdict::write(&mut console.out(), &entrant, &check)?;
        if !check.findings.is_empty() {
            return Ok(None);
        }
        let draft = HillDraft::challenge(vec![entrant, other], seed.as_str());
        let draft =
            HillDraft { rules: terms.rules, format: FormatName::Duel, games: GAMES, ..draft };
        let hill = Hill::new(draft).map_err(|error| Failure::Usage(format!("--watch: {error}")))?;
        self.play(&appraised(hill, LuckArgs::default(), console)?)
    }

    /// Plays the games; `None` if the user interrupts it or the bot is barred.
    fn play<G: TerminalGame>(&self, hill: &Hill<G>) -> Result<Option<Reached>, Failure> {
        let options = RunOptions {
            jobs: Jobs::UpTo(threads().get()),
            max_play_offs: MAX_PLAY_OFFS,
            stop: self.stop,
            deadline: hill.limits().run_time().map(|time| Instant::now() + time),
        };
        let mut reached = Reached::default();
        let mut barred = None;
        let end = run_from(hill, ResumeState::fresh(Vec::new()), options, &mut |event| {
            match event {
                Event::Played(game, _) => reached.add(hill, game),
                Event::Barred(bar) => {
                    barred = Some(format!("{} is barred: {}: {}", bar.bot, bar.reason, bar.detail));
                }
                Event::Started(_)
                | Event::Recalled(..)
                | Event::Retried(_)
                | Event::MemoryLost { .. }
                | Event::Diverged { .. }
                | Event::Ended(_) => {}
            }
            Ok(())
        });
        let end = end?;
        if let Some(barred) = barred {
            writeln!(self.console.out(), "  {}", styled(BAD, printable(&barred)))?;
            return Ok(None);
        }
        let RunEnd::Done(result) = end else { return Ok(None) };
        let own = hill.entrants().first().map(|entrant| entrant.name.as_str());
        let row = result.standings.iter().find(|row| Some(row.bot.as_str()) == own);
        reached.win_rate = row.and_then(|row| row.win_rate.zip(row.win_rate_ci95));
        Ok(Some(reached))
    }

    /// Reports the result, and the difference to the version before the save.
    fn report(&self, reached: &Reached, before: Option<&Reached>) -> std::io::Result<()> {
        let mut out = self.console.out();
        let rival = styled(STRONG, self.rival);
        let wins = in_percent(reached.win_rate);
        write!(out, "  {GAMES} games against {rival}: win % {wins}")?;
        if let Some(loss) = mean_of(reached.losses.values().copied()) {
            write!(out, "; loss/game {}", with_bounds(loss, 2, false))?;
        }
        writeln!(out)?;
        let Some(before) = before else { return Ok(()) };
        if let Some((mean, interval)) = mean_of(differences(&reached.wins, &before.wins)) {
            let Interval { low, high } = interval;
            let percent = (100.0 * mean, Interval { low: 100.0 * low, high: 100.0 * high });
            let change = changed(percent, 1, &judged(interval, 1.0));
            writeln!(out, "  since the last save: win % {change}")?;
        }
        if let Some(loss) = mean_of(differences(&reached.losses, &before.losses)) {
            let change = changed(loss, 2, &judged(loss.1, -1.0));
            writeln!(out, "  since the last save: loss/game {change}")?;
        }
        Ok(())
    }
}

impl Reached {
    /// Adds a game, in which the bot is the first entrant.
    fn add<G: TerminalGame>(&mut self, hill: &Hill<G>, game: &PlayedGame<G>) {
        let record = &game.record;
        let fixture = &record.fixture;
        let own = hill.ids().next();
        let Some(seat) = fixture.seats.iter().position(|id| Some(*id) == own) else { return };
        let win = if record.results[seat].won { 1.0 } else { 0.0 };
        let games = fixture.seats.len() as f64;
        *self.wins.entry(fixture.table).or_default() += win / games;
        if let Some(appraisal) = record.appraisals.get(seat) {
            *self.losses.entry(fixture.table).or_default() +=
                appraisal.loss as f64 / MILLION / games;
        }
    }
}

/// The differences at the tables that both have.
fn differences<'a>(
    now: &'a BTreeMap<u64, f64>,
    before: &'a BTreeMap<u64, f64>,
) -> impl Iterator<Item = f64> + 'a {
    now.iter().filter_map(|(table, value)| Some(value - before.get(table)?))
}

/// The mean with its 95 % interval; `None` without values. Tables are independent.
fn mean_of(values: impl Iterator<Item = f64>) -> Option<(f64, Interval)> {
    let values: Vec<_> = values.collect();
    let count = values.len() as f64;
    if values.len() < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    Some((mean, Interval::student(mean, error, values.len() as u64 - 1)?))
}

/// Whether a difference is an improvement, where `better` is the sign of one.
fn judged(Interval { low, high }: Interval, better: f64) -> String {
    let (low, high) = if better > 0.0 { (low, high) } else { (-high, -low) };
    if low > 0.0 {
        styled(GOOD, "better")
    } else if high < 0.0 {
        styled(BAD, "worse")
    } else {
        styled(FAINT, "no significant difference")
    }
}

fn in_percent(share: Option<(f64, Interval)>) -> String {
    share.map_or("-".to_owned(), |(mean, Interval { low, high })| {
        let interval = Interval { low: 100.0 * low.max(0.0), high: 100.0 * high.min(1.0) };
        with_bounds((100.0 * mean, interval), 1, false)
    })
}

/// A difference with its 95 % interval and the verdict. Where it is nothing at every table, there is no interval.
fn changed(difference: (f64, Interval), digits: usize, verdict: &str) -> String {
    let (mean, Interval { low, high }) = difference;
    if [mean, low, high] == [0.0; 3] {
        return "the same at every table".to_owned();
    }
    format!("{}: {verdict}", with_bounds(difference, digits, true))
}

/// A value with its 95 % interval.
fn with_bounds(
    (mean, Interval { low, high }): (f64, Interval),
    digits: usize,
    has_sign: bool,
) -> String {
    if has_sign {
        format!("{mean:+.digits$} (95 %: {low:+.digits$} to {high:+.digits$})")
    } else {
        format!("{mean:.digits$} (95 %: {low:.digits$} to {high:.digits$})")
    }
}

/// The files of a bot, as they were saved last: those in its folder, or those that its words name.
fn saved_files(bot: &str) -> Saved {
    let mut saved = Saved::new();
    let path = Path::new(bot);
    let bare = bot.split_once(".toml#").map(|(file, _)| PathBuf::from(format!("{file}.toml")));
    if let Some(file) = bare {
        add_files(&file, &mut saved);
    } else if path.exists() {
        add_files(path, &mut saved);
    } else {
        let words = shell_words::split(bot).unwrap_or_default();
        words
            .iter()
            .map(Path::new)
            .filter(|word| word.is_file())
            .for_each(|word| add_files(word, &mut saved));
    }
    saved
}

fn add_files(path: &Path, saved: &mut Saved) {
    let Ok(meta) = fs::symlink_metadata(path) else { return };
    if !meta.is_dir() {
        saved.insert(path.to_owned(), (meta.modified().ok(), meta.len()));
        return;
    }
    let entries = fs::read_dir(path).into_iter().flatten().filter_map(Result::ok);
    for entry in entries {
        let is_ignored = IGNORED.iter().any(|ignored| entry.file_name() == *ignored);
        if !is_ignored && saved.len() < MAX_FILES {
            add_files(&entry.path(), saved);
        }
    }
}
