//! Proofs, benchmarks and training of dicehill, and other files that are generated with its crates. `cargo xtask` runs
//! this program.

mod figures;
mod golden;
mod prove;
mod screenshots;
mod train;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(bin_name = "cargo xtask", disable_help_subcommand = true)]
struct Args {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Regenerate the golden transcripts and the schemas in protocol/
    Golden,
    /// Regenerate the README's pictures of pages, with Chromium
    Screenshots,
    /// Train a house bot again
    Train(train::TrainArgs),
    /// Run long proofs and benchmarks and write their figures to FIGURES.md
    Prove {
        /// Which ones; all of them unless named
        #[arg(value_enum)]
        names: Vec<prove::Proof>,
    },
}

fn main() -> ExitCode {
    if let Some(code) = dicehill_link::run_helper_process() {
        return code;
    }
    if std::env::args_os().nth(1).is_some_and(|first| first == prove::performance::link::BARE) {
        return prove::performance::link::bare::bare()
            .map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    let task = Args::parse().command;
    if cfg!(debug_assertions) {
        eprintln!(
            "error: built without optimizations, which is slow; `cargo xtask` builds and runs this"
        );
        return ExitCode::from(2);
    }
    let result = match task {
        Task::Golden => golden::golden(),
        Task::Screenshots => screenshots::screenshots(),
        Task::Train(args) => train::train(&args),
        Task::Prove { names } => prove::prove(&names),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
