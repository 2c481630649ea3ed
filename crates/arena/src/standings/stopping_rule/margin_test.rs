//! Whether one entrant is not worse than another by more than a margin: bets on the games that both win.

use crate::EloMargin;
use crate::statistics::TestMartingale;

/// Bets on the difference of two entrants' wins in each block: that the first is not worse than the second by more than a
/// margin, and that it is worse by more.
///
/// By the margin m the first would score `EloMargin::score`, that is win a - less games than the second on average, where a
/// depends on m. So the block's difference d plus a has a positive mean exactly if the first is not worse by more than m.
/// The two answers exclude each other: only one of the two bets can be on a falsehood, and no union bound is needed.
#[derive(Debug)]
pub(super) struct MarginTest {
    margin: EloMargin,
    /// Games of a block, which bound the difference of wins.
    games: f64,
    not_worse: TestMartingale,
    worse: TestMartingale,
    /// Wins of the first minus wins of the second, in the block so far.
    in_block: i64,
    /// The same in all blocks.
    in_all: i64,
    blocks: u64,
}

/// The answer to the question of a margin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MarginSide {
    NotWorse,
    Worse,
}

impl MarginTest {
    pub(super) const fn new(margin: EloMargin, games_per_block: u64) -> Self {
        Self {
            margin,
            games: games_per_block as f64,
            not_worse: TestMartingale::new(),
            worse: TestMartingale::new(),
            in_block: 0,
            in_all: 0,
            blocks: 0,
        }
    }

    pub(super) const fn margin(&self) -> EloMargin {
        self.margin
    }

    /// Adds a game of the block: whether each of the two has won it, alone or tied.
    pub(super) fn add_game(&mut self, first_won: bool, second_won: bool) {
        self.in_block += i64::from(first_won) - i64::from(second_won);
    }

    /// Ends the block.
    pub(super) fn complete_block(&mut self) {
        let allowed = self.games * (1.0 - 2.0 * self.margin.score());
        let gain = (self.in_block as f64 + allowed) / (self.games + allowed);
        self.not_worse.add(gain);
        self.worse.add(-gain);
        self.in_all += std::mem::take(&mut self.in_block);
        self.blocks += 1;
    }

    /// The answer that the wins suggest, and its e-value.
    pub(super) fn answer(&self) -> (MarginSide, f64) {
        let [not_worse, worse] = [self.not_worse.e_value(), self.worse.e_value()];
        if worse > not_worse {
            (MarginSide::Worse, worse)
        } else {
            (MarginSide::NotWorse, not_worse)
        }
    }

    /// The first entrant's score: the share of the games that it has won, where a tie counts one half.
    pub(super) fn score(&self) -> Option<f64> {
        let games = self.blocks as f64 * self.games;
        (self.blocks > 0).then(|| (1.0 + self.in_all as f64 / games) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use dicehill_rules::Chance;

    use super::*;

    /// The answers with an error of at most 5 % of 200 tests over blocks of two games, in which the first wins each game
    /// with this chance in 6000.
    fn answers(margin: f64, chance_in_6000: u64) -> [usize; 2] {
        let chance = Chance::new("margin");
        let mut found = [0; 2];
        for run in 0..200 {
            let mut test = MarginTest::new(EloMargin::new(margin).expect("a margin"), 2);
            for block in 0..2000 {
                for game in 0..2 {
                    let place = (run * 2000 + block) * 2 + game;
                    let won = chance.table_size(place, 6000) < chance_in_6000;
                    test.add_game(won, !won);
                }
                test.complete_block();
                let (side, e_value) = test.answer();
                if e_value >= 20.0 {
                    found[usize::from(side == MarginSide::Worse)] += 1;
                    break;
                }
            }
        }
        found
    }

    #[test]
    fn either_answer_is_wrong_at_most_as_often_as_it_may_be() {
        let threshold = EloMargin::new(50.0).expect("a margin").score() * 6000.0;
        let [not_worse, worse] =
            [answers(50.0, threshold as u64)[0], answers(50.0, threshold as u64 + 1)[1]];
        // 5 % of 200, and three standard deviations.
        assert!(not_worse <= 19 && worse <= 19, "{not_worse} {worse}");
    }

    #[test]
    fn equal_entrants_are_not_worse_and_much_weaker_ones_are() {
        assert_eq!(answers(50.0, 3000), [200, 0]);
        assert_eq!(answers(50.0, 2000), [0, 200]);
    }

    #[test]
    fn the_score_counts_ties_as_one_half() {
        let mut test = MarginTest::new(EloMargin::new(5.0).expect("a margin"), 2);
        assert_eq!(test.score(), None);
        test.add_game(true, true);
        test.add_game(true, false);
        test.complete_block();
        assert_eq!(test.score(), Some(0.75));
    }
}
