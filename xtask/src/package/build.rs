//! Builds of static programs that do not depend on the folder in which they are built.

use std::env::consts::ARCH;
use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::tools;
use crate::{root, target_folder};

/// A build for Linux with the C library as part of the program.
///
/// Two builds of equal sources with the same toolchain, C compiler and C library have equal bytes, wherever their
/// folders are: the names of folders that the compiler writes into programs are replaced.
pub struct StaticBuild {
    /// The project's folder.
    pub root: PathBuf,
    /// Where cargo builds.
    pub target_folder: PathBuf,
    /// The cargo profile.
    pub profile: String,
}

impl StaticBuild {
    /// A build of this copy of the project.
    pub fn here(profile: &str) -> Self {
        let (root, target_folder) = (root().to_owned(), target_folder());
        Self { root, target_folder, profile: profile.to_owned() }
    }

    /// Copies the project into a folder, without what git ignores, for a build in there.
    ///
    /// # Errors
    /// If git fails or a file cannot be copied.
    pub fn in_copy(folder: &Path, profile: &str) -> Result<Self, Box<dyn Error>> {
        let mut git = Command::new("git");
        git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let output = git.current_dir(root()).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        let names = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        for name in names.map(OsStr::from_bytes) {
            copy(&root().join(name), &folder.join(name))?;
        }
        let (root, target_folder) = (folder.to_owned(), folder.join("target"));
        Ok(Self { root, target_folder, profile: profile.to_owned() })
    }

    /// The name of the platform.
    pub fn triple(&self) -> String {
        format!("{ARCH}-unknown-linux-gnu")
    }

    /// The folder of the built programs.
    pub fn folder(&self) -> PathBuf {
        // Cargo names the folder of this profile differently.
        let folder = if self.profile == "dev" { "debug" } else { &self.profile };
        self.target_folder.join(self.triple()).join(folder)
    }

    /// Builds what these arguments of `cargo build` select, with a list of its dependencies inside if cargo-auditable is
    /// installed.
    ///
    /// # Errors
    /// If cargo fails.
    pub fn cargo(&self, selection: &[&str]) -> Result<(), Box<dyn Error>> {
        let mut cargo = Command::new(env!("CARGO"));
        if tools::is_installed("cargo-auditable") {
            cargo.arg("auditable");
        }
        cargo.args(["build", "--locked", "--profile", &self.profile, "--target", &self.triple()]);
        cargo.args(selection).current_dir(&self.root);
        cargo.env("CARGO_TARGET_DIR", &self.target_folder).env_remove("RUSTFLAGS");
        cargo.env("CARGO_ENCODED_RUSTFLAGS", self.flags()).envs(tools::fixed_time());
        let status = cargo.status()?;
        if status.success() { Ok(()) } else { Err(format!("{cargo:?}: {status}").into()) }
    }

    /// The flags of the compiler, separated as in `CARGO_ENCODED_RUSTFLAGS`.
    fn flags(&self) -> String {
        let remap =
            |from: PathBuf, to: &str| format!("--remap-path-prefix={}={to}", from.display());
        let mut flags = vec![
            "-Ctarget-feature=+crt-static".to_owned(),
            remap(cargo_home(), "/cargo"),
            remap(self.root.clone(), "/dicehill"),
        ];
        if self.profile == "dist" {
            // The profile's `strip` does not reach packages with settings of their own.
            flags.push("-Cstrip=symbols".to_owned());
        }
        flags.join("\u{1f}")
    }
}

/// Copies a file, and a link as a link. A deleted file that git still lists is left out.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    match from.read_link() {
        Ok(target) => symlink(target, to),
        Err(_) if from.exists() => fs::copy(from, to).map(|_| ()),
        Err(_) => Ok(()),
    }
}

/// Where cargo keeps the sources of dependencies.
fn cargo_home() -> PathBuf {
    let home = || std::env::home_dir().unwrap_or_default().join(".cargo");
    std::env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from)
}
