//! A round with one die each as a game like any other, and a simple way to play it.

use dicehill_rules::Face;
use dicehill_solver::liars_dice::{Decision, History, Policy};

use super::extensive::{Kind, Play, State};

const BIDS: u8 = 12;

#[derive(Clone)]
pub struct OneDie {
    wild: u8,
    dice: Option<[u8; 2]>,
    bids: Vec<u8>,
    is_called: bool,
}

impl OneDie {
    pub const fn deal(wild: Face) -> Self {
        Self { wild: wild.pips() - 1, dice: None, bids: Vec::new(), is_called: false }
    }

    fn payoff(&self, dice: [u8; 2], bid: u8) -> f64 {
        let (claimed, face) = (usize::from(bid / 6) + 1, bid % 6);
        let counting = dice.iter().filter(|die| **die == face || **die == self.wild).count();
        let bidder = (self.bids.len() - 1) % 2;
        if (counting >= claimed) == (bidder == 0) { 1.0 } else { -1.0 }
    }
}

impl State for OneDie {
    fn kind(&self) -> Kind<Self> {
        let Some(dice) = self.dice else {
            let deals = (0..6).flat_map(|a| (0..6).map(move |b| [a, b]));
            let dealt = |dice| (1.0 / 36.0, Self { dice: Some(dice), ..self.clone() });
            return Kind::Chance(deals.map(dealt).collect());
        };
        if let (true, Some(bid)) = (self.is_called, self.bids.last()) {
            return Kind::End(self.payoff(dice, *bid));
        }
        let called = self.bids.last().map(|_| Self { is_called: true, ..self.clone() });
        let first = self.bids.last().map_or(0, |bid| bid + 1);
        let bid = |bid| {
            let mut next = self.clone();
            next.bids.push(bid);
            next
        };
        let actor = self.bids.len() % 2;
        let knowledge = format!("{} {:?}", dice[actor], self.bids);
        Kind::Choice(actor, knowledge, called.into_iter().chain((first..BIDS).map(bid)).collect())
    }
}

/// All choices as likely.
pub struct Even {
    bids: u8,
}

impl Even {
    pub const fn new(bids: u8) -> Self {
        Self { bids }
    }
}

impl Play for Even {
    fn chances(&self, _: &str, choices: usize) -> Vec<f64> {
        vec![1.0 / choices as f64; choices]
    }
}

impl Policy for Even {
    fn decide(&self, history: History, decision: &mut Decision) {
        let last = history.last_number();
        let first = last.map_or(0, |bid| bid + 1);
        let choices = self.bids - first + u8::from(last.is_some());
        for hand in 0..6 {
            if last.is_some() {
                decision.set(hand, None, 1.0 / f64::from(choices));
            }
            for bid in first..self.bids {
                decision.set(hand, Some(bid), 1.0 / f64::from(choices));
            }
        }
    }
}
