//! What is remembered of the others at the table, and from game to game.

use std::collections::BTreeMap;

use dicehill_rules::Seat;

use super::evidence::Evidence;
use super::parameters::Parameters;
use super::style::Style;
use super::turn_taken::TurnTaken;

/// Evidence of the players at the table, and of those met before in the same life.
#[derive(Default)]
pub(super) struct Memory {
    /// By seat; grows as seats are heard of.
    table: Vec<Option<Met>>,
    /// By name, of those met before.
    known: BTreeMap<String, Evidence>,
}

/// A player at the table.
struct Met {
    evidence: Evidence,
    /// What follows from the evidence.
    style: Style,
    is_current: bool,
}

impl Memory {
    pub(super) fn begin_game(&mut self) {
        self.table.clear();
    }

    /// Takes note of who sits at a seat, and of how it is expected to play.
    pub(super) fn meet(&mut self, parameters: &Parameters, seat: Seat, name: Option<&str>) {
        let known = name.and_then(|name| self.known.get(name)).cloned();
        let met = Self::at(&mut self.table, seat);
        let met =
            met.get_or_insert_with(|| Met::new(known.unwrap_or_else(|| Evidence::new(parameters))));
        if !met.is_current {
            met.style = met.evidence.style(parameters);
            met.is_current = true;
        }
    }

    /// Takes note of a turn.
    pub(super) fn add(&mut self, parameters: &Parameters, seat: Seat, turn: &TurnTaken) {
        let met = Self::at(&mut self.table, seat);
        let met = met.get_or_insert_with(|| Met::new(Evidence::new(parameters)));
        met.evidence.add(parameters, turn);
        met.is_current = false;
    }

    /// How the player at a seat is expected to play.
    ///
    /// # Panics
    /// If nobody was met there.
    pub(super) fn style(&self, seat: Seat) -> &Style {
        let met = self.table[seat.index()].as_ref();
        &met.expect("everybody at the table was met").style
    }

    /// Keeps what was learned under the players' names.
    pub(super) fn end_game(&mut self, names: &[&str]) {
        for (met, name) in self.table.drain(..).zip(names) {
            if let Some(met) = met {
                self.known.insert((*name).to_owned(), met.evidence);
            }
        }
    }

    fn at(table: &mut Vec<Option<Met>>, seat: Seat) -> &mut Option<Met> {
        let length = table.len().max(seat.index() + 1);
        table.resize_with(length, || None);
        &mut table[seat.index()]
    }
}

impl Met {
    const fn new(evidence: Evidence) -> Self {
        Self { evidence, style: Style::NONE, is_current: false }
    }
}
