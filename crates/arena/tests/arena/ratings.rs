//! Ratings, probabilities, differences, encounters and seats, of played games and of invented results.

use std::collections::BTreeMap;

use dicehill_arena::{
    Bounds, EloRating, EntrantId, Fixture, FormatName, Hill, HillDraft, Interval, Ledger, Memory,
    Reason, ResultDocument, Schedule, Standing,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game, SeatResult};

use crate::support::{
    Bots, Outcome, best_box, challenge, draft, failure, fill_best, fill_worst, first_box, hill,
    id_of, json, names_at, play, raiser, scripted,
};

/// Elo points per factor e of the odds.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// A hill whose bots never play, because the results are invented.
fn idle_hill(entrants: usize, format: FormatName, seats: Option<i64>, games: i64) -> Hill<Yahtzee> {
    const NAMES: [&str; 6] = ["A", "B", "C", "D", "E", "F"];
    let bots: Bots<Yahtzee> = NAMES[..entrants].iter().map(|name| (*name, best_box())).collect();
    hill(HillDraft { format, seats, games, ..draft(&bots) })
}

/// The result of a seat that won or lost.
fn result(won: bool) -> SeatResult {
    let score = if won { 200 } else { 100 };
    SeatResult { points: u64::from(won), won, figures: [score, 0, 0, 0] }
}

/// The result document of these games; `wins` returns for each seat whether it won.
pub(crate) fn document_of<G: Game>(
    hill: &Hill<G>,
    games: impl IntoIterator<Item = u64>,
    mut wins: impl FnMut(&Fixture) -> Vec<bool>,
) -> ResultDocument {
    let chance = Chance::new(hill.seed());
    let schedule = Schedule::new(hill, &chance, hill.ids().collect());
    let mut ledger = Ledger::new(&schedule);
    for game in games {
        let fixture = schedule.fixture(game);
        let results: Vec<_> = wins(&fixture).into_iter().map(result).collect();
        ledger.add(&schedule, &fixture, &results, &[]);
    }
    ResultDocument::new(hill, &ledger, schedule.active(), &[], String::new())
}

pub(crate) fn all_games<G: Game>(hill: &Hill<G>) -> std::ops::RangeInclusive<u64> {
    let chance = Chance::new(hill.seed());
    1..=Schedule::new(hill, &chance, hill.ids().collect()).games()
}

pub(crate) fn row<'a>(document: &'a ResultDocument, name: &str) -> &'a Standing {
    document.standings.iter().find(|row| row.bot == name).expect("an entrant's row")
}

/// Uniform numbers in [0, 1), the same in every test run.
struct Uniform(u64);

