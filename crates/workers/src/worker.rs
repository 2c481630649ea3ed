//! A worker: it plays ranges for any host.

mod event;
mod player_queue;
mod serving;
mod work;
mod worker_loop;

pub use event::WorkerEvent;
pub use player_queue::{PrepareRun, RangePlayer, RunInvitation};
pub use work::{WorkerSettings, work};
