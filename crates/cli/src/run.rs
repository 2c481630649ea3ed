//! `dicehill run`: plays a hill and prints the standings.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{BotName, FormatName, Hill, HillDraft, HillError, Past, Place};
use dicehill_rules::GameName;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{BotKind, HillFile, LogWriter, RunSink};

use crate::args::{BoardFormat, RunArgs};
use crate::bot_spec::{Cast, usual_terms};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::terminal_game::TerminalGame;
use crate::tournament::{self, Manner, Record};
use crate::{interrupt, seed};

pub(crate) fn run(args: &RunArgs, console: &Console) -> Result<Outcome, Failure> {
    match &args.hill {
        None => run_both(args, console),
        Some(name) => match name.parse::<GameName>() {
            Ok(GameName::Yahtzee) => run_challenge::<Yahtzee>(args, console),
            Ok(GameName::LiarsDice) => run_challenge::<LiarsDice>(args, console),
            Err(error) => {
                let path = Path::new(name);
                if !path.exists() && path.extension().is_none() {
                    return Err(Failure::Usage(format!(
                        "{error}, or a hill file, which {name:?} is not"
                    )));
                }
                run_file(path, args, console)
            }
        },
    }
}

/// Both challenges, one after the other.
fn run_both(args: &RunArgs, console: &Console) -> Result<Outcome, Failure> {
    if let Some(out) = &args.alone.out {
        let message =
            format!("--out {}: a log holds one run: name a hill file or a game", out.display());
        return Err(Failure::Usage(message));
    }
    let seed = Seed::of(args, None)?;
    let first = challenge::<Yahtzee>(args, &seed, console)?;
    let second = challenge::<LiarsDice>(args, &seed, console)?;
    let stop = interrupt::stop_flag(console)?;
    seed.show_if_drawn(console);
    let first = first.play(None, args, &stop, console)?;
    if first == Outcome::Interrupted {
        return Ok(first);
    }
    if args.alone.manner.style.format != BoardFormat::Json {
        writeln!(console.out())?;
    }
    match second.play(None, args, &stop, console)? {
        Outcome::Done => Ok(first),
        second @ (Outcome::Barred | Outcome::Open | Outcome::Differs | Outcome::Interrupted) => {
            Ok(second)
        }
    }
}

/// The challenge of a game that the command line names.
fn run_challenge<G: TerminalGame>(args: &RunArgs, console: &Console) -> Result<Outcome, Failure> {
    let seed = Seed::of(args, None)?;
    challenge::<G>(args, &seed, console)?.play_alone(args, &seed, console)
}

/// The challenge of a game, between the bots named or all house bots.
fn challenge<G: TerminalGame>(
    args: &RunArgs,
    seed: &Seed,
    console: &Console,
) -> Result<Run<G>, Failure> {
    let everybody = || G::usual_field().iter().map(|bot| bot.name().to_owned()).collect::<Vec<_>>();
    let bots = if args.bots.is_empty() { everybody() } else { args.bots.clone() };
    let terms = usual_terms::<G>(G::Rules::default());
    let entrants = Cast::of(&args.alone.outside, console)?.entrants(&bots, terms)?;
    let usual = HillDraft::challenge(entrants, &seed.text);
    let games = args.games.unwrap_or(usual.games);
    let draft = HillDraft { games, until: args.until, ..usual };
    let usage = |error: &HillError| Failure::Usage(format!("run {}: {error}", G::NAME));
    let hill = Hill::new(draft).map_err(|error| blame(args, &error, usage))?;
    let hill = args.alone.luck.appraised(hill);
    Ok(Run { sources: sources(&hill, &args.bots), hill })
}

/// The error as one of `--games` if the command line says how many, and otherwise of `elsewhere`.
fn blame(
    args: &RunArgs,
    error: &HillError,
    elsewhere: impl FnOnce(&HillError) -> Failure,
) -> Failure {
    match (args.games, error.place()) {
        _ if matches!(error, HillError::UntilInSet | HillError::UntilAmongMany(_)) => {
            Failure::Usage(format!("--until: {error}"))
        }
        (Some(_), Place::Key("games")) => {
            Failure::Usage(format!("--{}", error.to_string().replacen(" = ", " ", 1)))
        }
        (_, Place::Key(_) | Place::Bot(..) | Place::Hill) => elsewhere(error),
    }
}

