//! A bid as it looks to somebody who holds some of the dice.

use std::sync::LazyLock;

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Bid, Position};

use super::odds::{MOST_DICE, fair_chance, fair_tail};

/// Classes of how far a player can trust a bid, from impossible to certain.
pub(super) const TRUSTS: usize = 12;
/// Classes of how much of a face a hand holds, from far below its share to far above.
pub(super) const SUPPORTS: usize = 7;
/// From which chance on a bid that is neither impossible nor certain is in the next class of trust.
const TRUST_BOUNDS: [f64; TRUSTS - 3] = [0.02, 0.08, 0.18, 0.3, 0.42, 0.55, 0.7, 0.85, 0.97];
/// From how many standard deviations above its share on a hand is in the next class of support.
const SUPPORT_BOUNDS: [f64; SUPPORTS - 1] = [-1.2, -0.6, 0.0, 0.6, 1.2, 1.8];

/// How a bid came about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Manner {
    /// The first of its round.
    Opening,
    /// On the face of the bid before it.
    SameFace,
    /// As low as possible, on another face.
    Lowest,
    /// Higher than it had to be, on another face.
    Jump,
}

impl Manner {
    pub(super) const ALL: [Self; 4] = [Self::Opening, Self::SameFace, Self::Lowest, Self::Jump];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::SameFace => "same-face",
            Self::Lowest => "lowest",
            Self::Jump => "jump",
        }
    }

    pub(super) fn of(bid: Bid, before: Option<Bid>) -> Self {
        match before {
            None => Self::Opening,
            Some(before) if before.face() == bid.face() => Self::SameFace,
            Some(before) if bid.count() == lowest(Some(before), bid.face()) => Self::Lowest,
            Some(_) => Self::Jump,
        }
    }
}

/// The lowest count that may be bid on a face after a bid.
pub(super) fn lowest(before: Option<Bid>, face: Face) -> u32 {
    before.map_or(1, |before| before.count() + u32::from(face <= before.face()))
}

/// A bid and a hand that weighs it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Claim {
    /// What is bid, at most 26: no table has more dice than 25.
    pub(super) count: u8,
    pub(super) on_ones: bool,
    /// Dice of the hand.
    pub(super) dice: u8,
    /// Dice on the table, those of the hand included.
    pub(super) all: u8,
    pub(super) company: Company,
}

/// How many sit at the table: among two, whoever does not call is bid against at once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Company {
    /// Two.
    Two,
    /// Three or more.
    More,
}

impl Company {
    pub(super) const ALL: [Self; 2] = [Self::Two, Self::More];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Two => "two",
            Self::More => "more",
        }
    }

    pub(super) const fn of(players: usize) -> Self {
        if players == 2 { Self::Two } else { Self::More }
    }
}

impl Claim {
    /// A bid at a table with these dice, weighed at one of its positions.
    pub(super) fn new(bid: Bid, counts: &[u8], position: Position) -> Self {
        let all: u32 = counts.iter().map(|count| u32::from(*count)).sum();
        let count = bid.count().min(MOST_DICE as u32 + 1) as u8;
        let (dice, company) = (counts[position], Company::of(counts.len()));
        Self { count, on_ones: bid.face() == Face::ONE, dice, all: all as u8, company }
    }

    /// A face of the kind that is bid on.
    pub(super) const fn face(self) -> Face {
        if self.on_ones { Face::ONE } else { Face::SIX }
    }

    /// The class of trust of a hand of which `held` dice count for the bid.
    pub(super) fn trust(self, held: usize) -> usize {
        let needed = usize::from(self.count).saturating_sub(held);
        usize::from(trusts(self.face(), usize::from(self.all - self.dice))[needed])
    }

    /// The class of support of a hand of which `held` dice count for the bid.
    pub(super) fn support(self, held: usize) -> usize {
        usize::from(CLASSES.support[usize::from(self.on_ones)][usize::from(self.dice)][held])
    }
}

/// A class for each number of dice, 0 to 26.
pub(super) type ByDice = [u8; MOST_DICE + 2];

/// All classes, since every turn asks for many.
struct Classes {
    /// Of plain faces and ones, by unseen dice, by needed dice.
    trust: [[ByDice; MOST_DICE + 1]; 2],
    /// Of plain faces and ones, by dice of the hand, by those that count.
    support: [[ByDice; MOST_DICE + 1]; 2],
}

static CLASSES: LazyLock<Classes> = LazyLock::new(|| {
    let all = |class: fn(Face, usize, usize) -> usize| {
        [Face::SIX, Face::ONE].map(|face| {
            std::array::from_fn(|dice| std::array::from_fn(|of| class(face, dice, of) as u8))
        })
    };
    Classes { trust: all(trust), support: all(support) }
});

/// The class of trust of a hand that lacks so many dice for a bid, from 0, of so many that it does not see.
pub(super) fn trusts(face: Face, unseen: usize) -> &'static ByDice {
    &CLASSES.trust[usize::from(face == Face::ONE)][unseen]
}

fn trust(face: Face, unseen: usize, needed: usize) -> usize {
    if needed == 0 {
        return TRUSTS - 1;
    }
    if needed > unseen {
        return 0;
    }
    let chance = fair_tail(unseen, face).at_least(needed as u32);
    1 + TRUST_BOUNDS.iter().filter(|bound| chance >= **bound).count()
}

fn support(face: Face, dice: usize, held: usize) -> usize {
    let (dice, chance) = (dice as f64, fair_chance(face));
    let deviation = (dice * chance * (1.0 - chance)).sqrt();
    let above = (held as f64 - dice * chance) / deviation;
    SUPPORT_BOUNDS.iter().filter(|bound| above >= **bound).count()
}
