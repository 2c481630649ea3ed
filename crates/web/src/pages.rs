//! Documents as HTML. Pages are functions of their documents; whatever is not a tag here is escaped.

pub(crate) mod account;
pub(crate) mod api;
pub(crate) mod assets;
pub(crate) mod board;
pub(crate) mod book;
pub(crate) mod bot;
pub(crate) mod chart;
pub(crate) mod class_progress;
pub(crate) mod dice;
pub(crate) mod enter;
pub(crate) mod entry;
pub(crate) mod games;
pub(crate) mod highlights;
pub(crate) mod hill;
pub(crate) mod layout;
pub(crate) mod links;
pub(crate) mod numbers;
pub(crate) mod pairs;
pub(crate) mod play;
mod problem;
pub(crate) mod replay;
pub(crate) mod site;
pub(crate) mod static_index;
