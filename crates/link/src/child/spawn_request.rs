//! What child process to start, and its environment.

use std::ffi::OsString;
use std::path::Path;

use crate::isolation::sandbox::Sandbox;
use crate::secret::Secret;

/// Environment variables that a child gets if the arena has them.
const ENVIRONMENT: [&str; 7] =
    ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "JAVA_HOME", "PYENV_ROOT"];

/// The same for a build: where the tools keep their files, and the default in the home folder.
const TOOLS: [(&str, Option<&str>); 3] =
    [("CARGO_HOME", Some(".cargo")), ("RUSTUP_HOME", Some(".rustup")), ("RUSTUP_TOOLCHAIN", None)];

/// A request to start a child process.
#[derive(Clone, Debug)]
pub(crate) struct SpawnRequest<'a> {
    /// The program and its arguments.
    pub(crate) command: &'a [OsString],
    /// The working folder.
    pub(crate) folder: &'a Path,
    /// Mebibytes of memory for the child and everything that it starts.
    pub(crate) memory_mb: u64,
    /// The sandbox, if the child has one.
    pub(crate) sandbox: Option<Sandbox>,
    pub(crate) work: Work,
    /// The home of cargo, if it is not the host's.
    pub(crate) cargo_home: Option<&'a Path>,
    /// Environment variables for it alone.
    pub(crate) secrets: &'a [Secret],
}

/// What a child is started for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Work {
    /// To play. In a sandbox it may use the processors only while it owes an answer.
    Play,
    /// To build a bot, or to inspect it.
    Build,
}

impl SpawnRequest<'_> {
    /// The environment of the child.
    pub(super) fn environment(&self) -> Vec<(OsString, OsString)> {
        let value_of = |key: &str| std::env::var_os(key);
        let inherited =
            ENVIRONMENT.iter().filter_map(|key| Some((OsString::from(key), value_of(key)?)));
        let mut all: Vec<_> = inherited.collect();
        all.push(("HOME".into(), self.folder.into()));
        let secrets = self.secrets.iter();
        all.extend(secrets.map(|secret| (secret.name().into(), secret.value().into())));
        if self.work == Work::Build {
            // By default, tools look for their files in the home folder, which is another one here.
            let default_path = |default: &str| {
                Some(std::env::home_dir()?.join(default)).filter(|path| path.is_dir())
            };
            all.extend(TOOLS.iter().filter_map(|(key, default)| {
                let given = self.cargo_home.filter(|_| *key == "CARGO_HOME").map(OsString::from);
                let path = given
                    .or_else(|| value_of(key))
                    .or_else(|| Some(default_path((*default)?)?.into()));
                Some((OsString::from(key), path?))
            }));
        }
        match &self.sandbox {
            // A sandbox has no network.
            Some(sandbox) if sandbox.has_tmp => {
                all.push(("TMPDIR".into(), "/tmp".into()));
                all.push(("CARGO_NET_OFFLINE".into(), "true".into()));
                // Incremental compilation locks files, which a sandbox refuses.
                all.push(("CARGO_INCREMENTAL".into(), "0".into()));
            }
            Some(_) => {}
            None => {
                let passed_on = ["TMPDIR", "CARGO_NET_OFFLINE"].into_iter();
                all.extend(passed_on.filter_map(|key| Some((key.into(), std::env::var_os(key)?))));
            }
        }
        all
    }
}
