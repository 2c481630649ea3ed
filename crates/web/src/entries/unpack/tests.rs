//! Malicious archives.

mod fuzz;

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

/// Unpacks an upload; returns the files with their modes and contents. Checks in any case that nothing outside the folder
/// changed and that the limits were kept.
#[track_caller]
fn unpacked(bytes: &[u8], name: &str) -> Result<Vec<(String, u32, Vec<u8>)>, UnpackError> {
    // In memory where there is such a folder, so that nothing waits for a disk.
    let around = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).unwrap();
    let canary = around.path().join("canary");
    fs::write(&canary, "alive").unwrap();
    let folder = around.path().join("folder");
    fs::create_dir(&folder).unwrap();
    let mut upload = tempfile::tempfile().unwrap();
    upload.write_all(bytes).unwrap();
    let top = unpack(&mut upload, name, &folder);
    let mut siblings: Vec<_> =
        fs::read_dir(around.path()).unwrap().map(|one| one.unwrap().path()).collect();
    siblings.sort();
    assert_eq!(
        siblings,
        [canary.clone(), folder.clone()],
        "nothing was written outside the folder"
    );
    assert_eq!(fs::read(canary).unwrap(), b"alive");
    let mut files = Vec::new();
    let mut entries = 0;
    list(&folder, &mut files, &mut entries);
    assert!(entries <= MAX_FILES, "{entries} files and folders");
    assert!(files.iter().map(|(_, _, content)| content.len() as u64).sum::<u64>() <= MAX_BYTES);
    let top = top?;
    let relative = |(path, mode, content): (PathBuf, u32, Vec<u8>)| {
        let path = path.strip_prefix(&top).expect("everything is below the top");
        (path.to_str().unwrap().to_owned(), mode, content)
    };
    let mut files: Vec<_> = files.into_iter().map(relative).collect();
    files.sort();
    Ok(files)
}

fn list(folder: &Path, files: &mut Vec<(PathBuf, u32, Vec<u8>)>, entries: &mut usize) {
    use std::os::unix::fs::PermissionsExt;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let meta = fs::symlink_metadata(&path).unwrap();
        *entries += 1;
        if meta.is_dir() {
            list(&path, files, entries);
        } else {
            assert!(meta.is_file(), "{} is no regular file", path.display());
            files.push((
                path.clone(),
                meta.permissions().mode() & 0o7777,
                fs::read(&path).unwrap(),
            ));
        }
    }
}

#[track_caller]
fn refused(bytes: &[u8]) -> String {
    match unpacked(bytes, "upload") {
        Ok(files) => {
            let names: Vec<_> = files.into_iter().map(|(name, _, _)| name).collect();
            panic!("taken: {names:?}");
        }
        Err(error) => error.to_string(),
    }
}

fn zip_of(files: &[(&str, &[u8], u32)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, content, mode) in files {
        let options = SimpleFileOptions::default().unix_permissions(*mode);
        if name.ends_with('/') {
            writer.add_directory(*name, options).unwrap();
        } else {
            writer.start_file(*name, options).unwrap();
            writer.write_all(content).unwrap();
        }
    }
    writer.finish().unwrap().into_inner()
}

/// A member of a tar archive with arbitrary headers.
struct RawMember<'a> {
    name: &'a [u8],
    kind: u8,
    link: &'a [u8],
    size: u64,
    content: &'a [u8],
    mode: u32,
    magic: &'a [u8; 8],
}

/// The magic of GNU tar, which stores long names in separate members.
const GNU: &[u8; 8] = b"ustar  \0";

impl Default for RawMember<'_> {
    fn default() -> Self {
        Self {
            name: b"a",
            kind: b'0',
            link: b"",
            size: 0,
            content: b"",
            mode: 0o644,
            magic: b"ustar\x0000",
        }
    }
}

