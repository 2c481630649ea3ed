//! A wrong answer bars the bot that gave it, and no other; a valid one bars no bot.

use dicehill_arena::Memory;

use crate::support::OffenderRun;

/// Expects this answer, in the middle of a game, to bar the bot in a run with memory `set`.
#[track_caller]
fn check(how: &str, reason: &str, detail: &str) {
    check_in(Memory::Set, how, reason, detail);
}

#[track_caller]
fn check_in(memory: Memory, how: &str, reason: &str, detail: &str) {
    let run = OffenderRun::new(how, memory);
    let bar = run.bar().unwrap_or_else(|| panic!("{how}: it is not barred"));
    assert_eq!((bar.reason.as_str(), bar.game), (reason, 1), "{how}: {}", bar.detail);
    assert!(bar.detail.contains(detail), "{how}: {}", bar.detail);
}

/// Expects no bot to be barred.
#[track_caller]
fn check_accepted(how: &str, memory: Memory) {
    assert!(OffenderRun::new(how, memory).bar().is_none(), "{how}");
}

#[test]
fn lines_that_are_not_json_are_malformed() {
    check("garbage", "malformed-answer", "not JSON");
    check("words", "malformed-answer", "I keep the sixes");
    check("bad-utf-8", "malformed-answer", "");
    check("half-a-surrogate", "malformed-answer", "");
    check("deep", "malformed-answer", "not JSON");
    check("deep-in-an-answer", "malformed-answer", "neither");
}

#[test]
fn numbers_out_of_range_are_malformed() {
    check("huge-exponent", "malformed-answer", "");
    check("huge-integer", "malformed-answer", "");
    check("huge-id", "malformed-answer", "");
    check("negative-id", "malformed-answer", "\"id\"");
}

#[test]
fn answers_to_no_open_request_are_malformed() {
    check("foreign-id", "malformed-answer", "is unanswered");
    check("old-id", "malformed-answer", "is unanswered");
    check("twice", "malformed-answer", "is unanswered");
    check("nothing", "malformed-answer", "");
    check("array", "malformed-answer", "");
    check("second-ready", "malformed-answer", "\"id\"");
}

#[test]
fn moves_against_the_rules_are_illegal() {
    check("used-category", "illegal-move", "already used");
    check("sixth-die", "illegal-move", "5");
    check("die-twice", "illegal-move", "1");
}

#[test]
fn a_reported_error_is_a_crash_with_its_text() {
    for memory in Memory::ALL {
        check_in(memory, "error", "crash", "ValueError: lost at bot.py:3");
    }
    check("empty-error", "crash", "without a text");
    check("error-and-action", "malformed-answer", "an action and \"error\"");
}

#[test]
fn blank_lines_and_unknown_fields_are_accepted() {
    check_accepted("blank-lines", Memory::Set);
    check_accepted("unknown-fields", Memory::Set);
}

#[test]
fn wrong_answers_are_treated_alike_with_memory_game() {
    check_in(Memory::Game, "twice", "malformed-answer", "is unanswered");
    check_in(Memory::Game, "sixth-die", "illegal-move", "5");
    check_accepted("twice-at-the-end", Memory::Game);
}

/// A dawdling bot sleeps 1.3 s in each game.
#[test]
fn answers_that_are_slow_together_are_a_game_timeout() {
    for memory in Memory::ALL {
        let run = OffenderRun::with_game_limit("dawdles", memory, 600);
        let bar = run.bar().expect("it is barred");
        assert_eq!((bar.reason.as_str(), bar.game), ("game-timeout", 1), "{}", bar.detail);
        assert!(bar.detail.contains("took longer than 600 ms together"), "{}", bar.detail);
    }
}
