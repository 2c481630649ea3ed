//! The derivation of randomness: the published vectors, and statistical tests of fairness.
//!
//! `protocol/chance.py`, which shares no code with the crate, generates the vectors.

use std::collections::HashSet;
use std::hash::Hasher;

use dicehill_rules::{Chance, Dice, Face, Seat, SeedParts};
use serde::Deserialize;
use siphasher::sip::SipHasher24;

const VECTORS: &str = include_str!("../../../../protocol/chance-vectors.json");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors {
    schema: String,
    siphash: Vec<SipHashVector>,
    dice: Vec<DiceVector>,
    qualification_dice: Vec<DiceVector>,
    seed_hashes: Vec<SeedHashVector>,
    seat_keys: Vec<SeatKeyVector>,
    table_sizes: Vec<TableSizeVector>,
    bot_seeds: Vec<BotSeedVector>,
    game_ids: Vec<GameIdVector>,
}

#[derive(Deserialize, Debug)]
struct SipHashVector {
    key: String,
    message: String,
    word: String,
}

#[derive(Deserialize, Debug)]
struct DiceVector {
    seed: String,
    table: u64,
    seat: u16,
    round: u32,
    roll: u8,
    faces: Vec<u8>,
}

#[derive(Deserialize, Debug)]
struct SeedHashVector {
    seed: String,
    hash: String,
}

#[derive(Deserialize, Debug)]
struct SeatKeyVector {
    seed: String,
    game: u64,
    name: String,
    key: String,
}

#[derive(Deserialize, Debug)]
struct TableSizeVector {
    seed: String,
    game: u64,
    choices: u64,
    size: u64,
}

#[derive(Deserialize, Debug)]
struct BotSeedVector {
    seed: String,
    game: u64,
    name: String,
    bot_seed: String,
}

#[derive(Deserialize, Debug)]
struct GameIdVector {
    seed: String,
    game: u64,
    name: String,
    id: u64,
}

fn vectors() -> Vectors {
    serde_json::from_str(VECTORS).expect("the vectors have this form")
}

/// Checks each of `vectors`, which have to be at least `least`.
fn check_each<V>(vectors: &[V], least: usize, check: impl Fn(&V)) {
    assert!(vectors.len() >= least, "only {} vectors", vectors.len());
    vectors.iter().for_each(check);
}

fn hexadecimal(word: u64) -> String {
    format!("{word:016x}")
}

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let pairs = hexadecimal.as_bytes().chunks(2);
    let digit = |byte: &u8| char::from(*byte).to_digit(16).expect("a hexadecimal digit") as u8;
    pairs.map(|pair| 16 * digit(&pair[0]) + digit(&pair[1])).collect()
}

fn roll(chance: &Chance, table: u64, seat: u16, round: u32, roll: u8, count: usize) -> Vec<u8> {
    let mut faces = vec![Face::ONE; count];
    chance.table(table).roll(Seat::new(seat), round, roll, &mut faces);
    faces.into_iter().map(Face::pips).collect()
}

#[test]
fn vectors_have_this_version() {
    assert_eq!(vectors().schema, "dicehill.chance-vectors/1");
}

#[test]
fn words_match_siphash() {
    check_each(&vectors().siphash, 5, |vector| {
        let key = bytes(&vector.key).try_into().expect("16 bytes");
        let mut hasher = SipHasher24::new_with_key(&key);
        hasher.write(&bytes(&vector.message));
        assert_eq!(hexadecimal(hasher.finish()), vector.word, "{vector:?}");
    });
}

#[test]
fn dice_match_the_vectors() {
    check_each(&vectors().dice, 150, |vector| {
        let DiceVector { table, seat, round, roll: number, .. } = *vector;
        let chance = Chance::new(&vector.seed);
        let faces = roll(&chance, table, seat, round, number, vector.faces.len());
        assert_eq!(faces, vector.faces, "{vector:?}");
    });
}

