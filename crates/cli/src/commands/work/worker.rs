//! A worker of this command.

use dicehill_workers::{WorkerEvent, WorkerSettings};

use super::prepared_run::Preparer;
use crate::args::WorkArgs;
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::text::printable;
use crate::threads::machine_name;

/// Works until it is stopped.
pub(super) fn work(args: &WorkArgs, console: &Console) -> Result<Outcome, Failure> {
    let address = args.broker.address(&args.address)?;
    let stop = interrupt::stop_flag(console)?;
    let jobs = args.jobs.threads();
    let settings = WorkerSettings {
        machine: machine_name(),
        jobs: u16::try_from(jobs.get()).unwrap_or(u16::MAX),
        stop: &stop,
    };
    let shown = address.shown();
    let events = |event| {
        if let Some(line) = describe(&event, &shown) {
            console.report(line);
        }
    };
    let preparer = Preparer { args, jobs, console };
    dicehill_workers::work(&address, &settings, &preparer, &events)?;
    Ok(Outcome::Done)
}

fn describe(event: &WorkerEvent, address: &str) -> Option<String> {
    Some(match event {
        WorkerEvent::Waits => format!("waiting at {address} for runs; Ctrl-C ends this worker"),
        WorkerEvent::Joined { hill, machine } => {
            format!("playing {} for {}", printable(hill), printable(machine))
        }
        WorkerEvent::Declined { hill, machine, why } => {
            let (hill, machine, why) = (printable(hill), printable(machine), printable(why));
            format!("not playing {hill} for {machine}: {why}")
        }
        WorkerEvent::Failed { games, why } => format!("failed in {games}: {}", printable(why)),
        WorkerEvent::Left { hill } => format!("{} is over", printable(hill)),
        WorkerEvent::Disconnected => {
            format!("the connection to {address} is lost; trying to connect again")
        }
        WorkerEvent::Connected | WorkerEvent::Played { .. } => return None,
    })
}
