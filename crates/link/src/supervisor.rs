//! The supervisor: a helper process that starts a child, limits it, and ends it with everything that it has started.
//!
//! The arena starts its own program again as a supervisor, and the supervisor starts the child: directly, or, if the child
//! is sandboxed, through an init in new namespaces, a copy of the supervisor ([`crate::isolation`]). The arena and the supervisor share a socket at
//! descriptor 3, the supervisor and the init another one. When the arena asks for the end of the child, the supervisor
//! waits for it to exit, then asks it to terminate, then kills it. When the arena is gone, for whatever reason, or the
//! child uses too much memory, the supervisor kills the child at once. In the end it kills every process that the child
//! has left behind: orphans become children of the supervisor, even those that detached themselves, and with an init all
//! processes of its namespace end. The supervisor then reports how the child ended, and exits.
//!
//! If the arena runs as root, the supervisor has two parts ([`mod@two_parts`]). The part that watches becomes the child's
//! user before the child starts ([`crate::isolation::watcher`]).

mod allowance;
pub(crate) mod config;
mod cores;
mod disk_check;
mod init_connection;
mod kernel_check;
mod mapping_check;
mod start;
mod two_parts;
pub(crate) mod watch;
