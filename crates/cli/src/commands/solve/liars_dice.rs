//! `dicehill solve liars-dice`: the value of a round between two, and how it is played.

mod document;
mod excerpt;
mod report;
mod solved_round;
mod solver_run;
mod strategy_folder;

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_solver::liars_dice::{MatchValue, Round};
use serde::Serialize;

use self::document::{MatchDocument, RoundDocument};
use self::report::bracket_text;
use self::solved_round::MatchRound;
use self::solver_run::solve_round;
use crate::args::{SolveLiarsDiceArgs, TextFormat};
use crate::console::Console;
use crate::console::interrupt::stop_flag;
use crate::failure::{Failure, Outcome};

/// The dice on the table of a match.
const MATCH_DICE: u8 = 10;

pub(super) fn solve(args: &SolveLiarsDiceArgs, console: &Console) -> Result<Outcome, Failure> {
    let stop = stop_flag(console)?;
    if args.is_match {
        return solve_match(args, &stop, console);
    }
    let solved = solve_round(args, args.dice, &stop, console)?;
    let mut out = console.out();
    match args.format {
        TextFormat::Text => report::write(&solved, &mut out)?,
        TextFormat::Json => write_document(&RoundDocument::of(&solved), out.verbatim())?,
    }
    Ok(outcome(&stop))
}

fn solve_match(
    args: &SolveLiarsDiceArgs,
    stop: &Arc<AtomicBool>,
    console: &Console,
) -> Result<Outcome, Failure> {
    let mut rounds = Vec::new();
    for dice in 1..MATCH_DICE {
        let round = Round::new(dice, MATCH_DICE - dice);
        let round = round.map_err(|error| Failure::Usage(error.to_string()))?;
        let solved = solve_round(args, round, stop, console)?;
        console.report(format!(
            "  {dice},{}: {}",
            MATCH_DICE - dice,
            bracket_text(solved.bracket())
        ));
        rounds.push(MatchRound::of(&solved));
    }
    let brackets: Vec<_> = rounds.iter().map(|round| round.bracket).collect();
    let value = MatchValue::new(&brackets);
    let mut out = console.out();
    match args.format {
        TextFormat::Text => report::write_match(&rounds, &value, &mut out)?,
        TextFormat::Json => write_document(&MatchDocument::of(&rounds, &value), out.verbatim())?,
    }
    Ok(outcome(stop))
}

fn write_document(document: &impl Serialize, out: &mut impl Write) -> Result<(), Failure> {
    let document = serde_json::to_string(document).map_err(std::io::Error::from)?;
    Ok(writeln!(out, "{document}")?)
}

fn outcome(stop: &AtomicBool) -> Outcome {
    if stop.load(Ordering::Relaxed) { Outcome::Interrupted } else { Outcome::Done }
}
