//! The public tree of a round within limits.

pub(crate) mod actions;
pub(crate) mod limits;
pub(crate) mod public_state;
pub(crate) mod subtree_size;

use crate::liars_dice::game::hands::Hands;
use crate::liars_dice::game::round::{BidIndex, Round, Side, bid_count, bid_face};
use crate::liars_dice::tree::actions::{LegalActions, LegalBid};
use crate::liars_dice::tree::limits::TreeLimits;
use crate::liars_dice::tree::public_state::PublicState;
use crate::liars_dice::tree::subtree_size::SubtreeSize;

/// The public tree of a round within [`TreeLimits`]. Single histories are not stored: legal actions and
/// subtree sizes depend only on the number of bids and the last bid.
#[derive(Clone, Debug)]
pub struct Tree {
    round: Round,
    limits: TreeLimits,
    min_reach: f32,
    hands: [Hands; 2],
    /// By number of bids and last bid.
    legal_actions: Vec<Vec<LegalActions>>,
    sizes: Vec<Vec<SubtreeSize>>,
    /// Sizes of the trunk: the part with fewer than [`TRUNK_BIDS`] bids.
    trunk: Vec<Vec<SubtreeSize>>,
}

/// With more dice, an uncertified player best-responds at final decisions without storing regrets,
/// which takes a third of the memory. With this many or fewer the tables fit, and regrets lead to
/// the same exploitability in half the time.
const MAX_DICE_WITH_REGRETS: u8 = 6;
/// By maximum number of dice: reach probabilities below this are pruned. With three dice each, 1e-5
/// takes a fifth less time than 1e-7 for equally tight bounds, while 1e-4 doubles the gap. Fewer
/// dice are solved more precisely; with more dice, single hands are that rare.
const MIN_REACH: [(u8, f32); 3] = [(3, 1e-7), (6, 1e-5), (10, 1e-6)];
/// The number of bids before a subgame.
pub(crate) const TRUNK_BIDS: usize = 2;

impl Tree {
    /// The tree of `round` within `limits`.
    #[must_use]
    pub fn new(round: Round, limits: TreeLimits) -> Self {
        let hands = Side::BOTH.map(|side| Hands::with_wild(round.dice(side), round.wild()));
        let (legal_actions, sizes) = (Vec::new(), Vec::new());
        let min_reach = MIN_REACH.into_iter().find(|(dice, _)| round.all_dice() <= *dice);
        let min_reach = min_reach.map_or(0.0, |(_, min_reach)| min_reach);
        let mut tree =
            Self { round, limits, min_reach, hands, legal_actions, sizes, trunk: Vec::new() };
        tree.legal_actions = tree.table(Self::find_legal_actions);
        tree.sizes = tree.measure(usize::MAX);
        tree.trunk = tree.measure(TRUNK_BIDS);
        tree
    }

    /// The round.
    #[must_use]
    pub const fn round(&self) -> Round {
        self.round
    }

    /// The limits of the tree.
    #[must_use]
    pub const fn limits(&self) -> TreeLimits {
        self.limits
    }

    /// The hands of a player.
    #[must_use]
    pub const fn hands(&self, side: Side) -> &Hands {
        &self.hands[side.index()]
    }

    /// The number of histories at which a player acts.
    #[must_use]
    pub fn histories(&self) -> usize {
        let [starter, responder] = self.subtree_size(PublicState::ROOT).histories;
        starter.saturating_add(responder)
    }

    /// The number of information sets of a player: histories at which it acts times its hands.
    #[must_use]
    pub fn information_sets(&self, side: Side) -> usize {
        let histories = self.subtree_size(PublicState::ROOT).histories[side.index()];
        histories.saturating_mul(self.hands(side).count())
    }

