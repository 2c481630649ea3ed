//! `dicehill analyze`: what the mistakes of bots in a recorded run cost.

mod coach;
mod estimate;
mod games;
mod liars_dice;
mod yahtzee;

use std::io::Write;
use std::num::NonZero;
use std::thread;

use dicehill_arena::printable_json;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Game, GameName};
use dicehill_store::{BrokenEnd, RunSource};

use self::coach::{Coach, Report};
use self::games::{Games, Rules};
use self::liars_dice::LiarsDiceCoach;
use self::yahtzee::YahtzeeCoach;
use crate::args::{AnalyzeArgs, AnalyzeFormat};
use crate::checks;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::layout::Form;
use crate::text::printable;

/// A run that was analysed.
struct Analysed<C: Coach> {
    /// The run as it is named in commands.
    run: String,
    rules: Rules<C>,
    /// Who has analysed it.
    coach: C,
    /// Those that have games which count.
    bots: Vec<Report<C>>,
}

pub(crate) fn analyze(args: &AnalyzeArgs, console: &Console) -> Result<Outcome, Failure> {
    let source = RunSource::open(&args.run, BrokenEnd::Refuse)?;
    match source.header().hill.game {
        GameName::Yahtzee => {
            checks::refuse_altered_games::<Yahtzee>(&source)?;
            analyze_by::<YahtzeeCoach>(&source, args, console)
        }
        GameName::LiarsDice => {
            checks::refuse_altered_games::<LiarsDice>(&source)?;
            analyze_by::<LiarsDiceCoach>(&source, args, console)
        }
    }
}

fn analyze_by<C: Coach>(
    source: &RunSource,
    args: &AnalyzeArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    let rules = rules::<C>(source)?;
    let names = names(source, args.bot.as_deref())?;
    let stop = interrupt::stop_flag(console)?;
    let games = Games::<C>::new(source, rules, &names, jobs(args.jobs));
    let Some(bots) = games.analyse(names, &stop, console)? else {
        console.tell("interrupted: the analysis is left");
        return Ok(Outcome::Interrupted);
    };
    if bots.is_empty() {
        return Err(source.error(None, "holds no game that counts").into());
    }
    let path = printable(&args.run.display().to_string());
    let run = shell_words::quote(&path).into_owned();
    let analysed = Analysed { run, rules, coach: games.into_coach(), bots };
    let mut out = console.out();
    match args.format {
        AnalyzeFormat::Text => C::write(&mut out, &analysed, Form::Text)?,
        AnalyzeFormat::Markdown => C::write(&mut out, &analysed, Form::Markdown)?,
        AnalyzeFormat::Json => {
            let document = C::document(&analysed);
            let json = printable_json(&document).map_err(std::io::Error::other)?;
            writeln!(out.verbatim(), "{json}")?;
        }
    }
    Ok(Outcome::Done)
}

/// The command that shows a game.
fn replay(run: &str, game: u64) -> String {
    format!("dicehill replay {run} {game}")
}

/// So many threads, or all cores.
pub(crate) fn jobs(named: Option<u16>) -> NonZero<usize> {
    let named = named.map(usize::from).and_then(NonZero::new);
    named.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN)
}

fn rules<C: Coach>(source: &RunSource) -> Result<Rules<C>, Failure> {
    let rules = &source.header().hill.rules;
    let unknown = || format!("rules = {rules:?}: unknown for {}", C::Game::NAME);
    Ok(C::Game::rules_named(rules).ok_or_else(|| source.error(Some(1), unknown()))?)
}

/// Whose decisions are looked at.
fn names(source: &RunSource, wanted: Option<&str>) -> Result<Vec<String>, Failure> {
    let names: Vec<_> =
        source.header().bots.iter().map(|bot| bot.name.as_str().to_owned()).collect();
    match wanted {
        None => Ok(names),
        Some(wanted) if names.iter().any(|name| name == wanted) => Ok(vec![wanted.to_owned()]),
        Some(wanted) => {
            let names = names.join(", ");
            Err(Failure::Usage(format!("--bot {wanted:?}: who plays in this run: {names}")))
        }
    }
}
