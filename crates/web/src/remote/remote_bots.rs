//! The remote bots of all hills.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use dicehill_temporary::TemporaryFolder;
use tracing::error;

use super::hill_bots::HillBots;

/// The remote bots of all hills. Dropping it removes the sockets.
pub(crate) struct RemoteBots {
    hills: HashMap<String, Arc<HillBots>>,
    _folder: Option<TemporaryFolder>,
}

impl RemoteBots {
    /// None, of no hill.
    pub(crate) fn closed() -> Self {
        Self { hills: HashMap::new(), _folder: None }
    }

    /// Those of the hills with these addresses. For each there is a socket from now on.
    pub(crate) fn open<'a>(hills: impl Iterator<Item = &'a str>) -> Self {
        let folder = private_folder();
        if let Err(error) = &folder {
            error!("remote bots cannot play, because there is no folder for sockets: {error}");
        }
        let folder = folder.ok();
        let of_hill = |address: &str| {
            let folder = folder.as_ref().map(TemporaryFolder::path);
            (address.to_owned(), listening(folder, address))
        };
        Self { hills: hills.map(of_hill).collect(), _folder: folder }
    }

    /// Those of a hill; `None` if it takes none.
    pub(crate) fn of_hill(&self, address: &str) -> Option<&Arc<HillBots>> {
        self.hills.get(address)
    }
}

/// A folder that only the user of the server can enter.
fn private_folder() -> std::io::Result<TemporaryFolder> {
    let folder = TemporaryFolder::new()?;
    #[cfg(unix)]
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(folder)
}

/// The bots of a hill, and from now on the socket in this folder at which its runs ask for their processes.
#[cfg(unix)]
fn listening(folder: Option<&Path>, address: &str) -> Arc<HillBots> {
    let path = folder.map(|folder| folder.join(format!("{address}.sock")));
    let listener = path.as_ref().and_then(|path| {
        let bound = tokio::net::UnixListener::bind(path);
        bound.map_err(|error| error!("{}: remote bots cannot play: {error}", path.display())).ok()
    });
    let bots = Arc::new(HillBots::new(path.filter(|_| listener.is_some())));
    if let Some(listener) = listener {
        tokio::spawn(super::sessions::accept(listener, Arc::clone(&bots)));
    }
    bots
}

#[cfg(not(unix))]
fn listening(_folder: Option<&Path>, _address: &str) -> Arc<HillBots> {
    Arc::new(HillBots::new(None))
}
