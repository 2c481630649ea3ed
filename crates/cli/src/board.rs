//! Standings as tables: for people, for posts, for spreadsheets.

mod details;
pub(crate) mod luck;

use std::io::Write;

use dicehill_arena::{
    FigureSummary, Group, GroupResult, Interval, Lead, Placing, ResultDocument, Standing, Verdict,
    printable_json, six_digits,
};

use crate::args::{BoardFormat, Style};
use crate::failure::Failure;
use crate::layout::{Column, Form, Printer, Table};
use crate::text::{
    FAINT, STRONG, counted, escape_markdown, printable, spreadsheet_cell, styled, thousands,
};

/// Pairings whose results stand below a table.
const MOST_PAIRINGS: usize = 30;

/// Writes a result in the style that was asked for.
pub(crate) fn write<W: Write>(
    out: &mut Printer<W>,
    result: &ResultDocument,
    title: &str,
    style: Style,
) -> Result<(), Failure> {
    match style.format {
        BoardFormat::Table => {
            write_table(out, result, title)?;
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
        BoardFormat::Csv => write_csv(out.verbatim(), result)?,
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
    title: &str,
) -> std::io::Result<()> {
    writeln!(out, "{}  {}", styled(STRONG, title), styled(FAINT, conditions(result)))?;
    let named = |row: &Standing| by_author(row, row.bot.clone(), str::to_owned);
    table(result, Column::name("bot"), named).write(out, Form::Text)?;
    for note in notes(result) {
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
    table(result, Column::markup("bot"), named).write(out, Form::Markdown)?;
    let out = out.verbatim();
    writeln!(out)?;
    for note in notes(result) {
        writeln!(out, "{}  ", escape_markdown(&note))?;
    }
    writeln!(out, "{}, records {}", result.program, result.records)
}

/// What somebody must know to hold the same run again.
fn conditions(result: &ResultDocument) -> String {
    let mut parts = vec![result.format.to_owned(), format!("{} rules", result.rules)];
    if let Some(seats) = result.seats {
        parts.push(format!("tables of {seats}"));
    }
    if let Some(challenger) = &result.challenger {
        parts.push(format!("challenger {challenger}"));
    }
    let most = |verdict: &Verdict| format!("until {} sure, at most ", verdict.until);
    let most = result.verdict.as_ref().map_or_else(String::new, most);
    let games = format!("{most}{}", counted(result.games, "game"));
    parts.push(match &result.placing {
        Some(placing) => counted(placing.games, "game"),
        None if result.pairings.is_empty() => games,
        None => format!("{games} a pairing"),
    });
    if result.extra_games > 0 {
        parts.push(format!("{} to play off a tie", counted(result.extra_games, "game")));
    }
    if result.memory == "set" {
        parts.push("memory of the set".to_owned());
    }
    if !result.seed.is_empty() {
        parts.push(format!("seed {}", printable(&result.seed)));
    }
    parts.join(", ")
}

/// A column, and what it says of an entrant.
type Said<'a> = (Column, Box<dyn Fn(&Standing) -> String + 'a>);

/// The name, and who wrote the bot if that is known.
fn by_author(row: &Standing, name: String, escape: fn(&str) -> String) -> String {
    match &row.author {
        Some(author) => format!("{name} by {}", escape(author)),
        None => name,
    }
}

/// The name in Markdown, with a link to where one can read about the bot.
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
    let said = columns(result, (names, Box::new(named)));
    let cells = |row| said.iter().map(|(_, value)| value(row)).collect();
    let rows = rows(result).map(cells).collect();
    let columns = said.into_iter().map(|(column, _)| column).collect();
    Table { columns, rows, complete: "--format csv" }
}

/// All columns. Where not all fit, what is known of every game makes room for what is known of this
/// one, and that for who is how good.
fn columns<'a>(result: &'a ResultDocument, names: Said<'a>) -> Vec<Said<'a>> {
    let rank = |row: &Standing| row.rank.map_or("-".to_owned(), |rank| rank.to_string());
    let mut columns: Vec<Said<'_>> = vec![
        (Column::number("#"), Box::new(rank)),
        (Column::name(""), Box::new(|row| row.mark.clone())),
        names,
        (Column::number("points"), Box::new(|row| of_whole(row, thousands(row.points)))),
    ];
    if result.standings.iter().any(|row| row.votes.is_some_and(|votes| votes.votes != 0)) {
        let votes = |row: &Standing| row.votes.map_or(String::new(), |v| v.votes.to_string());
        let total = |row: &Standing| row.votes.map_or(String::new(), |v| thousands(v.total));
        columns.push((Column::number("votes").priority(4), Box::new(votes)));
        columns.push((Column::number("total"), Box::new(total)));
    }
    if result.standings.iter().any(|row| row.best.is_some()) {
        let best =
            |row: &Standing| row.best.map_or("-".into(), |best| format!("{} %", chance(best)));
        columns.push((Column::number("P(best)").priority(3), Box::new(best)));
    }
    columns.push((Column::number("win % (95 % CI)"), Box::new(win_rate)));
    if result.standings.iter().any(|row| row.rating.is_some()) {
        columns.push((Column::number("Elo ± 95 %").priority(2), Box::new(rating)));
    }
    columns.extend(figures(result));
    if result.start_value.is_some() {
        columns.push((Column::number("loss/game ± se").priority(5), Box::new(luck::lost)));
    }
    columns
}

