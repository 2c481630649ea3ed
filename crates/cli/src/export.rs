//! `dicehill export`: a recorded run as tables, as its log, and as pages.

mod board;
mod cell;
mod csv_rows;
mod exported_game;
mod json_rows;
mod liars_dice;
mod markdown_rows;
mod pages;
#[cfg(feature = "parquet")]
mod parquet_rows;
mod recorded;
mod rows;
pub(crate) mod target;
mod yahtzee;

use std::io::{BufWriter, Write};
use std::path::Path;

use dicehill_arena::escape_json;
use dicehill_rules::GameName;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{BrokenEnd, FileError, RunSource};

use self::board::Board;
use self::exported_game::ExportedGame;
use self::recorded::{Recorded, Unfinished};
use self::rows::{RowWriter, Table};
use self::target::Target;
use crate::args::{ExportArgs, Rows};
use crate::checks;
use crate::console::Console;
use crate::failure::{Failure, Outcome};

pub(crate) fn export(args: &ExportArgs, console: &Console) -> Result<Outcome, Failure> {
    if args.parquet && !cfg!(feature = "parquet") {
        let message = "--parquet: this dicehill was built without it; \
                       `cargo install --path crates/cli --features parquet` builds one with it";
        return Err(Failure::Usage(message.to_owned()));
    }
    let source = RunSource::open(&args.run, BrokenEnd::LeaveOut)?;
    check_output(args)?;
    let done = match source.header().hill.game {
        GameName::Yahtzee => export_run::<Yahtzee>(&source, args, console),
        GameName::LiarsDice => export_run::<LiarsDice>(&source, args, console),
    };
    match done {
        Ok(()) => Ok(Outcome::Done),
        Err(Unfinished::Failed(failure)) => Err(failure),
        Err(Unfinished::Interrupted) => {
            console.tell("interrupted: no file was written");
            Ok(Outcome::Interrupted)
        }
    }
}

/// The run itself is not written over.
fn check_output(args: &ExportArgs) -> Result<(), Failure> {
    let Some(out) = args.out.as_deref().filter(|out| out.is_file()) else { return Ok(()) };
    let run = args.run.to_string_lossy();
    let hill = run.rsplit_once('#').map_or(run.as_ref(), |(hill, _)| hill);
    let is_the_run = |path: &Path| {
        path.canonicalize().is_ok_and(|path| out.canonicalize().is_ok_and(|out| out == path))
    };
    if is_the_run(&args.run) || is_the_run(Path::new(hill)) {
        return Err(FileError::new(out, "is the run itself: --out names another file").into());
    }
    Ok(())
}

fn export_run<G: ExportedGame>(
    source: &RunSource,
    args: &ExportArgs,
    console: &Console,
) -> Result<(), Unfinished> {
    checks::refuse_altered_run::<G>(source)?;
    let run = Recorded::<G>::new(source, console)?;
    if let Some(folder) = &args.html {
        return pages::write(&run, folder, &args.games);
    }
    match (args.rows, &args.out) {
        (None, _) if args.jsonl => write_log(&run, args.out.as_deref()),
        (None, _) if args.markdown => write_page(&run, args.out.as_deref()),
        (None, Some(folder)) => write_tables(&run, args, folder),
        (None, None) if args.parquet => {
            let message = "--parquet: --out DIR says where its files go";
            Err(Failure::Usage(message.to_owned()).into())
        }
        (rows, out) => write_table(&run, args, rows.unwrap_or(Rows::Games), out.as_deref()),
    }
}

/// The run log, byte for byte as `dicehill run --out` writes it.
fn write_log<G: ExportedGame>(run: &Recorded<'_, G>, out: Option<&Path>) -> Result<(), Unfinished> {
    write_one(out, run.console, |mut file| {
        run.each_log_line(|line| {
            // A stranger's log may have what steers a terminal; one of ours stays as it is.
            file.write_all(escape_json(line).as_bytes())?;
            file.write_all(b"\n")
        })?;
        Ok(file.flush()?)
    })
}

