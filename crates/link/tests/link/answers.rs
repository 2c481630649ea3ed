//! Answers that are wrong are told from those that are not, and bar nobody but who gave them.

use dicehill_arena::Memory;

use crate::support::Played;

/// Expects this answer, in the middle of a game, to bar the bot.
#[track_caller]
fn check(how: &str, reason: &str, detail: &str) {
    check_in(Memory::Set, how, reason, detail);
}

#[track_caller]
fn check_in(memory: Memory, how: &str, reason: &str, detail: &str) {
    let played = Played::new(how, memory);
    let bar = played.bar().unwrap_or_else(|| panic!("{how}: it is not barred"));
    assert_eq!((bar.reason.as_str(), bar.game), (reason, 1), "{how}: {}", bar.detail);
    assert!(bar.detail.contains(detail), "{how}: {}", bar.detail);
}

/// Expects nobody to be barred.
#[track_caller]
fn is_forgiven(how: &str, memory: Memory) {
    assert!(Played::new(how, memory).bar().is_none(), "{how}");
}

#[test]
fn what_is_no_json_is_malformed() {
    check("garbage", "malformed-answer", "not JSON");
    check("words", "malformed-answer", "I keep the sixes");
    check("bad-utf-8", "malformed-answer", "");
    check("half-a-surrogate", "malformed-answer", "");
    check("deep", "malformed-answer", "not JSON");
    check("deep-in-an-answer", "malformed-answer", "neither");
}

#[test]
fn numbers_that_are_too_large_are_malformed() {
    check("huge-exponent", "malformed-answer", "");
    check("huge-integer", "malformed-answer", "");
    check("huge-id", "malformed-answer", "");
    check("negative-id", "malformed-answer", "\"id\"");
}

#[test]
fn answers_that_nobody_waits_for_are_malformed() {
    check("foreign-id", "malformed-answer", "is unanswered");
    check("old-id", "malformed-answer", "is unanswered");
    check("twice", "malformed-answer", "is unanswered");
    check("nothing", "malformed-answer", "");
    check("array", "malformed-answer", "");
    check("second-ready", "malformed-answer", "\"id\"");
}

#[test]
fn moves_that_the_rules_refuse_are_illegal() {
    check("used-category", "illegal-move", "already used");
    check("sixth-die", "illegal-move", "5");
    check("die-twice", "illegal-move", "1");
}

#[test]
fn blank_lines_and_unknown_fields_are_forgiven() {
    is_forgiven("blank-lines", Memory::Set);
    is_forgiven("unknown-fields", Memory::Set);
}

#[test]
fn wrong_answers_are_the_same_to_processes_that_play_one_game() {
    check_in(Memory::Game, "twice", "malformed-answer", "is unanswered");
    check_in(Memory::Game, "sixth-die", "illegal-move", "5");
    is_forgiven("twice-at-the-end", Memory::Game);
}
