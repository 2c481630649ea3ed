//! Logs from untrusted authors: their texts and the errors about them are inert.

use super::checks::{expect_harmless, expect_harmless_output};
use super::{CONTROLS, log_with_failure};

#[test]
fn texts_of_a_hostile_log_are_inert() {
    let (scratch, log) = log_with_failure(&CONTROLS.concat());
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
        let output = scratch.run_ok(arguments);
        expect_harmless_output(&format!("{arguments:?}"), &output);
    }
    expect_harmless("game", &scratch.read("game"));
    let shown = scratch.run(&["replay", "log"]).out;
    assert!(shown.contains("\\u{1b}[2J") && shown.contains("\\u{202e}txet"), "{shown}");
}

#[test]
fn errors_about_a_hostile_log_are_inert() {
    let (scratch, log) = log_with_failure("x");
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
            let output = scratch.run(&["replay", "bad"]);
            codes.push((from, output.code));
            expect_harmless_output(from, &output);
        }
        // An altered game exits with 1, a file that is not a log with 2.
        let altered = ["\"detail\":\"x\"", "malformed-answer", "\"moves\":\"", "\"points\":1"];
        for (from, code) in codes {
            assert_eq!(code, if altered.contains(&from) { 1 } else { 2 }, "{from}");
        }
    }
}

#[test]
fn oversized_values_in_a_log_are_refused() {
    let (scratch, log) = log_with_failure("x");
    let (header, game) = log.split_once('\n').expect("two lines");
    let deep = "[".repeat(200_000);
    let set = header.replace("\"memory\":\"game\"", "\"memory\":\"set\"");
    let with_points = |number: &str, points: &str| {
        let game = game.trim_end().replace("\"game\":1,", &format!("\"game\":{number},"));
        game.replace("\"points\":1", &format!("\"points\":{points}"))
    };
    let points = "18446744073709551615";
    let replay = &["replay", "bad"][..];
    let input = &["replay", "bad", "3", "--input", "dummy"][..];
    let second = &["replay", "bad", "2", "--input", "dummy"][..];
    let third = with_points("3", "1");
    let mut codes = Vec::new();
    for (arguments, bad, part) in [
        (replay, format!("{header}\n{{\"type\":\"game\",\"game\":{deep}\n"), "bad:2: "),
        (replay, format!("{{\"type\":{deep}\n"), "bad:1: "),
        (replay, format!("{header}\n{}\n", with_points("0", "0")), "not a line of a run log"),
        (replay, format!("{header}\n{}\n", with_points("-1", "0")), "not a line of a run log"),
        (replay, format!("{header}\n{}\n", with_points("1e999", "0")), "not a line of a run log"),
        (
            replay,
            log.replace("\"moves\":\"", &format!("\"moves\":\"{}", "9".repeat(1 << 20))),
            "not a game",
        ),
        (
            second,
            format!("{set}\n{}\n{}\n", with_points("1", points), with_points("2", "1")),
            "is recorded with points = 18446744073709551615",
        ),
        (
            input,
            format!("{set}\n{}\n{}\n{third}\n", with_points("1", points), with_points("2", points)),
            "is recorded with points = 18446744073709551615",
        ),
    ] {
        assert_ne!(bad, log);
        scratch.write("bad", bad);
        let output = scratch.run(arguments);
        assert_eq!(output.out, "", "{part}: {}", output.err);
        codes.push(output.code);
        assert!(output.err.contains(part), "{part:?} is not in {}", output.err);
        assert!(output.err.len() < 11_000, "{part}: {} bytes", output.err.len());
        expect_harmless_output(part, &output);
    }
    assert_eq!(codes, [2, 2, 2, 2, 2, 2, 1, 1]);
}
