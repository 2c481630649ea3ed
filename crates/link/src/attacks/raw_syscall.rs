//! System calls for which there is no safe function.

use std::io;

use rustix::process::Pid;

/// Makes a system call and returns its result.
///
/// # Errors
/// The error of the kernel.
///
/// # Safety
/// The kernel may read and write memory through the arguments. Each argument that the call takes as an address must be
/// that of a buffer that is live during the call and as long as the call requires, or of memory of another
/// process. The call must not break what Rust relies on, such as the mappings of memory in use.
#[expect(unsafe_code, reason = "the caller decides what the kernel reads and writes")]
pub(super) unsafe fn raw_syscall(number: libc::c_long, arguments: &[usize]) -> io::Result<usize> {
    let argument = |index: usize| arguments.get(index).copied().unwrap_or(0);
    #[expect(unsafe_code, reason = "there is no safe function for what bots may not do anyway")]
    // SAFETY: the caller guarantees that the call with these arguments is sound; unused arguments are 0.
    let result = unsafe {
        libc::syscall(
            number,
            argument(0),
            argument(1),
            argument(2),
            argument(3),
            argument(4),
            argument(5),
        )
    };
    usize::try_from(result).map_err(|_| io::Error::last_os_error())
}

/// The address of a buffer that the kernel is to read or write.
pub(super) fn address<T: ?Sized>(buffer: &mut T) -> usize {
    std::ptr::from_mut(buffer).cast::<u8>().expose_provenance()
}

/// Starts a copy of this process, which does the work and exits. Returns the pid of the copy.
///
/// # Errors
/// The error of the kernel.
///
/// # Safety
/// This process must have one thread: locks that another thread holds would stay locked in the copy.
#[expect(unsafe_code, reason = "only the caller knows how many threads there are")]
pub(super) unsafe fn fork(work: impl FnOnce()) -> io::Result<Pid> {
    #[expect(unsafe_code, reason = "a process is copied")]
    // SAFETY: without flags and a stack, `clone` works like `fork` and takes no addresses. The copy has its own memory,
    // and, as the caller guarantees, no thread is missing in it.
    let pid = unsafe { raw_syscall(libc::SYS_clone, &[libc::SIGCHLD as usize]) }?;
    if pid == 0 {
        work();
        #[expect(unsafe_code, reason = "the copy must not run anything else of this process")]
        // SAFETY: the call takes no addresses and ends the process.
        let _never = unsafe { raw_syscall(libc::SYS_exit_group, &[0]) };
    }
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.ok_or_else(|| io::Error::other("no process number"))
}
