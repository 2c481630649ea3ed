//! What child process to start, and its environment.

use std::ffi::OsString;
use std::path::Path;

use crate::isolation::sandbox::Room;

/// What a child finds in its environment, if we have it ourselves.
const ENVIRONMENT: [&str; 7] =
    ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "JAVA_HOME", "PYENV_ROOT"];

/// The same for a build: where its tools keep themselves, and where that is if nobody says.
const TOOLS: [(&str, Option<&str>); 3] =
    [("CARGO_HOME", Some(".cargo")), ("RUSTUP_HOME", Some(".rustup")), ("RUSTUP_TOOLCHAIN", None)];

/// What is to be started.
#[derive(Clone, Debug)]
pub(crate) struct Launch<'a> {
    /// The program and its arguments.
    pub(crate) command: &'a [OsString],
    /// Where it works.
    pub(crate) folder: &'a Path,
    /// Mebibytes of memory for it and all that it starts.
    pub(crate) memory_mb: u64,
    /// How it is kept apart, if it is.
    pub(crate) room: Option<Room>,
    pub(crate) work: Work,
    /// Where cargo keeps itself, if not where the host's does.
    pub(crate) cargo_home: Option<&'a Path>,
}

/// What a child is started for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Work {
    /// To play: it may use the processors only while it owes an answer, where it is kept apart.
    Play,
    /// To build something, or to look into it.
    Build,
}

impl Launch<'_> {
    /// What it finds in its environment.
    pub(super) fn environment(&self) -> Vec<(OsString, OsString)> {
        let found = |key: &str| std::env::var_os(key);
        let known = ENVIRONMENT.iter().filter_map(|key| Some((OsString::from(key), found(key)?)));
        let mut all: Vec<_> = known.collect();
        all.push(("HOME".into(), self.folder.into()));
        if self.work == Work::Build {
            // Tools that are not told where they keep themselves look for it at home.
            let at_home =
                |usual: &str| Some(std::env::home_dir()?.join(usual)).filter(|path| path.is_dir());
            all.extend(TOOLS.iter().filter_map(|(key, usual)| {
                let own = self.cargo_home.filter(|_| *key == "CARGO_HOME").map(OsString::from);
                let place = own.or_else(|| found(key)).or_else(|| Some(at_home((*usual)?)?.into()));
                Some((OsString::from(key), place?))
            }));
        }
        match &self.room {
            // There is no network to ask.
            Some(room) if room.has_tmp => {
                all.push(("TMPDIR".into(), "/tmp".into()));
                all.push(("CARGO_NET_OFFLINE".into(), "true".into()));
            }
            Some(_) => {}
            None => {
                let kept = ["TMPDIR", "CARGO_NET_OFFLINE"].into_iter();
                all.extend(kept.filter_map(|key| Some((key.into(), std::env::var_os(key)?))));
            }
        }
        all
    }
}
