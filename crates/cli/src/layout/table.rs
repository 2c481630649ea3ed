//! Tables for people: on terminals, where the least important columns make room for the others, in
//! files and pipes, and in Markdown.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::form::Form;
use super::printer::Printer;
use super::width::Width;
use super::words::{shortened, words, wrap};
use crate::text::{FAINT, escape_markdown, styled};

/// The width in files and pipes up to which gaps are wide, and at which texts are broken.
const USUAL_WIDTH: usize = 100;
/// The widest lines to which texts are extended.
const WIDEST: usize = 140;
/// The least widths to which columns of texts and of names are narrowed.
const MIN_TEXT: usize = 24;
const MIN_NAME: usize = 8;
/// The width below which texts are no column: they get the lines below the rest of their row.
const READABLE: usize = 36;
/// The indent of such lines.
const BELOW: &str = "    ";

/// The kind of a column's cells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Numbers, which are never broken.
    Number,
    /// Names, which are cut as a last resort.
    Name,
    /// Texts, which may be broken into lines.
    Text,
    /// Names that are Markdown already.
    Markup,
}

/// A column of a table.
#[derive(Clone)]
pub(crate) struct Column {
    heading: String,
    content: Content,
    /// Columns with high priorities are left out first, those without one never.
    priority: Option<u8>,
}

impl Column {
    /// A right-aligned column of numbers.
    pub(crate) fn number(heading: impl Into<String>) -> Self {
        Self::new(heading, Content::Number)
    }

    /// A column of short texts.
    pub(crate) fn name(heading: impl Into<String>) -> Self {
        Self::new(heading, Content::Name)
    }

    /// A column of long texts, in as many lines as they need. Their line breaks are kept.
    pub(crate) fn text(heading: impl Into<String>) -> Self {
        Self::new(heading, Content::Text)
    }

    /// A column of short texts that are Markdown already.
    pub(crate) fn markup(heading: impl Into<String>) -> Self {
        Self::new(heading, Content::Markup)
    }

    fn new(heading: impl Into<String>, content: Content) -> Self {
        Self { heading: heading.into(), content, priority: None }
    }

    /// Lets the column be left out where not all columns fit, before columns of lower priority numbers.
    pub(crate) fn priority(self, priority: u8) -> Self {
        Self { priority: Some(priority), ..self }
    }

    /// The lines of a cell in a column of this width.
    fn lines(&self, cell: &str, width: usize) -> Vec<String> {
        let lines = cell.lines().flat_map(|line| match self.content {
            Content::Text => wrap(line, width, 0),
            Content::Name => vec![shortened(line, width)],
            Content::Number | Content::Markup => vec![line.to_owned()],
        });
        lines.collect()
    }

    /// A cell in Markdown, on one line.
    fn in_markdown(&self, cell: &str) -> String {
        match self.content {
            // Numbers contain no markup.
            Content::Number | Content::Markup => cell.to_owned(),
            Content::Name | Content::Text => {
                let lines = cell.lines().map(|line| escape_markdown(line.trim_start()));
                lines.collect::<Vec<_>>().join("<br>")
            }
        }
    }

    fn aligned(&self, text: &str, width: usize) -> String {
        let blanks = " ".repeat(width.saturating_sub(text.width()));
        match self.content {
            Content::Number => format!("{blanks}{text}"),
            Content::Name | Content::Text | Content::Markup => format!("{text}{blanks}"),
        }
    }
}

/// A table.
pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    /// A cell may have several lines.
    pub(crate) rows: Vec<Vec<String>>,
    /// The option that shows all columns, such as `--format csv`.
    pub(crate) complete: &'static str,
}

/// A table as it is printed: the headings and its rows, each in one line or more, and a line that names the
/// omitted columns.
pub(crate) struct Printed {
    pub(crate) rows: Vec<String>,
    pub(crate) omitted: Option<String>,
}

