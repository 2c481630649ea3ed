//! How strong the house bots are.

pub(super) mod duelist;
pub(super) mod field;
pub(super) mod players;
pub(super) mod published;
pub(super) mod seats;
