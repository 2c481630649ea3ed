//! What a player can know when it is to act, and what everything that it may do is worth.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, Odds};

/// By how much an action has to be worth more to be better.
const NOTICEABLE: f64 = 1e-9;

/// What the player to act can know of its position, without the order of its dice and the bids that were raised over.
///
/// Values are in dice, and rest on this model: hidden dice are fair and independent; the next player takes all dice but
/// its own for fair, and calls a bid if it is likelier to fall; a bid that it does not call is worth nothing. So the call of a
/// bid that holds with chance q is worth 1 - 2 q, and a bid 2 q - 1 in those hands of the next player in which it is called.
/// This is one ply of expectimax over dice, which are what a game is won by: in a fair game in which every round moves one die
/// the chance to win is one's share of them (the gambler's ruin; Feller, *An Introduction to Probability Theory and Its
/// Applications*, volume 1, chapter XIV).
///
/// What is best is found with care: that somebody might call a good bid in vain is counted for who made it, and never held
/// against who made another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Infoset {
    /// How many of the player's own dice show each face.
    shown: [u8; 6],
    /// Dice that others hold.
    hidden: u8,
    /// Those of them that the next player holds.
    next: u8,
    last: Option<Bid>,
}

impl Infoset {
    /// What somebody knows who holds the dice `own`, when others hold `hidden` dice, of which the next player holds `next`,
    /// and `last` is to be exceeded or called.
    ///
    /// `None` if no table has so many dice: one's own and the next player's are 1 or more each, and all are 25 at most.
    #[must_use]
    pub fn new(own: &[Face], hidden: u8, next: u8, last: Option<Bid>) -> Option<Self> {
        let all = own.len() + usize::from(hidden);
        let is_possible = !own.is_empty() && (1..=hidden).contains(&next) && all <= 25;
        let shown = Face::ALL.map(|face| own.iter().filter(|die| **die == face).count() as u8);
        is_possible.then_some(Self { shown, hidden, next, last })
    }

    /// What the player to act knows; `None` if the game is over.
    #[must_use]
    pub fn of(game: &LiarsDice) -> Option<Self> {
        let position = game.position_to_act()?;
        let dice = |position: usize| game.hands()[position].faces();
        let players = game.seats().len();
        let all: usize = (0..players).map(|position| dice(position).len()).sum();
        let own = dice(position);
        let next = dice((position + 1) % players).len() as u8;
        Self::new(own, (all - own.len()) as u8, next, game.bids().last().copied())
    }

    /// The bid that has to be exceeded or called; `None` for the round's first action.
    #[must_use]
    pub const fn last_bid(&self) -> Option<Bid> {
        self.last
    }

    /// The number of dice that others hold.
    #[must_use]
    pub fn hidden_dice(&self) -> u32 {
        self.hidden.into()
    }

    /// The player's own dice, ascending.
    pub fn own_dice(&self) -> impl Iterator<Item = Face> + '_ {
        let times = |(face, shown): (Face, &u8)| std::iter::repeat_n(face, usize::from(*shown));
        Face::ALL.into_iter().zip(&self.shown).flat_map(times)
    }

    /// The odds that a bid holds.
    #[must_use]
    pub fn odds(&self, bid: Bid) -> Odds {
        let needed = i64::from(bid.count()) - i64::from(self.held(bid.face()));
        Odds::of_face(bid.face(), self.hidden.into(), needed)
    }

    /// What an action is worth, in dice, -1 to 1; `None` for the call if there is no bid.
    #[must_use]
    pub fn worth(&self, action: Action) -> Option<f64> {
        match action {
            Action::Bid(bid) => Some(self.worth_of_bid(bid)),
            Action::Call => self.worth_of_call(),
        }
    }

    fn worth_of_call(&self) -> Option<f64> {
        self.last.map(|last| 1.0 - 2.0 * self.odds(last).chance())
    }

    /// Summed up over the hands of the next player with which it calls.
    fn worth_of_bid(&self, bid: Bid) -> f64 {
        let face = bid.face();
        let needed = i64::from(bid.count()) - i64::from(self.held(face));
        let (next, rest) = (u32::from(self.next), u32::from(self.hidden - self.next));
        let calls = |held: &u32| self.is_doubted(bid, *held);
        // The more it holds itself, the less it doubts.
        (0..=next).take_while(calls).fold(0.0, |worth, held| {
            let holds = Odds::of_face(face, rest, needed - i64::from(held)).chance();
            worth + exactly(face, next, held) * (2.0 * holds - 1.0)
        })
    }

    /// Whether the next player of the model calls a bid when so many of its own dice count for it.
    #[must_use]
    pub fn is_doubted(&self, bid: Bid, held: u32) -> bool {
        let unseen = self.all() - u32::from(self.next);
        let needed = i64::from(bid.count()) - i64::from(held);
        Odds::of_face(bid.face(), unseen, needed).is_unlikely()
    }

    /// What is best, and what it is worth at least: no bid is taken for worth more than nothing here. Of actions that are
    /// worth the same it is the first of: the call, and bids in their order.
    #[must_use]
    pub fn best(&self) -> (Action, f64) {
        let call = self.worth_of_call().map(|worth| (Action::Call, worth));
        let bids = self.bids().map(|bid| (Action::Bid(bid), self.worth_of_bid(bid).min(0.0)));
        let mut actions = call.into_iter().chain(bids);
        let mut best = actions.next().expect("there is always a higher bid");
        // What is worth nothing or more is not surpassed.
        while best.1 < 0.0
            && let Some(other) = actions.next()
        {
            if other.1 > best.1 + NOTICEABLE {
                best = other;
            }
        }
        best
    }

    /// By how much the best is worth more than an action, and what it is: the action itself if nothing is noticeably
    /// better. `None` for the call if there is no bid.
    #[must_use]
    pub fn loss(&self, action: Action) -> Option<(f64, Action)> {
        let (best, most) = self.best();
        let lost = most - self.worth(action)?;
        Some(if lost > NOTICEABLE { (lost, best) } else { (0.0, action) })
    }

    /// Whether a bid is likelier to fall than to hold, and calling would have been likelier to be right than the bid is to
    /// hold.
    #[must_use]
    pub fn is_unsupported(&self, bid: Bid) -> bool {
        let odds = self.odds(bid);
        let call = self.last.map(|last| 1.0 - self.odds(last).chance());
        odds.is_unlikely() && call.is_none_or(|call| call > odds.chance())
    }

    /// The higher bids that can hold, in their order, and the next higher one in any case. All others fall for sure.
    fn bids(&self) -> impl Iterator<Item = Bid> + '_ {
        let can_hold = |bid: &Bid| bid.count() <= self.all();
        let mut first = true;
        Bid::above(self.last).take_while(move |bid| std::mem::take(&mut first) || can_hold(bid))
    }

    fn all(&self) -> u32 {
        let own: u8 = self.shown.iter().sum();
        u32::from(own) + u32::from(self.hidden)
    }

    /// How many of the player's own dice count for a bid on a face: those that show it, and the ones.
    #[must_use]
    pub fn held(&self, face: Face) -> u32 {
        let ones = u32::from(self.shown[0]);
        if face == Face::ONE { ones } else { ones + u32::from(self.shown[face.index()]) }
    }
}

/// The chance that exactly `held` of some dice count for a bid on a face.
fn exactly(face: Face, dice: u32, held: u32) -> f64 {
    let at_least = |held: u32| Odds::of_face(face, dice, held.into());
    let Odds { favourable, all } = at_least(held);
    (favourable - at_least(held + 1).favourable) as f64 / all as f64
}
