//! Runs whose games workers play.

#[cfg(feature = "workers")]
mod host;
#[cfg(feature = "workers")]
mod news;

use dicehill_arena::{Hill, ResumeState};

use super::play::play;
use super::recording::Recording;
use super::settings::RunSettings;
use crate::args::HostingArgs;
use crate::bots::BotLoader;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;

/// Refuses `--workers` for a run that cannot be divided among machines, and in a build without workers.
pub(crate) fn check_hosting<G: TerminalGame>(
    args: &HostingArgs,
    hill: &Hill<G>,
) -> Result<(), Failure> {
    let Some(address) = &args.workers else { return Ok(()) };
    refuse_without_feature("--workers")?;
    let usage = |why| Failure::Usage(format!("--workers {address}: {why}"));
    hill.check_divisible().map_err(usage)
}

/// Refuses a command or option that needs a build with workers.
pub(crate) fn refuse_without_feature(what: &str) -> Result<(), Failure> {
    if cfg!(feature = "workers") {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{what}: this dicehill was built without workers; `cargo install --path crates/cli --features workers` builds one \
         with them, and the programs of releases have them"
    )))
}

/// Plays a run, by workers if the command line says so.
pub(crate) fn play_or_host<G: TerminalGame>(
    hill: &Hill<G>,
    past: ResumeState<'_>,
    recording: Option<Recording>,
    settings: RunSettings<'_>,
    (args, loader): (&HostingArgs, &BotLoader),
) -> Result<Outcome, Failure> {
    check_hosting(args, hill)?;
    #[cfg(feature = "workers")]
    if let Some(address) = args.broker.address_of(args.workers.as_deref())? {
        let hosting = host::Hosting { address, loader };
        return hosting.play(hill, past, recording, settings);
    }
    let _used_by_workers = loader;
    play(hill, past, recording, settings)
}
