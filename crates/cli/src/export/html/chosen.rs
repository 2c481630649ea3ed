//! Which games get a page.

use std::collections::BTreeMap;

use dicehill_store::GameLine;

use crate::export::exported_game::ExportedGame;
use crate::export::recorded::{Recorded, Unfinished};

/// Games from the beginning, and games with failures, at most.
const SOME: usize = 20;
/// Games that stand out, at most.
const FEW: usize = 5;

/// A game with a page, and why it has one.
pub(crate) struct Chosen {
    pub(crate) line: GameLine,
    pub(crate) why: Vec<&'static str>,
}

/// The games `wanted`, or those that somebody may want to see, in the order of their numbers.
pub(crate) fn choose<G: ExportedGame>(
    run: &Recorded<'_, G>,
    wanted: &[u64],
) -> Result<Vec<Chosen>, Unfinished> {
    if wanted.is_empty() { remarkable(run) } else { named(run, wanted) }
}

fn named<G: ExportedGame>(
    run: &Recorded<'_, G>,
    wanted: &[u64],
) -> Result<Vec<Chosen>, Unfinished> {
    let mut wanted = wanted.to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    let chosen = |game: u64| {
        let (number, line) = run.source.find_game(Some(game))?;
        let line = GameLine::read(&line).map_err(|why| run.source.error(number, why))?;
        Ok(Chosen { line, why: Vec::new() })
    };
    wanted.into_iter().map(chosen).collect()
}

fn remarkable<G: ExportedGame>(run: &Recorded<'_, G>) -> Result<Vec<Chosen>, Unfinished> {
    let mut first = Vec::new();
    let mut failed = Vec::new();
    let mut great = Top::default();
    let mut close = Top::default();
    run.each_game(|game| {
        let line = run.outcome(&game)?;
        great.offer(G::greatness(&line), &line);
        if let Some(margin) = G::margin(&line) {
            close.offer(u64::MAX - margin, &line);
        }
        if !line.failures.is_empty() && failed.len() < SOME {
            failed.push(line.clone());
        }
        if first.len() < SOME {
            first.push(line);
        }
        Ok(())
    })?;
    let reasons = [
        ("among the first", first),
        ("with a failure", failed),
        (G::GREAT, great.lines()),
        ("a close one", close.lines()),
    ];
    let mut chosen: BTreeMap<u64, Chosen> = BTreeMap::new();
    for (why, lines) in reasons {
        for line in lines {
            let game = chosen.entry(line.game);
            game.or_insert_with(|| Chosen { line, why: Vec::new() }).why.push(why);
        }
    }
    Ok(chosen.into_values().collect())
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
