//! The probability of each position and score.

use dicehill_rules::yahtzee::CategorySet;

use crate::yahtzee::distribution::transition::Transition;
use crate::yahtzee::game::position::Position;
use crate::yahtzee::values::table::{BonusState, bonus_out_of_reach_below};

/// Position indices with the same free boxes: the upper total, plus 64 if the Yahtzee box holds 50.
const POSITIONS: usize = 128;
/// The possible numbers of bonuses for further Yahtzees: at most one for each turn except that of
/// the first Yahtzee.
pub(crate) const BONUSES: usize = 13;

/// Probabilities below this are dropped at both ends of a band.
///
/// A final score with some probability is never reached by a less probable state, so the
/// probability dropped from a score is at most this for each of 360,000 positions and some 300
/// totals.
const NEGLIGIBLE: f64 = 1e-26;

/// A position that optimal play reaches.
pub(crate) struct ReachedPosition {
    pub(crate) state: BonusState,
    /// The probability that a game reaches it.
    pub(crate) chance: f64,
    /// The lowest and the highest points with which it is reached, including bonuses for further
    /// Yahtzees.
    pub(crate) lowest: u16,
    pub(crate) highest: u16,
    /// The range of its bands.
    bands: [u32; 2],
}

/// The probabilities of a position with some number of bonuses, by points without these bonuses.
#[derive(Clone, Copy)]
pub(crate) struct ScoreBand {
    pub(crate) bonuses: u8,
    /// The points of the first probability.
    pub(crate) low: u16,
    len: u16,
    begin: u32,
}

/// The reachable positions with the same free boxes, with the probabilities of their scores.
#[derive(Default)]
pub(crate) struct ScoreMass {
    pub(crate) positions: Vec<ReachedPosition>,
    bands: Vec<ScoreBand>,
    chances: Vec<f64>,
}

/// Transitions to the same free boxes from one set of free boxes.
pub(crate) struct TransitionSource<'a> {
    pub(crate) mass: &'a ScoreMass,
    pub(crate) transitions: &'a [Transition],
}

/// The range in which the probabilities of a position and number of bonuses are accumulated.
#[derive(Clone, Copy)]
struct BandRange {
    low: u16,
    /// The end of the range; 0 if it is empty.
    end: u16,
    begin: u32,
}

/// Accumulates the score mass of positions with the same free boxes. The buffers are reused.
pub(crate) struct MassAccumulator {
    ranges: Vec<[BandRange; BONUSES]>,
    positions: Vec<ReachedPosition>,
    chances: Vec<f64>,
}

impl ScoreMass {
    /// A single position that is reached with probability 1.
    pub(crate) fn of(position: Position, state: BonusState) -> Self {
        debug_assert_eq!(position.upper(), state.upper, "totals out of reach are one");
        let position = ReachedPosition { state, chance: 1.0, lowest: 0, highest: 0, bands: [0, 1] };
        let band = ScoreBand { bonuses: 0, low: 0, len: 1, begin: 0 };
        Self { positions: vec![position], bands: vec![band], chances: vec![1.0] }
    }

    pub(crate) fn bands(&self, position: &ReachedPosition) -> &[ScoreBand] {
        let [begin, end] = position.bands.map(|at| at as usize);
        &self.bands[begin..end]
    }

    pub(crate) fn chances(&self, band: ScoreBand) -> &[f64] {
        &self.chances[band.begin as usize..][..usize::from(band.len)]
    }
}

/// The index of a position among those with the same free boxes.
#[inline(always)]
fn index(state: BonusState, bonus_out_of_reach_below: u8) -> usize {
    let upper = if state.upper < bonus_out_of_reach_below { 0 } else { state.upper };
    usize::from(upper) + usize::from(state.has_yahtzee) * (POSITIONS / 2)
}

impl MassAccumulator {
    const NOTHING: BandRange = BandRange { low: u16::MAX, end: 0, begin: 0 };

    pub(crate) fn new() -> Self {
        Self {
            ranges: vec![[Self::NOTHING; BONUSES]; POSITIONS],
            positions: Vec::new(),
            chances: Vec::new(),
        }
    }

