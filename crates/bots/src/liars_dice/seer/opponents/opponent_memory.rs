//! The opponent models of a game, and those that persist from game to game.

use std::collections::BTreeMap;

use dicehill_rules::Seat;

use crate::liars_dice::seer::features::observed_turn::ObservedTurn;
use crate::liars_dice::seer::model::parameters::Parameters;
use crate::liars_dice::seer::opponents::opponent_model::OpponentModel;

/// The models of the players at the table, and of all opponents of earlier games in the same process.
#[derive(Default)]
pub(crate) struct OpponentMemory {
    /// By seat; grows when a seat is first mentioned.
    by_seat: Vec<SeatedOpponent>,
    /// By name, of earlier games.
    by_name: BTreeMap<String, OpponentRecord>,
}

/// A player at the table.
#[derive(Default)]
struct SeatedOpponent {
    record: OpponentRecord,
    /// Whether the model of earlier games was loaded by name: hands may be revealed before that.
    is_identified: bool,
}

/// The model of one opponent, updated lazily.
#[derive(Clone, Default)]
struct OpponentRecord {
    /// `None` until the model is first needed.
    model: Option<OpponentModel>,
    /// Turns that were revealed since the last update, oldest first. A player that is out never needs them.
    pending: Vec<ObservedTurn>,
}

impl OpponentMemory {
    /// Clears the seats for a new game.
    pub(crate) fn begin_game(&mut self) {
        self.by_seat.clear();
    }

    /// Brings the model of the player at a seat up to date.
    pub(crate) fn prepare(&mut self, parameters: &Parameters, seat: Seat, name: Option<&str>) {
        let seated = Self::seat_mut(&mut self.by_seat, seat);
        if !seated.is_identified {
            seated.is_identified = true;
            // The model of earlier games replaces what the first hands of this game have shown.
            if let Some(known) = name.and_then(|name| self.by_name.get(name)) {
                seated.record = known.clone();
            }
        }
        seated.record.update(parameters);
    }

    /// Records a turn that was revealed.
    pub(crate) fn record(&mut self, seat: Seat, turn: ObservedTurn) {
        Self::seat_mut(&mut self.by_seat, seat).record.pending.push(turn);
    }

    /// The model of the player at a seat.
    ///
    /// # Panics
    /// If the seat was not prepared.
    pub(crate) fn model(&self, seat: Seat) -> &OpponentModel {
        let model = self.by_seat[seat.index()].record.model.as_ref();
        model.expect("the seats of all opponents were prepared")
    }

    /// Stores the models under the players' names.
    pub(crate) fn end_game(&mut self, names: &[&str]) {
        for (seated, name) in self.by_seat.drain(..).zip(names) {
            if seated.is_identified {
                self.by_name.insert((*name).to_owned(), seated.record);
            }
        }
    }

    fn seat_mut(by_seat: &mut Vec<SeatedOpponent>, seat: Seat) -> &mut SeatedOpponent {
        let length = by_seat.len().max(seat.index() + 1);
        by_seat.resize_with(length, SeatedOpponent::default);
        &mut by_seat[seat.index()]
    }
}

impl OpponentRecord {
    fn update(&mut self, parameters: &Parameters) {
        let model = self.model.get_or_insert_with(|| OpponentModel::new(parameters));
        for turn in self.pending.drain(..) {
            model.observe(parameters, &turn);
        }
    }
}

#[cfg(test)]
mod tests {
    use dicehill_rules::Seat;
    use dicehill_rules::liars_dice::Bid;

    use super::OpponentMemory;
    use crate::liars_dice::seer::features::bid_context::{BidContext, TableSize};
    use crate::liars_dice::seer::features::observed_turn::{BidResponse, ObservedTurn};
    use crate::liars_dice::seer::model::parameters::Parameters;

    /// A call of a bid with a trust of about one half.
    fn call(bid: Bid) -> ObservedTurn {
        let context = BidContext::new(bid, &[5, 5, 5], 1);
        ObservedTurn {
            response: Some(BidResponse { context, held: 2, called: true }),
            made_bid: None,
        }
    }

    #[test]
    fn models_persist_by_name_and_not_by_seat() {
        let parameters = Parameters::shipped();
        let (seat, bid) = (Seat::new(1), "5 6".parse().expect("a bid"));
        let trust = BidContext::new(bid, &[5, 5, 5], 1).trust_bin(2);
        let calls =
            |memory: &OpponentMemory| memory.model(seat).calls(parameters, TableSize::More)[trust];
        let mut memory = OpponentMemory::default();
        memory.begin_game();
        memory.prepare(parameters, seat, Some("Ann"));
        let before = calls(&memory);
        for _ in 0..20 {
            memory.record(seat, call(bid));
        }
        memory.prepare(parameters, seat, Some("Ann"));
        let after = calls(&memory);
        assert!(after > before + 0.2, "{before} before and {after} after 20 calls");
        memory.end_game(&["Bob", "Ann"]);
        memory.begin_game();
        // A hand that is revealed before the seat's name is known does not replace the model.
        memory.record(seat, call(bid));
        memory.prepare(parameters, seat, Some("Ann"));
        assert_eq!(calls(&memory).to_bits(), after.to_bits());
        memory.begin_game();
        memory.prepare(parameters, seat, Some("Cleo"));
        assert_eq!(calls(&memory).to_bits(), before.to_bits());
    }
}
