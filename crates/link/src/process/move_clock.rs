//! A clock of the time that a bot owes an answer, in memory that the arena and its supervisor share.

use std::io;
use std::mem::size_of;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use rustix::time::{ClockId, clock_gettime};

/// A clock that runs while a process owes an answer. The arena starts and stops it, the supervisor reads it.
/// Both share a page of memory, so that no messages are needed.
pub(crate) struct MoveClock {
    page: NonNull<Page>,
    file: OwnedFd,
}

/// The shared page, initially zeros. All times are nanoseconds of the system's monotonic clock.
#[repr(C)]
struct Page {
    /// How long it has run, up to its last stop.
    before: AtomicU64,
    /// When it was started, or 0 while it is stopped.
    since: AtomicU64,
    /// The core on which the process is to run and 1, or 0 if it is to run on all.
    core: AtomicU64,
}

#[expect(unsafe_code, reason = "the page is reached by a pointer")]
// SAFETY: the page holds only atomic numbers, and in this process only this object refers to it.
unsafe impl Send for MoveClock {}

impl MoveClock {
    /// A stopped clock.
    #[cfg(target_os = "linux")]
    pub(crate) fn new() -> io::Result<Self> {
        use rustix::fs::MemfdFlags;
        let file = rustix::fs::memfd_create("dicehill-move-clock", MemfdFlags::CLOEXEC)?;
        rustix::fs::ftruncate(&file, size_of::<Page>() as u64)?;
        Self::of(file)
    }

    /// Only sandboxed children have a clock.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn new() -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The clock behind an inherited descriptor.
    pub(crate) fn of(file: OwnedFd) -> io::Result<Self> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::SHARED;
        #[expect(unsafe_code, reason = "memory is mapped")]
        // SAFETY: the system chooses the address, so no other mapping is replaced.
        let page =
            unsafe { mmap(std::ptr::null_mut(), size_of::<Page>(), access, flags, &file, 0) }?;
        let page = NonNull::new(page.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { page, file })
    }

    const fn page(&self) -> &Page {
        #[expect(unsafe_code, reason = "the page is reached by a pointer")]
        // SAFETY: the page is mapped as long as this object exists and is aligned to a page; any bytes are
        // valid atomic numbers.
        unsafe {
            self.page.as_ref()
        }
    }

    /// Starts it for an answer; `core` is the one that the arena shares with the process.
    pub(crate) fn start(&self, core: Option<usize>) {
        let page = self.page();
        page.core.store(core.map_or(0, |core| core as u64 + 1), Ordering::Relaxed);
        page.since.store(now(), Ordering::Relaxed);
    }

    pub(crate) fn stop(&self) {
        let page = self.page();
        let ran = now().saturating_sub(page.since.swap(0, Ordering::Relaxed));
        page.before.fetch_add(ran, Ordering::Relaxed);
    }

    /// The arena shares no core with the process any more.
    pub(crate) fn leave_core(&self) {
        self.page().core.store(0, Ordering::Relaxed);
    }

    /// The core that the arena shares with the process, since the clock was started last.
    pub(crate) fn core(&self) -> Option<usize> {
        usize::try_from(self.page().core.load(Ordering::Relaxed).checked_sub(1)?).ok()
    }

    /// How long it has run.
    pub(crate) fn elapsed(&self) -> Duration {
        let page = self.page();
        let running = match page.since.load(Ordering::Relaxed) {
            0 => 0,
            since => now().saturating_sub(since),
        };
        Duration::from_nanos(page.before.load(Ordering::Relaxed) + running)
    }
}

impl AsFd for MoveClock {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Drop for MoveClock {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "memory is unmapped")]
        // SAFETY: this object mapped the page, and no reference to it is left.
        let _unmapped = unsafe { munmap(self.page.as_ptr().cast(), size_of::<Page>()) };
    }
}

fn now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn both_processes_see_the_same_time() {
        let ours = MoveClock::new().unwrap();
        let theirs = MoveClock::of(ours.as_fd().try_clone_to_owned().unwrap()).unwrap();
        assert_eq!(theirs.elapsed(), Duration::ZERO);
        ours.start(Some(0));
        std::thread::sleep(Duration::from_millis(2));
        assert!(theirs.elapsed() >= Duration::from_millis(2));
        assert_eq!(theirs.core(), Some(0));
        ours.stop();
        let stopped = theirs.elapsed();
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!((theirs.elapsed(), ours.elapsed()), (stopped, stopped));
        ours.start(Some(1));
        ours.leave_core();
        assert_eq!(theirs.core(), None);
        ours.start(None);
        assert_eq!(theirs.core(), None);
    }
}
