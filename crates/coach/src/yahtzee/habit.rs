//! Groups of similar mistakes.

use std::cmp::Ordering;
use std::fmt;

use dicehill_rules::yahtzee::{Category, CategorySet};
use dicehill_solver::yahtzee::{Hand, Position};

use super::pattern::commonest;
use super::{AppraisedDecision, Choice, DecisionKind, DiceKind, Pattern, Shape};

/// What similar mistakes have in common: one change of a bot may fix all of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Habit {
    /// The player filled another box than the best one.
    Fill {
        /// The box that was filled.
        chosen: Filling,
        /// The best box.
        best: Filling,
        /// The dice.
        dice: DiceKind,
    },
    /// The player kept other dice than the best ones.
    Keep {
        /// Whether the decision was after the second roll; else it was after the first.
        second: bool,
        /// The dice that were kept.
        kept: Pattern,
        /// The best dice to keep.
        best: Pattern,
        /// If both patterns are the same number of equal dice: the best face compared with the face
        /// that was kept.
        faces: Option<Ordering>,
    },
}

/// A box, and whether it scores.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Filling {
    /// The box.
    pub category: Category,
    /// Whether it scores 0.
    pub scratched: bool,
}

impl Habit {
    /// The habit of a mistake in a position.
    #[must_use]
    pub fn classify(step: &AppraisedDecision, position: Position) -> Option<Self> {
        let dice = Hand::from_roll(&step.dice);
        match (step.chosen, step.best) {
            (Choice::Fill(chosen), Choice::Fill(best)) => {
                let filling = |category| Filling::of(category, &step.dice, position);
                let dice = DiceKind::classify(dice);
                Some(Self::Fill { chosen: filling(chosen), best: filling(best), dice })
            }
            (Choice::Keep(kept), Choice::Keep(best)) => Some(Self::of_keeps(
                step.kind == DecisionKind::SecondKeep,
                kept,
                best,
                position.free(),
            )),
            (Choice::Fill(_), Choice::Keep(_)) | (Choice::Keep(_), Choice::Fill(_)) => None,
        }
    }

    fn of_keeps(second: bool, kept: Hand, best: Hand, free: CategorySet) -> Self {
        let patterns = [kept, best].map(|hand| Pattern::new(hand, free));
        let faces = commonest(kept).zip(commonest(best)).map(|(kept, best)| best.cmp(&kept));
        let [kept, best] = patterns;
        let comparable = kept == best && matches!(kept.shape, Shape::Alike { .. });
        Self::Keep { second, kept, best, faces: faces.filter(|_| comparable) }
    }

    /// The kind of decision.
    #[must_use]
    pub const fn kind(&self) -> DecisionKind {
        match self {
            Self::Fill { .. } => DecisionKind::Category,
            Self::Keep { second: false, .. } => DecisionKind::FirstKeep,
            Self::Keep { second: true, .. } => DecisionKind::SecondKeep,
        }
    }
}

impl Filling {
    fn of(category: Category, dice: &[dicehill_rules::Face; 5], position: Position) -> Self {
        let free = position.free();
        let joker = dice.iter().all(|die| *die == dice[0]) && !free.contains(Category::Yahtzee);
        let scores = category.matches(dice) || joker && category.is_lower();
        Self { category, scratched: !scores }
    }
}

/// The choice and the best choice: `filled CHANCE instead of ACES with two pairs`.
impl fmt::Display for Habit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fill { chosen, best, dice } => {
                let done = if chosen.scratched { "scratched" } else { "filled" };
                let instead = if best.scratched { "scratching " } else { "" };
                let (chosen, best) = (chosen.category, best.category);
                write!(f, "{done} {chosen} instead of {instead}{best} with {dice}")
            }
            Self::Keep { kept, best, faces, .. } => {
                if kept.shape == Shape::Nothing {
                    f.write_str("rolled all five dice")?;
                } else {
                    write!(f, "kept {kept}")?;
                }
                f.write_str(" instead of ")?;
                write_best(f, best, kept == best, *faces)
            }
        }
    }
}

fn write_best(
    f: &mut fmt::Formatter<'_>,
    best: &Pattern,
    same: bool,
    faces: Option<Ordering>,
) -> fmt::Result {
    match (best.shape, faces) {
        (Shape::Nothing, _) => f.write_str("rolling all five"),
        (_, Some(Ordering::Less)) => f.write_str("those of a lower face"),
        (_, Some(Ordering::Greater)) => f.write_str("those of a higher face"),
        _ if same => f.write_str("others such"),
        _ => f.write_str(best.to_string().trim_end_matches(',')),
    }
}
