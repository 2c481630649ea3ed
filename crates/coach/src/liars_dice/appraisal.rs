//! A game with what its decisions lost and what became of them.

use dicehill_arena::{Move, Replay};
use dicehill_rules::Chance;
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, LiarsDiceRules, dice_that_count};

use super::{Fault, Infoset, Kind};

/// A game with what its decisions lost.
pub type AppraisedGame = crate::AppraisedGame<AppraisedSeat>;

/// A player in a game with what its decisions lost.
#[derive(Clone, Debug, PartialEq)]
pub struct AppraisedSeat {
    /// The player.
    pub name: String,
    /// Its decisions in order. A turn without a legal action is none.
    pub steps: Vec<Step>,
    /// Whether it was eliminated because it had no legal action.
    pub forfeited: bool,
}

/// A decision with what it lost and what became of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The number of the move in its game, from 1, as every player's moves are counted.
    pub number: usize,
    /// The round, from 1.
    pub round: u32,
    /// Players still in, 2 to 5.
    pub players: usize,
    /// What the player could know.
    pub infoset: Infoset,
    /// What the player did.
    pub chosen: Action,
    /// What is best; what the player did if nothing is better.
    pub best: Action,
    /// Dice that the best is worth more; 0 or at least a billionth.
    pub loss: f64,
    /// Whether the bid that was made or called in fact holds.
    pub holds: bool,
    /// Whether that bid was called.
    pub called: bool,
    /// Dice that the best would have brought with the dice that were there, -1 to 1. What it is called by is the model's next
    /// player, who looks at its own dice.
    pub best_dice: i32,
}

impl AppraisedGame {
    /// Appraises a recorded game. Of the players only those are appraised for whom `wanted` holds.
    #[must_use]
    pub fn new(
        rules: LiarsDiceRules,
        chance: &Chance,
        replay: &Replay<LiarsDice>,
        wanted: impl Fn(&str) -> bool,
    ) -> Self {
        let seat = |name: &String| {
            let seat = || AppraisedSeat { name: name.clone(), steps: Vec::new(), forfeited: false };
            wanted(name).then(seat)
        };
        let mut seats: Vec<_> = replay.names.iter().map(seat).collect();
        let mut play = replay.begin(rules, chance);
        for (number, one) in (1..).zip(&replay.moves) {
            note(&mut seats, play.game(), number, one);
            play.repeat(one);
        }
        let seats = seats.into_iter().flatten().collect();
        Self { game: replay.game, table: replay.table, seats }
    }
}

/// Notes a move of a game in which it comes next.
fn note(
    seats: &mut [Option<AppraisedSeat>],
    game: &LiarsDice,
    number: usize,
    one: &Move<LiarsDice>,
) {
    let Some(position) = game.position_to_act() else { return };
    let players = game.seats().len();
    let seat_at = |position: usize| game.seats()[position].index();
    let acting = &mut seats[seat_at(position)];
    match one {
        Move::Acted(action) => {
            if let Some(seat) = acting {
                seat.steps.extend(Step::of(game, number, *action));
            }
            let bidder = &mut seats[seat_at((position + players - 1) % players)];
            if *action == Action::Call
                && let Some(bid) = bidder.as_mut().and_then(|bidder| bidder.steps.last_mut())
            {
                bid.called = true;
            }
        }
        Move::Failed(_) => {
            if let Some(seat) = acting {
                seat.forfeited = true;
            }
        }
    }
}

impl Step {
    /// A legal action in this position; a bid as long as nobody has called it.
    fn of(game: &LiarsDice, number: usize, chosen: Action) -> Option<Self> {
        let infoset = Infoset::of(game)?;
        let (loss, best) = infoset.loss(chosen)?;
        let (called, bid) = match chosen {
            Action::Bid(bid) => (false, bid),
            Action::Call => (true, infoset.last_bid()?),
        };
        let (players, round, holds) = (game.seats().len(), game.round(), holds(game, bid));
        let best_dice = brought(game, &infoset, best)?;
        Some(Self { number, round, players, infoset, chosen, best, loss, holds, called, best_dice })
    }

    /// What is decided.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        Kind::of(&self.infoset, self.chosen)
    }

    /// What is wrong; `None` if nothing is better.
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        Fault::of(&self.infoset, self.chosen, self.best)
    }

    /// The chance, as the player could compute it, that an action comes true: that its bid holds, or that the call is right.
    /// `None` for the call if there is no bid.
    #[must_use]
    pub fn chance(&self, action: Action) -> Option<f64> {
        match action {
            Action::Bid(bid) => Some(self.infoset.odds(bid).chance()),
            Action::Call => {
                let last = self.infoset.last_bid()?;
                Some(1.0 - self.infoset.odds(last).chance())
            }
        }
    }

    /// Dice that it brought: 1 or -1 if it was a call, or a bid that was called.
    #[must_use]
    pub fn dice(&self) -> i32 {
        match self.chosen {
            Action::Bid(_) if !self.called => 0,
            Action::Bid(_) => won(self.holds),
            Action::Call => won(!self.holds),
        }
    }

    /// Dice that the best would have brought more with the dice that were there; 0 if nothing is better.
    #[must_use]
    pub fn hindsight(&self) -> i32 {
        if self.loss > 0.0 { self.best_dice - self.dice() } else { 0 }
    }
}

/// A die won or lost.
const fn won(is_won: bool) -> i32 {
    if is_won { 1 } else { -1 }
}

/// Dice that an action brings with the dice on the table, if the next player is that of the model.
fn brought(game: &LiarsDice, infoset: &Infoset, action: Action) -> Option<i32> {
    match action {
        Action::Call => Some(won(!holds(game, infoset.last_bid()?))),
        Action::Bid(bid) => {
            let next = (game.position_to_act()? + 1) % game.seats().len();
            let held = dice_that_count(game.hands()[next].faces(), bid.face());
            Some(if infoset.is_doubted(bid, held) { won(holds(game, bid)) } else { 0 })
        }
    }
}

/// Whether a bid holds with the dice on the table.
fn holds(game: &LiarsDice, bid: Bid) -> bool {
    let hands = game.hands().iter();
    let there: u32 = hands.map(|hand| dice_that_count(hand.faces(), bid.face())).sum();
    there >= bid.count()
}
