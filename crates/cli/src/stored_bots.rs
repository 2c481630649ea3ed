//! Entrants of a hill, with their files laid out.

use dicehill_arena::Entrant;
use dicehill_link::{PackedFile, Unpacked, pack};
use dicehill_store::{
    BotKind, FileError, HillStore, HillTerms, NewEntrant, StoredEntrant, StoredFile,
};

use crate::bot_spec::{Candidate, Cast, source};
use crate::failure::Failure;
use crate::terminal_game::TerminalGame;

/// Entrants of a hill. Their files lie in folders that are gone with it.
pub(crate) struct StoredBots {
    bots: Vec<(StoredEntrant, Unpacked)>,
}

impl StoredBots {
    /// Lays out the files of these entrants.
    pub(crate) fn lay_out(
        store: &HillStore,
        entrants: Vec<StoredEntrant>,
    ) -> Result<Self, Failure> {
        let lay_out = |entrant: StoredEntrant| {
            let files = store.files(entrant.version)?.into_iter().map(packed).collect::<Vec<_>>();
            let failed = |error| FileError::new(store.path(), format!("{}: {error}", entrant.name));
            let folder = Unpacked::new(&files).map_err(failed)?;
            Ok((entrant, folder))
        };
        let bots = entrants.into_iter().map(lay_out).collect::<Result<_, FileError>>()?;
        Ok(Self { bots })
    }

    /// The entrants, ready to play.
    pub(crate) fn entrants<G: TerminalGame>(
        &self,
        cast: &Cast,
        terms: HillTerms<G::Rules>,
    ) -> Result<Vec<Entrant<G>>, Failure> {
        let ready = |(stored, folder): &(StoredEntrant, Unpacked)| {
            let StoredEntrant { name, kind, author, url, votes, .. } = stored.clone();
            let kind = kind.laid_out_in(folder.path());
            let program = cast
                .ready::<G>(&name, &kind, terms)
                .map_err(|not_ready| Failure::not_ready(&name, not_ready))?;
            Ok(Entrant { name, program, author, url, votes })
        };
        self.bots.iter().map(ready).collect()
    }
}

fn packed(StoredFile { path, executable, content }: StoredFile) -> PackedFile {
    PackedFile { path, executable, content }
}

/// A candidate with copies of its files.
pub(crate) fn newcomer<G: TerminalGame>(
    Candidate { entrant, kind }: &Candidate<G>,
) -> Result<NewEntrant, Failure> {
    let (kind, files) = match source(kind) {
        None => (kind.clone(), Vec::new()),
        Some(source) => {
            let failed = |error| Failure::Usage(format!("{}: {error}", entrant.name));
            let (source, files) = pack(&source).map_err(failed)?;
            (kind_of(source), files)
        }
    };
    let stored =
        |PackedFile { path, executable, content }| StoredFile { path, executable, content };
    let Entrant { name, program, author, url, votes } = entrant.clone();
    let files = files.into_iter().map(stored).collect();
    Ok(NewEntrant { name, identity: program.identity(), kind, files, author, url, votes })
}

fn kind_of(source: dicehill_link::Source) -> BotKind {
    use dicehill_link::Source;
    match source {
        Source::Command { command, base, dir, build, read } => {
            BotKind::Command { command, base, dir, build, read }
        }
        Source::Java { path, class, read } => BotKind::Java { path, class, read },
    }
}
