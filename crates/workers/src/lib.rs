//! Runs that several machines play at once: a host hands out ranges of games, workers play them, and NATS JetStream carries
//! the work.
//!
//! - `messages` has what host and workers send each other, read into checked types at the edge.
//! - `ranges` decides which games are handed out next, and what has arrived: a state machine without I/O and clock.
//! - `broker` is the connection to NATS: the queue of work, and the bots by their content.
//! - `host` is a [`dicehill_arena::GameSource`] whose games come from workers.
//! - `worker` plays ranges for any host.
//! - `survey` looks at hosts and workers from outside.
//!
//! The broker holds nothing that matters: the host knows which games it lacks, and hands them out again. A game is a function of
//! the plan and its number, so that it does not matter which worker plays it, how often, or in which order the lines arrive.

mod broker;
mod host;
mod id;
mod messages;
mod ranges;
mod survey;
mod worker;

pub use broker::{BrokerAddress, BrokerError};
pub use host::{CHECKED, HillJudge, HostedBot, HostedRun, RunJudge, WorkerGames, WorkerNews, host};
pub use id::Id;
pub use messages::{Announcement, WorkerActivity, WorkerSign};
pub use ranges::{BookSettings, Dispute, Order, OrderRefusal, RangeBook, Wanted};
pub use survey::{Survey, survey};
pub use worker::{PrepareRun, RangePlayer, RunInvitation, WorkerEvent, WorkerSettings, work};
