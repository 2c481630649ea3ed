//! Ratings, chances, differences, encounters and seats: of games as they were played, and of games whose
//! results are made up.

use std::collections::BTreeMap;

use dicehill_arena::{
    EntrantId, Fixture, FormatName, Hill, HillDraft, Interval, Ledger, Memory, Reason,
    ResultDocument, Schedule, Standing,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game, SeatResult};

use crate::support::{
    Cast, Outcome, best_box, challenge, draft, failure, fill_best, fill_worst, first_box, hill,
    id_of, json, names_at, play, player, raiser,
};

/// Elo's points for each factor of e.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// A hill of so many bots that never play: their results are made up.
fn field(entrants: usize, format: FormatName, seats: Option<i64>, games: i64) -> Hill<Yahtzee> {
    const NAMES: [&str; 6] = ["A", "B", "C", "D", "E", "F"];
    let cast: Cast<Yahtzee> = NAMES[..entrants].iter().map(|name| (*name, best_box())).collect();
    hill(HillDraft { format, seats, games, ..draft(&cast) })
}

/// What somebody has to show who has won or not.
fn result(won: bool) -> SeatResult {
    let score = if won { 200 } else { 100 };
    SeatResult { points: u64::from(won), won, figures: [score, 0, 0, 0] }
}

/// The document of games with these winners, each given by the seats' entrants.
fn made_up<G: Game>(
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

fn all_games<G: Game>(hill: &Hill<G>) -> std::ops::RangeInclusive<u64> {
    let chance = Chance::new(hill.seed());
    1..=Schedule::new(hill, &chance, hill.ids().collect()).games()
}

fn row<'a>(document: &'a ResultDocument, name: &str) -> &'a Standing {
    document.standings.iter().find(|row| row.bot == name).expect("an entrant's row")
}

/// Numbers between 0 and 1, the same in every run.
struct Uniform(u64);

impl Uniform {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A set of winners as the Davidson-Luce model says, with this weight of ties of two.
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
    let mut left = total * uniform.next();
    let chosen = sets.iter().find(|(_, weight)| {
        left -= weight;
        left < 0.0
    });
    let (chosen, _) = chosen.unwrap_or(&sets[0]);
    (0..seats.len()).map(|seat| chosen.contains(&seat)).collect()
}

