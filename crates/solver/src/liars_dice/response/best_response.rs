//! The best answer to a strategy: the judge of all others.

use crate::liars_dice::game::history::History;
use crate::liars_dice::game::round::Side;
use crate::liars_dice::kernels::showdown::settle_exactly;
use crate::liars_dice::response::action_probabilities::Decision;
use crate::liars_dice::response::policy::Policy;
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::public_state::Place;

/// What the best answer to `policy`, the play of `side`, gets on average in this tree, -1 to 1.
///
/// All is in double precision and in one order: every machine finds the same bits.
#[must_use]
pub fn best_response(tree: &Tree, side: Side, policy: &impl Policy) -> f64 {
    let (hands, others) = (tree.hands(side), tree.hands(side.other()));
    let mut reach = hands.chances().to_vec();
    reach.resize(hands.width(), 0.0);
    let mut values = vec![0.0; others.width()];
    let mut levels = Level::stack(tree, side);
    let response = Response { tree, side, policy };
    response.visit(Place::ROOT, History::NONE, &reach, &mut values, &mut levels);
    others.chances().iter().zip(&values).map(|(chance, value)| chance * value).sum()
}

struct Response<'a, P> {
    tree: &'a Tree,
    side: Side,
    policy: &'a P,
}

/// Room for the decision after some number of bids.
struct Level {
    decision: Decision,
    reach: Vec<f64>,
    values: Vec<f64>,
}

impl Level {
    fn stack(tree: &Tree, side: Side) -> Vec<Self> {
        let (width, others) = (tree.width(side), tree.width(side.other()));
        let level = |_| Self {
            decision: Decision::new(tree.round().bids(), width),
            reach: vec![0.0; width],
            values: vec![0.0; others],
        };
        (0..=tree.depth()).map(level).collect()
    }
}

impl<P: Policy> Response<'_, P> {
    /// Writes what each hand of the answering player gets.
    fn visit(
        &self,
        place: Place,
        history: History,
        reach: &[f64],
        values: &mut [f64],
        levels: &mut [Level],
    ) {
        let (level, levels) = levels.split_first_mut().expect("a level for each bid");
        if place.actor() == self.side {
            self.visit_policy(place, history, reach, values, level, levels);
        } else {
            self.visit_answer(place, history, reach, values, level, levels);
        }
    }

    fn visit_policy(
        &self,
        place: Place,
        history: History,
        reach: &[f64],
        values: &mut [f64],
        level: &mut Level,
        levels: &mut [Level],
    ) {
        let Level { decision, reach: after, values: of_choice } = level;
        decision.clear();
        self.policy.decide(history, decision);
        values.fill(0.0);
        let highest = self.tree.round().bids() - 1;
        for (step, chances) in decision.rows() {
            let products = reach.iter().zip(chances);
            after.iter_mut().zip(products).for_each(|(to, (reach, chance))| *to = reach * chance);
            if after.iter().all(|chance| *chance == 0.0) {
                continue;
            }
            match step {
                None => self.settle(place, false, after, of_choice),
                Some(step) if usize::from(step) == highest => {
                    self.settle(place.after(step), true, after, of_choice);
                }
                Some(step) => {
                    self.visit(place.after(step), history.with(step), after, of_choice, levels);
                }
            }
            values.iter_mut().zip(&*of_choice).for_each(|(to, value)| *to += value);
        }
    }

    fn visit_answer(
        &self,
        place: Place,
        history: History,
        reach: &[f64],
        values: &mut [f64],
        level: &mut Level,
        levels: &mut [Level],
    ) {
        let of_choice = &mut level.values;
        let choices = self.tree.choices(place);
        values.fill(f64::NEG_INFINITY);
        let mut consider = |of_choice: &[f64]| {
            values.iter_mut().zip(of_choice).for_each(|(to, value)| *to = to.max(*value));
        };
        if choices.may_call {
            self.settle(place, true, reach, of_choice);
            consider(of_choice);
        }
        for choice in &choices.bids {
            let next = place.after(choice.step);
            if choice.is_called {
                self.settle(next, false, reach, of_choice);
            } else {
                self.visit(next, history.with(choice.step), reach, of_choice, levels);
            }
            consider(of_choice);
        }
    }

    /// What the answering hands get from the call of the last bid, which the policy's player has made or not.
    fn settle(&self, place: Place, is_policys: bool, reach: &[f64], values: &mut [f64]) {
        let step = place.last.expect("only bids are called");
        let (own, others) = (self.tree.hands(self.side.other()), self.tree.hands(self.side));
        settle_exactly(step, !is_policys, own, others, reach, values);
    }
}