/// The columns that are shown, with their widths and the gap between them.
struct Fit {
    shown: Vec<usize>,
    widths: Vec<usize>,
    gap: usize,
}

impl Fit {
    fn total(&self) -> usize {
        self.widths.iter().sum::<usize>() + self.gap * self.widths.len().saturating_sub(1)
    }
}

impl Table {
    /// Writes a list: a table that a wider terminal shows whole, or nothing if there are no rows.
    pub(crate) fn write_list<W: Write>(
        columns: Vec<Column>,
        rows: Vec<Vec<String>>,
        out: &mut Printer<W>,
    ) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        Self { columns, rows, complete: "a wider terminal" }.write(out, Form::Text)
    }

    /// Writes the table, and below it the names of omitted columns.
    pub(crate) fn write<W: Write>(&self, out: &mut Printer<W>, form: Form) -> io::Result<()> {
        match form {
            Form::Text => self.write_styled(out, |_, row| row.to_owned()),
            Form::Markdown => self.write_markdown(out.verbatim()),
        }
    }

    /// Writes the table with a style for each row by its number. The headings have number 0.
    pub(crate) fn write_styled<W: Write>(
        &self,
        out: &mut Printer<W>,
        style: impl Fn(usize, &str) -> String,
    ) -> io::Result<()> {
        let printed = self.printed(out.width());
        for (number, row) in printed.rows.iter().enumerate() {
            for line in row.lines() {
                writeln!(out, "{}", style(number, line))?;
            }
        }
        match printed.omitted {
            Some(omitted) => writeln!(out, "{}", styled(FAINT, omitted)),
            None => Ok(()),
        }
    }

    /// The table as it is printed within a width.
    pub(crate) fn printed(&self, width: Width) -> Printed {
        let mut fit = self.fit(width);
        self.widen_texts(&mut fit, width);
        if let Some(stacked) = self.stacked(&fit, width) {
            return stacked;
        }
        let rows = self.rows.iter().map(|row| self.row(row, &fit));
        let rows = std::iter::once(self.headings(&fit)).chain(rows).collect();
        Printed { rows, omitted: self.omitted(&fit, width) }
    }

    /// The table with its last column below the others; `None` if its texts are readable next to them, or left out.
    fn stacked(&self, fit: &Fit, width: Width) -> Option<Printed> {
        let Width::Columns(most) = width else { return None };
        let (last, others) = self.columns.split_last()?;
        if fit.shown.last() != Some(&others.len()) {
            return None;
        }
        let is_readable = fit.widths.last()? >= &READABLE.min(self.natural(others.len()));
        if last.content != Content::Text || others.is_empty() || is_readable {
            return None;
        }
        let rows = self.rows.iter().map(|row| row[..others.len()].to_vec()).collect();
        let others = Self { columns: others.to_vec(), rows, complete: self.complete };
        let Printed { rows, omitted } = others.printed(width);
        let texts = self.rows.iter().filter_map(|row| row.last());
        let texts = std::iter::once(&last.heading).chain(texts);
        let below = |(row, text): (String, &String)| {
            let room = most.saturating_sub(BELOW.len());
            let lines = text.lines().flat_map(|line| wrap(line, room, 0));
            lines.fold(row, |row, line| format!("{row}\n{BELOW}{line}"))
        };
        Some(Printed { rows: rows.into_iter().zip(texts).map(below).collect(), omitted })
    }

    /// Whether the column with this heading is left out within a width.
    pub(crate) fn omits(&self, heading: &str, width: Width) -> bool {
        let place = self.columns.iter().position(|column| column.heading == heading);
        place.is_some_and(|place| !self.fit(width).shown.contains(&place))
    }

    /// Whether all columns fit.
    pub(crate) fn is_complete(&self, width: Width) -> bool {
        self.fit(width).shown.len() == self.columns.len()
    }

    /// The most important columns that fit.
    fn fit(&self, width: Width) -> Fit {
        let all: Vec<_> = (0..self.columns.len()).collect();
        let Width::Columns(most) = width else {
            let wide = self.loose(&all, 2);
            return if wide.total() <= USUAL_WIDTH { wide } else { self.loose(&all, 1) };
        };
        let mut shown = all.clone();
        let fit = loop {
            if let Some(fit) = self.fit_of(&shown, most) {
                break fit;
            }
            match self.least_important(&shown) {
                Some(least) => shown.retain(|column| *column != least),
                None => return self.cut(&shown, most),
            }
        };
        self.filled(fit, &all, most)
    }

    /// Adds omitted columns for which there is room after all, the most important first.
    fn filled(&self, mut fit: Fit, all: &[usize], most: usize) -> Fit {
        let mut omitted: Vec<_> = all.iter().filter(|one| !fit.shown.contains(one)).collect();
        omitted.sort_by_key(|column| self.columns[**column].priority);
        for column in omitted {
            let mut shown = fit.shown.clone();
            shown.push(*column);
            shown.sort_unstable();
            fit = self.fit_of(&shown, most).unwrap_or(fit);
        }
        fit
    }

    /// These columns with the widest gaps and headings that fit; `None` if they do not fit at all.
    fn fit_of(&self, shown: &[usize], most: usize) -> Option<Fit> {
        let fits = [
            self.loose(shown, 2),
            self.loose(shown, 1),
            self.tight(shown, 2),
            self.tight(shown, 1),
        ];
        fits.into_iter().find(|fit| fit.total() <= most)
    }

    fn least_important(&self, shown: &[usize]) -> Option<usize> {
        let priority = |column: &usize| self.columns[*column].priority;
        let optional = shown.iter().copied().filter(|column| priority(column).is_some());
        optional.max_by_key(|column| (priority(column), *column))
    }

    /// The columns with headings in one line.
    fn loose(&self, shown: &[usize], gap: usize) -> Fit {
        let width = |column: &usize| self.least(*column).max(self.columns[*column].heading.width());
        Fit { shown: shown.to_vec(), widths: shown.iter().map(width).collect(), gap }
    }

    /// The columns with headings in as many lines as they have words.
    fn tight(&self, shown: &[usize], gap: usize) -> Fit {
        let width = |column: &usize| {
            let heading = &self.columns[*column].heading;
            self.least(*column).max(longest(words(heading)))
        };
        Fit { shown: shown.to_vec(), widths: shown.iter().map(width).collect(), gap }
    }

    /// The columns with names cut until they fit.
    fn cut(&self, shown: &[usize], most: usize) -> Fit {
        let mut fit = self.tight(shown, 1);
        let is_long = |fit: &Fit, place: usize| {
            let is_name = self.columns[fit.shown[place]].content == Content::Name;
            is_name && fit.widths[place] > MIN_NAME
        };
        while fit.total() > most {
            let names = (0..shown.len()).filter(|place| is_long(&fit, *place));
            let Some(longest) = names.max_by_key(|place| fit.widths[*place]) else { break };
            fit.widths[longest] -= 1;
        }
        fit
    }

    /// The least width for the cells of a column.
    fn least(&self, column: usize) -> usize {
        let natural = self.natural(column);
        match self.columns[column].content {
            Content::Number | Content::Name | Content::Markup => natural,
            Content::Text => {
                let texts = self.lines(column).flat_map(words);
                natural.min(longest(texts).clamp(MIN_TEXT, USUAL_WIDTH / 3))
            }
        }
    }

    /// The width at which each cell of a column has one line.
    fn natural(&self, column: usize) -> usize {
        self.lines(column).map(UnicodeWidthStr::width).max().unwrap_or(0)
    }

    fn lines(&self, column: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().flat_map(move |row| row[column].lines())
    }

    /// Shares the remaining room among columns of texts, except for a gap at the end.
    fn widen_texts(&self, fit: &mut Fit, width: Width) {
        let most = match width {
            Width::Columns(columns) => columns.min(WIDEST),
            Width::Unlimited => USUAL_WIDTH,
        };
        let is_text = |column: &usize| self.columns[*column].content == Content::Text;
        let mut narrow: Vec<_> =
            (0..fit.shown.len()).filter(|at| is_text(&fit.shown[*at])).collect();
        while fit.total() + fit.gap < most && !narrow.is_empty() {
            narrow.retain(|at| fit.widths[*at] < self.natural(fit.shown[*at]));
            if let Some(narrowest) = narrow.iter().min_by_key(|at| fit.widths[**at]) {
                fit.widths[*narrowest] += 1;
            }
        }
    }

    /// The lines of the headings, aligned at the bottom.
    fn headings(&self, fit: &Fit) -> String {
        let wrapped =
            |(column, width): (&usize, &usize)| wrap(&self.columns[*column].heading, *width, 0);
        let mut cells: Vec<_> = fit.shown.iter().zip(&fit.widths).map(wrapped).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for lines in &mut cells {
            lines.splice(..0, vec![String::new(); height - lines.len()]);
        }
        self.side_by_side(&cells, fit)
    }

    /// The lines of a row.
    fn row(&self, row: &[String], fit: &Fit) -> String {
        let cell =
            |(column, width): (&usize, &usize)| self.columns[*column].lines(&row[*column], *width);
        let cells: Vec<_> = fit.shown.iter().zip(&fit.widths).map(cell).collect();
        self.side_by_side(&cells, fit)
    }

    /// Joins the lines of cells into rows of columns.
    fn side_by_side(&self, cells: &[Vec<String>], fit: &Fit) -> String {
        let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let line = |number: usize| {
            let parts = cells.iter().zip(fit.shown.iter().zip(&fit.widths));
            let parts = parts.map(|(lines, (column, width))| {
                let text = lines.get(number).map_or("", String::as_str);
                self.columns[*column].aligned(text, *width)
            });
            parts.collect::<Vec<_>>().join(&" ".repeat(fit.gap)).trim_end().to_owned()
        };
        (0..height).map(line).collect::<Vec<_>>().join("\n")
    }

    /// The line that names omitted columns, and the option that shows all.
    fn omitted(&self, fit: &Fit, width: Width) -> Option<String> {
        let Width::Columns(width) = width else { return None };
        let omitted = (0..self.columns.len()).filter(|column| !fit.shown.contains(column));
        let mut names: Vec<_> = omitted.map(|one| self.columns[one].heading.as_str()).collect();
        names.dedup();
        let names = names.join(", ");
        let complete = self.complete;
        (!names.is_empty())
            .then(|| format!("Not shown at {width} columns: {names}; {complete} has all"))
    }

    fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let headings = self.columns.iter().map(|column| column.heading.clone()).collect();
        let escaped = |row: &Vec<String>| {
            self.columns.iter().zip(row).map(|(column, text)| column.in_markdown(text)).collect()
        };
        let rows: Vec<Vec<String>> = self.rows.iter().map(escaped).collect();
        let plain = Self { columns: self.columns.clone(), rows, complete: self.complete };
        let width = |(at, column): (usize, &Column)| plain.natural(at).max(column.heading.width());
        let widths: Vec<_> = plain.columns.iter().enumerate().map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = plain.columns.iter().zip(row).zip(&widths);
            let cells = cells.map(|((column, text), width)| column.aligned(text, *width));
            format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
        };
        writeln!(out, "{}", line(&headings))?;
        let rules = widths.iter().map(|width| "-".repeat(width + 2)).collect::<Vec<_>>();
        writeln!(out, "|{}|", rules.join("|"))?;
        plain.rows.iter().try_for_each(|row| writeln!(out, "{}", line(row)))
    }
}

fn longest<'a>(words: impl IntoIterator<Item = &'a str>) -> usize {
    words.into_iter().map(|word| word.trim_start_matches(' ').width()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
