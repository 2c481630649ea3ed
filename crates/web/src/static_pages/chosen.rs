//! Which games get a page.

use std::collections::BTreeMap;

use dicehill_store::{FileError, GameLine, RunSource};

use crate::model::shown_game::ShownGame;

/// Games from the beginning, and games with failures, at most.
const SOME: usize = 20;
/// Games that stand out, at most.
const FEW: usize = 5;

/// A game with a page, and why it has one.
pub(super) struct Chosen {
    pub(super) line: GameLine,
    pub(super) why: Vec<&'static str>,
}

/// The games that somebody has asked for, in the order of their numbers.
pub(super) fn named(source: &RunSource, wanted: &[u64]) -> Result<Vec<Chosen>, FileError> {
    let mut wanted = wanted.to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    let chosen = |game: u64| {
        let (number, line) = source.find_game(Some(game))?;
        let line = GameLine::read(&line).map_err(|why| source.error(number, why))?;
        Ok(Chosen { line, why: Vec::new() })
    };
    wanted.into_iter().map(chosen).collect()
}

/// The games that somebody may want to see.
#[derive(Default)]
pub(super) struct Remarkable {
    first: Vec<GameLine>,
    failed: Vec<GameLine>,
    great: Top,
    close: Top,
}

impl Remarkable {
    pub(super) fn offer<G: ShownGame>(&mut self, line: GameLine) {
        self.great.offer(G::greatness(&line), &line);
        if let Some(margin) = G::margin(&line) {
            self.close.offer(u64::MAX - margin, &line);
        }
        if !line.failures.is_empty() && self.failed.len() < SOME {
            self.failed.push(line.clone());
        }
        if self.first.len() < SOME {
            self.first.push(line);
        }
    }

    /// All of them, in the order of their numbers.
    pub(super) fn chosen<G: ShownGame>(self) -> Vec<Chosen> {
        let reasons = [
            ("among the first", self.first),
            ("with a failure", self.failed),
            (G::GREAT, self.great.lines()),
            ("a close one", self.close.lines()),
        ];
        let mut chosen: BTreeMap<u64, Chosen> = BTreeMap::new();
        for (why, lines) in reasons {
            for line in lines {
                let game = chosen.entry(line.game);
                game.or_insert_with(|| Chosen { line, why: Vec::new() }).why.push(why);
            }
        }
        chosen.into_values().collect()
    }
}

/// The games with the greatest values; of equal ones the first.
#[derive(Default)]
struct Top(Vec<(u64, GameLine)>);

impl Top {
    fn offer(&mut self, value: u64, line: &GameLine) {
        let place = self.0.partition_point(|(known, _)| *known >= value);
        if place < FEW {
            self.0.insert(place, (value, line.clone()));
            self.0.truncate(FEW);
        }
    }

    fn lines(self) -> Vec<GameLine> {
        self.0.into_iter().map(|(_, line)| line).collect()
    }
}
