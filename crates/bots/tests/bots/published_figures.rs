//! The published Yahtzee bots reach their published figures.
//!
//! `DICEHILL_FIGURE_GAMES` sets the number of games for each; the default is 4000. The bounds are four combined standard errors of the
//! measured and the published figure.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{BotName, Entrant, Event, Hill, HillDraft, Jobs, RunOptions, run};
use dicehill_bots::{HouseBot, yahtzee_bots};
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};

/// The number of games behind the published figures, from their standard errors.
const PUBLISHED_GAMES: f64 = 50_000.0;
const BAND: f64 = 4.0;

/// The results of two bots, by game.
struct Measured {
    scores: [Vec<f64>; 2],
    points: [u64; 2],
    ties: u64,
    games: f64,
}

fn measure(players: [&str; 2], rules: YahtzeeRules) -> Measured {
    let games = std::env::var("DICEHILL_FIGURE_GAMES");
    let games: i64 = games.map_or(4000, |text| text.parse().expect("a number of games"));
    let names = ["first", "second"];
    let entrants = players.iter().zip(names).map(|(player, name)| {
        Entrant::new(BotName::new(name).expect("a name"), Arc::new(house(player)))
    });
    let draft = HillDraft::challenge(entrants.collect(), "published figures");
    let hill = Hill::new(HillDraft { rules, games, ..draft }).expect("two house bots");
    let mut measured =
        Measured { scores: [vec![], vec![]], points: [0, 0], ties: 0, games: games as f64 };
    let options = RunOptions {
        jobs: Jobs::Exactly(2),
        max_play_offs: 0,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    run(&hill, options, &mut |event| {
        if let Event::Played(played, _) = event {
            let record = &played.record;
            for (id, result) in record.fixture.seats.iter().zip(&record.results) {
                measured.scores[id.index()].push(result.figures[0] as f64);
                measured.points[id.index()] += result.points;
            }
            measured.ties += u64::from(record.results.iter().all(|result| result.won));
        }
        Ok(())
    })
    .expect("nothing is stored");
    assert!(measured.scores.iter().all(|scores| scores.len() as i64 == games));
    measured
}

fn house(name: &str) -> HouseBot<Yahtzee> {
    yahtzee_bots().into_iter().find(|house| house.name() == name).expect("a house bot")
}

#[track_caller]
fn assert_within(what: &str, found: f64, published: f64, se: f64, published_se: f64) {
    let band = BAND * se.hypot(published_se);
    let off = (found - published).abs();
    assert!(off <= band, "{what}: {found} is {off} from {published}, and {band} is allowed");
}

/// The mean and the central moments of order 2 and 4.
fn moments(values: &[f64]) -> (f64, f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let moment =
        |order: i32| values.iter().map(|value| (value - mean).powi(order)).sum::<f64>() / n;
    (mean, moment(2), moment(4))
}

#[track_caller]
fn check_mean(scores: &[f64], published: f64, published_se: f64) {
    let (mean, variance, _) = moments(scores);
    let se = (variance / scores.len() as f64).sqrt();
    assert_within("mean", mean, published, se, published_se);
}

#[track_caller]
fn check_deviation(scores: &[f64], published: f64) {
    let (_, variance, fourth) = moments(scores);
    let sd = variance.sqrt();
    // The standard error of the standard deviation of n values, by the delta method.
    let se = |n: f64| ((fourth - variance * variance) / n).sqrt() / (2.0 * sd);
    let published_se = se(PUBLISHED_GAMES);
    assert_within("sd", sd, published, se(scores.len() as f64), published_se);
}

/// At most the share `share` of the scores is below the published quantile, and at least that share is not above it.
#[track_caller]
fn check_quantile(scores: &[f64], share: f64, published: f64) {
    let n = scores.len() as f64;
    let band = BAND
        * (share * (1.0 - share) / n)
            .sqrt()
            .hypot((share * (1.0 - share) / PUBLISHED_GAMES).sqrt());
    let part = |is_in: fn(f64, f64) -> bool| {
        scores.iter().filter(|score| is_in(**score, published)).count() as f64 / n
    };
    let (below, up_to) = (part(|score, bound| score < bound), part(|score, bound| score <= bound));
    assert!(below - band <= share && share <= up_to + band, "{below} < {share} <= {up_to}");
}

#[track_caller]
fn check_share(found: f64, published: f64, games: f64, published_se: f64) {
    let se = (published * (1.0 - published) / games).sqrt();
    assert_within("share", found, published, se, published_se);
}

fn share_of_first(measured: &Measured) -> f64 {
    let [first, second] = measured.points.map(|points| points as f64);
    first / (first + second)
}

#[test]
fn figures_by_the_official_rules() {
    let measured = measure(["aces-and-eights", "dummy"], YahtzeeRules::Official);
    let [aces, dummy] = &measured.scores;
    check_mean(aces, 190.87, 0.22);
    check_deviation(aces, 49.1);
    check_quantile(aces, 0.05, 129.0);
    check_quantile(aces, 0.5, 182.0);
    check_quantile(aces, 0.95, 302.0);
    check_mean(dummy, 46.28, 0.06);
    check_deviation(dummy, 18.7);
    check_quantile(dummy, 0.5, 42.0);
    // Not published: 99.97 % to the digits given, measured with this program.
    check_share(share_of_first(&measured), 0.9997, measured.games, 0.000_05);
}

#[test]
fn figures_by_the_rules_of_the_original_controller() {
    let measured = measure(["aces-and-eights", "dummy"], YahtzeeRules::Mego2016);
    check_mean(&measured.scores[0], 190.87, 0.22);
    check_mean(&measured.scores[1], 46.68, 0.06);
    check_share(share_of_first(&measured), 0.998_36, measured.games, 0.000_18);
}

#[test]
fn games_of_the_winner_against_itself_are_rarely_tied() {
    for rules in [YahtzeeRules::Official, YahtzeeRules::Mego2016] {
        let measured = measure(["aces-and-eights", "aces-and-eights"], rules);
        let ties = measured.ties as f64 / measured.games;
        let published_se = (0.0086 * 0.9914 / PUBLISHED_GAMES).sqrt();
        check_share(ties, 0.0086, measured.games, published_se);
    }
}
