//! Estimates, intervals and group letters, recomputed from the recorded games by direct formulas.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Distribution, FigureSummary, FormatName, Hill, HillDraft, Interval, Jobs, RunOptions, Standing,
    TournamentGame,
};
use dicehill_rules::Game;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;

use crate::support::{
    Bots, Outcome, best_box, draft, fill_best, fill_worst, first_box, hill, json, names_at, play,
    play_until, raiser, results_of, scripted,
};

const Z95: f64 = 1.959_963_984_540_054;

/// Bots of different strength, and two equal ones.
fn yahtzee_bots() -> Bots<Yahtzee> {
    let sometimes = |good: u64| {
        scripted::<Yahtzee>(move |turn, view| {
            if turn.start.seed % 10 < good { fill_best(view) } else { fill_worst(view) }
        })
    };
    vec![
        ("A", best_box()),
        ("B", sometimes(9)),
        ("C", first_box()),
        ("D", sometimes(7)),
        ("E", best_box()),
    ]
}

fn liars_bots() -> Bots<LiarsDice> {
    ["A", "B", "C", "D", "E"].into_iter().zip([25, 45, 35, 40, 35].map(raiser)).collect()
}

/// The sums of one entrant in a sample: a game of a challenge, or a block of another format.
#[derive(Clone, Copy, Default)]
struct Share {
    points: f64,
    wins: f64,
    figure: f64,
}

/// The samples of each pairing, by name.
type Strata = Vec<Vec<BTreeMap<String, Share>>>;

fn strata<G: Game>(hill: &Hill<G>, outcome: &Outcome<G>) -> Strata {
    let length = hill.format().games_per_block() as usize;
    let mut by_pairing: BTreeMap<Vec<&str>, Vec<BTreeMap<String, Share>>> = BTreeMap::new();
    let (games, _play_offs) = outcome.games.split_at(scheduled(hill, outcome) as usize);
    for block in games.chunks(length) {
        let mut sample: BTreeMap<String, Share> = BTreeMap::new();
        for game in block {
            for (name, result) in names_at(hill, game).iter().zip(&game.results) {
                let share = sample.entry((*name).to_owned()).or_default();
                share.points += result.points as f64;
                share.wins += f64::from(u8::from(result.won));
                share.figure += result.figures[0] as f64;
            }
        }
        let mut pairing = if length == 1 { Vec::new() } else { names_at(hill, &block[0]) };
        // Pairings are in the order of their last members.
        pairing.sort_unstable_by(|a, b| b.cmp(a));
        by_pairing.entry(pairing).or_default().push(sample);
    }
    by_pairing.into_values().collect()
}

/// The sample variance with the divisor n - 1, in two passes.
fn variance(values: &[f64]) -> Option<f64> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| squares / (n - 1.0))
}

/// The variance of the sum of `of` over all samples of the pairings in which any of `names` plays.
fn variance_of_sum(
    strata: &Strata,
    names: &[&str],
    of: impl Fn(&BTreeMap<String, Share>) -> f64,
) -> Option<f64> {
    let with_names = strata.iter().filter(|samples| {
        samples.iter().any(|sample| names.iter().any(|name| sample.contains_key(*name)))
    });
    let each = with_names.map(|samples| {
        let values: Vec<_> = samples.iter().map(&of).collect();
        variance(&values).map(|variance| variance * values.len() as f64)
    });
    each.sum()
}

/// Wilson's interval by its definition: the bounds from which the rate is `errors` standard errors away, found by
/// bisection.
fn wilson(rate: f64, n: f64, errors: f64) -> Interval {
    let is_inside =
        |share: f64| (rate - share).powi(2) <= errors * errors * share * (1.0 - share) / n;
    let bound = |outside: f64| {
        let (mut inside, mut outside) = (rate, outside);
        for _ in 0..200 {
            let middle = f64::midpoint(inside, outside);
            if is_inside(middle) { inside = middle } else { outside = middle }
        }
        inside
    };
    let low = if rate == 0.0 { 0.0 } else { bound(0.0) };
    let high = if rate == 1.0 { 1.0 } else { bound(1.0) };
    Interval { low, high }
}

fn assert_near(found: f64, expected: f64, what: &str) {
    let tolerance = 1e-9 * expected.abs().max(1e-3);
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, not {expected}");
}

