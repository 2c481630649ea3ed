//! The one place that says which tests are thorough, which run alone, and which need a tool.
//!
//! An entry is `PACKAGE PROGRAM PREFIX`: all tests of this program whose names begin so, or all its tests if there
//! is no prefix. A program is a file in `tests`, or `lib` or `bin` for the unit tests. An entry that matches no
//! test is an error.

use super::selection::Tables;
use super::{Part, Tool};

/// Parts that only `--all` tests, unless they are named. Benchmarks run only with `--all` too.
pub(crate) const THOROUGH_PARTS: &[Part] = &[Part::Proofs];

/// Tests that only `--all` runs.
pub const THOROUGH: &[&str] = &[
    // Of the pages, the games that people play stay in the default set; of the attacks, those of `isolation`; of each
    // way to play, one run.
    "dicehill command attacks::",
    "dicehill command browser::enter::",
    "dicehill command browser::every_page::",
    "dicehill command browser::live::",
    "dicehill command browser::load::",
    "dicehill command browser::replay::",
    "dicehill command browser::two_at_a_table::",
    "dicehill command check::what_is_to_be_known_",
    "dicehill command entry::a_good_bot_",
    "dicehill command entry::a_tournament_",
    "dicehill command examples::the_bots_without_",
    "dicehill command export::a_log_comes_",
    "dicehill command export::games_before_a_bar_",
    "dicehill command export::pages_show_who_",
    "dicehill command fixtures::bots::java_players_",
    "dicehill command fixtures::bots::rust",
    "dicehill command fixtures::hill_files::python_",
    "dicehill command hill::a_full_disk_",
    "dicehill command hill::a_new_version_",
    "dicehill command hill::a_newcomer_to_a_duel_",
    "dicehill command hill::entrants_are_kept_with_",
    "dicehill command hostile_text::",
    "dicehill command jars::a_jar_plays_",
    "dicehill command jars::kotlin_",
    "dicehill command jars::scala_",
    "dicehill command killed::a_killed_run_leaves_no_process",
    "dicehill command killed::a_run_that_is_asked_",
    "dicehill command killed::an_interrupted_run_",
    "dicehill command killed::the_next_start_",
    "dicehill command lacking::",
    "dicehill command misbehaviour::a_buffer_",
    "dicehill command misbehaviour::a_process_that_does_not_want_",
    "dicehill command misbehaviour::a_sleeper_",
    "dicehill command misbehaviour::players_in_java_",
    "dicehill command misbehaviour::what_a_process_leaves_behind_",
    "dicehill command new::rust_liars_dice",
    "dicehill command outside_determinism::a_run_",
    "dicehill command outside_determinism::blocks_",
    "dicehill command outside_determinism::liars_dice_",
    "dicehill command outside_determinism::yahtzee_",
    "dicehill command play::the_first_hint_",
    "dicehill command ports::one_bot_",
    "dicehill command ports::published_liars_",
    "dicehill command resume::a_killed_",
    "dicehill command resume::a_torn_end_",
    "dicehill command resume::the_command_that_goes_on_",
    "dicehill command retrials::",
    "dicehill command verify::a_committed_run_",
    "dicehill command verify::a_game_is_played_again",
];

/// Tests that run one at a time, with nothing beside them.
pub const ALONE: &[&str] = &[
    // Many visitors at once.
    "dicehill command browser::load::",
    // It measures how much of a core a bot gets off-move, which is more where the cores are busy.
    "dicehill command doctor::with_isolation_",
];

/// Tests that need a tool.
pub const NEEDS: &[(Tool, &[&str])] = &[
    (Tool::Chromium, &["dicehill command browser::"]),
    (
        Tool::Python,
        &[
            "dicehill-link link answers::",
            "dicehill command arena_errors::",
            "dicehill command attacks::",
            "dicehill command browser::",
            "dicehill command builds::",
            "dicehill command check::",
            "dicehill command data::",
            "dicehill command entry::",
            "dicehill command examples::",
            "dicehill command export::",
            "dicehill command fixtures::bots::python",
            "dicehill command fixtures::hill_files::python_",
            "dicehill command fixtures::logs::begun_logs_of_python_",
            "dicehill command fixtures::logs::logs_of_python_",
            "dicehill command fixtures::stores::",
            "dicehill command hill::",
            "dicehill command hostile_text::",
            "dicehill command isolation::",
            "dicehill command killed::",
            "dicehill command lacking::",
            "dicehill command misbehaviour::",
            "dicehill command new::python",
            "dicehill command outside_determinism::",
            "dicehill command ports::",
            "dicehill command resume::",
            "dicehill command retrials::",
            "dicehill command runtimes::",
            "dicehill command shown::the_pages_",
            "dicehill command verify::",
        ],
    ),
    (
        Tool::Jdk,
        &[
            "dicehill command arena_errors::",
            "dicehill command attacks::",
            "dicehill command check::static_fields_of_a_java_player_",
            "dicehill command fixtures::bots::java",
            "dicehill command hostile_text::bots::what_java_throws_",
            "dicehill command jars::",
            "dicehill command misbehaviour::",
            "dicehill command new::java",
            "dicehill command ports::",
        ],
    ),
    (
        Tool::Node,
        &[
            "dicehill command examples::",
            "dicehill command fixtures::bots::javascript",
            "dicehill command new::javascript",
            "dicehill command ports::one_bot_in_all_kits",
        ],
    ),
    (
        Tool::C,
        &[
            "dicehill command attacks::",
            "dicehill command fixtures::bots::c",
            "dicehill command isolation::",
            "dicehill command killed::",
            "dicehill command misbehaviour::",
            "dicehill command new::c",
            // Cargo links with it.
            "dicehill command new::rust_",
            "dicehill command ports::one_bot_in_all_kits",
            "dicehill command runtimes::",
        ],
    ),
    (Tool::Make, &["dicehill command fixtures::bots::c", "dicehill command new::c"]),
    (Tool::Kotlin, &["dicehill command jars::kotlin_"]),
    (Tool::Scala, &["dicehill command jars::scala_"]),
];

/// All of the above.
pub(crate) const TABLES: Tables<'_> = Tables { thorough: THOROUGH, alone: ALONE, needs: NEEDS };
