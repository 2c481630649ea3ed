//! The parts of a run, put together.

use std::io;
use std::path::{Path, PathBuf};

use dicehill_arena::{GameRange, GameSource, Offence};

use super::part_header::PartHeader;
use super::part_reader::PartReader;
use super::run_plan::RunPlan;
use crate::FileError;

/// The parts of a run. A game that several of them have is taken from one of them, after a comparison.
pub struct Parts {
    plan: PathBuf,
    /// All games of the plan.
    games: GameRange,
    /// In the order of their first games.
    parts: Vec<PartReader>,
    /// Ascending and without overlaps.
    sections: Vec<Section>,
}

/// Games that are taken from one part.
#[derive(Clone, Copy)]
struct Section {
    games: GameRange,
    /// By index.
    part: usize,
}

impl Parts {
    /// Opens the parts of the plan at `path`, which has these games.
    ///
    /// # Errors
    /// If a part cannot be read, belongs to another plan, or has another record of a game than an earlier one.
    pub fn open(
        path: &Path,
        plan: &RunPlan,
        games: GameRange,
        parts: &[PathBuf],
    ) -> Result<Self, FileError> {
        let open = |part: &PathBuf| own_part(part, path, plan, games);
        let mut parts = parts.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        parts.sort_by_key(|part| part.games().first());
        let (plan, sections) = (path.to_owned(), Vec::new());
        let mut all = Self { plan, games, parts, sections };
        for part in 0..all.parts.len() {
            all.add(part)?;
        }
        Ok(all)
    }

    /// Takes the games of the part with this index that no earlier part has.
    fn add(&mut self, index: usize) -> Result<(), FileError> {
        let part = &self.parts[index];
        let next = self.sections.last().map_or(1, |section| section.games.last() + 1);
        let games = part.games();
        for game in games.first()..next.min(games.last() + 1) {
            let Some(other) = self.part_of(game) else { continue };
            if other.line(game)? != part.line(game)? {
                let other = other.path().display();
                return Err(part.altered(game, format_args!("game {game} is another in {other}")));
            }
        }
        let games = games.starting_at(next);
        if games.count() > 0 {
            self.sections.push(Section { games, part: index });
        }
        Ok(())
    }

    fn part_of(&self, game: u64) -> Option<&PartReader> {
        let after = self.sections.partition_point(|section| section.games.first() <= game);
        let section = self.sections.get(after.checked_sub(1)?)?;
        (game <= section.games.last()).then(|| &self.parts[section.part])
    }

    /// The games that no part has, of those that the run needs: all up to the first game at which a part ends because an
    /// entrant is barred there.
    #[must_use]
    pub fn missing(&self) -> Vec<GameRange> {
        let bars = self.parts.iter().filter_map(PartReader::barring_game);
        let last = bars.min().unwrap_or(self.games.last());
        let mut missing = Vec::new();
        let mut next = 1;
        let ends = GameRange::new(last + 1, last);
        for games in self.sections.iter().map(|section| section.games).chain(ends) {
            let gap = GameRange::new(next, (games.first() - 1).min(last));
            missing.extend(gap.filter(|gap| gap.count() > 0));
            next = next.max(games.last() + 1);
        }
        missing
    }

    /// Refuses parts that lack games.
    ///
    /// # Errors
    /// If a game that the run needs is missing.
    pub fn refuse_missing(&self) -> Result<(), FileError> {
        let missing: Vec<_> = self.missing().iter().map(ToString::to_string).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let is_open = |part: &&PartReader| !part.is_sealed();
        let open = self.parts.iter().filter(is_open).map(|part| part.path().display().to_string());
        let open: Vec<_> = open.collect();
        let why = match open.as_slice() {
            [] => "pass the parts that have them, or play their shards".to_owned(),
            open => format!("play the shards of these unfinished parts again: {}", open.join(", ")),
        };
        let message = format!("no part has {}; {why}", missing.join(", "));
        Err(FileError::new(&self.plan, message))
    }

    /// The part, by its path, that ends with this game because an entrant is barred there.
    #[must_use]
    pub fn ending_with(&self, game: u64) -> Option<&Path> {
        let ends = |part: &&PartReader| part.barring_game() == Some(game);
        self.parts.iter().find(ends).map(PartReader::path)
    }

    /// The error that a game of the parts was altered.
    #[must_use]
    pub fn altered(&self, game: u64, message: &str) -> FileError {
        match self.part_of(game) {
            Some(part) => part.altered(game, message),
            None => FileError::altered(&self.plan, None, message),
        }
    }

    /// The numbers of the games in the parts, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        let games = self.sections.iter().map(|section| section.games);
        games.flat_map(|games| games.first()..games.last() + 1)
    }

    /// The number of games in the parts, each counted once.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.sections.iter().map(|section| section.games.count()).sum()
    }

    pub(super) fn readers(&self) -> &[PartReader] {
        &self.parts
    }

    /// The games that are taken from each part, ascending.
    pub(super) fn sections(&self) -> impl Iterator<Item = (GameRange, &PartReader)> {
        self.sections.iter().map(|section| (section.games, &self.parts[section.part]))
    }
}

/// Opens a part, which must be one of the plan.
fn own_part(
    part: &Path,
    plan_path: &Path,
    plan: &RunPlan,
    games: GameRange,
) -> Result<PartReader, FileError> {
    let part = PartReader::open(part)?;
    let PartHeader { plan: own, games: range } = part.header();
    if own != plan.hash() {
        let (plan, hash) = (plan_path.display(), plan.hash());
        let message = format!("belongs to another plan, {own}, and not to {plan}, {hash}");
        return Err(FileError::altered(part.path(), None, message));
    }
    if range.last() > games.last() {
        let message = format!("is to have {range}, but the plan has {games}");
        return Err(FileError::altered(part.path(), Some(1), message));
    }
    Ok(part)
}

impl GameSource for Parts {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        let line = self.part_of(game).map(|part| part.line(game)).transpose();
        line.map_err(io::Error::other)
    }

    fn unjudged_offences(&self, game: u64) -> io::Result<Option<Vec<Offence>>> {
        let offences = self.part_of(game).map(|part| part.offences(game)).transpose();
        offences.map_err(io::Error::other)
    }
}
