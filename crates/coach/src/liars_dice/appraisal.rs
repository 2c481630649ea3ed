//! A recorded game with the losses and results of its decisions.

use dicehill_arena::{Move, Play, Replay};
use dicehill_rules::Seat;
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, LiarsDiceRules, dice_that_count};

use super::{DecisionKind, Fault, Infoset};

/// A recorded game with the losses of its decisions.
pub type AppraisedGame = crate::AppraisedGame<AppraisedSeat>;

/// A player in a game with the losses of its decisions.
#[derive(Clone, Debug, PartialEq)]
pub struct AppraisedSeat {
    /// The name of the player.
    pub name: String,
    /// Its decisions in order, without turns in which it had no legal action.
    pub steps: Vec<AppraisedDecision>,
    /// Whether it was eliminated because it had no legal action.
    pub forfeited: bool,
}

/// A decision with its loss and its result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppraisedDecision {
    /// The number of the move in its game, from 1, counting the moves of all players.
    pub number: usize,
    /// The round, from 1.
    pub round: u32,
    /// The number of players still in, 2 to 5.
    pub players: usize,
    /// What the player knew.
    pub infoset: Infoset,
    /// The action of the player.
    pub chosen: Action,
    /// The best action; `chosen` if no other is better.
    pub best: Action,
    /// Dice by which the best action is worth more; 0 or at least a billionth.
    pub loss: f64,
    /// Whether the bid that was made or called holds.
    pub holds: bool,
    /// Whether that bid was called.
    pub called: bool,
    /// Dice that the best action would have won with the actual dice, -1 to 1, if the next player
    /// decided as in the model, by its own dice.
    pub best_dice: i32,
}

impl AppraisedGame {
    /// Appraises a recorded game, for the players whose name is `wanted`.
    #[must_use]
    pub fn new(
        rules: LiarsDiceRules,
        replay: &Replay<LiarsDice>,
        wanted: impl Fn(&str) -> bool,
    ) -> Self {
        let seat = |name: &String| {
            let seat = || AppraisedSeat { name: name.clone(), steps: Vec::new(), forfeited: false };
            wanted(name).then(seat)
        };
        let seats = replay.names.iter().map(seat).collect();
        let seats = appraised(seats, replay.begin(rules), &replay.moves);
        let seats = seats.into_iter().flatten().collect();
        Self { game: replay.game, table: replay.table, players: replay.names.clone(), seats }
    }
}

impl AppraisedSeat {
    /// Appraises the decisions at `seat` in a game that begins as `begin` and continues with `moves`.
    #[must_use]
    pub fn from_moves(
        name: &str,
        seat: Seat,
        begin: Play<'_, LiarsDice>,
        moves: &[Move<LiarsDice>],
    ) -> Option<Self> {
        let mut seats = vec![None; begin.game().seats().len()];
        let own = Self { name: name.to_owned(), steps: Vec::new(), forfeited: false };
        *seats.get_mut(seat.index())? = Some(own);
        appraised(seats, begin, moves).into_iter().flatten().next()
    }
}

/// The seats with their decisions.
fn appraised(
    mut seats: Vec<Option<AppraisedSeat>>,
    mut play: Play<'_, LiarsDice>,
    moves: &[Move<LiarsDice>],
) -> Vec<Option<AppraisedSeat>> {
    for (number, record) in (1..).zip(moves) {
        record_move(&mut seats, play.game(), number, record);
        play.repeat(record);
    }
    seats
}

/// Records the next move of the game.
fn record_move(
    seats: &mut [Option<AppraisedSeat>],
    game: &LiarsDice,
    number: usize,
    record: &Move<LiarsDice>,
) {
    let Some(position) = game.position_to_act() else { return };
    let players = game.seats().len();
    let seat_at = |position: usize| game.seats()[position].index();
    let acting = &mut seats[seat_at(position)];
    match record {
        Move::Acted(action) => {
            if let Some(seat) = acting {
                seat.steps.extend(AppraisedDecision::of(game, number, *action));
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

impl AppraisedDecision {
    /// A legal action in this position. A bid counts as not called yet.
    fn of(game: &LiarsDice, number: usize, chosen: Action) -> Option<Self> {
        let infoset = Infoset::from_game(game)?;
        let (loss, best) = infoset.loss(chosen)?;
        let (called, bid) = match chosen {
            Action::Bid(bid) => (false, bid),
            Action::Call => (true, infoset.last_bid()?),
        };
        let (players, round, holds) = (game.seats().len(), game.round(), holds(game, bid));
        let best_dice = dice_won(game, &infoset, best)?;
        Some(Self { number, round, players, infoset, chosen, best, loss, holds, called, best_dice })
    }

    /// The kind of the decision.
    #[must_use]
    pub const fn kind(&self) -> DecisionKind {
        DecisionKind::classify(&self.infoset, self.chosen)
    }

    /// The fault of the decision; `None` if no action is better.
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        Fault::classify(&self.infoset, self.chosen, self.best)
    }

    /// The probability, from what the player knows, that an action succeeds: the bid holds, or the
    /// call is right. `None` for the call if there is no bid.
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

    /// Dice won: 1 or -1 for a call or a called bid, else 0.
    #[must_use]
    pub fn dice(&self) -> i32 {
        match self.chosen {
            Action::Bid(_) if !self.called => 0,
            Action::Bid(_) => one_die(self.holds),
            Action::Call => one_die(!self.holds),
        }
    }

    /// Dice that the best action would have won in addition, with the actual dice; 0 if no action
    /// is better.
    #[must_use]
    pub fn hindsight(&self) -> i32 {
        if self.loss > 0.0 { self.best_dice - self.dice() } else { 0 }
    }
}

/// One die won or lost.
const fn one_die(is_won: bool) -> i32 {
    if is_won { 1 } else { -1 }
}

/// Dice that an action wins with the actual dice, if the next player decides as in the model.
fn dice_won(game: &LiarsDice, infoset: &Infoset, action: Action) -> Option<i32> {
    match action {
        Action::Call => Some(one_die(!holds(game, infoset.last_bid()?))),
        Action::Bid(bid) => {
            let next = (game.position_to_act()? + 1) % game.seats().len();
            let held = dice_that_count(game.hands()[next].faces(), bid.face());
            Some(if infoset.is_called(bid, held) { one_die(holds(game, bid)) } else { 0 })
        }
    }
}

/// Whether a bid holds with the actual dice.
fn holds(game: &LiarsDice, bid: Bid) -> bool {
    let hands = game.hands().iter();
    let matching: u32 = hands.map(|hand| dice_that_count(hand.faces(), bid.face())).sum();
    matching >= bid.count()
}
