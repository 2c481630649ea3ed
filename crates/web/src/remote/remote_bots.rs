//! The remote bots of all hills.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use dicehill_temporary::TemporaryFolder;
use tracing::error;

use super::remote_bot::RemoteBot;

/// The remote bots of all hills. Dropping it removes the sockets.
pub(crate) struct RemoteBots {
    hills: HashMap<String, Arc<HillBots>>,
    _folder: Option<TemporaryFolder>,
}

/// The remote bots of a hill.
pub(crate) struct HillBots {
    /// The socket at which runs ask for processes; `None` if there can be none.
    socket: Option<PathBuf>,
    begun: Instant,
    bots: Mutex<HashMap<i64, Arc<RemoteBot>>>,
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
            (address.to_owned(), HillBots::listening(folder, address))
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

impl HillBots {
    #[cfg(unix)]
    fn listening(folder: Option<&Path>, address: &str) -> Arc<Self> {
        let path = folder.map(|folder| folder.join(format!("{address}.sock")));
        let listener = path.as_ref().and_then(|path| {
            let bound = tokio::net::UnixListener::bind(path);
            bound
                .map_err(|error| error!("{}: remote bots cannot play: {error}", path.display()))
                .ok()
        });
        let socket = path.filter(|_| listener.is_some());
        let this = Arc::new(Self { socket, begun: Instant::now(), bots: Mutex::default() });
        if let Some(listener) = listener {
            tokio::spawn(super::sessions::accept(listener, Arc::clone(&this)));
        }
        this
    }

    #[cfg(not(unix))]
    fn listening(_folder: Option<&Path>, _address: &str) -> Arc<Self> {
        Arc::new(Self { socket: None, begun: Instant::now(), bots: Mutex::default() })
    }

    /// The socket at which runs ask for processes.
    pub(crate) fn socket(&self) -> Option<&Path> {
        self.socket.as_deref()
    }

    /// The bot that came with an entry, connected or not.
    pub(crate) fn bot(&self, entry: i64) -> Arc<RemoteBot> {
        let mut bots = self.bots.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(bots.entry(entry).or_insert_with(|| Arc::new(RemoteBot::new(self.begun))))
    }

    /// How many bots are connected.
    pub(crate) fn connected(&self) -> usize {
        let bots = self.bots.lock().unwrap_or_else(PoisonError::into_inner);
        bots.values().filter(|bot| bot.is_connected()).count()
    }
}
