//! Runs that belong to no hill.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{Hill, ResumeState};
use dicehill_store::{LogWriter, RunSink};

use super::hosting::{check_hosting, play_or_host};
use super::master_seed::MasterSeed;
use super::recording::Recording;
use super::settings::RunSettings;
use crate::args::{HostingArgs, StandaloneRunArgs};
use crate::bots::BotLoader;
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::qualification::qualify;

/// A run that belongs to no hill, ready to be played.
pub(crate) struct StandaloneRun<G: TerminalGame> {
    hill: Hill<G>,
    /// The loader of its bots.
    loader: BotLoader,
    /// Whether workers play its games.
    hosting: HostingArgs,
    /// The further arguments of the command that resumes it.
    sources: Vec<String>,
}

impl<G: TerminalGame> StandaloneRun<G> {
    /// `named` are the arguments that name its bots. They are needed to resume it if there are external ones:
    /// the header of the run knows house bots.
    pub(crate) fn new(hill: Hill<G>, loader: BotLoader, named: &[String]) -> Self {
        let sources = if hill.has_external_bots() { named.to_vec() } else { Vec::new() };
        Self { hill, loader, hosting: HostingArgs::default(), sources }
    }

    /// Lets workers play its games, if the command line says so.
    ///
    /// # Errors
    /// If they cannot.
    pub(crate) fn hosted(self, hosting: &HostingArgs) -> Result<Self, Failure> {
        check_hosting(hosting, &self.hill)?;
        Ok(Self { hosting: hosting.clone(), ..self })
    }

    pub(super) const fn hill(&self) -> &Hill<G> {
        &self.hill
    }

    /// The further arguments of the command that resumes it.
    pub(super) fn sources(&self) -> &[String] {
        &self.sources
    }

    /// Plays it as the only run of the command.
    pub(crate) fn play(
        &self,
        args: &StandaloneRunArgs,
        seed: &MasterSeed,
        console: &Console,
    ) -> Result<Outcome, Failure> {
        if args.out.as_deref().is_some_and(|out| out.as_os_str() == "-") {
            let message = "--out -: standard output has the board; name a file for the log";
            return Err(Failure::Usage(message.to_owned()));
        }
        let stop = interrupt::stop_flag(console)?;
        let log = args.out.as_deref().map(LogWriter::create).transpose()?;
        seed.report(self.hill.has_external_bots(), console);
        self.play_to(log.map(RunSink::Log), args, &stop, console)
    }

    /// Plays it as one of several runs, recorded in `sink` if there is one.
    pub(crate) fn play_to(
        &self,
        sink: Option<RunSink>,
        args: &StandaloneRunArgs,
        stop: &Arc<AtomicBool>,
        console: &Console,
    ) -> Result<Outcome, Failure> {
        let settings = RunSettings::of(&args.settings, stop, console);
        let recording =
            sink.map(|sink| Recording { stop_watch: None, sink, sources: self.sources.clone() });
        let Some(bars) = qualify(&self.hill, &|_| true, stop, console)? else {
            if let Some(Recording { sink: RunSink::Log(log), .. }) = recording {
                log.discard_if_empty();
            }
            return Ok(Outcome::Interrupted);
        };
        let hosting = (&self.hosting, &self.loader);
        play_or_host(&self.hill, ResumeState::fresh(bars), recording, settings, hosting)
    }
}