#[test]
fn dice_of_qualification_match_the_vectors() {
    check_each(&vectors().qualification_dice, 40, |vector| {
        let DiceVector { table, seat, round, roll: number, .. } = *vector;
        let chance = Chance::of_qualification(&vector.seed);
        let faces = roll(&chance, table, seat, round, number, vector.faces.len());
        assert_eq!(faces, vector.faces, "{vector:?}");
    });
}

#[test]
fn hashes_of_seeds_match_the_vectors() {
    check_each(&vectors().seed_hashes, 10, |vector| {
        assert_eq!(SeedParts::hash(&vector.seed), vector.hash, "{vector:?}");
    });
}

#[test]
fn seats_and_sizes_follow_from_the_text_alone() {
    let seal = |secret| Chance::new(&SeedParts::seal("spring", secret));
    let (text, one, other) = (Chance::new("spring"), seal(1), seal(2));
    for game in 1..50 {
        let of_text = (text.seat_key(game, "A"), text.table_size(game, 3));
        for sealed in [&one, &other] {
            assert_eq!((sealed.seat_key(game, "A"), sealed.table_size(game, 3)), of_text);
            assert_ne!(sealed.bot_seed(game, "A"), text.bot_seed(game, "A"));
            assert_ne!(sealed.game_id(game, "A"), text.game_id(game, "A"));
        }
        let dice = |chance: &Chance| roll(chance, game, 0, 1, 0, 24);
        assert!(dice(&one) != dice(&other) && dice(&one) != dice(&text));
    }
}

#[test]
fn seat_keys_match_the_vectors() {
    check_each(&vectors().seat_keys, 200, |vector| {
        let key = Chance::new(&vector.seed).seat_key(vector.game, &vector.name);
        assert_eq!(hexadecimal(key), vector.key, "{vector:?}");
    });
}

#[test]
fn table_sizes_match_the_vectors() {
    check_each(&vectors().table_sizes, 150, |vector| {
        let size = Chance::new(&vector.seed).table_size(vector.game, vector.choices);
        assert_eq!(size, vector.size, "{vector:?}");
    });
}

#[test]
fn bot_seeds_match_the_vectors() {
    check_each(&vectors().bot_seeds, 200, |vector| {
        let seed = Chance::new(&vector.seed).bot_seed(vector.game, &vector.name);
        assert_eq!(hexadecimal(seed), vector.bot_seed, "{vector:?}");
    });
}

#[test]
fn game_ids_match_the_vectors() {
    check_each(&vectors().game_ids, 200, |vector| {
        let id = Chance::new(&vector.seed).game_id(vector.game, &vector.name);
        assert_eq!(id, vector.id, "{vector:?}");
    });
}

#[test]
fn a_roll_does_not_depend_on_the_number_of_dice() {
    let chance = Chance::new("prefix");
    for number in 0..3 {
        let all = roll(&chance, 5, 1, 9, number, 30);
        for count in 0..=30 {
            assert_eq!(roll(&chance, 5, 1, 9, number, count), all[..count]);
        }
    }
}

/// Twelve dice have 6^12 outcomes, so that a collision among 1,002 places would not be a coincidence.
#[test]
fn dice_differ_between_places() {
    let chance = Chance::new("places");
    let other = Chance::new("places ");
    let mut places = vec![roll(&chance, 1, 0, 1, 0, 12), roll(&other, 1, 0, 1, 0, 12)];
    places.extend((2..252).map(|table| roll(&chance, table, 0, 1, 0, 12)));
    places.extend((1..251).map(|seat| roll(&chance, 1, seat, 1, 0, 12)));
    places.extend((2..252).map(|round| roll(&chance, 1, 0, round, 0, 12)));
    places.extend((1..251).map(|number| roll(&chance, 1, 0, 1, number, 12)));
    let distinct: HashSet<_> = places.iter().collect();
    assert_eq!(distinct.len(), 1002);
}

