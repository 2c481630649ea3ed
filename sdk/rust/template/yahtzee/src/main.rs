use dicehill_bot::Bots;
use dicehill_bot::yahtzee::{Answer, Bot, Category, Turn};

/// Every game has an object of its own; what a game has to remember is kept in fields.
struct Mine;

impl Bot for Mine {
    /// Called three times a round at most: after the first roll and after each keep.
    fn turn(&mut self, turn: &Turn) -> Answer {
        let gain = |&(category, score): &(Category, u32)| i64::from(score) - par(category);
        let (best, score) = turn.legal.iter().max_by_key(gain).expect("some category is legal");

        // At stage 2 a category must be named; a made straight, full house or Yahtzee is taken
        // earlier.
        use Category::{FullHouse, LargeStraight, SmallStraight, Yahtzee};
        let pattern = matches!(best, FullHouse | SmallStraight | LargeStraight | Yahtzee);
        if turn.stage == 2 || (pattern && score > 0) {
            return turn.fill(best);
        }

        // Otherwise keep the face that shows most often, the higher one of two.
        let often = |face: u8| turn.dice.iter().filter(|&&die| die == face).count();
        let face = (1..=6).max_by_key(|&face| often(face)).unwrap_or(6);
        turn.keep_where(|die| die == face)
    }
}

/// What a box usually brings. A score is worth what it lies above that.
fn par(category: Category) -> i64 {
    match category {
        Category::Aces => 2,
        Category::Twos => 5,
        Category::Threes => 8,
        Category::Fours => 12,
        Category::Fives => 15,
        Category::Sixes => 19,
        Category::ThreeOfAKind | Category::FullHouse | Category::Chance => 22,
        Category::FourOfAKind => 13,
        Category::SmallStraight => 29,
        Category::LargeStraight => 32,
        Category::Yahtzee => 16,
    }
}

fn bots() -> Bots {
    Bots::new().yahtzee(|_| Mine)
}

fn main() {
    bots().run()
}

#[cfg(test)]
mod tests {
    use super::bots;

    const POSITIONS: &str = include_str!("../positions.txt");

    #[test]
    fn every_answer_is_legal() {
        assert_eq!(bots().check_transcript(POSITIONS), Ok(vec![]));
    }

    #[test]
    fn a_large_straight_is_taken_at_once() {
        let steps = bots().play_transcript(POSITIONS).expect("positions.txt is a transcript");
        assert_eq!(steps[0].answer, "LARGE_STRAIGHT");
    }
}
