//! The arguments of `dicehill doctor`.

use clap::ValueEnum;

/// Say what this machine can guarantee: attack it as a bot could
///
/// A process that is started as bots are tries to read, write, reach and use up what it should not. Each
/// attack is bounded, and nothing of it stays. Exit code 3 unless all of them are contained.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill doctor
  dicehill doctor --format json
  dicehill doctor --network                   the sandbox of a bot with network = true
  dicehill doctor --no-isolation              what isolation is there for")]
pub(crate) struct DoctorArgs {
    /// How the findings are printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = DoctorFormat::Table)]
    pub(crate) format: DoctorFormat,
    /// Attack without isolation: shows what the attacks can do where nothing contains them
    #[arg(long)]
    pub(crate) no_isolation: bool,
    /// Attack as a bot to which a hill file gives `network = true`: all attacks but those that a network is for
    #[arg(long, conflicts_with = "no_isolation")]
    pub(crate) network: bool,
}

/// How the findings of a doctor are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DoctorFormat {
    /// For people
    Table,
    /// One JSON document
    Json,
}
