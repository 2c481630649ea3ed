//! Random single alterations of stored runs: `verify` finds each, and names its place.

use std::fs;
use std::sync::OnceLock;

use rusqlite::types::Value as Cell;
use rusqlite::{Connection, params_from_iter};

use super::{
    LIARS_DICE, YAHTZEE, behaviour_bot, hill_with_bar, hill_with_run, shared_committed_run,
};
use crate::support::{CommandOutput, Scratch, hill};

/// Alterations of each test, unless `DICEHILL_ALTERATIONS` sets another number.
const ALTERATIONS: u64 = 40;

fn alterations() -> u64 {
    let setting = std::env::var("DICEHILL_ALTERATIONS").ok();
    setting.map_or(ALTERATIONS, |text| text.parse().expect("a number of alterations"))
}

/// SplitMix64.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// A table, the condition for its rows of run `?1`, its columns, and its weight in the draw.
type Table = (&'static str, &'static str, &'static [&'static str], usize);

/// Everything that is stored of a run. The omitted columns do not belong to it: when an entrant was removed from the
/// hill, and the settings of the hill's next run.
const TABLES: [Table; 10] = [
    (
        "run",
        "id = ?1",
        &["id", "header", "moves", "begun", "ended", "records", "result", "highlights", "seal"],
        8,
    ),
    ("run_bot", "run = ?1", &["run", "place", "name", "version"], 2),
    (
        "version",
        "id IN (SELECT version FROM run_bot WHERE run = ?1)",
        &["id", "entrant", "number", "identity", "source", "author", "url", "votes", "added"],
        2,
    ),
    (
        "entrant",
        "id IN (SELECT entrant FROM version JOIN run_bot ON version = id WHERE run = ?1)",
        &["id", "name", "added"],
        1,
    ),
    (
        "version_file",
        "version IN (SELECT version FROM run_bot WHERE run = ?1)",
        &["version", "path", "executable", "file"],
        1,
    ),
    (
        "file",
        "hash IN (SELECT file FROM version_file JOIN run_bot USING (version) WHERE run = ?1)",
        &["hash", "content"],
        1,
    ),
    ("bar", "run = ?1", &["run", "number", "bar"], 2),
    (
        "page",
        "run = ?1",
        &[
            "games", "games", "games", "games", "games", "times", "times", "id", "run", "attempt",
            "first", "last", "checks", "hash",
        ],
        16,
    ),
    (
        "failure",
        "run = ?1",
        &["run", "attempt", "game", "number", "bot", "reason", "detail", "request", "log"],
        4,
    ),
    ("commitment", "run = ?1", &["id", "hash", "secret", "nonce", "made", "run", "public_text"], 2),
];

/// What was altered, and a word that has to be in the report.
struct Alteration {
    what: String,
    word: Option<String>,
}

/// Alters a cell or removes a row; none if the table has no such row, or the store refuses the change.
fn alter(hill: &Connection, run: i64, draw: &mut Draw) -> Option<Alteration> {
    let weights: usize = TABLES.iter().map(|table| table.3).sum();
    let mut place = draw.below(weights);
    let (table, rows, columns, _) = TABLES.iter().find(|table| {
        let is_drawn = place < table.3;
        place = place.saturating_sub(table.3);
        is_drawn
    })?;
    let column = *draw.pick(columns);
    let condition = rows.replace("?1", &run.to_string());
    let is_numbered = ["page", "run", "version", "entrant", "file", "commitment"].contains(table);
    match is_numbered {
        true => alter_row(hill, table, column, &condition, draw),
        // A row is identified by all of its columns together.
        false => alter_keyed(hill, (table, columns), column, &condition, draw),
    }
}

fn alter_row(
    hill: &Connection,
    table: &str,
    column: &str,
    condition: &str,
    draw: &mut Draw,
) -> Option<Alteration> {
    let sql = format!("SELECT rowid, {column} FROM {table} WHERE {condition}");
    let rows: Vec<(i64, Cell)> = query_all(hill, &sql, |row| Ok((row.get(0)?, row.get(1)?)));
    let (id, cell) = rows.get(draw.below(rows.len().max(1)))?;
    if draw.below(20) == 0 {
        let completed = hill.execute(&format!("DELETE FROM {table} WHERE rowid = ?1"), [id]);
        return (completed.ok()? == 1)
            .then(|| Alteration { what: format!("{table} {id} taken out"), word: None });
    }
    let (altered, at) = altered_cell(cell, draw)?;
    let word = (table == "page" && ["games", "times"].contains(&column))
        .then(|| game_at(hill, *id, cell, at))
        .flatten();
    let sql = format!("UPDATE {table} SET {column} = ?1 WHERE rowid = ?2");
    let completed = hill.execute(&sql, params_from_iter([&altered, &Cell::Integer(*id)])).ok()?;
    let what =
        format!("{table}.{column} of {id}: {} to {}", excerpt(cell, at), excerpt(&altered, at));
    (completed == 1).then_some(Alteration { what, word })
}

