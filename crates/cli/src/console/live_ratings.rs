//! The ratings on the live line of a run.

use std::time::{Duration, Instant};

use dicehill_arena::{Hill, Ledger};
use dicehill_rules::Game;
use unicode_width::UnicodeWidthStr;

use crate::layout::Width;
use crate::text::{elo, printable};

/// The most entrants whose ratings are shown.
const MOST: usize = 4;
/// The shortest time between two computations.
const INTERVAL: Duration = Duration::from_secs(1);
/// The time between two computations is at least this many times as long as computing takes.
const COST_FACTOR: u32 = 50;

/// The ratings of the best entrants so far, computed so seldom that the run is not slowed down.
pub(super) struct LiveRatings {
    /// An entrant with its rating, highest first.
    shown: Vec<String>,
    due: Instant,
}

impl LiveRatings {
    /// None yet, and the first ones after a second.
    pub(super) fn new() -> Self {
        Self { shown: Vec::new(), due: Instant::now() + INTERVAL }
    }

    /// Computes them again, if it is time for that.
    pub(super) fn update<G: Game>(&mut self, hill: &Hill<G>, ledger: &Ledger) {
        let begun = Instant::now();
        if begun < self.due {
            return;
        }
        let ratings = ledger.elo_ratings(hill).into_iter().take(MOST);
        let text = |(id, rating)| format!("{} {}", printable(hill.name_of(id)), elo(Some(rating)));
        self.shown = ratings.map(text).collect();
        self.due = Instant::now() + INTERVAL.max(COST_FACTOR * begun.elapsed());
    }

    /// The message with as many ratings as fit on its line. If none does, the shorter one with those that fit, if any do.
    pub(super) fn appended(&self, message: &str, shorter: &str, width: Width) -> String {
        let [with_ratings, shorter_with_ratings] =
            [message, shorter].map(|message| self.fitted(message, width));
        match (with_ratings == message, shorter_with_ratings == shorter) {
            (true, false) => shorter_with_ratings,
            (true, true) | (false, _) => with_ratings,
        }
    }

    fn fitted(&self, message: &str, width: Width) -> String {
        let mut message = message.to_owned();
        for (index, rating) in self.shown.iter().enumerate() {
            let separator = if index == 0 { ", Elo ± 95 %: " } else { ", " };
            let fits = match width {
                Width::Unlimited => true,
                Width::Columns(columns) => {
                    message.width() + separator.width() + rating.width() <= columns
                }
            };
            if !fits {
                break;
            }
            message.push_str(separator);
            message.push_str(rating);
        }
        message
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_shown_as_far_as_they_fit() {
        let ratings = ["greedy +94 ± 30", "dummy -94 ± 30"].map(str::to_owned).to_vec();
        let ratings = LiveRatings { shown: ratings, due: Instant::now() };
        let check = |width, expected: &str| {
            assert_eq!(ratings.appended("9 games, 3/s", "9 games", width), expected);
        };
        check(Width::Unlimited, "9 games, 3/s, Elo ± 95 %: greedy +94 ± 30, dummy -94 ± 30");
        check(Width::Columns(57), "9 games, 3/s, Elo ± 95 %: greedy +94 ± 30, dummy -94 ± 30");
        check(Width::Columns(56), "9 games, 3/s, Elo ± 95 %: greedy +94 ± 30");
        check(Width::Columns(40), "9 games, Elo ± 95 %: greedy +94 ± 30");
        check(Width::Columns(35), "9 games, 3/s");
        let none = LiveRatings { shown: Vec::new(), ..ratings };
        assert_eq!(none.appended("9 games, 3/s", "9 games", Width::Unlimited), "9 games, 3/s");
    }
}
