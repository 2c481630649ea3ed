//! What a host learns of its workers, in words.

use dicehill_arena::PROGRAM;
use dicehill_workers::WorkerNews;

use crate::text::{counted, printable};

/// The message on a piece of news.
pub(super) fn describe(news: &WorkerNews, address: &str) -> Option<String> {
    Some(match news {
        WorkerNews::Joined { machine, jobs } => {
            let threads = counted(*jobs, "thread");
            format!("worker {} plays, with {threads}", printable(machine))
        }
        WorkerNews::Left { machine } => format!("worker {} has left", printable(machine)),
        WorkerNews::Declined { machine, why } => {
            format!("worker {} cannot play this run: {}", printable(machine), printable(why))
        }
        WorkerNews::OtherProgram { machine, program } => format!(
            "worker {} has {}, and this is {PROGRAM}: it cannot play this run",
            printable(machine),
            printable(program)
        ),
        WorkerNews::NoWorkers => {
            format!("no worker plays this run; to start one: dicehill work {address}")
        }
        WorkerNews::Failed { machine, games, why } => {
            format!("worker {} failed in {games}: {}", printable(machine), printable(why))
        }
        WorkerNews::Poisoned { games } => {
            format!("workers failed five times: {} played here", counted(*games, "game"))
        }
        WorkerNews::Refused { machine, why } => format!(
            "worker {} altered games: {}; none of its games count, and others play them",
            printable(machine),
            printable(why)
        ),
        WorkerNews::Disconnected => {
            format!("the connection to {address} is lost; trying to connect again")
        }
        WorkerNews::Connected | WorkerNews::Playing { .. } => return None,
        WorkerNews::QueueRestored => {
            format!("{address} had lost the games that it was handed; they are handed out again")
        }
        WorkerNews::BrokerFailed { why } => format!("{address}: {}", printable(why)),
    })
}