fn tar_of(members: &[RawMember<'_>]) -> Vec<u8> {
    let mut archive = Vec::new();
    for RawMember { name, kind, link, size, content, mode, magic } in members {
        let mut block = [0; 512];
        block[..name.len()].copy_from_slice(name);
        block[100..107].copy_from_slice(format!("{mode:07o}").as_bytes());
        block[124..135].copy_from_slice(format!("{size:011o}").as_bytes());
        block[148..156].copy_from_slice(b"        ");
        block[156] = *kind;
        block[157..157 + link.len()].copy_from_slice(link);
        block[257..265].copy_from_slice(*magic);
        let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
        block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        archive.extend_from_slice(&block);
        archive.extend_from_slice(content);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

fn file<'a>(name: &'a [u8], content: &'a [u8]) -> RawMember<'a> {
    RawMember { name, content, size: content.len() as u64, ..RawMember::default() }
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn usual_archives_are_unpacked() {
    let expected = vec![
        ("lib/a.py".to_owned(), 0o644, b"x = 1\n".to_vec()),
        ("main.py".to_owned(), 0o755, b"import a\n".to_vec()),
    ];
    let zip = zip_of(&[("main.py", b"import a\n", 0o755), ("lib/a.py", b"x = 1\n", 0o600)]);
    assert_eq!(unpacked(&zip, "x").unwrap(), expected);
    let below = zip_of(&[
        ("bot/", b"", 0o755),
        ("bot/main.py", b"import a\n", 0o777),
        ("bot/lib/a.py", b"x = 1\n", 0o644),
        ("__MACOSX/bot/._main.py", b"clutter", 0o644),
        ("bot/.DS_Store", b"clutter", 0o644),
    ]);
    assert_eq!(unpacked(&below, "x").unwrap(), expected, "the only folder is the bot's");
    let tar = tar_of(&[
        RawMember { name: b"./", kind: b'5', mode: 0o755, ..RawMember::default() },
        RawMember { mode: 0o4711, ..file(b"./main.py", b"import a\n") },
        RawMember { name: b"./lib/", kind: b'5', mode: 0o755, ..RawMember::default() },
        file(b"./lib/a.py", b"x = 1\n"),
    ]);
    assert_eq!(unpacked(&tar, "x").unwrap(), expected);
    assert_eq!(unpacked(&gzipped(&tar), "x").unwrap(), expected);
    let single = unpacked(b"import sys\n", "main.py").unwrap();
    assert_eq!(single, [("main.py".to_owned(), 0o755, b"import sys\n".to_vec())]);
}

#[test]
fn paths_cannot_leave_the_folder() {
    let names = [
        "../a",
        "a/../../b",
        "/etc/cron.d/a",
        "C:\\a",
        "a\\..\\b",
        "a\u{202e}b",
        "a\nb",
        "a//b",
        "a/./b",
        "b/..",
        "..",
    ];
    for name in names {
        let zip = zip_of(&[("fine.py", b"", 0o644), (name, b"x", 0o644)]);
        assert!(!refused(&zip).is_empty(), "{name:?}");
        let tar = tar_of(&[file(b"fine.py", b""), file(name.as_bytes(), b"x")]);
        assert!(!refused(&tar).is_empty(), "{name:?}");
    }
    assert!(refused(&tar_of(&[file(b"a\xff", b"")])).contains("not UTF-8"));
    let deep = vec!["d"; 17].join("/");
    assert!(refused(&zip_of(&[(&deep, b"", 0o644)])).contains("more than 16"));
    // GNU tar stores a long name in a member before the one it belongs to.
    let long = [b'a'; 600];
    let named = RawMember {
        name: b"././@LongLink",
        kind: b'L',
        size: 600,
        content: &long,
        magic: GNU,
        ..RawMember::default()
    };
    let gnu = tar_of(&[named, RawMember { magic: GNU, ..file(b"a", b"x") }]);
    assert!(refused(&gnu).contains("longer than"));
}

#[test]
fn only_files_and_folders_are_accepted() {
    for kind in *b"123467SK" {
        let odd = RawMember { name: b"a", kind, link: b"/etc/passwd", ..RawMember::default() };
        assert!(!refused(&tar_of(&[odd])).is_empty(), "{}", kind as char);
    }
    let link = RawMember { name: b"way", kind: b'2', link: b"/tmp", ..RawMember::default() };
    assert!(refused(&tar_of(&[link, file(b"way/a", b"x")])).contains("a link"));
    let mut writer = ZipWriter::new(io::Cursor::new(Vec::new()));
    writer.add_symlink("way", "/tmp", SimpleFileOptions::default()).unwrap();
    writer.start_file("way/a", SimpleFileOptions::default()).unwrap();
    assert!(refused(&writer.finish().unwrap().into_inner()).contains("a link"));
}

#[test]
fn duplicate_names_are_refused() {
    let twice: [&[(&str, &[u8], u32)]; 7] = [
        &[("straße", b"1", 0o644), ("STRASSE", b"2", 0o644)],
        &[("ΟΔΟΣ/a", b"1", 0o644), ("οδος/b", b"2", 0o644)],
        &[("a.py", b"", 0o644), ("A.py", b"", 0o644)],
        &[("d/a", b"", 0o644), ("D/b", b"", 0o644)],
        &[("d", b"", 0o644), ("d/a", b"", 0o644)],
        &[("d/a", b"", 0o644), ("d", b"", 0o644)],
        &[("Ä", b"", 0o644), ("ä", b"", 0o644)],
    ];
    for files in twice {
        assert!(refused(&zip_of(files)).contains("twice"), "{files:?}");
        let members: Vec<_> = files.iter().map(|(name, _, _)| file(name.as_bytes(), b"")).collect();
        assert!(refused(&tar_of(&members)).contains("twice"), "{files:?}");
    }
    assert!(refused(&tar_of(&[file(b"a", b"1"), file(b"a", b"2")])).contains("twice"));
    // The same name twice in the directory of a zip file.
    let mut zip = zip_of(&[("aa", b"1", 0o644), ("bb", b"2", 0o644)]);
    while let Some(at) = zip.windows(2).position(|window| window == b"bb") {
        zip[at..at + 2].copy_from_slice(b"aa");
    }
    refused(&zip);
}

#[test]
fn a_file_with_the_name_of_an_archive_is_one() {
    for name in ["junk.tar.gz", "Bot.ZIP", "bot.7z", "bot.tar.xz"] {
        let error = unpacked(b"\xfd7zXZ\0 or anything else", name).unwrap_err().to_string();
        let start = format!("{name}: its content is no archive that can be unpacked");
        assert!(error.starts_with(&start), "{error}");
    }
    assert!(unpacked(b"print(1)\n", "zip").is_ok(), "a name without an extension");
}

#[test]
fn archive_bombs_are_refused() {
    let zeros = vec![0; 9 << 20];
    let many: Vec<_> = (0..8).map(|number| format!("{number}")).collect();
    let many: Vec<_> = many.iter().map(|name| (name.as_str(), &*zeros, 0o644)).collect();
    let zip = zip_of(&many);
    assert!(zip.len() < 200 << 10, "it is small: {}", zip.len());
    assert!(refused(&zip).contains("more than 64 MiB"));
    let members: Vec<_> = (b'0'..b'8').map(|name| (vec![name], &zeros)).collect();
    let members: Vec<_> = members.iter().map(|(name, content)| file(name, content)).collect();
    assert!(refused(&gzipped(&tar_of(&members))).contains("more than 64 MiB"));
    // A name whose declared length is gigabytes.
    let name =
        RawMember { name: b"x", kind: b'L', size: 7 << 30, magic: GNU, ..RawMember::default() };
    let mut endless = tar_of(&[name]);
    endless.truncate(512);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&endless).unwrap();
    (0..20).for_each(|_| encoder.write_all(&zeros).unwrap());
    assert!(refused(&encoder.finish().unwrap()).contains("more than 64 MiB"));
}

#[test]
fn wrong_sizes_are_refused() {
    for size in [513, 1 << 20, 7 << 30] {
        let said = RawMember { size, ..file(b"a", b"x") };
        assert!(!refused(&tar_of(&[said])[..1024]).is_empty());
    }
    let mut zip = zip_of(&[("a", &[b'x'; 1000], 0o644)]);
    // The unpacked size is in both headers.
    let said = 1000u32.to_le_bytes();
    let places: Vec<_> = (0..zip.len() - 4).filter(|at| zip[*at..at + 4] == said).collect();
    assert!(places.len() >= 2, "{places:?}");
    for wrong in [999u32, 1001, 0, u32::MAX - 1] {
        for place in &places {
            zip[*place..place + 4].copy_from_slice(&wrong.to_le_bytes());
        }
        refused(&zip);
    }
}

#[test]
fn too_many_files_are_refused() {
    let mut writer = ZipWriter::new(io::Cursor::new(Vec::new()));
    let mut tar = Vec::new();
    for number in 0..100_000 {
        let name = format!("{number}");
        writer.start_file(&name, SimpleFileOptions::default()).unwrap();
        if number < 3 * MAX_FILES {
            let mut one = tar_of(&[file(name.as_bytes(), b"")]);
            one.truncate(512);
            tar.extend(one);
        }
    }
    assert!(refused(&writer.finish().unwrap().into_inner()).contains("more than 2000 files"));
    assert!(refused(&tar).contains("more than 2000 files"));
    // Folders that appear only in paths count too.
    let names: Vec<_> = (0..1_900).map(|n| format!("{n}/a/b/c")).collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), &b""[..], 0o644)).collect();
    assert!(refused(&zip_of(&files)).contains("more than 2000 files"));
}

