//! The archive for any Linux.

use std::error::Error;
use std::path::Path;
use std::process::Command;

use super::StaticBuild;
use super::stage::Stage;
use super::tools::fixed_time;
use crate::run;

/// Packs the folder. Times, owners and order are fixed, so that equal files have equal archives.
pub(super) fn archive(
    stage: &Stage,
    build: &StaticBuild,
    out: &Path,
) -> Result<(), Box<dyn Error>> {
    let name = format!("dicehill-{}-{}", env!("CARGO_PKG_VERSION"), build.triple());
    let [(_, time)] = fixed_time();
    let time = format!("--mtime=@{time}");
    let fixed = ["--sort=name", &time, "--owner=0", "--group=0", "--numeric-owner"];
    let mut tar = Command::new("tar");
    tar.args(fixed).args(["--use-compress-program", "gzip -9n"]);
    tar.arg(format!("--transform=s,^stage,{name},")).arg("-cf");
    tar.arg(out.join(format!("{name}.tar.gz"))).arg("-C").arg(build.folder());
    run(tar.arg(stage.folder.file_name().unwrap_or_default()))
}
