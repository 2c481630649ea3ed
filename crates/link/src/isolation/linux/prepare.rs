//! What the supervisor sets up before it starts the init of a sandboxed child.

use std::io;

use super::namespaces;
use super::steps::SandboxSteps;
use crate::isolation::control_group::ControlGroup;
use crate::isolation::mechanism::{Mechanism, MissingMechanism};
use crate::isolation::sandbox::Sandbox;

/// What the supervisor has set up for a child before it starts the init.
pub(crate) struct PreparedSandbox {
    pub(crate) group: Option<ControlGroup>,
    /// The mechanisms that failed, in a probe.
    pub(crate) missing: Vec<MissingMechanism>,
}

/// Creates the control group of the child, named after the process that the arena has started, and has future children of
/// this process start in new namespaces.
///
/// # Errors
/// If a step fails that the probe found possible.
pub(crate) fn prepare(sandbox: &Sandbox, supervisor: u32) -> io::Result<PreparedSandbox> {
    let mut steps = SandboxSteps::new(sandbox);
    let mut group = None;
    if let Some(groups) = &sandbox.groups {
        steps.take(Mechanism::ProcessorAccount, || {
            group = Some(ControlGroup::new(groups, supervisor)?);
            Ok(())
        })?;
        if groups.without_limits().is_none() {
            let no_group = || io::Error::other("there is no group");
            steps.take(Mechanism::ControlGroups, || {
                group.as_ref().ok_or_else(no_group)?.limit(sandbox.bounds)
            })?;
        }
    }
    namespaces::enter(&mut steps, sandbox.network)?;
    Ok(PreparedSandbox { group, missing: steps.missing })
}
