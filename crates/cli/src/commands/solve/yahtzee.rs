//! `dicehill solve yahtzee`: the value of the empty card, and the distribution of optimal scores.

mod document;
mod histogram;
mod plot;
mod report;
mod solved_game;

use std::io::Write;
use std::path::Path;

use dicehill_store::FileError;

use self::document::SolutionDocument;
use self::solved_game::SolvedGame;
use crate::args::{SolveYahtzeeArgs, TextFormat};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::staging::StagedFiles;

pub(super) fn solve(args: &SolveYahtzeeArgs, console: &Console) -> Result<Outcome, Failure> {
    let solved = SolvedGame::new(args.rules);
    if let Some(path) = &args.plot {
        write_plot(&solved, path)?;
    }
    let mut out = console.out();
    match args.format {
        TextFormat::Text => report::write(&solved, &mut out)?,
        TextFormat::Json => {
            let document = serde_json::to_string(&SolutionDocument::of(&solved));
            writeln!(out.verbatim(), "{}", document.map_err(std::io::Error::from)?)?;
        }
    }
    Ok(Outcome::Done)
}

/// Writes the picture as a whole, or not at all.
fn write_plot(solved: &SolvedGame, path: &Path) -> Result<(), Failure> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.filter(|name| name.to_ascii_lowercase().ends_with(".svg"));
    let name = name.ok_or_else(|| FileError::new(path, "--plot draws .svg files"))?;
    let picture = plot::draw(solved).map_err(|error| FileError::new(path, error))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let target = StagedFiles::new(folder.unwrap_or(Path::new(".")))?;
    target.create(name)?.write_all(picture.as_bytes())?;
    Ok(target.keep(&[name.to_owned()])?)
}
