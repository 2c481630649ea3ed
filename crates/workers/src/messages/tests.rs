//! What is no message, or a damaged one, is refused without a panic.

use std::time::Duration;

use dicehill_arena::GameRange;

use super::{
    Announcement, PlanReply, RangeResults, ResultsReply, WorkOrder, WorkerActivity, WorkerSign,
    read, write,
};
use crate::id::Id;
use crate::ranges::Order;

const GAME: &str = "{\"type\":\"game\",\"game\":7,\"table\":7,\"seats\":[\"A\",\"B\"],\"moves\":\"!\",\
    \"results\":[{},{}]}";

fn order() -> Order {
    let games = GameRange::new(5, 9).unwrap();
    Order { segment: 1, games, generation: 2, checks: Some(Id::of(3)) }
}

fn results(lines: &str) -> Vec<u8> {
    let (worker, took, failed) = (Id::of(1), Duration::from_millis(1500), None);
    let results =
        RangeResults { worker, order: order(), took, is_last: true, failed, lines: Vec::new() };
    let mut message = results.message().unwrap();
    message.extend(lines.as_bytes());
    message
}

fn sign() -> WorkerSign {
    WorkerSign {
        program: "dicehill 0".to_owned(),
        worker: Id::of(2),
        machine: "m".to_owned(),
        jobs: 2,
        played: 3,
        rate: 1.5,
        failures: 0,
        run: Some(Id::of(u64::MAX)),
        activity: WorkerActivity::Plays { segment: 0, first: 1, last: 4, generation: 0 },
    }
}

#[test]
fn messages_are_read_as_they_were_written() {
    let written = WorkOrder::new(Id::of(9), vec!["B".to_owned()], &order());
    let read_again: WorkOrder = read(&write(&written)).unwrap();
    assert_eq!((&read_again, read_again.order().unwrap()), (&written, order()));
    let read_again: WorkerSign = read(&write(&sign())).unwrap();
    assert_eq!(read_again.clone().checked().unwrap(), sign());
    let read_again = RangeResults::read(&results(&format!("{GAME}\n"))).unwrap();
    assert_eq!((read_again.order, read_again.is_last), (order(), true));
    assert_eq!(read_again.lines[0].line(), GAME);
}

#[test]
fn values_that_are_not_allowed_are_refused() {
    let bad_signs = [
        WorkerSign { machine: "m".repeat(65), ..sign() },
        WorkerSign { rate: f64::INFINITY, ..sign() },
        WorkerSign { rate: -1.0, ..sign() },
        WorkerSign {
            activity: WorkerActivity::Plays { segment: 0, first: 0, last: 4, generation: 0 },
            ..sign()
        },
        WorkerSign {
            activity: WorkerActivity::Plays { segment: 0, first: 2, last: u64::MAX, generation: 0 },
            ..sign()
        },
    ];
    for sign in bad_signs {
        assert!(sign.clone().checked().is_err(), "{sign:?}");
    }
    let escaped = WorkerSign { machine: "\u{1b}[2J".to_owned(), ..sign() }.checked().unwrap();
    assert_eq!(escaped.machine, r"\u{1b}[2J");
    let later = GAME.replace("\"game\":7", "\"game\":10");
    for lines in
        [later.as_str(), &format!("{GAME}\n{GAME}"), "{}", "x", "{\"type\":\"sealed\",\"game\":7}"]
    {
        assert!(RangeResults::read(&results(lines)).is_err(), "{lines}");
    }
    let object = "\"object\":\"../x\",\"bytes\":1";
    let reply = format!("{{\"plan\":\"\",\"bots\":[{{\"name\":\"A\",{object}}}]}}");
    assert!(read::<PlanReply>(reply.as_bytes()).unwrap().checked().is_err());
}

#[test]
fn cut_and_altered_messages_make_no_panic() {
    let messages = [
        results(&format!("{GAME}\n")),
        write(&sign()),
        write(&WorkOrder::new(Id::of(9), Vec::new(), &order())),
        write(&ResultsReply::Refused { why: "because".to_owned() }),
    ];
    let mut state = 1_u64;
    let mut refused = 0;
    for message in &messages {
        for round in 0..2000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let place = (state >> 33) as usize % message.len();
            let mut altered = message.clone();
            match round % 3 {
                0 => altered.truncate(place),
                1 => altered[place] = (state >> 25) as u8,
                _ => drop(altered.splice(place..place, *b"9999999999999999999")),
            }
            let outcomes = [
                RangeResults::read(&altered).is_err(),
                read::<WorkerSign>(&altered).and_then(WorkerSign::checked).is_err(),
                read::<WorkOrder>(&altered).and_then(|order| order.order()).is_err(),
                read::<Announcement>(&altered).and_then(Announcement::checked).is_err(),
                read::<ResultsReply>(&altered).is_err(),
            ];
            refused += outcomes.into_iter().filter(|is_refused| *is_refused).count();
        }
    }
    assert!(refused > 30_000, "{refused} of 40,000 are no such messages");
}
