//! Documents of what is shown: pages make HTML of them, and the API JSON.

pub(crate) mod games;
pub(crate) mod liars_dice_replay;
pub(crate) mod replay;
pub(crate) mod sentence;
pub(crate) mod shown_game;
pub(crate) mod yahtzee_replay;
