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
    "dicehill command attacks::",
    "dicehill command hostile_text::",
    "dicehill command jars::kotlin_",
    "dicehill command jars::scala_",
    "dicehill command killed::",
    // One walk through the pages stays in the default set: the games that people play.
    "dicehill browser enter::",
    "dicehill browser every_page::",
    "dicehill browser live::",
    "dicehill browser load::",
    "dicehill browser replay::",
    "dicehill browser two_at_a_table::",
];

/// Tests that run one at a time, with nothing beside them.
pub const ALONE: &[&str] = &[
    // Many visitors at once.
    "dicehill browser load::",
    // It measures how much of a core a bot gets off-move, which is more where the cores are busy.
    "dicehill command doctor::with_isolation_",
];

/// Tests that need a tool.
pub const NEEDS: &[(Tool, &[&str])] = &[
    (Tool::Chromium, &["dicehill browser"]),
    (
        Tool::Python,
        &[
            "dicehill browser",
            "dicehill command arena_errors::",
            "dicehill command attacks::",
            "dicehill command builds::",
            "dicehill command check::",
            "dicehill command data::",
            "dicehill command entry::",
            "dicehill command examples::",
            "dicehill command export::",
            "dicehill command hill::",
            "dicehill command hostile_text::",
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
            "dicehill command new::javascript",
            "dicehill command ports::one_bot_in_all_kits",
        ],
    ),
    (
        Tool::C,
        &[
            "dicehill command attacks::",
            "dicehill command killed::",
            "dicehill command misbehaviour::",
            "dicehill command new::c",
            // Cargo links with it.
            "dicehill command new::rust_",
            "dicehill command ports::one_bot_in_all_kits",
            "dicehill command runtimes::",
        ],
    ),
    (Tool::Make, &["dicehill command new::c"]),
    (Tool::Kotlin, &["dicehill command jars::kotlin_"]),
    (Tool::Scala, &["dicehill command jars::scala_"]),
];

/// All of the above.
pub(crate) const TABLES: Tables<'_> = Tables { thorough: THOROUGH, alone: ALONE, needs: NEEDS };
