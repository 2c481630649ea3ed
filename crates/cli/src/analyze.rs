//! `dicehill analyze`: what the mistakes of bots in a recorded run cost.

mod document;
mod games;
mod grid;
mod sections;

use std::io::Write;
use std::num::NonZero;
use std::thread;

use dicehill_arena::printable_json;
use dicehill_coach::yahtzee::BotReport;
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_rules::{Game, GameName};
use dicehill_store::{BrokenEnd, RunSource};

use self::games::Games;
use self::grid::Form;
use crate::args::{AnalyzeArgs, AnalyzeFormat};
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::text::{printable, tell};

/// A run that was analysed.
struct Analysed {
    /// The run as it is named in commands.
    run: String,
    rules: YahtzeeRules,
    /// The score that the best play gets on average.
    start: f64,
    /// Those that have games which count.
    bots: Vec<BotReport>,
}

pub(crate) fn analyze(args: &AnalyzeArgs) -> Result<Outcome, Failure> {
    let source = RunSource::open(&args.run, BrokenEnd::Refuse)?;
    let rules = rules(&source)?;
    let names = names(&source, args.bot.as_deref())?;
    let stop = interrupt::stop_flag()?;
    let games = Games::new(&source, rules, &names, jobs(args.jobs));
    let Some(mut bots) = games.analyse(names, &stop)? else {
        tell("interrupted: the analysis is left");
        return Ok(Outcome::Interrupted);
    };
    bots.retain(|bot| bot.games > 0);
    if bots.is_empty() {
        return Err(source.error(None, "holds no game that counts").into());
    }
    let path = printable(&args.run.display().to_string());
    let run = shell_words::quote(&path).into_owned();
    let analysed = Analysed { run, rules, start: games.start(), bots };
    let mut out = anstream::stdout().lock();
    match args.format {
        AnalyzeFormat::Text => sections::write(&mut out, &analysed, Form::of_this_terminal())?,
        AnalyzeFormat::Markdown => sections::write(&mut out, &analysed, Form::Markdown)?,
        AnalyzeFormat::Json => {
            let document = document::document(&analysed);
            let json = printable_json(&document).map_err(std::io::Error::other)?;
            writeln!(out, "{json}")?;
        }
    }
    Ok(Outcome::Done)
}

/// So many threads, or all cores.
pub(crate) fn jobs(named: Option<u16>) -> NonZero<usize> {
    let named = named.map(usize::from).and_then(NonZero::new);
    named.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN)
}

fn rules(source: &RunSource) -> Result<YahtzeeRules, Failure> {
    let hill = &source.header().hill;
    match hill.game {
        GameName::Yahtzee => {}
        GameName::LiarsDice => {
            let message = "is a run of Liar's Dice; analyze knows Yahtzee";
            return Err(source.error(None, message).into());
        }
    }
    let unknown = || format!("rules = {:?}: unknown for {}", hill.rules, Yahtzee::NAME);
    Ok(Yahtzee::rules_named(&hill.rules).ok_or_else(|| source.error(Some(1), unknown()))?)
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
