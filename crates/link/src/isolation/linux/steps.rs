//! The steps that set up a sandbox, each of which may be impossible on a machine.

use std::io;

use crate::isolation::mechanism::{Mechanism, MissingMechanism};
use crate::isolation::sandbox::Sandbox;
use crate::process::error_text::error_text;

/// The steps that set up a sandbox, and which of them failed in a probe.
#[derive(Debug)]
pub(super) struct SandboxSteps<'a> {
    pub(super) sandbox: &'a Sandbox,
    pub(super) missing: Vec<MissingMechanism>,
}

impl<'a> SandboxSteps<'a> {
    pub(super) const fn new(sandbox: &'a Sandbox) -> Self {
        Self { sandbox, missing: Vec::new() }
    }

    /// Takes a step, unless its mechanism is known to be missing. Returns whether it was taken.
    ///
    /// # Errors
    /// If it fails although the probe found it possible; in a probe the failure is recorded instead.
    pub(super) fn take(
        &mut self,
        mechanism: Mechanism,
        step: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<bool> {
        if self.sandbox.missing.contains(&mechanism) {
            return Ok(false);
        }
        match step() {
            Ok(()) => Ok(true),
            Err(error) if self.sandbox.is_probe => {
                self.missing.push(MissingMechanism { mechanism, why: error_text(&error) });
                Ok(false)
            }
            Err(error) => {
                Err(io::Error::new(error.kind(), format!("{}: {error}", mechanism.name())))
            }
        }
    }
}
