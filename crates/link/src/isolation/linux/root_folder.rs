//! Gives a child a root folder that holds only what it may see.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change,
    mount_remount, unmount,
};
use rustix::thread::UnshareFlags;

use super::namespaces::unshare;
use crate::isolation::limits::{TMP_BYTES, TMP_FILES};
use crate::isolation::sandbox::Sandbox;
use crate::isolation::system_files::{DEVICES, PROC, TMP, system};

/// Where npm, git, pip, Maven and Gradle look for the configuration of an installation.
const TOOL_CONFIGURATION: [&str; 9] = [
    "etc/npmrc",
    "lib/node_modules/npm/npmrc",
    "etc/gitconfig",
    "etc/pip.conf",
    "pip.conf",
    "conf/settings.xml",
    "conf/settings-security.xml",
    "gradle.properties",
    "init.gradle",
];

/// Reads as an empty file.
const EMPTY_FILE: &str = "/dev/null";

/// Where the new root is mounted before it replaces the old one: a folder that exists on every machine.
const MOUNT_POINT: &str = "/tmp";

/// Where the old root is while the new one is assembled.
const OLD_ROOT: &str = "/.old";

/// The mount flags of devices.
const DEVICE_FLAGS: MountFlags = MountFlags::NOSUID.union(MountFlags::NOEXEC);

/// Gives this process a new root folder.
///
/// # Errors
/// If the system refuses, or a path that must be visible does not exist.
pub(super) fn change_root(sandbox: &Sandbox) -> io::Result<()> {
    unshare(UnshareFlags::NEWNS)?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    // Links must be resolved while the old root is the root.
    let visible = visible_paths(sandbox)?;
    let links: Vec<_> =
        system().filter_map(|path| fs::read_link(&path).ok().map(|to| (path, to))).collect();
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", MOUNT_POINT, "tmpfs", flags, c"mode=755,size=1m")?;
    rustix::process::chdir(MOUNT_POINT)?;
    fs::create_dir(&OLD_ROOT[1..])?;
    rustix::process::pivot_root(".", &OLD_ROOT[1..])?;
    rustix::process::chdir("/")?;
    for (link, target) in links {
        create_parent(&link)?;
        symlink(target, link)?;
    }
    if sandbox.has_tmp {
        fs::create_dir_all(TMP)?;
        let options = format!("mode=1777,size={TMP_BYTES},nr_inodes={TMP_FILES}");
        let options = CString::new(options)?;
        mount("tmpfs", TMP, "tmpfs", flags, &*options)?;
    }
    for VisiblePath { place, source, is_writable } in &visible {
        bind(source, place).and_then(|()| protect(place, *is_writable)).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", place.display()))
        })?;
    }
    for device in DEVICES {
        bind_device(device, Path::new(device))?;
    }
    for file in visible.iter().flat_map(|visible| tool_configuration(&visible.place)) {
        bind_device(EMPTY_FILE, &file)?;
    }
    symlink("/proc/self/fd", "/dev/fd")?;
    // A new `/proc` can only be mounted while the old one is visible.
    bind(Path::new(PROC), Path::new(PROC))?;
    unmount(OLD_ROOT, UnmountFlags::DETACH)?;
    fs::remove_dir(OLD_ROOT)?;
    mount_remount("/", MountFlags::BIND | MountFlags::RDONLY | flags, c"")?;
    Ok(())
}

/// Makes a device visible in the new root.
fn bind_device(device: &str, place: &Path) -> io::Result<()> {
    bind(Path::new(device), place)?;
    // A read-only device can still be written to, but its times cannot be changed, which other sandboxes
    // would see.
    mount_remount(place, MountFlags::BIND | MountFlags::RDONLY | DEVICE_FLAGS, c"")?;
    Ok(())
}

