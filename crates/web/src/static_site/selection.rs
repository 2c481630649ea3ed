//! Which games get a page.

use std::collections::BTreeMap;

use dicehill_arena::HighlightKind;
use dicehill_store::{FileError, GameLine, RunSource};

use crate::model::highlights::Remarkable;
use crate::model::shown_game::ShownGame;

/// The most games from the beginning, and the most games with failures.
const MAX_LISTED: usize = 20;
/// The most games with extreme values.
const MAX_EXTREME_GAMES: usize = 5;

/// A game with a page, and why it has one.
pub(super) struct SelectedGame {
    pub(super) line: GameLine,
    pub(super) why: Vec<&'static str>,
}

/// The games with these numbers, in ascending order.
///
/// # Errors
/// If there is no such game, or it cannot be read.
pub(super) fn select_by_number(
    source: &RunSource,
    wanted: &[u64],
) -> Result<Vec<SelectedGame>, FileError> {
    let mut wanted = wanted.to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    let select = |game: u64| {
        let (number, line) = source.find_game(Some(game))?;
        let line = GameLine::read(&line).map_err(|why| source.error(number, why))?;
        Ok(SelectedGame { line, why: Vec::new() })
    };
    wanted.into_iter().map(select).collect()
}

/// The selected games and those of `highlights`, which are numbers of games and why they are remarkable.
///
/// # Errors
/// If a game cannot be read.
pub(super) fn with_highlights(
    source: &RunSource,
    selected: Vec<SelectedGame>,
    highlights: &[(u64, HighlightKind)],
) -> Result<Vec<SelectedGame>, FileError> {
    let of_line = |game: SelectedGame| (game.line.game, game);
    let mut all: BTreeMap<u64, SelectedGame> = selected.into_iter().map(of_line).collect();
    for (number, kind) in highlights {
        if !all.contains_key(number) {
            all.extend(select_by_number(source, &[*number])?.into_iter().map(of_line));
        }
        let game = all.get_mut(number);
        game.into_iter().for_each(|game| game.why.push(Remarkable::from(*kind).reason()));
    }
    Ok(all.into_values().collect())
}

/// Selects remarkable games of a run.
#[derive(Default)]
pub(super) struct RemarkableGames {
    first: Vec<GameLine>,
    failed: Vec<GameLine>,
    great: TopGames,
    close: TopGames,
}

impl RemarkableGames {
    /// Considers a game.
    pub(super) fn offer<G: ShownGame>(&mut self, line: GameLine) {
        self.great.offer(G::greatness(&line), &line);
        if let Some(margin) = G::margin(&line) {
            self.close.offer(u64::MAX - margin, &line);
        }
        if !line.failures.is_empty() && self.failed.len() < MAX_LISTED {
            self.failed.push(line.clone());
        }
        if self.first.len() < MAX_LISTED {
            self.first.push(line);
        }
    }

    /// The selected games, in the order of their numbers.
    pub(super) fn select<G: ShownGame>(self) -> Vec<SelectedGame> {
        let reasons = [
            ("among the first", self.first),
            ("with a failure", self.failed),
            (G::GREAT, self.great.lines()),
            ("a close one", self.close.lines()),
        ];
        let mut selected: BTreeMap<u64, SelectedGame> = BTreeMap::new();
        for (why, lines) in reasons {
            for line in lines {
                let game = selected.entry(line.game);
                game.or_insert_with(|| SelectedGame { line, why: Vec::new() }).why.push(why);
            }
        }
        selected.into_values().collect()
    }
}

/// The games with the greatest values; of equal values the first.
#[derive(Default)]
struct TopGames(Vec<(u64, GameLine)>);

impl TopGames {
    fn offer(&mut self, value: u64, line: &GameLine) {
        let place = self.0.partition_point(|(known, _)| *known >= value);
        if place < MAX_EXTREME_GAMES {
            self.0.insert(place, (value, line.clone()));
            self.0.truncate(MAX_EXTREME_GAMES);
        }
    }

    fn lines(self) -> Vec<GameLine> {
        self.0.into_iter().map(|(_, line)| line).collect()
    }
}
