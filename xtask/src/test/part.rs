//! The parts of the project that can be tested alone.

use std::fmt;

use clap::ValueEnum;

use super::sets::THOROUGH_PARTS;

/// A part of the project, in the order in which parts are tested.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
pub enum Part {
    /// crates/rules
    Rules,
    /// crates/solver
    Solver,
    /// crates/coach
    Coach,
    /// crates/arena
    Arena,
    /// crates/bots
    Bots,
    /// crates/link
    Link,
    /// crates/temporary
    Temporary,
    /// crates/store
    Store,
    /// crates/web
    Web,
    /// crates/cli: the command without its pages
    Cli,
    /// The pages in Chromium
    Browser,
    /// What `dicehill doctor` finds on this machine
    Doctor,
    /// The Python scripts in protocol/
    Protocol,
    /// sdk/python
    Python,
    /// sdk/c
    C,
    /// sdk/java
    Java,
    /// sdk/javascript
    Javascript,
    /// sdk/rust
    Rust,
    /// xtask: the tests of this command, of the docs and of the dependencies
    Xtask,
    /// proofs
    Proofs,
}

/// A crate of the workspace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Crate {
    pub(crate) folder: &'static str,
    pub(crate) package: &'static str,
    pub(crate) has_benchmarks: bool,
}

/// How the names of the command's tests begin that need a browser.
const BROWSER: &str = "browser::";

const fn plain(folder: &'static str, package: &'static str) -> Option<Crate> {
    Some(Crate { folder, package, has_benchmarks: false })
}

const fn measured(folder: &'static str, package: &'static str) -> Option<Crate> {
    Some(Crate { folder, package, has_benchmarks: true })
}

impl Part {
    /// The crate whose tests these are.
    pub(crate) fn source(self) -> Option<Crate> {
        match self {
            Self::Rules => plain("crates/rules", "dicehill-rules"),
            Self::Solver => plain("crates/solver", "dicehill-solver"),
            Self::Coach => plain("crates/coach", "dicehill-coach"),
            Self::Arena => plain("crates/arena", "dicehill-arena"),
            Self::Bots => measured("crates/bots", "dicehill-bots"),
            Self::Link => plain("crates/link", "dicehill-link"),
            Self::Temporary => plain("crates/temporary", "dicehill-temporary"),
            Self::Store => plain("crates/store", "dicehill-store"),
            Self::Web => plain("crates/web", "dicehill-web"),
            Self::Cli | Self::Browser => plain("crates/cli", "dicehill"),
            Self::Rust => measured("sdk/rust", "dicehill-bot"),
            Self::Xtask => plain("xtask", "xtask"),
            Self::Proofs => plain("proofs", "dicehill-proofs"),
            Self::Doctor
            | Self::Protocol
            | Self::Python
            | Self::C
            | Self::Java
            | Self::Javascript => None,
        }
    }

    /// Whether tests of this program belong to the part.
    pub(crate) fn has(self, package: &str, program: &str) -> bool {
        let is_there = self.source().is_some_and(|source| source.package == package);
        is_there && (self != Self::Browser || program == "command")
    }

    /// Whether this test of a program of the part belongs to it, and not to another part of the same program.
    pub(crate) fn owns(self, test: &str) -> bool {
        match self {
            Self::Browser => test.starts_with(BROWSER),
            Self::Cli => !test.starts_with(BROWSER),
            Self::Rules
            | Self::Solver
            | Self::Coach
            | Self::Arena
            | Self::Bots
            | Self::Link
            | Self::Temporary
            | Self::Store
            | Self::Web
            | Self::Doctor
            | Self::Protocol
            | Self::Python
            | Self::C
            | Self::Java
            | Self::Javascript
            | Self::Rust
            | Self::Xtask
            | Self::Proofs => true,
        }
    }

    /// Whether only `--all` tests it.
    pub(crate) fn is_thorough(self) -> bool {
        THOROUGH_PARTS.contains(&self)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value().expect("no part is hidden");
        f.pad(value.get_name())
    }
}
