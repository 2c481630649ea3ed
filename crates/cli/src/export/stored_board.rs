//! The board of a stored run from its result document. Older documents lack some fields, which are left out.

use std::io::{self, Write};

use dicehill_arena::{Bar, Bounds, EloRating, FormatName, Memory};
use dicehill_store::{RunHeader, RunSource};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::board::{
    GROUP_NOTE, LOSS_NOTE, bar_note, champion_note, chance, elo, has_shared_group, mean_with_error,
    no_game_note,
};
use crate::text::{counted, escape_markdown, printable, thousands};

/// The board of a run, with the facts about it.
pub(crate) struct StoredBoard {
    pub(crate) name: String,
    /// The facts from which the same run can be repeated, by name.
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) headings: Vec<String>,
    pub(crate) rows: Vec<BoardRow>,
    pub(crate) notes: Vec<String>,
    pub(crate) bars: Vec<Bar>,
}

/// An entrant's row: a cell for each heading, of which the third is the bot's name.
pub(crate) struct BoardRow {
    pub(crate) cells: Vec<String>,
}

/// The index of the column of names.
pub(crate) const BOT: usize = 2;

/// The keys of a result document that a board shows. The document itself may be longer than the memory.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ResultKeys {
    standings: Value,
    challenger: Value,
    extra_games: Value,
    records: Value,
    tied: Value,
    champion: Value,
    champion_sure: Value,
    start_value: Value,
}

impl From<ResultKeys> for Value {
    fn from(keys: ResultKeys) -> Self {
        json!({
            "standings": keys.standings,
            "challenger": keys.challenger,
            "extra_games": keys.extra_games,
            "records": keys.records,
            "tied": keys.tied,
            "champion": keys.champion,
            "champion_sure": keys.champion_sure,
            "start_value": keys.start_value,
        })
    }
}

impl StoredBoard {
    pub(crate) fn of(source: &RunSource) -> Self {
        let header = source.header();
        let keys: Option<ResultKeys> = source.result_keys();
        let result = Value::from(keys.unwrap_or_default());
        let standings = list(&result, "standings");
        let columns = columns(standings);
        let row = |row: &Value| BoardRow {
            cells: columns.iter().map(|column| (column.value)(row)).collect(),
        };
        Self {
            name: header.hill.terms.name.clone(),
            facts: facts(header, source, &result),
            headings: columns.iter().map(|column| column.heading.clone()).collect(),
            rows: standings.iter().map(row).collect(),
            notes: notes(source, &result),
            bars: source.bars().to_vec(),
        }
    }

    /// Writes the board for a post.
    pub(crate) fn write_markdown(&self, out: &mut impl Write, title: &str) -> io::Result<()> {
        let name = escape_markdown(&self.name);
        writeln!(out, "# {name}\n\n{title}\n")?;
        for (fact, value) in &self.facts {
            writeln!(out, "- {fact}: {}", escape_markdown(value))?;
        }
        if !self.rows.is_empty() {
            self.write_markdown_table(out)?;
        }
        writeln!(out)?;
        for note in &self.notes {
            writeln!(out, "{}  ", escape_markdown(note))?;
        }
        for bar in &self.bars {
            let note = bar_note(&bar.bot, bar.game, &bar.reason, &bar.detail);
            writeln!(out, "{}  ", escape_markdown(&note))?;
        }
        Ok(())
    }

    fn write_markdown_table(&self, out: &mut impl Write) -> io::Result<()> {
        let headings: Vec<_> = self.headings.iter().map(|text| escape_markdown(text)).collect();
        let rules =
            (0..self.headings.len()).map(|column| if is_left(column) { "---" } else { "--:" });
        writeln!(out, "\n| {} |", headings.join(" | "))?;
        writeln!(out, "| {} |", rules.collect::<Vec<_>>().join(" | "))?;
        for row in &self.rows {
            let cell = |(column, text): (usize, &String)| {
                if is_left(column) { escape_markdown(text) } else { text.clone() }
            };
            let cells: Vec<_> = row.cells.iter().enumerate().map(cell).collect();
            writeln!(out, "| {} |", cells.join(" | "))?;
        }
        Ok(())
    }
}

/// Whether a column has texts; else it has numbers.
pub(crate) const fn is_left(column: usize) -> bool {
    column == 1 || column == BOT
}

fn facts(header: &RunHeader, source: &RunSource, result: &Value) -> Vec<(&'static str, String)> {
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
        ("seed", printable(header.public_seed(source.has_result()))),
        ("bots", header.bots.len().to_string()),
        ("program", header.program.clone()),
    ];
    let seats = terms.seats.map(|seats| ("seats", seats.to_string()));
    let challenger = text(result, "challenger").map(|name| ("challenger", name));
    let extra = number(result, "extra_games").filter(|extra| *extra > 0);
    let extra = extra.map(|extra| ("games to play off a tie", thousands(extra)));
    let memory = (terms.memory == Memory::Set).then(|| ("memory", "of the set".to_owned()));
    facts.extend([seats, challenger, extra, memory].into_iter().flatten());
    facts.extend(source.number().map(|run| ("run", run.to_string())));
    facts.extend(text(result, "records").map(|records| ("records", records)));
    facts
}

