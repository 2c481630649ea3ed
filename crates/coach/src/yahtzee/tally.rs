//! Sums over the games of one player.

use dicehill_rules::yahtzee::Category;

use super::{
    AppraisedDecision, AppraisedSeat, AppraisedTurn, BotReport, Breakdown, Choice, DecisionKind,
    Habit, HabitReport, LossReport, Mistake,
};
use crate::block_sums::{BlockCount, BlockLoss, BlockSums};
use crate::loss_tally::{HabitLosses, Loss, LossTally};

/// Sums over the games of one player.
#[derive(Default)]
pub struct Tally {
    decisions: [u64; 3],
    losses: LossTally<Habit, Mistake, BlockSums, { Breakdown::COUNT }>,
}

impl crate::Tally for Tally {
    type Seat = AppraisedSeat;
    type Report = BotReport;

    fn name(seat: &AppraisedSeat) -> &str {
        &seat.name
    }

    fn add(&mut self, game: u64, table: u64, stratum: usize, seat: &AppraisedSeat) {
        self.losses.start_game(table, stratum);
        self.losses.current(Breakdown::Score.index()).loss += f64::from(seat.score);
        for turn in &seat.turns {
            self.losses.current(Breakdown::Luck.index()).loss += turn.luck;
            for step in &turn.steps {
                self.decisions[step.kind.index()] += 1;
                if step.loss > 0.0 {
                    self.add_mistake(game, turn, step);
                }
            }
        }
    }

    fn games(&self) -> u64 {
        self.losses.games()
    }

    fn report(self, name: String) -> BotReport {
        let totals = self.losses.finish();
        let part = |breakdown: Breakdown| {
            part_report(&totals.breakdowns[breakdown.index()], &totals.count)
        };
        let mut habits: Vec<_> = totals.habits.iter().collect();
        habits.sort_by(|(a, left), (b, right)| {
            right.sums.sum().total_cmp(&left.sums.sum()).then(a.cmp(b))
        });
        let habit = |(habit, losses): (&Habit, &HabitLosses<Mistake, BlockSums>)| HabitReport {
            habit: *habit,
            part: part_report(&losses.sums, &totals.count),
            costliest: losses.costliest,
        };
        BotReport {
            name,
            games: totals.count.games,
            decisions: self.decisions,
            score: part(Breakdown::Score).loss,
            luck: part(Breakdown::Luck).loss,
            loss: part(Breakdown::Loss),
            kinds: DecisionKind::ALL.map(|kind| part(Breakdown::DecisionKind(kind))),
            rounds: std::array::from_fn(|round| part(Breakdown::Round(round as u32 + 1))),
            filled: Category::ALL.map(|category| part(Breakdown::Filled(category))),
            passed_over: Category::ALL.map(|category| part(Breakdown::PassedOver(category))),
            habits: habits.into_iter().map(habit).collect(),
            worst: totals.worst.clone(),
        }
    }
}

impl Tally {
    fn add_mistake(&mut self, game: u64, turn: &AppraisedTurn, step: &AppraisedDecision) {
        let AppraisedDecision { kind, stage, dice, chosen, best, loss } = *step;
        let (round, position) = (turn.round, turn.position);
        let mistake = Mistake { game, round, kind, stage, dice, position, chosen, best, loss };
        let boxes = match (chosen, best) {
            (Choice::Fill(chosen), Choice::Fill(best)) => {
                Some([Breakdown::Filled(chosen), Breakdown::PassedOver(best)])
            }
            (Choice::Fill(_) | Choice::Keep(_), _) => None,
        };
        let breakdowns = [Breakdown::Loss, Breakdown::DecisionKind(kind), Breakdown::Round(round)];
        let breakdowns = breakdowns.into_iter().chain(boxes.into_iter().flatten());
        let lost = BlockLoss { mistakes: 1, loss };
        let habit = Habit::classify(step, position);
        self.losses.add_mistake(mistake, lost, breakdowns.map(Breakdown::index), habit);
    }
}

impl Loss for Mistake {
    fn loss(&self) -> f64 {
        self.loss
    }
}

fn part_report(sums: &BlockSums, count: &BlockCount) -> LossReport {
    LossReport { mistakes: sums.mistakes, loss: sums.estimate(count) }
}
