//! `cargo xtask train`: regenerates the trained parameters of house bots.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use dicehill_bots::{DuelistTraining, SeerTraining};
use dicehill_rules::GameName;
use xtask::root;

/// The files that the crate of the house bots includes.
const PARAMETERS: &str = "crates/bots/src/liars_dice/seer/parameters.txt";
const BLUEPRINTS: &str = "crates/bots/src/liars_dice/duelist/blueprints.bin";
/// Games in which the trained parameters are evaluated.
const EVALUATION_GAMES: u64 = 4000;

#[derive(Args)]
pub(crate) struct TrainArgs {
    /// The game: liars-dice
    game: GameName,
    /// Who is trained
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Trained::Seer)]
    bot: Trained,
    /// From which all chance of the training follows; there is none in that of duelist
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads; they change nothing but the time
    #[arg(long, value_name = "N", default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    jobs: usize,
    /// Where what was learned is written, instead of the file that is shipped
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl TrainArgs {
    fn path(&self, shipped: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| root().join(shipped))
    }
}

/// Bots that learn.
#[derive(Clone, Copy, ValueEnum)]
enum Trained {
    Seer,
    Duelist,
}

/// Trains, writes the parameters, and prints their strength.
pub(crate) fn train(args: &TrainArgs) -> Result<(), Box<dyn Error>> {
    if args.game != GameName::LiarsDice {
        return Err(format!("{}: no house bot has learned to play it", args.game).into());
    }
    match args.bot {
        Trained::Seer => train_seer(args),
        Trained::Duelist => train_duelist(args),
    }
}

/// Writes the blueprints. `cargo xtask prove duelist` measures their strength.
fn train_duelist(args: &TrainArgs) -> Result<(), Box<dyn Error>> {
    let training = DuelistTraining::new(args.jobs);
    let start = Instant::now();
    let seconds = || start.elapsed().as_secs_f64();
    let file = training.run(|starter, value, bytes| {
        eprintln!(
            "{starter} dice begin: the starter gets {value:+.4}; {bytes} bytes; {:.0} s",
            seconds()
        );
    });
    DuelistTraining::check(&file)?;
    let path = args.path(BLUEPRINTS);
    fs::write(&path, &file).map_err(|error| format!("{}: {error}", path.display()))?;
    println!(
        "{} iterations of each round; {} bytes; {:.0} s; {}",
        training.iterations,
        file.len(),
        seconds(),
        path.display()
    );
    Ok(())
}

fn train_seer(args: &TrainArgs) -> Result<(), Box<dyn Error>> {
    let training = SeerTraining::with_seed(args.seed, args.jobs);
    let start = Instant::now();
    let seconds = || start.elapsed().as_secs_f64();
    let file = training.run(|generation| {
        eprintln!("generation {generation} of {}: {:.0} s", training.generations, seconds());
    });
    let path = args.path(PARAMETERS);
    fs::write(&path, &file).map_err(|error| format!("{}: {error}", path.display()))?;
    let wins = training.count_wins(&file, EVALUATION_GAMES)?;
    println!(
        "seed {}: {} generations of {} games; it wins {:.1} % of {EVALUATION_GAMES} other games of practice; {:.0} s; {}",
        training.seed,
        training.generations,
        training.games,
        100.0 * wins as f64 / EVALUATION_GAMES as f64,
        seconds(),
        path.display()
    );
    Ok(())
}
