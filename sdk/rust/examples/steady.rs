//! The reference bot of all SDKs, for both games: plain rules, no memory, no chance.

use dicehill_bot::{Bots, Hello, liars_dice, yahtzee};

/// One object for a game, though it has nothing to remember.
pub(crate) struct Steady;

impl yahtzee::Bot for Steady {
    /// Keeps the most frequent face and fills the box that scores most.
    fn turn(&mut self, turn: &yahtzee::Turn) -> yahtzee::Answer {
        let often = |face: u8| turn.dice.iter().filter(|&&die| die == face).count();
        // Of equal ones `max_by_key` takes the last, the higher face.
        let best = (1..=6).max_by_key(|&face| often(face)).unwrap_or(6);
        if turn.stage < 2 && often(best) < 5 {
            turn.keep_where(|die| die == best)
        } else {
            turn.fill(turn.legal.best())
        }
    }
}

impl liars_dice::Bot for Steady {
    /// Believes a third of the hidden dice to show any face, ones being wild, and bids on its own
    /// best face.
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