/// The game's own columns. A mean says how a bot plays; of sums the first, which only count turns, make
/// room first.
fn figures(result: &ResultDocument) -> impl Iterator<Item = Said<'_>> {
    let figures = result.standings.first().map_or(&[][..], |row| row.figures.as_slice());
    (0..).zip(figures).map(|(index, (name, summary))| {
        let column = match summary {
            FigureSummary::Distribution(_) => {
                Column::number(format!("mean {name} ± se")).priority(1)
            }
            FigureSummary::Total(_) => Column::number(last_word(name)).priority(u8::MAX - index),
        };
        let cell = move |row: &Standing| of_whole(row, figure(&row.figures[usize::from(index)].1));
        (column, Box::new(cell) as _)
    })
}

/// A sum over the whole run, which an entrant that was placed since does not have.
fn of_whole(row: &Standing, sum: String) -> String {
    if row.placed.is_some() { "-".to_owned() } else { sum }
}

/// `gained` of `dice_gained`, which leaves room for other columns.
fn last_word(name: &str) -> String {
    name.rsplit('_').next().unwrap_or(name).to_owned()
}

fn win_rate(row: &Standing) -> String {
    rate_with_interval(row.win_rate, row.win_rate_ci95)
}

/// A chance in percent, never as a certainty.
pub(crate) fn chance(share: f64) -> String {
    match 100.0 * share {
        small if small < 0.1 => "<0.1".to_owned(),
        large if large > 99.9 => ">99.9".to_owned(),
        some if (1.0..99.0).contains(&some) => format!("{some:.0}"),
        extreme => format!("{extreme:.1}"),
    }
}

fn rating(row: &Standing) -> String {
    match (row.rating, row.rating_ci95) {
        (None, _) => "-".to_owned(),
        (Some(rating), None) => format!("{rating:+.0}"),
        (Some(rating), Some(interval)) => format!("{rating:+.0} ± {:.0}", interval.half_width()),
    }
}

fn rate_with_interval(rate: Option<f64>, interval: Option<Interval>) -> String {
    match (rate, interval) {
        (Some(rate), Some(Interval { low, high })) => {
            let [rate, low, high] = [rate, low, high].map(|share| 100.0 * share);
            format!("{rate:.2} ({low:.2}-{high:.2})")
        }
        _ => "-".to_owned(),
    }
}

fn figure(summary: &FigureSummary) -> String {
    match summary {
        FigureSummary::Total(total) => thousands(*total),
        FigureSummary::Distribution(None) => "-".to_owned(),
        FigureSummary::Distribution(Some(distribution)) => match distribution.se {
            Some(se) => format!("{:.2} ± {se:.2}", distribution.mean),
            None => format!("{:.2}", distribution.mean),
        },
    }
}

/// What to think of intervals where bots remember.
const DEPENDENT: &str =
    "Bots remember earlier games: intervals and chances hold only as far as games are independent.";

