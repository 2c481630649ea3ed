//! The arguments of `dicehill run`.

use std::path::PathBuf;

use dicehill_arena::Confidence;

use super::{Apart, BoardFormat};

/// Play a hill and print the standings
///
/// Without a file or a game it plays both challenges with the house bots, and with a game alone the
/// challenge of that game.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill run
  dicehill run spring.toml --format markdown
  dicehill run yahtzee greedy aces-and-eights --games 5000 --seed spring
  dicehill run liars-dice --games 20000 --until 0.95
  dicehill run liars-dice badnomial nobody pirate spring.toml#Mine
  dicehill run liars-dice bayes ./Mine player.py Player.java 'java -cp classes Player'

A BOT is the name of a house bot (see `dicehill bots`), a folder with a bot.toml, a script (.py,
.js, .mjs, .cjs), a .java or .jar file, a program with a / in its path, a quoted command line, or
HILL.toml#NAME.")]
pub(crate) struct RunArgs {
    /// A hill file, or a game (yahtzee, liars-dice)
    #[arg(value_name = "HILL.toml|GAME")]
    pub(crate) hill: Option<String>,
    /// Who plays, after a game
    #[arg(value_name = "BOT")]
    pub(crate) bots: Vec<String>,
    /// How many games, or games for each pairing; 1000 unless the hill file says otherwise
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) games: Option<i64>,
    /// End as soon as it is so sure who is best, such as 0.95; --games is then the most that are played
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) until: Option<Confidence>,
    /// The master seed, any text; drawn from the operating system if nobody gives one
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
    /// Threads that play; all cores unless given. The result is the same for any number
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// How the standings are printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = BoardFormat::Table)]
    pub(crate) format: BoardFormat,
    /// Show differences, encounters head to head, and results by seat as well, which JSON always has
    #[arg(long)]
    pub(crate) details: bool,
    /// Write the run log, JSON Lines, to a file that is new or empty
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write what bots outside write to their stderr to files in a folder, up to 1 MiB for each bot
    #[arg(long, value_name = "DIR")]
    pub(crate) logs: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) apart: Apart,
}
