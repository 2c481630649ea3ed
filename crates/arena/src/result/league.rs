//! The board of a league: the result of its last whole run, with the entrants that were placed since.

use super::{FigureSummary, ResultDocument, Standing};
use crate::Placing;

/// Elo points of a strength of 1 on the scale of [`crate::Placement`]: 400 for odds of ten to one.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

impl ResultDocument {
    /// This result of a whole run with the entrants of `placements` at their ranks: results of placements that
    /// were played since, oldest first. Each takes the place of an earlier version of itself.
    ///
    /// A placed entrant has the points, games and wins of its placement, which are not comparable with the others',
    /// and its rating on the scale of the whole run. The champion is who is first alone. How sure that is only a whole
    /// run can say, unless it is that of the whole run.
    #[must_use]
    pub fn with_placements<'a>(
        mut self,
        placements: impl IntoIterator<Item = &'a ResultDocument>,
    ) -> Self {
        let is_crowned = self.champion.is_some() || !self.tied.is_empty();
        for placement in placements {
            if let Some(placing) = &placement.placing {
                self.remove(&placing.bot);
                self.insert(placing, placement);
            }
        }
        if is_crowned && self.champion.is_none() {
            self.crown_the_first();
        }
        self
    }

    /// Makes the entrant that is first alone the champion.
    fn crown_the_first(&mut self) {
        let first: Vec<_> = self.standings.iter().filter(|row| row.rank == Some(1)).collect();
        if let [one] = first.as_slice() {
            self.champion = Some(one.bot.clone());
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

    fn insert(&mut self, placing: &Placing, placement: &Self) {
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

    fn move_ranks(&mut self, to: impl Fn(usize) -> usize) {
        for row in &mut self.standings {
            row.rank = row.rank.map(&to);
        }
    }
}

/// The line of a placed entrant, without what depends on games against all others.
fn placed_standing(placing: &Placing, row: &Standing, rank: usize) -> Standing {
    let without = |summary: &FigureSummary| match summary {
        FigureSummary::Distribution(_) => FigureSummary::Distribution(None),
        FigureSummary::Total(total) => FigureSummary::Total(*total),
    };
    Standing {
        rank: Some(rank),
        mark: String::new(),
        win_rate: None,
        win_rate_ci95: None,
        figures: row.figures.iter().map(|(name, summary)| (*name, without(summary))).collect(),
        rating: Some(placing.strength * ELO),
        rating_ci95: None,
        best: None,
        seats: Vec::new(),
        luck: None,
        placed: Some(placing.clone()),
        ..row.clone()
    }
}
