//! `cargo xtask package`: the files that are published.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::{SHIPPED, root, run, target_folder};

/// What a static program for Linux is built for. Its C library is part of it.
const TARGET: &str = "x86_64-unknown-linux-gnu";
const STATIC: &str = "-C target-feature=+crt-static";

/// The folder of the Python package, and where the wheel's executable lies in it while the wheel is built.
const PYTHON: &str = "crates/python";
const SCRIPTS: &str = "crates/python/dicehill.data/scripts";

#[derive(clap::Args)]
pub(crate) struct PackageArgs {
    /// Where the files go
    #[arg(long, value_name = "FOLDER", default_value = "target/package")]
    out: PathBuf,

    /// The cargo profile: `dist` is what is published, `dev` builds faster
    #[arg(long, default_value = SHIPPED)]
    profile: String,
}

/// Builds the static program with its licences in an archive, the wheel, and their checksums.
pub(crate) fn package(args: &PackageArgs) -> Result<(), Box<dyn Error>> {
    let PackageArgs { out, profile } = args;
    let out = root().join(out);
    fs::create_dir_all(&out)?;
    let program = static_program(profile)?;
    archive(&program, &out)?;
    wheel(&program, profile, &out)?;
    checksums(&out)
}

/// Builds the static program.
fn static_program(profile: &str) -> Result<PathBuf, Box<dyn Error>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--locked", "--package", "dicehill", "--target", TARGET]);
    cargo.args(["--profile", profile]).env("RUSTFLAGS", STATIC);
    run(&mut cargo)?;
    // Cargo names the folder of this profile differently.
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target_folder().join(TARGET).join(folder).join("dicehill"))
}

/// Packs the program. Times and owners are fixed, so that equal programs have equal archives.
fn archive(program: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    let name = format!("dicehill-{}-x86_64-linux", env!("CARGO_PKG_VERSION"));
    let folder = out.join(&name);
    fs::create_dir_all(&folder)?;
    fs::copy(program, folder.join("dicehill"))?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(root().join(file), folder.join(file))?;
    }
    let archive = out.join(format!("{name}.tar.gz"));
    let fixed = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"];
    let mut tar = Command::new("tar");
    tar.args(fixed).args(["--use-compress-program", "gzip -9n", "-cf"]).arg(archive);
    run(tar.arg("-C").arg(out).arg(&name))?;
    Ok(fs::remove_dir_all(folder)?)
}

/// Builds the wheel, which contains the program as an executable: it starts itself again as its own helper, so that a
/// script in Python would not do.
fn wheel(program: &Path, profile: &str, out: &Path) -> Result<(), Box<dyn Error>> {
    let scripts = root().join(SCRIPTS);
    fs::create_dir_all(&scripts)?;
    fs::copy(program, scripts.join("dicehill"))?;
    let mut maturin = maturin()?;
    maturin.args(["build", "--locked", "--profile", profile, "--auditwheel", "check"]);
    maturin.args(["--manifest-path", &format!("{PYTHON}/Cargo.toml"), "--out"]).arg(out);
    let built = run(&mut maturin);
    fs::remove_dir_all(scripts.parent().unwrap_or(&scripts))?;
    built
}

/// maturin, installed into the target folder if it is missing.
fn maturin() -> Result<Command, Box<dyn Error>> {
    if Command::new("maturin").arg("--version").output().is_ok_and(|out| out.status.success()) {
        return Ok(Command::new("maturin"));
    }
    let environment = target_folder().join("maturin");
    let installed = environment.join("bin/maturin");
    if !installed.exists() {
        eprintln!("maturin is missing: installing it into {}", environment.display());
        run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
        let mut pip = Command::new(environment.join("bin/pip"));
        run(pip.args(["install", "--quiet", "maturin>=1.16,<2"]))?;
    }
    Ok(Command::new(installed))
}

/// Writes SHA256SUMS, for `sha256sum --check`.
fn checksums(out: &Path) -> Result<(), Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in out.read_dir()? {
        let name = entry?.file_name();
        if name != "SHA256SUMS" {
            names.push(name);
        }
    }
    names.sort();
    let sums = Command::new("sha256sum").arg("--").args(&names).current_dir(out).output()?;
    if !sums.status.success() {
        return Err(format!("sha256sum: {}", sums.status).into());
    }
    fs::write(out.join("SHA256SUMS"), &sums.stdout)?;
    print!("{}", String::from_utf8_lossy(&sums.stdout));
    Ok(())
}
