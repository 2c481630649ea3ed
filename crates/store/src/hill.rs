//! What a hill file, a run's header and a hill's store all describe: the terms of a hill, and what its bots are.

pub(crate) mod bot_kind;
pub(crate) mod bot_terms;
pub(crate) mod hill_settings;

pub use bot_kind::BotKind;
pub use bot_terms::BotTerms;
pub use hill_settings::HillSettings;
