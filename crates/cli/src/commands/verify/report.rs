//! The report of a verification, printed as it proceeds.

use std::io::Write;

use dicehill_store::{CheckedStep, Finding, VerifiedPart};

use crate::console::Console;
use crate::failure::Failure;
use crate::layout::fitting_hashes;
use crate::text::{BAD, FAINT, GOOD, counted, printable, styled};

/// The most problems of one step that are shown.
const MAX_SHOWN: usize = 20;

/// The columns before a finding, and before the further lines of a long one.
const INDENT: usize = 9;

/// Prints each step on a line, with its problems below it.
pub(super) struct Report<'a> {
    problems: u64,
    /// Whether games lack their moves, so that nothing shows whether their scores are right.
    lacks_moves: bool,
    console: &'a Console,
}

impl<'a> Report<'a> {
    pub(super) const fn new(console: &'a Console) -> Self {
        Self { problems: 0, lacks_moves: false, console }
    }

    /// A step of the check that does not need the bots.
    pub(super) fn step_of_run(&mut self, step: &CheckedStep) -> Result<(), Failure> {
        match &step.finding {
            Finding::Holds(holds) => {
                self.step(step.name, &in_words(holds), &[])?;
                if let VerifiedPart::WithoutMoves(_) = holds {
                    self.lacks_moves = true;
                    self.skip(
                        "moves",
                        "not kept: dice and scores are as recorded and cannot be recomputed",
                    )?;
                }
                Ok(())
            }
            Finding::Skipped(why) => self.skip(step.name, why),
            Finding::Altered(problems) => {
                let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
                self.step(step.name, "", &problems)
            }
        }
    }

    /// A finished step: what holds, or all problems.
    pub(super) fn step(
        &mut self,
        name: &str,
        holds: &str,
        problems: &[String],
    ) -> Result<(), Failure> {
        self.problems += problems.len() as u64;
        let mut out = self.console.out();
        if problems.is_empty() {
            let holds = fitting_hashes(&printable(holds), INDENT, out.width());
            writeln!(out, "{}  {name}: {holds}", styled(GOOD, "holds  "))?;
            return Ok(());
        }
        writeln!(out, "{}  {name}", styled(BAD, "altered"))?;
        for problem in problems.iter().take(MAX_SHOWN) {
            writeln!(out, "         {}", printable(problem))?;
        }
        if problems.len() > MAX_SHOWN {
            writeln!(out, "         and {} more", problems.len() - MAX_SHOWN)?;
        }
        Ok(())
    }

    /// A step that cannot be carried out, with the reason.
    pub(super) fn skip(&self, name: &str, why: &str) -> Result<(), Failure> {
        self.remark("skipped", name, why)
    }

    /// A remark that is no problem.
    pub(super) fn note(&self, name: &str, what: &str) -> Result<(), Failure> {
        self.remark("note   ", name, what)
    }

    fn remark(&self, kind: &str, name: &str, what: &str) -> Result<(), Failure> {
        let mut out = self.console.out();
        writeln!(out, "{}  {name}: {}", styled(FAINT, kind), printable(what))?;
        Ok(())
    }

    /// Whether no problem has been found so far.
    pub(super) const fn is_clean(&self) -> bool {
        self.problems == 0
    }

    /// The result of the verification.
    pub(super) fn end(&self, games: u64) -> Result<(), Failure> {
        let games = counted(games, "game");
        let mut out = self.console.out();
        if self.is_clean() {
            let except = if self.lacks_moves { ", except their scores" } else { "" };
            writeln!(out, "\n{}: {games}{except}", styled(GOOD, "verified"))?;
        } else {
            let problems = counted(self.problems, "problem");
            writeln!(out, "\n{}: {problems} in a run of {games}", styled(BAD, "not verified"))?;
        }
        Ok(())
    }
}

fn in_words(holds: &VerifiedPart) -> String {
    match holds {
        VerifiedPart::Seal => "header, bars and everything else except the games".to_owned(),
        VerifiedPart::Files => "the copies of all bots' files".to_owned(),
        VerifiedPart::Pages(pages) => {
            format!("{}, each game's checksum with its times", counted(*pages, "page"))
        }
        VerifiedPart::Commitment(published) => {
            format!("the seed follows from {published}, the entrants and the public text")
        }
        VerifiedPart::Header(entrants) => counted(*entrants, "entrant"),
        VerifiedPart::Replayed(games) => {
            let games = counted(*games, "game");
            format!("{games} replayed: order, tables, seats, dice, moves and scores")
        }
        VerifiedPart::WithoutMoves(games) => {
            let games = counted(*games, "game");
            format!("{games}: order, tables and seats")
        }
        VerifiedPart::Reused(games) => {
            format!("{} of earlier runs of the hill", counted(*games, "game"))
        }
        VerifiedPart::Highlights(games) => counted(*games, "remarkable game"),
        VerifiedPart::Failures(failures) => counted(*failures, "failure"),
        VerifiedPart::Board(records) => {
            format!("recomputed, byte for byte the same; records {records}")
        }
    }
}
