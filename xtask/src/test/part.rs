//! The parts of the project that can be tested separately.

use std::borrow::Cow;
use std::fmt;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::language::Language;
use super::sets::THOROUGH_PARTS;
use super::tool::Tool;

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
    /// crates/environments
    Environments,
    /// crates/link
    Link,
    /// crates/temporary
    Temporary,
    /// crates/fuzz
    Fuzz,
    /// crates/store
    Store,
    /// crates/web
    Web,
    /// crates/cli: the command without its pages
    Cli,
    /// The pages in Chromium
    Browser,
    /// crates/workers, and runs that workers play
    Workers,
    /// What `dicehill doctor` finds on this machine
    Doctor,
    /// The Python scripts in protocol/
    Protocol,
    /// crates/python: the Python package
    PythonPackage,
    /// An SDK
    #[value(skip)]
    Sdk(Language),
    /// xtask: the tests of this command, of the docs and of the dependencies
    Xtask,
    /// proofs
    Proofs,
}

/// A crate of the workspace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Crate {
    pub(crate) folder: Cow<'static, str>,
    pub(crate) package: &'static str,
    pub(crate) has_benchmarks: bool,
}

/// The module of the command's tests that need a browser.
const BROWSER: &str = "browser::";
/// The module of the command's tests that need workers.
const WORKERS: &str = "workers::";

const fn without_benchmarks(folder: &'static str, package: &'static str) -> Option<Crate> {
    Some(Crate { folder: Cow::Borrowed(folder), package, has_benchmarks: false })
}

const fn with_benchmarks(folder: &'static str, package: &'static str) -> Option<Crate> {
    Some(Crate { folder: Cow::Borrowed(folder), package, has_benchmarks: true })
}

impl Part {
    /// All parts, in their usual order.
    pub fn all() -> Vec<Self> {
        let mut parts = Self::value_variants().to_vec();
        parts.extend(Language::all().map(Self::Sdk));
        parts.sort();
        parts
    }

    /// Reads a part on the command line.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        PossibleValuesParser::new(Self::all().into_iter().map(Self::value)).map(|name: String| {
            let mut parts = Self::all().into_iter();
            parts.find(|part| part.to_string() == name).expect("one of the possible values")
        })
    }

    fn value(self) -> PossibleValue {
        if let Self::Sdk(language) = self {
            return PossibleValue::new(language.name()).help(language.folder());
        }
        self.to_possible_value().expect("only the SDKs are no plain values")
    }

    /// The crate whose tests belong to the part.
    pub(crate) fn source(self) -> Option<Crate> {
        match self {
            Self::Rules => without_benchmarks("crates/rules", "dicehill-rules"),
            Self::Solver => without_benchmarks("crates/solver", "dicehill-solver"),
            Self::Coach => without_benchmarks("crates/coach", "dicehill-coach"),
            Self::Arena => without_benchmarks("crates/arena", "dicehill-arena"),
            Self::Bots => with_benchmarks("crates/bots", "dicehill-bots"),
            Self::Environments => with_benchmarks("crates/environments", "dicehill-environments"),
            Self::Link => without_benchmarks("crates/link", "dicehill-link"),
            Self::Temporary => without_benchmarks("crates/temporary", "dicehill-temporary"),
            Self::Fuzz => without_benchmarks("crates/fuzz", "dicehill-fuzz"),
            Self::Store => without_benchmarks("crates/store", "dicehill-store"),
            Self::Web => without_benchmarks("crates/web", "dicehill-web"),
            Self::Cli | Self::Browser => without_benchmarks("crates/cli", "dicehill"),
            Self::Sdk(language) => language.package().map(|package| Crate {
                folder: language.folder().into(),
                package,
                has_benchmarks: true,
            }),
            Self::Workers => without_benchmarks("crates/workers", "dicehill-workers"),
            Self::Xtask => without_benchmarks("xtask", "xtask"),
            Self::Proofs => without_benchmarks("proofs", "dicehill-proofs"),
            Self::PythonPackage => without_benchmarks("crates/python", "dicehill-python"),
            Self::Doctor | Self::Protocol => None,
        }
    }

    /// The command, if its tests of this module belong to the part in addition to those of its crate.
    pub(crate) fn tested_command(self) -> Option<Crate> {
        (self == Self::Workers).then(|| Self::Cli.source()).flatten()
    }

    /// The tool that all its tests need.
    pub(crate) fn tool(self) -> Option<Tool> {
        (self == Self::Workers).then_some(Tool::NATS)
    }

    /// Whether tests of this program can belong to the part.
    pub(crate) fn has(self, package: &str, program: &str) -> bool {
        let is_source = self.source().is_some_and(|source| source.package == package);
        let is_command = package == "dicehill" && program == "command";
        if self == Self::Browser {
            is_command
        } else {
            is_source || (self == Self::Workers && is_command)
        }
    }

    /// Whether this test of a program of the part belongs to it, and not to another part with the same program.
    pub(crate) fn owns(self, package: &str, test: &str) -> bool {
        match self {
            Self::Browser => test.starts_with(BROWSER),
            Self::Cli => !test.starts_with(BROWSER) && !test.starts_with(WORKERS),
            Self::Workers => package != "dicehill" || test.starts_with(WORKERS),
            Self::Rules
            | Self::Solver
            | Self::Coach
            | Self::Arena
            | Self::Bots
            | Self::Environments
            | Self::Link
            | Self::Temporary
            | Self::Fuzz
            | Self::Store
            | Self::Web
            | Self::Doctor
            | Self::Protocol
            | Self::PythonPackage
            | Self::Sdk(_)
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
        f.pad(self.value().get_name())
    }
}
