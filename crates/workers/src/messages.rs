//! What hosts and workers send each other. All of it is input from outside: it is read into checked types here.

mod announcement;
mod plan_reply;
mod read;
mod results;
mod sign;
#[cfg(test)]
mod tests;
mod work_order;

pub use announcement::Announcement;
pub(crate) use plan_reply::{BotObject, MAX_OBJECT_BYTES, PlanReply};
pub(crate) use read::{read, write};
pub(crate) use results::{RangeResults, ResultsReply};
pub use sign::{WorkerActivity, WorkerSign};
pub(crate) use work_order::WorkOrder;
