//! `cargo xtask package`: the files that are published.

mod archive;
mod build;
mod checksums;
mod components;
mod debian;
mod inventory;
mod licences;
mod stage;
mod tools;
mod wheel;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

pub use build::StaticBuild;
pub use components::{Component, Components};
pub use inventory::inventory;
pub use licences::third_party_licences;
pub use stage::staged_files;

use crate::{SHIPPED, SHIPPED_FEATURES, root};
use stage::Stage;

/// The folder and the name of the crate of the Python package.
const PYTHON: &str = "crates/python";
const PYTHON_CRATE: &str = "dicehill-python";
/// The crate of the command.
const COMMAND: &str = "dicehill";

/// The arguments of `cargo xtask package`.
#[derive(clap::Args)]
pub struct PackageArgs {
    /// What is built
    #[arg(value_name = "KIND", value_enum, default_values_t = [Kind::Archive, Kind::Deb, Kind::Wheel])]
    kinds: Vec<Kind>,

    /// Where the files go
    #[arg(long, value_name = "FOLDER", default_value = "target/package")]
    out: PathBuf,

    /// The cargo profile: `dist` is what is published, `dev` builds faster
    #[arg(long, default_value = SHIPPED)]
    profile: String,
}

/// What can be published.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// A tar.gz archive with the program, its completions, man pages and licences
    Archive,
    /// A Debian package with the same
    Deb,
    /// The Python package, with the program
    Wheel,
}

/// Builds the static program, the named packages, the lists of its components (SBOM), and all checksums.
///
/// # Errors
/// If a file cannot be written or a tool fails.
pub fn package(args: &PackageArgs) -> Result<(), Box<dyn Error>> {
    let PackageArgs { kinds, out, profile } = args;
    let out = root().join(out);
    fs::create_dir_all(&out)?;
    let build = StaticBuild::here(profile);
    build.cargo(&["--package", COMMAND, "--features", SHIPPED_FEATURES])?;
    let stage = Stage::fill(&build)?;
    write_inventory(&build, &[COMMAND], &out)?;
    for kind in kinds {
        match kind {
            Kind::Archive => archive::archive(&stage, &build, &out)?,
            Kind::Deb => debian::debian(&build, &out)?,
            Kind::Wheel => {
                write_inventory(&build, &[PYTHON_CRATE], &out)?;
                wheel::wheel(&stage, &build, &out)?;
            }
        }
    }
    checksums::checksums(&out)
}

/// Builds the published wheel into a folder. Returns its path.
///
/// # Errors
/// If a file cannot be written or a tool fails.
pub fn wheel(out: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let (kinds, profile) = (vec![Kind::Wheel], SHIPPED.to_owned());
    package(&PackageArgs { kinds, out: out.to_owned(), profile })?;
    let paths = fs::read_dir(out)?.map(|entry| entry.map(|entry| entry.path()));
    let is_wheel = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "whl");
    let wheel = paths.collect::<Result<Vec<_>, _>>()?.into_iter().find(is_wheel);
    Ok(wheel.ok_or_else(|| format!("no wheel in {}", out.display()))?)
}

/// Writes the software bill of materials of a crate's program or library.
fn write_inventory(build: &StaticBuild, crates: &[&str], out: &Path) -> Result<(), Box<dyn Error>> {
    let components = Components::of(crates, &build.triple())?;
    let (version, triple) = (env!("CARGO_PKG_VERSION"), build.triple());
    let name = format!("{}-{version}-{triple}.cdx.json", crates[0]);
    Ok(fs::write(out.join(name), inventory(&components))?)
}