#[test]
fn encrypted_and_empty_uploads_are_refused() {
    assert!(refused(b"").contains("empty"));
    assert!(refused(&zip_of(&[])).contains("empty"));
    assert!(refused(&zip_of(&[("__MACOSX/x", b"", 0o644)])).contains("empty"));
    assert!(refused(&gzipped(b"no archive")).contains("no tar archive"));
    let mut zip = zip_of(&[("a", b"secret", 0o644)]);
    let central = zip.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    (zip[6], zip[central + 8]) = (zip[6] | 1, zip[central + 8] | 1);
    assert!(refused(&zip).contains("encrypted"));
}

#[test]
fn randomly_altered_archives_do_no_harm() {
    let files: [(&str, &[u8], u32); 3] = [
        ("a/main.py", b"print(1)\n", 0o755),
        ("a/b/c.txt", &[7; 3000], 0o644),
        ("a/e/", b"", 0o755),
    ];
    let zip = zip_of(&files);
    let tar = tar_of(&[
        file(b"a/main.py", b"print(1)\n"),
        file(b"a/b/c.txt", &[7; 3000]),
        RawMember { name: b"a/e/", kind: b'5', ..RawMember::default() },
    ]);
    let seeds = [zip, gzipped(&tar), tar];
    let mut random = 0x5eed_u64;
    let mut next = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below as u64) as usize
    };
    let mut taken = 0;
    for round in 0..3_000 {
        let mut bytes = seeds[round % seeds.len()].clone();
        for _ in 0..=next(4) {
            let at = next(bytes.len());
            match next(5) {
                0 => bytes[at] = next(256) as u8,
                1 => bytes[at] ^= 1 << next(8),
                2 => bytes.truncate(at.max(1)),
                3 => drop(bytes.drain(at..(at + next(40)).min(bytes.len()))),
                _ => {
                    let part = bytes[at..(at + 1 + next(60)).min(bytes.len())].to_vec();
                    let to = next(bytes.len());
                    bytes.splice(to..to, part);
                }
            }
            if bytes.is_empty() {
                bytes.push(0);
            }
        }
        taken += usize::from(unpacked(&bytes, "upload").is_ok());
    }
    assert!(taken > 0, "some alterations are harmless");
}
