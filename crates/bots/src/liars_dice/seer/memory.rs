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
    /// Whether it is known who it is: hands may be shown before that.
    is_met: bool,
}

impl Memory {
    pub(super) fn begin_game(&mut self) {
        self.table.clear();
    }

    /// Takes note of who sits at a seat, and of how it is expected to play.
    pub(super) fn meet(&mut self, parameters: &Parameters, seat: Seat, name: Option<&str>) {
        let place = Self::at(&mut self.table, seat);
        let met = place.get_or_insert_with(|| Met::new(Evidence::new(parameters)));
        if !met.is_met {
            met.is_met = true;
            // Of who was met before, more is known than the first hands of this game can tell.
            if let Some(known) = name.and_then(|name| self.known.get(name)) {
                met.evidence = known.clone();
            }
        }
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
            if let Some(met) = met.filter(|met| met.is_met) {
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
        Self { evidence, style: Style::NONE, is_current: false, is_met: false }
    }
}

#[cfg(test)]
mod tests {
    use dicehill_rules::Seat;
    use dicehill_rules::liars_dice::Bid;

    use super::Memory;
    use crate::liars_dice::seer::claim::Claim;
    use crate::liars_dice::seer::parameters::Parameters;
    use crate::liars_dice::seer::turn_taken::{Answered, TurnTaken};

    /// A seat that calls a bid which it can trust about half.
    fn call(bid: Bid) -> TurnTaken {
        let claim = Claim::new(bid, &[5, 5, 5], 1);
        TurnTaken { answered: Some(Answered { claim, held: 2, called: true }), made: None }
    }

    #[test]
    fn names_are_remembered_from_game_to_game_and_seats_are_not() {
        let parameters = Parameters::shipped();
        let (seat, bid) = (Seat::new(1), "5 6".parse().expect("a bid"));
        let calls = |memory: &Memory| memory.style(seat).call(Claim::new(bid, &[5, 5, 5], 1), 2);
        let mut memory = Memory::default();
        memory.begin_game();
        memory.meet(parameters, seat, Some("Ann"));
        let before = calls(&memory);
        for _ in 0..20 {
            memory.add(parameters, seat, &call(bid));
        }
        memory.meet(parameters, seat, Some("Ann"));
        let after = calls(&memory);
        assert!(after > before + 0.2, "{before} before and {after} after 20 calls");
        memory.end_game(&["Bob", "Ann"]);
        memory.begin_game();
        // A hand that is shown before anybody has said who sits there does not make it forget.
        memory.add(parameters, seat, &call(bid));
        memory.meet(parameters, seat, Some("Ann"));
        assert_eq!(calls(&memory).to_bits(), after.to_bits());
        memory.begin_game();
        memory.meet(parameters, seat, Some("Cleo"));
        assert_eq!(calls(&memory).to_bits(), before.to_bits());
    }
}
