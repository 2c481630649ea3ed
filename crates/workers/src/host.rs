//! The host of a run: its games come from workers.

mod check_queue;
mod games;
mod hill_judge;
mod host_loop;
mod hosted_run;
mod hosting;
mod news;
mod shared;

pub use games::WorkerGames;
pub use hill_judge::{HillJudge, RunJudge};
pub use hosted_run::{CHECKED, HostedBot, HostedRun};
pub use hosting::host;
pub use news::WorkerNews;
