//! The archive for any Linux.

use std::error::Error;
use std::path::Path;
use std::process::Command;

use super::StaticBuild;
use super::stage::Stage;
use crate::run;

/// Packs the folder. Times, owners and order are fixed, so that equal files have equal archives.
pub(super) fn archive(
    stage: &Stage,
    build: &StaticBuild,
    out: &Path,
) -> Result<(), Box<dyn Error>> {
    let name = format!("dicehill-{}-{}", env!("CARGO_PKG_VERSION"), build.triple());
    let fixed = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"];
    let mut tar = Command::new("tar");
    tar.args(fixed).args(["--use-compress-program", "gzip -9n"]);
    tar.arg(format!("--transform=s,^stage,{name},")).arg("-cf");
    tar.arg(out.join(format!("{name}.tar.gz"))).arg("-C").arg(build.folder());
    run(tar.arg(stage.folder.file_name().unwrap_or_default()))
}
