//! A run as static pages, which appear in their folder when all of them are complete.

use std::io::Write;
use std::path::Path;

use dicehill_store::{ExportedGame, FileError};
use dicehill_web::PageSink;

use super::exported_run::{ExportedRun, Unfinished};
use crate::console::progress::ExportProgress;
use crate::staging::StagedFiles;
use crate::text::{counted, printable};

/// Writes the pages to a folder, with those of the games `wanted`, or else of notable games.
pub(crate) fn write_pages<G: ExportedGame>(
    run: &ExportedRun<'_, G>,
    folder: &Path,
    wanted: &[u64],
) -> Result<(), Unfinished> {
    let mut pages = StagedPages {
        run,
        target: StagedFiles::new(folder)?,
        folder,
        names: Vec::new(),
        progress: ExportProgress::new(run.source.count(), run.console),
    };
    let written = dicehill_web::write_pages(run.source, wanted, &mut pages);
    pages.progress.clear();
    written?;
    Ok(pages.keep()?)
}

/// The pages written so far.
struct StagedPages<'a, G: ExportedGame> {
    run: &'a ExportedRun<'a, G>,
    target: StagedFiles,
    folder: &'a Path,
    names: Vec<String>,
    progress: ExportProgress,
}

impl<G: ExportedGame> PageSink for StagedPages<'_, G> {
    type Error = Unfinished;

    fn write(&mut self, name: &str, content: &[u8]) -> Result<(), Unfinished> {
        let written = self.target.create(name)?.write_all(content);
        written.map_err(|error| FileError::not_written(&self.folder.join(name), &error))?;
        self.names.push(name.to_owned());
        Ok(())
    }

    fn advance(&mut self) -> Result<(), Unfinished> {
        self.progress.advance();
        self.run.check_interrupt()
    }
}

impl<G: ExportedGame> StagedPages<'_, G> {
    fn keep(self) -> Result<(), FileError> {
        self.target.keep(&self.names)?;
        let is_page = |name: &&String| name.ends_with(".html");
        let pages = counted(self.names.iter().filter(is_page).count() as u64, "page");
        let folder = printable(&self.folder.display().to_string());
        self.run.console.report(format!("{pages} in {folder}; start with index.html"));
        Ok(())
    }
}
