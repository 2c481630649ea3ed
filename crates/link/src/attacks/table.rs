//! All attacks, in the order in which they are reported.

use super::attack::Attack;
use super::attack::Proof::{
    self, Descriptor, End, File, Message, Port, Processor, Space, Survivor, Word,
};
use super::defence::Defence::{
    self, Allowance, ControlGroup, Landlock, Limits, MountNamespace, NetworkNamespace,
    NoNewPrivileges, PidNamespace, Seccomp, Supervisor, UserNamespace,
};
use super::outcome::AttackOutcome;
use super::target::AttackTarget;
use super::{files, kernel, network, processes, resources};

/// All attacks, in the order in which they are reported.
pub const ATTACKS: &[Attack] = &[
    new("read-passwd", "reads /etc/passwd", &[MountNamespace, Landlock], files::read_passwd, Word),
    new(
        "read-file",
        "reads a file outside its folder",
        &[MountNamespace, Landlock],
        files::read_foreign,
        Word,
    ),
    new(
        "follow-link",
        "reads that file through a link",
        &[MountNamespace, Landlock],
        files::follow_link,
        Word,
    ),
    new(
        "write-file",
        "writes a file outside its folder",
        &[MountNamespace, Landlock],
        files::write_foreign,
        Word,
    ),
    new(
        "change-mode",
        "changes the mode of that file",
        &[MountNamespace],
        files::change_mode,
        Word,
    ),
    new(
        "remove-file",
        "removes a file outside its folder",
        &[MountNamespace, Landlock],
        files::remove_foreign,
        Word,
    ),
    new(
        "write-tmp",
        "writes to /tmp or /var/tmp",
        &[MountNamespace, Landlock],
        files::write_temporary,
        File(&["/tmp", "/var/tmp"]),
    ),
    new(
        "write-shm",
        "writes to /dev/shm",
        &[MountNamespace, Landlock],
        files::write_shared_memory,
        File(&["/dev/shm"]),
    ),
    new("terminal", "opens the terminal", &[MountNamespace, Landlock], files::open_terminal, Word),
    new(
        "tcp-connect",
        "connects to a TCP port",
        &[NetworkNamespace, Seccomp],
        network::connect,
        Word,
    ),
    new("tcp-listen", "listens at a TCP port", &[NetworkNamespace, Seccomp], network::listen, Port),
    new(
        "udp-send",
        "sends a UDP datagram",
        &[NetworkNamespace, Seccomp],
        network::send_datagram,
        Message,
    ),
    new(
        "unix-socket",
        "connects to a socket in a folder",
        &[MountNamespace, Landlock],
        network::unix_socket,
        Word,
    ),
    new(
        "abstract-socket",
        "connects to an abstract socket",
        &[NetworkNamespace, Landlock],
        network::abstract_socket,
        Word,
    ),
    new("see-processes", "sees other processes", &[PidNamespace], processes::see_others, Word),
    new("signal", "may signal the arena", &[PidNamespace, Landlock], processes::signal, Word),
    new("ptrace", "traces the arena", &[PidNamespace, Seccomp], processes::trace, Word),
    new(
        "read-memory",
        "reads the arena's memory",
        &[PidNamespace, Seccomp],
        processes::read_memory,
        Word,
    ),
    new(
        "read-environment",
        "reads the arena's environment",
        &[PidNamespace],
        processes::read_environment,
        Word,
    ),
    new(
        "daemon",
        "leaves a process behind",
        &[Supervisor, PidNamespace],
        processes::daemon,
        Survivor,
    ),
    new(
        "inherit",
        "finds descriptors of the arena",
        &[Supervisor],
        resources::find_descriptors,
        Descriptor,
    ),
    new(
        "setuid",
        "runs a program as root",
        &[NoNewPrivileges, UserNamespace],
        processes::setuid,
        Word,
    ),
    new(
        "new-privileges",
        "may gain privileges",
        &[NoNewPrivileges],
        processes::new_privileges,
        Word,
    ),
    new("capabilities", "has capabilities", &[UserNamespace], processes::capabilities, Word),
    new("memory", "uses too much memory", &[Supervisor, ControlGroup], resources::use_memory, End),
    new(
        "memory-processes",
        "uses too much in several processes",
        &[Supervisor, ControlGroup],
        resources::use_memory_of_many,
        End,
    ),
    new(
        "memory-file",
        "uses too much in a file in memory",
        &[Seccomp, Limits],
        resources::use_memory_file,
        End,
    ),
    new(
        "processes",
        "starts hundreds of processes",
        &[Limits, ControlGroup],
        resources::start_processes,
        End,
    ),
    new(
        "threads",
        "starts thousands of threads",
        &[Limits, ControlGroup],
        resources::start_threads,
        End,
    ),
    new("descriptors", "opens 100,000 descriptors", &[Limits], resources::open_descriptors, Word),
    new("fill-disk", "fills the disk with a file", &[Limits], resources::fill_file, Space),
    new("spin", "computes when it is not its move", &[Allowance], resources::spin, Processor),
    new("load", "reads the machine's load", &[PidNamespace, Landlock], resources::read_load, Word),
    new(
        "sysinfo",
        "asks for load and free memory",
        &[Seccomp],
        resources::system_information,
        Word,
    ),
    new("user-namespace", "makes a user namespace", &[Seccomp], kernel::user_namespace, Word),
    new("mount", "mounts a folder", &[UserNamespace, Seccomp], kernel::mount, Word),
    new("io-uring", "sets up an io_uring", &[Seccomp], kernel::io_uring, Word),
    new("bpf", "makes a BPF map", &[Seccomp], kernel::bpf, Word),
    new("keyctl", "makes a keyring", &[Seccomp], kernel::keyring, Word),
    new("perf-event", "counts events of the processor", &[Seccomp], kernel::perf_event, Word),
    new("userfaultfd", "handles page faults itself", &[Seccomp], kernel::page_faults, Word),
];

const fn new(
    name: &'static str,
    what: &'static str,
    defences: &'static [Defence],
    carry_out: fn(&AttackTarget) -> AttackOutcome,
    proof: Proof,
) -> Attack {
    Attack { name, what, defences, carry_out, proof }
}
