//! The state of a game of Liar's Dice.

use std::fmt;
use std::ops::RangeInclusive;

use super::table::{INITIAL_DICE, MAX_SEATS, Table};
use super::{Action, Bid, Hand, Position};
use crate::{
    Dice, Face, Figure, Forfeit, Game, MAX_FIGURES, PublicInfo, Seat, SeatResult, Summary,
};

/// A game ends without a winner after this number of requests to act.
pub const TURN_LIMIT: u32 = 5000;
/// Upper bound of the turns of a game. A variant of the rules checks the limit only after a bid, so that a call and eliminations may exceed
/// it.
const MAX_TURNS: u64 = TURN_LIMIT as u64 + MAX_SEATS as u64 + 1;
/// Points for each request to act.
const POINTS_PER_TURN: u64 = 1;
/// Points for each die gained.
const POINTS_PER_DIE: u64 = 10;
/// Points for winning the game.
const POINTS_PER_WIN: u64 = 1000;

/// The variants of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LiarsDiceRules {
    /// The text of the challenge: the player that gained the die starts the next round, and the turn limit is checked after each turn.
    #[default]
    Official,
    /// The controller of the challenge: the winner's right neighbour starts if a wrong call eliminates a caller at position 0, or if a
    /// right call eliminates the bidder and the caller's position is above 0; and the turn limit is checked only after a legal bid.
    Superjedi2015,
}

impl LiarsDiceRules {
    /// The name in hill files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Official => "official",
            Self::Superjedi2015 => "superjedi-2015",
        }
    }
}

impl fmt::Display for LiarsDiceRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The state of a game of Liar's Dice.
///
/// ```
/// use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, LiarsDiceRules, Odds};
/// use dicehill_rules::{Chance, Game, PublicInfo};
///
/// let dice = Chance::new("my seed").table(1);
/// let mut game = LiarsDice::new(LiarsDiceRules::Official, 3, &dice);
/// let public = PublicInfo::default();
/// while let Some(view) = game.view(&public) {
///     // Call unlikely bids, otherwise raise by as little as possible.
///     let doubt = |bid| Odds::for_bid(bid, view.dice, view.hidden_dice()).is_unlikely();
///     let action = match view.last_bid() {
///         Some(last) if doubt(last) => Action::Call,
///         last => Action::Bid(Bid::above(last).next().expect("there is a higher bid")),
///     };
///     game.apply(&action, &dice)?;
/// }
/// let winner = game.winner().expect("the game ended before the turn limit");
/// assert!(game.result(winner).points > 1000);
/// # Ok::<(), dicehill_rules::liars_dice::Refusal>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiarsDice {
    rules: LiarsDiceRules,
    table: Table,
    to_act: Position,
    /// Bids of this round, oldest first.
    bids: Vec<Bid>,
    /// From 1.
    round: u32,
    turns: u32,
    ended: bool,
    winner: Option<Seat>,
    tallies: [Tally; MAX_SEATS],
}

/// The figures of one seat, which may be eliminated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tally {
    turns: u32,
    calls: u32,
    dice_gained: u32,
}

/// What the player to act may see.
///
/// ```
/// use dicehill_rules::liars_dice::{LiarsDice, LiarsDiceRules, Odds};
/// use dicehill_rules::{Chance, Game, PublicInfo};
///
/// let dice = Chance::new("my seed").table(1);
/// let mut game = LiarsDice::new(LiarsDiceRules::Official, 3, &dice);
/// game.apply(&"4 6".parse().expect("an action"), &dice)?;
/// let public = PublicInfo::default();
/// let view = game.view(&public).expect("the game continues");
/// assert_eq!((view.you, view.dice.len(), view.hidden_dice()), (1, 5, 10));
/// let last = view.last_bid().expect("a bid was made");
/// let probability = Odds::for_bid(last, view.dice, view.hidden_dice()).chance();
/// assert!((0.0..=1.0).contains(&probability));
/// # Ok::<(), dicehill_rules::liars_dice::Refusal>(())
/// ```
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The player's position among those still in.
    pub you: Position,
    /// The number of dice of each player still in, by position.
    pub counts: &'a [u8],
    /// The player's own dice in the order rolled.
    pub dice: &'a [Face],
    /// All bids of this round, oldest first. `bids[len - k]` was made at position `(you - k) mod players`.
    pub bids: &'a [Bid],
    game: &'a LiarsDice,
    public: &'a PublicInfo<'a>,
}

