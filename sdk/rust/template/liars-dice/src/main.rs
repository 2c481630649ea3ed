use dicehill_bot::Bots;
use dicehill_bot::liars_dice::{Answer, Bot, Turn};

/// Every game has an object of its own; what a game has to remember is kept in fields.
struct Mine;

impl Bot for Mine {
    /// Called whenever it is this player's turn to bid or to call.
    fn turn(&mut self, turn: &Turn) -> Answer {
        // My own dice of a face, ones being wild, and a third of the dice that I cannot see.
        let own = |face: u8| {
            let shows = |die: &&u8| **die == face || (**die == 1 && face > 1);
            turn.dice.iter().filter(shows).count() as u32
        };
        let expected = |face: u8| own(face) + turn.hidden_dice() / if face == 1 { 6 } else { 3 };

        let best = (2..=6).max_by_key(|&face| own(face)).unwrap_or(6);
        let Some(last) = turn.last_bid() else {
            return turn.bid(own(best).max(1), best);
        };

        // Call a doubtful bid, unless a raise on my best face is to be believed.
        let raise = turn.lowest_bid(best);
        if last.count > expected(last.face) && raise.count > expected(best) {
            turn.liar()
        } else {
            raise.into()
        }
    }
}

fn bots() -> Bots {
    Bots::new().liars_dice(|_| Mine)
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
    fn an_absurd_bid_is_called() {
        let steps = bots().play_transcript(POSITIONS).expect("positions.txt is a transcript");
        assert_eq!(steps.last().expect("a turn").answer, "Liar!");
    }
}
