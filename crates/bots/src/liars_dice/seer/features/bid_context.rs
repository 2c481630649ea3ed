//! A bid as a player with a hand sees it: the features that `seer` learns from.

use std::sync::LazyLock;

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Bid, Position};

use crate::liars_dice::count_distribution::MAX_DICE;
use crate::liars_dice::fair_dice::{fair_chance, fair_tail};

/// Number of trust bins. Trust is the probability that a bid holds given the player's own dice. Bin 0 is impossible, the last is certain.
pub(crate) const TRUST_BINS: usize = 12;
/// Number of support bins. Support is the number of dice in a hand that count for a face, as a z-score against fair dice, ascending.
pub(crate) const SUPPORT_BINS: usize = 7;
/// Lower bounds of the trust bins between impossible and certain, from the second on.
const TRUST_BOUNDS: [f64; TRUST_BINS - 3] = [0.02, 0.08, 0.18, 0.3, 0.42, 0.55, 0.7, 0.85, 0.97];
/// Lower bounds of the support bins in standard deviations, from the second on.
const SUPPORT_BOUNDS: [f64; SUPPORT_BINS - 1] = [-1.2, -0.6, 0.0, 0.6, 1.2, 1.8];

/// How a bid relates to the bid before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum BidKind {
    /// The first bid of a round.
    Opening,
    /// On the face of the bid before it.
    SameFace,
    /// As low as legal, on another face.
    Lowest,
    /// Higher than necessary, on another face.
    Jump,
}

impl BidKind {
    pub(crate) const ALL: [Self; 4] = [Self::Opening, Self::SameFace, Self::Lowest, Self::Jump];

    /// The name in the parameter file.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::SameFace => "same-face",
            Self::Lowest => "lowest",
            Self::Jump => "jump",
        }
    }

    pub(crate) fn of(bid: Bid, before: Option<Bid>) -> Self {
        match before {
            None => Self::Opening,
            Some(before) if before.face() == bid.face() => Self::SameFace,
            Some(before) if bid.count() == lowest_count(Some(before), bid.face()) => Self::Lowest,
            Some(_) => Self::Jump,
        }
    }
}

/// The lowest legal count of a bid on `face` after the bid `before`.
pub(crate) fn lowest_count(before: Option<Bid>, face: Face) -> u32 {
    before.map_or(1, |before| before.count() + u32::from(face <= before.face()))
}

/// A bid, seen by one player: its own hand size and the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct BidContext {
    /// The count of the bid, capped at 26: no table has more than 25 dice.
    pub(crate) count: u8,
    pub(crate) on_ones: bool,
    /// Dice in the player's hand.
    pub(crate) dice: u8,
    /// Dice on the table, including the hand.
    pub(crate) all: u8,
    pub(crate) table_size: TableSize,
}

/// Whether there are two players or more. With two, the next player after a raise is the bidder again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum TableSize {
    /// Two players.
    Two,
    /// Three or more players.
    More,
}

impl TableSize {
    pub(crate) const ALL: [Self; 2] = [Self::Two, Self::More];

    /// The name in the parameter file.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Two => "two",
            Self::More => "more",
        }
    }

    pub(crate) const fn of(players: usize) -> Self {
        if players == 2 { Self::Two } else { Self::More }
    }
}

impl BidContext {
    /// The bid as the player at `position` sees it; `counts` has the dice of each player.
    pub(crate) fn new(bid: Bid, counts: &[u8], position: Position) -> Self {
        let all: u32 = counts.iter().map(|count| u32::from(*count)).sum();
        let count = bid.count().min(MAX_DICE as u32 + 1) as u8;
        let (dice, table_size) = (counts[position], TableSize::of(counts.len()));
        Self { count, on_ones: bid.face() == Face::ONE, dice, all: all as u8, table_size }
    }

    /// A face with the same odds as the face of the bid.
    pub(crate) const fn face(self) -> Face {
        if self.on_ones { Face::ONE } else { Face::SIX }
    }

    /// The trust bin of a hand of which `held` dice count for the bid.
    pub(crate) fn trust_bin(self, held: usize) -> usize {
        let needed = usize::from(self.count).saturating_sub(held);
        usize::from(trust_bins(self.face(), usize::from(self.all - self.dice))[needed])
    }

    /// The support bin of a hand of which `held` dice count for the bid.
    pub(crate) fn support_bin(self, held: usize) -> usize {
        usize::from(BINS.support[usize::from(self.on_ones)][usize::from(self.dice)][held])
    }
}

/// A bin for each number of dice, 0 to 26.
pub(crate) type BinByDice = [u8; MAX_DICE + 2];

/// All bins, computed once: every turn looks up many.
struct Bins {
    /// For non-wild faces and for ones, by hidden dice, by needed dice.
    trust: [[BinByDice; MAX_DICE + 1]; 2],
    /// For non-wild faces and for ones, by dice in the hand, by dice that count.
    support: [[BinByDice; MAX_DICE + 1]; 2],
}

static BINS: LazyLock<Bins> = LazyLock::new(|| {
    let table = |bin: fn(Face, usize, usize) -> usize| {
        [Face::SIX, Face::ONE].map(|face| {
            std::array::from_fn(|dice| std::array::from_fn(|of| bin(face, dice, of) as u8))
        })
    };
    Bins { trust: table(trust_bin), support: table(support_bin) }
});

/// The trust bins of a bid on `face` for a player that does not see `hidden` dice, by the number of those dice that the bid needs.
pub(crate) fn trust_bins(face: Face, hidden: usize) -> &'static BinByDice {
    &BINS.trust[usize::from(face == Face::ONE)][hidden]
}

fn trust_bin(face: Face, hidden: usize, needed: usize) -> usize {
    if needed == 0 {
        return TRUST_BINS - 1;
    }
    if needed > hidden {
        return 0;
    }
    let chance = fair_tail(hidden, face).at_least(needed as u32);
    1 + TRUST_BOUNDS.iter().filter(|bound| chance >= **bound).count()
}

fn support_bin(face: Face, dice: usize, held: usize) -> usize {
    let (dice, chance) = (dice as f64, fair_chance(face));
    let deviation = (dice * chance * (1.0 - chance)).sqrt();
    let above = (held as f64 - dice * chance) / deviation;
    SUPPORT_BOUNDS.iter().filter(|bound| above >= **bound).count()
}
