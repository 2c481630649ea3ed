//! Standings as tables: for people, for posts, for spreadsheets.

mod cells;
mod columns;
mod csv_board;
mod details;
mod luck;
mod notes;
mod progress;

use std::io::Write;

use dicehill_arena::{
    FormatName, Memory, ResultDocument, Standing, StoppingReport, printable_json,
};

use self::columns::columns;
use self::notes::notes;
use crate::args::{BoardFormat, Style};
use crate::failure::Failure;
use crate::layout::{Column, Form, Printer, Table};
use crate::text::{FAINT, STRONG, counted, escape_markdown, printable, styled};
pub(crate) use cells::plus_minus;
pub(crate) use notes::bar_note;
pub(crate) use progress::{MeanLoss, RunOfBot, write_progress};

/// Writes a result in the given style.
pub(crate) fn write<W: Write>(
    out: &mut Printer<W>,
    result: &ResultDocument,
    title: &str,
    style: Style,
) -> Result<(), Failure> {
    match style.format {
        BoardFormat::Table => {
            write_table(out, result, (title, style.public))?;
            if style.details {
                details::write(out, result, Form::Text)?;
            }
        }
        BoardFormat::Markdown => {
            write_markdown(out, result, title)?;
            if style.details {
                details::write(out, result, Form::Markdown)?;
            }
        }
        BoardFormat::Csv => csv_board::write(out.verbatim(), result)?,
        BoardFormat::Json => {
            let json = printable_json(result).map_err(std::io::Error::other)?;
            writeln!(out.verbatim(), "{json}")?;
        }
    }
    Ok(())
}

fn write_table<W: Write>(
    out: &mut Printer<W>,
    result: &ResultDocument,
    (title, is_public): (&str, bool),
) -> std::io::Result<()> {
    writeln!(out, "{}  {}", styled(STRONG, title), styled(FAINT, conditions(result)))?;
    let named = |row: &Standing| by_author(row, row.bot.clone(), str::to_owned);
    let table = table(result, Column::name("bot"), named);
    if has_table(result) {
        table.write(out, Form::Text)?;
    }
    let shows_loss = has_table(result) && !table.omits(luck::LOSS, out.width());
    for note in notes(result, shows_loss, is_public) {
        writeln!(out, "{note}")?;
    }
    Ok(())
}

fn write_markdown<W: Write>(
    out: &mut Printer<W>,
    result: &ResultDocument,
    title: &str,
) -> std::io::Result<()> {
    let conditions = escape_markdown(&conditions(result));
    writeln!(out.verbatim(), "**{title}**, {conditions}\n")?;
    let named = |row: &Standing| by_author(row, linked(row), escape_markdown);
    if has_table(result) {
        table(result, Column::markup("bot"), named).write(out, Form::Markdown)?;
        writeln!(out.verbatim())?;
    }
    let out = out.verbatim();
    for note in notes(result, true, true) {
        writeln!(out, "{}  ", escape_markdown(&note))?;
    }
    writeln!(out, "{}, records {}", result.program, result.records)
}

/// Whether the board has a table. If every bot is barred, it would have zeros only, and the notes say why.
fn has_table(result: &ResultDocument) -> bool {
    result.standings.iter().any(|row| row.barred.is_none() || row.games > 0)
}

/// The facts from which the same run can be repeated.
fn conditions(result: &ResultDocument) -> String {
    let terms = &result.terms;
    let mut parts = vec![terms.format.name().to_owned(), format!("{} rules", terms.rules)];
    if let Some(seats) = terms.seats {
        parts.push(format!("tables of {seats}"));
    }
    if let Some(challenger) = &terms.challenger {
        parts.push(format!("challenger {challenger}"));
    }
    let most = |verdict: &StoppingReport| format!("until {} sure, at most ", verdict.until);
    let most = result.verdict.as_ref().map_or_else(String::new, most);
    let games = format!("{most}{}", counted(result.games, "game"));
    parts.push(match &result.placing {
        Some(_) => counted(result.placement().map_or(0, |found| found.games), "game"),
        None if terms.format == FormatName::Challenge => games,
        None => format!("{games} a pairing"),
    });
    if result.extra_games > 0 {
        parts.push(format!("{} to play off a tie", counted(result.extra_games, "game")));
    }
    if terms.memory == Memory::Set {
        parts.push("memory of the set".to_owned());
    }
    if let Some(seed) = &terms.seed {
        parts.push(format!("seed {}", printable(seed)));
    }
    parts.join(", ")
}

/// The name, with a mark if the bot may use the network or is remote, and with its author if that is known.
fn by_author(row: &Standing, name: String, escape: fn(&str) -> String) -> String {
    let name = match (row.own_terms.remote, row.own_terms.network) {
        (true, _) => format!("{name} (remote)"),
        (false, true) => format!("{name} (network)"),
        (false, false) => name,
    };
    match &row.author {
        Some(author) => format!("{name} by {}", escape(author)),
        None => name,
    }
}

/// The name in Markdown, with a link to the bot's page if it has one.
fn linked(row: &Standing) -> String {
    let name = escape_markdown(&row.bot);
    let is_link = |url: &&String| {
        let plain = |c: char| c.is_ascii_graphic() && !"()<>|\\\"`^{}".contains(c);
        (url.starts_with("https://") || url.starts_with("http://")) && url.chars().all(plain)
    };
    match row.url.as_ref().filter(is_link) {
        Some(url) => format!("[{name}]({url})"),
        None => name,
    }
}

/// The table, with the entrants in the column `names` as `named` names them.
fn table(result: &ResultDocument, names: Column, named: fn(&Standing) -> String) -> Table {
    let columns = columns(result, (names, Box::new(named)));
    let cells = |row| columns.iter().map(|(_, value)| value(row)).collect();
    let rows = rows(result).into_iter().map(cells).collect();
    let columns = columns.into_iter().map(|(column, _)| column).collect();
    // A CSV file has one game; the challenges may play both.
    Table { columns, rows, complete: "--format json" }
}

/// The rows of the table; of a placement, the new entrant and below it those that played against it.
fn rows(result: &ResultDocument) -> Vec<&Standing> {
    let Some(placing) = &result.placing else { return result.standings.iter().collect() };
    let has_met = |row: &&Standing| row.games > 0 || row.barred.is_some();
    let mut rows: Vec<_> = result.standings.iter().filter(has_met).collect();
    rows.sort_by_key(|row| row.bot != placing.bot);
    rows
}
