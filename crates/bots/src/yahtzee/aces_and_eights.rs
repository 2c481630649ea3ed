//! `aces-and-eights`, the winner of the challenge, with exactly its decisions.

use dicehill_arena::{Bot, Failure};
use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Action, Category, CategorySet, Keep, Roll, View, Yahtzee};

/// Keeps the dice of a pattern. Fills a box at once for a Yahtzee, a full house or a straight that it needs; after the last roll it fills
/// the box with the highest score.
pub(super) struct AcesAndEights;

impl Bot<Yahtzee> for AcesAndEights {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let (dice, free) = (&view.dice, view.card.free());
        let counts = dice.iter().map(|die| 1 << (4 * die.index())).sum();
        let decision = Decision { dice, counts, free, matching: Category::matching(dice) };
        Ok(decision.action(view.may_keep()))
    }
}

struct Decision<'a> {
    dice: &'a Roll,
    /// The number of dice that show each face, four bits per face.
    counts: u32,
    free: CategorySet,
    matching: CategorySet,
}

impl Decision<'_> {
    fn action(&self, may_keep: bool) -> Action {
        if self.matching.contains(Category::Yahtzee) {
            Action::Fill(self.box_for_yahtzee())
        } else if self.is_usable(Category::FullHouse) {
            Action::Fill(Category::FullHouse)
        } else if may_keep {
            self.pattern()
        } else {
            Action::Fill(self.best_scoring())
        }
    }

    fn is_usable(&self, category: Category) -> bool {
        self.matching.intersection(self.free).contains(category)
    }

    fn is_free(&self, category: Category) -> bool {
        self.free.contains(category)
    }

    /// The dice to keep, or a straight to fill at once.
    fn pattern(&self) -> Action {
        if self.matching.contains(Category::ThreeOfAKind) {
            return Action::Keep(self.keep_shown(|times| times >= 3));
        }
        if let Some(action) = self.straight() {
            return action;
        }
        let pairs = self.keep_shown(|times| times == 2);
        if self.is_free(Category::FullHouse) && pairs.count() == 4 {
            return Action::Keep(pairs);
        }
        Action::Keep(Keep::NONE)
    }

    fn straight(&self) -> Option<Action> {
        let (large, small) = (Category::LargeStraight, Category::SmallStraight);
        if !self.is_free(large) && !self.is_free(small) {
            None
        } else if self.is_usable(large) {
            Some(Action::Fill(large))
        } else if !self.matching.contains(small) {
            None
        } else if !self.is_free(large) {
            Some(Action::Fill(small))
        } else {
            Some(Action::Keep(self.keep_run_of_four()))
        }
    }

    /// Keeps the first die of each face of the run, ascending by face.
    fn keep_run_of_four(&self) -> Keep {
        let has = |pips: u8| self.dice.iter().any(|die| die.pips() == pips);
        let lowest = if has(1) && has(2) {
            1
        } else if has(2) && has(3) {
            2
        } else {
            3
        };
        let first = |pips: u8| self.dice.iter().position(|die| die.pips() == pips);
        let indexes = (lowest..lowest + 4).map(|pips| first(pips).expect("a run of four") as i64);
        Keep::new(indexes).expect("dice of four different faces")
    }

    /// Keeps the dice whose face is shown a wanted number of times.
    fn keep_shown(&self, wanted: impl Fn(u32) -> bool) -> Keep {
        Keep::filter(self.dice, |die| wanted(self.times(die)))
    }

    /// The score of the dice in a box, computed from the counts.
    fn score(&self, category: Category) -> u8 {
        match category.face() {
            Some(face) => self.times(face) as u8 * face.pips(),
            None if self.matching.contains(category) => category.score(self.dice),
            None => 0,
        }
    }

    /// The number of dice that show the face.
    const fn times(&self, face: Face) -> u32 {
        self.counts >> (4 * face.index()) & 0xf
    }

    fn best_scoring(&self) -> Category {
        let value = |category: &Category| (self.score(*category), priority(*category));
        self.free.iter().max_by_key(value).expect("a player to act has a free box")
    }

    /// The first free box of: the Yahtzee box, the box of the face, the lower box with the highest priority, the upper box with the lowest.
    fn box_for_yahtzee(&self) -> Category {
        let own = Category::upper(self.dice[0]);
        if self.is_free(Category::Yahtzee) {
            return Category::Yahtzee;
        }
        if self.is_free(own) {
            return own;
        }
        let lower = self.free.intersection(CategorySet::LOWER);
        lower
            .iter()
            .max_by_key(|category| priority(*category))
            .or_else(|| self.free.iter().min_by_key(|category| priority(*category)))
            .expect("a player to act has a free box")
    }
}

/// The tie-break between boxes, in the order of the card: the higher priority is filled first.
const PRIORITIES: [i8; 13] = [2, 3, 4, 5, 6, 7, 8, 9, 10, -2, -1, -3, 1];

const fn priority(category: Category) -> i8 {
    PRIORITIES[category.index()]
}
