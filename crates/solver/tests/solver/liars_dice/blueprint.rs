//! Blueprints come near what is certified, are the same each time, and survive being stored.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::Bid;
use dicehill_solver::liars_dice::{
    ActionProbabilities, Blueprint, Exploiter, Hands, History, Limits, Policy, ReadBlueprintError,
    Rehearsal, Round, Side, Tree, best_response,
};

fn rehearsed(starter: u8, responder: u8, iterations: u32) -> (Blueprint, f64) {
    let round = Round::new(starter, responder).expect("a round");
    let mut rehearsal = Rehearsal::new(round);
    let value = (0..iterations).fold(0.0, |_, _| rehearsal.learn());
    (rehearsal.blueprint(), value)
}

fn small() -> Blueprint {
    rehearsed(2, 3, 20).0
}

#[test]
fn it_comes_back_from_bytes() {
    let blueprint = small();
    assert_eq!(Blueprint::from_bytes(&blueprint.to_bytes()), Ok(blueprint));
}

#[test]
fn it_is_the_same_each_time() {
    assert_eq!(small().to_bytes(), small().to_bytes());
}

#[test]
fn damage_is_named() {
    let bytes = small().to_bytes();
    let damaged = |place: usize| {
        let mut bytes = bytes.clone();
        bytes[place] ^= 1;
        Blueprint::from_bytes(&bytes)
    };
    assert_eq!(damaged(0), Err(ReadBlueprintError::Kind));
    assert_eq!(damaged(8), Err(ReadBlueprintError::Version(0)));
    for place in 12..bytes.len() {
        let error = damaged(place).expect_err("a damaged blueprint");
        assert!(matches!(error, ReadBlueprintError::Checksum { .. }), "byte {place}: {error}");
    }
    for length in 0..bytes.len() {
        assert!(Blueprint::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
}

/// Whatever stands behind a right checksum, reading it ends, and all that is read can be played.
#[test]
fn any_code_is_read_or_refused() {
    let bytes = small().to_bytes();
    let mut word = 1u32;
    for _ in 0..200 {
        let mut bytes = bytes[..bytes.len() - 4].to_vec();
        for _ in 0..3 {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let place = 14 + (word >> 8) as usize % (bytes.len() - 14);
            bytes[place] = word as u8;
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        if let Ok(blueprint) = Blueprint::from_bytes(&bytes) {
            assert_eq!(Blueprint::from_bytes(&blueprint.to_bytes()), Ok(blueprint));
        }
    }
}

/// A blueprint as one player's policy: where it foresees nothing it calls, or begins with the lowest bid.
struct Played<'a>(&'a Blueprint, Side);

impl Policy for Played<'_> {
    fn decide(&self, history: History, decision: &mut ActionProbabilities) {
        let bids: Vec<Bid> = history.numbers().map(bid).collect();
        for hand in 0..Hands::of(self.0.round().dice(self.1)).count() {
            let choices = self.0.choices(self.1, &bids, hand);
            let sum: u32 = choices.iter().map(|(_, parts)| parts).sum();
            for (bid, parts) in &choices {
                let number = bid.map(|bid| (bid.value() - 7) as u8);
                decision.set(hand, number, f64::from(*parts) / f64::from(sum));
            }
            if choices.is_empty() {
                decision.set(hand, None, 1.0);
            }
        }
    }
}

/// The bid of a number.
fn bid(number: u8) -> Bid {
    let face = Face::ALL[usize::from(number % 6)];
    Bid::new(u32::from(number / 6) + 1, face).expect("a count above 0")
}

/// What the other gets more on average than it could against an equilibrium, if it answers each player as well as possible, is
/// shared between both.
fn exploitability(blueprint: &Blueprint) -> f64 {
    let tree = Tree::new(blueprint.round(), Limits::NONE);
    let gains = Side::BOTH.map(|side| best_response(&tree, side, &Played(blueprint, side)));
    f64::midpoint(gains[0], gains[1])
}

/// The same for answers that remember as little as the blueprint, and for players who remember all bids that are not too rare.
fn learnt_gains(blueprint: &Blueprint, steps: u32, least: f32) -> [f64; 2] {
    let mut exploiter = Exploiter::new(blueprint);
    exploiter.learn(steps);
    let answers = exploiter.answers();
    let recalled = Side::BOTH.map(|side| blueprint.recalled_payoff(side, &answers, least));
    let forgetful = f64::midpoint(answers.payoff(blueprint), -blueprint.payoff(&answers));
    [forgetful, f64::midpoint(recalled[0], recalled[1])]
}

/// An exploiter that remembers little gains no more than one that remembers all, which gains all that there is.
#[track_caller]
fn check_exploitability(dice: [u8; 2], iterations: u32, most: f64) {
    let (blueprint, _) = rehearsed(dice[0], dice[1], iterations);
    let exact = exploitability(&blueprint);
    let [forgetful, recalled] = learnt_gains(&blueprint, 20, 0.0);
    let [same, some] = learnt_gains(&blueprint, 20, 0.01);
    assert!((0.0..most).contains(&exact), "{dice:?}: {exact}");
    assert!((recalled - exact).abs() < 1e-6, "{dice:?}: {recalled}, not {exact}");
    assert!(forgetful <= some && some <= recalled, "{dice:?}: {forgetful}, {some}, {recalled}");
    assert!(forgetful >= 0.6 * exact && same == forgetful, "{dice:?}: {forgetful} of {exact}");
}

#[test]
fn nobody_gains_much_against_one_die() {
    check_exploitability([1, 1], 200, 0.09);
}

#[test]
fn nobody_gains_much_against_few_dice() {
    check_exploitability([1, 2], 100, 0.09);
}

#[test]
fn the_payoff_is_what_was_learnt() {
    let (blueprint, value) = rehearsed(2, 3, 100);
    let payoff = blueprint.payoff(&blueprint);
    assert!((payoff - value).abs() < 0.02, "{payoff}, and {value} in the last step");
}
