//! The losses of a turn's decisions and the luck of its dice.

use dicehill_rules::yahtzee::{Action, Roll};
use dicehill_solver::yahtzee::{Hand, Position, RollValues, Solution, Turn};

use super::{Choice, Decision, DecisionKind, PlayedTurn};

/// Value differences up to this are rounding.
const TOLERANCE: f64 = 1e-9;

/// A turn with the losses of its decisions.
///
/// Value of the position before the turn + `luck` - losses = score of the turn + value of the
/// position after it.
#[derive(Clone, Debug, PartialEq)]
pub struct AppraisedTurn {
    /// 1 to 13.
    pub round: u32,
    /// The position before the turn.
    pub position: Position,
    /// Its decisions in order.
    pub steps: Vec<AppraisedDecision>,
    /// The sum over the rolls of the value after the roll minus its expectation, in points.
    pub luck: f64,
}

/// A decision and its loss.
///
/// Filling a box before the last roll counts as two decisions: keeping all five dice, and choosing
/// the box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppraisedDecision {
    /// The kind of the decision.
    pub kind: DecisionKind,
    /// 0 after the first roll to 2 after the last.
    pub stage: u8,
    /// The dice in the order shown.
    pub dice: Roll,
    /// The choice of the player.
    pub chosen: Choice,
    /// The best choice; `chosen` if no other is better.
    pub best: Choice,
    /// Points by which the best choice is worth more; 0 or at least a billionth.
    pub loss: f64,
}

impl AppraisedTurn {
    /// Appraises a turn by the solution of its rules.
    ///
    /// # Panics
    /// If the turn fills a box illegally.
    #[must_use]
    pub fn new(solution: &Solution, played: &PlayedTurn) -> Self {
        let position = Position::from_scorecard(&played.card);
        let rolls = solution.roll_values(position);
        let values = TurnValues { solution, position, turn: Turn::new(&rolls), rolls };
        let mut turn = Self { round: played.round, position, steps: Vec::new(), luck: 0.0 };
        let mut expected = values.turn.start();
        for decision in &played.decisions {
            turn.luck += values.best(decision) - expected;
            expected = values.appraise(decision, &mut turn.steps);
        }
        turn
    }

    /// Points lost by all decisions.
    #[must_use]
    pub fn loss(&self) -> f64 {
        self.steps.iter().map(|step| step.loss).sum()
    }
}

/// The values of all choices in a turn.
struct TurnValues<'a> {
    solution: &'a Solution,
    position: Position,
    rolls: RollValues,
    turn: Turn,
}

impl TurnValues<'_> {
    /// The value of the best choice with the dice of a decision.
    fn best(&self, decision: &Decision) -> f64 {
        match decision.stage {
            stage @ 0..2 => self.turn.best(stage, decision.hand()),
            _ => self.best_fill_value(decision.hand()),
        }
    }

    /// The value of five dice in their best box.
    fn best_fill_value(&self, hand: Hand) -> f64 {
        self.rolls[hand.roll_index().expect("five dice")]
    }

    /// Appends the decision to `steps`, and returns the value of its choice.
    fn appraise(&self, decision: &Decision, steps: &mut Vec<AppraisedDecision>) -> f64 {
        let Decision { stage, dice, action } = *decision;
        let hand = decision.hand();
        let chosen = Choice::from_action(action, &dice);
        let best = self.best(decision);
        let step = |kind, chosen, lost: f64, better: &dyn Fn() -> Choice| {
            let loss = if lost > TOLERANCE { lost } else { 0.0 };
            let best = if loss > 0.0 { better() } else { chosen };
            AppraisedDecision { kind, stage, dice, chosen, best, loss }
        };
        let kind = if stage == 0 { DecisionKind::FirstKeep } else { DecisionKind::SecondKeep };
        let best_keep = || Choice::Keep(self.turn.best_keep(stage, hand));
        if let Choice::Keep(kept) = chosen {
            let value = self.turn.keep(stage, kept);
            steps.push(step(kind, chosen, best - value, &best_keep));
            return value;
        }
        let best_fill_value = self.best_fill_value(hand);
        if stage < 2 {
            steps.push(step(kind, Choice::Keep(hand), best - best_fill_value, &best_keep));
        }
        let value = self.value(action, hand);
        let best_fill = || {
            let (category, _) = self.solution.best_fill(self.position, hand).expect("a free box");
            Choice::Fill(category)
        };
        steps.push(step(DecisionKind::Category, chosen, best_fill_value - value, &best_fill));
        value
    }

    fn value(&self, action: Action, hand: Hand) -> f64 {
        match action {
            Action::Keep(_) => unreachable!("a box is filled"),
            Action::Fill(category) => {
                let value = self.solution.fill(self.position, category, hand);
                value.expect("the rules allow to fill the box")
            }
        }
    }
}