fn alter_keyed(
    hill: &Connection,
    (table, columns): (&str, &[&str]),
    column: &str,
    condition: &str,
    draw: &mut Draw,
) -> Option<Alteration> {
    let sql = format!("SELECT {} FROM {table} WHERE {condition}", columns.join(", "));
    let rows: Vec<Vec<Cell>> =
        query_all(hill, &sql, |row| (0..columns.len()).map(|index| row.get(index)).collect());
    let row = rows.get(draw.below(rows.len().max(1)))?;
    let names: Vec<_> =
        columns.iter().enumerate().map(|(i, name)| format!("{name} IS ?{}", i + 1)).collect();
    let names = names.join(" AND ");
    if draw.below(20) == 0 {
        let sql = format!("DELETE FROM {table} WHERE {names}");
        let completed = hill.execute(&sql, params_from_iter(row)).ok()?;
        return (completed == 1)
            .then(|| Alteration { what: format!("a row of {table} taken out"), word: None });
    }
    let index = columns.iter().position(|name| *name == column)?;
    let (altered, at) = altered_cell(&row[index], draw)?;
    let sql = format!("UPDATE {table} SET {column} = ?{} WHERE {names}", columns.len() + 1);
    let completed = hill.execute(&sql, params_from_iter(row.iter().chain([&altered]))).ok()?;
    let what =
        format!("{table}.{column}: {} to {}", excerpt(&row[index], at), excerpt(&altered, at));
    (completed == 1).then_some(Alteration { what, word: None })
}

