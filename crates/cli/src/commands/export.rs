//! `dicehill export`: a recorded run as tables, as its log, and as pages.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;

use dicehill_arena::{ResultDocument, escape_json};
use dicehill_store::{
    ExportColumn, ExportTable, FileError, FileKind, RowWriter, RunSource, TruncatedTail,
};

use crate::args::{BoardFormat, ExportArgs, Rows, Style};
use crate::board;
use crate::console::Console;
use crate::export::{
    CsvRows, ExportedRun, JsonRows, MarkdownRows, Unfinished, write_pages, write_unfinished_post,
};
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::layout::{Printer, Width};
use crate::recorded::checks;
use crate::staging::StagedFiles;
use crate::text::escape_markdown;
use dicehill_rules::with_game;

pub(crate) fn export(args: &ExportArgs, console: &Console) -> Result<Outcome, Failure> {
    if args.parquet && !cfg!(feature = "parquet") {
        let message = "--parquet: this dicehill was built without it; \
                       `cargo install --path crates/cli --features parquet` builds one with it";
        return Err(Failure::Usage(message.to_owned()));
    }
    let source = RunSource::open(&args.run, TruncatedTail::Ignore)?;
    if let Some(out) = &args.out {
        checks::refuse_the_run_itself(&args.run, out)?;
    }
    let done =
        with_game!(source.header().hill.game(), G => export_run::<G>(&source, args, console));
    match done {
        Ok(()) => Ok(Outcome::Done),
        Err(Unfinished::Failed(failure)) => Err(failure),
        Err(Unfinished::Interrupted) => {
            console.report("interrupted: no file was written");
            Ok(Outcome::Interrupted)
        }
    }
}

fn export_run<G: TerminalGame>(
    source: &RunSource,
    args: &ExportArgs,
    console: &Console,
) -> Result<(), Unfinished> {
    checks::refuse_altered_run::<G>(source)?;
    if args.jsonl && args.rows.is_none() && source.has_hidden_secret() {
        let message = "cannot be exported as a log before it has ended, because the log would show the run's secret; `dicehill resume` finishes it";
        return Err(source.error(None, message).into());
    }
    let run = ExportedRun::<G>::new(source, console)?;
    if let Some(folder) = &args.html {
        return write_pages(&run, folder, &args.games);
    }
    // As in other programs, `-` is standard output.
    let out = args.out.as_deref().filter(|out| out.as_os_str() != "-");
    match (args.rows, out) {
        (None, _) if args.jsonl => write_log(&run, out),
        (None, _) if args.markdown => write_post(&run, out),
        (None, Some(folder)) => write_tables(&run, args, folder),
        (None, None) if args.parquet => {
            let message = "--parquet: needs --out DIR for its files";
            Err(Failure::Usage(message.to_owned()).into())
        }
        (rows, out) => write_table(&run, args, rows.unwrap_or(Rows::Games), out),
    }
}

/// Writes the run log, byte for byte as `dicehill run --out` writes it.
fn write_log<G: TerminalGame>(
    run: &ExportedRun<'_, G>,
    out: Option<&Path>,
) -> Result<(), Unfinished> {
    write_one(out, Some(FileKind::RunLog), run.console, |mut file| {
        run.each_log_line(|line| {
            // A log from elsewhere may contain terminal escapes; our own logs are not changed by this.
            file.write_all(escape_json(line).as_bytes())?;
            file.write_all(b"\n")
        })?;
        Ok(file.flush()?)
    })
}

/// Writes the board as a post: the hill's name, the standings and what they mean, and the hash by which the run can be
/// checked. The games are a table of their own.
fn write_post<G: TerminalGame>(
    run: &ExportedRun<'_, G>,
    out: Option<&Path>,
) -> Result<(), Unfinished> {
    let source = run.source;
    write_one(out, None, run.console, |mut file| {
        let Some(text) = source.result_text()? else {
            return Ok(write_unfinished_post(&mut file, source, G::TITLE)?);
        };
        let document = ResultDocument::read::<G>(&text)
            .map_err(|error| Failure::from(source.error(None, format!("its result: {error}"))))?;
        writeln!(file, "## {}\n", escape_markdown(&source.header().hill.terms.name))?;
        let style = Style { format: BoardFormat::Markdown, details: false, public: false };
        board::write(&mut Printer::new(file, Width::Unlimited), &document, G::TITLE, style)?;
        Ok(())
    })
}

