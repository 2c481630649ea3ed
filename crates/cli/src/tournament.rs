//! Tournaments: how they are set up, played, shown and recorded.

mod answer_totals;
mod appraisal;
mod hill;
mod hosting;
mod master_seed;
mod play;
mod recording;
mod settings;
mod shard;
mod standalone;
mod stop_watch;
mod strengths;

pub(crate) use appraisal::appraised;
pub(crate) use hill::HillTournament;
pub(crate) use hosting::{check_hosting, play_or_host, refuse_without_feature};
pub(crate) use master_seed::MasterSeed;
pub(crate) use play::play;
pub(crate) use recording::Recording;
pub(crate) use settings::RunSettings;
pub(crate) use shard::PlannedShard;
pub(crate) use standalone::StandaloneRun;
pub(crate) use stop_watch::StopWatch;
