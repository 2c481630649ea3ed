//! What a sandboxed child may see and use.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::bot_user::next_user;
use super::control_groups::{self, ControlGroups};
use super::limits::Bounds;
use super::mechanism::{Absent, Mechanism};
use crate::process::disk_usage::Stock;

/// Whether bots are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Isolation {
    /// As far as the machine can.
    #[default]
    On,
    /// Not at all: for one's own bots.
    Off,
}

/// How a child is kept apart.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Room {
    /// Where it works.
    pub(crate) folder: PathBuf,
    /// What it may read and run beside its folder.
    pub(crate) readable: Vec<PathBuf>,
    /// What it may write; its folder is among them if it is writable.
    pub(crate) writable: Vec<PathBuf>,
    /// What lay there when it was given away, be it to others before.
    pub(crate) stock: Stock,
    /// Whether it has a `/tmp` of its own, that is gone with it.
    pub(crate) has_tmp: bool,
    /// Whether it cannot do without a `/proc`, be it that of everybody.
    pub(crate) needs_proc: bool,
    /// Its user, if the arena runs as root.
    pub(crate) user: u32,
    pub(crate) bounds: Bounds,
    /// Where its control group is made, if it has one.
    pub(crate) groups: Option<ControlGroups>,
    /// What is known not to work here.
    pub(crate) absent: Vec<Mechanism>,
    /// Whether all is only tried.
    pub(crate) is_survey: bool,
}

impl Room {
    /// A room around a folder, with all that this machine can do.
    pub(crate) fn new(folder: PathBuf, user: u32, bounds: Bounds, absent: &[Absent]) -> Self {
        let absent: Vec<_> = absent.iter().map(|absent| absent.mechanism).collect();
        let has_group = !absent.contains(&Mechanism::ControlGroups);
        Self {
            folder,
            readable: Vec::new(),
            writable: Vec::new(),
            stock: Stock::default(),
            has_tmp: false,
            needs_proc: false,
            user,
            bounds,
            groups: control_groups::of_this_arena().ok().filter(|_| has_group).cloned(),
            absent,
            is_survey: false,
        }
    }

    /// What lies now in the folders that can be written.
    pub(crate) fn stock_now(&self) -> Stock {
        Stock::of(self.writable.iter().map(PathBuf::as_path))
    }

    /// Whether there is far more than at the beginning.
    pub(crate) const fn is_exceeded_by(&self, now: Stock) -> bool {
        now.bytes > self.stock.bytes.saturating_add(self.bounds.folder_bytes)
            || now.files > self.stock.files.saturating_add(self.bounds.folder_files)
    }

    /// One in which everything is tried and nothing is left out.
    pub(crate) fn of_survey(folder: PathBuf) -> Self {
        Self {
            folder: folder.clone(),
            readable: Vec::new(),
            writable: vec![folder],
            stock: Stock::default(),
            has_tmp: true,
            needs_proc: false,
            user: next_user(),
            bounds: Bounds::of_bot(64),
            groups: control_groups::of_this_arena().ok().cloned(),
            absent: Vec::new(),
            is_survey: true,
        }
    }
}
