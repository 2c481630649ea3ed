//! The terms of a run that has not ended, for a post: it has no board yet.

use std::io::{self, Write};

use dicehill_arena::{FormatName, Memory};
use dicehill_store::{RunHeader, RunSource};

use crate::board::bar_note;
use crate::text::{counted, escape_markdown, printable, thousands};

/// Writes the terms of a run that has not ended, and how many of its games are stored.
pub(crate) fn write_unfinished_post(
    out: &mut impl Write,
    source: &RunSource,
    title: &str,
) -> io::Result<()> {
    let header = source.header();
    writeln!(out, "## {}\n\n**{title}**\n", escape_markdown(&header.hill.terms.name))?;
    for (fact, value) in facts(header, source) {
        writeln!(out, "- {fact}: {}", escape_markdown(&value))?;
    }
    let games = counted(source.count(), "game");
    writeln!(out, "\nThe run has not ended: {games} are stored.  ")?;
    for bar in source.bars() {
        let note = bar_note(&bar.bot, bar.game, &bar.reason, None);
        writeln!(out, "{}  ", escape_markdown(&note))?;
    }
    Ok(())
}

/// The facts from which the same run can be repeated, by name. The secret of its seed stays hidden until it has ended.
fn facts(header: &RunHeader, source: &RunSource) -> Vec<(&'static str, String)> {
    let terms = &header.hill.terms;
    let games = thousands(header.hill.games.unsigned_abs());
    let each = match terms.format {
        FormatName::Challenge => "",
        FormatName::Duel | FormatName::Gauntlet => " a pairing",
    };
    let mut facts = vec![
        ("format", terms.format.name().to_owned()),
        ("rules", terms.rules.clone()),
        ("games", format!("{games}{each}")),
        ("seed", printable(header.public_seed(false))),
        ("bots", header.bots.len().to_string()),
        ("program", header.program.clone()),
    ];
    let seats = terms.seats.map(|seats| ("seats", seats.to_string()));
    let memory = (terms.memory == Memory::Set).then(|| ("memory", "of the set".to_owned()));
    facts.extend([seats, memory].into_iter().flatten());
    facts.extend(source.number().map(|run| ("run", run.to_string())));
    facts
}
