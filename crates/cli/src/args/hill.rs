//! The arguments of `dicehill hill` and of what is done with a hill.

use std::path::PathBuf;

use clap::Subcommand;

use super::{ExternalBotArgs, LuckArgs, RunSettingsArgs, Style, TrustArgs};

pub(super) const EXAMPLES: &str = "\
Examples:
  dicehill hill init spring.db yahtzee
  dicehill hill add spring.db greedy aces-and-eights ./Mine
  dicehill hill show spring.db
  dicehill hill log spring.db
  dicehill replay spring.db#1 17";

/// What is done with a hill.
#[derive(Subcommand)]
pub(crate) enum HillCommand {
    Init(HillInitArgs),
    Add(HillAddArgs),
    Run(HillRunArgs),
    /// Publish the hash of a secret, from which the seed of the next committed run follows
    ///
    /// While entries are open. `hill run --committed` closes them: its seed mixes the secret, the hashes of the
    /// entrants, and a public text. The result reveals the secret.
    #[command(
        after_help = "Examples:\n  dicehill hill commit spring.db\n  dicehill hill run spring.db --committed --public-text 'tonight: 3 17 22 41 44 6'"
    )]
    Commit {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
    },
    /// Take entrants off the hill; what was played stays
    #[command(after_help = "Example:\n  dicehill hill remove spring.db Mine")]
    Remove {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        /// Bots to remove
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
    /// Interrupt the run that is being played on a hill, as Ctrl-C does
    ///
    /// What was played stays, and `dicehill resume` continues the run. With `dicehill serve --accept`, the next uploaded
    /// bot follows. To interrupt a run by itself after some time, set `run_ms` in the hill file.
    #[command(after_help = "Example:\n  dicehill hill stop spring.db")]
    Stop {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
    },
    /// Bar entrants, also while a run is being played, which is interrupted
    ///
    /// A barred bot stays out of all later runs until `dicehill hill add` adds it again. Until then, uploads under its name
    /// are refused, and so is `dicehill resume` of a run in which it plays. What was played stays.
    #[command(after_help = "Example:\n  dicehill hill bar spring.db Slow")]
    Bar {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        /// Entrants to bar
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
    /// List the entrants: name, version, kind, hash
    #[command(after_help = "Example:\n  dicehill hill list spring.db")]
    List {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
    },
    Show(HillShowArgs),
    /// Take in the run of a log that was played elsewhere; its games are checked move by move
    #[command(after_help = "Example:\n  dicehill hill import spring.db run.jsonl")]
    Import {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        /// The run log
        #[arg(value_name = "LOG")]
        log: PathBuf,
    },
    /// Copy a hill to a new file, also while a run is being played on it
    ///
    /// Back up with this command, not with `cp`: SQLite keeps the latest games in a second file. The backup is one file,
    /// a hill with everything that was stored until then. `dicehill resume` continues an unfinished run of it.
    #[command(
        after_help = "Examples:\n  dicehill hill backup spring.db spring-backup.db\n  dicehill hill backup spring.db backups/spring-$(date +%F).db"
    )]
    Backup {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        /// The backup, a new file
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Copy a backup to the file of a hill, after checking that it is intact
    ///
    /// No run may be played on a hill that is replaced, and no `dicehill serve` may show it.
    #[command(
        after_help = "Examples:\n  dicehill hill restore spring-backup.db spring.db\n  dicehill hill restore spring-backup.db spring.db --overwrite"
    )]
    Restore {
        /// The backup
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        /// Replace a hill that is there, even a damaged one
        #[arg(long)]
        overwrite: bool,
    },
    /// List all runs, oldest first
    #[command(after_help = "Example:\n  dicehill hill log spring.db")]
    Log {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
    },
}

/// Make a new hill
///
/// Its terms are those of a hill file, whose bots are added by `dicehill hill add HILL.db HILL.toml`, or the
/// usual ones of a game.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill hill init spring.db yahtzee
  dicehill hill init autumn.db autumn.toml --seed autumn")]
pub(crate) struct HillInitArgs {
    /// The file of the hill, which is new
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// A hill file, or a game (yahtzee, liars-dice)
    #[arg(value_name = "HILL.toml|GAME")]
    pub(crate) from: String,
    /// The hill's name
    #[arg(long, value_name = "TEXT")]
    pub(crate) name: Option<String>,
    /// Games of a run, or games for each pairing
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) games: Option<i64>,
    /// The seed of every run: then games that nothing has changed are not played again
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
}

/// Add bots to a hill and play a new run
///
/// They are qualified first; copies of their files are kept. A bot of a name that is on the hill is a new version
/// of it. Games whose entrants, rules and seed have not changed are not played again.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill hill add spring.db greedy ./Mine
  dicehill hill add spring.db spring.toml         all bots of a hill file
  dicehill hill add models.db greedy --trust-hill the hill's bots get the network, secrets and files that it names")]
pub(crate) struct HillAddArgs {
    /// The hill
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// Bots to add
    #[arg(value_name = "BOT", required = true)]
    pub(crate) bots: Vec<String>,
    #[command(flatten)]
    pub(crate) run: TournamentArgs,
}

/// Play a new run on a hill
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill hill run spring.db --seed summer
  dicehill hill run models.db --trust-hill        its bots get the network, secrets and files that it names")]
pub(crate) struct HillRunArgs {
    /// The hill
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// With the seed that follows from the open commitment: see `dicehill hill commit`
    #[arg(long, conflicts_with = "seed")]
    pub(crate) committed: bool,
    /// A text that is mixed into that seed, and that was unknown when the commitment was published
    #[arg(long, value_name = "TEXT", requires = "committed")]
    pub(crate) public_text: Option<String>,
    #[command(flatten)]
    pub(crate) run: TournamentArgs,
}

/// How a run of a hill is played.
#[derive(clap::Args)]
pub(crate) struct TournamentArgs {
    /// The master seed of this run; that of the hill, or drawn from the operating system
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
    /// Play a full run on a hill of duels too, where a new entrant is otherwise placed by a few games
    #[arg(long)]
    pub(crate) full: bool,
    /// Keep only what came of the games: they cannot be replayed
    #[arg(long)]
    pub(crate) no_moves: bool,
    #[command(flatten)]
    pub(crate) settings: RunSettingsArgs,
    #[command(flatten)]
    pub(crate) luck: LuckArgs,
    #[command(flatten)]
    pub(crate) external: ExternalBotArgs,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}

/// Show the board of a run: the last that has ended, or any other
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill hill show spring.db
  dicehill hill show spring.db --run 2 --format markdown")]
pub(crate) struct HillShowArgs {
    /// The hill
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// Which run, from 1
    #[arg(long, value_name = "N")]
    pub(crate) run: Option<i64>,
    #[command(flatten)]
    pub(crate) style: Style,
}
