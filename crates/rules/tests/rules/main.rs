//! The laws of the games and of their dice.

mod chance;
mod laws;
mod liars_dice_game;
mod scripted_dice;
mod yahtzee_game;
mod yahtzee_scores;