/// The rows of a table: of a placement those whom the newcomer has met.
fn rows(result: &ResultDocument) -> impl Iterator<Item = &Standing> {
    let is_shown =
        |row: &&Standing| result.placing.is_none() || row.games > 0 || row.barred.is_some();
    result.standings.iter().filter(is_shown)
}

/// Where a newcomer was placed, in words.
fn placing_note(placing: &Placing) -> String {
    let Placing { bot, rank, rank_ci95: [best, worst], among, games, .. } = placing;
    let range = format!("{best} to {worst} with 95 %");
    format!(
        "Placed: {bot} is number {rank} of {among} ({range}), after {}",
        counted(*games, "game")
    )
}

/// What stands below the table.
fn notes(result: &ResultDocument) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(result.placing.as_ref().map(placing_note));
    notes.extend(result.standings.iter().filter_map(|row| row.placed.as_ref()).map(placing_note));
    notes.extend(result.verdict.as_ref().map(|verdict| verdict_note(result, verdict)));
    match (&result.champion, result.tied.as_slice()) {
        (Some(champion), _) => notes.push(match result.champion_sure {
            Some(sure) => format!("Champion: {champion}, {} % sure", chance(sure)),
            None => format!("Champion: {champion}"),
        }),
        (None, []) => {}
        (None, tied) => notes.push(format!("No champion: {} are tied", tied.join(", "))),
    }
    if shares_a_mark(&result.standings) {
        notes.push("Who shares a letter cannot be told apart by these games (95 %).".to_owned());
    }
    if result.start_value.is_some() {
        notes.push(luck::NOTE.to_owned());
    }
    if result.dependent {
        notes.push(DEPENDENT.to_owned());
    }
    if result.standings.len() > 2 {
        notes.extend(pairing_notes(result));
    }
    for row in &result.standings {
        if let Some(bar) = &row.barred {
            let detail = printable(&bar.detail);
            notes.push(format!(
                "Barred: {} in game {}, {}: {detail}",
                row.bot, bar.game, bar.reason
            ));
        }
    }
    notes
}

/// Whether the run has found out what it was to find out, and after how many games.
fn verdict_note(result: &ResultDocument, verdict: &Verdict) -> String {
    let Verdict { until, decided, played, lead } = verdict;
    let played = counted(*played, "game");
    let lead = lead.as_ref().map_or_else(String::new, lead_note);
    if !decided {
        return format!("Not decided after {played} at {until}{lead}");
    }
    let others: Vec<_> =
        result.standings.iter().skip(1).filter(|row| row.barred.is_none()).collect();
    let what = match (&result.champion, &result.challenger, others.as_slice()) {
        (_, Some(challenger), _) => format!("{challenger} is told apart from each other"),
        (Some(best), None, [other]) => format!("{best} is better than {}", other.bot),
        (Some(best), None, _) => format!("{best} is better than each other"),
        (None, None, _) => unreachable!("a champion is what was decided"),
    };
    format!("{what}, decided after {played} at {until}{lead}")
}

/// The difference with its interval.
fn lead_note(Lead { bot, mean, interval: Interval { low, high }, .. }: &Lead) -> String {
    format!(": {bot} is ahead by {mean:.3} points a game ({low:.3} to {high:.3})")
}

/// How each pairing of a duel or gauntlet went.
fn pairing_notes(result: &ResultDocument) -> Vec<String> {
    let one = |result: &GroupResult| {
        format!("{} {}", result.bot, rate_with_interval(result.win_rate, result.win_rate_ci95))
    };
    let line = |group: &Group| {
        format!("  {}", group.results.iter().map(one).collect::<Vec<_>>().join(", "))
    };
    let played: Vec<_> = result.pairings.iter().filter(|pairing| pairing.games > 0).collect();
    let lines = played.iter().copied().take(MOST_PAIRINGS).map(line);
    let heading = (!played.is_empty()).then(|| "Pairings, win % (95 % CI):".to_owned());
    let left_out = played.len().saturating_sub(MOST_PAIRINGS);
    let rest = (left_out > 0).then(|| format!("  and {left_out} more in the result document"));
    heading.into_iter().chain(lines).chain(rest).collect()
}

