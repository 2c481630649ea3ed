//! Our player for three seats and more: learns from the hands that are shown how each opponent plays.
//!
//! **What it believes.** Each opponent's hidden hand has the multinomial chances, times the likelihood of
//! its bids under how that opponent plays (`hand_belief`, exact). How it plays is a mean of the styles that were
//! learned from games whose hands are all known, each weighed by Bayes' rule with every hand of
//! the opponent that was shown, together with how it has answered bids so far (`evidence`).
//! **What it expects.** As `bayes` it looks one ply ahead: whether the next player calls depends on what that player holds, by the same
//! style. If it raises instead, the round ends as often in a die gained, or lost, as it did in training.
//! **What it does.** The action after which its chance to win the game is highest (`win_chance`, learned by self-play).
//!
//! Floating point is limited to the IEEE 754 operations that round alike on every machine, and to those of `libm`, which consist of
//! them.

pub(super) mod advice;
mod claim;
mod evidence;
mod factors;
mod hand_belief;
mod holdings;
mod memory;
mod odds;
mod outlook;
mod parameters;
mod situation;
mod stakes;
mod styles;
pub(super) mod training;
mod turn_taken;
mod win_chance;

use std::sync::Arc;

use dicehill_arena::{Bot, Failure, Finished, Start};
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use self::memory::Memory;
use self::outlook::{Outlook, Prospect};
use self::parameters::Parameters;
use self::situation::Situation;
use self::turn_taken::turns_of_round;

/// By how much an action has to be worth more to be taken before an earlier one.
const NOTICEABLE: f64 = 1e-9;

/// Takes the action that is worth most. Of actions worth the same it takes the first of: the call; the
/// bids on twos, ascending; those on threes; and so on to the sixes. It never bids on ones.
pub(super) struct Seer {
    parameters: Source,
    memory: Memory,
    /// What was expected of its last action.
    taken: Option<Prospect>,
}

/// Where its parameters are.
#[derive(Clone)]
enum Source {
    Shipped,
    Trained(Arc<Parameters>),
}

impl Source {
    fn get(&self) -> &Parameters {
        match self {
            Self::Shipped => Parameters::shipped(),
            Self::Trained(parameters) => parameters,
        }
    }
}

impl Default for Seer {
    fn default() -> Self {
        Self { parameters: Source::Shipped, memory: Memory::default(), taken: None }
    }
}

impl Seer {
    /// One that is being trained.
    fn with(parameters: Arc<Parameters>) -> Self {
        Self { parameters: Source::Trained(parameters), memory: Memory::default(), taken: None }
    }
}

impl Bot<LiarsDice> for Seer {
    fn start(&mut self, _start: &Start) {
        self.memory.begin_game();
    }

    fn reveal(&mut self, game: &LiarsDice, _action: &Action) {
        for (seat, turn) in turns_of_round(game) {
            self.memory.add(seat, turn);
        }
    }

    fn end(&mut self, finished: &Finished<'_, LiarsDice>) {
        self.memory.end_game(&finished.public.names);
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let parameters = self.parameters.get();
        let situation = Situation::of(view);
        for position in situation.others() {
            self.memory.meet(parameters, view.seats()[position], view.name(position));
        }
        let evidence = |position: usize| self.memory.evidence(view.seats()[position]);
        let prospects = Outlook::new(situation, parameters, evidence).prospects();
        let best = best(&prospects);
        self.taken = Some(*best);
        Ok(best.action)
    }
}

/// The first of those that are worth most.
fn best(prospects: &[Prospect]) -> &Prospect {
    let better = |best, next: &'_ _| {
        let (best, next): (&Prospect, &Prospect) = (best, next);
        next.value > best.value + NOTICEABLE
    };
    let first = prospects.first().expect("without a bid to call there is one to make");
    prospects.iter().fold(first, |best, next| if better(best, next) { next } else { best })
}
