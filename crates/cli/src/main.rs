//! The `dicehill` command.

mod advise;
mod analyze;
mod appraisers;
mod args;
mod board;
mod bot_spec;
mod bots;
mod check;
mod check_report;
mod checks;
mod doctor;
mod duel;
mod export;
mod failure;
mod hill;
mod hill_tournament;
mod interrupt;
mod layout;
mod liars_dice;
mod new;
mod place;
mod play;
mod players;
mod progress;
mod replay;
mod rerun;
mod resume;
mod run;
mod seed;
mod serve;
mod solve;
mod stored_bots;
mod terminal_game;
mod text;
mod token;
mod tournament;
mod verdict;
mod verify;
mod yahtzee;

use std::process::ExitCode;

use crate::args::{Args, Command};
use crate::failure::{Failure, Outcome};

fn main() -> ExitCode {
    if let Some(code) = dicehill_link::work_behind_the_scenes() {
        return code;
    }
    // What a killed run or server has left.
    dicehill_temporary::clear_abandoned(&std::env::temp_dir());
    let folder = dicehill_link::cache_folder;
    dicehill_bots::keep_contests(dicehill_bots::KeptContests {
        folder,
        tell: |line| text::tell(line),
    });
    let code = obey();
    dicehill_link::wait_for_children();
    code
}

fn obey() -> ExitCode {
    let outcome = match Args::of_this_program().task() {
        Command::Run(args) => run::run(&args),
        Command::Duel(args) => duel::duel(args),
        Command::Check(args) => check::check(&args),
        Command::Bots => bots::bots(),
        Command::Play(args) => play::play(&args),
        Command::Replay(args) => replay::replay(&args),
        Command::Analyze(args) => analyze::analyze(&args),
        Command::Advise(args) => advise::advise(&args),
        Command::Resume(args) => resume::resume(&args),
        Command::Export(args) => export::export(&args),
        Command::Verify(args) => verify::verify(&args),
        Command::Hill(command) => hill::hill(&command),
        Command::Serve(args) => serve::serve(&args),
        Command::Token(command) => token::token(&command),
        Command::New(args) => new::new(&args),
        Command::Doctor(args) => doctor::doctor(&args),
        Command::Solve(command) => solve::solve(&command),
        Command::Completions { shell } => args::print_completions(shell),
    };
    match outcome {
        Ok(outcome) => outcome.into(),
        Err(Failure::ClosedPipe) => Outcome::Done.into(),
        Err(failure) => {
            text::tell(text::error(&failure));
            failure.exit_code()
        }
    }
}
