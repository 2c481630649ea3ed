//! Appraisals and reports of recorded decisions.

mod identity;
mod liars_dice;
