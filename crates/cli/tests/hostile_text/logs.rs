//! The logs of strangers: what they say is shown, and what is refused shows no more.

use super::checks::{harmless, harmless_run};
use super::{CONTROLS, log_of_a_failure};

#[test]
fn a_hostile_log_shows_its_texts_and_no_more() {
    let (scratch, log) = log_of_a_failure(&CONTROLS.concat());
    assert!(log.contains('\u{202e}') && log.contains('\u{9b}'));
    scratch.write("log", &log);
    for arguments in [
        &["replay", "log"][..],
        &["replay", "log", "--format", "json"],
        &["replay", "log", "--input", "S0"],
        &["replay", "log", "--input", "dummy"],
        &["replay", "log", "--save", "game"],
        &["replay", "game"],
    ] {
        let ran = scratch.run_ok(arguments);
        harmless_run(&format!("{arguments:?}"), &ran);
    }
    harmless("game", &scratch.read("game"));
    let shown = scratch.run(&["replay", "log"]).out;
    assert!(shown.contains("\\u{1b}[2J") && shown.contains("\\u{202e}txet"), "{shown}");
}

#[test]
fn a_log_that_is_refused_shows_no_more() {
    let (scratch, log) = log_of_a_failure("x");
    for text in CONTROLS {
        let text = serde_json::to_string(text).expect("JSON");
        let inner = &text[1..text.len() - 1];
        let mut codes = Vec::new();
        for (from, to) in [
            ("\"detail\":\"x\"", format!("\"detail\":{{{text}:1}}")),
            ("malformed-answer", inner.to_owned()),
            ("\"moves\":\"", format!("\"moves\":\"{inner},")),
            ("\"game\":1,", format!("\"game\":{text},")),
            ("\"type\":\"game\"", format!("\"type\":{text}")),
            ("\"points\":1", format!("\"points\":{text}")),
            ("dicehill.log/1", inner.to_owned()),
            ("\"rules\":\"official\"", format!("\"rules\":{text}")),
            ("\"game\":\"yahtzee\"", format!("\"game\":{text}")),
            ("\"memory\":\"game\"", format!("\"memory\":{text}")),
            ("\"name\":\"dummy\"", format!("\"name\":{text}")),
        ] {
            let bad = log.replace(from, &to);
            assert_ne!(bad, log, "{from}");
            scratch.write("bad", bad);
            let ran = scratch.run(&["replay", "bad"]);
            codes.push((from, ran.code));
            harmless_run(from, &ran);
        }
        // A game that is not what was written exits with 1, a file that is no log with 2.
        let altered = ["\"detail\":\"x\"", "malformed-answer", "\"moves\":\"", "\"points\":1"];
        for (from, code) in codes {
            assert_eq!(code, if altered.contains(&from) { 1 } else { 2 }, "{from}");
        }
    }
}

#[test]
fn a_log_that_is_made_to_exhaust_is_refused() {
    let (scratch, log) = log_of_a_failure("x");
    let (header, game) = log.split_once('\n').expect("two lines");
    let deep = "[".repeat(200_000);
    let set = header.replace("\"memory\":\"game\"", "\"memory\":\"set\"");
    let before = |number: &str, points: &str| {
        let game = game.trim_end().replace("\"game\":1,", &format!("\"game\":{number},"));
        game.replace("\"points\":1", &format!("\"points\":{points}"))
    };
    let points = "18446744073709551615";
    let replay = &["replay", "bad"][..];
    let input = &["replay", "bad", "3", "--input", "dummy"][..];
    let second = &["replay", "bad", "2", "--input", "dummy"][..];
    let third = before("3", "1");
    let mut codes = Vec::new();
    for (arguments, bad, part) in [
        (replay, format!("{header}\n{{\"type\":\"game\",\"game\":{deep}\n"), "bad:2: "),
        (replay, format!("{{\"type\":{deep}\n"), "bad:1: "),
        (replay, format!("{header}\n{}\n", before("0", "0")), "not a line of a run log"),
        (replay, format!("{header}\n{}\n", before("-1", "0")), "not a line of a run log"),
        (replay, format!("{header}\n{}\n", before("1e999", "0")), "not a line of a run log"),
        (
            replay,
            log.replace("\"moves\":\"", &format!("\"moves\":\"{}", "9".repeat(1 << 20))),
            "no game",
        ),
        (
            second,
            format!("{set}\n{}\n{}\n", before("1", points), before("2", "1")),
            "is recorded with points = 18446744073709551615",
        ),
        (
            input,
            format!("{set}\n{}\n{}\n{third}\n", before("1", points), before("2", points)),
            "is recorded with points = 18446744073709551615",
        ),
    ] {
        assert_ne!(bad, log);
        scratch.write("bad", bad);
        let ran = scratch.run(arguments);
        assert_eq!(ran.out, "", "{part}: {}", ran.err);
        codes.push(ran.code);
        assert!(ran.err.contains(part), "{part:?} is not in {}", ran.err);
        assert!(ran.err.len() < 11_000, "{part}: {} bytes", ran.err.len());
        harmless_run(part, &ran);
    }
    assert_eq!(codes, [2, 2, 2, 2, 2, 2, 1, 1]);
}
