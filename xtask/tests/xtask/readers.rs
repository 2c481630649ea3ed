//! The readers of each kind of test output.

use std::path::{Path, PathBuf};
use std::time::Duration;

use xtask::test::{
    Artifact, LibtestReader, NodeReader, Reader, Tally, UnittestReader, parse_artifact,
};

/// Reads lines that arrive a second apart, from the first second on.
#[track_caller]
fn check(mut reader: impl Reader, lines: &[&str], tally: Tally, times: &[(&str, u64)]) {
    for (second, line) in (1..).zip(lines) {
        reader.line(line, Duration::from_secs(second));
    }
    assert_eq!(reader.tally(), Some(tally));
    let found = reader.tests().iter().map(|test| (test.name.as_str(), test.time.as_secs()));
    assert_eq!(found.collect::<Vec<_>>(), times);
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn tests_on_one_thread_follow_each_other() {
    let reader = LibtestReader::new(&names(&["a", "b", "c"]), 1);
    let lines = [
        "running 3 tests",
        "test a ... ok",
        "something that a child of the test printed",
        "test b - should panic ... ok",
        "test c ... ignored, not today",
        "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 4 filtered out; finished in 4.00s",
    ];
    let tally = Tally { passed: 2, failed: 0, skipped: 1 };
    check(reader, &lines, tally, &[("a", 2), ("b", 2), ("c", 1)]);
}

/// With two threads, `c` starts as soon as `b` ends, and `d` as soon as `c` does.
#[test]
fn parallel_tests_start_when_another_ends() {
    let reader = LibtestReader::new(&names(&["a", "b", "c", "d"]), 2);
    let lines = [
        "test b ... ok",
        "test c ... FAILED",
        "",
        "test a ... ok",
        "test d ... ok",
        "failures:",
        "test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 6.00s",
    ];
    let tally = Tally { passed: 3, failed: 1, skipped: 0 };
    check(reader, &lines, tally, &[("b", 1), ("c", 1), ("a", 4), ("d", 3)]);
}

#[test]
fn totals_of_documentation_tests_are_added() {
    let one = "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.03s";
    let other = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.03s";
    let tally = Tally { passed: 5, failed: 0, skipped: 1 };
    check(LibtestReader::new(&[], 1), &[one, other], tally, &[]);
}

#[test]
fn a_program_that_ends_early_has_no_tally() {
    let mut reader = LibtestReader::new(&names(&["a", "b"]), 1);
    reader.line("test a ... ok", Duration::from_secs(1));
    assert_eq!(reader.tally(), None);
    assert_eq!(reader.tests().len(), 1);
}

#[test]
fn unittest_totals_are_read() {
    let lines = [
        "test_one (test_wire.Wire.test_one) ... ok",
        "test_two (test_wire.Wire.test_two)",
        "What it is about. ... FAIL",
        "test_three (test_wire.Wire.test_three) ... skipped 'no compiler'",
        "Ran 3 tests in 3.000s",
        "FAILED (failures=1, skipped=1)",
    ];
    let tally = Tally { passed: 1, failed: 1, skipped: 1 };
    let times = [("test_one", 1), ("test_two", 2), ("test_three", 1)];
    check(UnittestReader::default(), &lines, tally, &times);
    let tally = Tally { passed: 2, failed: 0, skipped: 0 };
    check(UnittestReader::default(), &["Ran 2 tests in 0.1s", "", "OK"], tally, &[]);
}

#[test]
fn durations_that_a_program_prints_are_used() {
    let lines = [
        "test_one (test_x.X.test_one) ... ok [7.500 s]",
        "test_two (test_y.Y.test_two)",
        "It holds. ... skipped 'no [x]' [3.000 s]",
        "test_three (test_y.Y.test_three) ... FAIL",
        "Ran 3 tests in 8.0s",
        "FAILED (failures=1, skipped=1)",
    ];
    let tally = Tally { passed: 1, failed: 1, skipped: 1 };
    let times = [("test_one", 7), ("test_two", 3), ("test_three", 1)];
    check(UnittestReader::default(), &lines, tally, &times);
}

#[test]
fn both_formats_of_node_are_read() {
    let tally = Tally { passed: 5, failed: 1, skipped: 2 };
    for sign in ["#", "ℹ"] {
        let lines = ["tests 8", "pass 5", "fail 1", "cancelled 0", "skipped 2", "todo 0"];
        let lines = lines.map(|line| format!("{sign} {line}"));
        check(NodeReader::default(), &lines.each_ref().map(String::as_str), tally, &[]);
    }
}

#[test]
fn programs_are_read_from_cargos_messages() {
    let line = r#"{"reason":"compiler-artifact","manifest_path":"/p/crates/rules/Cargo.toml",
        "target":{"kind":["test"],"name":"laws","doctest":false},"profile":{"test":true},
        "executable":"/p/target/debug/deps/laws-1"}"#;
    let expected = Artifact {
        folder: PathBuf::from("crates/rules"),
        target: "laws".to_owned(),
        kind: "test".to_owned(),
        is_test: true,
        executable: Some(PathBuf::from("/p/target/debug/deps/laws-1")),
        shared_library: None,
        has_doc_tests: false,
    };
    assert_eq!(parse_artifact(line, Path::new("/p")), Some(expected));
    assert_eq!(parse_artifact(line, Path::new("/elsewhere")), None);
    assert_eq!(
        parse_artifact(r#"{"reason":"build-finished","success":true}"#, Path::new("/p")),
        None
    );
}