    /// The memory that a [`Learner`](super::Learner) of this tree needs, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let size = self.subtree_size(PublicState::ROOT);
        let bytes = |side: Side| {
            let numbers = if self.certifies(side) { 3 } else { 2 };
            let rows = size.action_rows[side.index()].saturating_mul(4 * numbers);
            rows.saturating_add(size.final_decisions[side.index()]).saturating_mul(self.width(side))
        };
        bytes(Side::Starter).saturating_add(bytes(Side::Responder))
    }

    pub(crate) fn width(&self, side: Side) -> usize {
        self.hands[side.index()].width()
    }

    #[inline(always)]
    pub(crate) fn legal_actions(&self, state: PublicState) -> &LegalActions {
        &self.legal_actions[state.bids][state.index()]
    }

    #[inline(always)]
    pub(crate) fn subtree_size(&self, state: PublicState) -> SubtreeSize {
        self.sizes[state.bids][state.index()]
    }

    #[inline(always)]
    pub(crate) fn trunk_size(&self, state: PublicState) -> SubtreeSize {
        self.trunk[state.bids][state.index()]
    }

    /// The length of the longest history, in bids.
    pub(crate) fn depth(&self) -> usize {
        self.legal_actions.len()
    }

    /// Whether the tree certifies `side`: the limits apply to it, and its strategy has an exact guarantee in the whole game.
    pub(crate) fn certifies(&self, side: Side) -> bool {
        self.limits.certified.is_none_or(|certified| certified == side)
    }

    /// Reach probabilities below this are pruned.
    #[inline(always)]
    pub(crate) const fn min_reach(&self) -> f32 {
        self.min_reach
    }

    /// Whether the limits make the side to act call `bid`, the last of `bids` bids.
    pub(crate) fn must_call(&self, bids: usize, bid: BidIndex) -> bool {
        self.certifies(Side::to_act(bids))
            && (bids >= self.limits.max_bids || bid_count(bid) >= self.limits.call_from)
    }

    fn find_legal_actions(&self, state: PublicState) -> LegalActions {
        let first = state.last.map_or(0, |last| last + 1);
        let highest = self.round.bids() as BidIndex - 1;
        let mut called_faces = [false; 6];
        let mut bids = Vec::new();
        for bid in first..=highest {
            let is_called = self.must_call(state.bids + 1, bid);
            let is_dominated =
                is_called && std::mem::replace(&mut called_faces[bid_face(bid)], is_called);
            if !is_dominated && self.allows(state.actor(), bid) {
                bids.push(LegalBid { index: bid, is_called: is_called || bid == highest });
            }
        }
        let is_final = !self.certifies(state.actor())
            && self.round.all_dice() > MAX_DICE_WITH_REGRETS
            && bids.iter().all(|legal_bid: &LegalBid| legal_bid.is_called);
        LegalActions { can_call: state.last.is_some(), bids, is_final }
    }

    fn allows(&self, side: Side, bid: BidIndex) -> bool {
        !self.certifies(side) || self.limits.own_bids >> bid & 1 == 1
    }

    /// A table by number of bids and last bid.
    fn table<T>(&self, of: impl Fn(&Self, PublicState) -> T) -> Vec<Vec<T>> {
        let bids = self.round.bids();
        let most = self.limits.max_bids.saturating_add(1).min(bids);
        let row = |bids_made: usize| {
            let state = |last: usize| {
                let last = last.checked_sub(1).map(|bid| bid as BidIndex);
                of(self, PublicState { bids: bids_made, last })
            };
            (0..=bids).map(state).collect()
        };
        (0..=most).map(row).collect()
    }

    /// The size of the subtree at each public state, down to `split` bids.
    fn measure(&self, split: usize) -> Vec<Vec<SubtreeSize>> {
        let bids = self.round.bids();
        let mut sizes = vec![vec![SubtreeSize::default(); bids + 1]; self.legal_actions.len()];
        for bids_made in (0..self.legal_actions.len()).rev() {
            for row in (0..=bids).rev() {
                let last = row.checked_sub(1).map(|bid| bid as BidIndex);
                let state = PublicState { bids: bids_made, last };
                sizes[bids_made][row] = self.measure_state(state, split, &sizes);
            }
        }
        sizes
    }

    fn measure_state(
        &self,
        state: PublicState,
        split: usize,
        below: &[Vec<SubtreeSize>],
    ) -> SubtreeSize {
        if state.bids >= split {
            return SubtreeSize { subgames: 1, ..SubtreeSize::default() };
        }
        let legal_actions = self.legal_actions(state);
        let mut size = SubtreeSize::default();
        if legal_actions.is_final {
            size.final_decisions[state.actor().index()] = 1;
        } else {
            size.action_rows[state.actor().index()] = legal_actions.count();
        }
        size.histories[state.actor().index()] = 1;
        for legal_bid in legal_actions.bids.iter().filter(|legal_bid| !legal_bid.is_called) {
            let next = state.after(legal_bid.index);
            let known = below.get(next.bids).map(|row| row[next.index()]);
            size.add(known.unwrap_or_default());
        }
        size
    }
}
