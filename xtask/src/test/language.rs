//! The languages that have an SDK, and their tools: the table `sdk/languages.json`.

use std::fs;
use std::sync::LazyLock;

use serde_json::Value;

use crate::root;

/// The table. It is read, not built in: a package has only its own folder.
static TABLE: LazyLock<Value> = LazyLock::new(|| {
    let text = fs::read_to_string(root().join("sdk/languages.json")).expect("sdk/languages.json");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("sdk/languages.json: {error}"))
});

/// The rows of one of its lists.
pub(crate) fn rows(list: &str) -> &'static [Value] {
    TABLE[list].as_array().unwrap_or_else(|| panic!("sdk/languages.json: {list} is not a list"))
}

/// The texts in a field of a row.
pub(crate) fn texts(row: &'static Value, key: &str) -> Vec<&'static str> {
    let list = row[key].as_array();
    let list = list.unwrap_or_else(|| panic!("sdk/languages.json: {key} is not a list in {row}"));
    list.iter().filter_map(Value::as_str).collect()
}

/// A text in a row.
pub(crate) fn text(row: &'static Value, key: &str) -> &'static str {
    let text = row[key].as_str();
    text.unwrap_or_else(|| panic!("sdk/languages.json: {key} is not a text in {row}"))
}

/// A language with an SDK: its place in the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Language(usize);

impl Language {
    /// All languages, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..rows("languages").len()).map(Self)
    }

    fn row(self) -> &'static Value {
        &rows("languages")[self.0]
    }

    /// Its name, which is that of its folder in `sdk/`.
    #[must_use]
    pub fn name(self) -> &'static str {
        text(self.row(), "name")
    }

    /// Its folder in the project.
    pub(crate) fn folder(self) -> String {
        format!("sdk/{}", self.name())
    }

    /// The names of the tools that its bots need.
    pub(crate) fn tools(self) -> Vec<&'static str> {
        texts(self.row(), "tools")
    }

    /// How the tests in its folder are run; `None` if they belong to a crate, or if it has none.
    pub(crate) fn own_tests(self) -> Option<&'static str> {
        self.row()["sdk_tests"].as_str()
    }

    /// The package of its SDK, if that is a crate of the workspace.
    pub(crate) fn package(self) -> Option<&'static str> {
        self.row()["package"].as_str()
    }
}
