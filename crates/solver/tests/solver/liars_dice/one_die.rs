//! A round with one die each for the reference solver, and simple strategies.

use dicehill_rules::Face;
use dicehill_solver::liars_dice::{ActionProbabilities, History, Policy};

use super::extensive::{InfosetPolicy, Kind, State};

const BIDS: u8 = 12;

#[derive(Clone)]
pub(crate) struct OneDie {
    wild: u8,
    dice: Option<[u8; 2]>,
    bids: Vec<u8>,
    is_called: bool,
}

impl OneDie {
    pub(crate) const fn deal(wild: Face) -> Self {
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
        let infoset = format!("{} {:?}", dice[actor], self.bids);
        Kind::Choice(actor, infoset, called.into_iter().chain((first..BIDS).map(bid)).collect())
    }
}

/// A strategy given by an integer, which `openspiel.py` also plays.
pub(crate) struct Weighted {
    number: u32,
}

impl Weighted {
    pub(crate) const fn new(number: u32) -> Self {
        Self { number }
    }

    /// The weight of an action; the call is action 12.
    fn weight(&self, face: u32, bids: &[u8], action: u8) -> f64 {
        if self.number == 0 {
            return 1.0;
        }
        let sum: u32 = bids.iter().copied().map(u32::from).sum();
        let mixed = self.number * face + 3 * sum + 5 * bids.len() as u32 + 11 * u32::from(action);
        f64::from(1 + mixed % 13)
    }

    /// The legal actions after these bids with their probabilities.
    fn actions(&self, face: u32, bids: &[u8]) -> Vec<(u8, f64)> {
        let first = bids.last().map_or(0, |bid| bid + 1);
        let call = bids.last().map(|_| BIDS);
        let actions = call.into_iter().chain(first..BIDS);
        let actions: Vec<_> = actions.map(|a| (a, self.weight(face, bids, a))).collect();
        let sum: f64 = actions.iter().map(|(_, weight)| weight).sum();
        actions.into_iter().map(|(action, weight)| (action, weight / sum)).collect()
    }
}

impl InfosetPolicy for Weighted {
    fn chances(&self, infoset: &str, _: usize) -> Vec<f64> {
        let (die, bids) = infoset.split_once(' ').expect("a die and bids");
        let face = die.parse::<u32>().expect("a face") + 1;
        let bids = bids.trim_matches(['[', ']']).split(", ").filter(|bid| !bid.is_empty());
        let bids: Vec<u8> = bids.map(|bid| bid.parse().expect("a bid")).collect();
        self.actions(face, &bids).into_iter().map(|(_, chance)| chance).collect()
    }
}

impl Policy for Weighted {
    fn decide(&self, history: History, decision: &mut ActionProbabilities) {
        let bids: Vec<u8> = history.bid_indices().collect();
        for hand in 0..6 {
            for (action, chance) in self.actions(hand + 1, &bids) {
                let bid = (action < BIDS).then_some(action);
                decision.set(hand as usize, bid, chance);
            }
        }
    }
}
