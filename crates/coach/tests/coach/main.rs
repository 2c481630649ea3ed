//! What the coach says of recorded decisions.

mod identity;
mod liars_dice;