/// Compares intervals, as closely as the quantiles of Student's distribution are known.
fn assert_interval(found: Option<Interval>, expected: Interval, what: &str) {
    let found = found.expect("an interval");
    for (found, expected) in [(found.low, expected.low), (found.high, expected.high)] {
        let tolerance = 1e-4 * expected.abs().max(1.0);
        assert!((found - expected).abs() <= tolerance, "{what}: {found}, not {expected}");
    }
}

/// The 97.5 % quantile of Student's distribution, by integrating its density.
pub(crate) fn student_quantile(freedom: u64) -> f64 {
    const STEP: f64 = 1e-4;
    let n = freedom as f64;
    let density = |t: f64| (1.0 + t * t / n).powf(-(n + 1.0) / 2.0);
    // The substitution t = u / (1 - u) makes the range finite.
    let weight = |u: f64| density(u / (1.0 - u)) / ((1.0 - u) * (1.0 - u));
    let middles = (0..10_000).map(|step| (f64::from(step) + 0.5) * STEP);
    let half: f64 = middles.clone().map(weight).sum();
    let mut sum = 0.0;
    for u in middles {
        let before = sum;
        sum += weight(u);
        if sum >= 0.95 * half {
            let u = u - STEP / 2.0 + STEP * (0.95 * half - before) / (sum - before);
            return u / (1.0 - u);
        }
    }
    unreachable!("the quantile is below infinity");
}

/// The interval of a win rate from blocks whose numbers of wins have the variance `variance` in all, of as many pairings.
fn block_interval(
    rate: f64,
    [blocks, pairings]: [f64; 2],
    block: f64,
    variance: Option<f64>,
) -> Interval {
    let games = blocks * block;
    let Some(variance) = variance else { return wilson(rate, blocks, Z95) };
    // One block more, whose games all go the same way.
    let freedom = blocks - pairings;
    let of_block = block * block * rate * (1.0 - rate);
    let variance = (freedom * variance + blocks * of_block) / (freedom + 1.0);
    let effective = if variance > 0.0 {
        (games * games * rate * (1.0 - rate) / variance).clamp(blocks, games * block)
    } else {
        blocks
    };
    wilson(rate, effective, student_quantile(freedom as u64 + 1))
}

/// Recomputes everything in the rows of a run.
fn check<G: Game>(hill: &Hill<G>) -> Outcome<G> {
    let outcome = play(hill, 2);
    let strata = strata(hill, &outcome);
    for row in &outcome.document.standings {
        check_rates(hill, &outcome, &strata, row);
        check_rank(&outcome, row);
        for (_, summary) in &row.figures {
            match summary {
                FigureSummary::Distribution(found) => {
                    let found = found.as_ref().expect("every entrant has played");
                    check_distribution(hill, &outcome, &strata, row, found);
                }
                FigureSummary::Total(_) => {}
            }
        }
    }
    outcome
}

fn check_rates<G: Game>(hill: &Hill<G>, outcome: &Outcome<G>, strata: &Strata, row: &Standing) {
    let played = results_of(outcome, hill, &row.bot);
    let games = played.iter().take_while(|(game, _)| *game <= scheduled(hill, outcome)).count();
    let wins = played[..games].iter().filter(|(_, result)| result.won).count();
    assert_eq!((row.games, row.wins), (games as u64, wins as u64));
    let (games, rate) = (games as f64, wins as f64 / games as f64);
    assert_near(row.win_rate.expect("games were played"), rate, "win rate");
    let block = hill.format().games_per_block() as f64;
    let own =
        |sample: &BTreeMap<String, Share>| sample.get(&row.bot).copied().unwrap_or_default().wins;
    if block == 1.0 {
        assert_interval(row.win_rate_ci95, wilson(rate, games, Z95), &row.bot);
        return;
    }
    let has_own = |samples: &&Vec<BTreeMap<String, Share>>| samples[0].contains_key(&row.bot);
    let pairings = strata.iter().filter(has_own).count() as f64;
    let variance = variance_of_sum(strata, &[&row.bot], own);
    let expected = block_interval(rate, [games / block, pairings], block, variance);
    assert_interval(row.win_rate_ci95, expected, &row.bot);
}

/// The number of games without play-offs.
fn scheduled<G: Game>(hill: &Hill<G>, outcome: &Outcome<G>) -> u64 {
    outcome.document.pairings.len().max(1) as u64 * hill.games()
}

fn check_rank<G: Game>(outcome: &Outcome<G>, row: &Standing) {
    let total = |row: &Standing| row.votes.map_or(row.points, |votes| votes.total);
    let above = outcome.document.standings.iter().filter(|other| total(other) > total(row));
    assert_eq!(row.rank, Some(1 + above.count()));
}

