//! The overview of runs and workers.

use std::io::{self, Write};
use std::time::Duration;

use dicehill_arena::GameRange;
use dicehill_workers::{Announcement, Survey, WorkerActivity, WorkerSign, survey};
use serde_json::json;

use crate::args::{TextFormat, WorkersArgs};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::layout::{Column, Form, Printer, Table};
use crate::text::{printable, thousands, with_commas};

/// How long to listen: twice as long as between two signs of life.
const TIME: Duration = Duration::from_millis(2200);

/// Prints what hosts and workers say.
pub(super) fn show(args: &WorkersArgs, console: &Console) -> Result<Outcome, Failure> {
    let seen = survey(&args.broker.address(&args.address)?, TIME)?;
    let mut out = console.out();
    match args.format {
        TextFormat::Text => write(&mut out, &seen)?,
        TextFormat::Json => writeln!(out.verbatim(), "{}", document(&seen))?,
    }
    Ok(Outcome::Done)
}

fn write<W: Write>(out: &mut Printer<W>, seen: &Survey) -> io::Result<()> {
    if seen.runs.is_empty() {
        writeln!(out, "No run is played by workers here.")?;
    } else {
        runs(seen).write(out, Form::Text)?;
    }
    writeln!(out)?;
    if seen.workers.is_empty() {
        return writeln!(out, "No worker is connected.");
    }
    workers(seen).write(out, Form::Text)
}

/// The seconds that the rest of a run takes at the rate of its workers.
fn left(run: &Announcement, workers: &[WorkerSign]) -> Option<f64> {
    let of_run = workers.iter().filter(|worker| worker.run == Some(run.run));
    let rate: f64 = of_run.map(|worker| worker.rate).sum();
    (rate > 0.0).then(|| run.games.saturating_sub(run.arrived) as f64 / rate)
}

fn runs(seen: &Survey) -> Table {
    let columns = vec![
        Column::name("run"),
        Column::name("host"),
        Column::number("games"),
        Column::number("arrived"),
        Column::number("in play"),
        Column::number("played by host").priority(1),
        Column::number("left (s)"),
    ];
    let row = |run: &Announcement| {
        let left = left(run, &seen.workers);
        vec![
            printable(&run.hill),
            printable(&run.machine),
            thousands(run.games),
            thousands(run.arrived),
            thousands(run.handed_out),
            thousands(run.host_plays),
            left.map_or_else(|| "?".to_owned(), |left| with_commas(left, 0)),
        ]
    };
    Table { columns, rows: seen.runs.iter().map(row).collect(), complete: "--format json" }
}

fn workers(seen: &Survey) -> Table {
    let columns = vec![
        Column::name("worker"),
        Column::text("does"),
        Column::number("threads"),
        Column::number("games"),
        Column::number("games/s"),
        Column::number("failures").priority(1),
        Column::name("program").priority(2),
    ];
    let row = |worker: &WorkerSign| {
        vec![
            printable(&worker.machine),
            activity(worker),
            worker.jobs.to_string(),
            thousands(worker.played),
            with_commas(worker.rate, 1),
            thousands(worker.failures),
            printable(&worker.program),
        ]
    };
    Table { columns, rows: seen.workers.iter().map(row).collect(), complete: "--format json" }
}

/// What a worker does, in words.
fn activity(worker: &WorkerSign) -> String {
    match &worker.activity {
        WorkerActivity::Waits => "waits".to_owned(),
        WorkerActivity::Prepares => "prepares bots".to_owned(),
        WorkerActivity::Plays { first, last, .. } => match GameRange::new(*first, *last) {
            Some(games) => format!("plays {games}"),
            None => "plays".to_owned(),
        },
        WorkerActivity::Declines { why } => format!("declines: {}", printable(why)),
        WorkerActivity::Ends => "ends".to_owned(),
    }
}

fn document(seen: &Survey) -> serde_json::Value {
    let run = |run: &Announcement| {
        json!({
            "run": run.run,
            "hill": run.hill,
            "host": run.machine,
            "program": run.program,
            "games": run.games,
            "arrived": run.arrived,
            "in_play": run.handed_out,
            "played_by_host": run.host_plays,
            "seconds_left": left(run, &seen.workers),
        })
    };
    let runs: Vec<_> = seen.runs.iter().map(run).collect();
    json!({ "schema": "dicehill.workers/1", "runs": runs, "workers": seen.workers })
}
