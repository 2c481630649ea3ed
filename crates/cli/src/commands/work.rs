//! `dicehill work`: plays games of runs that other machines host.

#[cfg(feature = "workers")]
mod prepared_run;
#[cfg(feature = "workers")]
mod worker;

use crate::args::WorkArgs;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::tournament::refuse_without_feature;

pub(crate) fn work(args: &WorkArgs, console: &Console) -> Result<Outcome, Failure> {
    refuse_without_feature("work")?;
    #[cfg(feature = "workers")]
    return worker::work(args, console);
    #[cfg(not(feature = "workers"))]
    {
        let WorkArgs { address, jobs, broker, external, trust } = args;
        let _used_by_workers = (address, jobs, broker, external, trust, console);
        Ok(Outcome::Done)
    }
}
