//! Parts of a run, which other machines have written.

use std::fs;

use dicehill_arena::{GameSource, Hill};
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{FileError, PartHeader, PartState, PartWriter, Parts, RunPlan};

use super::{fixture, outcome, scratch, target};

#[test]
fn parts() {
    let folder = scratch();
    let path = folder.path().join("part.jsonl");
    let plan_path = fixture("shards/plan.json");
    let plan = RunPlan::read(&plan_path).expect("a plan");
    let hill: Hill<Yahtzee> = plan.inert_hill(&plan_path).expect("a plan of Yahtzee");
    let all = plan.games(&hill);
    let header = PartHeader { plan: plan.hash().to_owned(), games: all };
    target("part", &["shards/part-1.jsonl", "shards/part-2.jsonl"], 250).check(|input| {
        fs::write(&path, input).expect("it can be written");
        let opened = Parts::open(&plan_path, &plan, all, std::slice::from_ref(&path));
        let read = outcome(&path, opened.and_then(|parts| read(&parts, &plan, &hill)));
        let resumed = PartWriter::open(&path, &header).map(|(_, state)| match state {
            PartState::Lacks(games) => games.to_string(),
            PartState::Finished => String::new(),
        });
        format!("{read}; {}", outcome(&path, resumed))
    });
}

/// Checks the games of parts, and reads those that pass.
fn read(parts: &Parts, plan: &RunPlan, hill: &Hill<Yahtzee>) -> Result<String, FileError> {
    let missing = parts.missing();
    parts.check(plan, hill, 1, &mut |_| {})?;
    let mut read = 0;
    for game in plan.games(hill).numbers() {
        let line = parts.line(game).expect("it was checked");
        let offences = parts.unjudged_offences(game).expect("they were checked");
        assert_eq!(line.is_some(), offences.is_some(), "game {game}");
        read += u64::from(line.is_some());
    }
    assert_eq!(read, parts.count());
    Ok(format!("{} games, {missing:?}", read.min(3)))
}
