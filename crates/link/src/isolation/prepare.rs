//! What the supervisor sets up before it starts the init of a sandboxed child.

use std::io;

use super::control_group::ControlGroup;
use super::mechanism::{Absent, Mechanism};
use super::namespaces;
use super::sandbox::Room;
use super::steps::Steps;

/// What a keeper has done for a child before it starts its init.
pub(crate) struct Prepared {
    pub(crate) group: Option<ControlGroup>,
    /// What cannot be had of what was tried.
    pub(crate) absent: Vec<Absent>,
}

/// Makes the child's control group, and has all that this process starts from now on live in namespaces.
///
/// # Errors
/// If it is not possible though it was before.
pub(crate) fn prepare(room: &Room) -> io::Result<Prepared> {
    let mut steps = Steps::new(room);
    let mut group = None;
    if let Some(groups) = &room.groups {
        steps.take(Mechanism::ControlGroups, || {
            group = Some(ControlGroup::new(groups, room.bounds)?);
            Ok(())
        })?;
    }
    namespaces::enter(&mut steps)?;
    Ok(Prepared { group, absent: steps.absent })
}
