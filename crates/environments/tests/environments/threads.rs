//! Results do not depend on the number of threads.

use std::num::NonZero;

use dicehill_environments::{EnvironmentGame, VectorOptions};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;

use crate::support::{Arrays, Caller};

fn play<G: EnvironmentGame>(options: VectorOptions<G>) -> Vec<Arrays> {
    let mut caller = Caller::new(options);
    let mut steps = Vec::new();
    for _ in 0..100 {
        caller.step(&caller.actions());
        steps.push(caller.arrays.clone());
    }
    steps
}

fn check<G: EnvironmentGame>(players: usize, opponents: &[&str]) {
    let opponents: Vec<_> = opponents.iter().map(|name| (*name).to_owned()).collect();
    let with = |threads| {
        let threads = NonZero::new(threads).expect("a thread");
        let options = VectorOptions::<G>::new(11, players, "threads");
        play(VectorOptions { threads, opponents: opponents.clone(), ..options })
    };
    let alone = with(1);
    assert!(alone.iter().any(|arrays| arrays.dones.contains(&1)), "games end");
    for threads in [2, 3, 11] {
        assert!(alone == with(threads), "{threads} threads");
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    check::<Yahtzee>(1, &[]);
    check::<Yahtzee>(2, &["random"]);
    check::<LiarsDice>(2, &[]);
    check::<LiarsDice>(3, &["honest", "bayes"]);
}
