//! `dicehill run`: plays a hill and prints the standings.

use std::io::Write;
use std::iter;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{BotName, Hill, HillDraft, HillError};
use dicehill_rules::{GameName, with_game};
use dicehill_store::{BotKind, FileKind, HillFile, command_word, did_you_mean_file};

use crate::args::{BoardFormat, RunArgs, StandaloneRunArgs};
use crate::bots::{
    BotLoader, begins_with_bot, default_terms, did_you_mean_game_or_bot, evident_game,
};
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::recorded::PlannedRun;
use crate::tournament::{MasterSeed, PlannedShard, RunSettings, StandaloneRun, appraised};

pub(crate) fn run(args: &RunArgs, console: &Console) -> Result<Outcome, Failure> {
    if let RunArgs { shard: Some(shard), plan: Some(plan), standalone, .. } = args
        && let Some(out) = &standalone.out
    {
        let run = PlannedRun::read(plan, console)?;
        let shard = PlannedShard { run: &run, shard: *shard, out };
        return with_game!(run.plan.header().hill.game(), G => play_shard::<G>(&shard, args, console));
    }
    if let StandaloneRunArgs { out: Some(out), .. } = &args.standalone
        && args.plan.is_some()
    {
        let out = out.display();
        let message = format!(
            "--out {out}: a plan has no games yet; play one of its shards with --shard I/N"
        );
        return Err(Failure::Usage(message));
    }
    match &args.hill {
        None => run_all(args, console),
        Some(name) => match name.parse::<GameName>() {
            Ok(game) => with_game!(game, G => run_challenge::<G>(args, &args.bots, console)),
            Err(_) if begins_with_bot(name, &args.bots) => {
                let bots: Vec<_> = iter::once(name).chain(&args.bots).cloned().collect();
                let game = evident_game(&bots, "name the game first")?;
                with_game!(game, G => run_challenge::<G>(args, &bots, console))
            }
            Err(error) => {
                let path = Path::new(name);
                if !path.exists() && name.contains('/') {
                    let similar = did_you_mean_file(path);
                    return Err(Failure::Usage(format!("{name}: no such file or folder{similar}")));
                }
                if !path.exists() && path.extension().is_none() && name != "-" {
                    return Err(Failure::Usage(format!(
                        "{error}; {name:?} is not a hill file either{}",
                        similar_game(name)
                    )));
                }
                run_file(path, args, console)
            }
        },
    }
}

/// Plays a shard of a plan with the bots that the command line names, or else those with which the plan was made.
fn play_shard<G: TerminalGame>(
    shard: &PlannedShard<'_>,
    args: &RunArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    let is_bot = |name: &&String| name.parse::<GameName>().is_err();
    let named: Vec<_> = args.hill.iter().filter(is_bot).chain(&args.bots).cloned().collect();
    let loader = BotLoader::of(&args.standalone.external, console)?;
    let hill = shard.run.hill::<G>(&named, &loader)?;
    let stop = interrupt::stop_flag(console)?;
    shard.play(&hill, RunSettings::of(&args.standalone.settings, &stop, console))
}

/// Plays a run, or writes its plan.
fn play_or_plan<G: TerminalGame>(
    run: &StandaloneRun<G>,
    args: &RunArgs,
    seed: &MasterSeed,
    console: &Console,
) -> Result<Outcome, Failure> {
    match &args.plan {
        Some(plan) => run.write_plan(plan, seed, console),
        None => run.play(&args.standalone, seed, console),
    }
}

/// The game, house bot or file whose name is similar.
fn similar_game(name: &str) -> String {
    match did_you_mean_game_or_bot(name) {
        similar if similar.is_empty() => did_you_mean_file(Path::new(name)),
        similar => similar,
    }
}

/// A challenge whose bots are prepared, to be played.
type PreparedChallenge<'a> = Box<dyn FnOnce(&Arc<AtomicBool>) -> Result<Outcome, Failure> + 'a>;

/// Plays the challenge of each game, one after the other.
fn run_all(args: &RunArgs, console: &Console) -> Result<Outcome, Failure> {
    if let Some(plan) = &args.plan {
        let plan = plan.display();
        let message = format!(
            "--plan {plan}: a plan is of one run: pass a hill file or a game to write it, or --shard 1/2 and --out PART to \
             play the first half of it"
        );
        return Err(Failure::Usage(message));
    }
    if let Some(out) = &args.standalone.out {
        let message =
            format!("--out {}: a log holds one run: pass a hill file or a game", out.display());
        return Err(Failure::Usage(message));
    }
    if args.standalone.settings.style.format == BoardFormat::Csv {
        let [one, other] = GameName::ALL;
        let message = format!(
            "--format csv: the boards of the two games have different columns; name one game, as in \
             `dicehill run {one} --format csv` or `dicehill run {other} --format csv`"
        );
        return Err(Failure::Usage(message));
    }
    let seed = MasterSeed::of(args.standalone.seed.as_deref(), None, false)?;
    let prepare = |game| -> Result<PreparedChallenge<'_>, Failure> {
        with_game!(game, G => {
            let run = challenge::<G>(args, &[], &seed, console)?;
            Ok(Box::new(move |stop| run.play_to(None, &args.standalone, stop, console)))
        })
    };
    let challenges = GameName::ALL.into_iter().map(prepare).collect::<Result<Vec<_>, _>>()?;
    let stop = interrupt::stop_flag(console)?;
    seed.report(false, console);
    let mut outcome = Outcome::Done;
    for (index, play) in challenges.into_iter().enumerate() {
        if index > 0 && args.standalone.settings.style.format != BoardFormat::Json {
            writeln!(console.out())?;
        }
        match play(&stop)? {
            Outcome::Done => {}
            Outcome::Interrupted => return Ok(Outcome::Interrupted),
            other @ (Outcome::Barred | Outcome::Open | Outcome::Differs) => outcome = other,
        }
    }
    Ok(outcome)
}

