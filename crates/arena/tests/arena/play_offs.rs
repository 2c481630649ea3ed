//! Play-offs of Yahtzee: which entrants play them, what they count for, and where they end.

use std::collections::BTreeMap;

use dicehill_arena::HillDraft;
use dicehill_rules::yahtzee::Yahtzee;

use crate::support::{
    Bots, Outcome, draft, fill_worst, first_box, hill, names_at, play_with, scripted,
};

/// Runs with ties, and their play-off games.
#[derive(Default)]
struct PlayOffCounts {
    tied: usize,
    extra_games: usize,
    fewer_tied: usize,
    capped: usize,
}

/// Two or three equal bots.
fn equal_bots(players: usize) -> Bots<Yahtzee> {
    let worst = || scripted::<Yahtzee>(|_, view| fill_worst(view));
    let mut bots = vec![("C", worst()), ("B", worst()), ("A", worst())];
    bots.truncate(players);
    bots
}

fn play_tied(bots: &Bots<Yahtzee>, games: i64, seed: u64, cap: u64) -> Outcome<Yahtzee> {
    let seed = format!("tie {seed}");
    let hill = hill(HillDraft { games, seed, ..draft(bots) });
    let outcome = play_with(&hill, 1, cap);
    assert_eq!(outcome.events, play_with(&hill, 2, cap).events);
    outcome
}

/// Adds up the games and checks that ties are played off as the rules say.
fn check(bots: &Bots<Yahtzee>, games: i64, seed: u64, cap: u64, counts: &mut PlayOffCounts) {
    let hill = hill(draft(bots));
    let outcome = play_tied(bots, games, seed, cap);
    let all_names: Vec<_> = bots.iter().map(|(name, _)| *name).collect();
    let mut points: BTreeMap<&str, u64> = all_names.iter().map(|name| (*name, 0)).collect();
    let mut leaders = all_names.clone();
    for (number, record) in (1..).zip(&outcome.games) {
        assert_eq!((record.fixture.game, record.fixture.table), (number, number));
        let names = names_at(&hill, record);
        let mut playing = names.clone();
        playing.sort_by_key(|name| all_names.iter().position(|other| other == name));
        if number <= games as u64 {
            assert_eq!(playing, all_names);
        } else {
            assert!(leaders.len() > 1, "game {number} was played without a tie");
            assert_eq!(playing, leaders);
            counts.extra_games += 1;
            counts.fewer_tied += usize::from(leaders.len() < all_names.len());
        }
        let score = |seat: usize| record.results[seat].figures[0];
        let best = (0..names.len()).map(score).max();
        for (seat, name) in names.iter().enumerate() {
            *points.entry(name).or_default() += u64::from(Some(score(seat)) == best);
        }
        let most = points.values().max();
        leaders = all_names.iter().copied().filter(|name| points.get(name) == most).collect();
    }
    counts.tied += usize::from(outcome.games.len() > games as usize);
    check_document(&outcome, games as u64, cap, &leaders, counts);
    let without = play_tied(bots, games, seed, 0);
    for row in &outcome.document.standings {
        assert_eq!(row.points, points[row.bot.as_str()]);
        let scheduled = without.row(&row.bot);
        assert_eq!((row.games, row.wins), (games as u64, scheduled.points));
        assert_eq!(row.figures, scheduled.figures);
        assert_eq!(row.win_rate_ci95, scheduled.win_rate_ci95);
    }
}

fn check_document(
    outcome: &Outcome<Yahtzee>,
    games: u64,
    cap: u64,
    leaders: &[&str],
    counts: &mut PlayOffCounts,
) {
    let document = &outcome.document;
    assert_eq!((document.games, document.extra_games), (games, outcome.games.len() as u64 - games));
    if let [champion] = leaders {
        assert_eq!(document.champion.as_deref(), Some(*champion));
        assert!(document.tied.is_empty());
    } else {
        counts.capped += 1;
        assert_eq!(document.extra_games, cap);
        assert_eq!(document.champion, None);
        assert_eq!(document.tied, leaders);
    }
}

#[test]
fn two_tied_entrants_play_until_one_leads() {
    let mut counts = PlayOffCounts::default();
    for seed in 0..60 {
        check(&equal_bots(2), 2, seed, 10_000, &mut counts);
    }
    assert!(counts.tied > 10 && counts.extra_games > counts.tied && counts.capped == 0);
}

#[test]
fn only_tied_entrants_play_off() {
    let mut counts = PlayOffCounts::default();
    for seed in 0..120 {
        check(&equal_bots(3), 1 + seed as i64 % 3, seed, 10_000, &mut counts);
    }
    assert!(counts.fewer_tied > 5 && counts.extra_games > counts.fewer_tied && counts.capped == 0);
}

#[test]
fn the_cap_leaves_a_tie_without_a_champion() {
    for cap in 0..2 {
        let mut counts = PlayOffCounts::default();
        for seed in 0..100 {
            check(&equal_bots(3), 3, seed, cap, &mut counts);
        }
        assert!(counts.capped > 0, "no tie was left at the cap of {cap} games");
    }
}

#[test]
fn a_sole_leader_plays_no_play_off() {
    let bots = vec![("A", first_box()), ("B", scripted::<Yahtzee>(|_, view| fill_worst(view)))];
    let mut counts = PlayOffCounts::default();
    check(&bots, 50, 1, 10_000, &mut counts);
    assert_eq!((counts.tied, counts.extra_games), (0, 0));
}