/// The configuration files of tools in an installation. They may hold tokens for registries, so they are
/// replaced by empty files.
fn tool_configuration(installation: &Path) -> Vec<PathBuf> {
    // Most visible paths are single files, which are not searched: a start of a child is a hundred calls shorter.
    if !installation.is_dir() {
        return Vec::new();
    }
    let versions = fs::read_dir(installation.join("versions")).into_iter().flatten();
    let versions = versions.filter_map(|version| Some(version.ok()?.path()));
    let local = Some(installation.join("local")).filter(|local| local.is_dir());
    let roots = versions.chain(local).chain([installation.to_owned()]);
    let files = roots.flat_map(|root| TOOL_CONFIGURATION.map(|file| root.join(file)));
    files.filter(|file| file.is_file()).collect()
}

/// A path that is visible in the sandbox.
struct VisiblePath {
    place: PathBuf,
    /// The path without links.
    source: PathBuf,
    is_writable: bool,
}

/// All visible paths, outer folders first, so that inner ones are mounted over them.
fn visible_paths(sandbox: &Sandbox) -> io::Result<Vec<VisiblePath>> {
    let mut visible: Vec<VisiblePath> = Vec::new();
    let system = system().filter(|path| is_no_link(path));
    let readable = sandbox.readable.iter().cloned();
    let optional = system.chain(readable).filter(|path| path.exists());
    let folders = sandbox.writable.iter().chain([&sandbox.folder]).cloned();
    for place in optional.chain(folders) {
        if !place.is_absolute() {
            return Err(io::Error::other(format!("{}: not an absolute path", place.display())));
        }
        let is_writable = sandbox.writable.contains(&place);
        // Under the name by which it is used, and under its real path, to which links of the system lead.
        let source = fs::canonicalize(&place).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", place.display()))
        })?;
        for place in [place, source.clone()] {
            if !visible.iter().any(|other| other.place == place) {
                visible.push(VisiblePath { place, source: source.clone(), is_writable });
            }
        }
    }
    visible.sort_by_cached_key(|one| one.place.components().count());
    Ok(visible)
}

/// Links directly below the root are created as links.
fn is_no_link(path: &Path) -> bool {
    !path.is_symlink()
}

fn create_parent(place: &Path) -> io::Result<()> {
    place.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Mounts something of the old root, given by its real path, in the new one.
fn bind(source: &Path, place: &Path) -> io::Result<()> {
    let source = Path::new(OLD_ROOT).join(source.strip_prefix("/").unwrap_or(source));
    // The contents of a folder that is mounted already exist.
    if !place.exists() {
        create_parent(place)?;
        if source.is_dir() {
            fs::create_dir(place)?;
        } else {
            fs::write(place, "")?;
        }
    }
    mount_bind_recursive(&source, place).map_err(io::Error::from)
}

/// Remounts without set-user-ID programs and devices, and read-only unless it is writable.
fn protect(place: &Path, is_writable: bool) -> io::Result<()> {
    // Restrictions of the existing mount must stay, or the kernel refuses.
    let kept = [
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
        (StatVfsMountFlags::RDONLY, MountFlags::RDONLY),
    ];
    let now = statvfs(place)?.f_flag;
    let kept = kept.into_iter().filter(|(there, _)| now.contains(*there));
    let kept = kept.fold(MountFlags::empty(), |all, (_, flag)| all | flag);
    let flags = MountFlags::BIND | MountFlags::NOSUID | MountFlags::NODEV | kept;
    let flags = if is_writable { flags } else { flags | MountFlags::RDONLY };
    mount_remount(place, flags, c"").map_err(io::Error::from)
}

/// Mounts a `/proc` that shows only the processes of this namespace over the old one.
pub(super) fn mount_proc() -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", PROC, "proc", flags, c"subset=pid").map_err(io::Error::from)
}

/// Unmounts the old `/proc`.
pub(super) fn remove_proc() -> io::Result<()> {
    unmount(PROC, UnmountFlags::DETACH).map_err(io::Error::from)
}