/// Shows only what the player may see: the game behind the view has all hands.
impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { you, counts, dice, bids, .. } = self;
        f.debug_struct("View")
            .field("you", you)
            .field("counts", counts)
            .field("dice", dice)
            .field("bids", bids)
            .finish_non_exhaustive()
    }
}

impl<'a> View<'a> {
    /// The bid to raise or call; `None` for the first action of a round.
    #[must_use]
    pub fn last_bid(&self) -> Option<Bid> {
        self.bids.last().copied()
    }

    /// Number of players still in.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.counts.len()
    }

    /// Number of dice on the table.
    #[must_use]
    pub fn dice_in_play(&self) -> u32 {
        self.counts.iter().map(|count| u32::from(*count)).sum()
    }

    /// Number of dice that the other players hold.
    #[must_use]
    pub fn hidden_dice(&self) -> u32 {
        self.dice_in_play() - self.dice.len() as u32
    }

    /// The position that acts before this player: that of the last bidder, if there is a bid.
    #[must_use]
    pub const fn previous_position(&self) -> Position {
        self.game.table.previous(self.you)
    }

    /// The position that acts after this player.
    #[must_use]
    pub const fn next_position(&self) -> Position {
        self.game.table.next(self.you)
    }

    /// The seats of the players still in, by position. Seats identify players when positions shift.
    #[must_use]
    pub fn seats(&self) -> &'a [Seat] {
        self.game.table.seats()
    }

    /// The name of the player at a position, if names are public.
    #[must_use]
    pub fn name(&self, position: Position) -> Option<&'a str> {
        let seat = self.game.table.seats().get(position)?;
        self.public.names.get(seat.index()).copied()
    }

    /// The points of the player at a position: those of earlier games and those of this game, including the point for the current turn.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn points(&self, position: Position) -> u64 {
        let seat = self.game.table.seats()[position];
        let this_turn = if position == self.you { POINTS_PER_TURN } else { 0 };
        self.public.earlier_points(seat) + self.game.result(seat).points + this_turn
    }
}

/// The reason for refusing an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The bid is not above the last one.
    #[error("bid \"{bid}\" is not higher than the last bid \"{last}\"")]
    NotHigher {
        /// The refused bid.
        bid: Bid,
        /// The last bid.
        last: Bid,
    },
    /// There is no bid to call.
    #[error("\"Liar!\" without a bid: the first action of a round is a bid")]
    NothingToCall,
    /// The game has ended.
    #[error("the game has ended")]
    Ended,
}

impl LiarsDice {
    /// A game whose players begin with these numbers of dice, by seat, as at a later point of a game.
    ///
    /// # Panics
    /// If there are not 2 to 5 players, or a player has not 1 to 5 dice.
    #[must_use]
    pub fn with_dice<D: Dice>(rules: LiarsDiceRules, counts: &[u8], dice: &D) -> Self {
        assert!(
            Self::SEATS.contains(&counts.len()),
            "2 to {MAX_SEATS} seats, not {}",
            counts.len()
        );
        let is_possible = |count| (1..=INITIAL_DICE).contains(count);
        assert!(counts.iter().all(is_possible), "1 to {INITIAL_DICE} dice, not {counts:?}");
        let mut game = Self {
            rules,
            table: Table::new(counts),
            to_act: 0,
            bids: Vec::with_capacity(16),
            round: 1,
            turns: 0,
            ended: false,
            winner: None,
            tallies: [Tally::default(); MAX_SEATS],
        };
        game.table.roll(game.round, dice);
        game
    }

    /// The current round, from 1. Every roll begins a new round.
    #[must_use]
    pub const fn round(&self) -> u32 {
        self.round
    }

    /// Number of turns taken, including forfeited ones.
    #[must_use]
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// The seats still in, by position.
    #[must_use]
    pub fn seats(&self) -> &[Seat] {
        self.table.seats()
    }

    /// The hands of the players still in, by position, as last rolled.
    #[must_use]
    pub fn hands(&self) -> &[Hand] {
        self.table.hands()
    }

