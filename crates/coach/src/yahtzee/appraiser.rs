//! Losses and luck of games for the arena.

use dicehill_arena::{Appraisal, Appraiser, Move};
use dicehill_rules::chance::TableDice;
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_solver::yahtzee::{Solution, Variant};

use super::PlayedTurn;

/// Appraises games of one variant of the rules by their exact solution.
pub struct YahtzeeAppraiser {
    solution: &'static Solution,
}

impl YahtzeeAppraiser {
    /// An appraiser that uses the shared solution of these rules.
    #[must_use]
    pub fn new(rules: YahtzeeRules) -> Self {
        Self { solution: Solution::shared(Variant::from(rules)) }
    }
}

impl Appraiser<Yahtzee> for YahtzeeAppraiser {
    fn start(&self) -> f64 {
        self.solution.start()
    }

    /// # Panics
    /// If the rules are not those that were solved.
    fn appraise(
        &self,
        rules: YahtzeeRules,
        dice: &TableDice,
        seats: usize,
        moves: &[Move<Yahtzee>],
    ) -> Vec<Appraisal> {
        assert_eq!(Variant::from(rules), self.solution.variant(), "the rules that were solved");
        let played = PlayedTurn::by_seat(rules, dice, seats, moves);
        let turns: Vec<_> = played.iter().flatten().filter_map(PlayedTurn::to_history).collect();
        let mut appraisals = self.solution.appraise(&turns).into_iter();
        let seat = |turns: &Vec<PlayedTurn>| {
            let whole = turns.iter().filter(|turn| turn.is_whole()).count();
            let (mut loss, mut variance) = (0.0, 0.0);
            for turn in appraisals.by_ref().take(whole) {
                loss += turn.losses.iter().sum::<f64>();
                variance += turn.variance;
            }
            Appraisal {
                loss: (loss * 1e6).round() as u64,
                variance: (variance * 1e3).round() as u64,
            }
        };
        played.iter().map(seat).collect()
    }
}
