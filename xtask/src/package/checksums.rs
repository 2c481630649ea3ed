//! The checksums of all published files.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Writes SHA256SUMS, for `sha256sum --check`.
pub(super) fn checksums(out: &Path) -> Result<(), Box<dyn Error>> {
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
