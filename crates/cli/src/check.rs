//! `dicehill check`: qualifies bots.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_arena::{
    Bar, BotName, Check, Entrant, Finding, Hill, Memory, Program, RarePosition, Reason, Trial,
};
use dicehill_link::Ids;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Barring, GameName};
use dicehill_store::{HillStore, HillTerms, NotReady};

use crate::args::CheckArgs;
use crate::bot_spec::{Cast, usual_terms};
use crate::check_report::CheckReport;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::progress::CheckProgress;
use crate::terminal_game::TerminalGame;
use crate::text::printable;
use crate::verdict::{self, MOST_FINDINGS, describe, describe_with_log, place};

/// Games in which a house bot is qualified before a run.
const QUALIFYING_GAMES: u64 = 10;
/// Games in which a program outside is: each starts a process, and a short run is not to take twice
/// as long.
const QUALIFYING_GAMES_OUTSIDE: u64 = 4;

/// A bot whose process fails more often is not asked any further: each failure may have taken as
/// long as the clock allows.
const PATIENCE: usize = 5;

pub(crate) fn check(args: &CheckArgs, console: &Console) -> Result<Outcome, Failure> {
    match args.game {
        GameName::Yahtzee => check_game::<Yahtzee>(args, console),
        GameName::LiarsDice => check_game::<LiarsDice>(args, console),
    }
}

/// The variant of the rules that goes by a name, or the official one.
pub(crate) fn rules<G: TerminalGame>(name: Option<&str>) -> Result<G::Rules, Failure> {
    let Some(name) = name else { return Ok(G::Rules::default()) };
    G::rules_named(name).ok_or_else(|| {
        let names: Vec<_> = G::RULES.iter().map(ToString::to_string).collect();
        Failure::Usage(format!("--rules {name}: those of {} are {}", G::NAME, names.join(" and ")))
    })
}

/// The terms on which bots are checked: each game with processes of its own, also where a hill lets them live longer.
fn terms<G: TerminalGame>(args: &CheckArgs) -> Result<HillTerms<G::Rules>, Failure> {
    let Some(path) = &args.hill else {
        return Ok(usual_terms::<G>(rules::<G>(args.variant.rules.as_deref())?));
    };
    let store = HillStore::open(path)?;
    let game = store.hill().game;
    if game != args.game {
        let message = format!("--hill {}: a hill of {game}, not of {}", path.display(), args.game);
        return Err(Failure::Usage(message));
    }
    Ok(HillTerms { memory: Memory::Game, ..store.hill().terms::<G>(path)? })
}

fn check_game<G: TerminalGame>(args: &CheckArgs, console: &Console) -> Result<Outcome, Failure> {
    let terms = terms::<G>(args)?;
    let rules = terms.rules;
    let cast = Cast::new(args.logs.folder(), args.apart, console)?.with_limits_of_hills();
    let mut report = args.report.as_deref().map(CheckReport::create).transpose()?;
    let entrants = cast.entrants::<G>(&args.bots, terms)?;
    let examiner = Examiner {
        rules,
        opponents: opponents::<G>(),
        positions: G::rare_positions(rules),
        seed: &args.seed,
        patience: PATIENCE,
        stop: None,
        console,
    };
    let mut out = console.out();
    let mut outcome = Outcome::Done;
    for (index, entrant) in entrants.iter().enumerate() {
        let title = format!("{} ({} of {})", entrant.name, index + 1, entrants.len());
        let check = examiner.examine(&entrant.program, u64::from(args.games), &title);
        let check = check.map_err(|error| not_started(&entrant.name, &error))?;
        verdict::write(&mut out, entrant, &check)?;
        let remarks = match entrant.program.remarks() {
            // That it does not start is said above.
            Err(failure) if !failure.reason.is_arena_error() && !check.findings.is_empty() => {
                Vec::new()
            }
            remarks => remarks.map_err(|failure| without_remarks(&entrant.name, &failure))?,
        };
        for remark in remarks {
            writeln!(out, "  note: {}", printable(&remark))?;
        }
        if let Some(report) = &mut report {
            report.add(entrant, &check)?;
        }
        if !check.findings.is_empty() {
            outcome = Outcome::Barred;
        }
    }
    Ok(outcome)
}

/// What all bots of a check have in common.
struct Examiner<'a, G: TerminalGame> {
    rules: G::Rules,
    opponents: Vec<Arc<dyn Program<G>>>,
    positions: Vec<RarePosition<G>>,
    seed: &'a str,
    /// After how many failures of its process a bot is asked no more.
    patience: usize,
    /// Set by somebody else to end it early.
    stop: Option<&'a AtomicBool>,
    console: &'a Console,
}