/// Writes each table to a file of its own.
fn write_tables<G: TerminalGame>(
    run: &ExportedRun<'_, G>,
    args: &ExportArgs,
    folder: &Path,
) -> Result<(), Unfinished> {
    let tables = if run.rows.keeps_moves()? {
        vec![ExportTable::Games, ExportTable::Seats, ExportTable::Moves]
    } else {
        run.console.report("the moves of this run were not kept: it has no table of them");
        vec![ExportTable::Games, ExportTable::Seats]
    };
    let end = if args.parquet { "parquet" } else { "csv" };
    let is_named_as_file = || folder.extension().is_some_and(|extension| extension == end);
    if folder.is_file() || !folder.exists() && is_named_as_file() {
        let message =
            "--out names the folder of all tables; for a file, name one table with --rows";
        return Err(Failure::File(FileError::new(folder, message)).into());
    }
    let names: Vec<_> = tables.iter().map(|table| format!("{}.{end}", table.name())).collect();
    let target = StagedFiles::new(folder)?;
    let writer = |(table, name): (&ExportTable, &String)| -> Result<_, Unfinished> {
        let file: Box<dyn Write + Send> = Box::new(BufWriter::new(target.create(name)?));
        Ok((*table, writer_of(run, args, *table, file)?))
    };
    let mut writers =
        tables.iter().zip(&names).map(writer).collect::<Result<Vec<_>, Unfinished>>()?;
    run.write_rows(&mut writers).map_err(|failure| with_path(failure, folder))?;
    drop(writers);
    target.keep(&names)?;
    run.console.report(format!("{} in {}", names.join(", "), folder.display()));
    Ok(())
}

/// Writes one table, to a file or to stdout.
fn write_table<G: TerminalGame>(
    run: &ExportedRun<'_, G>,
    args: &ExportArgs,
    rows: Rows,
    out: Option<&Path>,
) -> Result<(), Unfinished> {
    let table = ExportTable::from(rows);
    if table == ExportTable::Moves && !run.rows.keeps_moves()? {
        return Err(run.source.error(None, "the moves of its games were not kept").into());
    }
    write_one(out, None, run.console, |file| {
        run.write_rows(&mut [(table, writer_of(run, args, table, file)?)])
    })
}

/// Writes to the file `out`, or to stdout without one. An existing file is replaced if it is of the kind `replaces`, or of none
/// that other commands need.
fn write_one(
    out: Option<&Path>,
    replaces: Option<FileKind>,
    console: &Console,
    write: impl FnOnce(Box<dyn Write + Send>) -> Result<(), Unfinished>,
) -> Result<(), Unfinished> {
    let Some(path) = out else { return write(Box::new(BufWriter::new(console.data()))) };
    if let Some(kind) = FileKind::of(path).filter(|kind| Some(*kind) != replaces) {
        let message = format!("exists already, and is {}: choose another name", kind.title());
        return Err(Failure::File(FileError::new(path, message)).into());
    }
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .ok_or_else(|| Failure::File(FileError::new(path, "names no file to write")))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.exists() {
        return Err(Failure::File(FileError::not_written(path, &ErrorKind::NotFound.into())).into());
    }
    let target = StagedFiles::new(folder)?;
    write(Box::new(BufWriter::new(target.create(name)?)))
        .map_err(|failure| with_path(failure, path))?;
    Ok(target.keep(&[name.to_owned()])?)
}

/// Names the file or the folder that could not be written.
fn with_path(failure: Unfinished, path: &Path) -> Unfinished {
    match failure {
        Unfinished::Failed(Failure::Failed(error)) => {
            Failure::File(FileError::not_written(path, &error)).into()
        }
        other @ (Unfinished::Failed(_) | Unfinished::Interrupted) => other,
    }
}

fn writer_of<'a, G: TerminalGame>(
    run: &ExportedRun<'_, G>,
    args: &ExportArgs,
    table: ExportTable,
    file: Box<dyn Write + Send + 'a>,
) -> Result<Box<dyn RowWriter + 'a>, Unfinished> {
    let columns = run.rows.columns(table);
    if args.jsonl {
        Ok(Box::new(JsonRows::new(file, columns)))
    } else if args.markdown {
        Ok(Box::new(MarkdownRows::new(file, &columns)?))
    } else {
        flat_writer(args, &columns, file)
    }
}

#[cfg(feature = "parquet")]
fn flat_writer<'a>(
    args: &ExportArgs,
    columns: &[ExportColumn],
    file: Box<dyn Write + Send + 'a>,
) -> Result<Box<dyn RowWriter + 'a>, Unfinished> {
    if args.parquet {
        return Ok(Box::new(crate::export::ParquetRows::new(file, columns.to_vec())?));
    }
    Ok(Box::new(CsvRows::new(file, columns)?))
}

#[cfg(not(feature = "parquet"))]
fn flat_writer<'a>(
    _args: &ExportArgs,
    columns: &[ExportColumn],
    file: Box<dyn Write + Send + 'a>,
) -> Result<Box<dyn RowWriter + 'a>, Unfinished> {
    Ok(Box::new(CsvRows::new(file, columns)?))
}
