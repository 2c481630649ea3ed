//! Restricts a child to its files, and without access to the network to no TCP port, by Landlock.

use std::io;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, PathFd,
    RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr, Scope,
};

use crate::isolation::mode::NetworkAccess;
use crate::isolation::sandbox::Sandbox;
use crate::isolation::system_files::{DEVICES, OWN_MAPS, PROC, TMP, system};

/// The newest version of Landlock that is used.
const NEWEST: ABI = ABI::V6;

/// Which kinds of rules the kernel supports.
#[derive(Clone, Copy, Debug)]
pub(super) struct SupportedRules {
    pub(super) network: bool,
    pub(super) scope: bool,
}

/// What no port may be used for, as there are no rules for ports.
fn refused_ports(network: NetworkAccess) -> BitFlags<AccessNet> {
    match network {
        NetworkAccess::None => AccessNet::from_all(NEWEST),
        NetworkAccess::Host => AccessNet::BindTcp.into(),
    }
}

/// Restricts this process and all its future descendants. Must be called by the first process of the child.
///
/// # Errors
/// If the kernel has no Landlock, or a rule is refused.
pub(super) fn set(sandbox: &Sandbox, has_own_files: bool) -> io::Result<SupportedRules> {
    let rules = || -> Result<RestrictionStatus, landlock::RulesetError> {
        let mut rules = Ruleset::default()
            .handle_access(AccessFs::from_all(NEWEST))?
            .handle_access(refused_ports(sandbox.network))?
            .scope(Scope::from_all(NEWEST))?
            .create()?;
        let read = AccessFs::from_read(NEWEST);
        let write = AccessFs::from_all(NEWEST);
        let device = AccessFs::ReadFile | AccessFs::WriteFile;
        let system = system().map(|path| (path, read));
        // The first process alone may read its map, where runtimes look for their stack: rules are for the files of one
        // process, and other files of `/proc` show what other bots do with the files and processors of the machine.
        // Links, such as `/proc/self/exe` and `/proc/self/fd`, can be followed without a rule.
        let proc = if sandbox.reads_proc { PROC } else { OWN_MAPS };
        let proc = std::iter::once((proc.into(), read));
        let readable = sandbox.readable.iter().map(|path| (path.clone(), read));
        let folder = Some((sandbox.folder.clone(), read));
        let writable = sandbox.writable.iter().map(|path| (path.clone(), write));
        let tmp = (sandbox.has_tmp && has_own_files).then_some((TMP.into(), write));
        let devices = DEVICES.iter().map(|path| (path.into(), device));
        let all = system.chain(proc).chain(readable).chain(folder).chain(writable);
        for (path, access) in all.chain(tmp).chain(devices) {
            // A path that does not exist needs no rule.
            if let Ok(open) = PathFd::new(&path) {
                let of_file = AccessFs::from_file(NEWEST);
                let access = if path.is_dir() { access } else { access & of_file };
                rules = rules.add_rule(PathBeneath::new(open, access))?;
            }
        }
        rules.restrict_self()
    };
    let status = rules().map_err(io::Error::other)?;
    match status.landlock {
        LandlockStatus::Available { effective_abi, .. } => Ok(SupportedRules {
            network: effective_abi >= ABI::V4,
            scope: effective_abi >= ABI::V6,
        }),
        LandlockStatus::NotEnabled => Err(io::Error::other("Landlock is not enabled")),
        LandlockStatus::NotImplemented => Err(io::Error::other("the kernel has no Landlock")),
    }
}
