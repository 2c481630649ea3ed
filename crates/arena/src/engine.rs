//! Plays a hill on all cores, and reports it in the order of game numbers.

mod event;
mod external_worker;
mod failure_count;
mod game_queue;
mod game_source;
mod idle_cores;
mod idle_processes;
mod options;
mod outcome;
mod placement_scheduler;
mod play_range;
mod played_game;
mod player;
mod replay;
mod run;
mod run_follower;
mod segment;
mod worker_pool;

pub use event::{Event, Retrial};
pub use failure_count::FailureCount;
pub use game_source::{GameSource, NoGames, ResumeState};
pub use idle_processes::IdleProcesses;
pub use options::{Jobs, MAX_PLAY_OFFS, RunOptions};
pub use placement_scheduler::PlacementScheduler;
pub use play_range::{PlannedGames, RangeEnd, play_range};
pub use played_game::PlayedGame;
pub(crate) use player::begin;
pub use player::play_alone;
pub use replay::{DifferentAnswer, first_different_answer};
pub use run::{RunEnd, entrants_without, run, run_from, run_qualified};
pub use run_follower::{FollowError, RunFollower};
