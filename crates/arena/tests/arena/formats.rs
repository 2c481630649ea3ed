//! Pairings, tables and seats in each format.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use dicehill_arena::{FormatName, GameRecord, Hill, HillDraft, Program, TournamentGame};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Face, Game};

use crate::support::{
    Bots, Outcome, best_box, draft, fill_first, first_box, hill, names_at, play, raise_to, raiser,
    scripted,
};

const NAMES: [&str; 5] = ["A", "B", "C", "D", "E"];

fn yahtzee_bots(count: usize) -> Bots<Yahtzee> {
    let program = |index: usize| if index.is_multiple_of(2) { first_box() } else { best_box() };
    (0..count).map(|index| (NAMES[index], program(index))).collect()
}

fn liars_bots(count: usize) -> Bots<LiarsDice> {
    NAMES.into_iter().zip([20, 60, 30, 70, 40].map(raiser)).take(count).collect()
}

fn duel<G: TournamentGame>(bots: &Bots<G>, seats: Option<i64>, games: i64) -> Hill<G> {
    hill(HillDraft { format: FormatName::Duel, seats, games, ..draft(bots) })
}

fn gauntlet<G: TournamentGame>(bots: &Bots<G>, challenger: Option<&str>, games: i64) -> Hill<G> {
    let challenger = challenger.map(str::to_owned);
    hill(HillDraft { format: FormatName::Gauntlet, challenger, games, ..draft(bots) })
}

/// Checks that each of `pairings` plays `blocks` whole blocks, and no other entrants meet.
fn check<G: Game>(hill: &Hill<G>, pairings: &[&str], blocks: u64) -> Outcome<G> {
    let outcome = play(hill, 2);
    let seats = pairings[0].len();
    let games = blocks * seats as u64;
    assert_eq!(outcome.games.len() as u64, games * pairings.len() as u64);
    assert_eq!(outcome.document.games, games);
    let mut met: BTreeMap<String, u64> = BTreeMap::new();
    let mut tables = BTreeSet::new();
    for block in outcome.games.chunks(seats) {
        let first = names_at(hill, &block[0]);
        assert!(tables.insert(block[0].fixture.table), "a table is used in one block only");
        for (turned, game) in block.iter().enumerate() {
            let mut names = first.clone();
            names.rotate_left(turned);
            assert_eq!(names_at(hill, game), names, "entrants move up one seat per game");
            assert_eq!(game.fixture.table, block[0].fixture.table);
        }
        let mut pairing = first;
        pairing.sort_unstable();
        *met.entry(pairing.concat()).or_default() += 1;
    }
    let expected = pairings.iter().map(|pairing| ((*pairing).to_owned(), blocks));
    assert_eq!(met, expected.collect());
    let numbers = outcome.games.iter().map(|game| game.fixture.game);
    assert!(numbers.eq(1..=outcome.games.len() as u64));
    check_pairings(hill, &outcome, pairings, blocks);
    check_rows(hill, &outcome);
    outcome
}

/// The document lists every pairing with the results of its games.
fn check_pairings<G: Game>(hill: &Hill<G>, outcome: &Outcome<G>, pairings: &[&str], blocks: u64) {
    assert_eq!(outcome.document.pairings.len(), pairings.len());
    for (pairing_result, pairing) in outcome.document.pairings.iter().zip(pairings) {
        let names: Vec<_> =
            pairing_result.results.iter().map(|result| result.bot.as_str()).collect();
        assert_eq!(names.concat(), *pairing);
        assert_eq!(
            (pairing_result.blocks, pairing_result.games),
            (blocks, blocks * names.len() as u64)
        );
        for result in &pairing_result.results {
            let (mut points, mut wins) = (0, 0);
            for game in &outcome.games {
                let seated = names_at(hill, game);
                let own = seated.iter().position(|name| *name == result.bot);
                let own = own.filter(|_| seated.iter().all(|name| names.contains(name)));
                if let Some(seat) = own {
                    points += u128::from(game.results[seat].points);
                    wins += u128::from(game.results[seat].won);
                }
            }
            assert_eq!((result.points, result.wins), (points, wins), "{} in {pairing}", result.bot);
            assert_eq!(result.win_rate, Some(wins as f64 / pairing_result.games as f64));
        }
    }
}

