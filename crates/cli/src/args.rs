//! The command line, with a file for each command.

mod advise;
mod analyze;
mod bench;
mod broker;
mod check;
mod connect;
mod dice;
mod doctor;
mod duel;
mod export;
mod external;
mod game_name;
mod hill;
mod host;
mod hosting;
mod jobs;
mod language;
mod limit_change;
mod luck;
mod man;
mod man_pages;
mod merge;
mod new;
mod open;
mod play;
mod progress;
mod pull;
mod replay;
mod resume;
mod run;
mod serve;
mod setting_change;
mod settings;
mod solve;
mod standalone;
mod style;
mod submit;
mod suggestions;
mod table_format;
mod text_format;
mod token;
mod trust;
mod variant;
mod verify;
mod work;
mod workers;
mod yahtzee_rules;

use std::ffi::OsString;
use std::io::Write;

use anstream::adapter::strip_str;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use dicehill_store::FileError;

use crate::console::{Console, ProgressMode};
use crate::failure::{Failure, Outcome};
use crate::layout::{Width, wrapped, wrapped_below};
use crate::text::printable;
pub(crate) use advise::{AdviseArgs, AdviseLiarsDiceArgs, AdviseYahtzeeArgs};
pub(crate) use analyze::{AnalyzeArgs, AnalyzeFormat};
pub(crate) use bench::{BenchArgs, BenchmarkName};
pub(crate) use broker::BrokerArgs;
pub(crate) use check::CheckArgs;
pub(crate) use connect::ConnectArgs;
pub(crate) use dice::DiceList;
pub(crate) use doctor::{DoctorArgs, DoctorFormat};
pub(crate) use duel::DuelArgs;
pub(crate) use export::{ExportArgs, Rows};
pub(crate) use external::{ExternalBotArgs, IsolationArgs, LogArgs};
pub(crate) use hill::{
    HillAddArgs, HillCommand, HillInitArgs, HillProgressArgs, HillRunArgs, HillShowArgs,
    TournamentArgs,
};
pub(crate) use host::{EntriesArgs, HostArgs};
pub(crate) use hosting::HostingArgs;
pub(crate) use jobs::JobsArgs;
pub(crate) use language::{Language, NAME};
pub(crate) use luck::LuckArgs;
pub(crate) use man::ManArgs;
pub(crate) use merge::MergeArgs;
pub(crate) use new::NewArgs;
pub(crate) use open::OpenArgs;
pub(crate) use play::PlayArgs;
pub(crate) use progress::ProgressArgs;
pub(crate) use pull::PullArgs;
pub(crate) use replay::{ReplayArgs, ReplayFormat};
pub(crate) use resume::ResumeArgs;
pub(crate) use run::RunArgs;
pub(crate) use serve::ServeArgs;
pub(crate) use setting_change::SettingChange;
pub(crate) use settings::RunSettingsArgs;
pub(crate) use solve::{SolveCommand, SolveLiarsDiceArgs, SolveYahtzeeArgs};
pub(crate) use standalone::StandaloneRunArgs;
pub(crate) use style::{BoardFormat, Style};
pub(crate) use submit::{CertificateArgs, SubmitArgs, TokenArgs};
pub(crate) use table_format::TableFormat;
pub(crate) use text_format::TextFormat;
pub(crate) use token::{TokenCommand, TokenNewArgs};
pub(crate) use trust::TrustArgs;
pub(crate) use variant::VariantArgs;
pub(crate) use verify::VerifyArgs;
pub(crate) use work::WorkArgs;
pub(crate) use workers::WorkersArgs;

/// Fair, replayable contests between bots for Yahtzee and Liar's Dice
///
/// A hill is a king-of-the-hill contest: its entrants, its runs and its champion. Without a command, `dicehill` does
/// the same as `dicehill run`.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

impl Args {
    /// Parses a command line.
    ///
    /// # Errors
    /// The exit code, after an error or help was printed.
    pub(crate) fn parse_or_report(words: &[OsString], console: &Console) -> Result<Self, u8> {
        Self::parse_words(words, console.width()).map_err(|error| {
            // An error quotes the words, which may contain terminal escapes: it is made from escaped words.
            let shown = words.iter().map(|word| printable(&word.to_string_lossy()).into());
            match Self::parse_words(&shown.collect::<Vec<_>>(), console.width()) {
                Err(error) => show(&error, console),
                // For example, a word that is not UTF-8 is wrong only in its original form.
                Ok(_) => {
                    error.to_string().lines().map(printable).for_each(|line| console.report(line));
                }
            }
            u8::try_from(error.exit_code()).unwrap_or(u8::MAX)
        })
    }

