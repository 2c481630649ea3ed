//! The qualification of a bot: rare positions, and games against opponents.

use std::sync::Arc;

use dicehill_arena::{
    BotName, Entrant, Hill, HillDraft, Program, QualificationPlan, RareGame, qualify,
};
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
    let programs = [ours].into_iter().chain(opponents).enumerate();
    let entrant = |(number, program): (usize, &Arc<dyn Program<LiarsDice>>)| {
        let name = BotName::new(&format!("bot {number}")).expect("a name");
        Entrant::new(name, Arc::clone(program))
    };
    let usual = HillDraft::challenge(programs.map(entrant).collect(), "legality");
    let hill = Hill::new(HillDraft { rules, ..usual }).expect("a hill that can be played");
    let checked = qualify(&QualificationPlan {
        hill: &hill,
        entrant: hill.ids().next().expect("the bot is the first"),
        stand_ins: opponents,
        games,
        positions: &LiarsDice::rare_positions(rules),
        time: None,
        patience: 0,
        progress: &|_| true,
    })
    .expect("a house bot starts");
    assert!(checked.findings.is_empty(), "{:?}", checked.findings.first());
    assert!(checked.answers > least, "{} answers", checked.answers);
}
