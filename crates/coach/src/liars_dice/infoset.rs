//! What a player knows when it acts, and the values of its actions.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, Odds};

/// Value differences up to this are ignored.
const TOLERANCE: f64 = 1e-9;

/// What the player to act knows, regardless of the order of its dice and of bids before the last.
///
/// Values are in dice under this model: hidden dice are fair and independent; the next player
/// treats all dice but its own as fair, and calls a bid that is more likely to fail than to hold; a
/// bid that is not called is worth nothing. So the call of a bid that holds with probability q is
/// worth 1 - 2 q, and a bid is worth 2 q - 1 over those hands of the next player that call it. This
/// is one ply of expectimax over dice. Dice are what a game is won by: in a fair game in which each
/// round moves one die, the probability to win is the share of the dice (the gambler's ruin;
/// Feller, *An Introduction to Probability Theory and Its Applications*, volume 1, chapter XIV).
///
/// Losses are conservative: the value of the chosen bid may include that the next player calls a
/// good bid, but the best bid is not credited with it.
///
/// ```
/// use dicehill_coach::liars_dice::Infoset;
/// use dicehill_rules::Face;
/// use dicehill_rules::liars_dice::Action;
///
/// // One die each, and the player to act holds a six.
/// let infoset = Infoset::new(&[Face::SIX], 1, 1, None).expect("a possible table");
/// let (best, _) = infoset.best();
/// assert_eq!(best.to_string(), "1 6");
/// let (loss, _) = infoset.loss("1 2".parse::<Action>().expect("an action")).expect("a bid");
/// assert!((loss - 2.0 / 3.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Infoset {
    /// By face: the number of the player's own dice that show it.
    shown: [u8; 6],
    /// The number of dice of the other players.
    hidden: u8,
    /// The number of dice of the next player.
    next: u8,
    last: Option<Bid>,
}

impl Infoset {
    /// What a player with the dice `own` knows if the others hold `hidden` dice, the next player
    /// `next` of them, and `last` is the bid to raise or call.
    ///
    /// `None` if no table has these dice: the player and the next player have at least one die
    /// each, and there are at most 25 in total.
    #[must_use]
    pub fn new(own: &[Face], hidden: u8, next: u8, last: Option<Bid>) -> Option<Self> {
        let total_dice = own.len() + usize::from(hidden);
        let is_possible = !own.is_empty() && (1..=hidden).contains(&next) && total_dice <= 25;
        let shown = Face::ALL.map(|face| own.iter().filter(|die| **die == face).count() as u8);
        is_possible.then_some(Self { shown, hidden, next, last })
    }

    /// What the player to act knows; `None` if the game is over.
    #[must_use]
    pub fn from_game(game: &LiarsDice) -> Option<Self> {
        let position = game.position_to_act()?;
        let dice = |position: usize| game.hands()[position].faces();
        let players = game.seats().len();
        let total_dice: usize = (0..players).map(|position| dice(position).len()).sum();
        let own = dice(position);
        let next = dice((position + 1) % players).len() as u8;
        Self::new(own, (total_dice - own.len()) as u8, next, game.bids().last().copied())
    }

    /// The bid to raise or call; `None` for the first action of a round.
    #[must_use]
    pub const fn last_bid(&self) -> Option<Bid> {
        self.last
    }

