//! `cargo xtask train`: what house bots have learned, made anew.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use clap::Args;
use dicehill_bots::Training;
use dicehill_rules::GameName;

use crate::test::{root, run};

/// The file that the crate of the house bots ships.
const SHIPPED: &str = "crates/bots/src/liars_dice/seer/parameters.txt";
/// Games in which what was learned is examined.
const EXAMINATION: u64 = 4000;

#[derive(Args)]
pub(crate) struct TrainArgs {
    /// The game: liars-dice, whose player is seer
    game: GameName,
    /// From which all chance of the training follows
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads; they change nothing but the time
    #[arg(long, value_name = "N", default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    jobs: usize,
    /// Where the parameters are written, instead of the file that is shipped
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Trains, writes the parameters and says how strong they are.
pub(crate) fn train(args: &TrainArgs) -> Result<(), Box<dyn Error>> {
    if args.game != GameName::LiarsDice {
        return Err(format!("{}: no house bot has learned to play it", args.game).into());
    }
    if cfg!(debug_assertions) {
        let cargo = ["run", "--quiet", "--release", "--package", "xtask", "--"];
        return run(Command::new(env!("CARGO")).args(cargo).args(std::env::args_os().skip(1)));
    }
    let training = Training::of_seed(args.seed, args.jobs);
    let begun = Instant::now();
    let seconds = || begun.elapsed().as_secs_f64();
    let file = training.run(|generation| {
        eprintln!("generation {generation} of {}: {:.0} s", training.generations, seconds());
    });
    let path = args.out.clone().unwrap_or_else(|| root().join(SHIPPED));
    fs::write(&path, &file).map_err(|error| format!("{}: {error}", path.display()))?;
    let wins = training.wins(&file, EXAMINATION)?;
    println!(
        "seed {}: {} generations of {} games; it wins {:.1} % of {EXAMINATION} other games of practice; {:.0} s; {}",
        training.seed,
        training.generations,
        training.games,
        100.0 * wins as f64 / EXAMINATION as f64,
        seconds(),
        path.display()
    );
    Ok(())
}
