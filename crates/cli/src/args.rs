//! The command line.

mod advise;
mod analyze;

use std::path::PathBuf;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use dicehill_arena::Confidence;
use dicehill_rules::GameName;

use crate::failure::{Failure, Outcome};
use crate::new::Language;
use crate::text::{printable, tell};
pub(crate) use advise::{AdviseArgs, AdviseFormat};
pub(crate) use analyze::{AnalyzeArgs, AnalyzeFormat};

/// The arena for dice-game bots: fair tournaments of Yahtzee and Liar's Dice that anybody can replay
///
/// Without a command it does what `dicehill run` does.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

impl Args {
    /// Those that this program was started with. It ends if they are wrong, or ask for help.
    pub(crate) fn of_this_program() -> Self {
        Self::try_parse().unwrap_or_else(|error| {
            // What an error repeats of them may have come from anywhere: it is made of what can be printed.
            let shown = std::env::args_os().map(|word| printable(&word.to_string_lossy()));
            match Self::try_parse_from(shown) {
                Err(error) => error.exit(),
                Ok(_) => {
                    error.to_string().lines().map(printable).for_each(tell);
                    std::process::exit(error.exit_code())
                }
            }
        })
    }

    /// The command; the main job if none is given.
    pub(crate) fn task(self) -> Command {
        let main_job = || Self::parse_from(["dicehill", "run"]).command;
        self.command.or_else(main_job).expect("`run` is a command")
    }
}

const EXAMPLES: &str = "\
Examples:
  dicehill run                                both challenges, with the house bots
  dicehill run spring.toml --out spring.jsonl a hill, and its log
  dicehill duel greedy aces-and-eights        which of two is better, in as few games as it takes
  dicehill replay spring.jsonl 17             game 17, move by move
  dicehill analyze spring.jsonl               what each bot's mistakes cost (Yahtzee)
  dicehill play liars-dice                    you against house bots
  dicehill new python yahtzee Mine            a bot of your own, to begin with

Exit codes: 0 done, 1 failed, 2 bad usage or bad file, 3 done but an entrant was barred or an
attack on this machine is open, 130 interrupted.";

#[derive(Subcommand)]
pub(crate) enum Command {
    Run(RunArgs),
    Duel(DuelArgs),
    Check(CheckArgs),
    /// List the house bots and what they do
    #[command(after_help = "Example:\n  dicehill bots")]
    Bots,
    Play(PlayArgs),
    Replay(ReplayArgs),
    Analyze(AnalyzeArgs),
    Advise(AdviseArgs),
    Resume(ResumeArgs),
    Export(ExportArgs),
    Verify(VerifyArgs),
    /// Keep a hill: its entrants, their files and all its tournaments in one file
    #[command(subcommand, after_help = HILL_EXAMPLES)]
    Hill(HillCommand),
    New(NewArgs),
    Doctor(DoctorArgs),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  dicehill completions bash > ~/.local/share/bash-completion/completions/dicehill"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
}

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

/// Find out which of two bots is better, in as few games as it takes
///
/// Both play every table from each seat, until their points tell which one is better: after each block
/// of two games it looks, and with the probability P it is right, however often it looks.
/// Liar's Dice is played by two at a table here. Exit code 0 whether it is decided or not.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill duel greedy aces-and-eights
  dicehill duel bayes badnomial --until 0.999 --max-games 1000000
  dicehill duel ./Mine ./Mine-2 --game yahtzee --out duel.jsonl")]
pub(crate) struct DuelArgs {
    /// The two bots, in the forms that `run` takes
    #[arg(value_names = ["BOT", "BOT"], num_args = 2, required = true)]
    pub(crate) bots: Vec<String>,
    /// How sure it has to be
    #[arg(long, value_name = "P", default_value = "0.99", allow_negative_numbers = true)]
    pub(crate) until: Confidence,
    /// Games after which it gives up
    #[arg(long, value_name = "N", default_value_t = 100_000, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(2..=1_000_000_000))]
    pub(crate) max_games: u32,
    /// The game, where the bots do not tell: yahtzee or liars-dice
    #[arg(long)]
    pub(crate) game: Option<GameName>,
    /// The variant of the rules: official, or the original controller's mego-2016, superjedi-2015
    #[arg(long)]
    pub(crate) rules: Option<String>,
    /// The master seed, any text; drawn from the operating system if nobody gives one
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
    /// Threads that play; all cores unless given. The result is the same for any number
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// How the result is printed
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

/// How far bots outside are kept apart.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct Apart {
    /// Start no bot outside unless it can be kept apart in every way; `dicehill doctor` tells
    #[arg(long, conflicts_with = "no_isolation")]
    pub(crate) require_isolation: bool,
    /// Do not keep bots outside apart: for your own bots
    #[arg(long)]
    pub(crate) no_isolation: bool,
}

