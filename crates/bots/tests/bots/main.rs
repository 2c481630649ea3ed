//! The house bots, through the public interface of the crate.

mod absurd;
mod aces_and_eights;
mod determinism;
mod dummy;
mod house_run;
mod legality;
mod liars_dice_duelist;
mod liars_dice_field;
mod liars_dice_published;
mod liars_dice_seats;
mod liars_dice_set;
mod published_figures;
mod yahtzee_exact;
mod yahtzee_greedy;
mod yahtzee_position;
