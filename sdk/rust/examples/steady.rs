//! The reference bot of all SDKs, for both games: simple rules, no memory, no randomness.

use dicehill_bot::{Bots, Hello, liars_dice, yahtzee};

/// A bot without memory.
pub(crate) struct Steady;

impl yahtzee::Bot for Steady {
    /// Keeps the most frequent face and fills the box with the highest score.
    fn turn(&mut self, turn: &yahtzee::Turn) -> yahtzee::Answer {
        let times = |face: u8| turn.dice.iter().filter(|&&die| die == face).count();
        // Ties go to the higher face: `max_by_key` returns the last maximum.
        let best = (1..=6).max_by_key(|&face| times(face)).unwrap_or(6);
        if turn.stage < 2 && times(best) < 5 {
            turn.keep_where(|die| die == best)
        } else {
            turn.fill(turn.legal.best())
        }
    }
}

impl liars_dice::Bot for Steady {
    /// Assumes that a third of the hidden dice count for each face, because ones are wild, and bids on its most frequent face.
    fn turn(&mut self, turn: &liars_dice::Turn) -> liars_dice::Answer {
        let shows = |face: u8| move |&&die: &&u8| die == face || (die == 1 && face > 1);
        let own = |face: u8| turn.dice.iter().filter(shows(face)).count() as u32;
        let best = (2..=6).max_by_key(|&face| own(face)).unwrap_or(6);
        let Some(last) = turn.last_bid() else { return turn.bid(own(best).max(1), best) };
        let believed = own(last.face) + turn.hidden_dice() / if last.face == 1 { 6 } else { 3 };
        if last.count > believed { turn.liar() } else { turn.lowest_bid(best).into() }
    }
}

fn main() {
    let steady = |_: &Hello| Steady;
    Bots::new().yahtzee(steady).liars_dice(steady).run()
}
