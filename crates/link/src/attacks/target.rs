//! What an attack is to reach.

use std::ffi::OsString;
use std::path::PathBuf;

/// What the attacking process is to reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AttackTarget {
    /// A foreign folder with the files `canary`, `victim` and `socket`.
    pub(super) folder: PathBuf,
    /// The port of a TCP listener.
    pub(super) tcp: u16,
    /// A UDP port.
    pub(super) udp: u16,
    /// The pid of the process that created the decoys.
    pub(super) doctor: i32,
    /// The address of [`super::decoy::SECRET`] in that process.
    pub(super) secret_at: usize,
    /// Mebibytes of memory that the attack may use.
    pub(super) memory_mb: u64,
    /// Whether crashes are to be reported to a socket.
    pub(super) has_crash_socket: bool,
}

impl AttackTarget {
    /// As arguments of a command line.
    pub(super) fn words(&self) -> Vec<OsString> {
        let numbers = [
            self.tcp.to_string(),
            self.udp.to_string(),
            self.doctor.to_string(),
            self.secret_at.to_string(),
            self.memory_mb.to_string(),
            u8::from(self.has_crash_socket).to_string(),
        ];
        let folder = self.folder.clone().into_os_string();
        std::iter::once(folder).chain(numbers.map(OsString::from)).collect()
    }

    pub(super) fn read(mut words: impl Iterator<Item = OsString>) -> Option<Self> {
        let folder = PathBuf::from(words.next()?);
        let mut number = || words.next()?.to_str().map(str::to_owned);
        Some(Self {
            folder,
            tcp: number()?.parse().ok()?,
            udp: number()?.parse().ok()?,
            doctor: number()?.parse().ok()?,
            secret_at: number()?.parse().ok()?,
            memory_mb: number()?.parse().ok()?,
            has_crash_socket: number()? == "1",
        })
    }

    /// A file that does not belong to the attack.
    pub(super) fn canary(&self) -> PathBuf {
        self.folder.join("canary")
    }

    /// A file name that only these attacks use.
    pub(super) fn mark(&self) -> String {
        mark(self.doctor)
    }
}

/// The name of files outside the temporary folder, and of the abstract socket.
pub(super) fn mark(doctor: i32) -> String {
    format!("dicehill-doctor-{doctor}")
}
