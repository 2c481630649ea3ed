//! The Python package.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::stage::{Stage, THIRD_PARTY};
use super::{COMMAND, Components, PYTHON, PYTHON_CRATE, StaticBuild, third_party_licences, tools};
use crate::{root, run};

/// The oldest C library that the native part is linked for: glibc 2.17, as Rust's standard library.
const PLATFORM: &str = "manylinux_2_17";

/// Where completions are found below an environment's `share`.
const COMPLETIONS: [(&str, &str); 3] = [
    ("dicehill.bash", "bash-completion/completions/dicehill"),
    ("dicehill.fish", "fish/vendor_completions.d/dicehill.fish"),
    ("_dicehill", "zsh/site-functions/_dicehill"),
];

/// Builds the wheel, which contains the program as an executable: it starts itself again as its own helper, so that a
/// script in Python would not do. Its man pages and completions are installed too.
pub(super) fn wheel(stage: &Stage, build: &StaticBuild, out: &Path) -> Result<(), Box<dyn Error>> {
    let added = Added::new(stage, build)?;
    let mut maturin = tools::maturin()?;
    maturin.args(["build", "--locked", "--profile", &build.profile, "--auditwheel", "check"]);
    maturin.args(["--zig", "--compatibility", PLATFORM, "--target", &build.triple()]);
    maturin.args(["--manifest-path", &format!("{PYTHON}/Cargo.toml"), "--out"]).arg(out);
    maturin.env("CARGO_TARGET_DIR", &build.target_folder).envs(tools::fixed_time());
    let built = run(&mut maturin);
    drop(added);
    built
}

/// What lies in the folder of the Python package only while the wheel is built.
struct Added {
    data: PathBuf,
    licences: PathBuf,
}

impl Added {
    fn new(stage: &Stage, build: &StaticBuild) -> Result<Self, Box<dyn Error>> {
        let folder = root().join(PYTHON);
        let added = Self { data: folder.join("dicehill.data"), licences: folder.join(THIRD_PARTY) };
        let scripts = added.data.join("scripts");
        fs::create_dir_all(&scripts)?;
        fs::copy(build.folder().join("dicehill"), scripts.join("dicehill"))?;
        let share = added.data.join("data/share");
        for (file, place) in COMPLETIONS {
            copy(&stage.folder.join("completions").join(file), &share.join(place))?;
        }
        for page in stage.folder.join("man").read_dir()? {
            let page = page?;
            copy(&page.path(), &share.join("man/man1").join(page.file_name()))?;
        }
        let components = Components::of(&[COMMAND, PYTHON_CRATE], &build.triple())?;
        fs::write(&added.licences, third_party_licences(&components)?)?;
        Ok(added)
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::copy(from, to).map(|_bytes| ())
}

impl Drop for Added {
    fn drop(&mut self) {
        // What stays after a failure is overwritten by the next build, and git ignores it.
        let _left = (fs::remove_dir_all(&self.data), fs::remove_file(&self.licences));
    }
}
