//! The histories of bids that are looked at, and how much room their decisions take.

pub(crate) mod actions;
pub(crate) mod limits;
pub(crate) mod public_state;
pub(crate) mod subtree_size;

use crate::liars_dice::game::hands::Hands;
use crate::liars_dice::game::round::{Round, Side, Step, count, face};
use crate::liars_dice::tree::actions::{Choice, Choices};
use crate::liars_dice::tree::limits::Limits;
use crate::liars_dice::tree::public_state::Place;
use crate::liars_dice::tree::subtree_size::Extent;

/// The part of a round that is looked at. Nothing is kept of single histories: what may be done, and how much is below, depend on the
/// number of bids and the last of them alone.
#[derive(Clone, Debug)]
pub struct Tree {
    round: Round,
    limits: Limits,
    least: f32,
    hands: [Hands; 2],
    /// By number of bids and last bid.
    choices: Vec<Vec<Choices>>,
    extents: Vec<Vec<Extent>>,
    /// Of the places with fewer bids than [`TRUNK_BIDS`] alone.
    trunk: Vec<Vec<Extent>>,
}

/// With more dice on the table whoever is not certified closes a round with its best choice, without regrets, which takes a third of the
/// memory; with so few that fits, and regrets lead to the same exploitability in half the time.
const FEW_DICE: u8 = 6;
/// Up to so many dice, chances below these are none. With three dice each, 1e-5 takes a fifth less time than 1e-7 and the bounds are
/// as close, while 1e-4 doubles what they miss. Few dice are solved more closely, and with many dice single hands are as rare.
const LEAST: [(u8, f32); 3] = [(3, 1e-7), (6, 1e-5), (10, 1e-6)];
/// Bids before a block begins.
pub(crate) const TRUNK_BIDS: usize = 2;

impl Tree {
    /// The part of `round` within `limits`.
    #[must_use]
    pub fn new(round: Round, limits: Limits) -> Self {
        let hands = Side::BOTH.map(|side| Hands::new(round.dice(side), round.wild()));
        let (choices, extents) = (Vec::new(), Vec::new());
        let least = LEAST.into_iter().find(|(dice, _)| round.all_dice() <= *dice);
        let least = least.map_or(0.0, |(_, least)| least);
        let mut tree = Self { round, limits, least, hands, choices, extents, trunk: Vec::new() };
        tree.choices = tree.table(Self::find_choices);
        tree.extents = tree.measure(usize::MAX);
        tree.trunk = tree.measure(TRUNK_BIDS);
        tree
    }

    /// The round.
    #[must_use]
    pub const fn round(&self) -> Round {
        self.round
    }

    /// The limits.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// The hands of a player.
    #[must_use]
    pub const fn hands(&self, side: Side) -> &Hands {
        &self.hands[side.index()]
    }

    /// Histories at which somebody has a choice.
    #[must_use]
    pub fn histories(&self) -> usize {
        let places = self.extent(Place::ROOT).places;
        places[0].saturating_add(places[1])
    }

    /// Decisions of a player that can be told apart: histories at which it acts, times its hands.
    #[must_use]
    pub fn information_sets(&self, side: Side) -> usize {
        let places = self.extent(Place::ROOT).places[side.index()];
        places.saturating_mul(self.hands(side).count())
    }

