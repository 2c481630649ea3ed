//! Altered hills: nothing of an altered run is shown.

use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::test_hill::TestHill;
use crate::Problem;
use crate::hills::{Hills, ServedHill};
use crate::model::RunState;

fn alter(hill: &TestHill, sql: &str) {
    let database = Connection::open(&hill.path).expect("a database");
    assert!(database.execute(&format!("UPDATE {sql}"), []).expect("altered") > 0, "{sql}");
}

#[track_caller]
fn check_not_shown(hills: &Hills, hill: &ServedHill) {
    let snapshot = hill.latest();
    let line = &snapshot.hill.history[0];
    assert_eq!((line.state, &line.champion), (RunState::Altered, &None));
    assert_eq!(
        (snapshot.hill.summary.state, &snapshot.hill.summary.champion),
        (Some(RunState::Altered), &None)
    );
    assert!(snapshot.hill.board.is_none());
    let page = crate::pages::hill::now(&snapshot.hill).into_string();
    assert!(page.contains("The record of the last run was altered"), "{page}");
    assert_eq!(hill.last_run().err(), Some(Problem::Altered));
    assert_eq!(hills.run(hill.address(), 1).err(), Some(Problem::Altered));
    assert_eq!(hill.path_of(1), Err(Problem::Altered));
}

#[test]
fn an_altered_run_is_not_shown() {
    for alteration in [
        "run SET result = replace(result, '\"champion\":\"', '\"champion\":\"x')",
        "run_bot SET name = 'Eve' WHERE place = 0",
        "page SET games = replace(games, '\"game\":3,', '\"game\":3 ,')",
        "run SET seal = NULL",
    ] {
        let hill = TestHill::yahtzee(6);
        alter(&hill, alteration);
        let hills = Hills::open(std::slice::from_ref(&hill.path)).expect("a hill that can be read");
        check_not_shown(&hills, &hills.all()[0]);
    }
}

#[test]
fn a_run_that_is_altered_while_it_is_shown_is_shown_no_more() {
    let hill = TestHill::yahtzee(6);
    let hills = Hills::open(std::slice::from_ref(&hill.path)).expect("a hill");
    let served = &hills.all()[0];
    assert_eq!(served.latest().hill.history[0].state, RunState::Ended);
    assert!(hills.run(served.address(), 1).is_ok());
    alter(&hill, "run SET result = replace(result, '\"champion\":\"', '\"champion\":\"x')");
    let until = Instant::now() + Duration::from_secs(120);
    while !served.latest().is_altered(1) {
        assert!(Instant::now() < until, "the alteration is not noticed");
        thread::sleep(Duration::from_millis(20));
    }
    check_not_shown(&hills, served);
}