impl Uniform {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Draws the winners by the Davidson-Luce model; `tie` is the weight of ties of two.
fn winners(uniform: &mut Uniform, strengths: &[f64], tie: f64, seats: &[EntrantId]) -> Vec<bool> {
    let at = |seat: usize| strengths[seats[seat].index()];
    let mut sets: Vec<(Vec<usize>, f64)> =
        (0..seats.len()).map(|seat| (vec![seat], at(seat).exp())).collect();
    for first in 0..seats.len() {
        for second in first + 1..seats.len() {
            let weight = tie * f64::midpoint(at(first), at(second)).exp();
            sets.push((vec![first, second], weight));
        }
    }
    let total: f64 = sets.iter().map(|(_, weight)| weight).sum();
    let mut remaining = total * uniform.next();
    let chosen = sets.iter().find(|(_, weight)| {
        remaining -= weight;
        remaining < 0.0
    });
    let (chosen, _) = chosen.unwrap_or(&sets[0]);
    (0..seats.len()).map(|seat| chosen.contains(&seat)).collect()
}

/// Checks that all numbers are finite, each estimate lies in its interval, and probabilities add up to 1.
#[track_caller]
fn check_estimates(document: &ResultDocument) {
    let text = format!("{document:?}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    let check_interval = |estimate: Option<f64>, interval: Option<Interval>| {
        if let (Some(estimate), Some(Interval { low, high })) = (estimate, interval) {
            assert!(low <= estimate && estimate <= high, "{estimate} in {low} {high}: {text}");
        }
    };
    for row in &document.standings {
        check_interval(row.win_rate, row.win_rate_ci95);
        check_interval(row.rating, row.rating_ci95);
        row.seats.iter().for_each(|seat| check_interval(Some(seat.win_rate), seat.win_rate_ci95));
        let Some(EloRating { value, ci95: Some(Bounds { low, high }) }) = row.elo else { continue };
        assert!(low.is_some() || high.is_some(), "{text}");
        let bounded = |bound: Option<f64>| bound.or(value).expect("one side has a bound");
        let interval = Interval { low: low.unwrap_or(f64::MIN), high: high.unwrap_or(f64::MAX) };
        check_interval(value, Some(interval));
        assert!(value.is_none() || bounded(low) <= bounded(high), "{text}");
        assert!(row.best.is_none_or(|best| (0.0..=1.0).contains(&best)), "{text}");
    }
    for pair in &document.head_to_head {
        check_interval(pair.rate, pair.rate_ci95);
    }
    for difference in &document.differences {
        check_interval(Some(difference.points_per_game), Some(difference.ci95));
    }
    let chances: Vec<f64> = document.standings.iter().filter_map(|row| row.best).collect();
    let sum: f64 = chances.iter().sum();
    assert!(chances.is_empty() || (sum - 1.0).abs() < 1e-9, "{sum}: {text}");
    let mut ratings: Vec<f64> = document.standings.iter().filter_map(|row| row.rating).collect();
    ratings.sort_by(f64::total_cmp);
    let spans = |ratings: &[f64]| ratings[0] < 1e-9 && ratings[ratings.len() - 1] > -1e-9;
    assert!(ratings.is_empty() || spans(&ratings), "{ratings:?}");
}

#[test]
fn a_rating_difference_is_the_logarithm_of_the_odds() {
    let hill = idle_hill(2, FormatName::Duel, None, 1000);
    // A wins nine games of ten.
    let document = document_of(&hill, 1..=1000, |fixture| {
        let a_wins = fixture.game % 10 > 0;
        fixture.seats.iter().map(|id| (id.index() == 0) == a_wins).collect()
    });
    check_estimates(&document);
    let [a, b] = ["A", "B"].map(|name| row(&document, name));
    let difference = a.rating.unwrap() - b.rating.unwrap();
    assert!((difference - ELO_PER_LOGIT * 9.0f64.ln()).abs() < 1.5, "{difference}");
    // The standard error of the logarithm of odds is 1 / sqrt(n p q).
    let half = a.rating_ci95.unwrap().half_width();
    let expected = 1.96 * ELO_PER_LOGIT / 2.0 / (1000.0f64 * 0.09).sqrt();
    assert!((half / expected - 1.0).abs() < 0.4, "{half} {expected}");
    assert!(a.best.unwrap() > 0.99 && document.champion_sure == a.best);
}

#[test]
fn the_order_of_games_does_not_matter() {
    let strengths = [0.8, 0.3, -0.1, -1.0];
    for (format, seats) in [
        (FormatName::Duel, Some(2)),
        (FormatName::Duel, Some(3)),
        (FormatName::Gauntlet, None),
        (FormatName::Challenge, None),
    ] {
        let hill = idle_hill(4, format, seats, 60);
        let length = hill.format().games_per_block();
        let blocks = all_games(&hill).end() / length;
        // The winners are a function of the game number.
        let wins = |fixture: &Fixture| {
            let mut uniform = Uniform(fixture.game.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            uniform.next();
            winners(&mut uniform, &strengths, 0.3, &fixture.seats)
        };
        let games = |order: Vec<u64>| {
            order.into_iter().flat_map(move |block| block * length + 1..=(block + 1) * length)
        };
        let forward = document_of(&hill, games((0..blocks).collect()), wins);
        check_estimates(&forward);
        assert!(forward.standings.iter().all(|row| row.rating_ci95.is_some()));
        let backward = document_of(&hill, games((0..blocks).rev().collect()), wins);
        assert_eq!(forward, backward);
        // No number of blocks here is a multiple of seven.
        let mixed = (0..blocks).map(|block| (7 * block) % blocks).collect();
        assert_eq!(forward, document_of(&hill, games(mixed), wins));
    }
}

#[test]
fn no_outcome_gives_nan_or_infinity() {
    type WinnerRule = fn(&Fixture) -> Vec<bool>;
    let rules: [WinnerRule; 5] = [
        |fixture| fixture.seats.iter().map(|id| id.index() == 0).collect(),
        |fixture| fixture.seats.iter().map(|id| id.index() != 0).collect(),
        |fixture| vec![true; fixture.seats.len()],
        |fixture| vec![false; fixture.seats.len()],
        |fixture| (0..fixture.seats.len()).map(|seat| seat == 0).collect(),
    ];
    for (entrants, format, seats) in [
        (2, FormatName::Challenge, None),
        (6, FormatName::Challenge, None),
        (2, FormatName::Duel, None),
        (4, FormatName::Duel, Some(3)),
        (3, FormatName::Gauntlet, None),
    ] {
        let hill = idle_hill(entrants, format, seats, 60);
        for rule in rules {
            for games in [0, 1, 2, 3, 6, 12, *all_games(&hill).end()] {
                let document = document_of(&hill, 1..=games, rule);
                check_estimates(&document);
                assert!(!json(&document).contains("null,null"));
            }
        }
    }
}

#[test]
fn an_entrant_that_wins_every_game_has_a_wide_interval_upwards() {
    let hill = idle_hill(2, FormatName::Duel, None, 20);
    let document = document_of(&hill, 1..=20, |fixture| {
        fixture.seats.iter().map(|id| id.index() == 0).collect()
    });
    let a = row(&document, "A");
    let Interval { low, high } = a.rating_ci95.unwrap();
    // The lower bound of the odds is 20 to 3.7 (Clopper and Pearson); there is no upper bound.
    assert!((20.0..400.0).contains(&low) && high > 400.0, "{low} {high}");
    assert!((0.97..=1.0).contains(&a.best.unwrap()), "{:?}", a.best);
    // Two games leave some doubt; from one game there is no probability.
    let few = |games| {
        let hill = idle_hill(2, FormatName::Challenge, None, games);
        document_of(&hill, 1..=games as u64, |f| f.seats.iter().map(|id| id.index() == 0).collect())
    };
    assert!((0.8..0.99).contains(&few(2).champion_sure.unwrap()), "{:?}", few(2).champion_sure);
    assert_eq!((few(1).champion.as_deref(), few(1).champion_sure), (Some("A"), None));
}

#[test]
fn an_entrant_that_loses_every_game_does_not_widen_the_others_intervals() {
    let hill = idle_hill(3, FormatName::Duel, None, 200);
    let mut uniform = Uniform(3);
    let document = document_of(&hill, all_games(&hill), |fixture| {
        let c = fixture.seats.iter().position(|id| id.index() == 2);
        let first = c.map_or(uniform.next() < 0.5, |seat| seat == 1);
        vec![first, !first]
    });
    check_estimates(&document);
    let width = |name| row(&document, name).rating_ci95.unwrap().half_width();
    assert!(width("A") < 40.0 && width("B") < 40.0 && width("C") > 200.0);
}

#[test]
fn entrants_not_connected_by_games_are_not_rated() {
    let hill = idle_hill(4, FormatName::Duel, None, 2);
    let first = |fixture: &Fixture| [true, false].repeat(fixture.seats.len() / 2);
    let rated = |pairs: &[[usize; 2]]| {
        let meets = |game: &u64| {
            let chance = Chance::new(hill.seed());
            let seats = Schedule::new(&hill, &chance, hill.ids().collect()).fixture(*game).seats;
            let mut pair = [seats[0].index(), seats[1].index()];
            pair.sort_unstable();
            pairs.contains(&pair)
        };
        let document = document_of(&hill, all_games(&hill).filter(meets), first);
        check_estimates(&document);
        ["A", "B", "C", "D"].map(|name| row(&document, name).rating.is_some())
    };
    assert_eq!(rated(&[]), [false; 4]);
    assert_eq!(rated(&[[0, 1]]), [true, true, false, false]);
    assert_eq!(rated(&[[0, 1], [2, 3]]), [false; 4]);
    assert_eq!(rated(&[[0, 1], [1, 2], [2, 3]]), [true; 4]);
}

#[test]
fn ties_do_not_bias_the_ratings() {
    let strengths = [1.0, 0.2, -0.2, -1.0];
    for (seats, tie) in [(2, 0.0), (2, 0.5), (2, 4.0), (3, 0.5)] {
        let hill = idle_hill(4, FormatName::Duel, Some(seats), 12_000);
        let mut uniform = Uniform(7);
        let document = document_of(&hill, all_games(&hill), |fixture| {
            winners(&mut uniform, &strengths, tie, &fixture.seats)
        });
        check_estimates(&document);
        let ratings = document.standings.iter().map(|row| row.rating.unwrap());
        let middle = ratings.sum::<f64>() / 4.0;
        for (name, strength) in ["A", "B", "C", "D"].into_iter().zip(strengths) {
            let found = row(&document, name);
            let error = found.rating.unwrap() - middle - ELO_PER_LOGIT * strength;
            let width = found.rating_ci95.unwrap().half_width();
            assert!(
                error.abs() < 2.0 * width && width < 12.0,
                "{name} {seats} {tie}: {error} {width}"
            );
        }
    }
}

#[test]
fn champions_are_best_as_often_as_their_probability_says() {
    let (mut claimed, mut right, mut runs) = (0.0, 0, 0);
    let mut uniform = Uniform(11);
    for _ in 0..400 {
        let strengths: Vec<f64> = (0..3).map(|_| 3.0 * (uniform.next() - 0.5)).collect();
        let best = (0..3).max_by(|a, b| strengths[*a].total_cmp(&strengths[*b])).unwrap();
        let hill = idle_hill(3, FormatName::Duel, None, 40);
        let document = document_of(&hill, all_games(&hill), |fixture| {
            winners(&mut uniform, &strengths, 0.1, &fixture.seats)
        });
        if let Some(champion) = &document.champion {
            claimed += document.champion_sure.unwrap();
            right += usize::from(champion == ["A", "B", "C"][best]);
            runs += 1;
        }
    }
    let (claimed, right) = (claimed / f64::from(runs), right as f64 / f64::from(runs));
    assert!(
        runs > 300 && (claimed - right).abs() < 0.07,
        "claimed {claimed}, right {right} of {runs}"
    );
}

/// Two samples of four games with the same seats in turn: the points of A, B, C and D are 4, 0, 2, 1, and then 0, 4, 2, 1.
#[test]
fn after_fewer_games_than_entrants_all_may_still_be_the_best() {
    let hill = idle_hill(4, FormatName::Duel, Some(4), 8);
    let mut game = 0;
    let document = document_of(&hill, all_games(&hill), |fixture| {
        let (ahead, round) = (game / 4, game % 4);
        game += 1;
        let won = |id: &EntrantId| match id.index() {
            2 => round < 2,
            3 => round < 1,
            index => index == ahead,
        };
        fixture.seats.iter().map(won).collect()
    });
    check_estimates(&document);
    assert_eq!(game, 8);
    let [a, b, c, d] = ["A", "B", "C", "D"].map(|name| row(&document, name).best.unwrap());
    assert!((a - b).abs() < 0.02, "{a} {b}");
    // C has as many points as A and B, always between theirs.
    assert!((0.15..0.4).contains(&c) && (0.05..c).contains(&d), "{c} {d}");
}

#[test]
fn a_sole_entrant_has_neither_rating_nor_probability() {
    let offender = || scripted::<Yahtzee>(|_, _| failure(Reason::IllegalMove));
    let document = play(&challenge(&vec![("A", offender()), ("B", offender())], 5), 1).document;
    check_estimates(&document);
    assert_eq!((&document.champion, &document.champion_sure), (&None, &None));
    assert!(document.standings.iter().all(|row| row.rating.is_none() && row.best.is_none()));
    assert!(document.standings.iter().all(|row| row.elo.is_none()));
    assert_eq!((document.differences, document.head_to_head), (vec![], vec![]));
}

fn yahtzee_bots() -> Bots<Yahtzee> {
    let sometimes = scripted::<Yahtzee>(|turn, view| {
        if turn.start.seed % 3 > 0 { fill_best(view) } else { fill_worst(view) }
    });
    vec![("A", best_box()), ("B", sometimes), ("C", first_box()), ("D", best_box())]
}

fn liars_bots() -> Bots<LiarsDice> {
    ["A", "B", "C", "D", "E"].into_iter().zip([25, 45, 35, 40, 35].map(raiser)).collect()
}

/// Counts encounters and seats directly.
fn check_counts<G: Game>(hill: &Hill<G>, outcome: &Outcome<G>, scored: bool) {
    let mut pair_tallies: BTreeMap<(String, String), [u64; 3]> = BTreeMap::new();
    let mut seat_tallies: BTreeMap<(String, usize), [u64; 3]> = BTreeMap::new();
    for game in &outcome.games {
        let names = names_at(hill, game);
        for (seat, (name, of)) in names.iter().zip(&game.results).enumerate() {
            let tally = seat_tallies.entry(((*name).to_owned(), seat)).or_default();
            [1, u64::from(of.won), of.points].iter().zip(tally).for_each(|(add, to)| *to += add);
            for (other, of_other) in names.iter().zip(&game.results).filter(|(o, _)| *o != name) {
                let value = |result: &SeatResult| {
                    (result.points, if scored { result.figures[0] } else { 0 })
                };
                let place = match value(of).cmp(&value(of_other)) {
                    std::cmp::Ordering::Greater => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Less => 2,
                };
                pair_tallies.entry(((*name).to_owned(), (*other).to_owned())).or_default()
                    [place] += 1;
            }
        }
    }
    let document = &outcome.document;
    assert_eq!(document.head_to_head.len() * 2, pair_tallies.len());
    for pair in &document.head_to_head {
        let expected = pair_tallies[&(pair.bot.clone(), pair.other.clone())];
        assert_eq!([pair.ahead, pair.level, pair.behind], expected, "{pair:?}");
        assert_eq!(pair.games, expected.iter().sum::<u64>());
        let place = |name: &str| document.standings.iter().position(|row| row.bot == name);
        assert!(place(&pair.bot) < place(&pair.other));
    }
    for row in &document.standings {
        for seat in &row.seats {
            let expected = seat_tallies
                .remove(&(row.bot.clone(), seat.seat))
                .expect("the entrant had this seat");
            assert_eq!([seat.games, seat.wins, seat.points], expected);
        }
    }
    assert!(seat_tallies.is_empty(), "{seat_tallies:?}");
}

#[test]
fn encounters_and_seats_are_counted_from_the_games() {
    for (format, seats) in [
        (FormatName::Challenge, None),
        (FormatName::Duel, Some(2)),
        (FormatName::Duel, Some(3)),
        (FormatName::Gauntlet, None),
    ] {
        let yahtzee = hill(HillDraft { format, seats, games: 31, ..draft(&yahtzee_bots()) });
        let outcome = play(&yahtzee, 2);
        check_estimates(&outcome.document);
        if outcome.document.extra_games == 0 {
            check_counts(&yahtzee, &outcome, true);
        }
        let liars = hill(HillDraft { format, seats, games: 31, ..draft(&liars_bots()) });
        let outcome = play(&liars, 2);
        check_estimates(&outcome.document);
        check_counts(&liars, &outcome, false);
    }
}

#[test]
fn a_difference_is_that_of_the_mean_points() {
    let hill = hill(HillDraft { format: FormatName::Duel, games: 60, ..draft(&liars_bots()) });
    let outcome = play(&hill, 2);
    let document = &outcome.document;
    assert_eq!(document.differences.len(), 4);
    for (difference, rows) in document.differences.iter().zip(document.standings.windows(2)) {
        assert_eq!([&difference.bot, &difference.next], [&rows[0].bot, &rows[1].bot]);
        let points = |row: &Standing| row.points as f64 / row.games as f64;
        let expected = points(&rows[0]) - points(&rows[1]);
        assert!((difference.points_per_game - expected).abs() < 1e-9, "{difference:?}");
        // The two share no letter exactly if the interval of the difference excludes 0.
        let shares = rows[0].mark.chars().any(|letter| rows[1].mark.contains(letter));
        assert_eq!(shares, difference.ci95.low <= 0.0, "{difference:?} {rows:?}");
    }
}

/// The probability that the interval of a difference holds it, of a challenge for two of whose games A wins each with
/// the probability `chance`; and how often the two are wrongly told apart.
fn coverage_of_difference(games: i64, chance: f64) -> (f64, f64) {
    let (truth, mut covered, mut apart) = (2.0 * chance - 1.0, 0.0, 0.0);
    let mut probability = (1.0 - chance).powi(games as i32);
    for wins in 0..=games as u64 {
        let hill = idle_hill(2, FormatName::Challenge, None, games);
        let document = document_of(&hill, 1..=games as u64, |fixture| {
            let a_wins = fixture.game <= wins;
            fixture.seats.iter().map(|id| (id.index() == 0) == a_wins).collect()
        });
        let difference = &document.differences[0];
        let lead = if difference.bot == "A" { truth } else { -truth };
        if difference.ci95.low <= lead && lead <= difference.ci95.high {
            covered += probability;
        }
        if document.standings[0].mark != document.standings[1].mark {
            apart += probability;
        }
        probability *= (games as u64 - wins) as f64 / (wins + 1) as f64 * chance / (1.0 - chance);
    }
    (covered, apart)
}

#[test]
fn a_difference_after_a_few_games_has_an_honest_interval() {
    for games in [5, 10, 30] {
        for chance in [0.5, 0.7, 0.9, 0.98] {
            let (covered, apart) = coverage_of_difference(games, chance);
            assert!(covered > 0.93, "{games} games, {chance}: {covered}");
            assert!(chance != 0.5 || apart < 0.065, "{games} games: {apart}");
        }
    }
}

#[test]
fn ratings_at_tables_of_three_are_in_the_order_of_win_rates() {
    let hill = hill(HillDraft {
        format: FormatName::Duel,
        seats: Some(3),
        games: 90,
        ..draft(&liars_bots())
    });
    let document = play(&hill, 2).document;
    let mut rows: Vec<_> = document.standings.iter().collect();
    rows.sort_by_key(|row| row.wins);
    assert!(rows.is_sorted_by(|a, b| a.rating.unwrap() < b.rating.unwrap() + 1e-6), "{rows:?}");
    assert!(document.champion_sure.is_some_and(|sure| sure > 0.2));
}

#[test]
fn documents_of_sets_say_that_games_are_dependent() {
    let bots = liars_bots();
    let draft = HillDraft { memory: Memory::Set, ..draft(&bots) };
    assert!(play(&hill(draft), 1).document.dependent);
    assert!(!play(&challenge(&bots, 20), 1).document.dependent);
}

#[test]
fn a_gauntlet_gives_the_probability_of_the_highest_rating() {
    let hill = hill(HillDraft { format: FormatName::Gauntlet, games: 60, ..draft(&liars_bots()) });
    let document = play(&hill, 2).document;
    check_estimates(&document);
    assert_eq!((document.champion, document.champion_sure), (None, None));
    assert_eq!(document.differences, []);
    assert!(document.standings.iter().all(|row| row.best.is_some()));
    assert_eq!(id_of(&hill, "E"), hill.challenger(&hill.ids().collect::<Vec<_>>()).unwrap());
}

#[test]
fn a_thousand_entrants_have_ratings_and_group_letters() {
    let names: Vec<String> = (0..1000).map(|number| format!("n{number}")).collect();
    let leaked = |name: &String| &*Box::leak(name.clone().into_boxed_str());
    let bots: Bots<Yahtzee> = names.iter().map(|name| (leaked(name), best_box())).collect();
    let hill = challenge(&bots, 40);
    let mut uniform = Uniform(5);
    let document = document_of(&hill, 1..=40, |fixture| {
        let winner = (uniform.next() * uniform.next() * 100.0) as usize;
        fixture.seats.iter().map(|id| id.index() == winner).collect()
    });
    check_estimates(&document);
    assert!(document.standings.iter().all(|row| !row.mark.is_empty() && row.rating.is_some()));
    assert_eq!((document.head_to_head.len(), document.differences.len()), (0, 999));
    assert!(document.standings.iter().all(|row| row.seats.is_empty()));
    assert!(document.standings.iter().all(|row| row.best.is_some()));
}