    /// What a [`Learner`](super::Learner) of this tree takes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let extent = self.extent(Place::ROOT);
        let bytes = |side: Side| {
            let numbers = if self.certifies(side) { 3 } else { 2 };
            let rows = extent.rows[side.index()].saturating_mul(4 * numbers);
            rows.saturating_add(extent.answers[side.index()]).saturating_mul(self.width(side))
        };
        bytes(Side::Starter).saturating_add(bytes(Side::Responder))
    }

    pub(crate) fn width(&self, side: Side) -> usize {
        self.hands[side.index()].width()
    }

    #[inline(always)]
    pub(crate) fn choices(&self, place: Place) -> &Choices {
        &self.choices[place.bids][place.row()]
    }

    #[inline(always)]
    pub(crate) fn extent(&self, place: Place) -> Extent {
        self.extents[place.bids][place.row()]
    }

    #[inline(always)]
    pub(crate) fn trunk_extent(&self, place: Place) -> Extent {
        self.trunk[place.bids][place.row()]
    }

    /// The most bids that are made one after the other.
    pub(crate) fn depth(&self) -> usize {
        self.choices.len()
    }

    /// Whether this player's strategy is exact in the whole game.
    pub(crate) fn certifies(&self, side: Side) -> bool {
        self.limits.certified.is_none_or(|certified| certified == side)
    }

    /// Histories to which a hand comes with a lower chance are not looked at.
    #[inline(always)]
    pub(crate) const fn least(&self) -> f32 {
        self.least
    }

    /// Whether the limits are this player's.
    fn binds(&self, side: Side) -> bool {
        self.limits.certified.is_none_or(|certified| certified == side)
    }

    /// Whether who acts has bound itself to call `step`, the last of `bids` bids.
    pub(crate) fn is_called(&self, bids: usize, step: Step) -> bool {
        self.binds(Side::after(bids))
            && (bids >= self.limits.most_bids || count(step) >= self.limits.call_from)
    }

    fn find_choices(&self, place: Place) -> Choices {
        let first = place.last.map_or(0, |last| last + 1);
        let highest = self.round.bids() as Step - 1;
        let mut called_faces = [false; 6];
        let mut bids = Vec::new();
        for step in first..=highest {
            let is_called = self.is_called(place.bids + 1, step);
            let is_beaten =
                is_called && std::mem::replace(&mut called_faces[face(step)], is_called);
            if !is_beaten && self.allows(place.actor(), step) {
                bids.push(Choice { step, is_called: is_called || step == highest });
            }
        }
        let is_certified = self.limits.certified.is_none_or(|side| side == place.actor());
        let is_closing = !is_certified
            && self.round.all_dice() > FEW_DICE
            && bids.iter().all(|choice: &Choice| choice.is_called);
        Choices { may_call: place.last.is_some(), bids, is_closing }
    }

    fn allows(&self, side: Side, step: Step) -> bool {
        !self.binds(side) || self.limits.own_bids >> step & 1 == 1
    }

    /// Something for each number of bids and each last bid.
    fn table<T>(&self, of: impl Fn(&Self, Place) -> T) -> Vec<Vec<T>> {
        let bids = self.round.bids();
        let most = self.limits.most_bids.saturating_add(1).min(bids);
        let row = |made: usize| {
            let place = |last: usize| {
                let last = last.checked_sub(1).map(|step| step as Step);
                of(self, Place { bids: made, last })
            };
            (0..=bids).map(place).collect()
        };
        (0..=most).map(row).collect()
    }

    /// What is below each place, as far as fewer bids than `split` have been made.
    fn measure(&self, split: usize) -> Vec<Vec<Extent>> {
        let bids = self.round.bids();
        let mut extents = vec![vec![Extent::default(); bids + 1]; self.choices.len()];
        for made in (0..self.choices.len()).rev() {
            for row in (0..=bids).rev() {
                let last = row.checked_sub(1).map(|step| step as Step);
                let place = Place { bids: made, last };
                extents[made][row] = self.measure_one(place, split, &extents);
            }
        }
        extents
    }

    fn measure_one(&self, place: Place, split: usize, below: &[Vec<Extent>]) -> Extent {
        if place.bids >= split {
            return Extent { blocks: 1, ..Extent::default() };
        }
        let choices = self.choices(place);
        let mut extent = Extent::default();
        if choices.is_closing {
            extent.answers[place.actor().index()] = 1;
        } else {
            extent.rows[place.actor().index()] = choices.count();
        }
        extent.places[place.actor().index()] = 1;
        for choice in choices.bids.iter().filter(|choice| !choice.is_called) {
            let next = place.after(choice.step);
            let known = below.get(next.bids).map(|row| row[next.row()]);
            extent.add(known.unwrap_or_default());
        }
        extent
    }
}
