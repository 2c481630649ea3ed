//! The languages that bots can be begun in: the rows of `sdk/languages.json`, which is built in.

use std::sync::LazyLock;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Deserialize;

/// The placeholder for the bot's name, in the table as in the starters.
pub(crate) const NAME: &str = "__NAME__";

/// What this command reads of the table. The other keys are for the tests.
#[derive(Deserialize)]
struct Table {
    languages: Vec<Language>,
}

/// A language with an SDK.
#[derive(Deserialize, Debug)]
pub(crate) struct Language {
    /// The name on the command line, which is that of its folders.
    pub(crate) name: String,
    /// The name in sentences.
    pub(crate) title: String,
    /// The versions in which bots can be written.
    version: String,
    source: String,
    test: String,
    /// The name of the file with a golden transcript that the starter's own test replays, if it needs one.
    pub(crate) transcript: Option<String>,
    /// Names that a bot cannot have, because the language, the SDK or the starter uses them.
    #[serde(default)]
    taken: Vec<String>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let text = include_str!("../../languages.json");
    serde_json::from_str(text).expect("the table of languages is built in and tested")
});

impl Language {
    fn named(name: &str) -> &'static Self {
        let mut languages = TABLE.languages.iter();
        languages.find(|language| language.name == name).expect("one of the possible values")
    }

    /// Reads a language on the command line.
    pub(crate) fn parser() -> impl TypedValueParser<Value = &'static Self> {
        let value = |language: &'static Self| {
            PossibleValue::new(language.name.as_str()).help(language.version.as_str())
        };
        PossibleValuesParser::new(TABLE.languages.iter().map(value))
            .map(|name: String| Self::named(&name))
    }

    /// Whether a starter of this name would not work.
    /// All SDKs use `dicehill`, and some file systems ignore case.
    pub(crate) fn has_taken(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case("dicehill") || self.taken.iter().any(|taken| taken == name)
    }

    /// The file that an author edits first.
    pub(crate) fn source(&self, name: &str) -> String {
        self.source.replace(NAME, name)
    }

    /// The command that runs the starter's own test in its folder.
    pub(crate) fn test(&self, name: &str) -> String {
        self.test.replace(NAME, name)
    }
}
