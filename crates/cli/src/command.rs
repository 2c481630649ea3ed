//! Runs the command that a command line names, and turns its outcome into an exit code.

use std::ffi::OsString;

use dicehill_arena::{PROGRAM, ProgressLine};

use crate::args::{Args, Command};
use crate::commands::{
    advise, analyze, bench, bots, check, connect, doctor, duel, export, hill, merge, new, open,
    play, pull, replay, resume, serve, solve, submit, token, verify, work, workers,
};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::{args, commands, text};

/// Runs a command line, whose first word names the program, and returns the exit code.
pub fn run(words: impl IntoIterator<Item = OsString>, console: &Console) -> u8 {
    let words: Vec<_> = words.into_iter().collect();
    let args = match Args::parse_or_report(&words, console) {
        Ok(args) => args,
        Err(code) => return code,
    };
    let command = args.into_command();
    let console = &console.with_progress(command.progress());
    console.emit(&ProgressLine::Header {
        schema: ProgressLine::SCHEMA.to_owned(),
        program: PROGRAM.to_owned(),
    });
    let code = match execute(command, console) {
        Ok(outcome) => outcome.exit_code(),
        Err(failure) => report(&failure, console),
    };
    console.emit(&ProgressLine::Exit { code });
    code
}

/// Reports a failure, and returns its exit code.
fn report(failure: &Failure, console: &Console) -> u8 {
    match failure {
        Failure::ClosedPipe => {}
        Failure::File(error) => {
            if error.is_busy() {
                let file = error.path().display().to_string();
                console.emit(&ProgressLine::Busy { file });
            }
            console.report(text::error(failure));
        }
        Failure::Usage(_) | Failure::Failed(_) => console.report(text::error(failure)),
    }
    failure.exit_code()
}

fn execute(command: Command, console: &Console) -> Result<Outcome, Failure> {
    match command {
        Command::Run(args) => commands::run::run(&args, console),
        Command::Duel(args) => duel::duel(&args, console),
        Command::Bench(args) => bench::bench(&args, console),
        Command::Check(args) => check::check(&args, console),
        Command::Bots => bots::bots(console),
        Command::Play(args) => play::play(&args, console),
        Command::Replay(args) => replay::replay(&args, console),
        Command::Analyze(args) => analyze::analyze(&args, console),
        Command::Advise(args) => advise::advise(&args, console),
        Command::Resume(args) => resume::resume(&args, console),
        Command::Merge(args) => merge::merge(&args, console),
        Command::Work(args) => work::work(&args, console),
        Command::Workers(args) => workers::workers(&args, console),
        Command::Export(args) => export::export(&args, console),
        Command::Verify(args) => verify::verify(&args, &console.of_verdict()),
        Command::Hill(command) => hill::hill(&command, console),
        Command::Open(args) => open::open(&args, console),
        Command::Serve(args) => serve::serve(&args, console),
        Command::Token(command) => token::token(&command, console),
        Command::Submit(args) => submit::submit(&args, console),
        Command::Connect(args) => connect::connect(&args, console),
        Command::Pull(args) => pull::pull(&args, console),
        Command::New(args) => new::new(&args, console),
        Command::Doctor(args) => doctor::doctor(&args, console),
        Command::Solve(command) => solve::solve(&command, console),
        Command::Completions { shell } => commands::completions::print(shell, console),
        Command::Man(args) => args::write_man_pages(&args),
    }
}
