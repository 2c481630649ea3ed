//! `dicehill check`: qualifies bots.

use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_arena::{Check, Entrant, Finding, Hill, Memory, Program, RarePosition, Trial};
use dicehill_link::Ids;
use dicehill_rules::GameName;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;

use crate::args::CheckArgs;
use crate::bot_spec::{Cast, usual_terms};
use crate::check_report::CheckReport;
use crate::failure::{Failure, Outcome};
use crate::progress::CheckProgress;
use crate::terminal_game::TerminalGame;
use crate::text::printable;
use crate::verdict::{self, MOST_FINDINGS, describe};

/// Games in which a house bot is qualified before a run.
const QUALIFYING_GAMES: u64 = 10;
/// Games in which a program outside is: each starts a process, and a short run is not to take twice
/// as long.
const QUALIFYING_GAMES_OUTSIDE: u64 = 4;

/// A bot whose process fails more often is not asked any further: each failure may have taken as
/// long as the clock allows.
const PATIENCE: usize = 5;

pub(crate) fn check(args: &CheckArgs) -> Result<Outcome, Failure> {
    match args.game {
        GameName::Yahtzee => check_game::<Yahtzee>(args),
        GameName::LiarsDice => check_game::<LiarsDice>(args),
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

fn check_game<G: TerminalGame>(args: &CheckArgs) -> Result<Outcome, Failure> {
    let rules = rules::<G>(args.rules.as_deref())?;
    let cast = Cast::new(args.logs.as_deref())?.with_limits_of_hills();
    let mut report = args.report.as_deref().map(CheckReport::create).transpose()?;
    let entrants = cast.entrants::<G>(&args.bots, usual_terms::<G>(rules))?;
    let examiner = Examiner {
        rules,
        opponents: opponents::<G>(),
        positions: G::rare_positions(rules),
        seed: &args.seed,
        patience: PATIENCE,
        stop: None,
    };
    let mut out = anstream::stdout().lock();
    let mut outcome = Outcome::Done;
    for (index, entrant) in entrants.iter().enumerate() {
        let title = format!("{} ({} of {})", entrant.name, index + 1, entrants.len());
        let check = examiner.examine(&entrant.program, u64::from(args.games), &title);
        verdict::write(&mut out, entrant, &check)?;
        for remark in entrant.program.remarks().map_err(Failure::Usage)? {
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
}

impl<G: TerminalGame> Examiner<'_, G> {
    /// Qualifies a bot, with a live line that begins with `title`.
    fn examine(&self, program: &Arc<dyn Program<G>>, games: u64, title: &str) -> Check {
        let progress = CheckProgress::new(title);
        let is_outside = is_outside(program);
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

/// Whether the program runs in a process of its own.
pub(crate) fn is_outside<G: TerminalGame>(program: &Arc<dyn Program<G>>) -> bool {
    program.server().is_some()
}

/// The request as a bot outside gets it, but for the ids.
fn request<G: TerminalGame>(view: &G::View<'_>) -> String {
    let mut line = Vec::new();
    G::write_turn(view, Ids { request: 1, game: 0 }, &mut line);
    String::from_utf8_lossy(&line).trim_end().to_owned()
}

/// Qualifies everybody who plays, in a few games each, so that trouble is seen before the run and
/// not in the middle: a line for each finding. The run judges for itself.
pub(crate) fn unqualified<G: TerminalGame>(hill: &Hill<G>, stop: &AtomicBool) -> Vec<String> {
    let mut lines = Vec::new();
    if hill.memory() == Memory::Set {
        return lines; // There a bot may remember, and so answer in another way each time.
    }
    let examiner = Examiner {
        rules: hill.rules(),
        opponents: opponents::<G>(),
        positions: Vec::new(),
        seed: hill.seed(),
        // The run finds out the rest, and whoever is late once may be late each time.
        patience: 0,
        stop: Some(stop),
    };
    let mut known = HashSet::new();
    for Entrant { name, program, .. } in hill.entrants() {
        if !stop.load(Ordering::Relaxed) && known.insert(program.identity()) {
            let games =
                if is_outside(program) { QUALIFYING_GAMES_OUTSIDE } else { QUALIFYING_GAMES };
            let check = examiner.examine(program, games, &format!("{name} qualifies"));
            let failed = check.findings.iter().filter(|one| matches!(one, Finding::Failed { .. }));
            let failed = failed.take(MOST_FINDINGS);
            lines.extend(failed.map(|one| format!("{name} does not qualify: {}", describe(one))));
            // It may play, but nobody can play its games again.
            let unrepeatable = |one: &&Finding| matches!(one, Finding::Unrepeatable { .. });
            let first = check.findings.iter().find(unrepeatable);
            lines.extend(first.map(|one| format!("{name} plays, but: {}", describe(one))));
        }
    }
    lines
}

fn opponents<G: TerminalGame>() -> Vec<Arc<dyn Program<G>>> {
    G::house_bots().into_iter().map(|bot| Arc::new(bot) as _).collect()
}

#[cfg(test)]
mod tests {
    use dicehill_arena::{Bot, BotName, Failure, HillDraft};
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

    #[test]
    fn trouble_is_seen_before_a_run() {
        let name = BotName::new("Culprit").unwrap();
        let terms = usual_terms::<Yahtzee>(Default::default());
        let cast = Cast::new(None).unwrap();
        let house = || cast.entrants::<Yahtzee>(&["dummy".to_owned()], terms).unwrap();
        let held = |culprit: Option<Entrant<Yahtzee>>, memory| {
            let entrants =
                house().into_iter().chain(culprit).chain(house().into_iter().map(|mut e| {
                    e.name = BotName::new("other").unwrap();
                    e
                }));
            let draft = HillDraft::challenge(entrants.collect(), "s");
            let hill = Hill::new(HillDraft { memory, ..draft }).unwrap();
            unqualified(&hill, &AtomicBool::new(false))
        };
        let culprit = || Some(Entrant::new(name.clone(), Arc::new(OnlyAces)));
        assert_eq!(held(None, Memory::Game), Vec::<String>::new());
        assert_eq!(held(culprit(), Memory::Set), Vec::<String>::new());
        let lines = held(culprit(), Memory::Game);
        assert_eq!(lines.len(), QUALIFYING_GAMES as usize);
        let told = |line: &String| {
            line.starts_with("Culprit does not qualify: game ")
                && line.contains("ACES: category ACES is already used")
                && line.contains("shown: View")
        };
        assert!(lines.iter().all(told), "{lines:?}");
    }
}
