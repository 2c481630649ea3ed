//! What a hill file, a run's header and a hill's store all describe: the terms of a hill, and what its bots are.

pub(crate) mod bot_kind;
pub(crate) mod bot_terms;
pub(crate) mod entry_terms;
mod environment;
pub(crate) mod hill_settings;
pub(crate) mod schedule;
mod time_zone;
pub(crate) mod zoned_time;

pub use bot_kind::BotKind;
pub use bot_terms::BotTerms;
pub use entry_terms::{
    Approval, EntryKey, EntryTerms, EntryTermsError, EntryWindow, ReportAccess, UnknownEntryKey,
};
pub use environment::{Environment, Environments, ExposedHill, UnknownEnvironment};
pub use hill_settings::HillSettings;
pub use schedule::{Schedule, ScheduleError};
pub use zoned_time::{ZonedTime, ZonedTimeError};
