//! The commands, one file or folder for each.

pub(crate) mod advise;
pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod bots;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod connect;
pub(crate) mod doctor;
pub(crate) mod duel;
pub(crate) mod export;
pub(crate) mod hill;
pub(crate) mod merge;
pub(crate) mod new;
pub(crate) mod open;
pub(crate) mod play;
pub(crate) mod pull;
pub(crate) mod replay;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod submit;
pub(crate) mod token;
pub(crate) mod verify;
pub(crate) mod work;
pub(crate) mod workers;
