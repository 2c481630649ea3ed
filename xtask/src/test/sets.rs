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
    "dicehill command killed::",
    // One walk through the pages stays in the default set: a game that a person plays.
    "dicehill browser enter::",
    "dicehill browser every_page::",
    "dicehill browser live::",
    "dicehill browser load::",
    "dicehill browser replay::",
    "dicehill browser two_at_a_table::",
];

/// Tests that run one at a time, with nothing beside them, because they measure time or load the machine.
pub const ALONE: &[&str] = &["dicehill browser load::"];

/// Tests that need a tool.
pub const NEEDS: &[(Tool, &[&str])] = &[
    (Tool::Chromium, &["dicehill browser"]),
];

/// All of the above.
pub(crate) const TABLES: Tables<'_> = Tables { thorough: THOROUGH, alone: ALONE, needs: NEEDS };
