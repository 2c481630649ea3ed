//! Sums over the games of one player.

use std::ops::AddAssign;

use dicehill_rules::liars_dice::{Action, Bid};

use super::{
    Accuracy, AppraisedDecision, AppraisedSeat, Band, BidsReport, BotReport, Breakdown,
    DecisionKind, Fault, FaultReport, Habit, HabitReport, LossReport, Mistake,
};
use crate::block_sums::{BlockCount, BlockLoss, BlockSums};
use crate::loss_tally::{HabitLosses, Loss, LossSums, LossTally, LossTotals, keep_costlier};

/// Sums over the games of one player.
#[derive(Default)]
pub struct Tally {
    forfeits: u64,
    decisions: [u64; 3],
    losses: LossTally<Habit, Mistake, DiceSums, { Breakdown::COUNT }>,
    faults: [Option<Mistake>; Fault::ALL.len()],
    calls: Accuracy,
    call_bands: [Band; Band::COUNT],
    bids: BidsReport,
}

/// Dice lost by the odds, and in hindsight.
#[derive(Clone, Default)]
struct DiceSums {
    loss: BlockSums,
    hindsight: BlockSums,
}

/// Dice lost in a block of games.
#[derive(Clone, Copy, Default)]
struct BlockDice {
    loss: BlockLoss,
    hindsight: i32,
}

impl AddAssign for BlockDice {
    fn add_assign(&mut self, other: Self) {
        self.loss += other.loss;
        self.hindsight += other.hindsight;
    }
}

impl LossSums for DiceSums {
    type Block = BlockDice;

    fn add_block(&mut self, stratum: usize, block: BlockDice, games: u64) {
        self.loss.add_block(stratum, block.loss, games);
        self.hindsight.add(stratum, block.hindsight.into(), games);
    }
}

impl DiceSums {
    fn report(&self, count: &BlockCount) -> LossReport {
        let Self { loss, hindsight } = self;
        LossReport {
            mistakes: loss.mistakes,
            sum: loss.sum(),
            loss: loss.estimate(count),
            hindsight: hindsight.estimate(count),
        }
    }
}

impl Loss for Mistake {
    fn loss(&self) -> f64 {
        self.step.loss
    }
}

impl crate::Tally for Tally {
    type Seat = AppraisedSeat;
    type Report = BotReport;

    fn name(seat: &AppraisedSeat) -> &str {
        &seat.name
    }

    fn add(&mut self, game: u64, table: u64, stratum: usize, seat: &AppraisedSeat) {
        self.losses.start_game(table, stratum);
        self.forfeits += u64::from(seat.forfeited);
        for step in &seat.steps {
            self.decisions[step.kind().index()] += 1;
            let balance = self.losses.current(Breakdown::Balance.index());
            balance.loss.loss += f64::from(step.dice());
            match step.chosen {
                Action::Bid(bid) => self.add_bid(step, bid),
                Action::Call => self.add_call(step),
            }
            if let Some(fault) = step.fault() {
                self.add_mistake(Mistake { game, step: *step }, fault);
            }
        }
    }

    fn games(&self) -> u64 {
        self.losses.games()
    }

    fn report(self, name: String) -> BotReport {
        let totals = self.losses.finish();
        let part =
            |breakdown: Breakdown| totals.breakdowns[breakdown.index()].report(&totals.count);
        let fault = |fault: Fault| FaultReport {
            fault,
            part: part(Breakdown::Fault(fault)),
            costliest: self.faults[fault.index()],
        };
        BotReport {
            name,
            games: totals.count.games,
            forfeits: self.forfeits,
            decisions: self.decisions,
            balance: part(Breakdown::Balance).loss,
            loss: part(Breakdown::Loss),
            kinds: DecisionKind::ALL.map(|kind| part(Breakdown::DecisionKind(kind))),
            faults: Fault::ALL.map(fault),
            players: [2, 3, 4, 5].map(|players| part(Breakdown::Players(players))),
            calls: self.calls,
            call_bands: self.call_bands,
            bids: self.bids,
            habits: habits(&totals),
            worst: totals.worst.clone(),
        }
    }
}

impl Tally {
    fn add_call(&mut self, step: &AppraisedDecision) {
        let Some(chance) = step.chance(Action::Call) else { return };
        self.calls.add(chance, !step.holds);
        self.call_bands[Band::index(chance)].add(chance, !step.holds, true);
    }

    fn add_bid(&mut self, step: &AppraisedDecision, bid: Bid) {
        let chance = step.infoset.odds(bid).chance();
        let BidsReport { called, when_called, bands, .. } = &mut self.bids;
        called.add(step.called);
        bands[Band::index(chance)].add(chance, step.holds, step.called);
        if step.called {
            when_called.add(chance, step.holds);
        }
        let is_unsupported = step.infoset.is_unsupported(bid);
        self.bids.unsupported.add(is_unsupported);
        if is_unsupported {
            self.bids.unsupported_called.add(step.called);
            self.bids.unsupported_lost.add(step.called && !step.holds);
        }
    }

    fn add_mistake(&mut self, mistake: Mistake, fault: Fault) {
        let step = &mistake.step;
        let breakdowns = [
            Breakdown::Loss,
            Breakdown::DecisionKind(fault.kind()),
            Breakdown::Fault(fault),
            Breakdown::Players(step.players),
        ];
        let loss = BlockLoss { mistakes: 1, loss: step.loss };
        let lost = BlockDice { loss, hindsight: step.hindsight() };
        let habit = Habit::classify(step);
        self.losses.add_mistake(mistake, lost, breakdowns.map(Breakdown::index), habit);
        keep_costlier(self.faults[fault.index()].get_or_insert(mistake), mistake);
    }
}

/// The habits, those that lost most dice in hindsight first.
fn habits<const N: usize>(totals: &LossTotals<Habit, Mistake, DiceSums, N>) -> Vec<HabitReport> {
    let report = |(habit, losses): (&Habit, &HabitLosses<Mistake, DiceSums>)| HabitReport {
        habit: *habit,
        part: losses.sums.report(&totals.count),
        costliest: losses.costliest,
    };
    let mut habits: Vec<_> = totals.habits.iter().map(report).collect();
    // The sort is stable: equally costly habits stay in their order.
    habits.sort_by(|left, right| {
        let hindsight = |report: &HabitReport| report.part.hindsight.mean;
        let by_dice = hindsight(right).total_cmp(&hindsight(left));
        by_dice.then_with(|| right.part.sum.total_cmp(&left.part.sum))
    });
    habits
}
