//! A result is a function of the hill and the seed, and a change of either has no more effect than necessary.

use dicehill_arena::{Entrant, FormatName, HillDraft, Memory, TournamentGame, read_game_line};
use dicehill_bots::{HouseBot, liars_dice_bots, yahtzee_bots};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game};

use crate::house_run::{named, play};

const SEED: &str = "determinism";

fn yahtzee(games: i64) -> HillDraft<Yahtzee> {
    let entrants = yahtzee_bots().map(HouseBot::entrant).into();
    HillDraft { games, ..HillDraft::challenge(entrants, SEED) }
}

fn liars_dice(games: i64) -> HillDraft<LiarsDice> {
    let entrants = liars_dice_bots().map(HouseBot::entrant).into();
    HillDraft { games, ..HillDraft::challenge(entrants, SEED) }
}

/// Header, lines and document are the same on any number of threads, and in a second run.
fn check_threads<G: TournamentGame>(draft: impl Fn() -> HillDraft<G>) {
    let one = play(draft(), 1);
    assert!(!one.lines.is_empty());
    assert_eq!(one.others.len(), 2);
    for jobs in [1, 2, 8] {
        let rerun = play(draft(), jobs);
        assert!(rerun.lines == one.lines, "other lines on {jobs} threads");
        assert_eq!(rerun.others, one.others, "on {jobs} threads");
    }
}

#[test]
fn challenges_are_the_same_on_any_number_of_threads() {
    check_threads(|| yahtzee(150));
    check_threads(|| liars_dice(150));
}

#[test]
fn duels_and_gauntlets_are_the_same_on_any_number_of_threads() {
    for format in [FormatName::Duel, FormatName::Gauntlet] {
        check_threads(|| HillDraft { format, ..yahtzee(10) });
        check_threads(|| HillDraft { format, ..liars_dice(6) });
    }
    check_threads(|| HillDraft { format: FormatName::Duel, seats: Some(3), ..yahtzee(3) });
}

#[test]
fn sets_with_memory_are_the_same_on_any_number_of_threads() {
    check_threads(|| HillDraft { memory: Memory::Set, ..yahtzee(20) });
    check_threads(|| HillDraft { memory: Memory::Set, ..liars_dice(30) });
}

fn names<G: Game>(line: &str, seed: &str) -> Vec<String> {
    read_game_line::<G>(line, G::Rules::default(), &Chance::new(seed)).expect("a line").names
}

/// Four published bots, and a fifth at index `new_entrant` of the hill.
fn field(new_entrant: Option<usize>, name: &str) -> Vec<Entrant<LiarsDice>> {
    let mut entrants: Vec<_> = ["badnomial", "nobody", "pirate", "straight-shooter"]
        .map(|house| named(liars_dice_bots(), house, house))
        .into();
    if let Some(place) = new_entrant {
        entrants.insert(place, named(liars_dice_bots(), "random", name));
    }
    entrants
}

#[test]
fn a_new_entrant_changes_only_the_games_that_it_plays_in() {
    let before = play(HillDraft::challenge(field(None, ""), SEED), 2).lines;
    assert_eq!(before.len(), 1000);
    for place in [0, 2, 4] {
        let after = play(HillDraft::challenge(field(Some(place), "Newcomer"), SEED), 2).lines;
        let mut untouched = 0;
        for (before, after) in before.iter().zip(&after) {
            let plays = after.contains("\"Newcomer\"");
            untouched += usize::from(!plays);
            assert_eq!(before == after, !plays, "{before}\n{after}");
        }
        // Tables of three, four and five of five entrants.
        assert!((120..280).contains(&untouched), "{untouched} games without the new entrant");
    }
}

#[test]
fn another_seed_changes_every_game() {
    let other = |seed: &str| seed.to_owned() + "!";
    let draft = yahtzee(60);
    let seed = other(&draft.seed);
    let (one, two) = (play(draft, 2).lines, play(HillDraft { seed, ..yahtzee(60) }, 2).lines);
    assert!(one.iter().zip(&two).all(|(one, two)| one != two));
    let seatings = one
        .iter()
        .zip(&two)
        .filter(|(one, two)| names::<Yahtzee>(one, SEED) != names::<Yahtzee>(two, &other(SEED)));
    assert!(seatings.count() > 30);
    let draft = liars_dice(60);
    let seed = other(&draft.seed);
    let (one, two) = (play(draft, 2).lines, play(HillDraft { seed, ..liars_dice(60) }, 2).lines);
    assert!(one.iter().zip(&two).all(|(one, two)| one != two));
}

#[test]
fn another_name_changes_a_bots_seat_and_not_the_order_of_the_others() {
    let run = |name: &str| {
        let mut entrants: Vec<_> =
            ["A", "B", "C"].map(|name| named(yahtzee_bots(), "dummy", name)).into();
        entrants.push(named(yahtzee_bots(), "dummy", name));
        play(HillDraft { games: 200, ..HillDraft::challenge(entrants, SEED) }, 2).lines
    };
    let (one, two) = (run("Old"), run("New"));
    let mut moved = 0;
    for (one, two) in one.iter().take(200).zip(&two) {
        let (mut one, mut two) = (names::<Yahtzee>(one, SEED), names::<Yahtzee>(two, SEED));
        let place = |names: &[String], name| names.iter().position(|other| other == name);
        moved += usize::from(place(&one, "Old") != place(&two, "New"));
        one.retain(|name| name != "Old");
        two.retain(|name| name != "New");
        assert_eq!(one, two);
    }
    // The expected share is three quarters.
    assert!((120..180).contains(&moved), "{moved} of 200");
}