/// A duel between the bots of the command line.
pub(crate) fn run_duel<G: TerminalGame>(
    args: &RunArgs,
    rules: G::Rules,
    console: &Console,
) -> Result<Outcome, Failure> {
    let seed = Seed::of(args, None)?;
    let cast = Cast::of(&args.alone.outside, console)?;
    let entrants = cast.entrants::<G>(&args.bots, usual_terms::<G>(rules))?;
    let usual = HillDraft::challenge(entrants, &seed.text);
    let games = args.games.unwrap_or(usual.games);
    let draft = HillDraft { rules, format: FormatName::Duel, games, until: args.until, ..usual };
    let hill = Hill::new(draft).map_err(|error| Failure::Usage(format!("duel: {error}")))?;
    let hill = args.alone.luck.appraised(hill);
    Run { sources: sources(&hill, &args.bots), hill }.play_alone(args, &seed, console)
}

fn run_file(path: &Path, args: &RunArgs, console: &Console) -> Result<Outcome, Failure> {
    if let Some(bot) = args.bots.first() {
        let message =
            format!("{bot:?}: a hill file brings its own bots; name a game to choose them");
        return Err(Failure::Usage(message));
    }
    let file = HillFile::read(path)?;
    match file.game() {
        GameName::Yahtzee => run_hill::<Yahtzee>(&file, args, console),
        GameName::LiarsDice => run_hill::<LiarsDice>(&file, args, console),
    }
}

fn run_hill<G: TerminalGame>(
    file: &HillFile,
    args: &RunArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    let seed = Seed::of(args, file.seed())?;
    let cast = Cast::of(&args.alone.outside, console)?;
    let ready = |name: &BotName, kind: &BotKind, terms| cast.ready::<G>(name, kind, terms);
    let mut draft = file.draft::<G>(seed.text.clone(), &ready)?;
    draft.games = args.games.unwrap_or(draft.games);
    draft.until = args.until;
    let in_file = |error: &HillError| Failure::File(file.locate(error));
    let hill = Hill::new(draft).map_err(|error| blame(args, &error, in_file))?;
    let hill = args.alone.luck.appraised(hill);
    let sources = sources(&hill, &[file.path().display().to_string()]);
    Run { hill, sources }.play_alone(args, &seed, console)
}

/// What is named to go on with a run: nothing between house bots, which its header knows.
fn sources<G: TerminalGame>(hill: &Hill<G>, named: &[String]) -> Vec<String> {
    let outside = hill.entrants().iter().any(|entrant| entrant.program.is_outside());
    if outside { named.to_vec() } else { Vec::new() }
}

/// The master seed of a run.
struct Seed {
    text: String,
    drawn: bool,
}

impl Seed {
    /// The seed of the command line, of the hill file, or a new one.
    fn of(args: &RunArgs, file: Option<&str>) -> Result<Self, Failure> {
        match args.alone.seed.as_deref().or(file) {
            Some(seed) => Ok(Self { text: seed.to_owned(), drawn: false }),
            None => Ok(Self { text: seed::draw()?, drawn: true }),
        }
    }

    /// Whoever loses the output of a long run can hold it again.
    fn show_if_drawn(&self, console: &Console) {
        if self.drawn {
            console.tell(format!("seed: {}", self.text));
        }
    }
}

/// A hill that is ready to be played.
struct Run<G: TerminalGame> {
    hill: Hill<G>,
    /// What the command that goes on with it names beside the run.
    sources: Vec<String>,
}

impl<G: TerminalGame> Run<G> {
    /// Plays it as the command's only run.
    fn play_alone(
        &self,
        args: &RunArgs,
        seed: &Seed,
        console: &Console,
    ) -> Result<Outcome, Failure> {
        let stop = interrupt::stop_flag(console)?;
        let log = args.alone.out.as_deref().map(LogWriter::create).transpose()?;
        seed.show_if_drawn(console);
        self.play(log.map(RunSink::Log), args, &stop, console)
    }

    fn play(
        &self,
        sink: Option<RunSink>,
        args: &RunArgs,
        stop: &AtomicBool,
        console: &Console,
    ) -> Result<Outcome, Failure> {
        let manner = Manner::of(&args.alone.manner, stop, console);
        let record = sink.map(|sink| Record { sink, sources: self.sources.clone() });
        let bars = tournament::qualify(&self.hill, stop, console)?;
        tournament::play(&self.hill, Past::qualified(bars), record, manner)
    }
}