fn shares_a_mark(rows: &[Standing]) -> bool {
    let letters: Vec<char> = rows.iter().flat_map(|row| row.mark.chars()).collect();
    letters.iter().enumerate().any(|(index, letter)| letters[..index].contains(letter))
}

fn write_csv(out: &mut impl Write, result: &ResultDocument) -> std::io::Result<()> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let mut headings: Vec<String> = [
        "game",
        "rank",
        "mark",
        "bot",
        "hash",
        "points",
        "votes",
        "total",
        "games",
        "wins",
        "win_rate",
        "win_rate_low",
        "win_rate_high",
        "rating",
        "rating_low",
        "rating_high",
        "best",
        "dependent",
        "barred_reason",
        "barred_game",
        "barred_detail",
        "author",
        "url",
    ]
    .map(str::to_owned)
    .into();
    let figures = result.standings.first().map_or(&[][..], |row| row.figures.as_slice());
    headings.extend(figures.iter().flat_map(|(name, summary)| figure_headings(name, summary)));
    if result.start_value.is_some() {
        headings.extend(luck::CSV_HEADINGS.map(str::to_owned));
    }
    csv.write_record(headings).map_err(std::io::Error::other)?;
    for row in &result.standings {
        csv.write_record(csv_record(result, row)).map_err(std::io::Error::other)?;
    }
    out.write_all(&csv.into_inner().map_err(std::io::Error::other)?)
}

fn csv_record(result: &ResultDocument, row: &Standing) -> Vec<String> {
    let bar = row.barred.as_ref();
    let interval = row.win_rate_ci95;
    let mut record = vec![
        result.game.clone(),
        optional(row.rank),
        row.mark.clone(),
        spreadsheet_cell(&row.bot),
        row.hash.clone(),
        row.points.to_string(),
        optional(row.votes.map(|votes| votes.votes)),
        optional(row.votes.map(|votes| votes.total)),
        row.games.to_string(),
        row.wins.to_string(),
        optional(row.win_rate.map(six_digits)),
        optional(interval.map(|interval| six_digits(interval.low))),
        optional(interval.map(|interval| six_digits(interval.high))),
        optional(row.rating.map(six_digits)),
        optional(row.rating_ci95.map(|interval| six_digits(interval.low))),
        optional(row.rating_ci95.map(|interval| six_digits(interval.high))),
        optional(row.best.map(six_digits)),
        result.dependent.to_string(),
        optional(bar.map(|bar| &bar.reason)),
        optional(bar.map(|bar| bar.game)),
        optional(bar.map(|bar| spreadsheet_cell(&bar.detail))),
        optional(row.author.as_deref().map(spreadsheet_cell)),
        optional(row.url.as_deref().map(spreadsheet_cell)),
    ];
    record.extend(row.figures.iter().flat_map(|(_, summary)| figure_values(summary)));
    record.extend(row.luck.iter().flat_map(luck::csv_values));
    record
}

fn figure_headings(name: &str, summary: &FigureSummary) -> Vec<String> {
    match summary {
        FigureSummary::Total(_) => vec![name.to_owned()],
        FigureSummary::Distribution(_) => {
            ["mean", "se", "sd", "min", "median", "max"].map(|part| format!("{name}_{part}")).into()
        }
    }
}

fn figure_values(summary: &FigureSummary) -> Vec<String> {
    match summary {
        FigureSummary::Total(total) => vec![total.to_string()],
        FigureSummary::Distribution(None) => vec![String::new(); 6],
        FigureSummary::Distribution(Some(figures)) => vec![
            six_digits(figures.mean).to_string(),
            optional(figures.se.map(six_digits)),
            optional(figures.sd.map(six_digits)),
            figures.min.to_string(),
            figures.median.to_string(),
            figures.max.to_string(),
        ],
    }
}

fn optional(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::chance;

    #[test]
    fn no_chance_is_a_certainty() {
        for (share, expected) in [
            (0.0, "<0.1"),
            (0.004, "0.4"),
            (0.01, "1"),
            (0.5, "50"),
            (0.974, "97"),
            (0.9899, "99"),
            (0.9951, "99.5"),
            (0.9995, ">99.9"),
            (1.0, ">99.9"),
        ] {
            assert_eq!(chance(share), expected);
        }
    }
}