/// An entrant's row is the sum of its pairings.
fn check_rows<G: Game>(hill: &Hill<G>, outcome: &Outcome<G>) {
    for id in hill.ids() {
        let row = outcome.row(hill.name_of(id));
        let pairing_results = outcome.document.pairings.iter();
        let own = pairing_results
            .flat_map(|pairing_result| &pairing_result.results)
            .filter(|result| result.bot == row.bot);
        let (points, wins) =
            own.fold((0, 0), |sum, result| (sum.0 + result.points, sum.1 + result.wins));
        assert_eq!((u128::from(row.points), u128::from(row.wins)), (points, wins));
    }
}

#[test]
fn a_duel_plays_every_pair_in_blocks_of_two() {
    let pairs = ["AB", "AC", "BC", "AD", "BD", "CD"];
    check(&duel(&yahtzee_bots(4), None, 6), &pairs, 3);
    check(&duel(&liars_bots(4), Some(2), 6), &pairs, 3);
}

#[test]
fn a_duel_at_tables_of_three_plays_every_three_in_blocks_of_three() {
    let threes = ["ABC", "ABD", "ACD", "BCD", "ABE", "ACE", "BCE", "ADE", "BDE", "CDE"];
    check(&duel(&liars_bots(5), Some(3), 6), &threes, 2);
    check(&duel(&yahtzee_bots(3), Some(3), 3), &["ABC"], 1);
}

#[test]
fn games_are_rounded_up_to_whole_blocks() {
    for (seats, games, blocks) in [(2, 1, 1), (2, 2, 1), (2, 3, 2), (2, 7, 4)] {
        check(&duel(&yahtzee_bots(3), Some(seats), games), &["AB", "AC", "BC"], blocks);
    }
    for (games, blocks) in [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3)] {
        check(&duel(&liars_bots(4), Some(4), games), &["ABCD"], blocks);
    }
    check(&gauntlet(&liars_bots(3), None, 5), &["AC", "BC"], 3);
}

#[test]
fn a_gauntlet_plays_the_last_entrant_against_each_other() {
    let outcome = check(&gauntlet(&yahtzee_bots(4), None, 10), &["AD", "BD", "CD"], 5);
    assert_eq!(outcome.document.terms.challenger.as_deref(), Some("D"));
    assert_eq!((outcome.document.champion, outcome.document.tied.len()), (None, 0));
    assert_eq!(outcome.document.standings.len(), 4);
}

#[test]
fn a_gauntlet_may_name_its_challenger() {
    let outcome = check(&gauntlet(&yahtzee_bots(4), Some("B"), 10), &["AB", "BC", "BD"], 5);
    assert_eq!(outcome.document.terms.challenger.as_deref(), Some("B"));
    assert_eq!((outcome.document.champion, outcome.document.tied.len()), (None, 0));
    let of_two = check(&gauntlet(&liars_bots(2), Some("A"), 10), &["AB"], 5);
    assert_eq!(of_two.document.champion, None);
}

#[test]
fn a_duel_has_a_champion_or_a_tie_that_is_not_played_off() {
    let outcome = check(&duel(&liars_bots(3), None, 40), &["AB", "AC", "BC"], 20);
    let best = &outcome.document.standings[0];
    assert_eq!(outcome.document.champion.as_ref(), Some(&best.bot));
    assert!(outcome.document.standings[1].points < best.points);
    // One block of two equal bots is often a tie, and a duel has no play-offs.
    let mut tied = 0;
    for seed in 0..20 {
        let bots = vec![("A", first_box()), ("B", first_box())];
        let seed = format!("{seed}");
        let format = FormatName::Duel;
        let outcome = play(&hill(HillDraft { format, games: 2, seed, ..draft(&bots) }), 1);
        assert_eq!((outcome.games.len(), outcome.document.extra_games), (2, 0));
        if outcome.row("A").points == outcome.row("B").points {
            tied += 1;
            assert_eq!(outcome.document.champion, None);
            assert_eq!(outcome.document.tied, ["A", "B"]);
        }
    }
    assert!(tied > 3);
}