    /// The score mass of the positions with these free boxes.
    #[inline(always)]
    pub(crate) fn accumulate(
        &mut self,
        free: CategorySet,
        sources: &[TransitionSource<'_>],
    ) -> ScoreMass {
        let out_of_reach = bonus_out_of_reach_below(free);
        self.find_ranges(out_of_reach, sources);
        for TransitionSource { mass, transitions } in sources {
            for transition in *transitions {
                self.add(mass, transition, index(transition.to, out_of_reach));
            }
        }
        self.keep()
    }

    /// Finds the ranges that transitions lead to, and clears the buffers.
    #[inline(always)]
    fn find_ranges(&mut self, out_of_reach: u8, sources: &[TransitionSource<'_>]) {
        self.ranges.fill([Self::NOTHING; BONUSES]);
        self.positions.clear();
        for index in 0..POSITIONS {
            let state = BonusState {
                upper: (index % (POSITIONS / 2)) as u8,
                has_yahtzee: index >= POSITIONS / 2,
            };
            let position =
                ReachedPosition { state, chance: 0.0, lowest: u16::MAX, highest: 0, bands: [0, 0] };
            self.positions.push(position);
        }
        for TransitionSource { mass, transitions } in sources {
            for transition in *transitions {
                self.widen(mass, transition, index(transition.to, out_of_reach));
            }
        }
        let mut begin = 0;
        for range in self.ranges.iter_mut().flatten().filter(|range| range.end > 0) {
            range.begin = begin;
            begin += u32::from(range.end - range.low);
        }
        self.chances.clear();
        self.chances.resize(begin as usize, 0.0);
    }

    #[inline(always)]
    fn widen(&mut self, mass: &ScoreMass, transition: &Transition, index: usize) {
        let from = &mass.positions[usize::from(transition.from)];
        let (gain, more) = (transition.gain(), u16::from(transition.bonus) * 100);
        let position = &mut self.positions[index];
        position.chance += transition.chance * from.chance;
        position.lowest = position.lowest.min(from.lowest + gain + more);
        position.highest = position.highest.max(from.highest + gain + more);
        for band in mass.bands(from) {
            let bonuses = usize::from(band.bonuses) + usize::from(transition.bonus);
            let range = &mut self.ranges[index][bonuses];
            range.low = range.low.min(band.low + gain);
            range.end = range.end.max(band.low + gain + band.len);
        }
    }

    #[inline(always)]
    fn add(&mut self, mass: &ScoreMass, transition: &Transition, index: usize) {
        let from = &mass.positions[usize::from(transition.from)];
        for band in mass.bands(from) {
            let bonuses = usize::from(band.bonuses) + usize::from(transition.bonus);
            let range = self.ranges[index][bonuses];
            let begin =
                range.begin as usize + usize::from(band.low + transition.gain() - range.low);
            let chances = mass.chances(*band);
            let sums = &mut self.chances[begin..][..chances.len()];
            for (sum, chance) in sums.iter_mut().zip(chances) {
                *sum += transition.chance * chance;
            }
        }
    }

    /// The accumulated mass without negligible probabilities.
    #[inline(always)]
    fn keep(&mut self) -> ScoreMass {
        let mut mass = ScoreMass::default();
        for (position, ranges) in self.positions.drain(..).zip(&self.ranges) {
            if position.chance == 0.0 {
                continue;
            }
            let begin = mass.bands.len() as u32;
            for (bonuses, range) in ranges.iter().enumerate() {
                let len = usize::from(range.end.saturating_sub(range.low));
                let chances = &self.chances[range.begin as usize..][..len];
                let Some(first) = chances.iter().position(|chance| *chance >= NEGLIGIBLE) else {
                    continue;
                };
                let last = chances.iter().rposition(|chance| *chance >= NEGLIGIBLE);
                let kept = &chances[first..=last.unwrap_or(first)];
                mass.bands.push(ScoreBand {
                    bonuses: bonuses as u8,
                    low: range.low + first as u16,
                    len: kept.len() as u16,
                    begin: mass.chances.len() as u32,
                });
                mass.chances.extend_from_slice(kept);
            }
            mass.positions
                .push(ReachedPosition { bands: [begin, mass.bands.len() as u32], ..position });
        }
        mass.positions.shrink_to_fit();
        mass.bands.shrink_to_fit();
        mass.chances.shrink_to_fit();
        mass
    }
}