impl<G: TerminalGame> Examiner<'_, G> {
    /// Qualifies a bot, with a live line that begins with `title`.
    ///
    /// # Errors
    /// If the bot could not be prepared or started.
    fn examine(&self, program: &Arc<dyn Program<G>>, games: u64, title: &str) -> io::Result<Check> {
        let progress = CheckProgress::new(title, self.console);
        let is_outside = program.is_outside();
        let trial = Trial {
            rules: self.rules,
            program,
            opponents: &self.opponents,
            games,
            positions: &self.positions,
            seed: self.seed,
            show: &|view| if is_outside { request::<G>(view) } else { format!("{view:?}") },
            patience: self.patience,
            progress: &|done| {
                progress.show(done);
                self.stop.is_none_or(|stop| !stop.load(Ordering::Relaxed))
            },
        };
        progress.expect(trial.steps());
        let check = dicehill_arena::check(&trial);
        progress.clear();
        check
    }
}

/// The request as a bot outside gets it, but for the ids.
fn request<G: TerminalGame>(view: &G::View<'_>) -> String {
    let mut line = Vec::new();
    G::write_turn(view, Ids { request: 1, game: 0 }, &mut line);
    String::from_utf8_lossy(&line).trim_end().to_owned()
}

/// What came of the qualification before a run.
pub(crate) struct Qualification {
    /// Who does not take part, in the order of the hill.
    pub(crate) bars: Vec<Bar>,
    /// What else is to be said, in lines.
    pub(crate) remarks: Vec<String>,
}

/// Qualifies everybody who plays, in a few games and all rare positions, so that trouble is found
/// before the run and not in the middle.
///
/// # Errors
/// If a bot could not be prepared or started.
pub(crate) fn qualify<G: TerminalGame>(
    hill: &Hill<G>,
    who: &dyn Fn(&BotName) -> bool,
    stop: &AtomicBool,
    console: &Console,
) -> io::Result<Qualification> {
    let examiner = Examiner {
        rules: hill.rules(),
        opponents: opponents::<G>(),
        positions: G::rare_positions(hill.rules()),
        seed: hill.seed(),
        // One failure is enough, and whoever is late once may be late each time.
        patience: 0,
        stop: Some(stop),
        console,
    };
    let mut qualification = Qualification { bars: Vec::new(), remarks: Vec::new() };
    let mut known: HashMap<String, Vec<Finding>> = HashMap::new();
    let strangers = hill.entrants().iter().filter(|entrant| !entrant.program.is_house());
    for Entrant { name, program, .. } in strangers.filter(|entrant| who(&entrant.name)) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let findings = match known.entry(program.identity()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let games =
                    if program.is_outside() { QUALIFYING_GAMES_OUTSIDE } else { QUALIFYING_GAMES };
                let check = examiner.examine(program, games, &format!("{name} qualifies"));
                unknown.insert(check.map_err(|error| not_started(name, &error))?.findings)
            }
        };
        qualification.judge::<G>(name, findings, hill.memory());
    }
    Ok(qualification)
}

/// Why nothing can be said of a bot beside its verdict.
fn without_remarks(name: &BotName, failure: &dicehill_arena::Failure) -> Failure {
    let (why, is_arena_error) = (failure.detail.clone(), failure.reason.is_arena_error());
    Failure::not_ready(name, NotReady { why, is_arena_error })
}

/// An error that names the bot.
fn not_started(name: &BotName, error: &io::Error) -> io::Error {
    io::Error::other(format!("{name}: {error}"))
}

impl Qualification {
    /// Takes the findings on one who wants to play.
    fn judge<G: TerminalGame>(&mut self, name: &BotName, findings: &[Finding], memory: Memory) {
        let bar = findings.iter().find_map(|finding| bar::<G>(name, finding));
        let verdict = if bar.is_some() { "does not qualify" } else { "plays, but" };
        let failed = findings.iter().filter(|one| matches!(one, Finding::Failed { .. }));
        let failed = failed.skip(usize::from(bar.is_some())).take(MOST_FINDINGS);
        self.remarks
            .extend(failed.map(|one| format!("{name} {verdict}: {}", describe_with_log(one))));
        if bar.is_none() && memory == Memory::Game {
            // It may play, but nobody can play its games again. Where a bot may remember, it may
            // answer in another way each time.
            let unrepeatable = |one: &&Finding| matches!(one, Finding::Unrepeatable { .. });
            let first = findings.iter().find(unrepeatable);
            self.remarks.extend(first.map(|one| format!("{name} {verdict}: {}", describe(one))));
        }
        self.bars.extend(bar);
    }
}

