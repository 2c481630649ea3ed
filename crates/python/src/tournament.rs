//! Tournaments between functions in Python and house bots.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use dicehill_arena::{
    BotName, Entrant, FormatName, Hill, HillDraft, Jobs, MAX_PLAY_OFFS, RunEnd, RunOptions,
    TournamentGame, run,
};
use dicehill_bots::{HouseBot, exact_yahtzee_bots, liars_dice_bots, yahtzee_bots};
use dicehill_link::WireGame;
use dicehill_rules::GameName;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::LogWriter;
use pyo3::prelude::*;

use crate::arguments::{invalid, rules};
use crate::callable::{Callable, Interrupt};
use crate::recorded::Stopped;

/// How often a run looks for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The games of this module.
pub(crate) trait PlayableGame: TournamentGame + WireGame {
    fn house_bots() -> Vec<HouseBot<Self>>;
}

impl PlayableGame for Yahtzee {
    fn house_bots() -> Vec<HouseBot<Self>> {
        yahtzee_bots().into_iter().chain(exact_yahtzee_bots()).collect()
    }
}

impl PlayableGame for LiarsDice {
    fn house_bots() -> Vec<HouseBot<Self>> {
        liars_dice_bots().into()
    }
}

fn game_named(name: &str) -> PyResult<GameName> {
    name.parse().map_err(|why| invalid(format!("game: {why}")))
}

/// The house bots of a game, each with a line about how it plays.
#[pyfunction]
pub(crate) fn house_bots(game: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    fn listed<G: PlayableGame>() -> Vec<(&'static str, &'static str)> {
        G::house_bots().iter().map(|bot| (bot.name(), bot.about())).collect()
    }
    Ok(dicehill_rules::with_game!(game_named(game)?, G => listed::<G>()))
}

/// What a tournament is played by.
struct Settings<'a> {
    games: i64,
    seed: &'a str,
    format: &'a str,
    rules: Option<&'a str>,
    jobs: usize,
    log: PathBuf,
}

/// Plays a tournament between `bots`, pairs of a name and either the name of a house bot or an object whose call returns
/// a session. Writes the run log to the file `log`, which must not exist, and returns the result document as JSON.
#[pyfunction]
#[pyo3(signature = (game, bots, *, games, seed, format, rules, jobs, log))]
#[expect(clippy::too_many_arguments, reason = "the wrapper in Python has keywords and defaults")]
pub(crate) fn tournament(
    py: Python<'_>,
    game: &str,
    bots: Vec<(String, Bound<'_, PyAny>)>,
    games: i64,
    seed: &str,
    format: &str,
    rules: Option<&str>,
    jobs: usize,
    log: PathBuf,
) -> PyResult<String> {
    let settings = Settings { games, seed, format, rules, jobs, log };
    dicehill_rules::with_game!(game_named(game)?, G => play::<G>(py, bots, &settings))
}

fn play<G: PlayableGame>(
    py: Python<'_>,
    bots: Vec<(String, Bound<'_, PyAny>)>,
    settings: &Settings<'_>,
) -> PyResult<String> {
    let interrupt = Interrupt::default();
    let entrant = |(name, bot)| entrant::<G>(name, &bot, &interrupt);
    let entrants = bots.into_iter().map(entrant).collect::<PyResult<Vec<_>>>()?;
    let Settings { games, seed, format, jobs, .. } = *settings;
    let format: FormatName = format.parse().map_err(|why| invalid(format!("format: {why}")))?;
    let rules = rules::<G>(settings.rules)?;
    let draft = HillDraft { games, format, rules, ..HillDraft::challenge(entrants, seed) };
    let hill = Hill::new(draft).map_err(invalid)?;
    let stop = AtomicBool::new(false);
    // More threads than games have nothing to do.
    let jobs = jobs.min(usize::try_from(hill.games()).unwrap_or(usize::MAX)).max(1);
    let options = RunOptions {
        jobs: Jobs::Exactly(jobs),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    let mut log = LogWriter::create(&settings.log).map_err(Stopped::from)?;
    let end = py.detach(|| {
        std::thread::scope(|scope| {
            // This thread is Python's, and must look for signals. The other's end closes the channel.
            let (running, ended) = mpsc::channel::<()>();
            let (hill, interrupt) = (&hill, &interrupt);
            let player = scope.spawn(move || {
                let _running = running;
                run(hill, options, &mut |event| {
                    // Games that an interrupt cut short are not written.
                    check(interrupt)?;
                    log.write(&event)
                })
            });
            while ended.recv_timeout(SIGNAL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if is_interrupted(interrupt) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            player.join()
        })
    });
    let end = end.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    if let Some(error) = interrupt.lock().ok().and_then(|mut error| error.take()) {
        return Err(error);
    }
    match end? {
        RunEnd::Done(result) | RunEnd::Stopped(result) => {
            serde_json::to_string(&result).map_err(invalid)
        }
    }
}

/// An error after an interrupt.
fn check(interrupt: &Interrupt) -> io::Result<()> {
    let error = interrupt.lock().map_err(|_| io::Error::other("a bot panicked"))?;
    if error.is_some() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
}

/// Whether there was an interrupt, of a signal or of a bot.
fn is_interrupted(interrupt: &Interrupt) -> bool {
    // Before the lock, for which a bot may wait that holds the interpreter.
    let of_signal = Python::attach(|py| py.check_signals().err());
    let mut error = interrupt.lock().unwrap_or_else(PoisonError::into_inner);
    if error.is_none() {
        *error = of_signal;
    }
    error.is_some()
}

fn entrant<G: PlayableGame>(
    name: String,
    bot: &Bound<'_, PyAny>,
    interrupt: &Interrupt,
) -> PyResult<Entrant<G>> {
    let bot_name = BotName::new(&name).map_err(|why| invalid(format!("{name:?}: {why}")))?;
    if let Ok(house) = bot.extract::<String>() {
        let found = G::house_bots().into_iter().find(|bot| bot.name() == house);
        let house = found.ok_or_else(|| {
            let names: Vec<_> = G::house_bots().iter().map(HouseBot::name).collect();
            let files = if house.contains(['/', '.']) {
                "; a bot in files plays by the command `dicehill run`"
            } else {
                ""
            };
            let names = names.join(", ");
            invalid(format!("{house:?} is no house bot for {}: {names}{files}", G::NAME))
        })?;
        return Ok(Entrant::new(bot_name, Arc::new(house)));
    }
    let (connect, interrupt) = (bot.clone().unbind(), Arc::clone(interrupt));
    Ok(Entrant::new(bot_name, Arc::new(Callable { name, connect, interrupt })))
}
