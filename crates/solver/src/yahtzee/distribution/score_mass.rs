//! How likely each position is, by the points so far.

use dicehill_rules::yahtzee::CategorySet;

use crate::yahtzee::distribution::transition::Move;
use crate::yahtzee::game::position::Position;
use crate::yahtzee::values::table::{Lane, hopeless_below};

/// Positions with the same free boxes: by upper total, first for cards whose Yahtzee box does not hold 50.
const PLACES: usize = 128;
/// Numbers of bonuses for further Yahtzees: one in each turn but that of the first Yahtzee.
pub(crate) const BONUSES: usize = 13;

/// Chances below this are left out at both ends of a band.
///
/// A game that ends with some chance was never less likely on its way. So what is left out of the chance of a
/// score is at most this for each of 360,000 positions and some 300 totals.
const NEGLIGIBLE: f64 = 1e-26;

/// A position that is played.
pub(crate) struct Cell {
    pub(crate) lane: Lane,
    /// How likely a game comes to it.
    pub(crate) chance: f64,
    /// The least and the most points, bonuses for further Yahtzees included, with which it can be come to.
    pub(crate) lowest: u16,
    pub(crate) highest: u16,
    /// The first of its bands, and the first that is no longer one.
    bands: [u32; 2],
}

/// The chances of a cell with a number of bonuses, by points without these bonuses.
#[derive(Clone, Copy)]
pub(crate) struct Band {
    pub(crate) bonuses: u8,
    /// The points of the first chance.
    pub(crate) low: u16,
    len: u16,
    begin: u32,
}

/// The positions that are played with the same free boxes.
#[derive(Default)]
pub(crate) struct Mass {
    pub(crate) cells: Vec<Cell>,
    bands: Vec<Band>,
    chances: Vec<f64>,
}

/// Moves that lead to the same free boxes from others.
pub(crate) struct Source<'a> {
    pub(crate) mass: &'a Mass,
    pub(crate) moves: &'a [Move],
}

/// Where the chances of a position with a number of bonuses are gathered.
#[derive(Clone, Copy)]
struct Window {
    low: u16,
    /// The first points above it; 0 if nothing comes to it.
    end: u16,
    begin: u32,
}

/// Gathers the mass of positions with the same free boxes. The space it works in is used again.
pub(crate) struct Gatherer {
    windows: Vec<[Window; BONUSES]>,
    cells: Vec<Cell>,
    chances: Vec<f64>,
}

impl Mass {
    /// Certainty.
    pub(crate) fn of(position: Position, lane: Lane) -> Self {
        debug_assert_eq!(position.upper(), lane.upper, "totals out of reach are one");
        let cell = Cell { lane, chance: 1.0, lowest: 0, highest: 0, bands: [0, 1] };
        let band = Band { bonuses: 0, low: 0, len: 1, begin: 0 };
        Self { cells: vec![cell], bands: vec![band], chances: vec![1.0] }
    }

    pub(crate) fn bands(&self, cell: &Cell) -> &[Band] {
        let [begin, end] = cell.bands.map(|at| at as usize);
        &self.bands[begin..end]
    }

    pub(crate) fn chances(&self, band: Band) -> &[f64] {
        &self.chances[band.begin as usize..][..usize::from(band.len)]
    }
}

/// The place of a position among those with its free boxes.
#[inline(always)]
fn place(lane: Lane, hopeless_below: u8) -> usize {
    let upper = if lane.upper < hopeless_below { 0 } else { lane.upper };
    usize::from(upper) + usize::from(lane.has_yahtzee) * (PLACES / 2)
}

impl Gatherer {
    const NOTHING: Window = Window { low: u16::MAX, end: 0, begin: 0 };

    pub(crate) fn new() -> Self {
        Self {
            windows: vec![[Self::NOTHING; BONUSES]; PLACES],
            cells: Vec::new(),
            chances: Vec::new(),
        }
    }