fn check_distribution<G: Game>(
    hill: &Hill<G>,
    outcome: &Outcome<G>,
    strata: &Strata,
    row: &Standing,
    found: &Distribution,
) {
    let last = scheduled(hill, outcome);
    let played = results_of(outcome, hill, &row.bot).into_iter().filter(|(game, _)| *game <= last);
    let mut scores: Vec<_> = played.map(|(_, result)| result.figures[0] as f64).collect();
    scores.sort_by(f64::total_cmp);
    let n = scores.len();
    assert_near(found.mean, scores.iter().sum::<f64>() / n as f64, "mean");
    assert_eq!(found.sd.is_some(), n > 1);
    if let (Some(found), Some(expected)) = (found.sd, variance(&scores)) {
        assert_near(found, expected.sqrt(), "sd");
    }
    let middle =
        if n % 2 == 1 { scores[n / 2] } else { f64::midpoint(scores[n / 2 - 1], scores[n / 2]) };
    assert_near(found.median, middle, "median");
    assert_eq!((found.min as f64, found.max as f64), (scores[0], scores[n - 1]));
    let own =
        |sample: &BTreeMap<String, Share>| sample.get(&row.bot).copied().unwrap_or_default().figure;
    let expected = variance_of_sum(strata, &[&row.bot], own);
    assert_eq!(found.se.is_some(), expected.is_some());
    if let (Some(found), Some(expected)) = (found.se, expected) {
        assert_near(found, expected.sqrt() / n as f64, "se");
    }
    let expected = found.se.map(|se| {
        let plays = |samples: &&Vec<BTreeMap<String, Share>>| {
            samples.iter().any(|sample| sample.contains_key(&row.bot))
        };
        let own: Vec<_> = strata.iter().filter(plays).collect();
        let freedom = own.iter().map(|samples| samples.len() - 1).sum::<usize>();
        let half = student_quantile(freedom as u64) * se;
        Interval { low: found.mean - half, high: found.mean + half }
    });
    assert_eq!(found.ci95.is_some(), expected.is_some());
    if let Some(expected) = expected {
        assert_interval(found.ci95, expected, "ci95");
    }
}

/// The interval of the difference of two entrants' points, without votes and play-offs: of the differences in all samples
/// and of two that are added, the root of their mean square and its opposite.
fn difference_interval(strata: &Strata, [a, b]: [&str; 2]) -> Option<Interval> {
    let points = |sample: &BTreeMap<String, Share>, name: &str| {
        sample.get(name).copied().unwrap_or_default().points
    };
    let plays = |samples: &&Vec<BTreeMap<String, Share>>| {
        samples.iter().any(|sample| sample.contains_key(a) || sample.contains_key(b))
    };
    let differences = |samples: &Vec<BTreeMap<String, Share>>| -> Vec<f64> {
        samples.iter().map(|sample| points(sample, a) - points(sample, b)).collect()
    };
    let pairings: Vec<Vec<f64>> = strata.iter().filter(plays).map(differences).collect();
    let scatter: Option<f64> = pairings
        .iter()
        .map(|values| variance(values).map(|variance| variance * (values.len() - 1) as f64))
        .sum();
    let all = pairings.concat();
    let n = all.len() as f64;
    let added = (all.iter().map(|value| value * value).sum::<f64>() / n).sqrt();
    let mean = all.iter().sum::<f64>() / n;
    let with_added = all.iter().sum::<f64>() / (n + 2.0);
    // The deviations of the pairings from their means, and of the mean and the added ones from the new mean.
    let squares = scatter?
        + n * (mean - with_added).powi(2)
        + (added - with_added).powi(2)
        + (added + with_added).powi(2);
    let freedom = all.len() as u64 + 2 - pairings.len() as u64;
    let error = (squares / freedom as f64 / (n + 2.0)).sqrt();
    let half = student_quantile(freedom) * error;
    Some(Interval { low: n * (with_added - half), high: n * (with_added + half) })
}

