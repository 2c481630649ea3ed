//! Training is deterministic, and the shipped file comes from it.

use super::SeerTraining;
use crate::liars_dice::seer::model::SHIPPED;
use crate::liars_dice::seer::model::parameters::Parameters;

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let train = |jobs| SeerTraining { seed: 7, games: 60, generations: 2, jobs }.run(|_| {});
    let one = train(1);
    for jobs in [2, 3, 8] {
        assert!(train(jobs) == one, "other parameters on {jobs} threads");
    }
    let other = SeerTraining { seed: 8, games: 60, generations: 2, jobs: 2 }.run(|_| {});
    assert_ne!(one, other);
    let read = Parameters::read(&one).expect("what a training writes can be read");
    assert_eq!(read.write(), one);
}

#[test]
fn two_generations_improve_on_the_untrained_bot() {
    let training = SeerTraining { seed: 3, games: 400, generations: 2, jobs: 2 };
    let untrained = Parameters::untrained(3).write();
    let [before, after] = [&untrained, &training.run(|_| {})]
        .map(|file| training.count_wins(file, 400).expect("parameters"));
    assert!(after > before, "{before} wins before and {after} after");
}

#[test]
fn the_shipped_file_is_complete() {
    let parameters = Parameters::read(SHIPPED).expect("the shipped file");
    assert_eq!(parameters.write(), SHIPPED);
    assert_eq!(parameters.seed, 1);
    let sum: f64 = parameters.styles.iter().map(|style| style.share).sum();
    assert!((sum - 1.0).abs() < 1e-3, "shares add up to {sum}");
    for style in &parameters.styles {
        for calls in &style.calls {
            // Impossible bids are called at least as often as certain ones.
            assert!(calls[0] >= calls[11], "{}", style.name);
        }
    }
}

#[track_caller]
fn refused(text: &str, message: &str) {
    let error = Parameters::read(text).expect_err("no parameters").to_string();
    assert!(error.contains(message), "{message:?} is not in {error}");
}

#[test]
fn damaged_files_are_refused() {
    refused("", "the file ends where \"checksum\" should be");
    refused(&SHIPPED.replacen("share 0.0", "share 0.1", 1), "the checksum is");
    let resealed = |from: &str, to: &str| {
        let end = SHIPPED.rfind("checksum ").expect("a checksum");
        let body = SHIPPED[..end].replacen(from, to, 1);
        let checksum = &blake3::hash(body.as_bytes()).to_hex()[..16];
        format!("{body}checksum {checksum}\n")
    };
    refused(&resealed("dicehill.seer/2", "dicehill.seer/1"), "line 1");
    refused(&resealed("seed 1", "seed one"), "line 2: \"one\" is not a value for \"seed\"");
    refused(&resealed("raised-over 2 gains ", "raised-over 2 gains 7.5 "), "line 3");
    refused(&resealed("share 0.", "share -0."), "is not 1 numbers of");
}
