//! Which tests of a program run, which of them alone, and why the others do not.

use super::Tool;

/// A program of tests: a package and one of its targets; `lib` and `bin` are the unit tests of these.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ProgramName {
    /// Such as `dicehill-rules`.
    pub package: String,
    /// Such as `laws`.
    pub target: String,
}

/// Why tests of a program do not run.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// How many of them only `--all` runs.
    pub thorough: usize,
    /// How many of them need a tool that is missing; the first that is.
    pub without: Vec<(Tool, usize)>,
}

/// What runs of a program.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Selection {
    /// Tests that run with others, in the order in which the program lists them.
    pub together: Vec<String>,
    /// Tests that run one at a time.
    pub alone: Vec<String>,
    /// Those that do not run.
    pub skipped: Skipped,
}

/// Whether an entry of the tables in `sets` (`PACKAGE PROGRAM PREFIX`) names this program; if so, its prefix.
fn prefix<'a>(entry: &'a str, program: &ProgramName) -> Option<&'a str> {
    let mut words = entry.split(' ');
    let is_named = words.next() == Some(&program.package) && words.next() == Some(&program.target);
    is_named.then(|| words.next().unwrap_or_default())
}

fn covers(entry: &str, program: &ProgramName, test: &str) -> bool {
    prefix(entry, program).is_some_and(|prefix| test.starts_with(prefix))
}

/// Whether all tests of an entry belong to another one too.
pub(crate) fn is_within(entry: &str, other: &str) -> bool {
    let mut words = entry.splitn(3, ' ');
    let mut others = other.splitn(3, ' ');
    let is_same_program = words.next() == others.next() && words.next() == others.next();
    is_same_program
        && words.next().unwrap_or_default().starts_with(others.next().unwrap_or_default())
}

/// The tables by which tests are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'a> {
    /// Tests that only `--all` runs.
    pub thorough: &'a [&'a str],
    /// Tests that run one at a time.
    pub alone: &'a [&'a str],
    /// Tests that need a tool.
    pub needs: &'a [(Tool, &'a [&'a str])],
}

impl Tables<'_> {
    fn entries(&self) -> impl Iterator<Item = &str> {
        let plain = self.thorough.iter().chain(self.alone);
        plain.chain(self.needs.iter().flat_map(|(_, entries)| entries.iter())).copied()
    }
}

fn any(entries: &[&str], program: &ProgramName, test: &str) -> bool {
    entries.iter().any(|entry| covers(entry, program, test))
}

/// By what tests are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The lists of tests.
    pub tables: Tables<'a>,
    /// Whether thorough tests run too.
    pub all: bool,
    /// The tools that are missing.
    pub missing: &'a [Tool],
}

/// Chooses among the tests of a program.
#[must_use]
pub fn select(terms: Terms<'_>, program: &ProgramName, tests: &[String]) -> Selection {
    let Terms { tables, all, missing } = terms;
    let mut selection = Selection::default();
    for test in tests {
        let needs = |(tool, entries): &&(Tool, &[&str])| {
            missing.contains(tool) && any(entries, program, test)
        };
        if !all && any(tables.thorough, program, test) {
            selection.skipped.thorough += 1;
        } else if let Some((tool, _)) = tables.needs.iter().find(needs) {
            selection.skipped.add(*tool);
        } else if any(tables.alone, program, test) {
            selection.alone.push(test.clone());
        } else {
            selection.together.push(test.clone());
        }
    }
    selection
}

impl Skipped {
    fn add(&mut self, tool: Tool) {
        match self.without.iter_mut().find(|(other, _)| *other == tool) {
            Some((_, count)) => *count += 1,
            None => self.without.push((tool, 1)),
        }
    }

    /// How many tests they are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.thorough + self.without.iter().map(|(_, count)| count).sum::<usize>()
    }
}

/// The entries of the tables that name this program, but with a prefix with which no test of it begins. A test that
/// is renamed would otherwise leave its set unnoticed.
#[must_use]
pub fn unmatched(tables: &Tables<'_>, program: &ProgramName, tests: &[String]) -> Vec<String> {
    let is_unmatched = |entry: &&str| {
        prefix(entry, program)
            .is_some_and(|prefix| !tests.iter().any(|test| test.starts_with(prefix)))
    };
    tables.entries().filter(is_unmatched).map(str::to_owned).collect()
}

/// The entries that name a package among these, but no program of it.
#[must_use]
pub fn without_program(tables: &Tables<'_>, programs: &[ProgramName]) -> Vec<String> {
    let is_lost = |entry: &&str| {
        let package = entry.split(' ').next();
        programs.iter().any(|program| package == Some(&program.package))
            && !programs.iter().any(|program| prefix(entry, program).is_some())
    };
    tables.entries().filter(is_lost).map(str::to_owned).collect()
}