/// The board, and a table of games.
fn write_page<G: ExportedGame>(
    run: &Recorded<'_, G>,
    out: Option<&Path>,
) -> Result<(), Unfinished> {
    write_one(out, run.console, |mut file| {
        Board::of(run.source).write_markdown(&mut file, G::TITLE)?;
        writeln!(file, "\n## Games\n")?;
        let writer =
            markdown_rows::MarkdownRows::new(file, &Table::Games.columns::<G>(run.is_appraised()))?;
        run.write_rows(&mut [(Table::Games, Box::new(writer))])
    })
}

/// Each table in a file of its own.
fn write_tables<G: ExportedGame>(
    run: &Recorded<'_, G>,
    args: &ExportArgs,
    folder: &Path,
) -> Result<(), Unfinished> {
    let tables = if run.keeps_moves()? {
        vec![Table::Games, Table::Seats, Table::Moves]
    } else {
        run.console.tell("the moves of this run were not kept: it has no table of them");
        vec![Table::Games, Table::Seats]
    };
    let end = if args.parquet { "parquet" } else { "csv" };
    let names: Vec<_> = tables.iter().map(|table| format!("{}.{end}", table.name())).collect();
    let target = Target::new(folder)?;
    let writer = |(table, name): (&Table, &String)| -> Result<_, Unfinished> {
        let file: Box<dyn Write + Send> = Box::new(BufWriter::new(target.create(name)?));
        Ok((*table, writer_of(run, args, *table, file)?))
    };
    let mut writers =
        tables.iter().zip(&names).map(writer).collect::<Result<Vec<_>, Unfinished>>()?;
    run.write_rows(&mut writers)?;
    drop(writers);
    Ok(target.keep(&names)?)
}

/// One table, to a file or to stdout.
fn write_table<G: ExportedGame>(
    run: &Recorded<'_, G>,
    args: &ExportArgs,
    rows: Rows,
    out: Option<&Path>,
) -> Result<(), Unfinished> {
    let table = Table::from(rows);
    if table == Table::Moves && !run.keeps_moves()? {
        return Err(run.source.error(None, "the moves of its games were not kept").into());
    }
    write_one(out, run.console, |file| {
        run.write_rows(&mut [(table, writer_of(run, args, table, file)?)])
    })
}

/// Writes a file, or to stdout where there is none.
fn write_one(
    out: Option<&Path>,
    console: &Console,
    write: impl FnOnce(Box<dyn Write + Send>) -> Result<(), Unfinished>,
) -> Result<(), Unfinished> {
    let Some(path) = out else { return write(Box::new(BufWriter::new(console.data()))) };
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .ok_or_else(|| Failure::File(FileError::new(path, "names no file to write")))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let target = Target::new(folder.unwrap_or(Path::new(".")))?;
    write(Box::new(BufWriter::new(target.create(name)?)))?;
    Ok(target.keep(&[name.to_owned()])?)
}

fn writer_of<'a, G: ExportedGame>(
    run: &Recorded<'_, G>,
    args: &ExportArgs,
    table: Table,
    file: Box<dyn Write + Send + 'a>,
) -> Result<Box<dyn RowWriter + 'a>, Unfinished> {
    let columns = table.columns::<G>(run.is_appraised());
    if args.jsonl {
        Ok(Box::new(json_rows::JsonRows::new(file, columns)))
    } else if args.markdown {
        Ok(Box::new(markdown_rows::MarkdownRows::new(file, &columns)?))
    } else {
        flat_writer(args, &columns, file)
    }
}

#[cfg(feature = "parquet")]
fn flat_writer<'a>(
    args: &ExportArgs,
    columns: &[cell::Column],
    file: Box<dyn Write + Send + 'a>,
) -> Result<Box<dyn RowWriter + 'a>, Unfinished> {
    if args.parquet {
        return Ok(Box::new(parquet_rows::ParquetRows::new(file, columns.to_vec())?));
    }
    Ok(Box::new(csv_rows::CsvRows::new(file, columns)?))
}

#[cfg(not(feature = "parquet"))]
fn flat_writer<'a>(
    _args: &ExportArgs,
    columns: &[cell::Column],
    file: Box<dyn Write + Send + 'a>,
) -> Result<Box<dyn RowWriter + 'a>, Unfinished> {
    Ok(Box::new(csv_rows::CsvRows::new(file, columns)?))
}
