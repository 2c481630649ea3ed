//! The qualification of a bot: rare positions, and games against opponents.

use std::sync::Arc;

use dicehill_arena::{Program, QualificationPlan, RareGame, qualify};
use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules};

/// Expects no findings in games against `opponents`, and more than `least` answers.
#[track_caller]
pub(crate) fn check_legality(
    rules: LiarsDiceRules,
    ours: &Arc<dyn Program<LiarsDice>>,
    opponents: &[Arc<dyn Program<LiarsDice>>],
    games: u64,
    least: u64,
) {
    let checked = qualify(&QualificationPlan {
        rules,
        program: ours,
        opponents,
        games,
        positions: &LiarsDice::rare_positions(rules),
        seed: "legality",
        show: &|view| format!("{view:?}"),
        patience: 0,
        progress: &|_| true,
    })
    .expect("a house bot starts");
    assert!(checked.findings.is_empty(), "{:?}", checked.findings.first());
    assert!(checked.answers > least, "{} answers", checked.answers);
}