/// Expects every number to be one, and each estimate to lie in its interval.
#[track_caller]
fn sane(document: &ResultDocument) {
    let text = format!("{document:?}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    let holds = |estimate: Option<f64>, interval: Option<Interval>| {
        if let (Some(estimate), Some(Interval { low, high })) = (estimate, interval) {
            assert!(low <= estimate && estimate <= high, "{estimate} in {low} {high}: {text}");
        }
    };
    for row in &document.standings {
        holds(row.win_rate, row.win_rate_ci95);
        holds(row.rating, row.rating_ci95);
        row.seats.iter().for_each(|seat| holds(Some(seat.win_rate), seat.win_rate_ci95));
        assert!(row.best.is_none_or(|best| (0.0..=1.0).contains(&best)), "{text}");
    }
    for pair in &document.head_to_head {
        holds(pair.rate, pair.rate_ci95);
    }
    for difference in &document.differences {
        holds(Some(difference.points_per_game), Some(difference.ci95));
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
fn a_rating_is_the_logarithm_of_the_odds() {
    let hill = field(2, FormatName::Duel, None, 1000);
    // A wins nine games of ten.
    let document = made_up(&hill, 1..=1000, |fixture| {
        let a_wins = fixture.game % 10 > 0;
        fixture.seats.iter().map(|id| (id.index() == 0) == a_wins).collect()
    });
    sane(&document);
    let [a, b] = ["A", "B"].map(|name| row(&document, name));
    let difference = a.rating.unwrap() - b.rating.unwrap();
    assert!((difference - ELO * 9.0f64.ln()).abs() < 1.5, "{difference}");
    // The standard error of the logarithm of odds is 1 / sqrt(n p q).
    let half = a.rating_ci95.unwrap().half_width();
    let expected = 1.96 * ELO / 2.0 / (1000.0f64 * 0.09).sqrt();
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
        let hill = field(4, format, seats, 60);
        let length = hill.format().games_per_block();
        let blocks = all_games(&hill).end() / length;
        // What a game comes to depends on its number alone.
        let wins = |fixture: &Fixture| {
            let mut uniform = Uniform(fixture.game.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            uniform.next();
            winners(&mut uniform, &strengths, 0.3, &fixture.seats)
        };
        let games = |order: Vec<u64>| {
            order.into_iter().flat_map(move |block| block * length + 1..=(block + 1) * length)
        };
        let forward = made_up(&hill, games((0..blocks).collect()), wins);
        sane(&forward);
        assert!(forward.standings.iter().all(|row| row.rating_ci95.is_some()));
        let backward = made_up(&hill, games((0..blocks).rev().collect()), wins);
        assert_eq!(forward, backward);
        // No number of blocks here is a multiple of seven.
        let mixed = (0..blocks).map(|block| (7 * block) % blocks).collect();
        assert_eq!(forward, made_up(&hill, games(mixed), wins));
    }
}

#[test]
fn nothing_that_happens_makes_a_number_that_is_none() {
    type Course = fn(&Fixture) -> Vec<bool>;
    let courses: [Course; 5] = [
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
        let hill = field(entrants, format, seats, 60);
        for course in courses {
            for games in [0, 1, 2, 3, 6, 12, *all_games(&hill).end()] {
                let document = made_up(&hill, 1..=games, course);
                sane(&document);
                assert!(!json(&document).contains("null,null"));
            }
        }
    }
}

#[test]
fn who_wins_everything_is_rated_with_an_interval_that_is_open_upwards() {
    let hill = field(2, FormatName::Duel, None, 20);
    let document =
        made_up(&hill, 1..=20, |fixture| fixture.seats.iter().map(|id| id.index() == 0).collect());
    let a = row(&document, "A");
    let Interval { low, high } = a.rating_ci95.unwrap();
    // The odds may be as low as 20 to 3.7 (Clopper and Pearson), and as high as you like.
    assert!((20.0..400.0).contains(&low) && high > 400.0, "{low} {high}");
    assert!((0.97..=1.0).contains(&a.best.unwrap()), "{:?}", a.best);
    // Two games leave some doubt, one leaves all of it.
    let few = |games| {
        let hill = field(2, FormatName::Challenge, None, games);
        made_up(&hill, 1..=games as u64, |f| f.seats.iter().map(|id| id.index() == 0).collect())
    };
    assert!((0.8..0.99).contains(&few(2).champion_sure.unwrap()), "{:?}", few(2).champion_sure);
    assert_eq!((few(1).champion.as_deref(), few(1).champion_sure), (Some("A"), None));
}

#[test]
fn who_loses_everything_leaves_the_others_as_they_are() {
    let hill = field(3, FormatName::Duel, None, 200);
    let mut uniform = Uniform(3);
    let document = made_up(&hill, all_games(&hill), |fixture| {
        let c = fixture.seats.iter().position(|id| id.index() == 2);
        let first = c.map_or(uniform.next() < 0.5, |seat| seat == 1);
        vec![first, !first]
    });
    sane(&document);
    let width = |name| row(&document, name).rating_ci95.unwrap().half_width();
    assert!(width("A") < 40.0 && width("B") < 40.0 && width("C") > 200.0);
}

#[test]
fn those_who_never_met_are_not_rated() {
    let hill = field(4, FormatName::Duel, None, 2);
    let first = |fixture: &Fixture| [true, false].repeat(fixture.seats.len() / 2);
    let rated = |pairs: &[[usize; 2]]| {
        let meets = |game: &u64| {
            let chance = Chance::new(hill.seed());
            let seats = Schedule::new(&hill, &chance, hill.ids().collect()).fixture(*game).seats;
            let mut pair = [seats[0].index(), seats[1].index()];
            pair.sort_unstable();
            pairs.contains(&pair)
        };
        let document = made_up(&hill, all_games(&hill).filter(meets), first);
        sane(&document);
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
        let hill = field(4, FormatName::Duel, Some(seats), 12_000);
        let mut uniform = Uniform(7);
        let document = made_up(&hill, all_games(&hill), |fixture| {
            winners(&mut uniform, &strengths, tie, &fixture.seats)
        });
        sane(&document);
        let ratings = document.standings.iter().map(|row| row.rating.unwrap());
        let middle = ratings.sum::<f64>() / 4.0;
        for (name, strength) in ["A", "B", "C", "D"].into_iter().zip(strengths) {
            let found = row(&document, name);
            let off = found.rating.unwrap() - middle - ELO * strength;
            let width = found.rating_ci95.unwrap().half_width();
            assert!(off.abs() < 2.0 * width && width < 12.0, "{name} {seats} {tie}: {off} {width}");
        }
    }
}

#[test]
fn the_best_is_found_as_often_as_is_said() {
    let (mut said, mut right, mut runs) = (0.0, 0, 0);
    let mut uniform = Uniform(11);
    for _ in 0..400 {
        let strengths: Vec<f64> = (0..3).map(|_| 3.0 * (uniform.next() - 0.5)).collect();
        let best = (0..3).max_by(|a, b| strengths[*a].total_cmp(&strengths[*b])).unwrap();
        let hill = field(3, FormatName::Duel, None, 40);
        let document = made_up(&hill, all_games(&hill), |fixture| {
            winners(&mut uniform, &strengths, 0.1, &fixture.seats)
        });
        if let Some(champion) = &document.champion {
            said += document.champion_sure.unwrap();
            right += usize::from(champion == ["A", "B", "C"][best]);
            runs += 1;
        }
    }
    let (said, right) = (said / f64::from(runs), right as f64 / f64::from(runs));
    assert!(runs > 300 && (said - right).abs() < 0.07, "said {said}, right {right} of {runs}");
}

#[test]
fn who_is_left_alone_is_neither_rated_nor_sure() {
    let offender = || player::<Yahtzee>(|_, _| failure(Reason::IllegalMove));
    let document = play(&challenge(&vec![("A", offender()), ("B", offender())], 5), 1).document;
    sane(&document);
    assert!(document.champion.is_some() && document.champion_sure.is_none());
    assert!(document.standings.iter().all(|row| row.rating.is_none() && row.best.is_none()));
    assert_eq!((document.differences, document.head_to_head), (vec![], vec![]));
}

fn yahtzee_cast() -> Cast<Yahtzee> {
    let sometimes =
        player::<Yahtzee>(
            |turn, view| {
                if turn.start.seed % 3 > 0 { fill_best(view) } else { fill_worst(view) }
            },
        );
    vec![("A", best_box()), ("B", sometimes), ("C", first_box()), ("D", best_box())]
}

fn liars_cast() -> Cast<LiarsDice> {
    ["A", "B", "C", "D", "E"].into_iter().zip([25, 45, 35, 40, 35].map(raiser)).collect()
}

/// Encounters and seats, counted again.
fn check_counts<G: Game>(hill: &Hill<G>, outcome: &Outcome<G>, scored: bool) {
    let mut met: BTreeMap<(String, String), [u64; 3]> = BTreeMap::new();
    let mut sat: BTreeMap<(String, usize), [u64; 3]> = BTreeMap::new();
    for game in &outcome.games {
        let names = names_at(hill, game);
        for (seat, (name, of)) in names.iter().zip(&game.results).enumerate() {
            let tally = sat.entry(((*name).to_owned(), seat)).or_default();
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
                met.entry(((*name).to_owned(), (*other).to_owned())).or_default()[place] += 1;
            }
        }
    }
    let document = &outcome.document;
    assert_eq!(document.head_to_head.len() * 2, met.len());
    for pair in &document.head_to_head {
        let expected = met[&(pair.bot.clone(), pair.other.clone())];
        assert_eq!([pair.ahead, pair.level, pair.behind], expected, "{pair:?}");
        assert_eq!(pair.games, expected.iter().sum::<u64>());
        let place = |name: &str| document.standings.iter().position(|row| row.bot == name);
        assert!(place(&pair.bot) < place(&pair.other));
    }
    for row in &document.standings {
        for seat in &row.seats {
            let expected = sat.remove(&(row.bot.clone(), seat.seat)).expect("somebody sat there");
            assert_eq!([seat.games, seat.wins, seat.points], expected);
        }
    }
    assert!(sat.is_empty(), "{sat:?}");
}

#[test]
fn encounters_and_seats_are_those_of_the_games() {
    for (format, seats) in [
        (FormatName::Challenge, None),
        (FormatName::Duel, Some(2)),
        (FormatName::Duel, Some(3)),
        (FormatName::Gauntlet, None),
    ] {
        let yahtzee = hill(HillDraft { format, seats, games: 31, ..draft(&yahtzee_cast()) });
        let outcome = play(&yahtzee, 2);
        sane(&outcome.document);
        if outcome.document.extra_games == 0 {
            check_counts(&yahtzee, &outcome, true);
        }
        let liars = hill(HillDraft { format, seats, games: 31, ..draft(&liars_cast()) });
        let outcome = play(&liars, 2);
        sane(&outcome.document);
        check_counts(&liars, &outcome, false);
    }
}

#[test]
fn a_difference_is_that_of_the_points() {
    let hill = hill(HillDraft { format: FormatName::Duel, games: 60, ..draft(&liars_cast()) });
    let outcome = play(&hill, 2);
    let document = &outcome.document;
    assert_eq!(document.differences.len(), 4);
    for (difference, rows) in document.differences.iter().zip(document.standings.windows(2)) {
        assert_eq!([&difference.bot, &difference.next], [&rows[0].bot, &rows[1].bot]);
        let points = |row: &Standing| row.points as f64 / row.games as f64;
        let expected = points(&rows[0]) - points(&rows[1]);
        assert!((difference.points_per_game - expected).abs() < 1e-9, "{difference:?}");
        // Whose interval is clear of 0 has no letter in common with the other.
        let shares = rows[0].mark.chars().any(|letter| rows[1].mark.contains(letter));
        assert_eq!(shares, difference.ci95.low <= 0.0, "{difference:?} {rows:?}");
    }
}

#[test]
fn the_rating_of_a_game_with_others_is_in_the_order_of_the_win_rates() {
    let hill = hill(HillDraft {
        format: FormatName::Duel,
        seats: Some(3),
        games: 90,
        ..draft(&liars_cast())
    });
    let document = play(&hill, 2).document;
    let mut rows: Vec<_> = document.standings.iter().collect();
    rows.sort_by_key(|row| row.wins);
    assert!(rows.is_sorted_by(|a, b| a.rating.unwrap() < b.rating.unwrap() + 1e-6), "{rows:?}");
    assert!(document.champion_sure.is_some_and(|sure| sure > 0.2));
}

#[test]
fn games_of_bots_that_remember_are_dependent() {
    let cast = liars_cast();
    let draft = HillDraft { memory: Memory::Set, ..draft(&cast) };
    assert!(play(&hill(draft), 1).document.dependent);
    assert!(!play(&challenge(&cast, 20), 1).document.dependent);
}

#[test]
fn a_gauntlet_says_who_is_rated_highest() {
    let hill = hill(HillDraft { format: FormatName::Gauntlet, games: 60, ..draft(&liars_cast()) });
    let document = play(&hill, 2).document;
    sane(&document);
    assert_eq!((document.champion, document.champion_sure), (None, None));
    assert_eq!(document.differences, []);
    assert!(document.standings.iter().all(|row| row.best.is_some()));
    assert_eq!(id_of(&hill, "E"), hill.challenger(&hill.ids().collect::<Vec<_>>()).unwrap());
}

#[test]
fn a_large_field_is_rated_and_marked_too() {
    let names: Vec<String> = (0..1000).map(|number| format!("n{number}")).collect();
    let leaked = |name: &String| &*Box::leak(name.clone().into_boxed_str());
    let cast: Cast<Yahtzee> = names.iter().map(|name| (leaked(name), best_box())).collect();
    let hill = challenge(&cast, 40);
    let mut uniform = Uniform(5);
    let document = made_up(&hill, 1..=40, |fixture| {
        let winner = (uniform.next() * uniform.next() * 100.0) as usize;
        fixture.seats.iter().map(|id| id.index() == winner).collect()
    });
    sane(&document);
    assert!(document.standings.iter().all(|row| !row.mark.is_empty() && row.rating.is_some()));
    assert_eq!((document.head_to_head.len(), document.differences.len()), (0, 999));
    assert!(document.standings.iter().all(|row| row.seats.is_empty()));
    assert!(document.standings.iter().all(|row| row.best.is_some()));
}
