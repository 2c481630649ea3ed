//! `dicehill analyze`: the losses of bots in a recorded run, and the habits behind them.

mod estimate;
mod liars_dice;
mod positions;
mod run_games;
mod text;
mod token_count;
mod transcript;
mod yahtzee;

use std::io::Write;

use dicehill_arena::printable_json;
use dicehill_coach::RunAnalysis;
use dicehill_store::{RunSource, TruncatedTail, did_you_mean};

use self::positions::save_positions;
use self::run_games::RunGames;
use self::text::AnalysisText;
use self::token_count::TokenCounts;
use crate::args::{AnalyzeArgs, AnalyzeFormat};
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::layout::Form;
use crate::recorded::checks;
use crate::text::printable;
use dicehill_rules::with_game;

pub(crate) fn analyze(args: &AnalyzeArgs, console: &Console) -> Result<Outcome, Failure> {
    let source = RunSource::open(&args.run, TruncatedTail::Refuse)?;
    with_game!(source.header().hill.game(), G => analyze_run::<G>(&source, args, console))
}

fn analyze_run<G: AnalysisText>(
    source: &RunSource,
    args: &AnalyzeArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    checks::refuse_altered_games::<G>(source)?;
    let rules = rules::<G>(source)?;
    let names = names(source, args.bot.as_deref())?;
    let stop = interrupt::stop_flag(console)?;
    let games = RunGames::<G>::new(source, rules, &names, args.jobs.threads());
    let seed = &source.header().seed;
    let tokens = transcript::tokens(&args.transcripts, seed, &names, source.count())?;
    let Some(bots) = games.analyze(names, &stop, console)? else {
        console.report("interrupted: there is no analysis");
        return Ok(Outcome::Interrupted);
    };
    if bots.is_empty() {
        return Err(source.error(None, "holds no game that counts").into());
    }
    let path = printable(&args.run.display().to_string());
    let run = shell_words::quote(&path).into_owned();
    let analysis = RunAnalysis::<G> { run, rules, model: games.into_model(), bots };
    if let (Some(path), Some(bot)) = (&args.save_positions, &args.bot) {
        save_positions(source, &analysis, bot, path, console)?;
    }
    print(&analysis, &tokens, args.format, console)?;
    Ok(Outcome::Done)
}

fn print<G: AnalysisText>(
    analysis: &RunAnalysis<G>,
    tokens: &TokenCounts,
    format: AnalyzeFormat,
    console: &Console,
) -> std::io::Result<()> {
    let mut out = console.out();
    match format {
        AnalyzeFormat::Text => text::write(analysis, tokens, &mut out, Form::Text),
        AnalyzeFormat::Markdown => text::write(analysis, tokens, &mut out, Form::Markdown),
        AnalyzeFormat::Json => {
            let document = transcript::with_tokens(analysis, tokens);
            let json = printable_json(&document).map_err(std::io::Error::other)?;
            writeln!(out.verbatim(), "{json}")
        }
    }
}

fn rules<G: AnalysisText>(source: &RunSource) -> Result<G::Rules, Failure> {
    let rules = &source.header().hill.terms.rules;
    let unknown = || format!("rules = {rules:?}: unknown for {}", G::NAME);
    Ok(G::rules_named(rules).ok_or_else(|| source.error(Some(1), unknown()))?)
}

/// The bots whose decisions are appraised.
fn names(source: &RunSource, wanted: Option<&str>) -> Result<Vec<String>, Failure> {
    let names: Vec<_> =
        source.header().bots.iter().map(|bot| bot.name.as_str().to_owned()).collect();
    match wanted {
        None => Ok(names),
        Some(wanted) if names.iter().any(|name| name == wanted) => Ok(vec![wanted.to_owned()]),
        Some(wanted) => {
            let (known, similar) = (names.join(", "), did_you_mean(wanted, &names));
            let message =
                format!("--bot {wanted:?}: not a bot of this run, whose bots are {known}{similar}");
            Err(Failure::Usage(message))
        }
    }
}
