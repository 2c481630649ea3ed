//! The sums over all games of one player.

use std::collections::BTreeMap;

use dicehill_rules::liars_dice::{Action, Bid};

use super::{
    Accuracy, AppraisedSeat, Band, BidsReport, BotReport, Fault, FaultReport, Habit, HabitReport,
    Kind, Mistake, Part, PartReport, Step,
};
use crate::block_sums::{BlockCount, BlockSums};

/// Single decisions that are kept.
const WORST: usize = 10;

/// The sums over the games of one player.
#[derive(Default)]
pub struct Tally {
    forfeits: u64,
    decisions: [u64; 3],
    balance: BlockSums,
    parts: [Losses; Part::COUNT],
    faults: [Option<Mistake>; Fault::ALL.len()],
    habits: BTreeMap<Habit, HabitTally>,
    calls: Accuracy,
    call_bands: [Band; Band::COUNT],
    bids: BidsReport,
    count: BlockCount,
    worst: Vec<Mistake>,
    block: Block,
}

/// What mistakes lost.
#[derive(Clone, Copy, Default)]
struct Losses {
    loss: BlockSums,
    hindsight: BlockSums,
}

struct HabitTally {
    losses: Losses,
    costliest: Mistake,
}

/// What the games at the table that is being played at have come to.
#[derive(Default)]
struct Block {
    table: u64,
    games: u64,
    balance: i32,
    parts: [Lost; Part::COUNT],
    habits: BTreeMap<Habit, Lost>,
}

/// What mistakes at a table lost.
#[derive(Clone, Copy, Default)]
struct Lost {
    mistakes: u64,
    loss: f64,
    hindsight: i32,
}

impl Lost {
    fn add(&mut self, step: &Step) {
        self.mistakes += 1;
        self.loss += step.loss;
        self.hindsight += step.hindsight();
    }
}

impl Losses {
    /// Adds what a block of so many games came to.
    fn add(&mut self, lost: Lost, games: u64) {
        self.loss.times += lost.mistakes;
        self.loss.add(lost.loss, games);
        self.hindsight.add(lost.hindsight.into(), games);
    }

    fn report(&self, count: &BlockCount) -> PartReport {
        let Self { loss, hindsight } = self;
        PartReport {
            mistakes: loss.times,
            sum: loss.sum(),
            loss: loss.estimate(count),
            hindsight: hindsight.estimate(count),
        }
    }
}

impl crate::Tally for Tally {
    type Seat = AppraisedSeat;
    type Report = BotReport;

    fn name(seat: &AppraisedSeat) -> &str {
        &seat.name
    }

    fn add(&mut self, game: u64, table: u64, seat: &AppraisedSeat) {
        if self.block.table != table {
            self.end_block();
            self.block.table = table;
        }
        self.block.games += 1;
        self.forfeits += u64::from(seat.forfeited);
        for step in &seat.steps {
            self.decisions[step.kind().index()] += 1;
            self.block.balance += step.dice();
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
        self.count.games + self.block.games
    }

    fn report(mut self, name: String) -> BotReport {
        self.end_block();
        let part = |part: Part| self.parts[part.index()].report(&self.count);
        let fault = |fault: Fault| FaultReport {
            fault,
            part: part(Part::Fault(fault)),
            costliest: self.faults[fault.index()],
        };
        BotReport {
            name,
            games: self.count.games,
            forfeits: self.forfeits,
            decisions: self.decisions,
            balance: self.balance.estimate(&self.count),
            loss: part(Part::Loss),
            kinds: Kind::ALL.map(|kind| part(Part::Kind(kind))),
            faults: Fault::ALL.map(fault),
            players: [2, 3, 4, 5].map(|players| part(Part::Players(players))),
            calls: self.calls,
            call_bands: self.call_bands,
            bids: self.bids,
            habits: self.habits(),
            worst: self.worst.clone(),
        }
    }
}

impl Tally {
    fn add_call(&mut self, step: &Step) {
        let Some(chance) = step.chance(Action::Call) else { return };
        self.calls.add(chance, !step.holds);
        self.call_bands[Band::index(chance)].add(chance, !step.holds, true);
    }

    fn add_bid(&mut self, step: &Step, bid: Bid) {
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
        let parts =
            [Part::Loss, Part::Kind(fault.kind()), Part::Fault(fault), Part::Players(step.players)];
        for part in parts {
            self.block.parts[part.index()].add(step);
        }
        let costliest = self.faults[fault.index()].get_or_insert(mistake);
        keep_costlier(costliest, mistake);
        if let Some(habit) = Habit::of(step) {
            self.block.habits.entry(habit).or_default().add(step);
            let first = || HabitTally { losses: Losses::default(), costliest: mistake };
            let tally = self.habits.entry(habit).or_insert_with(first);
            keep_costlier(&mut tally.costliest, mistake);
        }
        self.note_worst(mistake);
    }

    fn note_worst(&mut self, mistake: Mistake) {
        let loss = mistake.step.loss;
        let place = self.worst.partition_point(|worse| worse.step.loss >= loss);
        if place < WORST {
            self.worst.insert(place, mistake);
            self.worst.truncate(WORST);
        }
    }

    fn end_block(&mut self) {
        let games = std::mem::take(&mut self.block.games);
        if games == 0 {
            return;
        }
        self.count.add(games);
        self.balance.add(std::mem::take(&mut self.block.balance).into(), games);
        for (losses, lost) in self.parts.iter_mut().zip(&mut self.block.parts) {
            losses.add(std::mem::take(lost), games);
        }
        for (habit, lost) in std::mem::take(&mut self.block.habits) {
            if let Some(tally) = self.habits.get_mut(&habit) {
                tally.losses.add(lost, games);
            }
        }
    }

    fn habits(&self) -> Vec<HabitReport> {
        let report = |(habit, tally): (&Habit, &HabitTally)| HabitReport {
            habit: *habit,
            part: tally.losses.report(&self.count),
            costliest: tally.costliest,
        };
        let mut habits: Vec<_> = self.habits.iter().map(report).collect();
        // What costs the same stays in the order of habits.
        habits.sort_by(|left, right| {
            let hindsight = |report: &HabitReport| report.part.hindsight.mean;
            let by_dice = hindsight(right).total_cmp(&hindsight(left));
            by_dice.then_with(|| right.part.sum.total_cmp(&left.part.sum))
        });
        habits
    }
}

/// The first of several that lost the same stays.
fn keep_costlier(costliest: &mut Mistake, mistake: Mistake) {
    if mistake.step.loss > costliest.step.loss {
        *costliest = mistake;
    }
}