    /// Parses the words, with help that fits the terminal.
    fn parse_words(words: &[OsString], width: Width) -> Result<Self, clap::Error> {
        let command = match width {
            Width::Columns(columns) => wrap_examples(Self::command(), columns.min(WIDEST_HELP)),
            Width::Unlimited => Self::command(),
        };
        let names = command.clone();
        let matches = command.try_get_matches_from(words);
        Self::from_arg_matches(
            &matches.map_err(|error| suggestions::improved(error, &names, words))?,
        )
    }

    /// The command; `run` if none is given.
    pub(crate) fn into_command(self) -> Command {
        self.command.unwrap_or_else(|| {
            // Only parsing sets the defaults of arguments.
            let run = Self::try_parse_from(["dicehill", "run"]).ok().and_then(|args| args.command);
            run.expect("`run` is a command that needs no arguments")
        })
    }
}

/// Prints help to stdout and errors to stderr. A closed output is no error.
fn show(error: &clap::Error, console: &Console) {
    let text = error.render().ansi().to_string();
    if error.use_stderr() {
        let text = ERROR_WORDS.iter().fold(text, |text, (std, plain)| text.replace(std, plain));
        console.report(text.trim_end_matches('\n'));
    } else {
        let text = match console.width() {
            Width::Columns(width) => wrap_usage(&text, width),
            Width::Unlimited => text,
        };
        let _unread = write!(console.out().verbatim(), "{text}");
    }
}