/// The keys of the purposes differ, and so do seeds, games and names.
#[test]
fn words_differ_between_purposes_games_and_names() {
    let mut words = HashSet::new();
    for seed in ["", "a", "b"] {
        let chance = Chance::new(seed);
        for (game, name) in [(1, "A"), (1, "B"), (2, "A"), (1, ""), (1, "AA")] {
            words.insert(chance.seat_key(game, name));
            words.insert(chance.bot_seed(game, name));
            words.insert(chance.game_id(game, name));
            words.insert(chance.table_size(game, u64::MAX));
        }
    }
    assert_eq!(words.len(), 3 * (5 + 5 + 5 + 2));
}

/// Pearson's statistic against a uniform distribution, with `counts.len() - 1` degrees of freedom.
fn chi_square(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    counts.iter().map(|count| (*count as f64 - expected).powi(2) / expected).sum()
}

/// Five degrees of freedom: the probability of exceeding 30 is 1 in 68,000.
#[track_caller]
fn check_uniform_faces(counts: [u64; 6]) {
    let statistic = chi_square(&counts);
    assert!(statistic < 30.0, "{counts:?}: {statistic}");
}

/// 25 slots, which take three words, over 20,000 tables.
#[test]
fn faces_are_uniform_in_every_slot() {
    let chance = Chance::new("uniform");
    let mut counts = [[0; 6]; 25];
    for table in 0..20_000 {
        for (slot, pips) in roll(&chance, table, 0, 1, 0, 25).into_iter().enumerate() {
            counts[slot][usize::from(pips) - 1] += 1;
        }
    }
    counts.into_iter().for_each(check_uniform_faces);
}

/// All 36 pairs of faces, of adjacent slots and of the same slot in adjacent places.
#[test]
fn dice_are_independent_in_pairs() {
    let chance = Chance::new("pairs");
    let check = |pair: &dyn Fn(u64) -> [u8; 2]| {
        let mut counts = [0; 36];
        for table in 0..50_000 {
            let [first, second] = pair(table).map(|pips| usize::from(pips) - 1);
            counts[6 * first + second] += 1;
        }
        // 35 degrees of freedom: the probability of exceeding 83 is 1 in 100,000.
        assert!(chi_square(&counts) < 83.0, "{counts:?}");
    };
    let die = |table, seat, round, number| roll(&chance, table, seat, round, number, 1)[0];
    check(&|table| [0, 1].map(|slot| roll(&chance, table, 0, 1, 0, 2)[slot]));
    check(&|table| [11, 12].map(|slot| roll(&chance, table, 0, 1, 0, 13)[slot]));
    check(&|table| [die(table, 0, 1, 0), die(table + 1, 0, 1, 0)]);
    check(&|table| [die(table, 0, 1, 0), die(table, 1, 1, 0)]);
    check(&|table| [die(table, 0, 1, 0), die(table, 0, 2, 0)]);
    check(&|table| [die(table, 0, 1, 0), die(table, 0, 1, 1)]);
}

#[test]
fn table_sizes_are_uniform() {
    let chance = Chance::new("sizes");
    let mut counts = [0; 3];
    for game in 0..30_000 {
        counts[chance.table_size(game, 3) as usize] += 1;
    }
    // Two degrees of freedom: the probability of exceeding 23 is 1 in 100,000.
    assert!(chi_square(&counts) < 23.0, "{counts:?}");
}

/// Of 3 x 2^62 sizes, the first third would be chosen half of the time without rejection.
#[test]
fn words_that_would_bias_a_size_are_rejected() {
    let chance = Chance::new("again");
    let third = 1 << 62;
    let sizes = (0..1000).map(|game| chance.table_size(game, 3 * third));
    let mut counts = [0; 3];
    sizes.for_each(|size| counts[(size / third) as usize] += 1);
    // The bound is as above; without rejection the statistic would be 125.
    assert!(chi_square(&counts) < 23.0, "{counts:?}");
}

#[test]
fn the_only_size_is_chosen() {
    let chance = Chance::new("one");
    assert!((0..100).all(|game| chance.table_size(game, 1) == 0));
}

#[test]
#[should_panic(expected = "a choice needs something to choose from")]
fn a_choice_among_no_sizes_panics() {
    let _ = Chance::new("none").table_size(1, 0);
}
