//! The sums over all games of one player.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use dicehill_rules::yahtzee::Category;

use super::{
    AppraisedSeat, AppraisedTurn, BotReport, Choice, Habit, HabitReport, Kind, Mistake, Part,
    PartReport, Step,
};
use crate::block_sums::{BlockCount, BlockSums};

/// Single decisions that are kept.
const WORST: usize = 10;

/// The sums over the games of one player.
pub struct Tally {
    decisions: [u64; 3],
    parts: [BlockSums; Part::COUNT],
    habits: HashMap<Habit, HabitTally>,
    count: BlockCount,
    worst: Vec<Mistake>,
    block: Block,
}

struct HabitTally {
    sums: BlockSums,
    costliest: Mistake,
}

/// What the games at the table that is being played at have come to.
struct Block {
    table: u64,
    games: u64,
    parts: [f64; Part::COUNT],
    habits: HashMap<Habit, f64>,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            decisions: [0; 3],
            parts: [BlockSums::default(); Part::COUNT],
            habits: HashMap::new(),
            count: BlockCount::default(),
            worst: Vec::new(),
            block: Block { table: 0, games: 0, parts: [0.0; Part::COUNT], habits: HashMap::new() },
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
        self.block.parts[Part::Score.index()] += f64::from(seat.score);
        for turn in &seat.turns {
            self.block.parts[Part::Luck.index()] += turn.luck;
            for step in &turn.steps {
                self.decisions[step.kind.index()] += 1;
                if step.loss > 0.0 {
                    self.add_mistake(game, turn, step);
                }
            }
        }
    }

    fn games(&self) -> u64 {
        self.count.games + self.block.games
    }

    fn report(mut self, name: String) -> BotReport {
        self.end_block();
        let part = |part: Part| self.part(&self.parts[part.index()]);
        let mut habits: Vec<_> = self.habits.iter().collect();
        habits.sort_by(|(a, left), (b, right)| {
            right.sums.sum().total_cmp(&left.sums.sum()).then(a.cmp(b))
        });
        let habit = |(habit, tally): (&Habit, &HabitTally)| HabitReport {
            habit: *habit,
            part: self.part(&tally.sums),
            costliest: tally.costliest,
        };
        BotReport {
            name,
            games: self.count.games,
            decisions: self.decisions,
            score: part(Part::Score).loss,
            luck: part(Part::Luck).loss,
            loss: part(Part::Loss),
            kinds: Kind::ALL.map(|kind| part(Part::Kind(kind))),
            rounds: std::array::from_fn(|round| part(Part::Round(round as u32 + 1))),
            filled: Category::ALL.map(|category| part(Part::Filled(category))),
            passed_over: Category::ALL.map(|category| part(Part::PassedOver(category))),
            habits: habits.into_iter().map(habit).collect(),
            worst: self.worst.clone(),
        }
    }
}

impl Tally {
    fn add_mistake(&mut self, game: u64, turn: &AppraisedTurn, step: &Step) {
        let Step { kind, stage, dice, chosen, best, loss } = *step;
        let (round, position) = (turn.round, turn.position);
        let mistake = Mistake { game, round, kind, stage, dice, position, chosen, best, loss };
        let mut part = |part: Part| {
            self.parts[part.index()].times += 1;
            self.block.parts[part.index()] += loss;
        };
        part(Part::Loss);
        part(Part::Kind(kind));
        part(Part::Round(round));
        if let (Choice::Fill(chosen), Choice::Fill(best)) = (chosen, best) {
            part(Part::Filled(chosen));
            part(Part::PassedOver(best));
        }
        if let Some(habit) = Habit::of(step, position) {
            *self.block.habits.entry(habit).or_default() += loss;
            self.note_habit(habit, mistake);
        }
        self.note_worst(mistake);
    }

    fn note_habit(&mut self, habit: Habit, mistake: Mistake) {
        let tally = match self.habits.entry(habit) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                entry.insert(HabitTally { sums: BlockSums::default(), costliest: mistake })
            }
        };
        tally.sums.times += 1;
        if mistake.loss > tally.costliest.loss {
            tally.costliest = mistake;
        }
    }

    fn note_worst(&mut self, mistake: Mistake) {
        let place = self.worst.partition_point(|worse| worse.loss >= mistake.loss);
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
        for (sums, sum) in self.parts.iter_mut().zip(&mut self.block.parts) {
            sums.add(std::mem::take(sum), games);
        }
        for (habit, sum) in self.block.habits.drain() {
            if let Some(tally) = self.habits.get_mut(&habit) {
                tally.sums.add(sum, games);
            }
        }
    }

    fn part(&self, sums: &BlockSums) -> PartReport {
        PartReport { mistakes: sums.times, loss: sums.estimate(&self.count) }
    }
}
