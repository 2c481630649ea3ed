//! What a sandboxed child may see and use.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::bot_user::BotUser;
use super::control_groups::{self, ControlGroups};
use super::limits::ResourceLimits;
use super::mechanism::{Mechanism, MissingMechanism};
use super::mode::NetworkAccess;
use crate::files::ownership::closed_above;
use crate::process::disk_usage::DiskUsage;

/// What a sandboxed child may see and use.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Sandbox {
    /// The working folder.
    pub(crate) folder: PathBuf,
    /// Paths that it may read and execute, in addition to its folder.
    pub(crate) readable: Vec<PathBuf>,
    /// Folders that it may write to, with the working folder if that is writable.
    pub(crate) writable: Vec<PathBuf>,
    /// The disk usage of the writable folders when they were first handed over, perhaps to an earlier
    /// process.
    pub(crate) initial_usage: DiskUsage,
    /// Whether it has a private `/tmp`, which is discarded with it.
    pub(crate) has_tmp: bool,
    pub(crate) network: NetworkAccess,
    /// Whether `flock` succeeds and does nothing, because the child is alone in its folders. Otherwise it is refused.
    pub(crate) ignores_locks: bool,
    /// Whether it needs a `/proc`, if need be the host's.
    pub(crate) needs_proc: bool,
    /// Whether it may read all of `/proc`. Otherwise it can follow its links and read its own map of memory.
    pub(crate) reads_proc: bool,
    /// Its user, if the arena runs as root.
    pub(crate) user: BotUser,
    /// Its group, if the arena runs as root: that of the folder if several children share one.
    pub(crate) group: BotUser,
    pub(crate) bounds: ResourceLimits,
    /// Where its control group is created, if it has one.
    pub(crate) groups: Option<ControlGroups>,
    /// Mechanisms that do not work on this machine.
    pub(crate) missing: Vec<Mechanism>,
    /// Whether this is a probe: all steps are tried, and no child is started.
    pub(crate) is_probe: bool,
}

impl Sandbox {
    /// A sandbox around a folder, without the mechanisms that are missing on this machine.
    pub(crate) fn new(
        folder: PathBuf,
        user: BotUser,
        bounds: ResourceLimits,
        missing: &[MissingMechanism],
    ) -> Self {
        let missing: Vec<_> = missing.iter().map(|missing| missing.mechanism).collect();
        let has_group = !missing.contains(&Mechanism::ProcessorAccount);
        Self {
            folder,
            readable: Vec::new(),
            writable: Vec::new(),
            initial_usage: DiskUsage::default(),
            has_tmp: false,
            network: NetworkAccess::None,
            ignores_locks: false,
            needs_proc: false,
            reads_proc: false,
            group: user.clone(),
            user,
            bounds,
            groups: control_groups::of_this_process().ok().filter(|_| has_group).cloned(),
            missing,
            is_probe: false,
        }
    }

    /// Whether its processes, and its supervisor once it only watches, run as a user of their own: the arena runs as root.
    pub(crate) fn changes_user(&self) -> bool {
        let can = !self.is_probe && !self.missing.contains(&Mechanism::OwnUser);
        can && rustix::process::geteuid().is_root()
    }

    /// Refuses folders that the child's user cannot enter: without a mount namespace they are where they are, such as in the home
    /// folder of root.
    ///
    /// # Errors
    /// If there is one.
    pub(crate) fn check_folders(&self) -> io::Result<()> {
        if !self.changes_user() || !self.missing.contains(&Mechanism::MountNamespace) {
            return Ok(());
        }
        let folders = std::iter::once(&self.folder).chain(&self.writable);
        let Some((folder, closed)) = folders
            .filter_map(|folder| Some((folder, closed_above(folder, self.user.number())?)))
            .next()
        else {
            return Ok(());
        };
        let message = format!(
            "its user cannot reach {}, because only the owner of {} may enter it and there is no mount namespace here (see \
             `dicehill doctor`); allow mount namespaces, or run dicehill as an ordinary user instead of root",
            folder.display(),
            closed.display()
        );
        Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
    }

    /// The number of helper processes between the one that the arena starts and the child: the part of the supervisor that
    /// watches, if it is a process of its own, and the init.
    pub(crate) fn helpers(&self) -> usize {
        1 + usize::from(self.changes_user())
    }

    /// Whether the disk usage has grown by more than the limits allow.
    pub(crate) const fn is_exceeded_by(&self, now: DiskUsage) -> bool {
        now.bytes > self.initial_usage.bytes.saturating_add(self.bounds.folder_bytes)
            || now.files > self.initial_usage.files.saturating_add(self.bounds.folder_files)
    }

    /// A sandbox for the probe, in which every mechanism is tried.
    pub(crate) fn for_probe(folder: PathBuf) -> Self {
        let user = BotUser::new();
        Self {
            folder: folder.clone(),
            readable: Vec::new(),
            writable: vec![folder],
            initial_usage: DiskUsage::default(),
            has_tmp: true,
            network: NetworkAccess::None,
            ignores_locks: false,
            needs_proc: false,
            reads_proc: false,
            group: user.clone(),
            user,
            bounds: ResourceLimits::of_bot(64),
            groups: control_groups::of_this_process().ok().cloned(),
            missing: Vec::new(),
            is_probe: true,
        }
    }
}