fn notes(source: &RunSource, result: &Value) -> Vec<String> {
    if !source.has_result() {
        let games = counted(source.count(), "game");
        return vec![format!("The run is not at its end: {games} are stored.")];
    }
    let tied: Vec<_> = list(result, "tied").iter().filter_map(Value::as_str).collect();
    let champion = text(result, "champion");
    let standings = list(result, "standings");
    let is_played = standings.iter().any(|row| number(row, "games") > Some(0));
    let left = standings.iter().filter(|row| row["barred"].is_null()).count();
    let champion = champion_note(champion.as_deref(), result["champion_sure"].as_f64(), &tied)
        .or_else(|| (!is_played).then(|| no_game_note(left).to_owned()));
    let shared = has_shared_group(standings.iter().filter_map(|row| row["mark"].as_str()));
    let lost = (!result["start_value"].is_null()).then(|| LOSS_NOTE.to_owned());
    champion.into_iter().chain(shared.then(|| GROUP_NOTE.to_owned())).chain(lost).collect()
}

struct BoardColumn {
    heading: String,
    value: Box<dyn Fn(&Value) -> String>,
}

impl BoardColumn {
    fn new(heading: &str, value: impl Fn(&Value) -> String + 'static) -> Self {
        Self { heading: heading.to_owned(), value: Box::new(value) }
    }
}

/// The games' own figures that a document may have, with their headings.
const FIGURES: [(&str, &str); 4] = [
    ("score", "Mean score ± 95 %"),
    ("turns", "Turns"),
    ("calls", "Calls"),
    ("dice_gained", "Dice gained"),
];

fn columns(standings: &[Value]) -> Vec<BoardColumn> {
    let has = |key: &str| standings.iter().any(|row| !row[key].is_null());
    let count =
        |key: &'static str| move |row: &Value| number(row, key).map_or_else(dash, thousands);
    let mut columns = vec![
        BoardColumn::new("#", |row| number(row, "rank").map_or_else(dash, thousands)),
        BoardColumn::new("Mark", |row| text(row, "mark").unwrap_or_default()),
        BoardColumn::new("Bot", |row| text(row, "bot").unwrap_or_default()),
        BoardColumn::new("Points", count("points")),
    ];
    if has("votes") {
        let votes =
            |row: &Value| row["votes"].as_i64().map_or_else(dash, |votes| votes.to_string());
        columns.push(BoardColumn::new("Votes", votes));
        columns.push(BoardColumn::new("Total", count("total")));
    }
    columns.push(BoardColumn::new("Games", count("games")));
    columns.push(BoardColumn::new("Wins", count("wins")));
    if has("best") {
        let best = |row: &Value| row["best"].as_f64().map_or_else(dash, chance);
        columns.push(BoardColumn::new("Best %", best));
    }
    columns.push(BoardColumn::new("Win % (95 %)", win_rate));
    if has("elo") || has("elo_ci95") {
        columns.push(BoardColumn::new("Elo ± 95 %", rating));
    } else if has("rating") {
        columns.push(BoardColumn::new("Rating (95 %)", first_rating));
    }
    for (key, heading) in FIGURES.into_iter().filter(|(key, _)| has(key)) {
        columns.push(BoardColumn::new(heading, move |row| figure(&row[key])));
    }
    if has("luck") {
        columns.push(BoardColumn::new("Loss/game ± 95 %", |row| with_error(row, "loss")));
        columns
            .push(BoardColumn::new("Score without luck ± 95 %", |row| with_error(row, "score")));
        let points = |row: &Value| with_interval(&row["luck"]["points"], "adjusted");
        columns.push(BoardColumn::new("Points a game without luck (95 %)", points));
    }
    columns
}

fn win_rate(row: &Value) -> String {
    let share = |value: &Value| value.as_f64().map(|share| 100.0 * share);
    let interval = &row["win_rate_ci95"];
    match (share(&row["win_rate"]), share(&interval[0]), share(&interval[1])) {
        (Some(rate), Some(low), Some(high)) => format!("{rate:.2} ({low:.2}-{high:.2})"),
        _ => dash(),
    }
}

fn rating(row: &Value) -> String {
    let [low, high] = [0, 1].map(|side| row["elo_ci95"][side].as_f64());
    let ci95 = (low.is_some() || high.is_some()).then_some(Bounds { low, high });
    elo(Some(EloRating { value: row["elo"].as_f64(), ci95 }))
}

/// The rating in a document of the first statistics.
fn first_rating(row: &Value) -> String {
    let interval = &row["rating_ci95"];
    match (row["rating"].as_f64(), interval[0].as_f64(), interval[1].as_f64()) {
        (Some(rating), Some(low), Some(high)) => format!("{rating:+.0} ({low:+.0} to {high:+.0})"),
        (Some(rating), ..) => format!("{rating:+.0}"),
        (None, ..) => dash(),
    }
}

fn figure(value: &Value) -> String {
    match (value.as_u64(), value["mean"].as_f64(), value["se"].as_f64()) {
        (Some(total), _, _) => thousands(total),
        (None, Some(mean), se) => mean_with_error(mean, se),
        (None, None, _) => dash(),
    }
}

/// A mean of the luck adjustment; all of them share a standard error.
fn with_error(row: &Value, key: &str) -> String {
    let error = row["luck"]["se"].as_f64();
    row["luck"][key].as_f64().map_or_else(dash, |mean| mean_with_error(mean, error))
}

fn with_interval(value: &Value, key: &str) -> String {
    let interval = &value[format!("{key}_ci95")];
    match (value[key].as_f64(), interval[0].as_f64(), interval[1].as_f64()) {
        (Some(mean), Some(low), Some(high)) => format!("{mean:.4} ({low:.4} to {high:.4})"),
        _ => dash(),
    }
}

fn dash() -> String {
    "-".to_owned()
}

fn text(value: &Value, key: &str) -> Option<String> {
    value[key].as_str().map(printable)
}

fn number(value: &Value, key: &str) -> Option<u64> {
    value[key].as_u64()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}
