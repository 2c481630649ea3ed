//! A bot as a file to upload.

use std::fs;
use std::io;
use std::path::Path;

use dicehill_store::{FileError, FileKind, hint_of_other_kind};
use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};

use crate::system::is_executable;

/// Folders that are not part of a bot: what tools make, and what is hidden.
const LEFT_OUT: [&str; 2] = ["__pycache__", "target"];
/// The deepest folder.
const MAX_DEPTH: usize = 16;

/// The name and the bytes of the file that stands for a bot: the file itself, or an archive of its folder without hidden files and
/// what tools make.
pub(crate) fn packed_bot(path: &Path) -> Result<(String, Vec<u8>), FileError> {
    let failed = |error: io::Error| FileError::new(path, error);
    let hint = hint_of_other_kind(path, FileKind::HillFile);
    if !hint.is_empty() && FileKind::of(path) != Some(FileKind::Archive) {
        return Err(FileError::new(path, format!("not a bot{hint}")));
    }
    let absolute = path.canonicalize().map_err(|error| FileError::not_opened(path, &error))?;
    let name = absolute.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !absolute.is_dir() {
        return Ok((name, fs::read(path).map_err(failed)?));
    }
    let encoder = GzEncoder::new(Vec::new(), Compression::default());
    let mut archive = Builder::new(encoder);
    add_folder(&mut archive, &absolute, Path::new(""), 0)?;
    let bytes = archive.into_inner().and_then(GzEncoder::finish).map_err(failed)?;
    Ok((format!("{name}.tar.gz"), bytes))
}

fn add_folder(
    archive: &mut Builder<GzEncoder<Vec<u8>>>,
    folder: &Path,
    within: &Path,
    depth: usize,
) -> Result<(), FileError> {
    let failed = |error: io::Error| FileError::new(folder, error);
    if depth > MAX_DEPTH {
        return Err(FileError::new(folder, "is nested too deeply for an upload"));
    }
    let mut entries =
        fs::read_dir(folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    // The same folder makes the same archive.
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (name, path) = (entry.file_name(), entry.path());
        let shown = name.to_string_lossy();
        if shown.starts_with('.') || LEFT_OUT.contains(&&*shown) {
            continue;
        }
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_dir() {
            add_folder(archive, &path, &within.join(&name), depth + 1)?;
        } else if kind.is_file() {
            add_file(archive, &path, &within.join(&name))
                .map_err(|error| FileError::new(&path, error))?;
        } else {
            let message = "is not a regular file: an upload may contain only files and folders";
            return Err(FileError::new(&path, message));
        }
    }
    Ok(())
}

fn add_file(
    archive: &mut Builder<GzEncoder<Vec<u8>>>,
    path: &Path,
    within: &Path,
) -> io::Result<()> {
    let content = fs::read(path)?;
    let is_executable = is_executable(&fs::metadata(path)?);
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::Regular);
    header.set_size(content.len() as u64);
    header.set_mode(if is_executable { 0o755 } else { 0o644 });
    archive.append_data(&mut header, within, content.as_slice())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn a_manifest_is_no_bot() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = folder.path().join("bot.toml");
        fs::write(&manifest, "name = \"Mine\"\n").unwrap();
        let refused = packed_bot(&manifest).unwrap_err().to_string();
        assert!(refused.contains("not a bot; it describes a bot, which is named by"), "{refused}");
    }

    #[test]
    fn an_archive_has_the_files_of_a_bot_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let bot = folder.path().join("Mine");
        let kept = ["bot.toml", "node_modules/ms/index.js", "src/main.py"];
        for file in kept.into_iter().chain([".git/config", "__pycache__/x.pyc", "target/y"]) {
            let path = bot.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        let (name, bytes) = packed_bot(&bot).unwrap();
        assert_eq!(name, "Mine.tar.gz");
        let mut archive = tar::Archive::new(GzDecoder::new(bytes.as_slice()));
        let mut found = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut content = String::new();
            entry.read_to_string(&mut content).unwrap();
            assert_eq!(entry.path().unwrap().to_str(), Some(&*content));
            found.push(content);
        }
        assert_eq!(found, kept);
        assert_eq!(packed_bot(&bot).unwrap().1, bytes, "it is the same each time");
        std::os::unix::fs::symlink("/etc/passwd", bot.join("link")).unwrap();
        assert!(packed_bot(&bot).unwrap_err().to_string().contains("not a regular file"));
    }
}
