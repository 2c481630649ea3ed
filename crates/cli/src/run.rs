//! `dicehill run`: plays a hill and prints the standings.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    FormatName, Hill, HillDraft, HillError, Limits, Memory, ResultDocument, RunEnd, RunOptions,
    Schedule,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, GameName};
use dicehill_store::{HillFile, LogWriter};

use crate::args::{BoardFormat, RunArgs};
use crate::failure::{Failure, Outcome};
use crate::progress::Progress;
use crate::terminal_game::TerminalGame;
use crate::text::counted;
use crate::{board, bot_spec, interrupt, seed};

/// Games of a run that does not say how many.
const USUAL_GAMES: i64 = 1000;
/// Games that play off a tie, at most.
const MOST_PLAY_OFFS: u64 = 10_000;

pub(crate) fn run(args: &RunArgs) -> Result<Outcome, Failure> {
    match &args.hill {
        None => run_both(args),
        Some(name) => match name.parse::<GameName>() {
            Ok(GameName::Yahtzee) => named_hill::<Yahtzee>(args)?.play_alone(args),
            Ok(GameName::LiarsDice) => named_hill::<LiarsDice>(args)?.play_alone(args),
            Err(error) => {
                let path = Path::new(name);
                if !path.exists() && path.extension().is_none() {
                    return Err(Failure::Usage(format!(
                        "{error}, or a hill file, which {name:?} is not"
                    )));
                }
                run_file(path, args)
            }
        },
    }
}

/// Both challenges, one after the other.
fn run_both(args: &RunArgs) -> Result<Outcome, Failure> {
    if let Some(out) = &args.out {
        let message =
            format!("--out {}: a log holds one run: name a hill file or a game", out.display());
        return Err(Failure::Usage(message));
    }
    let seed = seed_of(args, None)?;
    let first = named_run::<Yahtzee>(args, &seed)?;
    let second = named_run::<LiarsDice>(args, &seed)?;
    let stop = interrupt::stop_flag();
    match first.play(args, stop)? {
        Outcome::Interrupted => Ok(Outcome::Interrupted),
        Outcome::Done | Outcome::Barred => {
            if args.format != BoardFormat::Json {
                anstream::println!();
            }
            second.play(args, stop)
        }
    }
}

fn named_hill<G: TerminalGame>(args: &RunArgs) -> Result<Run<G>, Failure> {
    named_run(args, &seed_of(args, None)?)
}

/// The challenge of a game, between the bots named or all house bots.
fn named_run<G: TerminalGame>(args: &RunArgs, seed: &str) -> Result<Run<G>, Failure> {
    let everybody = || G::house_bots().iter().map(|bot| bot.name().to_owned()).collect::<Vec<_>>();
    let bots = if args.bots.is_empty() { everybody() } else { args.bots.clone() };
    let draft = HillDraft {
        name: G::NAME.to_owned(),
        rules: G::Rules::default(),
        format: FormatName::Challenge,
        seats: None,
        challenger: None,
        games: args.games.unwrap_or(USUAL_GAMES),
        seed: seed.to_owned(),
        memory: Memory::Game,
        limits: Limits::default(),
        entrants: bot_spec::entrants(&bots)?,
    };
    let usage = |error: HillError| Failure::Usage(format!("run {}: {error}", G::NAME));
    Ok(Run { hill: Hill::new(draft).map_err(usage)? })
}

fn run_file(path: &Path, args: &RunArgs) -> Result<Outcome, Failure> {
    if let Some(bot) = args.bots.first() {
        let message =
            format!("{bot:?}: a hill file brings its own bots; name a game to choose them");
        return Err(Failure::Usage(message));
    }
    let file = HillFile::read(path)?;
    let seed = seed_of(args, file.seed())?;
    match file.game() {
        GameName::Yahtzee => file_run::<Yahtzee>(&file, seed, args)?.play_alone(args),
        GameName::LiarsDice => file_run::<LiarsDice>(&file, seed, args)?.play_alone(args),
    }
}

fn file_run<G: TerminalGame>(
    file: &HillFile,
    seed: String,
    args: &RunArgs,
) -> Result<Run<G>, Failure> {
    Ok(Run { hill: file.hill(args.games, seed, bot_spec::house)? })
}

/// The seed of the command line, of the hill file, or a new one.
fn seed_of(args: &RunArgs, file: Option<&str>) -> Result<String, Failure> {
    match args.seed.as_deref().or(file) {
        Some(seed) => Ok(seed.to_owned()),
        None => {
            let seed = seed::draw()?;
            anstream::eprintln!("seed: {seed}");
            Ok(seed)
        }
    }
}

/// A hill that is ready to be played.
struct Run<G: TerminalGame> {
    hill: Hill<G>,
}

impl<G: TerminalGame> Run<G> {
    /// Plays it as the command's only run.
    fn play_alone(&self, args: &RunArgs) -> Result<Outcome, Failure> {
        self.play(args, interrupt::stop_flag())
    }

    fn play(&self, args: &RunArgs, stop: &AtomicBool) -> Result<Outcome, Failure> {
        let hill = &self.hill;
        let mut log = args.out.as_deref().map(LogWriter::create).transpose()?;
        let chance = Chance::new(hill.seed());
        let games = Schedule::new(hill, &chance, hill.ids().collect()).games();
        let progress = Progress::new(G::TITLE, games);
        let options = RunOptions { jobs: jobs(args), most_play_offs: MOST_PLAY_OFFS, stop };
        let end = dicehill_arena::run(hill, options, &mut |event| {
            progress.show(hill, &event);
            log.as_mut().map_or(Ok(()), |log| log.write(&event))
        });
        progress.clear();
        if let Some(log) = &mut log {
            log.flush().map_err(Failure::Failed)?;
        }
        match end.map_err(Failure::Failed)? {
            RunEnd::Done(result) => done::<G>(args, &result),
            RunEnd::Stopped(result) => stopped::<G>(&result, games),
        }
    }
}

fn done<G: TerminalGame>(args: &RunArgs, result: &ResultDocument) -> Result<Outcome, Failure> {
    board::write(&mut anstream::stdout().lock(), result, G::TITLE, args.format)?;
    let barred = result.standings.iter().any(|row| row.barred.is_some());
    Ok(if barred { Outcome::Barred } else { Outcome::Done })
}

/// What has been played is not a result: it goes to stderr.
fn stopped<G: TerminalGame>(result: &ResultDocument, games: u64) -> Result<Outcome, Failure> {
    let mut err = anstream::stderr().lock();
    board::write(&mut err, result, G::TITLE, BoardFormat::Table)?;
    anstream::eprintln!("interrupted: so it stood before the last of {}", counted(games, "game"));
    Ok(Outcome::Interrupted)
}

fn jobs(args: &RunArgs) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    args.jobs.map_or_else(cores, usize::from)
}
