//! The arena through its public interface, with small scripted bots.

mod arena_errors;
mod barring;
mod failures;
mod following;
mod formats;
mod league;
mod luck;
mod luck_statistics;
mod memory;
mod newcomers;
mod placement;
mod placing;
mod play_offs;
mod positions;
mod qualification;
mod ratings;
mod records;
mod statistics;
mod support;
mod third_game;
mod until;
