//! Documents: the API returns them as JSON, pages render them as HTML.

pub(crate) mod account;
pub(crate) mod board;
pub(crate) mod bot;
pub(crate) mod change;
pub(crate) mod class_progress;
pub(crate) mod coach;
pub(crate) mod entry;
pub(crate) mod estimate;
pub(crate) mod forecast;
pub(crate) mod games;
pub(crate) mod highlights;
pub(crate) mod hill;
pub(crate) mod host_paths;
pub(crate) mod liars_dice_coach;
pub(crate) mod liars_dice_replay;
pub(crate) mod move_failure;
pub(crate) mod move_text;
pub(crate) mod pairs;
pub(crate) mod ratings;
pub(crate) mod replay;
pub(crate) mod run_line;
pub(crate) mod run_view;
pub(crate) mod run_workers;
pub(crate) mod shown_game;
pub(crate) mod table;
pub(crate) mod tally;
pub(crate) mod time;
pub(crate) mod yahtzee_replay;

pub(crate) use board::{BoardDocument, Progress, RunState};
pub(crate) use bot::{BotDetails, BotDocument};
pub(crate) use coach::{CoachDocument, CoachReport};
pub(crate) use estimate::{EloEstimate, Estimate};
pub(crate) use hill::{HillDocument, HillSummary, SiteDocument};
pub(crate) use liars_dice_coach::LiarsDiceCoachDocument;
pub(crate) use pairs::PairsDocument;
pub(crate) use run_line::RunLine;
