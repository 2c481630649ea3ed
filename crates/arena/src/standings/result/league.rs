//! The board of a league: the result of its last full run, with the entrants that were placed since.

use crate::statistics::ELO_PER_LOGIT;
use crate::{Luck, PlacementResult, ResultDocument, Standing};

impl ResultDocument {
    /// This result of a full run, with the entrants of `placements` inserted at their ranks. `placements` are the
    /// results of later placements, oldest first; each replaces an earlier entry of the same entrant. One that was barred in its
    /// placement is below all others, without a rank.
    ///
    /// A placed entrant has the points, games and wins of its placement, which are not comparable with the others', and
    /// a rating on the scale of the full run's `rating`; its `elo` is unknown. The champion is the entrant that is first
    /// alone; its certainty is known only if it is the champion of the full run.
    #[must_use]
    pub fn with_placements<'a>(
        mut self,
        placements: impl IntoIterator<Item = &'a ResultDocument>,
    ) -> Self {
        let has_champion = self.champion.is_some() || !self.tied.is_empty();
        for placement in placements {
            if let Some(placing) = &placement.placing {
                self.remove(&placing.bot);
                match placement.placement() {
                    Some(placing) => self.insert(placing, placement),
                    None => self.add_barred(placing, placement),
                }
            }
        }
        if has_champion && self.champion.is_none() {
            self.set_champion();
        }
        self
    }

    /// Makes the entrant that is first alone the champion.
    fn set_champion(&mut self) {
        let first: Vec<_> = self.standings.iter().filter(|row| row.rank == Some(1)).collect();
        if let [only] = first.as_slice() {
            self.champion = Some(only.bot.clone());
            self.tied.clear();
        }
    }

    fn remove(&mut self, bot: &str) {
        let Some(index) = self.standings.iter().position(|row| row.bot == bot) else { return };
        let removed = self.standings.remove(index);
        if let Some(rank) = removed.rank {
            self.move_ranks(|other| if other > rank { other - 1 } else { other });
        }
        if self.champion.as_deref() == Some(bot) {
            (self.champion, self.champion_sure) = (None, None);
        }
        self.tied.retain(|other| other != bot);
    }

    fn insert(&mut self, placing: &PlacementResult, placement: &Self) {
        let Some(row) = placement.standings.iter().find(|row| row.bot == placing.bot) else {
            return;
        };
        let ranked = self.standings.iter().filter(|row| row.rank.is_some()).count();
        let index = placing.rank.saturating_sub(1).min(ranked);
        self.move_ranks(|rank| if rank > index { rank + 1 } else { rank });
        self.standings.insert(index, placed_standing(placing, row, index + 1));
        if index == 0 {
            (self.champion, self.champion_sure) = (None, None);
        }
    }

    fn add_barred(&mut self, placing: &PlacementResult, placement: &Self) {
        let row = placement.standings.iter().find(|row| row.bot == placing.bot);
        let placed = Some(placing.clone());
        self.standings.extend(row.map(|row| Standing { rank: None, placed, ..row.clone() }));
    }

    fn move_ranks(&mut self, new_rank: impl Fn(usize) -> usize) {
        for row in &mut self.standings {
            row.rank = row.rank.map(&new_rank);
        }
    }
}

/// The row of a placed entrant, without the values that need games against all others. Its mean score and its loss are those
/// of its placement.
fn placed_standing(placing: &PlacementResult, row: &Standing, rank: usize) -> Standing {
    Standing {
        rank: Some(rank),
        mark: String::new(),
        win_rate: None,
        win_rate_ci95: None,
        rating: Some(placing.strength * ELO_PER_LOGIT),
        rating_ci95: None,
        elo: None,
        best: None,
        seats: Vec::new(),
        luck: row.luck.clone().map(|luck| Luck { points: None, ..luck }),
        placed: Some(placing.clone()),
        ..row.clone()
    }
}
