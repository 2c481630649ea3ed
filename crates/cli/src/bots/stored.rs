//! Entrants of a hill, with their files unpacked.

use dicehill_arena::{BotName, Entrant};
use dicehill_link::{PackedFile, UnpackedFiles, pack};
use dicehill_store::{
    BotKind, BotPreparationError, BotTerms, FileError, HillStore, NewEntrant, StoredEntrant,
    StoredFile,
};

use super::extra_access::{ExtraAccess, trust_option};
use super::loader::{BotLoader, Candidate};
use super::source::{kind_of, source_of};
use crate::failure::Failure;
use crate::games::TerminalGame;

/// Entrants of a hill. Their files are in folders that are removed on drop.
pub(crate) struct StoredBots {
    bots: Vec<(StoredEntrant, UnpackedFiles)>,
}

/// A bot of a hill that cannot be prepared.
#[derive(Clone, Debug)]
pub(crate) struct UnpreparedBot {
    pub(crate) name: BotName,
    /// Why, which may contain what its build printed.
    pub(crate) why: String,
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
        let uploaded = store.uploaded_bots()?;
        let access = |(stored, folder): &(StoredEntrant, UnpackedFiles)| {
            let access = loader.untrusted_access(stored, folder.path())?;
            let is_uploaded = uploaded.contains(stored.name.as_str());
            let is_lost = is_uploaded && loader.has_lost_environment(&access);
            (!is_lost).then(|| (stored.name.clone(), access))
        };
        match &*self.bots.iter().filter_map(access).collect::<Vec<_>>() {
            [] => Ok(()),
            untrusted => {
                let option = trust_option(untrusted, &store.hill().entries.environments);
                Err(Failure::Usage(format!(
                    "{}: if you trust the hill's maker with them, add {option}",
                    given(store, untrusted)
                )))
            }
        }
    }

    /// The entrants, ready to play, and those that cannot be prepared and are at fault themselves: a bot whose build fails
    /// now and then must not keep the others from playing.
    ///
    /// # Errors
    /// If one cannot be prepared for another reason.
    pub(crate) fn entrants<G: TerminalGame>(
        &self,
        loader: &BotLoader,
        terms: BotTerms<G::Rules>,
    ) -> Result<Vec<Result<Entrant<G>, UnpreparedBot>>, Failure> {
        let load = |(stored, folder): &(StoredEntrant, UnpackedFiles)| {
            let name = &stored.name;
            // All others have been refused.
            if let Some(access) = loader.untrusted_access(stored, folder.path()) {
                let why = format!("no environment of the hill has {access} any more");
                return Ok(Err(UnpreparedBot { name: name.clone(), why }));
            }
            match prepare(stored, folder, loader, terms) {
                Ok(entrant) => Ok(Ok(entrant)),
                // Among them is a house bot that another version of the program had.
                Err(BotPreparationError { why, is_arena_error: false, key: None }) => {
                    Ok(Err(UnpreparedBot { name: name.clone(), why }))
                }
                Err(not_ready) => Err(Failure::not_ready(name, not_ready)),
            }
        };
        self.bots.iter().map(load).collect()
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
