//! The arguments of `dicehill doctor`.

use clap::ValueEnum;

/// Report what this machine can guarantee, by attacking it as a bot could
///
/// A process that is started like a bot tries to read, write, reach and use up what it should not. Each attack is
/// bounded and leaves nothing behind. The exit code is 3 unless all attacks are contained and every promise is guaranteed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill doctor
  dicehill doctor --format json
  dicehill doctor --network                   the sandbox of a bot with network = true
  dicehill doctor --no-isolation              what isolation prevents")]
pub(crate) struct DoctorArgs {
    /// Format of the findings
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = DoctorFormat::Table)]
    pub(crate) format: DoctorFormat,
    /// Attack without isolation, to show what the attacks can do if nothing contains them
    #[arg(long)]
    pub(crate) no_isolation: bool,
    /// Attack as a bot with `network = true`: all attacks except those that a network allows
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
