//! The files of a folder after a crash: what a process did to them is recorded, and any part of it may be lost.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What a process did to a file, as `disk.c` records it.
pub(super) struct Call {
    kind: u8,
    path: String,
    offset: u64,
    data: Vec<u8>,
}

impl Call {
    /// The calls in a record.
    pub(super) fn read_all(trace: &Path) -> Vec<Self> {
        // There is none if the first call has failed.
        let bytes = fs::read(trace).unwrap_or_default();
        let (mut rest, mut calls) = (bytes.as_slice(), Vec::new());
        let number = |bytes: &[u8]| {
            bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte))
        };
        while let [kind, more @ ..] = rest {
            let [path, offset, length] = [&more[..4], &more[4..12], &more[12..20]].map(number);
            let (text, data) = more[20..].split_at(path as usize);
            let path = String::from_utf8(text.to_vec()).expect("a plain name");
            let (data, after) = data.split_at(length as usize);
            calls.push(Self { kind: *kind, path, offset, data: data.to_vec() });
            rest = after;
        }
        calls
    }

    /// Whether the call writes content.
    pub(super) fn is_write(&self) -> bool {
        self.kind == b'w'
    }

    /// Whether the call belongs to the test itself.
    pub(super) fn is_claim(&self) -> bool {
        self.path == CLAIMS
    }
}

/// The file in which the process notes what it was told to be stored. It survives every crash.
pub(super) const CLAIMS: &str = "claims";

/// What a crash leaves of the calls that were not synced.
#[derive(Clone, Copy, Debug)]
pub(super) enum Loss {
    /// All of it: only the process was killed.
    Nothing,
    /// None of it.
    Unsynced,
    /// The names and lengths of files, with NUL bytes for their content.
    Content,
    /// Each call or not, by chance.
    Some(u64),
}

/// A folder, as its users see it and as a crash would leave it.
#[derive(Clone, Default)]
pub(super) struct Disk {
    files: Vec<FileContent>,
    names: BTreeMap<String, usize>,
    durable_names: BTreeMap<String, usize>,
    pending_names: Vec<NameChange>,
}

#[derive(Clone, Default)]
struct FileContent {
    durable: Vec<u8>,
    pending: Vec<Change>,
    visible: Vec<u8>,
}

#[derive(Clone)]
enum Change {
    Written(u64, Vec<u8>),
    Truncated(u64),
}

#[derive(Clone)]
enum NameChange {
    Added(String, usize),
    Removed(String),
    Renamed(String, String),
}

impl Disk {
    /// The folder as it is, all of it synced.
    pub(super) fn of(folder: &Path) -> Self {
        let mut disk = Self::default();
        for entry in fs::read_dir(folder).expect("a folder") {
            let entry = entry.expect("an entry");
            let content = fs::read(entry.path()).expect("a file");
            let name = entry.file_name().into_string().expect("a plain name");
            disk.names.insert(name, disk.files.len());
            let (durable, visible) = (content.clone(), content);
            disk.files.push(FileContent { durable, visible, pending: Vec::new() });
        }
        disk.durable_names = disk.names.clone();
        disk
    }

    pub(super) fn apply(&mut self, call: &Call) {
        let Call { kind, path, offset, data } = call;
        let changed = match kind {
            b'c' => {
                self.files.push(FileContent::default());
                return self.rename(NameChange::Added(path.clone(), self.files.len() - 1));
            }
            b'u' => return self.rename(NameChange::Removed(path.clone())),
            b'r' => {
                let to = String::from_utf8(data.clone()).expect("a plain name");
                return self.rename(NameChange::Renamed(path.clone(), to));
            }
            b's' if path.is_empty() => {
                let pending = std::mem::take(&mut self.pending_names);
                pending.iter().for_each(|change| change.apply(&mut self.durable_names));
                return;
            }
            b'w' => Some(Change::Written(*offset, data.clone())),
            b't' => Some(Change::Truncated(*offset)),
            b's' | b'S' => None,
            other => panic!("unknown kind {other}"),
        };
        let Some(file) = self.names.get(path).map(|index| &mut self.files[*index]) else { return };
        match changed {
            Some(change) => {
                change.apply(&mut file.visible);
                file.pending.push(change);
            }
            // After a failure the system takes the data for stored, and never tries again.
            None if *kind == b'S' => file.pending.clear(),
            None => file.pending.drain(..).for_each(|change| change.apply(&mut file.durable)),
        }
    }

    fn rename(&mut self, change: NameChange) {
        change.apply(&mut self.names);
        self.pending_names.push(change);
    }

    /// Writes the files that a crash leaves to an empty folder.
    pub(super) fn crash(&self, loss: Loss, folder: &Path) {
        let mut chance = Chance(match loss {
            Loss::Some(seed) => seed,
            Loss::Nothing | Loss::Unsynced | Loss::Content => 0,
        });
        let mut names = self.durable_names.clone();
        for change in &self.pending_names {
            let is_kept = match loss {
                Loss::Nothing | Loss::Content => true,
                Loss::Unsynced => false,
                Loss::Some(_) => chance.flip(),
            };
            if is_kept {
                change.apply(&mut names);
            }
        }
        names.extend(self.names.get(CLAIMS).map(|index| (CLAIMS.to_owned(), *index)));
        for (name, index) in names {
            // Shared memory does not outlive its processes.
            if !name.ends_with("-shm") {
                let is_claims = name == CLAIMS;
                let loss = if is_claims { Loss::Nothing } else { loss };
                let content = self.files[index].after(loss, &mut chance);
                fs::write(folder.join(name), content).expect("it can be written");
            }
        }
    }
}

impl FileContent {
    fn after(&self, loss: Loss, chance: &mut Chance) -> Vec<u8> {
        if matches!(loss, Loss::Nothing) {
            return self.visible.clone();
        }
        let mut content = self.durable.clone();
        for change in &self.pending {
            match loss {
                Loss::Nothing | Loss::Unsynced => {}
                Loss::Content => {
                    let end = change.end().max(content.len());
                    content.resize(end, 0);
                }
                Loss::Some(_) if chance.flip() => change.apply(&mut content),
                Loss::Some(_) => {}
            }
        }
        content
    }
}

impl Change {
    fn end(&self) -> usize {
        match self {
            Self::Written(offset, data) => *offset as usize + data.len(),
            Self::Truncated(length) => *length as usize,
        }
    }

    fn apply(&self, content: &mut Vec<u8>) {
        match self {
            Self::Truncated(length) => content.resize(*length as usize, 0),
            Self::Written(offset, data) => {
                content.resize(content.len().max(self.end()), 0);
                content[*offset as usize..self.end()].copy_from_slice(data);
            }
        }
    }
}

impl NameChange {
    fn apply(&self, names: &mut BTreeMap<String, usize>) {
        match self {
            Self::Added(name, file) => {
                names.insert(name.clone(), *file);
            }
            Self::Removed(name) => {
                names.remove(name);
            }
            Self::Renamed(from, to) => {
                if let Some(file) = names.remove(from) {
                    names.insert(to.clone(), file);
                }
            }
        }
    }
}

/// Pseudorandom numbers, the same each time.
pub(super) struct Chance(pub(super) u64);

impl Chance {
    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % bound
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 0
    }
}