/// The bar for what was found, where the game bars at a first offence. What depends on the machine
/// as well, the clocks and the memory, is left to the run, which plays such games again.
fn bar<G: TerminalGame>(name: &BotName, finding: &Finding) -> Option<Bar> {
    let Finding::Failed { request, failure, .. } = finding else { return None };
    let bars_at_once = match G::CHALLENGE.barring {
        Barring::FirstOffence => true,
        Barring::Failures { .. } => false,
    };
    let is_its_own = match failure.reason {
        Reason::IllegalMove | Reason::MalformedAnswer | Reason::Crash | Reason::Flood => true,
        Reason::StartTimeout | Reason::MoveTimeout | Reason::Memory | Reason::ArenaError => false,
    };
    (bars_at_once && is_its_own).then(|| Bar {
        bot: name.to_string(),
        reason: failure.reason.name().to_owned(),
        game: 0,
        request: request.clone(),
        detail: format!("{}: {}", place(finding), failure.detail),
        log: failure.log.clone(),
        record: String::new(),
    })
}

fn opponents<G: TerminalGame>() -> Vec<Arc<dyn Program<G>>> {
    G::usual_field().into_iter().map(|bot| Arc::new(bot) as _).collect()
}

#[cfg(test)]
mod tests {
    use dicehill_arena::{Bot, Failure, HillDraft};
    use dicehill_rules::yahtzee::{Action, Category, View};

    use super::*;

    /// Fills the aces, whether they are free or not.
    struct OnlyAces;

    impl Program<Yahtzee> for OnlyAces {
        fn identity(&self) -> String {
            "test:only-aces@1".to_owned()
        }

        fn bot(&self) -> Box<dyn Bot<Yahtzee>> {
            Box::new(Self)
        }
    }

    impl Bot<Yahtzee> for OnlyAces {
        fn act(&mut self, _view: &View<'_>) -> Result<Action, Failure> {
            Ok(Action::Fill(Category::Aces))
        }
    }

    /// Where nobody reads anything.
    fn console() -> Console {
        Console::of_files(io::empty(), io::sink(), io::sink())
    }

    #[test]
    fn who_does_not_qualify_is_barred_before_a_run() {
        let terms = usual_terms::<Yahtzee>(Default::default());
        let cast = Cast::new(None, Default::default(), &console()).unwrap();
        let house = |name: &str| {
            let [mut bot] = cast
                .entrants::<Yahtzee>(&["dummy".to_owned()], terms)
                .unwrap()
                .try_into()
                .unwrap_or_else(|_| panic!("one bot"));
            bot.name = BotName::new(name).unwrap();
            bot
        };
        let culprit = |name| Entrant::new(BotName::new(name).unwrap(), Arc::new(OnlyAces) as _);
        let held = |entrants: Vec<Entrant<Yahtzee>>, memory| {
            let draft = HillDraft::challenge(entrants, "s");
            let hill = Hill::new(HillDraft { memory, ..draft }).unwrap();
            qualify(&hill, &|_| true, &AtomicBool::new(false), &console()).unwrap()
        };
        let clean = held(vec![house("A"), house("B")], Memory::Game);
        assert!(clean.bars.is_empty() && clean.remarks.is_empty(), "{:?}", clean.remarks);
        for memory in [Memory::Game, Memory::Set] {
            let entrants = vec![house("A"), culprit("C"), house("B"), culprit("D")];
            let Qualification { bars, remarks } = held(entrants, memory);
            let barred: Vec<_> = bars.iter().map(|bar| (bar.bot.as_str(), bar.game)).collect();
            assert_eq!(barred, [("C", 0), ("D", 0)]);
            assert_eq!(bars[0].reason, "illegal-move");
            let told = "game 1, answer 6: ACES: category ACES is already used";
            assert_eq!((bars[0].detail.as_str(), bars[0].record.as_str()), (told, ""));
            assert!(bars[0].request.contains("View"), "{}", bars[0].request);
            assert_eq!(remarks.len(), 2 * MOST_FINDINGS);
            assert!(remarks[0].starts_with("C does not qualify: game "), "{remarks:?}");
        }
    }
}
