//! Examines a bot before it may take part.

mod answer_times;
mod plan;
mod positions;
mod qualify;
mod report;
mod trace;

pub use answer_times::AnswerTimes;
pub use plan::QualificationPlan;
pub use positions::{RareGame, RarePosition, ScriptedDice};
pub use qualify::qualify;
pub use report::{Cause, Extent, Finding, QualificationReport, TestCase};
