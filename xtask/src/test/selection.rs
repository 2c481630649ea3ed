//! Which tests of a program run, which of them alone, and why the others do not.

use super::Tool;

/// A test program: a package and one of its targets; `lib` and `bin` are their unit tests.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ProgramName {
    /// Such as `dicehill-rules`.
    pub package: String,
    /// Such as `laws`.
    pub target: String,
}

/// Tests of a program that do not run.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// How many run only with `--all`.
    pub thorough: usize,
    /// How many need a missing tool, by the first tool that each lacks.
    pub missing_tools: Vec<(Tool, usize)>,
}

/// The selected tests of a program.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Selection {
    /// Tests that run in parallel, in the order of the program's list.
    pub together: Vec<String>,
    /// Tests that run one at a time.
    pub alone: Vec<String>,
    /// Tests that do not run.
    pub skipped: Skipped,
}

impl Selection {
    /// None of so many tests, because they need a missing tool.
    pub(crate) fn none(tool: Tool, tests: usize) -> Self {
        let skipped = Skipped { thorough: 0, missing_tools: vec![(tool, tests)] };
        Self { skipped, ..Self::default() }
    }
}

/// The prefix of a table entry (`PACKAGE PROGRAM PREFIX`), if it names this program.
fn prefix<'a>(entry: &'a str, program: &ProgramName) -> Option<&'a str> {
    let mut words = entry.split(' ');
    let is_named = words.next() == Some(&program.package) && words.next() == Some(&program.target);
    is_named.then(|| words.next().unwrap_or_default())
}

fn covers(entry: &str, program: &ProgramName, test: &str) -> bool {
    prefix(entry, program).is_some_and(|prefix| test.starts_with(prefix))
}

/// Whether another entry covers all tests of an entry.
pub(crate) fn is_within(entry: &str, other: &str) -> bool {
    let mut words = entry.splitn(3, ' ');
    let mut others = other.splitn(3, ' ');
    let is_same_program = words.next() == others.next() && words.next() == others.next();
    is_same_program
        && words.next().unwrap_or_default().starts_with(others.next().unwrap_or_default())
}

/// The tables by which tests are selected.
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

fn covers_any(entries: &[&str], program: &ProgramName, test: &str) -> bool {
    entries.iter().any(|entry| covers(entry, program, test))
}

/// The criteria of the selection.
#[derive(Clone, Copy, Debug)]
pub struct SelectionCriteria<'a> {
    /// The tables of tests.
    pub tables: Tables<'a>,
    /// Whether thorough tests run too.
    pub all: bool,
    /// The missing tools.
    pub missing: &'a [Tool],
}

/// Selects among the tests of a program.
#[must_use]
pub fn select(
    criteria: SelectionCriteria<'_>,
    program: &ProgramName,
    tests: &[String],
) -> Selection {
    let SelectionCriteria { tables, all, missing } = criteria;
    let mut selection = Selection::default();
    for test in tests {
        let needs = |(tool, entries): &&(Tool, &[&str])| {
            missing.contains(tool) && covers_any(entries, program, test)
        };
        if !all && covers_any(tables.thorough, program, test) {
            selection.skipped.thorough += 1;
        } else if let Some((tool, _)) = tables.needs.iter().find(needs) {
            selection.skipped.add(*tool);
        } else if covers_any(tables.alone, program, test) {
            selection.alone.push(test.clone());
        } else {
            selection.together.push(test.clone());
        }
    }
    selection
}

impl Skipped {
    fn add(&mut self, tool: Tool) {
        match self.missing_tools.iter_mut().find(|(other, _)| *other == tool) {
            Some((_, count)) => *count += 1,
            None => self.missing_tools.push((tool, 1)),
        }
    }

    /// How many tests are skipped.
    #[must_use]
    pub fn count(&self) -> usize {
        self.thorough + self.missing_tools.iter().map(|(_, count)| count).sum::<usize>()
    }
}

/// The entries for this program whose prefix matches none of its tests: a renamed test would otherwise leave its set
/// unnoticed.
#[must_use]
pub fn entries_without_tests(
    tables: &Tables<'_>,
    program: &ProgramName,
    tests: &[String],
) -> Vec<String> {
    let is_unmatched = |entry: &&str| {
        prefix(entry, program)
            .is_some_and(|prefix| !tests.iter().any(|test| test.starts_with(prefix)))
    };
    tables.entries().filter(is_unmatched).map(str::to_owned).collect()
}

/// The entries for one of these packages that name none of its programs.
#[must_use]
pub fn entries_without_program(tables: &Tables<'_>, programs: &[ProgramName]) -> Vec<String> {
    let is_unmatched = |entry: &&str| {
        let package = entry.split(' ').next();
        programs.iter().any(|program| package == Some(&program.package))
            && !programs.iter().any(|program| prefix(entry, program).is_some())
    };
    tables.entries().filter(is_unmatched).map(str::to_owned).collect()
}
