//! Runs whose games workers play.

#[cfg(feature = "workers")]
mod host;
#[cfg(feature = "workers")]
mod news;

use dicehill_arena::{Entrant, Hill, ResumeState};

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
    let usage = |why| Failure::Usage(format!("--workers {address}: {why}"));
    refuse_remote_bots(hill).map_err(usage)?;
    refuse_without_feature("--workers")?;
    hill.check_divisible().map_err(|why| usage(why.to_string()))
}

/// Refuses a hill with a remote bot: its author is connected to one server, and a worker has no program to start.
fn refuse_remote_bots<G: TerminalGame>(hill: &Hill<G>) -> Result<(), String> {
    let remote = hill.entrants().iter().find(|entrant| entrant.own_terms.remote);
    remote.map_or(Ok(()), |Entrant { name, .. }| {
        Err(format!(
            "{name} is a remote bot, which only the server of its hill can reach; leave out --workers, or leave out {name}"
        ))
    })
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
