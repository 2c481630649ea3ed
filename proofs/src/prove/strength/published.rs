//! The published players reach their published figures.

use dicehill_arena::HillDraft;
use dicehill_bots::yahtzee_bots;
use dicehill_rules::yahtzee::YahtzeeRules;

use crate::figures::Figure;
use crate::prove::hills::{challenge, distribution, play, row};

/// Games of each measurement: ten times those of the published ones.
const GAMES: i64 = 500_000;
/// Standard errors by which a mean may deviate.
const MAX_ERRORS: f64 = 4.0;

pub(crate) fn figures() -> Vec<Figure> {
    let pair = ["aces-and-eights", "dummy"];
    let official = play(challenge(yahtzee_bots(), &pair, GAMES));
    let draft = challenge(yahtzee_bots(), &pair, GAMES);
    let mego = play(HillDraft { rules: YahtzeeRules::Mego2016, ..draft });
    let (aces, dummy) = (row(&official, pair[0]), row(&official, pair[1]));
    let dummy_mego = row(&mego, pair[1]);
    let points = row(&mego, pair[0]).points as f64;
    let share = 100.0 * points / (points + dummy_mego.points as f64);
    let spread = 196.0 * (share / 100.0 * (1.0 - share / 100.0) / GAMES as f64).sqrt();
    let sd = distribution(aces).sd.expect("many games");
    vec![
        mean("aces-and-eights, mean score, official", aces, 190.87, 0.22),
        Figure {
            name: "aces-and-eights, standard deviation of the score, official".to_owned(),
            value: format!("{sd:.2}"),
            interval: format!("{GAMES} games"),
            aim: "49 within 1".to_owned(),
            met: (sd - 49.0).abs() <= 1.0,
        },
        mean("dummy, mean score, official", dummy, 46.28, 0.06),
        mean("dummy, mean score, mego-2016", dummy_mego, 46.68, 0.06),
        Figure {
            name: "aces-and-eights against dummy, share of the points, mego-2016".to_owned(),
            value: format!("{share:.3} %"),
            interval: format!("± {spread:.3}"),
            aim: "99.84 % within 0.1".to_owned(),
            met: (share - 99.84).abs() <= 0.1,
        },
    ]
}

/// Compares a mean with a published one, which has a standard error too.
fn mean(name: &str, row: &dicehill_arena::Standing, published: f64, published_se: f64) -> Figure {
    let score = distribution(row);
    let se = score.se.expect("many games");
    let tolerance = MAX_ERRORS * se.hypot(published_se);
    Figure {
        name: name.to_owned(),
        value: format!("{:.3}", score.mean),
        interval: format!("± {:.3}", 1.96 * se),
        aim: format!("{published} within {tolerance:.2} (4 standard errors)"),
        met: (score.mean - published).abs() <= tolerance,
    }
}