    /// The number of dice of the other players.
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
        let needed = i64::from(bid.count()) - i64::from(self.count_matching(bid.face()));
        Odds::for_face(bid.face(), self.hidden.into(), needed)
    }

    /// The value of an action in dice, -1 to 1; `None` for the call if there is no bid.
    #[must_use]
    pub fn value(&self, action: Action) -> Option<f64> {
        match action {
            Action::Bid(bid) => Some(self.bid_value(bid)),
            Action::Call => self.call_value(),
        }
    }

    fn call_value(&self) -> Option<f64> {
        self.last.map(|last| 1.0 - 2.0 * self.odds(last).chance())
    }

    /// The sum over the hands of the next player that call.
    fn bid_value(&self, bid: Bid) -> f64 {
        let face = bid.face();
        let needed = i64::from(bid.count()) - i64::from(self.count_matching(face));
        let (next, others) = (u32::from(self.next), u32::from(self.hidden - self.next));
        let is_called = |held: &u32| self.is_called(bid, *held);
        // With more matching dice the next player calls less.
        (0..=next).take_while(is_called).fold(0.0, |worth, held| {
            let holds = Odds::for_face(face, others, needed - i64::from(held)).chance();
            worth + probability_of_exactly(face, next, held) * (2.0 * holds - 1.0)
        })
    }

    /// Whether the next player of the model calls a bid when `held` of its own dice match it.
    #[must_use]
    pub fn is_called(&self, bid: Bid, held: u32) -> bool {
        let unseen = self.total_dice() - u32::from(self.next);
        let needed = i64::from(bid.count()) - i64::from(held);
        Odds::for_face(bid.face(), unseen, needed).is_unlikely()
    }

    /// The best action and a lower bound of its value, for which no bid is worth more than 0. Among
    /// equals, it is the call, then the lowest bid.
    #[must_use]
    pub fn best(&self) -> (Action, f64) {
        let call = self.call_value().map(|worth| (Action::Call, worth));
        let bids = self.bids().map(|bid| (Action::Bid(bid), self.bid_value(bid).min(0.0)));
        let mut actions = call.into_iter().chain(bids);
        let mut best = actions.next().expect("there is always a higher bid");
        // No bid is credited with more than 0, so nothing surpasses an action that is worth 0 or more.
        while best.1 < 0.0
            && let Some(other) = actions.next()
        {
            if other.1 > best.1 + TOLERANCE {
                best = other;
            }
        }
        best
    }

    /// How much more the best action is worth than `action`, and the best action: `action` itself
    /// if the difference is negligible. `None` for the call if there is no bid.
    #[must_use]
    pub fn loss(&self, action: Action) -> Option<(f64, Action)> {
        let (best, value) = self.best();
        let difference = value - self.value(action)?;
        Some(if difference > TOLERANCE { (difference, best) } else { (0.0, action) })
    }

    /// Whether a bid is more likely to fail than to hold, and less likely to hold than the call is
    /// to be right.
    #[must_use]
    pub fn is_unsupported(&self, bid: Bid) -> bool {
        let odds = self.odds(bid);
        let call = self.last.map(|last| 1.0 - self.odds(last).chance());
        odds.is_unlikely() && call.is_none_or(|call| call > odds.chance())
    }

    /// The higher bids that can hold, ascending, and in any case the next higher bid. All others
    /// fail for certain.
    fn bids(&self) -> impl Iterator<Item = Bid> + '_ {
        let can_hold = |bid: &Bid| bid.count() <= self.total_dice();
        let mut first = true;
        Bid::above(self.last).take_while(move |bid| std::mem::take(&mut first) || can_hold(bid))
    }

    fn total_dice(&self) -> u32 {
        let own: u8 = self.shown.iter().sum();
        u32::from(own) + u32::from(self.hidden)
    }

    /// How many of the player's own dice match a bid on a face, wild ones included.
    #[must_use]
    pub fn count_matching(&self, face: Face) -> u32 {
        let ones = u32::from(self.shown[0]);
        if face == Face::ONE { ones } else { ones + u32::from(self.shown[face.index()]) }
    }
}

/// The probability that exactly `held` of `dice` dice match a bid on a face.
fn probability_of_exactly(face: Face, dice: u32, held: u32) -> f64 {
    let at_least = |held: u32| Odds::for_face(face, dice, held.into());
    let Odds { favourable, all } = at_least(held);
    (favourable - at_least(held + 1).favourable) as f64 / all as f64
}
