//! Lines that bots answer with, fuzzed in both games: none panics, and each failure is bounded and printable.

use std::path::Path;

use dicehill_arena::{Failure, Reason, is_printable};
use dicehill_fuzz::FuzzTarget;
use dicehill_link::{ParsedAnswer, Ready, WireGame};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;

/// The most characters of a failure, with escapes.
const MAX_DETAIL: usize = 12_000;

const SEEDS: [&str; 14] = [
    "{\"id\":1,\"keep\":[0,2,4]}",
    "{\"id\":18446744073709551615,\"keep\":[]}",
    "{\"id\":3,\"category\":\"FULL_HOUSE\"}",
    "{\"id\":4,\"category\":\"ONES\",\"type\":\"action\"}",
    "{\"id\":5,\"category\":\"\\u0041CES\"}",
    "{\"id\":6,\"error\":\"ValueError: lost at bot.py:3\"}",
    "{\"id\":7,\"bid\":\"5 SIXES\"}",
    "{\"id\":8,\"bid\":\"3 2\"}",
    "{\"id\":9,\"bid\":\"Liar!\"}",
    "{\"id\":10,\"bid\":\"1 1\",\"error\":null}",
    "{\"type\":\"ready\"}",
    "{\"type\":\"ready\",\"inflight\":16,\"events\":[\"round\"]}",
    "I keep the sixes",
    "{\"id\":11,\"keep\":[0,1,2,3,4],\"category\":\"YAHTZEE\"} ",
];

#[test]
fn answer_lines() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpora/answer-line");
    let seeds = SEEDS.map(|seed| seed.as_bytes().to_vec()).into();
    FuzzTarget { name: "answer-line", corpus, seeds, cases: 3000 }.check(|line| {
        let ready = match Ready::parse(line) {
            Ok(ready) => format!("{ready:?}"),
            Err(failure) => detail(&failure),
        };
        format!("{ready}; {}; {}", answer::<Yahtzee>(line), answer::<LiarsDice>(line))
    });
}

/// What a line means as an answer of a game. An action is written as an answer that means the same.
fn answer<G: WireGame>(line: &[u8]) -> String
where
    G::Action: std::fmt::Debug + PartialEq,
{
    match G::read_answer(line) {
        Ok(ParsedAnswer { id, action: Ok(action) }) => {
            let mut written = Vec::new();
            G::write_answer(&action, id, &mut written);
            let read = G::read_answer(&written).expect("its own answer is one");
            assert_eq!((read.id, read.action.as_ref()), (id, Ok(&action)));
            format!("{action:?}")
        }
        Ok(ParsedAnswer { action: Err(failure), .. }) => detail(&failure),
        // As the process of a bot fails by it.
        Err(unreadable) => {
            let failure = Failure::new(Reason::MalformedAnswer, unreadable.to_string());
            message(&failure.detail, 1)
        }
    }
}

fn detail(failure: &Failure) -> String {
    // The text of a crash is the bot's.
    message(&failure.to_string(), if failure.reason == Reason::Crash { 1 } else { 2 })
}

/// The first parts of a failure, which end before it quotes the line.
#[track_caller]
fn message(text: &str, parts: usize) -> String {
    let length = text.chars().count();
    assert!(length <= MAX_DETAIL, "{length} characters");
    assert!(text.chars().all(is_printable), "{text:?}");
    text.split(": ").take(parts).collect()
}
