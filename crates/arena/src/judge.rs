//! The judge of single games.

mod answer_sum;
mod appraising;
mod game_record;
mod highlighting;
mod play;

pub use answer_sum::AnswerSum;
pub(crate) use answer_sum::TimedBot;
pub use appraising::AppraisalMismatch;
pub use game_record::{GameRecord, Offence};
pub use play::{Audience, Play};
