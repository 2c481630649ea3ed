//! Runs that belong to no hill.

use std::sync::atomic::AtomicBool;

use dicehill_arena::{Hill, ResumeState};
use dicehill_store::{LogWriter, RunSink};

use super::play::play;
use super::recording::Recording;
use super::settings::RunSettings;
use crate::args::StandaloneRunArgs;
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::qualification::qualify;
use crate::seed;

/// The master seed of a run.
pub(crate) struct MasterSeed {
    pub(crate) text: String,
    drawn: bool,
}

impl MasterSeed {
    /// The seed of the command line, that of the hill file, or a new one.
    pub(crate) fn of(args: &StandaloneRunArgs, file: Option<&str>) -> Result<Self, Failure> {
        match args.seed.as_deref().or(file) {
            Some(seed) => Ok(Self { text: seed.to_owned(), drawn: false }),
            None => Ok(Self { text: seed::draw()?, drawn: true }),
        }
    }

    /// Reports a new seed at once, so that the run can be repeated even if its output is lost.
    pub(crate) fn report_if_drawn(&self, console: &Console) {
        if self.drawn {
            console.report(format!("seed: {}", self.text));
        }
    }
}

/// A run that belongs to no hill, ready to be played.
pub(crate) struct StandaloneRun<G: TerminalGame> {
    hill: Hill<G>,
    /// The further arguments of the command that resumes it.
    sources: Vec<String>,
}

impl<G: TerminalGame> StandaloneRun<G> {
    /// `named` are the arguments that name its bots. They are needed to resume it if there are external ones:
    /// the header of the run knows house bots.
    pub(crate) fn new(hill: Hill<G>, named: &[String]) -> Self {
        let is_external = hill.entrants().iter().any(|entrant| entrant.program.is_outside());
        let sources = if is_external { named.to_vec() } else { Vec::new() };
        Self { hill, sources }
    }

    /// Plays it as the only run of the command.
    pub(crate) fn play(
        &self,
        args: &StandaloneRunArgs,
        seed: &MasterSeed,
        console: &Console,
    ) -> Result<Outcome, Failure> {
        let stop = interrupt::stop_flag(console)?;
        let log = args.out.as_deref().map(LogWriter::create).transpose()?;
        seed.report_if_drawn(console);
        self.play_to(log.map(RunSink::Log), args, &stop, console)
    }

    /// Plays it as one of several runs, recorded in `sink` if there is one.
    pub(crate) fn play_to(
        &self,
        sink: Option<RunSink>,
        args: &StandaloneRunArgs,
        stop: &AtomicBool,
        console: &Console,
    ) -> Result<Outcome, Failure> {
        let settings = RunSettings::of(&args.settings, stop, console);
        let recording = sink.map(|sink| Recording { sink, sources: self.sources.clone() });
        let bars = qualify(&self.hill, &|_| true, stop, console)?;
        play(&self.hill, ResumeState::fresh(bars), recording, settings)
    }
}
