//! Entrants of a hill, with their files unpacked.

use dicehill_arena::{BotName, Entrant, ProgressLine};
use dicehill_link::{PackedFile, UnpackedFiles, pack};
use dicehill_store::{
    BotKind, BotPreparationError, BotTerms, FileError, HillStore, NewEntrant, StoredEntrant,
    StoredFile,
};

use super::extra_access::ExtraAccess;
use super::loader::{BotLoader, Candidate};
use super::source::{kind_of, source_of};
use crate::console::Console;
use crate::failure::Failure;
use crate::games::TerminalGame;

/// Entrants of a hill. Their files are in folders that are removed on drop.
pub(crate) struct StoredBots {
    bots: Vec<(StoredEntrant, UnpackedFiles)>,
}

impl StoredBots {
    /// Unpacks the files of these entrants, to be started by this loader.
    ///
    /// # Errors
    /// If a file cannot be read or written, or the hill gives one of them a network, secrets or files, and the user does not
    /// trust it with that.
    pub(crate) fn unpack(
        store: &HillStore,
        entrants: Vec<StoredEntrant>,
        loader: &BotLoader,
    ) -> Result<Self, Failure> {
        let unpack = |entrant: StoredEntrant| {
            let files = store.files(entrant.version)?.into_iter().map(packed).collect::<Vec<_>>();
            let failed = |error| FileError::new(store.path(), format!("{}: {error}", entrant.name));
            let folder = UnpackedFiles::new(&files).map_err(failed)?;
            Ok((entrant, folder))
        };
        let bots = entrants.into_iter().map(unpack).collect::<Result<_, FileError>>()?;
        let bots = Self { bots };
        bots.refuse_untrusted(store, loader)?;
        Ok(bots)
    }

    fn refuse_untrusted(&self, store: &HillStore, loader: &BotLoader) -> Result<(), Failure> {
        let access = |(stored, folder): &(StoredEntrant, UnpackedFiles)| {
            Some((stored.name.clone(), loader.untrusted_access(stored, folder.path())?))
        };
        match &*self.bots.iter().filter_map(access).collect::<Vec<_>>() {
            [] => Ok(()),
            untrusted => Err(Failure::Usage(format!(
                "{}: if you trust the hill's maker with them, add --trust-hill",
                given(store, untrusted)
            ))),
        }
    }

    /// The entrants, ready to play.
    ///
    /// # Errors
    /// If one cannot be prepared.
    pub(crate) fn entrants<G: TerminalGame>(
        &self,
        loader: &BotLoader,
        terms: BotTerms<G::Rules>,
    ) -> Result<Vec<Entrant<G>>, Failure> {
        let load = |(stored, folder): &(StoredEntrant, UnpackedFiles)| {
            prepare(stored, folder, loader, terms)
                .map_err(|not_ready| Failure::not_ready(&stored.name, not_ready))
        };
        self.bots.iter().map(load).collect()
    }

    /// The entrants that can be prepared, ready to play. Those at fault themselves are reported and left out: a bot whose
    /// build fails now and then stops no run.
    ///
    /// # Errors
    /// If one cannot be prepared for another reason.
    pub(crate) fn able_entrants<G: TerminalGame>(
        &self,
        loader: &BotLoader,
        terms: BotTerms<G::Rules>,
        console: &Console,
    ) -> Result<Vec<Entrant<G>>, Failure> {
        let mut entrants = Vec::new();
        for (stored, folder) in &self.bots {
            let name = &stored.name;
            match prepare(stored, folder, loader, terms) {
                Ok(entrant) => entrants.push(entrant),
                Err(BotPreparationError { why, is_arena_error: false, key: None }) => {
                    let line = format!("{name} is left out of this run: {why}");
                    let bot = name.to_string();
                    console.report_as(line, |_| ProgressLine::LeftOut { bot, why });
                }
                Err(not_ready) => return Err(Failure::not_ready(name, not_ready)),
            }
        }
        Ok(entrants)
    }
}

/// An entrant, whose files are in this folder.
fn prepare<G: TerminalGame>(
    stored: &StoredEntrant,
    folder: &UnpackedFiles,
    loader: &BotLoader,
    terms: BotTerms<G::Rules>,
) -> Result<Entrant<G>, BotPreparationError> {
    let StoredEntrant { name, kind, author, url, votes, .. } = stored.clone();
    let own_terms = kind.own_terms();
    let program = loader.load::<G>(&name, &kind.with_files_in(folder.path()), terms)?;
    Ok(Entrant { name, program, author, url, votes, own_terms })
}

/// What a hill gives these of its bots.
pub(crate) fn given(store: &HillStore, access: &[(BotName, ExtraAccess)]) -> String {
    let each: Vec<_> = access.iter().map(|(name, access)| format!("{name} {access}")).collect();
    format!("{} gives {}", store.path().display(), each.join(", and "))
}

pub(super) fn packed(StoredFile { path, executable, content }: StoredFile) -> PackedFile {
    PackedFile { path, executable, content }
}

/// A candidate with copies of its files, as a hill stores it.
pub(crate) fn new_entrant<G: TerminalGame>(
    Candidate { entrant, kind }: &Candidate<G>,
) -> Result<NewEntrant, Failure> {
    let Entrant { name, program, author, url, votes, .. } = entrant.clone();
    let (kind, files) = packed_kind(&name, kind)?;
    Ok(NewEntrant {
        name,
        identity: program.identity(),
        kind,
        files,
        author,
        url,
        votes,
        entry: None,
    })
}

/// A bot with copies of its files, to which its paths are relative.
pub(super) fn packed_kind(
    name: &BotName,
    kind: &BotKind,
) -> Result<(BotKind, Vec<StoredFile>), Failure> {
    let Some(source) = source_of(kind) else { return Ok((kind.clone(), Vec::new())) };
    let failed = |error| Failure::Usage(format!("{name}: {error}"));
    let (source, files) = pack(&source).map_err(failed)?;
    let stored =
        |PackedFile { path, executable, content }| StoredFile { path, executable, content };
    Ok((kind_of(source, kind.own_terms()), files.into_iter().map(stored).collect()))
}
