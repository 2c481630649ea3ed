//! The files of the system that every child may see.

use std::fs;
use std::path::PathBuf;

/// Programs and libraries of the system, with the configuration that runtimes need. They contain nothing
/// about the machine's users or its state.
pub(crate) fn system() -> impl Iterator<Item = PathBuf> {
    SYSTEM.into_iter().map(PathBuf::from).chain(of_java())
}

/// Where Debian and others keep the configuration of JDKs, without which `javac` does not start.
fn of_java() -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir("/etc").into_iter().flatten().filter_map(Result::ok);
    entries
        .filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b"java"))
        .map(|entry| entry.path())
}

/// Paths that are the same on every system.
const SYSTEM: [&str; 21] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/ssl/openssl.cnf",
    "/etc/ssl/certs",
    "/etc/ca-certificates",
    "/etc/pki/tls",
    "/etc/localtime",
    "/etc/timezone",
    // Without it Mono does not find its own libraries.
    "/etc/mono",
    // Debian's list of the libraries of GHC.
    "/var/lib/ghc",
];

/// What the C library reads to find the addresses of names. Only children with a network see it.
pub(crate) const NAME_FILES: [&str; 7] = [
    "/etc/gai.conf",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/protocols",
    "/etc/resolv.conf",
    "/etc/services",
];

/// Devices without state. `/dev/zero` is not among them: mapping it gives memory that counts for no process.
pub(super) const DEVICES: [&str; 3] = ["/dev/null", "/dev/random", "/dev/urandom"];

pub(super) const PROC: &str = "/proc";

/// The map of a process's own memory.
pub(super) const OWN_MAPS: &str = "/proc/self/maps";

pub(super) const TMP: &str = "/tmp";
