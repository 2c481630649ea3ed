//! How strong the exact players of Yahtzee are, and how much of a score and of a point luck explains.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use dicehill_arena::{
    BotName, Entrant, Event, FormatName, Hill, HillDraft, Jobs, Luck, MAX_PLAY_OFFS,
    ResultDocument, RunOptions, run,
};
use dicehill_bots::{HouseBot, exact_yahtzee_bots, yahtzee_bots};
use dicehill_coach::yahtzee::YahtzeeAppraiser;
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_solver::yahtzee::{Contest, Distribution, Position, Solution, Variant};

use crate::figures::Figure;
use crate::prove::cpu::{cores, timed};
use crate::prove::hills::{distribution, play_hill, row};

/// Standard errors by which a figure of `optimal` may deviate.
const MAX_ERRORS: f64 = 4.0;
/// Games between two `optimal` players, whose scores are compared with the exact distribution.
const OPTIMAL_GAMES: i64 = 100_000;
/// Games of each pair of house bots with luck adjustment.
const LUCK_GAMES: i64 = 20_000;
/// Games of `winner` against `optimal`, half of them at each seat.
const DUEL_GAMES: i64 = 200_000;
/// Games of `winner` against five `optimal`.
const FIELD_GAMES: i64 = 100_000;
/// Standard errors of 99.9 % confidence.
const Z_999: f64 = 3.290_527;

pub(crate) fn figures() -> Vec<Figure> {
    let solution = Solution::shared(Variant::Official);
    let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let distribution = Distribution::new(solution, threads);
    let mut figures = optimal(&distribution);
    figures.extend(house_bots());
    let contests = [0, 1].map(|before| timed(|| Contest::new(solution, 1, before, threads)));
    figures.extend(contests.iter().map(|(contest, seconds)| setup(contest, *seconds)));
    figures.push(any_threads(solution, &contests[0].0));
    drop(contests);
    figures.push(known_target(solution, &distribution, threads));
    figures.extend(duel());
    figures.push(field());
    figures
}

fn named(name: &str) -> HouseBot<Yahtzee> {
    let all = yahtzee_bots().into_iter().chain(exact_yahtzee_bots());
    all.into_iter().find(|bot| bot.name() == name).expect("a house bot")
}

/// House bots with these names, numbered.
fn entrants(bots: &[&str]) -> Vec<Entrant<Yahtzee>> {
    let entrant = |(number, bot): (usize, &&str)| {
        let name = BotName::new(&format!("{bot} {}", number + 1)).expect("a name");
        Entrant::new(name, Arc::new(named(bot)))
    };
    bots.iter().enumerate().map(entrant).collect()
}

fn hill(bots: &[&str], games: i64, format: FormatName) -> Hill<Yahtzee> {
    let draft = HillDraft { games, format, ..HillDraft::challenge(entrants(bots), "players") };
    Hill::new(draft).expect("a hill that can be played")
}

fn with_luck(hill: Hill<Yahtzee>) -> ResultDocument {
    play_hill(&appraised(hill), cores())
}

fn appraised(hill: Hill<Yahtzee>) -> Hill<Yahtzee> {
    hill.with_appraiser(Arc::new(YahtzeeAppraiser::new(YahtzeeRules::Official)))
}

fn luck<'a>(result: &'a ResultDocument, bot: &str) -> &'a Luck {
    row(result, bot).luck.as_ref().expect("games are appraised")
}