/// Two rows share a letter exactly if their totals are not significantly different. Returns the number of pairs that
/// differ, and the number of all pairs.
fn check_group_letters<G: Game>(hill: &Hill<G>, outcome: &Outcome<G>) -> (usize, usize) {
    let strata = strata(hill, outcome);
    let rows = &outcome.document.standings;
    let total = |row: &Standing| row.votes.map_or(row.points, |votes| votes.total) as f64;
    let (mut different, mut pairs) = (0, 0);
    for (index, a) in rows.iter().enumerate() {
        assert!(!a.mark.is_empty());
        for b in &rows[..index] {
            let interval = difference_interval(&strata, [&a.bot, &b.bot]);
            let of_samples = |row: &Standing| {
                let own =
                    |sample: &BTreeMap<String, Share>| sample.get(&row.bot).map(|one| one.points);
                strata.iter().flatten().filter_map(own).sum::<f64>()
            };
            // What votes and play-offs add, without variance.
            let more = total(a) - total(b) - (of_samples(a) - of_samples(b));
            let differ = interval
                .is_some_and(|interval| interval.low + more > 0.0 || interval.high + more < 0.0);
            let shares = a.mark.chars().any(|letter| b.mark.contains(letter));
            assert_eq!(shares, !differ, "{} {:?} and {} {:?}", a.bot, a.mark, b.bot, b.mark);
            different += usize::from(differ);
            pairs += 1;
        }
    }
    (different, pairs)
}

fn hill_of<G: TournamentGame>(
    bots: &Bots<G>,
    format: FormatName,
    seats: Option<i64>,
    games: i64,
    seed: usize,
) -> Hill<G> {
    let seed = format!("statistics {seed}");
    hill(HillDraft { format, seats, games, seed, ..draft(bots) })
}

#[test]
fn estimates_of_a_yahtzee_challenge_follow_from_the_games() {
    // Odd and even numbers of games, and too few for a standard deviation.
    for games in [1, 2, 3, 10, 101, 200] {
        check(&hill_of(&yahtzee_bots(), FormatName::Challenge, None, games, 0));
    }
}

#[test]
fn estimates_of_a_liars_dice_challenge_follow_from_the_games() {
    for games in [12, 301] {
        check(&hill_of(&liars_bots(), FormatName::Challenge, None, games, 0));
    }
}

#[test]
fn estimates_of_duels_and_gauntlets_use_blocks_as_samples() {
    for games in [2, 4, 50] {
        check(&hill_of(&yahtzee_bots(), FormatName::Duel, None, games, 0));
        check(&hill_of(&yahtzee_bots(), FormatName::Gauntlet, None, games, 0));
        check(&hill_of(&liars_bots(), FormatName::Duel, Some(2), games, 0));
    }
    check(&hill_of(&yahtzee_bots(), FormatName::Duel, Some(3), 30, 0));
    check(&hill_of(&liars_bots(), FormatName::Duel, Some(3), 30, 0));
    check(&hill_of(&liars_bots(), FormatName::Duel, Some(5), 100, 0));
}

#[test]
fn the_interval_of_a_pairing_uses_only_its_blocks() {
    let hill = hill_of(&liars_bots(), FormatName::Duel, Some(2), 60, 0);
    let outcome = check(&hill);
    let strata = strata(&hill, &outcome);
    assert_eq!(outcome.document.pairings.len(), strata.len());
    for (pairing, samples) in outcome.document.pairings.iter().zip(strata) {
        for result in &pairing.results {
            let wins: Vec<_> = samples.iter().map(|sample| sample[&result.bot].wins).collect();
            let rate = wins.iter().sum::<f64>() / pairing.games as f64;
            let variance = variance(&wins).expect("thirty blocks") * wins.len() as f64;
            let blocks = pairing.blocks as f64;
            let expected = block_interval(rate, [blocks, 1.0], 2.0, Some(variance));
            assert_interval(result.win_rate_ci95, expected, &result.bot);
        }
    }
}

#[test]
fn entrants_share_a_letter_exactly_if_not_significantly_different() {
    let (mut different, mut pairs) = (0, 0);
    let mut add = |(a, p): (usize, usize)| {
        different += a;
        pairs += p;
    };
    for seed in 0..12 {
        let games = 20 + 40 * seed as i64;
        for format in [FormatName::Challenge, FormatName::Duel, FormatName::Gauntlet] {
            let hill = hill_of(&yahtzee_bots(), format, None, games, seed);
            add(check_group_letters(&hill, &play(&hill, 2)));
            let hill = hill_of(&liars_bots(), format, None, games / 4, seed);
            add(check_group_letters(&hill, &play(&hill, 2)));
        }
    }
    assert!(different > pairs / 5 && different < 4 * pairs / 5, "{different} of {pairs}");
}

