//! A run as static pages, which come to their folder when all of them are done.

use std::io::Write;
use std::path::Path;

use dicehill_store::FileError;
use dicehill_web::{PageSink, write_pages};

use super::exported_game::ExportedGame;
use super::recorded::{Recorded, Unfinished};
use super::target::Target;
use crate::progress::ExportProgress;
use crate::text::{counted, printable};

/// Writes the pages to a folder: of the games `wanted`, or of those that somebody may want to see.
pub(crate) fn write<G: ExportedGame>(
    run: &Recorded<'_, G>,
    folder: &Path,
    wanted: &[u64],
) -> Result<(), Unfinished> {
    let mut pages = Pages {
        run,
        target: Target::new(folder)?,
        folder,
        names: Vec::new(),
        progress: ExportProgress::new(run.source.count(), run.console),
    };
    let written = write_pages(run.source, wanted, &mut pages);
    pages.progress.clear();
    written?;
    Ok(pages.keep()?)
}

/// Pages that are being written.
struct Pages<'a, G: ExportedGame> {
    run: &'a Recorded<'a, G>,
    target: Target,
    folder: &'a Path,
    names: Vec<String>,
    progress: ExportProgress,
}

impl<G: ExportedGame> PageSink for Pages<'_, G> {
    type Error = Unfinished;

    fn write(&mut self, name: &str, content: &[u8]) -> Result<(), Unfinished> {
        let written = self.target.create(name)?.write_all(content);
        written.map_err(|error| FileError::new(&self.folder.join(name), error))?;
        self.names.push(name.to_owned());
        Ok(())
    }

    fn advance(&mut self) -> Result<(), Unfinished> {
        self.progress.advance();
        self.run.go_on()
    }
}

impl<G: ExportedGame> Pages<'_, G> {
    fn keep(self) -> Result<(), FileError> {
        self.target.keep(&self.names)?;
        let is_page = |name: &&String| name.ends_with(".html");
        let pages = counted(self.names.iter().filter(is_page).count() as u64, "page");
        let folder = printable(&self.folder.display().to_string());
        self.run.console.tell(format!("{pages} in {folder}, from index.html on"));
        Ok(())
    }
}
