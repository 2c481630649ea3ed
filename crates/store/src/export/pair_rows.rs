//! The table of pairs: what each two entrants came to in the games in which both sat.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use dicehill_rules::Summary;

use super::cell::{Cell, ExportColumn};
use super::exported_game::ExportedGame;
use crate::{GameLine, RunHeader};

pub(crate) const PAIRS: [ExportColumn; 11] = [
    ExportColumn::number("run"),
    ExportColumn::text("bot"),
    ExportColumn::text("other"),
    ExportColumn::number("games"),
    ExportColumn::number("ahead"),
    ExportColumn::number("level"),
    ExportColumn::number("behind"),
    ExportColumn::number("wins"),
    ExportColumn::number("other_wins"),
    ExportColumn::number("points"),
    ExportColumn::number("other_points"),
];

/// The pairs of a run, in the order of the hill.
pub(crate) struct PairRows<'a> {
    names: Vec<&'a str>,
    index_of: HashMap<&'a str, usize>,
    sums: BTreeMap<(usize, usize), PairSums>,
}

/// Sums over the games of two entrants.
#[derive(Default)]
struct PairSums {
    ahead: u64,
    level: u64,
    behind: u64,
    wins: [u64; 2],
    points: [u64; 2],
}

impl<'a> PairRows<'a> {
    pub(crate) fn new(header: &'a RunHeader) -> Self {
        let names: Vec<_> = header.bots.iter().map(|bot| bot.name.as_str()).collect();
        let index_of = names.iter().enumerate().map(|(index, name)| (*name, index)).collect();
        Self { names, index_of, sums: BTreeMap::new() }
    }

    /// Adds a game, which must not play off a tie.
    pub(crate) fn add<G: ExportedGame>(&mut self, line: &GameLine) {
        let index = |seat: usize| self.index_of.get(line.seats[seat].as_str()).copied();
        let mut seats: Vec<_> =
            (0..line.seats.len()).filter_map(|seat| Some((index(seat)?, seat))).collect();
        seats.sort_unstable();
        for (place, (bot, first)) in seats.iter().enumerate() {
            for (other, second) in &seats[place + 1..] {
                self.sums.entry((*bot, *other)).or_default().add::<G>(line, [*first, *second]);
            }
        }
    }

    pub(crate) fn rows(&self, run: &Cell) -> impl Iterator<Item = Vec<Cell>> {
        self.sums.iter().map(move |((bot, other), sums)| {
            let PairSums { ahead, level, behind, wins, points } = sums;
            let counts = [ahead + level + behind, *ahead, *level, *behind];
            let numbers = counts.into_iter().chain(*wins).chain(*points).map(Cell::from);
            let head = [run.clone(), self.names[*bot].into(), self.names[*other].into()];
            head.into_iter().chain(numbers).collect()
        })
    }
}

impl PairSums {
    fn add<G: ExportedGame>(&mut self, line: &GameLine, seats: [usize; 2]) {
        let [first, second] = seats.map(|seat| {
            let points = line.figure(seat, "points").unwrap_or_default();
            // Equal points are compared by score, in a game that has one.
            let score = G::FIGURES.first().filter(|one| one.summary == Summary::Distribution);
            (points, score.and_then(|score| line.figure(seat, score.name)))
        });
        match first.cmp(&second) {
            Ordering::Greater => self.ahead += 1,
            Ordering::Equal => self.level += 1,
            Ordering::Less => self.behind += 1,
        }
        for (side, (seat, (points, _))) in seats.into_iter().zip([first, second]).enumerate() {
            self.wins[side] += u64::from(line.won(seat));
            self.points[side] += points;
        }
    }
}
