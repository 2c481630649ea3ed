//! What the decisions of a turn lost, and what luck its dice were.

use dicehill_rules::yahtzee::{Action, Roll};
use dicehill_solver::yahtzee::{Hand, Position, RollValues, Solution, Turn};

use super::{Choice, Decision, Kind, PlayedTurn};

/// Values as close as this are the same.
const SAME: f64 = 1e-9;

/// A turn with what its decisions lost.
///
/// The value of the position before the turn, plus `luck`, minus all losses, is what the turn scored plus the
/// value of the position after it.
#[derive(Clone, Debug, PartialEq)]
pub struct AppraisedTurn {
    /// 1 to 13.
    pub round: u32,
    /// The position before the turn.
    pub position: Position,
    /// Its decisions in order.
    pub steps: Vec<Step>,
    /// By how much the rolls were better than the mean roll, in points.
    pub luck: f64,
}

/// A decision with what it lost.
///
/// Whoever fills a box before the last roll decides twice: to keep all five dice, and where they go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// What is decided.
    pub kind: Kind,
    /// When: 0 after the first roll, 2 after the last.
    pub stage: u8,
    /// The dice in the order shown.
    pub dice: Roll,
    /// What the player did.
    pub chosen: Choice,
    /// What is best; what the player did if nothing is better.
    pub best: Choice,
    /// Points that the best is worth more; 0 or at least a billionth.
    pub loss: f64,
}

impl AppraisedTurn {
    /// Appraises a turn by a solution of the rules that it was played by.
    ///
    /// # Panics
    /// If a box is filled that the rules do not allow.
    #[must_use]
    pub fn new(solution: &Solution, played: &PlayedTurn) -> Self {
        let position = Position::of(&played.card);
        let rolls = solution.rolls(position);
        let scale = Scale { solution, position, turn: Turn::new(&rolls), rolls };
        let mut turn = Self { round: played.round, position, steps: Vec::new(), luck: 0.0 };
        let mut expected = scale.turn.start();
        for decision in &played.decisions {
            turn.luck += scale.best(decision) - expected;
            expected = scale.take(decision, &mut turn.steps);
        }
        turn
    }

    /// Points that all decisions lost.
    #[must_use]
    pub fn loss(&self) -> f64 {
        self.steps.iter().map(|step| step.loss).sum()
    }
}

/// What everything in a turn is worth.
struct Scale<'a> {
    solution: &'a Solution,
    position: Position,
    rolls: RollValues,
    turn: Turn,
}

impl Scale<'_> {
    /// What the dice of a decision are worth to whoever decides best.
    fn best(&self, decision: &Decision) -> f64 {
        match decision.stage {
            stage @ 0..2 => self.turn.best(stage, decision.hand()),
            _ => self.filled(decision.hand()),
        }
    }

    /// What five dice are worth in their best box.
    fn filled(&self, hand: Hand) -> f64 {
        self.rolls[hand.roll_index().expect("five dice")]
    }

    /// Notes what is decided, and says what it is worth.
    fn take(&self, decision: &Decision, steps: &mut Vec<Step>) -> f64 {
        let Decision { stage, dice, action } = *decision;
        let hand = decision.hand();
        let chosen = Choice::of(action, &dice);
        let best = self.best(decision);
        let step = |kind, chosen, lost: f64, better: &dyn Fn() -> Choice| {
            let loss = if lost > SAME { lost } else { 0.0 };
            let best = if loss > 0.0 { better() } else { chosen };
            Step { kind, stage, dice, chosen, best, loss }
        };
        let kind = if stage == 0 { Kind::FirstKeep } else { Kind::SecondKeep };
        let best_keep = || Choice::Keep(self.turn.best_keep(stage, hand));
        if let Choice::Keep(kept) = chosen {
            let worth = self.turn.keep(stage, kept);
            steps.push(step(kind, chosen, best - worth, &best_keep));
            return worth;
        }
        let filled = self.filled(hand);
        if stage < 2 {
            steps.push(step(kind, Choice::Keep(hand), best - filled, &best_keep));
        }
        let worth = self.worth(action, hand);
        let best_fill = || {
            let (category, _) = self.solution.best_fill(self.position, hand).expect("a free box");
            Choice::Fill(category)
        };
        steps.push(step(Kind::Category, chosen, filled - worth, &best_fill));
        worth
    }

    fn worth(&self, action: Action, hand: Hand) -> f64 {
        match action {
            Action::Keep(_) => unreachable!("a box is filled"),
            Action::Fill(category) => {
                let worth = self.solution.fill(self.position, category, hand);
                worth.expect("the rules allow to fill the box")
            }
        }
    }
}