    /// The mass of the positions with these free boxes.
    #[inline(always)]
    pub(crate) fn gather(&mut self, free: CategorySet, sources: &[Source<'_>]) -> Mass {
        let hopeless = hopeless_below(free);
        self.make_room(hopeless, sources);
        for Source { mass, moves } in sources {
            for one in *moves {
                self.add(mass, one, place(one.to, hopeless));
            }
        }
        self.keep()
    }

    /// Finds out where chances will come, and sets all to 0.
    #[inline(always)]
    fn make_room(&mut self, hopeless: u8, sources: &[Source<'_>]) {
        self.windows.fill([Self::NOTHING; BONUSES]);
        self.cells.clear();
        for place in 0..PLACES {
            let lane =
                Lane { upper: (place % (PLACES / 2)) as u8, has_yahtzee: place >= PLACES / 2 };
            let cell = Cell { lane, chance: 0.0, lowest: u16::MAX, highest: 0, bands: [0, 0] };
            self.cells.push(cell);
        }
        for Source { mass, moves } in sources {
            for one in *moves {
                self.widen(mass, one, place(one.to, hopeless));
            }
        }
        let mut begin = 0;
        for window in self.windows.iter_mut().flatten().filter(|window| window.end > 0) {
            window.begin = begin;
            begin += u32::from(window.end - window.low);
        }
        self.chances.clear();
        self.chances.resize(begin as usize, 0.0);
    }

    #[inline(always)]
    fn widen(&mut self, mass: &Mass, one: &Move, place: usize) {
        let from = &mass.cells[usize::from(one.from)];
        let (gain, more) = (one.gain(), u16::from(one.bonus) * 100);
        let cell = &mut self.cells[place];
        cell.chance += one.chance * from.chance;
        cell.lowest = cell.lowest.min(from.lowest + gain + more);
        cell.highest = cell.highest.max(from.highest + gain + more);
        for band in mass.bands(from) {
            let bonuses = usize::from(band.bonuses) + usize::from(one.bonus);
            let window = &mut self.windows[place][bonuses];
            window.low = window.low.min(band.low + gain);
            window.end = window.end.max(band.low + gain + band.len);
        }
    }

    #[inline(always)]
    fn add(&mut self, mass: &Mass, one: &Move, place: usize) {
        let from = &mass.cells[usize::from(one.from)];
        for band in mass.bands(from) {
            let bonuses = usize::from(band.bonuses) + usize::from(one.bonus);
            let window = self.windows[place][bonuses];
            let begin = window.begin as usize + usize::from(band.low + one.gain() - window.low);
            let chances = mass.chances(*band);
            let sums = &mut self.chances[begin..][..chances.len()];
            for (sum, chance) in sums.iter_mut().zip(chances) {
                *sum += one.chance * chance;
            }
        }
    }

    /// What has been gathered, without what is negligible.
    #[inline(always)]
    fn keep(&mut self) -> Mass {
        let mut mass = Mass::default();
        for (cell, windows) in self.cells.drain(..).zip(&self.windows) {
            if cell.chance == 0.0 {
                continue;
            }
            let begin = mass.bands.len() as u32;
            for (bonuses, window) in windows.iter().enumerate() {
                let len = usize::from(window.end.saturating_sub(window.low));
                let chances = &self.chances[window.begin as usize..][..len];
                let Some(first) = chances.iter().position(|chance| *chance >= NEGLIGIBLE) else {
                    continue;
                };
                let last = chances.iter().rposition(|chance| *chance >= NEGLIGIBLE);
                let kept = &chances[first..=last.unwrap_or(first)];
                mass.bands.push(Band {
                    bonuses: bonuses as u8,
                    low: window.low + first as u16,
                    len: kept.len() as u16,
                    begin: mass.chances.len() as u32,
                });
                mass.chances.extend_from_slice(kept);
            }
            mass.cells.push(Cell { bands: [begin, mass.bands.len() as u32], ..cell });
        }
        mass.cells.shrink_to_fit();
        mass.bands.shrink_to_fit();
        mass.chances.shrink_to_fit();
        mass
    }
}
