//! `cargo xtask`: tests and audits of dicehill, and the entry point of its proofs.
//!
//! It uses none of the project's crates, so that it is built in seconds; commands that need them are in `proofs`.

mod audit;
mod baselines;
mod picture;

use std::error::Error;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use clap::{Parser, Subcommand};
use xtask::docs::docs;
use xtask::package::{PackageArgs, package};
use xtask::test::{TestArgs, test};
use xtask::{SHIPPED, root};

#[derive(Parser)]
#[command(bin_name = "cargo xtask", disable_help_subcommand = true)]
struct Args {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run the tests, after installing what they need where that is possible
    Test(TestArgs),
    /// Check licences, sources and advisories of all dependencies with cargo-deny
    Audit,
    /// Build what is published: an archive, a Debian package, a wheel, and their checksums
    Package(PackageArgs),
    /// Build the book in docs/ as a website, with mdBook
    Docs,
    /// Regenerate the golden transcripts and the schemas in protocol/
    Golden(Rest),
    /// Regenerate the terminal picture and the printed text that README.md and docs/ show
    Picture,
    /// Regenerate the table of baselines in docs/benchmarks.md
    Baselines,
    /// Regenerate the book's pictures of pages, with Chromium
    Screenshots(Rest),
    /// Train a house bot again
    Train(Rest),
    /// Run long proofs and benchmarks and write their figures to FIGURES.md
    Prove(Rest),
}

/// What the proofs' own command line reads.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
struct Rest {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Builds the proofs with a profile and runs one of their commands, which prints its own errors.
fn proofs(profile: &str, name: &str, rest: &Rest) -> Result<ExitCode, Box<dyn Error>> {
    let package = ["--package", "dicehill-proofs", "--", name];
    let cargo = [&["run", "--locked", "--profile", profile], &package[..]].concat();
    let mut command = Command::new(env!("CARGO"));
    let status = command.args(cargo).args(&rest.arguments).current_dir(root()).status()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Task::Test(args) => test(&args),
        Task::Audit => audit::audit().map(|()| ExitCode::SUCCESS),
        Task::Package(args) => package(&args).map(|()| ExitCode::SUCCESS),
        Task::Docs => docs().map(|()| ExitCode::SUCCESS),
        Task::Golden(rest) => proofs("release", "golden", &rest),
        Task::Baselines => baselines::baselines().map(|()| ExitCode::SUCCESS),
        Task::Picture => picture::picture().map(|()| ExitCode::SUCCESS),
        Task::Screenshots(rest) => proofs("release", "screenshots", &rest),
        Task::Train(rest) => proofs("release", "train", &rest),
        Task::Prove(rest) => proofs(SHIPPED, "prove", &rest),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
