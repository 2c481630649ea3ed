//! Pig: roll and add up, or hold and bank; a one loses the turn total.
//!
//! A folk game, first described by John Scarne in "Scarne on Dice", 1945. This module is
//! everything that a further game needs.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use dicehill_arena::{Barring, Challenge, Seating, TournamentGame};
use dicehill_rules::{
    Dice, Face, Figure, Forfeit, Game, MAX_FIGURES, PublicInfo, Seat, SeatResult, Summary,
};

/// The variants of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum PigRules {
    /// The first player to reach 100 wins.
    #[default]
    Hundred,
    /// The first player to reach 40 wins.
    Forty,
}

impl PigRules {
    const fn target(self) -> u32 {
        match self {
            Self::Hundred => 100,
            Self::Forty => 40,
        }
    }
}

impl fmt::Display for PigRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Hundred => "hundred",
            Self::Forty => "forty",
        })
    }
}

/// An action of the player to act.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// Roll the die.
    Roll,
    /// Bank the turn total.
    Hold,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Roll => "roll",
            Self::Hold => "hold",
        })
    }
}

/// A text that is not an action.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither \"roll\" nor \"hold\"")]
pub(crate) struct ParseActionError(String);

impl FromStr for Action {
    type Err = ParseActionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "roll" => Ok(Self::Roll),
            "hold" => Ok(Self::Hold),
            other => Err(ParseActionError(other.to_owned())),
        }
    }
}

/// Why an action was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// A turn begins with a roll.
    #[error("nothing to hold before the first roll")]
    NothingToHold,
    /// The game is over.
    #[error("the game has ended")]
    Ended,
}

/// The state of a game of Pig.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pig {
    rules: PigRules,
    /// Banked points by seat.
    scores: Vec<u32>,
    /// Number of rolls by seat.
    rolls: Vec<u64>,
    seat: u16,
    /// From 1; each seat has one turn per round.
    round: u32,
    /// Rolls of this turn; each but the last was at least two.
    roll: u8,
    /// The turn total so far.
    turn_total: u32,
}

/// The view of the player to act.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    /// The turn total so far.
    pub(crate) turn_total: u32,
    /// The player's own seat.
    pub(crate) you: Seat,
    /// Banked points by seat.
    pub(crate) scores: &'a [u32],
}

impl Pig {
    /// The number of seats at the table.
    pub(crate) fn seats(&self) -> usize {
        self.scores.len()
    }

    fn check(&self, action: &Action) -> Result<(), Refusal> {
        match action {
            _ if self.has_ended() => Err(Refusal::Ended),
            Action::Hold if self.turn_total == 0 => Err(Refusal::NothingToHold),
            Action::Roll | Action::Hold => Ok(()),
        }
    }

    fn roll<D: Dice>(&mut self, dice: &D) {
        let mut die = [Face::ONE];
        dice.roll(Seat::new(self.seat), self.round, self.roll, &mut die);
        self.roll += 1;
        let seat = usize::from(self.seat);
        self.rolls[seat] += 1;
        if die[0] == Face::ONE {
            self.turn_total = 0;
            self.hold();
        } else {
            self.turn_total += u32::from(die[0].pips());
            if self.scores[seat] + self.turn_total >= self.rules.target() {
                self.hold();
            }
        }
    }

    fn hold(&mut self) {
        self.scores[usize::from(self.seat)] += self.turn_total;
        self.turn_total = 0;
        self.roll = 0;
        self.seat += 1;
        if usize::from(self.seat) == self.scores.len() {
            self.seat = 0;
            self.round += 1;
        }
    }
}

impl Game for Pig {
    type Rules = PigRules;
    type Action = Action;
    type Refusal = Refusal;
    type View<'a> = View<'a>;

    const NAME: &'static str = "pig";
    const TITLE: &'static str = "Pig";
    const SEATS: RangeInclusive<usize> = 2..=6;
    const FIGURES: &'static [Figure] = &[
        Figure { name: "banked", summary: Summary::Distribution },
        Figure { name: "rolls", summary: Summary::Total },
    ];
    const RULES: &'static [PigRules] = &[PigRules::Hundred, PigRules::Forty];

    fn new<D: Dice>(rules: PigRules, seats: usize, _dice: &D) -> Self {
        assert!(Self::SEATS.contains(&seats), "2 to 6 seats, not {seats}");
        let (scores, rolls) = (vec![0; seats], vec![0; seats]);
        Self { rules, scores, rolls, seat: 0, round: 1, roll: 0, turn_total: 0 }
    }

    fn has_ended(&self) -> bool {
        self.scores.iter().any(|score| *score >= self.rules.target())
    }

    fn to_act(&self) -> Option<Seat> {
        (!self.has_ended()).then(|| Seat::new(self.seat))
    }

    fn view<'a>(&'a self, _public: &'a PublicInfo<'a>) -> Option<View<'a>> {
        let you = self.to_act()?;
        Some(View { turn_total: self.turn_total, you, scores: &self.scores })
    }

    fn legal_actions(&self) -> impl Iterator<Item = Action> + '_ {
        [Action::Roll, Action::Hold].into_iter().filter(|action| self.check(action).is_ok())
    }

    fn apply<D: Dice>(&mut self, action: &Action, dice: &D) -> Result<(), Refusal> {
        self.check(action)?;
        match action {
            Action::Roll => self.roll(dice),
            Action::Hold => self.hold(),
        }
        Ok(())
    }

    /// Voids the game; the state stays unchanged.
    fn forfeit<D: Dice>(&mut self, _dice: &D) -> Forfeit {
        Forfeit::Void
    }

    /// A point for the winner; the figures are the banked points and the number of rolls.
    fn result(&self, seat: Seat) -> SeatResult {
        let score = self.scores[seat.index()];
        let won = score >= self.rules.target();
        let mut figures = [0; MAX_FIGURES];
        figures[..2].copy_from_slice(&[u64::from(score), self.rolls[seat.index()]]);
        SeatResult { points: u64::from(won), won, figures }
    }

    fn max_points(_seats: usize) -> u64 {
        1
    }
}

impl TournamentGame for Pig {
    const CHALLENGE: Challenge = Challenge {
        seating: Seating::Everyone,
        ties_played_off: true,
        barring: Barring::FirstOffence,
        votes_count: false,
    };
}
