//! An analysis for people: what all games share of it.

use std::io::{self, Write};

use dicehill_coach::{AnalyzedGame, BotCounts, Report, RunAnalysis};

use super::token_count::TokenCounts;
use super::transcript;
use crate::games::TerminalGame;
use crate::layout::{Form, Printer, Section, Width};
use crate::text::counted;

/// A game whose analysis can be written for people.
pub(super) trait AnalysisText: AnalyzedGame + TerminalGame {
    /// What losses are counted in.
    const LOSS_UNIT: &'static str;

    /// The facts in the title of the analysis.
    fn facts(analysis: &RunAnalysis<Self>) -> String;

    /// The table that compares the bots.
    fn overview(bots: &[Report<Self>]) -> Section;

    /// The lines on a bot.
    fn lines(analysis: &RunAnalysis<Self>, bot: &Report<Self>) -> Vec<String>;

    /// The tables on a bot, for an output of this width. Those without rows are left out.
    fn sections(analysis: &RunAnalysis<Self>, bot: &Report<Self>, width: Width) -> Vec<Section>;
}

/// Writes the whole analysis.
pub(super) fn write<G: AnalysisText>(
    analysis: &RunAnalysis<G>,
    tokens: &TokenCounts,
    out: &mut Printer<impl Write>,
    form: Form,
) -> io::Result<()> {
    // It is a word of a command line.
    let run = shell_words::split(&analysis.run).unwrap_or_default().concat();
    form.title(out, &format!("Analysis of {run}"), &G::facts(analysis))?;
    if analysis.bots.len() > 1 {
        G::overview(&analysis.bots).write(out, form)?;
    }
    for bot in &analysis.bots {
        writeln!(out)?;
        write_bot(analysis, bot, tokens, out, form)?;
    }
    writeln!(out)?;
    G::NOTES.iter().try_for_each(|note| form.line(out, note))
}

fn write_bot<G: AnalysisText>(
    analysis: &RunAnalysis<G>,
    bot: &Report<G>,
    tokens: &TokenCounts,
    out: &mut Printer<impl Write>,
    form: Form,
) -> io::Result<()> {
    let counts = G::counts(bot);
    let BotCounts { name, games, decisions, mistakes, .. } = counts;
    let decisions = counted(decisions, "decision");
    let mistakes = counted(mistakes, "mistake");
    form.title(out, name, &format!("{}, {decisions}, {mistakes}", counted(games, "game")))?;
    for line in G::lines(analysis, bot) {
        form.line(out, &line)?;
    }
    if let Some(tokens) = tokens.get(name) {
        form.line(out, &transcript::line(*tokens, &counts, G::LOSS_UNIT))?;
    }
    let sections = G::sections(analysis, bot, out.width());
    let mut sections = sections.iter().filter(|section| !section.is_empty());
    sections.try_for_each(|section| section.write(out, form))
}