    /// All bids of this round, oldest first.
    #[must_use]
    pub fn bids(&self) -> &[Bid] {
        &self.bids
    }

    /// The winner; `None` before the end of the game, or if the turn limit ended it.
    #[must_use]
    pub const fn winner(&self) -> Option<Seat> {
        self.winner
    }

    /// The position to act; `None` if the game has ended.
    #[must_use]
    pub fn position_to_act(&self) -> Option<Position> {
        (!self.ended).then_some(self.to_act)
    }

    /// Whether the last bid holds, so that a call would be wrong; `None` if there is nothing to call.
    #[must_use]
    pub fn last_bid_holds(&self) -> Option<bool> {
        let last = self.bids.last().filter(|_| !self.ended);
        last.map(|bid| self.table.holds(*bid))
    }

    fn check(&self, action: &Action) -> Result<(), Refusal> {
        match (action, self.bids.last()) {
            _ if self.ended => Err(Refusal::Ended),
            (Action::Bid(bid), Some(last)) if bid <= last => {
                Err(Refusal::NotHigher { bid: *bid, last: *last })
            }
            (Action::Call, None) => Err(Refusal::NothingToCall),
            (Action::Bid(_), _) | (Action::Call, Some(_)) => Ok(()),
        }
    }

    fn tally(&mut self, position: Position) -> &mut Tally {
        let seat = self.table.seats()[position];
        &mut self.tallies[seat.index()]
    }

    fn count_turn(&mut self) {
        self.turns += 1;
        self.tally(self.to_act).turns += 1;
    }

    /// Moves a die to the player that was right.
    fn call<D: Dice>(&mut self, bid: Bid, dice: &D) {
        let (caller, bidder) = (self.to_act, self.table.previous(self.to_act));
        let held = self.table.holds(bid);
        let (winner, loser) = if held { (bidder, caller) } else { (caller, bidder) };
        self.tally(caller).calls += 1;
        self.tally(winner).dice_gained += 1;
        self.table.move_die(loser, winner);
        let starter = if self.table.is_out(loser) {
            let winner = self.eliminate(loser, winner);
            match self.rules {
                // A wrong call at position 0, or a right call at another one: see `LiarsDiceRules`.
                LiarsDiceRules::Superjedi2015 if held == (caller == 0) => self.table.next(winner),
                LiarsDiceRules::Official | LiarsDiceRules::Superjedi2015 => winner,
            }
        } else {
            winner
        };
        self.next_round(starter, dice);
    }

    /// Removes a player with its dice. Returns the new position of `other`.
    fn eliminate(&mut self, position: Position, other: Position) -> Position {
        self.table.remove(position);
        if other > position { other - 1 } else { other }
    }

    /// Starts the next round, or ends the game if one player is left.
    fn next_round<D: Dice>(&mut self, starter: Position, dice: &D) {
        if self.table.players() == 1 {
            self.ended = true;
            self.winner = Some(self.table.seats()[0]);
            return;
        }
        self.bids.clear();
        self.to_act = starter;
        self.round += 1;
        self.table.roll(self.round, dice);
    }

    fn end_at_turn_limit(&mut self, after_legal_bid: bool) {
        let is_checked = match self.rules {
            LiarsDiceRules::Official => true,
            LiarsDiceRules::Superjedi2015 => after_legal_bid,
        };
        if is_checked && self.turns >= TURN_LIMIT {
            self.ended = true;
        }
    }
}

impl Game for LiarsDice {
    type Rules = LiarsDiceRules;
    type Action = Action;
    type Refusal = Refusal;
    type View<'a> = View<'a>;