/// Plays a challenge between the bots that the command line names, or all house bots.
fn run_challenge<G: TerminalGame>(
    args: &RunArgs,
    bots: &[String],
    console: &Console,
) -> Result<Outcome, Failure> {
    let seed = MasterSeed::of(args.standalone.seed.as_deref(), None, false)?;
    play_or_plan(&challenge::<G>(args, bots, &seed, console)?, args, &seed, console)
}

/// The challenge of a game, between the bots named or all house bots.
fn challenge<G: TerminalGame>(
    args: &RunArgs,
    named: &[String],
    seed: &MasterSeed,
    console: &Console,
) -> Result<StandaloneRun<G>, Failure> {
    let all = || G::usual_field().iter().map(|bot| bot.name().to_owned()).collect::<Vec<_>>();
    let bots = if named.is_empty() { all() } else { named.to_vec() };
    let rules = args.variant.rules::<G>()?;
    let terms = default_terms::<G>(rules);
    let loader = BotLoader::of(&args.standalone.external, console)?;
    let entrants = loader.entrants(&bots, terms)?;
    let usual = HillDraft::challenge(entrants, "");
    let seed = seed.for_run(usual.has_external_bots());
    let games = args.games.unwrap_or(usual.games);
    let draft = HillDraft { rules, seed, games, until: args.until, ..usual };
    let usage = |error: &HillError| {
        Failure::Usage(format!("run {}: {error}{}", G::NAME, with_opponent::<G>(args, error)))
    };
    let hill = Hill::new(draft).map_err(|error| blame(args, &error, usage))?;
    let hill = appraised(hill, args.standalone.luck, console)?;
    StandaloneRun::new(hill, loader, named).hosted(&args.hosting)
}

/// The same command with a house bot in addition, if the bots are too few.
fn with_opponent<G: TerminalGame>(args: &RunArgs, error: &HillError) -> String {
    let HillError::TooFew(..) = error else { return String::new() };
    let words: Vec<_> = args.hill.iter().chain(&args.bots).map(String::as_str).collect();
    let opponent = G::usual_field().into_iter().map(|bot| bot.name());
    let Some(opponent) = opponent.into_iter().find(|name| !words.contains(name)) else {
        return String::new();
    };
    let command = shell_words::join(words);
    format!("; name an opponent, such as a house bot: dicehill run {command} {opponent}")
}

/// Attributes an error to the option that caused it, and otherwise to `elsewhere`.
fn blame(
    args: &RunArgs,
    error: &HillError,
    elsewhere: impl FnOnce(&HillError) -> Failure,
) -> Failure {
    if matches!(error, HillError::UntilInSet | HillError::UntilAmongMany(_)) {
        return Failure::Usage(format!("--until: {error}"));
    }
    if let (Some(_), HillError::Games { games, fault }) = (args.games, error) {
        return Failure::Usage(format!("--games {games}: {fault}"));
    }
    elsewhere(error)
}

fn run_file(path: &Path, args: &RunArgs, console: &Console) -> Result<Outcome, Failure> {
    let kind = FileKind::of(path);
    // A file of another kind is refused as that.
    if let Some(bot) = args.bots.first().filter(|_| kind == Some(FileKind::HillFile)) {
        let message =
            format!("{bot:?}: a hill file has its own bots; pass a game to choose others");
        return Err(Failure::Usage(message));
    }
    if !args.bots.is_empty() && kind.is_none() {
        let (path, bot) = (path.display(), command_word(&Path::new(".").join(path)));
        let message = format!("{path}: not a hill file; to use it as a bot, write {bot}");
        return Err(Failure::Usage(message));
    }
    if let Some(rules) = &args.variant.rules {
        let message = format!("--rules {rules}: a hill file has its own rules; set them there");
        return Err(Failure::Usage(message));
    }
    let file = HillFile::read(path)?;
    with_game!(file.game(), G => run_hill::<G>(&file, args, console))
}

fn run_hill<G: TerminalGame>(
    file: &HillFile,
    args: &RunArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    let typed = args.standalone.seed.as_deref();
    let seed = MasterSeed::of(typed, file.seed(), file.has_open_seed())?;
    let loader = BotLoader::of(&args.standalone.external, console)?;
    let load = |name: &BotName, kind: &BotKind, terms| loader.load::<G>(name, kind, terms);
    let mut draft = file.draft::<G>("", &load)?;
    draft.seed = seed.for_run(draft.has_external_bots());
    draft.games = args.games.unwrap_or(draft.games);
    draft.until = args.until;
    let in_file = |error: &HillError| Failure::File(file.locate(error));
    let hill = Hill::new(draft).map_err(|error| blame(args, &error, in_file))?;
    let hill = appraised(hill, args.standalone.luck, console)?;
    let named = [file.path().display().to_string()];
    let run = StandaloneRun::new(hill, loader, &named).hosted(&args.hosting)?;
    play_or_plan(&run, args, &seed, console)
}
