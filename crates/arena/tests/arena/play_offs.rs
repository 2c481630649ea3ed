//! Yahtzee's extra games: who plays them, what they count for, and where they end.

use std::collections::BTreeMap;

use dicehill_arena::HillDraft;
use dicehill_rules::yahtzee::Yahtzee;

use crate::support::{
    Cast, Outcome, draft, fill_worst, first_box, hill, names_at, play_with, player,
};

/// What a tie led to.
#[derive(Default)]
struct Seen {
    tied: usize,
    extra_games: usize,
    fewer_tied: usize,
    capped: usize,
}

/// Two or three bots that play alike.
fn mirror(players: usize) -> Cast<Yahtzee> {
    let worst = || player::<Yahtzee>(|_, view| fill_worst(view));
    let mut cast = vec![("C", worst()), ("B", worst()), ("A", worst())];
    cast.truncate(players);
    cast
}

fn outcome(cast: &Cast<Yahtzee>, games: i64, seed: u64, cap: u64) -> Outcome<Yahtzee> {
    let seed = format!("tie {seed}");
    let hill = hill(HillDraft { games, seed, ..draft(cast) });
    let outcome = play_with(&hill, 1, cap);
    assert_eq!(outcome.events, play_with(&hill, 2, cap).events);
    outcome
}

/// Adds up the games anew and sees to it that they are those of the rules.
fn check(cast: &Cast<Yahtzee>, games: i64, seed: u64, cap: u64, seen: &mut Seen) {
    let hill = hill(draft(cast));
    let told = outcome(cast, games, seed, cap);
    let everybody: Vec<_> = cast.iter().map(|(name, _)| *name).collect();
    let mut points: BTreeMap<&str, u64> = everybody.iter().map(|name| (*name, 0)).collect();
    let mut leaders = everybody.clone();
    for (number, record) in (1..).zip(&told.games) {
        assert_eq!((record.fixture.game, record.fixture.table), (number, number));
        let names = names_at(&hill, record);
        let mut sitting = names.clone();
        sitting.sort_by_key(|name| everybody.iter().position(|other| other == name));
        if number <= games as u64 {
            assert_eq!(sitting, everybody);
        } else {
            assert!(leaders.len() > 1, "game {number} was played without a tie");
            assert_eq!(sitting, leaders);
            seen.extra_games += 1;
            seen.fewer_tied += usize::from(leaders.len() < everybody.len());
        }
        let score = |seat: usize| record.results[seat].figures[0];
        let best = (0..names.len()).map(score).max();
        for (seat, name) in names.iter().enumerate() {
            *points.entry(name).or_default() += u64::from(Some(score(seat)) == best);
        }
        let most = points.values().max();
        leaders = everybody.iter().copied().filter(|name| points.get(name) == most).collect();
    }
    seen.tied += usize::from(told.games.len() > games as usize);
    check_document(&told, games as u64, cap, &leaders, seen);
    let without = outcome(cast, games, seed, 0);
    for row in &told.document.standings {
        assert_eq!(row.points, points[row.bot.as_str()]);
        let scheduled = without.row(&row.bot);
        assert_eq!((row.games, row.wins), (games as u64, scheduled.points));
        assert_eq!(row.figures, scheduled.figures);
        assert_eq!(row.win_rate_ci95, scheduled.win_rate_ci95);
    }
}

fn check_document(
    told: &Outcome<Yahtzee>,
    games: u64,
    cap: u64,
    leaders: &[&str],
    seen: &mut Seen,
) {
    let document = &told.document;
    assert_eq!((document.games, document.extra_games), (games, told.games.len() as u64 - games));
    if let [champion] = leaders {
        assert_eq!(document.champion.as_deref(), Some(*champion));
        assert!(document.tied.is_empty());
    } else {
        seen.capped += 1;
        assert_eq!(document.extra_games, cap);
        assert_eq!(document.champion, None);
        assert_eq!(document.tied, leaders);
    }
}

#[test]
fn two_tied_play_on_until_one_leads() {
    let mut seen = Seen::default();
    for seed in 0..60 {
        check(&mirror(2), 2, seed, 10_000, &mut seen);
    }
    assert!(seen.tied > 10 && seen.extra_games > seen.tied && seen.capped == 0);
}

#[test]
fn of_three_only_the_tied_play_on() {
    let mut seen = Seen::default();
    for seed in 0..120 {
        check(&mirror(3), 1 + seed as i64 % 3, seed, 10_000, &mut seen);
    }
    assert!(seen.fewer_tied > 5 && seen.extra_games > seen.fewer_tied && seen.capped == 0);
}

#[test]
fn the_cap_leaves_a_tie_without_a_champion() {
    for cap in 0..2 {
        let mut seen = Seen::default();
        for seed in 0..100 {
            check(&mirror(3), 3, seed, cap, &mut seen);
        }
        assert!(seen.capped > 0, "no tie was left at the cap of {cap} games");
    }
}

#[test]
fn one_that_leads_alone_plays_no_extra_game() {
    let cast = vec![("A", first_box()), ("B", player::<Yahtzee>(|_, view| fill_worst(view)))];
    let mut seen = Seen::default();
    check(&cast, 50, 1, 10_000, &mut seen);
    assert_eq!((seen.tied, seen.extra_games), (0, 0));
}