/// How standings are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BoardFormat {
    /// For people
    Table,
    /// The result document, one a line
    Json,
    /// For spreadsheets
    Csv,
    /// For pasting into a post
    Markdown,
}

/// Qualify bots: do they play legally, and the same way each time?
///
/// Each bot plays against house bots at every seat, and every game again: a program outside with one
/// process for all of them. Positions that are rare in play are put to it as well. Exit code 3 if a
/// bot does not qualify.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill check yahtzee greedy spring.toml#Mine
  dicehill check liars-dice bots/*.py --report reports")]
pub(crate) struct CheckArgs {
    /// The game: yahtzee or liars-dice
    pub(crate) game: GameName,
    /// The bots
    #[arg(value_name = "BOT", required = true)]
    pub(crate) bots: Vec<String>,
    /// The variant of the rules: official, or the original controller's mego-2016, superjedi-2015
    #[arg(long)]
    pub(crate) rules: Option<String>,
    /// Write what bots outside write to their stderr to files in a folder, up to 1 MiB for each bot
    #[arg(long, value_name = "DIR")]
    pub(crate) logs: Option<PathBuf>,
    /// Write a page for each bot and `check.csv`, a line for each, to a folder
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// How many games each plays
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) games: u32,
    /// The master seed, any text
    #[arg(long, value_name = "TEXT", default_value = "check")]
    pub(crate) seed: String,
    #[command(flatten)]
    pub(crate) apart: Apart,
}

/// Play against bots at the terminal
///
/// You see what a bot in your seat would see. Type `help` for what you can type, `undo` to take a
/// move back, `quit` to leave.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill play yahtzee
  dicehill play liars-dice --against badnomial nobody pirate --seed tuesday")]
pub(crate) struct PlayArgs {
    /// The game: yahtzee or liars-dice
    pub(crate) game: GameName,
    /// Your opponents
    #[arg(long, value_name = "BOT", num_args = 1..)]
    pub(crate) against: Vec<String>,
    /// The variant of the rules: official, or the original controller's mego-2016, superjedi-2015
    #[arg(long)]
    pub(crate) rules: Option<String>,
    /// The master seed, any text; drawn from the operating system if nobody gives one
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
    #[command(flatten)]
    pub(crate) apart: Apart,
}

/// Show a recorded game move by move
///
/// Every move is checked against the rules and the dice of the run's seed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill replay spring.jsonl 17
  dicehill replay spring.jsonl 17 --save game-17.jsonl
  dicehill replay game-17.jsonl --format json
  dicehill replay spring.jsonl 17 --input Mine | python3 mine.py
  dicehill replay spring.db#3 17 --rerun
  dicehill replay spring.jsonl 17 --rerun spring.toml")]
pub(crate) struct ReplayArgs {
    /// A run log written with `run --out`, HILL.db#N, or a game written with --save
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The number of the game, from 1; may be left out if the log holds a single game
    #[arg(value_name = "GAME", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) game: Option<u64>,
    /// How the game is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReplayFormat::Text)]
    pub(crate) format: ReplayFormat,
    /// Write the game alone to a file that is new or empty, instead of showing it
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    pub(crate) save: Option<PathBuf>,
    /// Print what this bot was sent in the game, line by line, to be piped into it
    #[arg(long, value_name = "BOT", conflicts_with_all = ["format", "save"])]
    pub(crate) input: Option<String>,
    /// With --input: for a bot that has asked to be told what each call reveals
    #[arg(long, requires = "input")]
    pub(crate) rounds: bool,
    /// Play the game again and say whether the moves are the same; the bots outside of a log are named behind it,
    /// each as itself or all by their hill file. Exit code 1 if a move is another
    #[arg(long, value_name = "BOT", num_args = 0.., conflicts_with_all = ["format", "save", "input"])]
    pub(crate) rerun: Option<Vec<String>>,
    #[command(flatten)]
    pub(crate) apart: Apart,
}

/// How a replay is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReplayFormat {
    /// For people
    Text,
    /// One JSON document with every position and move
    Json,
}

/// Go on with a run that was left
///
/// After Ctrl-C, a crash or a power failure. The result is byte for byte that of a run that was not
/// interrupted, if the bots are deterministic. A hill has copies of its bots; a log does not: bots
/// outside that played are named again, each as itself or all by their hill file, and must be what they were.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill resume spring.db#3
  dicehill resume spring.jsonl spring.toml
  dicehill resume spring.jsonl mine.py")]
pub(crate) struct ResumeArgs {
    /// A run log, HILL.db#N, or HILL.db for its last run
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The bots outside that play in a log, or the hill file that has them
    #[arg(value_name = "BOT")]
    pub(crate) bots: Vec<String>,
    /// Threads that play; all cores unless given. The result is the same for any number
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// How the standings are printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = BoardFormat::Table)]
    pub(crate) format: BoardFormat,
    /// Show differences, encounters head to head, and results by seat as well, which JSON always has
    #[arg(long)]
    pub(crate) details: bool,
    /// Write what bots outside write to their stderr to files in a folder, up to 1 MiB for each bot
    #[arg(long, value_name = "DIR")]
    pub(crate) logs: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) apart: Apart,
}

/// Write a recorded run as tables, as its log, or as pages
///
/// One row a game, one a seat of a game, or one a move; protocol/export.md describes the columns. Names and
/// texts of strangers are escaped as each format asks for it. Files appear when they are whole.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("form").required(true).args(["csv", "jsonl", "markdown", "parquet", "html"])))]
#[command(after_help = "\
Examples:
  dicehill export spring.db --csv --out tables       games.csv, seats.csv, moves.csv
  dicehill export spring.db#3 --csv --rows moves | head
  dicehill export spring.db#3 --jsonl --out run.jsonl    the run log
  dicehill export spring.jsonl --markdown
  dicehill export spring.db --html pages --game 17 --game 4")]
pub(crate) struct ExportArgs {
    /// A run log, HILL.db#N, or HILL.db for its last run
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Tables for spreadsheets and data frames; with --out and without --rows all three, in a folder
    #[arg(long)]
    pub(crate) csv: bool,
    /// The run log, JSON Lines; with --rows a table, an object a row
    #[arg(long)]
    pub(crate) jsonl: bool,
    /// The board and the games for a post; with --rows a table, up to 1000 rows
    #[arg(long)]
    pub(crate) markdown: bool,
    /// Tables as CSV has them, in Parquet files; only in a dicehill built with the feature `parquet`
    #[arg(long)]
    pub(crate) parquet: bool,
    /// The board and replays as pages in a folder, for a host without a server
    #[arg(long, value_name = "DIR", conflicts_with_all = ["rows", "out"])]
    pub(crate) html: Option<PathBuf>,
    /// Which table: what a row is
    #[arg(long, value_name = "TABLE", value_enum)]
    pub(crate) rows: Option<Rows>,
    /// Write to a file, or all tables to a folder, instead of stdout; what is there is replaced
    #[arg(long, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
    /// With --html: a game that gets a page, in place of the first, the closest, the greatest, those with failures
    #[arg(long = "game", value_name = "N", requires = "html", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: Vec<u64>,
}

/// What a row of an export is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rows {
    /// A game
    Games,
    /// A seat of a game
    Seats,
    /// A move
    Moves,
}

/// Check a recorded run: every die, move and score, the board, the hashes, the commitment
///
/// All that can be recomputed is, and a sample of the games is played again by the bots, if they are here: a hill
/// has copies, those of a log are named behind it. Exit code 1 if something is not as it was played.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill verify spring.db#3
  dicehill verify spring.jsonl spring.toml --sample 100")]
pub(crate) struct VerifyArgs {
    /// A run log, HILL.db#N, or HILL.db for its last run
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The bots outside that play in a log, or the hill file that has them
    #[arg(value_name = "BOT")]
    pub(crate) bots: Vec<String>,
    /// How many games are played again
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) sample: u64,
    /// Threads that replay and play; all cores unless given
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) apart: Apart,
}

const HILL_EXAMPLES: &str = "\
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
    /// Publish the hash of a secret, from which the seed of the next committed tournament follows
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
        /// Who goes
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
    /// List all tournaments, oldest first
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
    /// Games of a tournament, or games for each pairing
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) games: Option<i64>,
    /// The seed of every tournament: then games that nothing has changed are not played again
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
}

/// Add bots to a hill and play a new tournament
///
/// They are qualified first; copies of their files are kept. A bot of a name that is on the hill is a new version
/// of it. Games whose entrants, rules and seed have not changed are not played again.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill hill add spring.db greedy ./Mine
  dicehill hill add spring.db spring.toml         all bots of a hill file")]
pub(crate) struct HillAddArgs {
    /// The hill
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// Who comes
    #[arg(value_name = "BOT", required = true)]
    pub(crate) bots: Vec<String>,
    #[command(flatten)]
    pub(crate) run: TournamentArgs,
}

/// Play a new tournament on a hill
#[derive(clap::Args)]
#[command(after_help = "Example:\n  dicehill hill run spring.db --seed summer")]
pub(crate) struct HillRunArgs {
    /// The hill
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// With the seed that follows from the open commitment: see `dicehill hill commit`
    #[arg(long, conflicts_with = "seed")]
    pub(crate) committed: bool,
    /// What is mixed into that seed, and nobody could know when the commitment was published
    #[arg(long, value_name = "TEXT", requires = "committed")]
    pub(crate) public_text: Option<String>,
    #[command(flatten)]
    pub(crate) run: TournamentArgs,
}

/// How a tournament of a hill is played.
#[derive(clap::Args)]
pub(crate) struct TournamentArgs {
    /// The master seed of this tournament; that of the hill, or drawn from the operating system
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
    /// Play the whole tournament on a hill of duels too, where a newcomer is otherwise placed by a few games
    #[arg(long)]
    pub(crate) full: bool,
    /// Keep only what came of the games: they cannot be replayed
    #[arg(long)]
    pub(crate) no_moves: bool,
    /// Threads that play; all cores unless given. The result is the same for any number
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// How the standings are printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = BoardFormat::Table)]
    pub(crate) format: BoardFormat,
    /// Show differences, encounters head to head, and results by seat as well, which JSON always has
    #[arg(long)]
    pub(crate) details: bool,
    /// Write what bots outside write to their stderr to files in a folder, up to 1 MiB for each bot
    #[arg(long, value_name = "DIR")]
    pub(crate) logs: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) apart: Apart,
}

/// Show the board of a tournament: the last that has come to its end, or any other
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill hill show spring.db
  dicehill hill show spring.db --run 2 --format markdown")]
pub(crate) struct HillShowArgs {
    /// The hill
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// Which tournament, from 1
    #[arg(long, value_name = "N")]
    pub(crate) run: Option<i64>,
    /// How the standings are printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = BoardFormat::Table)]
    pub(crate) format: BoardFormat,
    /// Show differences, encounters head to head, and results by seat as well, which JSON always has
    #[arg(long)]
    pub(crate) details: bool,
}

/// Begin a bot: write a folder with one that plays, and its test
///
/// The folder holds all that the bot is written with. It is a BOT for the other commands.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill new python yahtzee Mine
  dicehill check yahtzee ./Mine
  dicehill run yahtzee ./Mine greedy")]
pub(crate) struct NewArgs {
    /// The language in which it is written
    #[arg(value_name = "LANG", value_enum)]
    pub(crate) language: Language,
    /// The game: yahtzee or liars-dice
    pub(crate) game: GameName,
    /// The bot's name and that of its folder: letters, digits and _, a letter first
    #[arg(value_parser = crate::new::identifier)]
    pub(crate) name: String,
}

/// Say what this machine can guarantee: attack it as a bot could
///
/// A process that is started as bots are tries to read, write, reach and use up what it should not. Each
/// attack is bounded, and nothing of it stays. Exit code 3 unless all of them are contained.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill doctor
  dicehill doctor --format json
  dicehill doctor --no-isolation              what isolation is there for")]
pub(crate) struct DoctorArgs {
    /// How the findings are printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = DoctorFormat::Table)]
    pub(crate) format: DoctorFormat,
    /// Attack without isolation: shows what the attacks can do where nothing contains them
    #[arg(long)]
    pub(crate) no_isolation: bool,
}

/// How the findings of a doctor are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DoctorFormat {
    /// For people
    Table,
    /// One JSON document
    Json,
}

pub(crate) fn print_completions(shell: Shell) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "dicehill", &mut script);
    std::io::Write::write_all(&mut std::io::stdout(), &script)?;
    Ok(Outcome::Done)
}
