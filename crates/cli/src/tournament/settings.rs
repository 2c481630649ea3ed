//! How a tournament is carried out.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::Jobs;

use crate::args::{RunSettingsArgs, Style};
use crate::console::Console;

/// How a tournament is carried out.
#[derive(Clone, Copy)]
pub(crate) struct RunSettings<'a> {
    /// The threads that play.
    pub(crate) jobs: Jobs,
    /// Format of the standings.
    pub(crate) style: Style,
    /// Set when the user interrupts the run.
    pub(crate) stop: &'a Arc<AtomicBool>,
    /// Where progress and standings are shown.
    pub(crate) console: &'a Console,
}

impl<'a> RunSettings<'a> {
    /// The settings of the command line.
    pub(crate) fn of(
        args: &RunSettingsArgs,
        stop: &'a Arc<AtomicBool>,
        console: &'a Console,
    ) -> Self {
        Self { jobs: args.jobs.jobs(), style: args.style, stop, console }
    }
}
