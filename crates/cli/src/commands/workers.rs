//! `dicehill workers`: shows the runs that workers play, and the workers.

#[cfg(feature = "workers")]
mod overview;

use crate::args::WorkersArgs;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::tournament::refuse_without_feature;

pub(crate) fn workers(args: &WorkersArgs, console: &Console) -> Result<Outcome, Failure> {
    refuse_without_feature("workers")?;
    #[cfg(feature = "workers")]
    return overview::show(args, console);
    #[cfg(not(feature = "workers"))]
    {
        let WorkersArgs { address, format, broker } = args;
        let _used_by_workers = (address, format, broker, console);
        Ok(Outcome::Done)
    }
}