fn query_all<T>(
    hill: &Connection,
    sql: &str,
    row: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Vec<T> {
    let mut statement = hill.prepare(sql).expect("the tables are those of the store");
    let rows = statement.query_map([], row).expect("they can be read");
    rows.collect::<Result<_, _>>().expect("rows have these types")
}

/// Another value, and the byte at which a text has changed.
fn altered_cell(cell: &Cell, draw: &mut Draw) -> Option<(Cell, usize)> {
    Some(match cell {
        Cell::Null => (draw.pick(&[Cell::Integer(1), Cell::Text(String::new())]).clone(), 0),
        Cell::Integer(number) => {
            let other = [number + 1, number - 1, -number, number ^ (1 << draw.below(40))];
            let other = *draw.pick(&other);
            let null = draw.below(8) == 0;
            (other != *number || null)
                .then_some((if null { Cell::Null } else { Cell::Integer(other) }, 0))?
        }
        Cell::Real(_) => return None,
        Cell::Text(text) if draw.below(12) == 0 || text.is_empty() => {
            let other = if text.is_empty() || draw.below(2) == 0 {
                Cell::Text(format!("{text} "))
            } else {
                Cell::Null
            };
            (other, text.len())
        }
        Cell::Text(text) => {
            let (altered, at) = altered_bytes(text.as_bytes(), draw)?;
            (Cell::Text(String::from_utf8(altered).ok()?), at)
        }
        Cell::Blob(bytes) => {
            let (altered, at) = altered_bytes(bytes, draw)?;
            (Cell::Blob(altered), at)
        }
    })
}

/// Replaces, inserts or removes one byte.
fn altered_bytes(bytes: &[u8], draw: &mut Draw) -> Option<(Vec<u8>, usize)> {
    let at = draw.below(bytes.len());
    let mut altered = bytes.to_vec();
    // A digit usually becomes another digit: a well-formed alteration is harder to find.
    let byte = if bytes[at].is_ascii_digit() {
        b'0' + draw.below(10) as u8
    } else {
        b' ' + draw.below(95) as u8
    };
    match draw.below(6) {
        0 => altered.insert(at, byte),
        1 => drop(altered.remove(at)),
        _ => altered[at] = byte,
    }
    (altered != bytes).then_some((altered, at))
}

/// The game whose line or times contain this byte; none between two games.
fn game_at(hill: &Connection, page: i64, cell: &Cell, at: usize) -> Option<String> {
    let Cell::Text(text) = cell else { return None };
    let sql = "SELECT first FROM page WHERE rowid = ?1";
    let first: i64 = hill.query_row(sql, [page], |row| row.get(0)).ok()?;
    let is_inside = at > 0
        && at + 1 < text.len()
        && !text[..at].ends_with(',')
        && !matches!(text.as_bytes()[at], b',' | b'\n');
    let before = text[..at].matches(",\n").count() as i64;
    is_inside.then(|| format!("game {}", first + before))
}

/// The text around a change.
fn excerpt(cell: &Cell, at: usize) -> String {
    match cell {
        Cell::Text(text) => {
            let from = text.floor_char_boundary(at.saturating_sub(12));
            format!("{:?}", &text[from..text.floor_char_boundary(at + 12)])
        }
        Cell::Null | Cell::Integer(_) | Cell::Real(_) | Cell::Blob(_) => format!("{cell:?}"),
    }
}

/// Expects an alteration to be found and reported.
#[track_caller]
fn expect_found(output: &CommandOutput, what: &str, word: Option<&str>) {
    let CommandOutput { code, out, err } = output;
    let is_reported = match code {
        1 if !out.is_empty() => out.contains("altered  ") && out.contains("\nnot verified: "),
        // Rows that cannot exist there, or an unreadable record.
        1 | 2 => err.starts_with("error: "),
        _ => false,
    };
    assert!(is_reported, "{what}: not found: {code}\n{out}{err}");
    let is_named = word.is_none_or(|word| {
        let ends = |rest: &str| !rest.starts_with(|next: char| next.is_ascii_digit());
        out.match_indices(word).any(|(at, _)| ends(&out[at + word.len()..]))
    });
    assert!(is_named, "{what}: {word:?} is not named\n{out}{err}");
    println!("{code} {what}");
}

/// Stored runs: with a bar and the games before it, of a committed run with failures, and without moves.
fn stores() -> [(&'static Scratch, i64); 3] {
    static BARE: OnceLock<Scratch> = OnceLock::new();
    let bare = BARE.get_or_init(|| {
        hill_with_run(YAHTZEE, &["random"], &behaviour_bot("Plain"), &["--no-moves"])
    });
    [(hill_with_bar(), 1), (&shared_committed_run().0, 2), (bare, 1)]
}

/// A copy of a store, prepared for alterations.
fn copy(store: &Scratch, scratch: &Scratch) -> Connection {
    fs::copy(store.path("h.db"), scratch.path("h.db")).expect("a hill can be copied");
    let hill = Connection::open(scratch.path("h.db")).expect("it is a database");
    hill.execute_batch("PRAGMA foreign_keys = off; PRAGMA journal_mode = delete;")
        .expect("it can be written");
    hill
}

/// The report of `verify` on a run without running bots.
fn verify_without_bots(scratch: &Scratch, run: &str) -> CommandOutput {
    scratch.run(&["verify", run, "--sample", "0", "--jobs", "1"])
}

#[test]
fn no_alteration_of_a_store_goes_unseen() {
    let scratch = Scratch::new();
    for (store, number) in stores() {
        drop(copy(store, &scratch));
        let output = verify_without_bots(&scratch, &format!("h.db#{number}"));
        assert_eq!(output.code, 0, "not altered: {}{}", output.out, output.err);
    }
    let (mut draw, mut completed) = (Draw(1), 0);
    let stores = stores();
    while completed < alterations() {
        let (store, number) = draw.pick(&stores);
        let hill = copy(store, &scratch);
        let Some(Alteration { what, word }) = alter(&hill, *number, &mut draw) else { continue };
        drop(hill);
        expect_found(
            &verify_without_bots(&scratch, &format!("h.db#{number}")),
            &what,
            word.as_deref(),
        );
        completed += 1;
    }
}

/// Logs of both games, one with a bar.
fn logs() -> &'static Vec<Vec<u8>> {
    static LOGS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    LOGS.get_or_init(|| {
        let scratch = Scratch::new();
        let keys = [YAHTZEE, LIARS_DICE].map(|keys| keys.replace("games = 40", "games = 12"));
        scratch.write("y.toml", hill(&keys[0], &["greedy", "random"]));
        scratch.write("l.toml", hill(&keys[1], &["pirate", "bayes", "random"]));
        scratch.write(
            "b.toml",
            hill(YAHTZEE, &["greedy"]) + &behaviour_bot("Guilty") + &behaviour_bot("Innocent"),
        );
        for name in ["y", "l"] {
            scratch.run_ok(&["run", &format!("{name}.toml"), "--out", name]);
        }
        assert_eq!(scratch.run(&["run", "b.toml", "--out", "b"]).code, 3);
        ["y", "l", "b"].map(|name| fs::read(scratch.path(name)).expect("a log is there")).into()
    })
}

/// Alters a byte, or removes, doubles or swaps a line.
fn altered_log(log: &[u8], draw: &mut Draw) -> Option<Vec<u8>> {
    if draw.below(8) > 0 {
        return Some(altered_bytes(log, draw)?.0);
    }
    let mut lines: Vec<&[u8]> = log.split_inclusive(|byte| *byte == b'\n').collect();
    let at = draw.below(lines.len() - 1);
    match draw.below(3) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at]),
        _ => lines.swap(at, at + 1),
    }
    Some(lines.concat())
}

#[test]
fn no_alteration_of_a_log_goes_unseen() {
    let scratch = Scratch::new();
    for log in logs() {
        scratch.write("log", log);
        let output = verify_without_bots(&scratch, "log");
        assert_eq!(output.code, 0, "not altered: {}{}", output.out, output.err);
    }
    let (mut draw, mut completed) = (Draw(2), 0);
    while completed < alterations() {
        let log = draw.pick(logs());
        let Some(altered) = altered_log(log, &mut draw).filter(|altered| altered != log) else {
            continue;
        };
        let at = log
            .iter()
            .zip(&altered)
            .position(|(before, after)| before != after)
            .unwrap_or(log.len());
        let end = |bytes: &[u8]| bytes.len().min(at + 20);
        let around = |bytes: &[u8]| {
            String::from_utf8_lossy(&bytes[at.saturating_sub(20)..end(bytes)]).into_owned()
        };
        let what = format!("byte {at}: {:?} to {:?}", around(log), around(&altered));
        scratch.write("log", &altered);
        expect_found(&verify_without_bots(&scratch, "log"), &what, None);
        completed += 1;
    }
}
