//! The check of all games of the parts.

use dicehill_arena::{Hill, Schedule, entrants_without};
use dicehill_rules::{Chance, Game};

use super::line_check::LineCheck;
use super::part_reader::PartReader;
use super::parts::Parts;
use super::run_plan::RunPlan;
use crate::FileError;

/// The number of games that are replayed together.
const BATCH: u64 = 2048;

impl Parts {
    /// Replays every game on `jobs` threads: its moves must be legal with the dice of the plan and lead to its results,
    /// between the entrants that the schedule names. `hill` is that of the plan, with the appraiser of its game if the run
    /// is appraised. `show` gets the number of games after each batch.
    ///
    /// # Errors
    /// If a part was altered or cannot be read.
    pub fn check<G: Game>(
        &self,
        plan: &RunPlan,
        hill: &Hill<G>,
        jobs: usize,
        show: &mut dyn FnMut(u64),
    ) -> Result<(), FileError> {
        let chance = &Chance::new(hill.seed());
        let schedule = &Schedule::new(hill, chance, entrants_without(hill, plan.bars()));
        let check = LineCheck::new(hill, chance, schedule, jobs);
        for (games, part) in self.sections() {
            let mut left = games;
            while left.count() > 0 {
                let last = left.last().min(left.first() + BATCH - 1);
                check_batch(&check, part, left.first(), last)?;
                show(last - left.first() + 1);
                left = left.starting_at(last + 1);
            }
        }
        self.readers().iter().try_for_each(PartReader::check_seal)
    }
}

fn check_batch<G: Game>(
    check: &LineCheck<'_, G>,
    part: &PartReader,
    first: u64,
    last: u64,
) -> Result<(), FileError> {
    let lines = (first..=last).map(|game| part.line(game)).collect::<Result<Vec<_>, _>>()?;
    let texts: Vec<_> = lines.iter().map(String::as_str).collect();
    for ((game, line), replayed) in (first..).zip(&texts).zip(check.replay(&texts)) {
        let altered = |why| part.altered(game, format_args!("game {game}: {why}"));
        replayed.map_err(altered)?;
        check.check_place(game, line, &part.offences(game)?).map_err(altered)?;
    }
    Ok(())
}