/// Compares the scores of `optimal` with their exact distribution.
fn optimal(distribution: &Distribution) -> Vec<Figure> {
    let mut scores = Vec::new();
    let hill = hill(&["optimal", "optimal"], OPTIMAL_GAMES, FormatName::Challenge);
    let options = RunOptions {
        jobs: Jobs::Exactly(cores()),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    run(&hill, options, &mut |event| {
        if let Event::Played(played, _) = event {
            scores.extend(played.record.results.iter().map(|result| result.figures[0] as f64));
        }
        Ok(())
    })
    .expect("nothing is stored");
    let games = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / games;
    let moment = |power| scores.iter().map(|score| (score - mean).powi(power)).sum::<f64>() / games;
    let (sd, fourth) = (moment(2).sqrt(), moment(4));
    let sd_error = ((fourth - sd.powi(4)) / games).sqrt() / (2.0 * sd);
    let mut figures = vec![
        agrees("mean score", mean, distribution.mean(), sd / games.sqrt()),
        agrees("standard deviation", sd, distribution.standard_deviation(), sd_error),
    ];
    for percent in [1, 5, 25, 50, 75, 95, 99] {
        let score = distribution.percentile(f64::from(percent) / 100.0);
        let expected = 1.0 - distribution.at_least(score + 1);
        let below = scores.iter().filter(|one| **one <= f64::from(score)).count() as f64 / games;
        let error = (expected * (1.0 - expected) / games).sqrt();
        let name = format!("share of scores up to {score}, percentile {percent}");
        figures.push(agrees(&name, below, expected, error));
    }
    figures
}

fn agrees(name: &str, found: f64, expected: f64, error: f64) -> Figure {
    Figure {
        name: format!("optimal, {} games: {name}", 2 * OPTIMAL_GAMES),
        value: format!("{found:.4}"),
        interval: format!("± {:.4}", 1.96 * error),
        aim: format!("{expected:.4} within 4 standard errors"),
        met: (found - expected).abs() <= MAX_ERRORS * error,
    }
}

/// Plain and luck-adjusted means of the other house bots, and the variance reduction.
fn house_bots() -> Vec<Figure> {
    let pairs = [
        (["greedy 1", "aces-and-eights 2"], ["greedy", "aces-and-eights"]),
        (["random 1", "dummy 2"], ["random", "dummy"]),
        (["optimal 1", "greedy 2"], ["optimal", "greedy"]),
    ];
    let mut figures = Vec::new();
    for (names, bots) in pairs {
        let result = with_luck(hill(&bots, LUCK_GAMES, FormatName::Challenge));
        for (name, bot) in names.iter().zip(bots) {
            if bot != "optimal" && (bot != "greedy" || bots[0] == "greedy") {
                figures.extend(scores(&result, name, bot));
            }
        }
        figures.push(points(&result, names[0], &format!("{} v {}", bots[0], bots[1])));
    }
    figures
}

fn scores(result: &ResultDocument, name: &str, bot: &str) -> [Figure; 2] {
    let (luck, plain) = (luck(result, name), distribution(row(result, name)));
    let (adjusted, se) = (luck.score.unwrap_or(f64::NAN), luck.se.unwrap_or(f64::NAN));
    // The luck of a game is independent of the average loss.
    let error = plain.se.unwrap_or(f64::NAN).hypot(se);
    let least = match bot {
        "aces-and-eights" => 10.0,
        "greedy" => 18.0,
        _ => 0.0,
    };
    let ratio = luck.variance_ratio.unwrap_or(f64::NAN);
    [
        Figure {
            name: format!("{bot}: mean score {:.2}, luck-adjusted", plain.mean),
            value: format!("{adjusted:.2}"),
            interval: format!("± {:.2}", 1.96 * se),
            aim: "the plain mean within 3 standard errors".to_owned(),
            met: (adjusted - plain.mean).abs() <= 3.0 * error,
        },
        Figure {
            name: format!("{bot}: variance of the mean score by that of the luck-adjusted one"),
            value: format!("{ratio:.1}"),
            interval: format!("{} games", dicehill_arena::thousands(LUCK_GAMES as u64)),
            aim: if least > 0.0 { format!("at least {least}") } else { "reported".to_owned() },
            met: ratio >= least,
        },
    ]
}

fn points(result: &ResultDocument, name: &str, pair: &str) -> Figure {
    let points = luck(result, name).points.as_ref().expect("enough games");
    let ratio = points.variance_ratio.unwrap_or(f64::NAN);
    // If one bot nearly always wins there is little variance to explain.
    let aim = if pair.starts_with("random") { 0.0 } else { 2.0 };
    Figure {
        name: format!("{pair}: variance of the points by that of the luck-adjusted ones"),
        value: format!("{ratio:.2}"),
        interval: format!("{} games", dicehill_arena::thousands(LUCK_GAMES as u64)),
        aim: if aim > 0.0 { format!("at least {aim}") } else { "reported".to_owned() },
        met: ratio >= aim,
    }
}

fn setup(contest: &Contest, seconds: f64) -> Figure {
    let seat = if contest.rivals().count_before() == 0 { "first" } else { "second" };
    Figure {
        name: format!("winner, {seat} of two: CPU seconds of the set-up, once"),
        value: format!("{seconds:.1}"),
        interval: format!("{:.0} MB of memory and of cache", contest.memory_bytes() as f64 / 1e6),
        aim: "reported".to_owned(),
        met: true,
    }
}

/// Compares the contest with one that a single thread has computed.
fn any_threads(solution: &'static Solution, contest: &Contest) -> Figure {
    let by_one_thread = Contest::new(solution, 1, 0, NonZero::<usize>::MIN);
    let are_equal = by_one_thread.to_bytes() == contest.to_bytes();
    Figure {
        name: "winner: the contest has the same bytes on one thread and on all".to_owned(),
        value: if are_equal { "yes" } else { "no" }.to_owned(),
        interval: "exact".to_owned(),
        aim: "yes".to_owned(),
        met: are_equal,
    }
}

/// The win rate against `optimal` of a player that knows the score to beat from the beginning.
fn known_target(
    solution: &'static Solution,
    distribution: &Distribution,
    threads: NonZero<usize>,
) -> Figure {
    let contest = Contest::with_known_target(solution, threads);
    let chance = |score: u32| contest.chance(Position::START, f64::from(score));
    let won: f64 = distribution.scores().map(|(score, share)| share * chance(score)).sum();
    let beaten = |score: u32| contest.chance(Position::START, f64::from(score) + 1.0);
    let alone: f64 = distribution.scores().map(|(score, share)| share * beaten(score)).sum();
    Figure {
        name: "a player that knew the score to beat: wins against optimal, ties halved".to_owned(),
        value: format!("{:.2} %", 50.0 * (won + alone)),
        interval: "as exact as its table".to_owned(),
        aim: "reported".to_owned(),
        met: true,
    }
}

/// `winner` against `optimal`, ties halved.
fn duel() -> Vec<Figure> {
    let result = with_luck(hill(&["winner", "optimal"], DUEL_GAMES, FormatName::Duel));
    let [one] = result.head_to_head.as_slice() else { unreachable!("two play") };
    let winner_first = one.bot == "winner 1";
    let rate = one.rate.expect("games were played");
    let interval = one.rate_ci95.expect("games were played");
    let (rate, half_width) =
        (if winner_first { rate } else { 1.0 - rate }, (interval.high - interval.low) / 2.0);
    let gain = rate - 0.5;
    let adjusted = luck(&result, "winner 1").points.as_ref().expect("enough games");
    let half_adjusted = (adjusted.adjusted_ci95.high - adjusted.adjusted_ci95.low) / 2.0;
    let ties = one.level as f64 / one.games as f64;
    let gain_adjusted = adjusted.adjusted - ties / 2.0 - 0.5;
    vec![
        Figure {
            name: format!(
                "winner v optimal, {} games, ties halved: percentage points above even",
                one.games
            ),
            value: format!("{:.2}", 100.0 * gain),
            interval: format!("± {:.2}", 100.0 * half_width),
            aim: "at least 0.3, and even excluded at 99.9 %".to_owned(),
            met: gain >= 0.003 && gain > half_width * Z_999 / 1.96,
        },
        Figure {
            name: "the same with luck as a control variate".to_owned(),
            value: format!("{:.2}", 100.0 * gain_adjusted),
            interval: format!("± {:.2}", 100.0 * half_adjusted),
            aim: "better 0.5".to_owned(),
            met: gain_adjusted >= 0.005,
        },
    ]
}

/// The wins of `winner` against five `optimal`, compared with a sixth `optimal`.
fn field() -> Figure {
    let six = |first| {
        let bots = [first, "optimal", "optimal", "optimal", "optimal", "optimal"];
        with_luck(hill(&bots, FIELD_GAMES, FormatName::Challenge))
    };
    let (ours, theirs) = (six("winner"), six("optimal"));
    let won = |result: &ResultDocument, bot: &str| {
        let points = luck(result, bot).points.as_ref().expect("enough games");
        (points.adjusted, (points.adjusted_ci95.high - points.adjusted_ci95.low) / 3.92)
    };
    // All six bots are equal.
    let all = theirs.standings.iter().map(|row| row.points).sum::<u64>() as f64;
    let even = all / 6.0 / FIELD_GAMES as f64;
    let (winner, error) = won(&ours, "winner 1");
    let percent_more = 100.0 * (winner / even - 1.0);
    Figure {
        name: format!(
            "winner against five optimal, {FIELD_GAMES} games: % more wins ({:.2} %) than a sixth optimal has ({:.2} %)",
            100.0 * winner,
            100.0 * even
        ),
        value: format!("{percent_more:.1}"),
        interval: format!("± {:.1}", 196.0 * error / even),
        aim: "at least 4".to_owned(),
        met: percent_more >= 4.0,
    }
}
