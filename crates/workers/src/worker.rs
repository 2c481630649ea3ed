//! A worker: it plays ranges for any host.

mod event;
mod player_queue;
mod serving;
mod settings;
mod work;
mod worker_loop;

pub use event::WorkerEvent;
pub use player_queue::{PrepareRun, RangePlayer, RunInvitation};
pub use settings::WorkerSettings;
pub use work::work;
