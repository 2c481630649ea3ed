//! The arguments of `dicehill run`.

use std::path::PathBuf;

use dicehill_arena::{Confidence, Shard};

use super::{HostingArgs, StandaloneRunArgs, VariantArgs};

/// Play a hill and print the standings
///
/// Without arguments it plays both challenges with the house bots; with only a game, the challenge of that game.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill run
  dicehill run spring.toml --format markdown
  dicehill run yahtzee greedy aces-and-eights --games 5000 --seed spring
  dicehill run ./Mine greedy
  dicehill run liars-dice --games 20000 --until 0.95
  dicehill run liars-dice badnomial nobody pirate spring.toml#Mine
  dicehill run spring.toml --plan plan.json
  dicehill run --plan plan.json --shard 3/8 --out part-3.jsonl
  dicehill run spring.toml --workers nats://127.0.0.1:4222
  dicehill run liars-dice bayes ./Mine player.py Player.java 'java -cp classes Player'

A BOT is the name of a house bot (see `dicehill bots`), a folder with a bot.toml, a script (.py, \
.js, .mjs, .cjs, .pl, .rb, .sh), a .java or .jar file, a program with a / in its path, a quoted command \
line, or HILL.toml#NAME.")]
pub(crate) struct RunArgs {
    /// A hill file, or a game (yahtzee, liars-dice), which is optional if a bot determines it
    #[arg(value_name = "HILL.toml|GAME")]
    pub(crate) hill: Option<String>,
    /// The bots that play
    #[arg(value_name = "BOT")]
    pub(crate) bots: Vec<String>,
    #[command(flatten)]
    pub(crate) variant: VariantArgs,
    /// The number of games, or of games per pairing; by default that of the hill file, or 1000
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) games: Option<i64>,
    /// Stop once the leader is best with probability P, such as 0.95; --games is then the maximum
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) until: Option<Confidence>,
    /// Write a plan of the run, which several machines can play; with --shard, play a part of that plan
    #[arg(long, value_name = "PLAN")]
    pub(crate) plan: Option<PathBuf>,
    /// Play the I-th of N equal parts of the plan; `dicehill merge` puts the parts together
    #[arg(long, value_name = "I/N", requires = "plan", requires = "out", conflicts_with_all = ["rules", "games", "until", "seed", "no_luck", "workers"])]
    pub(crate) shard: Option<Shard>,
    #[command(flatten)]
    pub(crate) hosting: HostingArgs,
    #[command(flatten)]
    pub(crate) standalone: StandaloneRunArgs,
}
