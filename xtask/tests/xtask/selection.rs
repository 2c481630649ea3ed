//! The selection of tests, with tables like the project's own.

use xtask::test::{
    ALONE, NEEDS, ProgramName, Selection, SelectionCriteria, Skipped, THOROUGH, Tables, Tool,
    entries_without_program, entries_without_tests, select,
};

use crate::architecture::metadata;

const TABLES: Tables<'_> = Tables {
    thorough: &["dicehill command killed::", "dicehill-rules lib"],
    alone: &["dicehill command clock::"],
    needs: &[(Tool::JDK, &["dicehill command jars::"]), (Tool::NODE, &["dicehill command node"])],
};

fn program(package: &str, target: &str) -> ProgramName {
    ProgramName { package: package.to_owned(), target: target.to_owned() }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[track_caller]
fn check(all: bool, missing: &[Tool], together: &[&str], skipped: &Skipped) {
    let tests = names(&["clock::a", "jars::b", "killed::c", "run::d"]);
    let criteria = SelectionCriteria { tables: TABLES, all, missing };
    let found = select(criteria, &program("dicehill", "command"), &tests);
    let (together, alone) = (names(together), names(&["clock::a"]));
    assert_eq!(found, Selection { together, alone, skipped: skipped.clone() });
}

#[test]
fn thorough_tests_run_with_all() {
    let skipped = Skipped { thorough: 1, missing_tools: Vec::new() };
    check(false, &[], &["jars::b", "run::d"], &skipped);
    check(true, &[], &["jars::b", "killed::c", "run::d"], &Skipped::default());
}

#[test]
fn tests_without_their_tool_do_not_run() {
    let missing_tools = vec![(Tool::JDK, 1)];
    check(
        false,
        &[Tool::JDK],
        &["run::d"],
        &Skipped { thorough: 1, missing_tools: missing_tools.clone() },
    );
    check(true, &[Tool::JDK], &["killed::c", "run::d"], &Skipped { thorough: 0, missing_tools });
    check(true, &[Tool::NODE], &["jars::b", "killed::c", "run::d"], &Skipped::default());
}

#[test]
fn an_entry_without_a_prefix_is_a_whole_program() {
    let tests = names(&["a", "b"]);
    let criteria = SelectionCriteria { tables: TABLES, all: false, missing: &[] };
    let found = select(criteria, &program("dicehill-rules", "lib"), &tests);
    assert_eq!(found.skipped.count(), 2);
    let other = select(criteria, &program("dicehill-rules", "laws"), &tests);
    assert_eq!(other.together, tests);
}

#[test]
fn an_entry_that_matches_no_test_is_named() {
    let command = program("dicehill", "command");
    let found =
        entries_without_tests(&TABLES, &command, &names(&["clock::a", "killed::b", "run::c"]));
    assert_eq!(found, ["dicehill command jars::", "dicehill command node"]);
    let programs = [command, program("dicehill-rules", "laws")];
    assert_eq!(entries_without_program(&TABLES, &programs), ["dicehill-rules lib"]);
}

/// The run itself compares the prefixes with the existing tests.
#[test]
fn the_projects_own_entries_name_programs() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let has = |package: &str, program: &str| {
        let of = packages.iter().filter(|one| one["name"] == package);
        let mut targets = of.flat_map(|one| one["targets"].as_array().expect("targets"));
        targets.any(|target| target["kind"][0] == program || target["name"] == program)
    };
    let needs = NEEDS.iter().flat_map(|(_, entries)| *entries);
    for entry in THOROUGH.iter().chain(ALONE).chain(needs) {
        let words: Vec<_> = entry.split(' ').collect();
        assert!(matches!(words.len(), 2 | 3) && has(words[0], words[1]), "{entry}");
    }
}
