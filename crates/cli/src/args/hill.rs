//! The arguments of `dicehill hill` and of what is done with a hill.

use std::path::PathBuf;

use clap::Subcommand;

use super::{
    EntriesArgs, ExternalBotArgs, HostArgs, HostingArgs, LuckArgs, RunSettingsArgs, SettingChange,
    Style, TableFormat, TrustArgs,
};

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
    /// Publish the hash of a secret that determines the seed of the next committed run
    ///
    /// Use it while entries are open. `hill run --committed` closes them: its seed mixes the secret, the hashes of the
    /// entrants, and a public text. The result reveals the secret.
    #[command(
        after_help = "Examples:\n  dicehill hill commit spring.db\n  dicehill hill run spring.db --committed --public-text 'tonight: 3 17 22 41 44 6'"
    )]
    Commit {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
    },
    /// Remove entrants from the hill; their games are kept
    #[command(after_help = "Example:\n  dicehill hill remove spring.db Mine")]
    Remove {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        /// Bots to remove
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
    /// Interrupt the current run of a hill, as Ctrl-C does
    ///
    /// Its games stay, and `dicehill resume` continues the run. With `dicehill serve --accept`, the next uploaded
    /// bot follows. To limit the time of every run, set `run_ms`, in the hill file or with `dicehill hill set`.
    #[command(after_help = "Example:\n  dicehill hill stop spring.db")]
    Stop {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        #[command(flatten)]
        host: HostArgs,
    },
    /// Bar entrants; this interrupts the current run
    ///
    /// A barred bot is excluded from all later runs until `dicehill hill add` adds it again. Until then, uploads under its
    /// name are refused, and so is `dicehill resume` of a run in which it plays. Its games stay.
    #[command(after_help = "Example:\n  dicehill hill bar spring.db Slow")]
    Bar {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        /// Entrants to bar
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
        #[command(flatten)]
        host: HostArgs,
    },
    /// Change or print the settings: limits, when entries are accepted, when runs are played
    ///
    /// The keys are those of `[limits]` in a hill file (start_ms, move_ms, game_ms, memory_mb, run_ms) and of `[entries]` (schedule,
    /// opens, closes, approval, approval_words, author_bots, author_waiting, author_daily, reports, remote, message), and `environments`,
    /// such as `science=/opt/science`. The value `default` restores the default. A run that has begun keeps its limits, even when it is
    /// resumed. Without KEY=VALUE, the settings are only printed.
    #[command(
        after_help = "Examples:\n  dicehill hill set spring.db game_ms=20000 run_ms=600000\n  dicehill hill set spring.db 'schedule=daily 20:00 Europe/Berlin'\n  dicehill hill set spring.db 'closes=2026-12-24 18:00 Europe/Berlin' author_bots=3\n  dicehill hill set spring.db approval=names approval_words=rude,words\n  dicehill hill set spring.db run_ms=default schedule=default\n  dicehill hill set spring.db"
    )]
    Set {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        /// New values
        #[arg(value_name = "KEY=VALUE")]
        changes: Vec<SettingChange>,
        #[command(flatten)]
        host: HostArgs,
    },
    /// List the entries that are not finished, in the order of the queue
    #[command(after_help = "Example:\n  dicehill hill queue spring.db")]
    Queue {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
    },
    /// Hold waiting entries: they are not qualified until they are approved
    #[command(after_help = "Example:\n  dicehill hill hold spring.db 17")]
    Hold(EntriesArgs),
    /// Approve held entries: they wait for their qualification again
    #[command(after_help = "Example:\n  dicehill hill approve spring.db 17 18")]
    Approve(EntriesArgs),
    /// Remove entries from the queue; their authors can upload them again
    #[command(after_help = "Example:\n  dicehill hill skip spring.db 17")]
    Skip(EntriesArgs),
    /// Hide the names and reports of entries from visitors
    #[command(after_help = "Example:\n  dicehill hill hide spring.db 17")]
    Hide(EntriesArgs),
    /// Show the names and reports of hidden entries again
    #[command(after_help = "Example:\n  dicehill hill unhide spring.db 17")]
    Unhide(EntriesArgs),
    /// Give an entrant another name, under which it plays in later runs
    ///
    /// Earlier runs keep the name with which they were played. The old name cannot be used again, and the author can upload new
    /// versions under the new one.
    #[command(after_help = "Example:\n  dicehill hill rename spring.db Rude Kind")]
    Rename {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        /// The name of the entrant
        #[arg(value_name = "NAME")]
        from: String,
        /// Its new name
        #[arg(value_name = "NEW_NAME")]
        to: String,
        #[command(flatten)]
        host: HostArgs,
    },
    /// Show a message on the page of a hill; print it, or remove it
    #[command(
        after_help = "Examples:\n  dicehill hill message spring.db 'No runs on Friday: the machine moves.'\n  dicehill hill message spring.db       # prints it\n  dicehill hill message spring.db ''    # removes it"
    )]
    Message {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        /// The message, one line of at most 1,000 bytes; an empty one removes it; without TEXT, the message is printed
        #[arg(value_name = "TEXT")]
        text: Option<String>,
        #[command(flatten)]
        host: HostArgs,
    },
    /// List what hosts have done: when, who and what, newest first
    #[command(after_help = "Example:\n  dicehill hill actions spring.db")]
    Actions {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
    },
    /// List the entrants: name, version, kind, identity
    #[command(after_help = "Example:\n  dicehill hill list spring.db")]
    List {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
    },
    Show(HillShowArgs),
    Progress(HillProgressArgs),
    /// Import a run from a log, after checking its games move by move
    #[command(after_help = "Example:\n  dicehill hill import spring.db run.jsonl")]
    Import {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        /// The run log
        #[arg(value_name = "LOG")]
        log: PathBuf,
    },
    /// Copy a hill to a new file, even during a run
    ///
    /// Back up with this command, not with `cp`: SQLite keeps the latest games in a second file. The backup is a single
    /// file, a hill with everything stored so far. `dicehill resume` can continue its unfinished run.
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
    /// With --overwrite, no other command may use the hill, not even `dicehill serve`.
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
        /// Replace an existing hill, even a damaged one
        #[arg(long)]
        overwrite: bool,
    },
    /// Remove the moves of old runs, which take most of the space
    ///
    /// Boards, results, outcomes of games, failures and answer times stay, so that pages and ratings do not change; the games of these
    /// runs cannot be replayed, analysed or verified move by move any more. Export or back up first what you want to keep. The runs
    /// are sealed again. No run may be played on the hill meanwhile. `dicehill serve` may keep running, but it accepts no uploads while
    /// the file is rewritten. That needs free space for what is left of the file, twice if temporary files are on the same disk.
    #[command(after_help = "Example:\n  dicehill hill prune spring.db --keep-moves 20")]
    Prune {
        /// The hill
        #[arg(value_name = "HILL.db")]
        hill: PathBuf,
        /// How many of the last ended runs keep their moves; as many of the imported ones do
        #[arg(long, value_name = "N")]
        keep_moves: usize,
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
/// Its terms are those of a hill file or of another hill, or the default terms of a game. `dicehill hill add HILL.db HILL.toml` adds the
/// bots of the hill file.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill hill init spring.db yahtzee
  dicehill hill init autumn.db autumn.toml --seed autumn
  dicehill hill init winter.db autumn.db")]
pub(crate) struct HillInitArgs {
    /// The file of the new hill
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// A hill file, a hill whose settings are copied, or a game (yahtzee, liars-dice)
    #[arg(value_name = "HILL.toml|HILL.db|GAME")]
    pub(crate) from: String,
    /// The hill's name
    #[arg(long, value_name = "TEXT")]
    pub(crate) name: Option<String>,
    /// The number of games of a run, or of games per pairing
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) games: Option<i64>,
    /// The seed of every run, so that later runs can reuse games that nothing has changed
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
}

