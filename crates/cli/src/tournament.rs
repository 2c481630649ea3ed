//! Tournaments: how they are set up, played, shown and recorded.

mod appraisal;
mod hill;
mod play;
mod recording;
mod settings;
mod standalone;
mod strengths;

pub(crate) use appraisal::appraised;
pub(crate) use hill::HillTournament;
pub(crate) use play::play;
pub(crate) use recording::Recording;
pub(crate) use settings::RunSettings;
pub(crate) use standalone::{MasterSeed, StandaloneRun};
