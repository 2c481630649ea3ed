//! The files that an archive, a Debian package and an image have in common, in one folder.

use std::error::Error;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{COMMAND, Components, StaticBuild, inventory, third_party_licences};
use crate::{root, run};

/// The project's files that each package has.
const FILES: [&str; 17] = [
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "examples/public-hill/Caddyfile",
    "examples/public-hill/README.md",
    "examples/public-hill/hill.toml",
    "examples/public-hill/moderation.md",
    "examples/public-hill/nginx.conf",
    "examples/public-hill/override.conf",
    "examples/public-hill/privacy.md",
    "packaging/README.md",
    "packaging/apparmor/dicehill",
    "packaging/debian/copyright",
    "packaging/systemd/dicehill.service",
    "packaging/systemd/dicehill-backup.service",
    "packaging/systemd/dicehill-backup.timer",
];

/// The licences of the parts by other authors.
pub(super) const THIRD_PARTY: &str = "LICENSE-THIRD-PARTY.txt";

/// The names of the program and of its software bill of materials.
const PROGRAM: &str = "dicehill";
const INVENTORY: &str = "dicehill.cdx.json";

/// Completion scripts, and the shells that they are for.
const COMPLETIONS: [(&str, &str); 3] =
    [("bash", "dicehill.bash"), ("fish", "dicehill.fish"), ("zsh", "_dicehill")];

/// The names of the files in the folder, with `dicehill.1.gz` for all man pages.
pub fn staged_files() -> Vec<String> {
    let made = [PROGRAM, "man/dicehill.1.gz", THIRD_PARTY, INVENTORY].map(str::to_owned);
    let completions = COMPLETIONS.map(|(_, file)| format!("completions/{file}"));
    FILES.map(str::to_owned).into_iter().chain(made).chain(completions).collect()
}

/// The filled folder. `[package.metadata.deb]` in `crates/cli/Cargo.toml` names its files.
pub(super) struct Stage {
    pub(super) folder: PathBuf,
}

impl Stage {
    /// Fills the folder next to the built program.
    pub(super) fn fill(build: &StaticBuild) -> Result<Self, Box<dyn Error>> {
        let folder = build.folder().join("stage");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let program = folder.join(PROGRAM);
        fs::create_dir_all(folder.join("completions"))?;
        fs::copy(build.folder().join(PROGRAM), &program)?;
        for file in FILES {
            copy(file, &folder)?;
        }
        for (shell, file) in COMPLETIONS {
            let output = File::create(folder.join("completions").join(file))?;
            run(Command::new(&program).args(["completions", shell]).stdout(output))?;
        }
        run(Command::new(&program).arg("man").arg(folder.join("man")))?;
        run(Command::new("gzip").arg("-9nr").arg(folder.join("man")))?;
        let components = Components::of(&[COMMAND], &build.triple())?;
        fs::write(folder.join(THIRD_PARTY), third_party_licences(&components)?)?;
        fs::write(folder.join(INVENTORY), inventory(&components))?;
        make_readable(&folder, &program)?;
        Ok(Self { folder })
    }
}

fn copy(file: &str, folder: &Path) -> Result<(), Box<dyn Error>> {
    let to = folder.join(file);
    fs::create_dir_all(to.parent().unwrap_or(folder))?;
    fs::copy(root().join(file), to)?;
    Ok(())
}

/// Sets the permissions that packages have, whatever those of the checkout are.
fn make_readable(path: &Path, program: &Path) -> Result<(), Box<dyn Error>> {
    let mode = if path.is_dir() || path == program { 0o755 } else { 0o644 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    if path.is_dir() {
        for entry in path.read_dir()? {
            make_readable(&entry?.path(), program)?;
        }
    }
    Ok(())
}
