//! `dicehill analyze --save-positions`: the costliest mistakes of a bot, as positions that it can be asked in again.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::{BufWriter, Write};
use std::path::Path;

use dicehill_arena::{Memory, Move, printable_json, read_game_line, six_digits};
use dicehill_coach::{AnalyzedGame, RunAnalysis};
use dicehill_rules::Chance;
use dicehill_store::{FileError, RunSource, StoredGame};

use crate::console::Console;
use crate::failure::Failure;
use crate::games::TerminalGame;
use crate::recorded::{PositionPlace, SavedPosition, why_unreadable};
use crate::text::{counted, printable};

/// The most positions that are saved.
const MAX_POSITIONS: usize = 500;
/// Loss from which a decision is saved as a mistake.
const LEAST_LOSS: f64 = 0.005;

/// Writes the costliest mistakes of a bot in the run to a file, the costliest first.
pub(super) fn save_positions<G: AnalyzedGame + TerminalGame>(
    source: &RunSource,
    analysis: &RunAnalysis<G>,
    bot: &str,
    path: &Path,
    console: &Console,
) -> Result<(), Failure> {
    if source.has_hidden_secret() {
        let message =
            "cannot save positions before the run has ended: they would show the run's secret";
        return Err(source.error(None, message).into());
    }
    let mut found = Vec::new();
    let mut requests = HashSet::new();
    source.each_game(|game| -> Result<(), Failure> {
        for position in mistakes_of(source, analysis, bot, &game)? {
            // The same dice come again.
            if requests.insert(position.request.to_string()) {
                found.push(position);
            }
        }
        Ok(())
    })?;
    found.sort_by(|a, b| b.loss.total_cmp(&a.loss));
    found.truncate(MAX_POSITIONS);
    write(path, &found).map_err(|error| FileError::not_written(path, &error))?;
    let count = counted(found.len() as u64, "position");
    console.report(format!("{count} in {}", printable(&path.display().to_string())));
    Ok(())
}

/// The mistakes of the bot in a game.
fn mistakes_of<G: AnalyzedGame + TerminalGame>(
    source: &RunSource,
    analysis: &RunAnalysis<G>,
    bot: &str,
    game: &StoredGame,
) -> Result<Vec<SavedPosition>, Failure> {
    let header = source.header();
    let replay = read_game_line::<G>(&game.line, analysis.rules, &Chance::new(&header.seed));
    let replay = replay.map_err(|error| source.error(game.number, why_unreadable(&error)))?;
    let Some(own) = replay.names.iter().position(|name| name == bot) else { return Ok(Vec::new()) };
    let points = match header.hill.terms.memory {
        Memory::Game => Vec::new(),
        Memory::Set => {
            let before = source.points_before(replay.game)?;
            replay.names.iter().map(|name| before.get(name).copied().unwrap_or(0)).collect()
        }
    };
    let place = PositionPlace {
        rules: &header.hill.terms.rules,
        seed: replay.seed.as_deref().unwrap_or(&header.seed),
        table: replay.table,
        number: replay.game,
        names: &replay.names,
        points: &points,
    };
    let mut play = replay.begin_with_points(analysis.rules, points.clone());
    let mut found = Vec::new();
    for one in &replay.moves {
        if let Move::Acted(action) = one
            && play.turn().is_some_and(|(seat, _)| seat.index() == own)
            && let Some((loss, best)) = G::loss(&analysis.model, play.game(), action)
            && loss >= LEAST_LOSS
        {
            found.extend(SavedPosition::new(&play, &place, action, (six_digits(loss), best)));
        }
        play.repeat(one);
    }
    Ok(found)
}

/// Writes a line for each position.
fn write(path: &Path, positions: &[SavedPosition]) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).open(path)?;
    if file.metadata()?.len() > 0 {
        return Err(std::io::Error::other("already exists and is not empty"));
    }
    let mut file = BufWriter::new(file);
    for position in positions {
        writeln!(file, "{}", printable_json(position)?)?;
    }
    file.flush()
}