#[test]
fn votes_count_for_rank_and_group_letters() {
    let bots = liars_bots();
    let mut merged = 0;
    for seed in 0..6 {
        let mut draft = draft(&bots);
        (draft.games, draft.seed) = (40, format!("votes {seed}"));
        for (entrant, votes) in draft.entrants.iter_mut().zip([None, Some(-50), Some(900)]) {
            entrant.votes = votes;
        }
        let hill = hill(draft);
        let outcome = play(&hill, 2);
        let votes = |name: &str| outcome.row(name).votes.unwrap();
        for (name, given, counted) in [("A", 0, 0), ("B", -50, 0), ("C", 900, 9000), ("D", 0, 0)] {
            assert_eq!(votes(name).votes, given);
            assert_eq!(votes(name).total, outcome.row(name).points + counted);
        }
        for row in &outcome.document.standings {
            check_rank(&outcome, row);
        }
        merged += check_group_letters(&hill, &outcome).0;
    }
    assert!(merged > 6);
}

#[test]
fn without_two_blocks_per_pairing_all_share_a_letter() {
    let bots = yahtzee_bots().into_iter().take(4).collect();
    let hill = hill_of(&bots, FormatName::Duel, None, 2, 0);
    for last in 1..=12 {
        let stop = AtomicBool::new(false);
        let options =
            RunOptions { jobs: Jobs::Exactly(1), max_play_offs: 0, stop: &stop, deadline: None };
        let outcome = play_until(&hill, options, last);
        assert_eq!(outcome.lines.len() as u64, last);
        for row in &outcome.document.standings {
            assert_eq!(row.mark, "a", "{} after {last} games", row.bot);
        }
    }
}

/// Collects all numbers of a document that are not integers.
fn real_numbers(value: &serde_json::Value, into: &mut Vec<f64>) {
    match value {
        serde_json::Value::Number(number) if number.is_f64() => {
            into.extend(number.as_f64());
        }
        serde_json::Value::Array(values) => values.iter().for_each(|v| real_numbers(v, into)),
        serde_json::Value::Object(map) => map.values().for_each(|v| real_numbers(v, into)),
        serde_json::Value::Number(_)
        | serde_json::Value::Null
        | serde_json::Value::Bool(_)
        | serde_json::Value::String(_) => {}
    }
}

#[test]
fn documents_print_six_significant_digits() {
    let mut numbers = Vec::new();
    for format in [FormatName::Challenge, FormatName::Duel] {
        let hill = hill_of(&yahtzee_bots(), format, None, 97, 0);
        let document = serde_json::from_str(&json(&play(&hill, 2).document)).unwrap();
        real_numbers(&document, &mut numbers);
    }
    assert!(numbers.len() > 80);
    let mut full = 0;
    for number in numbers {
        let digits = |places| format!("{number:.places$e}");
        let (six, more) = (digits(5), digits(15));
        assert_eq!(six.parse(), Ok(number), "{more}");
        full += usize::from(!six.contains("0e"));
    }
    assert!(full > 40, "{full} numbers need all six digits");
}

#[test]
fn printed_numbers_are_the_computed_ones() {
    let hill = hill_of(&yahtzee_bots(), FormatName::Challenge, None, 97, 0);
    let outcome = play(&hill, 2);
    let document: serde_json::Value = serde_json::from_str(&json(&outcome.document)).unwrap();
    for (row, printed) in
        outcome.document.standings.iter().zip(document["standings"].as_array().unwrap())
    {
        let FigureSummary::Distribution(Some(score)) = &row.figures[0].1 else { panic!() };
        let interval = row.win_rate_ci95.unwrap();
        for (value, printed) in [
            (row.win_rate.unwrap(), &printed["win_rate"]),
            (interval.low, &printed["win_rate_ci95"][0]),
            (interval.high, &printed["win_rate_ci95"][1]),
            (score.mean, &printed["score"]["mean"]),
            (score.sd.unwrap(), &printed["score"]["sd"]),
            (score.median, &printed["score"]["median"]),
        ] {
            let printed = printed.as_f64().unwrap();
            assert!((printed - value).abs() <= 5.000_001e-6 * value.abs(), "{printed} {value}");
        }
        assert_eq!(printed["score"]["min"].as_u64(), Some(score.min));
        assert_eq!(printed["score"]["max"].as_u64(), Some(score.max));
        assert_eq!(printed["points"].as_u64(), Some(row.points));
    }
}
