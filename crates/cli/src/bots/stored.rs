//! Entrants of a hill, with their files unpacked.

use dicehill_arena::Entrant;
use dicehill_link::{PackedFile, UnpackedFiles, pack};
use dicehill_store::{BotTerms, FileError, HillStore, NewEntrant, StoredEntrant, StoredFile};

use super::loader::{BotLoader, Candidate};
use super::source::{kind_of, source_of};
use crate::failure::Failure;
use crate::games::TerminalGame;

/// Entrants of a hill. Their files are in folders that are removed on drop.
pub(crate) struct StoredBots {
    bots: Vec<(StoredEntrant, UnpackedFiles)>,
}

impl StoredBots {
    /// Unpacks the files of these entrants.
    pub(crate) fn unpack(store: &HillStore, entrants: Vec<StoredEntrant>) -> Result<Self, Failure> {
        let unpack = |entrant: StoredEntrant| {
            let files = store.files(entrant.version)?.into_iter().map(packed).collect::<Vec<_>>();
            let failed = |error| FileError::new(store.path(), format!("{}: {error}", entrant.name));
            let folder = UnpackedFiles::new(&files).map_err(failed)?;
            Ok((entrant, folder))
        };
        let bots = entrants.into_iter().map(unpack).collect::<Result<_, FileError>>()?;
        Ok(Self { bots })
    }

    /// The entrants, ready to play.
    pub(crate) fn entrants<G: TerminalGame>(
        &self,
        loader: &BotLoader,
        terms: BotTerms<G::Rules>,
    ) -> Result<Vec<Entrant<G>>, Failure> {
        let load = |(stored, folder): &(StoredEntrant, UnpackedFiles)| {
            let StoredEntrant { name, kind, author, url, votes, .. } = stored.clone();
            let own_terms = kind.own_terms();
            let kind = kind.with_files_in(folder.path());
            let program = loader
                .load::<G>(&name, &kind, terms)
                .map_err(|not_ready| Failure::not_ready(&name, not_ready))?;
            Ok(Entrant { name, program, author, url, votes, own_terms })
        };
        self.bots.iter().map(load).collect()
    }
}

fn packed(StoredFile { path, executable, content }: StoredFile) -> PackedFile {
    PackedFile { path, executable, content }
}

/// A candidate with copies of its files, as a hill stores it.
pub(crate) fn new_entrant<G: TerminalGame>(
    Candidate { entrant, kind }: &Candidate<G>,
) -> Result<NewEntrant, Failure> {
    let Entrant { name, program, author, url, votes, own_terms } = entrant.clone();
    let (kind, files) = match source_of(kind) {
        None => (kind.clone(), Vec::new()),
        Some(source) => {
            let failed = |error| Failure::Usage(format!("{name}: {error}"));
            let (source, files) = pack(&source).map_err(failed)?;
            (kind_of(source, own_terms), files)
        }
    };
    let stored =
        |PackedFile { path, executable, content }| StoredFile { path, executable, content };
    let files = files.into_iter().map(stored).collect();
    Ok(NewEntrant { name, identity: program.identity(), kind, files, author, url, votes })
}
