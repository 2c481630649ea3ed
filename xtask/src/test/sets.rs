//! The tables of thorough tests, of tests that run alone, and of tests that need a tool.
//!
//! An entry is `PACKAGE PROGRAM PREFIX`: all tests of this program whose names have this prefix, or all its tests
//! without a prefix. A program is a file in `tests`, or `lib` or `bin` for the unit tests. An entry that matches no
//! test is an error.

use super::selection::Tables;
use super::{Part, Tool};

/// Parts that only `--all` tests, unless they are named. Benchmarks run only with `--all` too.
pub(crate) const THOROUGH_PARTS: &[Part] = &[Part::Workers, Part::PythonPackage, Part::Proofs];

/// Tests that only `--all` runs.
pub const THOROUGH: &[&str] = &[
    "dicehill-arena arena elo::intervals_hold_the_truth_where_",
    "dicehill-bots lib liars_dice::duelist::training::tests::the_result_",
    "dicehill-link link java::a_constructor_",
    "dicehill-solver solver contest::",
    // The default set keeps the games that people play in the browser, the attacks of `isolation`, and one run of each
    // kind.
    "dicehill command attacks::",
    "dicehill command bench::the_table_of_baselines_",
    "dicehill command browser::bad_network::",
    "dicehill command browser::entry_form::",
    "dicehill command browser::every_page::",
    "dicehill command browser::live::",
    "dicehill command browser::load::",
    "dicehill command browser::replay::",
    "dicehill command browser::table_preferences::",
    "dicehill command browser::tables::",
    "dicehill command browser::two_at_a_table::",
    "dicehill command check::a_bot_that_never_flushes_",
    "dicehill command check::facts_about_a_",
    "dicehill command check::static_fields_",
    // The default set keeps one run of the doctor, in the sandbox.
    "dicehill command doctor::a_pipe_",
    "dicehill command doctor::a_sandbox_with_a_network_",
    "dicehill command doctor::a_terminal_",
    "dicehill command doctor::without_isolation_",
    "dicehill command entry::a_bot_of_a_trusted_",
    "dicehill command entry::a_good_bot_",
    "dicehill command entry::a_restarted_server_",
    "dicehill command entry::entries_wait_for_the_schedule_",
    "dicehill command entry::interrupted::",
    "dicehill command entry::left_out::",
    "dicehill command entry::no_upload_is_lost_",
    "dicehill command entry::privacy::a_failure_",
    "dicehill command entry::remote::a_connected_",
    "dicehill command entry::upgrade::",
    "dicehill command entry::submit_follows_",
    "dicehill command examples::the_bots_without_",
    "dicehill command export::an_imported_log_",
    "dicehill command export::games_before_a_bar_",
    "dicehill command export::pages_show_barred_",
    "dicehill command external_determinism::an_early_",
    "dicehill command external_determinism::duels_do_",
    "dicehill command external_determinism::liars_dice_",
    "dicehill command external_determinism::yahtzee_",
    "dicehill command failed_requests::a_request_",
    "dicehill command fixtures::bots::java_players_",
    "dicehill command fixtures::bots::rust",
    "dicehill command fixtures::hill_files::python_",
    "dicehill command hill_media::a_full_disk_",
    "dicehill command hill::a_new_entrant_of_a_duel_",
    "dicehill command hill::a_new_version_",
    "dicehill command hill::the_files_of_",
    "dicehill command hostile_text::",
    "dicehill command jars::a_hill_",
    "dicehill command jars::a_jar_plays_",
    "dicehill command jars::kotlin_",
    "dicehill command jars::scala_",
    "dicehill command jvm_state::",
    "dicehill command killed::a_killed_run_leaves_no_process",
    "dicehill command killed::a_terminated_run_",
    "dicehill command killed::an_interrupted_run_",
    "dicehill command killed::the_next_start_",
    "dicehill command misbehaviour::a_process_that_",
    "dicehill command misbehaviour::a_timeout_is_",
    "dicehill command misbehaviour::an_unflushed_buffer_",
    "dicehill command misbehaviour::java_players_are_",
    "dicehill command misbehaviour::leftover_processes_are_",
    "dicehill command misbehaviour::sleeping_bots_",
    "dicehill command missing_isolation::",
    "dicehill command weekend::",
    // The bots in `fixtures`, one in each language, play in the default set.
    "dicehill command new::bots_of_every_language_",
    "dicehill command new::rust_liars_dice",
    "dicehill command packages::a_virtual_environment_in_",
    "dicehill command packages::jars_",
    "dicehill command play::the_first_hint_",
    "dicehill command ports::published_liars_",
    "dicehill command published_java::a_new_player_",
    "dicehill command published_java::an_exception_",
    "dicehill command published_java::failing_where_",
    "dicehill command recognition::a_bot_",
    "dicehill command redaction::",
    "dicehill command resume::a_killed_",
    "dicehill command resume::the_command_to_",
    "dicehill command resume::torn_writes_are_",
    "dicehill command retried_games::",
    "dicehill command shown::bots_",
    "dicehill command verify::a_committed_run_",
    "dicehill command verify::a_nondeterministic_",
    "dicehill command verify::a_rerun_confirms_",
    // The default set keeps one width.
    "dicehill command width::all_commands_fit_at_any_width",
    "xtask xtask reproducible::",
];