/// The first dice that each bot saw in each game.
type FirstDice = Arc<Mutex<BTreeMap<(u64, &'static str), Vec<Face>>>>;

fn yahtzee_watcher(seen: &FirstDice, name: &'static str) -> Arc<dyn Program<Yahtzee>> {
    let seen = Arc::clone(seen);
    scripted::<Yahtzee>(move |turn, view| {
        let mut seen = seen.lock().expect("no test panics while it writes");
        seen.entry((turn.start.game, name)).or_insert_with(|| view.dice.to_vec());
        fill_first(view)
    })
}

fn liars_watcher(seen: &FirstDice, name: &'static str) -> Arc<dyn Program<LiarsDice>> {
    let seen = Arc::clone(seen);
    scripted::<LiarsDice>(move |turn, view| {
        let mut seen = seen.lock().expect("no test panics while it writes");
        seen.entry((turn.start.game, name)).or_insert_with(|| view.dice.to_vec());
        raise_to(60, view)
    })
}

/// All games of a block have the same dice at the same seats, and no two blocks have the same dice. Each entrant has
/// each seat once per block, so it gets the dice of each seat once.
fn check_dice<G: Game>(hill: &Hill<G>, seen: &FirstDice) {
    let outcome = play(hill, 2);
    let seen = seen.lock().expect("no bot panics");
    let by_seat = |game: &GameRecord<G>| -> Vec<_> {
        let first = |name| seen[&(game.fixture.game, static_name(name))].clone();
        names_at(hill, game).into_iter().map(first).collect()
    };
    let mut of_blocks = BTreeSet::new();
    for block in outcome.games.chunks(outcome.games[0].fixture.seats.len()) {
        let of_games: BTreeSet<_> = block.iter().map(by_seat).collect();
        assert_eq!(of_games.len(), 1, "a seat has different dice in two games of a block");
        assert!(of_blocks.insert(of_games), "two blocks have the same dice");
    }
}

fn static_name(name: &str) -> &'static str {
    NAMES.into_iter().find(|other| *other == name).expect("one of the names")
}

#[test]
fn each_entrant_gets_the_dice_of_each_seat_once_per_block() {
    let seen = FirstDice::default();
    let bots: Bots<_> = NAMES.map(|name| (name, yahtzee_watcher(&seen, name))).into();
    check_dice(&duel(&bots, None, 4), &seen);
    seen.lock().unwrap().clear();
    check_dice(&duel(&bots, Some(4), 8), &seen);
    seen.lock().unwrap().clear();
    check_dice(&gauntlet(&bots, None, 6), &seen);
}

#[test]
fn each_entrant_gets_each_hand_once_per_block_of_liars_dice() {
    let seen = FirstDice::default();
    let bots: Bots<_> = NAMES.map(|name| (name, liars_watcher(&seen, name))).into();
    check_dice(&duel(&bots, None, 4), &seen);
}

#[test]
fn the_bots_seeds_differ_within_a_block() {
    let seeds = Arc::new(Mutex::new(BTreeSet::new()));
    let watcher = |seeds: &Arc<Mutex<BTreeSet<u64>>>| {
        let seeds = Arc::clone(seeds);
        scripted::<Yahtzee>(move |turn, view| {
            seeds.lock().expect("no test panics while it writes").insert(turn.start.seed);
            fill_first(view)
        })
    };
    let bots = vec![("A", watcher(&seeds)), ("B", watcher(&seeds))];
    let outcome = play(&duel(&bots, None, 10), 2);
    assert_eq!(seeds.lock().unwrap().len(), 2 * outcome.games.len());
}
