//! `dicehill check`: qualifies bots.

use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;

use dicehill_arena::{Check, Entrant, Finding, Hill, Memory, Program};
use dicehill_rules::GameName;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;

use crate::args::CheckArgs;
use crate::bot_spec::{Cast, usual_terms};
use crate::failure::{Failure, Outcome};
use crate::terminal_game::TerminalGame;
use crate::text::{BAD, GOOD, counted, printable, styled};

/// Games in which everybody is qualified before a run.
const QUALIFYING_GAMES: u64 = 10;
/// Findings that are printed of one bot.
const MOST_FINDINGS: usize = 10;

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
    let opponents = opponents::<G>();
    let mut out = anstream::stdout().lock();
    let mut outcome = Outcome::Done;
    let cast = Cast::new(args.logs.as_deref())?;
    let entrants = cast.entrants::<G>(&args.bots, usual_terms::<G>(rules))?;
    for Entrant { name, program, .. } in entrants {
        let games = u64::from(args.games);
        let check = dicehill_arena::check(rules, &program, &opponents, games, &args.seed);
        report(&mut out, name.as_str(), &check)?;
        if !check.findings.is_empty() {
            outcome = Outcome::Barred;
        }
    }
    Ok(outcome)
}

/// Qualifies everybody who plays, in a few games each, so that trouble is seen before the run and
/// not in the middle: a line for each finding. The run judges for itself.
pub(crate) fn unqualified<G: TerminalGame>(hill: &Hill<G>) -> Vec<String> {
    let mut lines = Vec::new();
    if hill.memory() == Memory::Set {
        return lines; // There a bot may remember, and so answer in another way each time.
    }
    let opponents = opponents::<G>();
    let mut known = HashSet::new();
    for Entrant { name, program, .. } in hill.entrants() {
        if known.insert(program.identity()) {
            let games = QUALIFYING_GAMES;
            let check =
                dicehill_arena::check(hill.rules(), program, &opponents, games, hill.seed());
            let findings = check.findings.iter().take(MOST_FINDINGS);
            lines.extend(findings.map(|one| format!("{name} does not qualify: {}", describe(one))));
        }
    }
    lines
}

fn opponents<G: TerminalGame>() -> Vec<Arc<dyn Program<G>>> {
    G::house_bots().into_iter().map(|bot| Arc::new(bot) as _).collect()
}

fn report(out: &mut impl Write, name: &str, check: &Check) -> std::io::Result<()> {
    let played = format!("{}, {}", counted(check.games, "game"), counted(check.answers, "answer"));
    if check.findings.is_empty() {
        let verdict = styled(GOOD, "qualified");
        let same = "all legal and the same when played again";
        return writeln!(out, "{name}: {verdict}: {played}, {same}");
    }
    let count = counted(check.findings.len() as u64, "finding");
    writeln!(out, "{name}: {}: {played}, {count}", styled(BAD, "not qualified"))?;
    for finding in check.findings.iter().take(MOST_FINDINGS) {
        writeln!(out, "  {}", describe(finding))?;
    }
    if check.findings.len() > MOST_FINDINGS {
        writeln!(out, "  and {} more", check.findings.len() - MOST_FINDINGS)?;
    }
    Ok(())
}

fn describe(finding: &Finding) -> String {
    match finding {
        Finding::Failed { game, answer, position, failure } => {
            let failure = printable(&failure.to_string());
            format!("game {game}, answer {answer}: {failure}\n    shown: {}", printable(position))
        }
        Finding::Unrepeatable { game, answer, first, again } => {
            let (first, again) = (printable(first), printable(again));
            format!("game {game}, answer {answer}: not repeatable: first {first}, then {again}")
        }
    }
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
            unqualified(&Hill::new(HillDraft { memory, ..draft }).unwrap())
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