    const NAME: &'static str = "liars-dice";
    const TITLE: &'static str = "Liar's Dice";
    const SEATS: RangeInclusive<usize> = 2..=MAX_SEATS;
    const FIGURES: &'static [Figure] = &[
        Figure { name: "turns", summary: Summary::Total },
        Figure { name: "calls", summary: Summary::Total },
        Figure { name: "dice_gained", summary: Summary::Total },
    ];
    const RULES: &'static [LiarsDiceRules] =
        &[LiarsDiceRules::Official, LiarsDiceRules::Superjedi2015];

    fn new<D: Dice>(rules: LiarsDiceRules, seats: usize, dice: &D) -> Self {
        assert!(Self::SEATS.contains(&seats), "2 to {MAX_SEATS} seats, not {seats}");
        Self::with_dice(rules, &[INITIAL_DICE; MAX_SEATS][..seats], dice)
    }

    fn to_act(&self) -> Option<Seat> {
        (!self.ended).then(|| self.table.seats()[self.to_act])
    }

    fn view<'a>(&'a self, public: &'a PublicInfo<'a>) -> Option<View<'a>> {
        (!self.ended).then(|| View {
            you: self.to_act,
            counts: self.table.counts(),
            dice: self.table.hands()[self.to_act].faces(),
            bids: &self.bids,
            game: self,
            public,
        })
    }

    /// The call, then every higher bid, ascending: up to six million.
    fn legal_actions(&self) -> impl Iterator<Item = Action> + '_ {
        let call = Some(Action::Call).filter(|call| self.check(call).is_ok());
        let bids = Bid::above(self.bids.last().copied()).map(Action::Bid);
        call.into_iter().chain(bids).take_while(|_| !self.ended)
    }

    fn apply<D: Dice>(&mut self, action: &Action, dice: &D) -> Result<(), Refusal> {
        self.check(action)?;
        self.count_turn();
        match action {
            Action::Bid(bid) => {
                self.bids.push(*bid);
                self.to_act = self.table.next(self.to_act);
            }
            Action::Call => {
                let bid = *self.bids.last().expect("checked above: there is a bid to call");
                self.call(bid, dice);
            }
        }
        self.end_at_turn_limit(matches!(action, Action::Bid(_)));
        Ok(())
    }

    fn write_action(action: &Action, text: &mut String) {
        action.write(text);
    }

    fn reveals(&self, action: &Action) -> bool {
        matches!(action, Action::Call) && self.check(action).is_ok()
    }

    /// Eliminates the seat to act with its dice; the player before it starts the next round.
    fn forfeit<D: Dice>(&mut self, dice: &D) -> Forfeit {
        if !self.ended {
            self.count_turn();
            let starter = self.eliminate(self.to_act, self.table.previous(self.to_act));
            self.next_round(starter, dice);
            self.end_at_turn_limit(false);
        }
        Forfeit::Eliminated
    }

    /// Points: 1 for each turn, 10 for each die gained, 1000 for the winner.
    fn result(&self, seat: Seat) -> SeatResult {
        let Tally { turns, calls, dice_gained } = self.tallies[seat.index()];
        let [turns, calls, dice_gained] = [turns, calls, dice_gained].map(u64::from);
        let won = self.winner == Some(seat);
        let mut figures = [0; MAX_FIGURES];
        figures[..3].copy_from_slice(&[turns, calls, dice_gained]);
        let points = POINTS_PER_TURN * turns
            + POINTS_PER_DIE * dice_gained
            + POINTS_PER_WIN * u64::from(won);
        SeatResult { points, won, figures }
    }

    /// A win, plus the bound that follows from the turn limit. Of t turns in total, a seat has at most two in three, because another
    /// player acts between two of its turns within a round, plus the turn with which it is eliminated. It gains at most the dice that it
    /// loses plus all dice that the others begin with. Each gain or loss takes a round of at least two turns, so that
    /// 2 (gained + lost) <= t and 4 gained <= t + 2 (dice of the others).
    fn max_points(seats: usize) -> u64 {
        let others = u64::from(INITIAL_DICE) * (seats as u64 - 1);
        let gained = (MAX_TURNS + 2 * others) / 4;
        POINTS_PER_WIN + POINTS_PER_TURN * (2 * MAX_TURNS / 3 + 1) + POINTS_PER_DIE * gained
    }

    /// With two players, the lead is at most the other's dice, plus one turn for each round of at least three turns, because they
    /// alternate.
    fn max_lead(seats: usize) -> u64 {
        if seats > 2 {
            return Self::max_points(seats);
        }
        POINTS_PER_WIN
            + POINTS_PER_TURN * (MAX_TURNS / 3 + 1)
            + POINTS_PER_DIE * u64::from(INITIAL_DICE)
    }
}
