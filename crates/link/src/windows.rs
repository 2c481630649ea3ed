//! What takes the place of external bots on Windows, where they do not run.

use std::convert::Infallible;
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dicehill_arena::{Bot, Failure, Program};

use crate::bot_log::BotLog;
use crate::files::PackedFile;
use crate::isolation::mechanism::{Mechanism, MissingMechanism};
use crate::isolation::mode::{Isolation, platform_gap};
use crate::prepare::error::PrepareError;
use crate::prepare::settings::ExternalBotSettings;
use crate::prepare::source::BotSource;
use crate::protocol::WireGame;

fn no_external_bots() -> io::Error {
    let gap = platform_gap(Isolation::Off).expect("Windows runs no external bots");
    io::Error::new(io::ErrorKind::Unsupported, gap)
}

/// An external bot. There is none on Windows.
pub struct ExternalBot<G>(Infallible, PhantomData<fn() -> G>);

impl<G: WireGame> ExternalBot<G> {
    /// Refuses every bot.
    ///
    /// # Errors
    /// Always.
    pub fn prepare(
        _name: &str,
        _source: &BotSource,
        _settings: ExternalBotSettings,
        _log: BotLog,
    ) -> Result<Self, PrepareError> {
        Err(no_external_bots().into())
    }
}

impl<G: WireGame> Program<G> for ExternalBot<G> {
    fn identity(&self) -> String {
        match self.0 {}
    }

    fn remarks(&self) -> Result<Vec<String>, Failure> {
        match self.0 {}
    }

    fn bot(&self) -> Box<dyn Bot<G>> {
        match self.0 {}
    }
}

/// Copies no bot's files.
///
/// # Errors
/// Always.
pub fn pack(_source: &BotSource) -> Result<(BotSource, Vec<PackedFile>), PrepareError> {
    Err(no_external_bots().into())
}

/// No bot reads anything of the host.
#[must_use]
pub fn outside_paths(_source: &BotSource, _folder: &Path) -> Vec<PathBuf> {
    Vec::new()
}

/// Every mechanism is missing.
///
/// # Errors
/// Never.
pub fn probe() -> io::Result<&'static [MissingMechanism]> {
    static MISSING: std::sync::OnceLock<Vec<MissingMechanism>> = std::sync::OnceLock::new();
    let why = format!("not on {}", std::env::consts::OS);
    Ok(MISSING.get_or_init(|| {
        Mechanism::ALL.map(|mechanism| MissingMechanism { mechanism, why: why.clone() }).into()
    }))
}

/// No process is started as a helper.
#[must_use]
pub fn run_helper_process() -> Option<ExitCode> {
    None
}

/// Without helper processes, their program does not matter.
pub fn set_helper_program(_program: PathBuf) {}

/// There are no children to wait for.
pub fn wait_for_children() {}
