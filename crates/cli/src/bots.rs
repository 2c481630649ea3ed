//! The bots of a command: what a BOT stands for, and bots ready to play.

#[cfg(feature = "workers")]
mod bundles;
mod evident_game;
mod extra_access;
mod house;
mod isolation;
mod loader;
mod source;
mod spec;
mod stored;

#[cfg(feature = "workers")]
pub(crate) use bundles::ArrivedBots;
pub(crate) use evident_game::{
    begins_with_bot, did_you_mean_game_or_bot, evident_game, game_and_bots,
};
pub(crate) use extra_access::{ExtraAccess, trust_option};
pub(crate) use isolation::missing_guarantees;
pub(crate) use loader::{BotLoader, Candidate, NamedCandidate, default_terms, with_similar};
pub(crate) use spec::games_of;
pub(crate) use stored::{StoredBots, UnpreparedBot, given, new_entrant};