/// Tests that run one at a time, with no other test in parallel.
pub const ALONE: &[&str] = &[
    // Many simultaneous visitors.
    "dicehill command browser::load::",
    // It measures how much of a core a bot uses while it owes no answer, which is more on a busy machine.
    "dicehill command doctor::with_isolation_",
];

/// Tests that need a tool.
pub const NEEDS: &[(Tool, &[&str])] = &[
    (Tool::CHROMIUM, &["dicehill command browser::"]),
    (
        Tool::PYTHON,
        &[
            "dicehill-link link answers::",
            "dicehill command arena_errors::",
            "dicehill command attacks::",
            "dicehill command bench::a_bot_that_fails_",
            "dicehill command bench::the_table_of_baselines_",
            "dicehill command browser::",
            "dicehill command builds::",
            "dicehill command check::",
            "dicehill command data::",
            "dicehill command entry::",
            "dicehill command examples::",
            "dicehill command export::",
            "dicehill command external_determinism::",
            "dicehill command fixtures::bots::python",
            "dicehill command fixtures::hill_files::python_",
            "dicehill command fixtures::logs::logs_of_python_",
            "dicehill command fixtures::logs::unfinished_logs_of_",
            "dicehill command fixtures::stores::",
            "dicehill command hill::",
            "dicehill command hill_interrupt::",
            "dicehill command hostile_text::",
            "dicehill command isolation::",
            "dicehill command killed::",
            "dicehill command misbehaviour::",
            "dicehill command missing_isolation::",
            "dicehill command own_terms::",
            "dicehill command ports::",
            "dicehill command recognition::a_bot_",
            "dicehill command resume::",
            "dicehill command retried_games::",
            "dicehill command runtimes::",
            "dicehill command shown::bots_in_python_",
            "dicehill command shown::courses_",
            "dicehill command shown::the_readme_",
            "dicehill command shown::the_tutorial_",
            "dicehill command verify::",
        ],
    ),
    (
        Tool::JDK,
        &[
            "dicehill-link link java::",
            "dicehill command arena_errors::",
            "dicehill command attacks::",
            "dicehill command check::static_fields_of_a_java_player_",
            "dicehill command fixtures::bots::java",
            "dicehill command hostile_text::bots::java_exceptions_",
            "dicehill command jars::",
            "dicehill command jvm_state::",
            "dicehill command misbehaviour::",
            "dicehill command ports::",
            "dicehill command published_java::",
            "dicehill command shown::bots_in_java_",
        ],
    ),
    (
        Tool::NODE,
        &[
            "dicehill command examples::",
            "dicehill command fixtures::bots::javascript",
            "dicehill command shown::bots_in_javascript_",
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
            // Cargo needs it to link.
            "dicehill command new::rust_liars_dice",
            "dicehill command runtimes::",
            "dicehill command shown::bots_in_c_",
            "dicehill-store store crash::",
        ],
    ),
    (Tool::MAKE, &["dicehill command fixtures::bots::c", "dicehill command shown::bots_in_c_"]),
    (Tool::SSH_KEYGEN, &["dicehill command bench::a_signed_result_"]),
    (Tool::KOTLIN, &["dicehill command jars::kotlin_"]),
    (Tool::SCALA, &["dicehill command jars::scala_"]),
];

/// All tables.
pub(crate) const TABLES: Tables<'_> = Tables { thorough: THOROUGH, alone: ALONE, needs: NEEDS };
