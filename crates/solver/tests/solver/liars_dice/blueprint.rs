//! Blueprints are close to equilibrium, deterministic, and unchanged by encoding.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::Bid;
use dicehill_solver::liars_dice::{
    ActionProbabilities, Blueprint, BlueprintTrainer, Exploiter, Hands, History, Policy,
    ReadBlueprintError, Round, Side, Tree, TreeLimits, best_response,
};

fn train(starter: u8, responder: u8, iterations: u32) -> (Blueprint, f64) {
    let round = Round::new(starter, responder).expect("a round");
    let mut trainer = BlueprintTrainer::new(round);
    let value = (0..iterations).fold(0.0, |_, _| trainer.learn());
    (trainer.blueprint(), value)
}

fn small_blueprint() -> Blueprint {
    train(2, 3, 20).0
}

#[test]
fn blueprints_survive_encoding() {
    let blueprint = small_blueprint();
    assert_eq!(Blueprint::from_bytes(&blueprint.to_bytes()), Ok(blueprint));
}

#[test]
fn training_is_deterministic() {
    assert_eq!(small_blueprint().to_bytes(), small_blueprint().to_bytes());
}

#[test]
fn damage_is_detected() {
    let bytes = small_blueprint().to_bytes();
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

/// Behind a valid checksum, any bytes are either rejected or decode to a blueprint that can be
/// played.
#[test]
fn any_bytes_are_decoded_or_rejected() {
    let bytes = small_blueprint().to_bytes();
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

/// One side of a blueprint as a policy. Where the blueprint has no actions it calls, or makes the
/// lowest bid.
struct BlueprintPolicy<'a>(&'a Blueprint, Side);

impl Policy for BlueprintPolicy<'_> {
    fn decide(&self, history: History, decision: &mut ActionProbabilities) {
        let bids: Vec<Bid> = history.bid_indices().map(bid).collect();
        for hand in 0..Hands::new(self.0.round().dice(self.1)).count() {
            let choices = self.0.action_weights(self.1, &bids, hand);
            let sum: u32 = choices.iter().map(|(_, sixteenths)| sixteenths).sum();
            for (bid, sixteenths) in &choices {
                let number = bid.map(|bid| (bid.value() - 7) as u8);
                decision.set(hand, number, f64::from(*sixteenths) / f64::from(sum));
            }
            if choices.is_empty() {
                decision.set(hand, None, 1.0);
            }
        }
    }
}

/// The bid with this index.
fn bid(number: u8) -> Bid {
    let face = Face::ALL[usize::from(number % 6)];
    Bid::new(u32::from(number / 6) + 1, face).expect("a count above 0")
}

/// The mean of both players' gains from best responses.
fn exploitability(blueprint: &Blueprint) -> f64 {
    let tree = Tree::new(blueprint.round(), TreeLimits::NONE);
    let gains =
        Side::BOTH.map(|side| best_response(&tree, side, &BlueprintPolicy(blueprint, side)));
    f64::midpoint(gains[0], gains[1])
}

/// Lower bounds of the exploitability: by responses in the blueprint's abstraction, and by
/// responses with perfect recall of histories above `min_reach`.
fn response_gains(blueprint: &Blueprint, steps: u32, min_reach: f32) -> [f64; 2] {
    let mut exploiter = Exploiter::new(blueprint);
    exploiter.learn(steps);
    let responses = exploiter.responses();
    let perfect =
        Side::BOTH.map(|side| blueprint.perfect_recall_payoff(side, &responses, min_reach));
    let limited = f64::midpoint(responses.payoff(blueprint), -blueprint.payoff(&responses));
    [limited, f64::midpoint(perfect[0], perfect[1])]
}

/// A response with limited recall gains no more than one with perfect recall, which gains the exact
/// exploitability.
#[track_caller]
fn check_exploitability(dice: [u8; 2], iterations: u32, most: f64) {
    let (blueprint, _) = train(dice[0], dice[1], iterations);
    let exact = exploitability(&blueprint);
    let [limited, perfect] = response_gains(&blueprint, 20, 0.0);
    let [limited_again, partial] = response_gains(&blueprint, 20, 0.01);
    assert!((0.0..most).contains(&exact), "{dice:?}: {exact}");
    assert!((perfect - exact).abs() < 1e-6, "{dice:?}: {perfect}, not {exact}");
    assert!(limited <= partial && partial <= perfect, "{dice:?}: {limited}, {partial}, {perfect}");
    assert!(limited >= 0.6 * exact && limited_again == limited, "{dice:?}: {limited} of {exact}");
}

#[test]
fn exploitability_with_one_die_is_low() {
    check_exploitability([1, 1], 200, 0.09);
}

#[test]
fn exploitability_with_few_dice_is_low() {
    check_exploitability([1, 2], 100, 0.09);
}

#[test]
fn the_payoff_matches_training() {
    let (blueprint, value) = train(2, 3, 100);
    let payoff = blueprint.payoff(&blueprint);
    assert!((payoff - value).abs() < 0.02, "{payoff}, and {value} in the last step");
}
