//! The arena through its public interface, with small scripted bots.

mod arena_errors;
mod barring;
mod early_stopping;
mod elo;
mod failures;
mod formats;
mod late_games;
mod league;
mod luck;
mod luck_statistics;
mod memory;
mod placement;
mod placement_runs;
mod play_offs;
mod qualification;
mod rare_positions;
mod ratings;
mod records;
mod run_deadline;
mod run_follower;
mod simulated_placement;
mod simulated_ratings;
mod statistics;
mod support;
mod terms;
mod third_game;
