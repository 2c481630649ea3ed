//! What a hill file, a run's header and a hill's store all describe: the terms of a hill, and what its bots are.

pub(crate) mod bot_kind;
pub(crate) mod hill_record;
pub(crate) mod hill_terms;

pub use bot_kind::BotKind;
pub use hill_record::HillRecord;
pub use hill_terms::HillTerms;