/// The help with its usage wrapped, which `clap` does not wrap.
fn wrap_usage(help: &str, width: usize) -> String {
    const LABEL: &str = "Usage: ";
    let mut is_usage = false;
    let lines = help.lines().flat_map(|line| {
        let plain = strip_str(line).to_string();
        is_usage = plain.starts_with(LABEL) || is_usage && !plain.is_empty();
        match is_usage {
            true => wrapped_below(line, width, LABEL.len() + 2),
            false => vec![line.to_owned()],
        }
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// What the standard library and `clap` say of texts that are no integers or not in a range, and what is said instead.
const ERROR_WORDS: [(&str, &str); 4] = [
    ("invalid digit found in string", "it is not a whole number"),
    ("cannot parse integer from empty string", "a whole number is missing"),
    ("number too large to fit in target type", "the number is too large"),
    ("..=", " to "),
];

/// The most columns that `clap` uses.
const WIDEST_HELP: usize = 100;

/// The command with the examples of all subcommands wrapped to `width` columns. `clap` wraps other text, but does not
/// indent continued examples.
fn wrap_examples(command: clap::Command, width: usize) -> clap::Command {
    let command = command.mut_subcommands(|subcommand| wrap_examples(subcommand, width));
    let Some(text) = command.get_after_help().map(ToString::to_string) else { return command };
    let lines = text.lines().flat_map(|line| match line.starts_with(' ') {
        true => wrapped(&with_quoted_words_glued(line), width),
        false => vec![line.to_owned()],
    });
    command.after_help(lines.collect::<Vec<_>>().join("\n").replace(GLUE, " "))
}

/// Stands for a space at which a line is not broken.
const GLUE: char = '\u{a0}';

/// The line with [`GLUE`] between the words of an argument in single quotes, which a copied command needs on one line.
fn with_quoted_words_glued(line: &str) -> String {
    let parts = line.split('\'').enumerate();
    let glued = parts.map(|(i, part)| match i % 2 {
        0 => part.to_owned(),
        _ => part.replace(' ', &GLUE.to_string()),
    });
    glued.collect::<Vec<_>>().join("'")
}

const EXAMPLES: &str = "\
Examples:
  dicehill run                                 both challenges, with the house bots
  dicehill run spring.toml --out spring.jsonl  a hill, and its log
  dicehill duel greedy aces-and-eights         which of two bots is better
  dicehill replay spring.jsonl 17              game 17, move by move
  dicehill analyze spring.jsonl                the cost of each bot's mistakes
  dicehill play liars-dice                     you against house bots
  dicehill serve spring.db                     a hill on a web page, live
  dicehill new python yahtzee Mine             a bot of your own to start from

Exit codes: 0 done, 1 failed, 2 invalid usage or file, 3 done but an entrant was barred or an attack on this machine is open, 130 interrupted.";

#[derive(Subcommand)]
pub(crate) enum Command {
    Run(RunArgs),
    Duel(DuelArgs),
    Bench(BenchArgs),
    Check(CheckArgs),
    /// List the house bots and what they do
    #[command(after_help = "Example:\n  dicehill bots")]
    Bots,
    Play(PlayArgs),
    Replay(ReplayArgs),
    Analyze(AnalyzeArgs),
    #[command(subcommand, after_help = advise::EXAMPLES)]
    Advise(AdviseArgs),
    Resume(ResumeArgs),
    Merge(MergeArgs),
    Work(WorkArgs),
    Workers(WorkersArgs),
    Export(ExportArgs),
    Verify(VerifyArgs),
    /// Keep a hill: its entrants, their files and all its runs in one file
    #[command(subcommand, after_help = hill::EXAMPLES)]
    Hill(HillCommand),
    Open(OpenArgs),
    Serve(ServeArgs),
    /// Manage the tokens with which bots can be uploaded to a hill
    #[command(subcommand, after_help = token::EXAMPLES)]
    Token(TokenCommand),
    Submit(SubmitArgs),
    Connect(ConnectArgs),
    Pull(PullArgs),
    New(NewArgs),
    Doctor(DoctorArgs),
    /// Solve a game: optimal play and its value, exactly or within exact bounds
    #[command(subcommand, after_help = solve::EXAMPLES)]
    Solve(SolveCommand),
    /// Print a completion script for a shell
    ///
    /// The script asks this program, so that it also completes games, bots, files and the entrants of a hill.
    #[command(
        after_help = "Example:\n  dicehill completions bash > ~/.local/share/bash-completion/completions/dicehill"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
    Man(ManArgs),
}

impl Command {
    /// How the command shows its progress.
    pub(crate) const fn progress(&self) -> ProgressMode {
        match self {
            Self::Run(args) => args.standalone.settings.progress.mode,
            Self::Duel(args) => args.standalone.settings.progress.mode,
            Self::Check(args) => args.progress.mode,
            Self::Resume(args) => args.settings.progress.mode,
            Self::Merge(args) => args.settings.progress.mode,
            Self::Hill(HillCommand::Add(args)) => args.run.settings.progress.mode,
            Self::Hill(HillCommand::Run(args)) => args.run.settings.progress.mode,
            Self::Hill(
                HillCommand::Init(_)
                | HillCommand::Commit { .. }
                | HillCommand::Remove { .. }
                | HillCommand::List { .. }
                | HillCommand::Show(_)
                | HillCommand::Progress(_)
                | HillCommand::Import { .. }
                | HillCommand::Backup { .. }
                | HillCommand::Restore { .. }
                | HillCommand::Prune { .. }
                | HillCommand::Log { .. }
                | HillCommand::Stop { .. }
                | HillCommand::Bar { .. }
                | HillCommand::Set { .. }
                | HillCommand::Queue { .. }
                | HillCommand::Hold(_)
                | HillCommand::Approve(_)
                | HillCommand::Skip(_)
                | HillCommand::Hide(_)
                | HillCommand::Unhide(_)
                | HillCommand::Rename { .. }
                | HillCommand::Message { .. }
                | HillCommand::Actions { .. },
            )
            | Self::Bots
            | Self::Bench(_)
            | Self::Play(_)
            | Self::Replay(_)
            | Self::Analyze(_)
            | Self::Advise(_)
            | Self::Work(_)
            | Self::Workers(_)
            | Self::Export(_)
            | Self::Verify(_)
            | Self::Open(_)
            | Self::Serve(_)
            | Self::Token(_)
            | Self::Submit(_)
            | Self::Connect(_)
            | Self::Pull(_)
            | Self::New(_)
            | Self::Doctor(_)
            | Self::Solve(_)
            | Self::Completions { .. }
            | Self::Man(_) => ProgressMode::Auto,
        }
    }
}

pub(crate) fn write_man_pages(args: &ManArgs) -> Result<Outcome, Failure> {
    let folder = &args.folder;
    man_pages::write_pages(Args::command(), folder)
        .map_err(|error| FileError::new(folder, error))?;
    Ok(Outcome::Done)
}
