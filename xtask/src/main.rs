//! `cargo xtask`: tests, audits and proofs of dicehill.

mod audit;
mod figures;
mod golden;
mod picture;
mod prove;
mod screenshots;
mod test;
mod train;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", disable_help_subcommand = true)]
struct Args {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run all tests; names whatever else they need
    Test,
    /// Check licences, sources and advisories of all dependencies with cargo-deny
    Audit,
    /// Make the golden transcripts and the schemas in protocol/ anew
    Golden,
    /// Make the terminal pictures of the README anew
    Picture,
    /// Make the README's pictures of pages anew, with Chromium
    Screenshots,
    /// Make what a house bot has learned anew
    Train(train::TrainArgs),
    /// Run long proofs and benchmarks and write their figures to FIGURES.md
    Prove {
        /// Which ones; all of them unless named
        #[arg(value_enum)]
        names: Vec<prove::Proof>,
    },
}

fn main() -> ExitCode {
    if let Some(code) = dicehill_link::work_behind_the_scenes() {
        return code;
    }
    if std::env::args_os().nth(1).is_some_and(|first| first == prove::link::BARE) {
        return prove::link::bare::bare().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    let done = match Args::parse().command {
        Task::Test => test::test(),
        Task::Audit => audit::audit(),
        Task::Golden => golden::golden(),
        Task::Picture => picture::picture(),
        Task::Screenshots => screenshots::screenshots(),
        Task::Train(args) => train::train(&args),
        Task::Prove { names } => prove::prove(&names),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
