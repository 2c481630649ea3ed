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

use super::limits::TMP_BYTES;
use super::namespaces::unshare;
use super::sandbox::Room;
use super::system_files::{DEVICES, PROC, TMP, system};

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

/// What reads as an empty file.
const NOTHING: &str = "/dev/null";

/// Where the new root is mounted before it takes the old one's place: a folder that is on every machine.
const SITE: &str = "/tmp";

/// Where the old root is while the new one is put together.
const OLD: &str = "/.old";

/// How devices are mounted.
const DEVICE: MountFlags = MountFlags::NOSUID.union(MountFlags::NOEXEC);

/// Gives this process a root of its own.
///
/// # Errors
/// If the system refuses, or something that is to be seen is not there.
pub(super) fn change_root(room: &Room) -> io::Result<()> {
    unshare(UnshareFlags::NEWNS)?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    // Links must be followed while the old root is the root.
    let shown = shown(room)?;
    let links: Vec<_> =
        system().filter_map(|path| fs::read_link(&path).ok().map(|to| (path, to))).collect();
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", SITE, "tmpfs", flags, c"mode=755,size=1m")?;
    rustix::process::chdir(SITE)?;
    fs::create_dir(&OLD[1..])?;
    rustix::process::pivot_root(".", &OLD[1..])?;
    rustix::process::chdir("/")?;
    for (link, target) in links {
        create_parent(&link)?;
        symlink(target, link)?;
    }
    if room.has_tmp {
        fs::create_dir_all(TMP)?;
        let options = CString::new(format!("mode=1777,size={TMP_BYTES}"))?;
        mount("tmpfs", TMP, "tmpfs", flags, &*options)?;
    }
    for Shown { place, source, is_writable } in &shown {
        bind(source, place).and_then(|()| protect(place, *is_writable)).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", place.display()))
        })?;
    }
    for device in DEVICES {
        show_device(device, Path::new(device))?;
    }
    for file in shown.iter().flat_map(|shown| tool_configuration(&shown.place)) {
        show_device(NOTHING, &file)?;
    }
    symlink("/proc/self/fd", "/dev/fd")?;
    // A new one can be mounted only where the old one can be seen.
    bind(Path::new(PROC), Path::new(PROC))?;
    unmount(OLD, UnmountFlags::DETACH)?;
    fs::remove_dir(OLD)?;
    mount_remount("/", MountFlags::BIND | MountFlags::RDONLY | flags, c"")?;
    Ok(())
}

/// Shows a device in the new root.
fn show_device(device: &str, place: &Path) -> io::Result<()> {
    bind(Path::new(device), place)?;
    // It can be written all the same, but not be given other times, which all would see.
    mount_remount(place, MountFlags::BIND | MountFlags::RDONLY | DEVICE, c"")?;
    Ok(())
}

/// The files in an installation by which the host configures its tools. They may hold tokens for registries, so
/// that they read as empty.
fn tool_configuration(installation: &Path) -> Vec<PathBuf> {
    let versions = fs::read_dir(installation.join("versions")).into_iter().flatten();
    let versions = versions.filter_map(|version| Some(version.ok()?.path()));
    let roots = versions.chain([installation.to_owned(), installation.join("local")]);
    let files = roots.flat_map(|root| TOOL_CONFIGURATION.map(|file| root.join(file)));
    files.filter(|file| file.is_file()).collect()
}

/// Something that is to be seen.
struct Shown {
    place: PathBuf,
    /// Where it really is.
    source: PathBuf,
    is_writable: bool,
}

/// All that is to be seen, outer folders first, so that what lies in them comes to lie over them.
fn shown(room: &Room) -> io::Result<Vec<Shown>> {
    let mut shown: Vec<Shown> = Vec::new();
    let system = system().filter(|path| is_shown_itself(path));
    let readable = room.readable.iter().cloned();
    let optional = system.chain(readable).filter(|path| path.exists());
    let folders = room.writable.iter().chain([&room.folder]).cloned();
    for place in optional.chain(folders) {
        if !place.is_absolute() {
            return Err(io::Error::other(format!("{}: not an absolute path", place.display())));
        }
        let is_writable = room.writable.contains(&place);
        // By the name that is used, and by the one to which links of the system lead.
        let source = fs::canonicalize(&place).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", place.display()))
        })?;
        for place in [place, source.clone()] {
            if !shown.iter().any(|other| other.place == place) {
                shown.push(Shown { place, source: source.clone(), is_writable });
            }
        }
    }
    shown.sort_by_cached_key(|one| one.place.components().count());
    Ok(shown)
}

/// Links at the top are links in the new root too.
fn is_shown_itself(path: &Path) -> bool {
    !path.is_symlink()
}

fn create_parent(place: &Path) -> io::Result<()> {
    place.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Shows something of the old root, by its real path, in the new one.
fn bind(source: &Path, place: &Path) -> io::Result<()> {
    let source = Path::new(OLD).join(source.strip_prefix("/").unwrap_or(source));
    // What lies in a folder that is shown already is there.
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

/// Nothing gains rights there, and only what is writable can be written.
fn protect(place: &Path, is_writable: bool) -> io::Result<()> {
    // What is forbidden there already has to stay so.
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

/// Puts a `/proc` in the place of the old one that has nothing but the processes of this namespace.
pub(super) fn mount_proc() -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", PROC, "proc", flags, c"subset=pid").map_err(io::Error::from)
}

/// Takes the old `/proc` away.
pub(super) fn remove_proc() -> io::Result<()> {
    unmount(PROC, UnmountFlags::DETACH).map_err(io::Error::from)
}
