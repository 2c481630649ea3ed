//! System calls for which there is no safe function.

use std::io;

use rustix::process::Pid;

/// Makes a system call and gives its result.
///
/// Addresses among the arguments are those of buffers that the caller owns and that are as long as
/// the call says.
pub(super) fn raw_syscall(number: libc::c_long, arguments: &[usize]) -> io::Result<usize> {
    let argument = |index: usize| arguments.get(index).copied().unwrap_or(0);
    #[expect(unsafe_code, reason = "there is no safe function for what bots may not do anyway")]
    // SAFETY: the kernel touches no memory but through addresses in the arguments, and those are of
    // live buffers of sufficient length, as this function asks of its few callers beside it.
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

/// Starts a copy of this process, which must have one thread. The copy does the work and ends.
pub(super) fn fork(work: impl FnOnce()) -> io::Result<Pid> {
    let pid = raw_syscall(libc::SYS_clone, &[libc::SIGCHLD as usize])?;
    if pid == 0 {
        work();
        let _never = raw_syscall(libc::SYS_exit_group, &[0]);
    }
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.ok_or_else(|| io::Error::other("no process number"))
}