/// Add bots to a hill and play a run
///
/// The bots are qualified first, those that do not qualify are left out, and the hill keeps copies of the others' files. A bot with the name of an entrant replaces it
/// as a new version. Games whose entrants, rules and seed have not changed are not played again.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill hill add spring.db greedy ./Mine
  dicehill hill add spring.db spring.toml          all bots of a hill file
  dicehill hill add spring.db ./Mine --next-run    without a whole run now
  dicehill hill add models.db greedy --trust-hill  with the network, secrets and files of its bots")]
pub(crate) struct HillAddArgs {
    /// The hill
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// Bots to add
    #[arg(value_name = "BOT", required = true)]
    pub(crate) bots: Vec<String>,
    /// Play no whole run: a bot that cannot be placed in a few games is only added, and plays in the next run
    #[arg(long, conflicts_with = "full")]
    pub(crate) next_run: bool,
    /// Used by the server: the number of the entry that uploaded this bot, which it has qualified; its report follows the run
    #[arg(long, value_name = "NUMBER")]
    pub(crate) entry: Option<i64>,
    #[command(flatten)]
    pub(crate) run: TournamentArgs,
}

/// Play a run on a hill
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill hill run spring.db --seed summer
  dicehill hill run models.db --trust-hill        with the network, secrets and files of its bots")]
pub(crate) struct HillRunArgs {
    /// The hill
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// Use the seed that follows from the open commitment (see `dicehill hill commit`)
    #[arg(long, conflicts_with = "seed")]
    pub(crate) committed: bool,
    /// A text to mix into that seed, which was unknown when the commitment was published
    #[arg(long, value_name = "TEXT", requires = "committed")]
    pub(crate) public_text: Option<String>,
    /// Let `dicehill serve --accept` resume the run if it is interrupted, as it does with its own runs
    #[arg(long)]
    pub(crate) queued: bool,
    #[command(flatten)]
    pub(crate) run: TournamentArgs,
}

/// How a run of a hill is played.
#[derive(clap::Args)]
pub(crate) struct TournamentArgs {
    /// The master seed of this run; by default that of the hill, or drawn at random
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
    /// On a hill of duels, play all games instead of placing a new entrant with a few
    #[arg(long)]
    pub(crate) full: bool,
    /// Store only the outcomes of games, which cannot be replayed then
    #[arg(long)]
    pub(crate) no_moves: bool,
    #[command(flatten)]
    pub(crate) hosting: HostingArgs,
    #[command(flatten)]
    pub(crate) settings: RunSettingsArgs,
    #[command(flatten)]
    pub(crate) luck: LuckArgs,
    #[command(flatten)]
    pub(crate) external: ExternalBotArgs,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}

/// Show the board of a run; by default the last finished one
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill hill show spring.db
  dicehill hill show spring.db --run 2 --format markdown")]
pub(crate) struct HillShowArgs {
    /// The hill
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// The number of the run, from 1
    #[arg(long, value_name = "N")]
    pub(crate) run: Option<i64>,
    #[command(flatten)]
    pub(crate) style: Style,
}

/// Show the results of each bot over all runs
///
/// A line for each run that the bot played in, and for each placement, with its version, rank, rating and loss. In Yahtzee, a second
/// table has the mean loss of the external bots after each run, such as those of a class.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill hill progress class.db
  dicehill hill progress class.db Ada Grace
  dicehill hill progress class.db --format csv > class.csv")]
pub(crate) struct HillProgressArgs {
    /// The hill
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// Only these bots
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Format of the tables
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
}
