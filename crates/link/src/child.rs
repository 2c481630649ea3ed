//! Child processes: they are started and ended here and nowhere else.
//!
//! Each child has a supervisor ([`crate::supervisor`]), which ends everything that the child has started.

pub(crate) mod child_process;
pub(crate) mod ending;
pub(crate) mod helper_program;
mod one_core;
pub(crate) mod probe;
pub(crate) mod spawn_request;
pub(crate) mod wait;
