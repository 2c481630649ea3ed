//! What takes the place of the sandbox on Unix systems other than Linux, where children run without one: every way into a
//! sandbox is an error. `ExternalBot::prepare` refuses earlier, so that no child gets here.

use std::io;

fn no_sandbox() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "the sandbox needs Linux")
}

pub(crate) mod init {
    use std::ffi::OsString;
    use std::os::unix::net::UnixStream;

    pub(crate) fn init(_: UnixStream, _: impl Iterator<Item = OsString>) -> i32 {
        eprintln!("{}", super::no_sandbox());
        2
    }
}

pub(crate) mod prepare {
    use std::io;

    use crate::isolation::control_group::ControlGroup;
    use crate::isolation::mechanism::MissingMechanism;
    use crate::isolation::sandbox::Sandbox;

    pub(crate) struct PreparedSandbox {
        pub(crate) group: Option<ControlGroup>,
        pub(crate) missing: Vec<MissingMechanism>,
    }

    pub(crate) fn prepare(_: &Sandbox, _supervisor: u32) -> io::Result<PreparedSandbox> {
        Err(super::no_sandbox())
    }
}

pub(crate) mod refused_calls {
    use std::convert::Infallible;
    use std::fs::File;
    use std::io;
    use std::os::fd::BorrowedFd;
    use std::os::unix::net::UnixStream;

    /// There is none: no call is refused.
    pub(crate) struct RefusedCalls(Infallible);

    impl RefusedCalls {
        pub(crate) fn new(never: Infallible, _log: Option<File>) -> Self {
            Self(never)
        }

        pub(crate) fn as_fd(&self) -> BorrowedFd<'_> {
            match self.0 {}
        }

        pub(crate) fn answer(&mut self) -> bool {
            match self.0 {}
        }
    }

    pub(crate) fn open_log() -> Option<File> {
        None
    }

    pub(crate) fn receive(_: &UnixStream, _: &mut [u8]) -> io::Result<(usize, Option<Infallible>)> {
        Err(super::no_sandbox())
    }
}

pub(crate) mod watcher {
    use std::io;

    use rustix::process::Pid;

    use crate::isolation::sandbox::Sandbox;

    pub(crate) fn drop_privileges(_: &Sandbox, _parent: Pid, _init: Pid) -> io::Result<()> {
        Err(super::no_sandbox())
    }
}
