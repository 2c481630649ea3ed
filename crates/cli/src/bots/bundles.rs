//! Bots that travel to other machines, and arrive here.

use std::collections::BTreeMap;

use dicehill_arena::{BotName, Hill};
use dicehill_link::UnpackedFiles;
use dicehill_store::{BotBundle, BotKind};

use super::extra_access::ExtraAccess;
use super::loader::BotLoader;
use super::stored::{packed, packed_kind};
use crate::failure::Failure;
use crate::games::TerminalGame;

impl BotLoader {
    /// The external bots of a hill that this loader has loaded, with the bytes of their bundles.
    pub(crate) fn bundles<G: TerminalGame>(
        &self,
        hill: &Hill<G>,
    ) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        let external = hill.entrants().iter().filter(|entrant| entrant.program.is_outside());
        let bundle = |name: &BotName| {
            let missing = || Failure::Usage(format!("{name}: its files are not known"));
            let (kind, files) = packed_kind(name, &self.loaded(name).ok_or_else(missing)?)?;
            let bytes = BotBundle { kind, files }.to_bytes().map_err(std::io::Error::other)?;
            Ok((name.to_string(), bytes))
        };
        external.map(|entrant| bundle(&entrant.name)).collect()
    }
}

/// Bots that have arrived, with their files in folders that are removed on drop.
pub(crate) struct ArrivedBots {
    kinds: BTreeMap<BotName, BotKind>,
    _folders: Vec<UnpackedFiles>,
}

impl ArrivedBots {
    /// Unpacks bots, which come with their names.
    ///
    /// # Errors
    /// If one is damaged, or would get a network, secrets or files of this machine and `is_trusted` is false.
    pub(crate) fn unpack(bots: &[(String, Vec<u8>)], is_trusted: bool) -> Result<Self, String> {
        let (mut kinds, mut folders) = (BTreeMap::new(), Vec::new());
        for (name, bytes) in bots {
            let name = BotName::new(name).map_err(|error| error.to_string())?;
            let failed = |why: String| format!("{name}: {why}");
            let BotBundle { kind, files } = BotBundle::from_bytes(bytes).map_err(failed)?;
            let files: Vec<_> = files.into_iter().map(packed).collect();
            let folder = UnpackedFiles::new(&files).map_err(|error| failed(error.to_string()))?;
            let kind = kind.with_files_in(folder.path());
            if let Some(access) = ExtraAccess::of(&kind, folder.path()).filter(|_| !is_trusted) {
                return Err(failed(format!(
                    "needs {access}; `dicehill work --trust-hill` allows it"
                )));
            }
            kinds.insert(name, kind);
            folders.push(folder);
        }
        Ok(Self { kinds, _folders: folders })
    }

    /// What runs the bot of this name.
    pub(crate) fn kind(&self, name: &BotName) -> Option<&BotKind> {
        self.kinds.get(name)
    }
}
