//! All attacks, in the order in which they are reported.

use super::attack::Attack;
use super::attack::Proof::{
    Descriptor, End, File, Hoard, Message, Port, Processor, RelayedProcessor, Space, Survivor, Word,
};
use super::defence::Defence::{
    Allowance, ControlGroup, Landlock, Limits, MountNamespace, NetworkNamespace, NoNewPrivileges,
    PidNamespace, Seccomp, SmallPages, Supervisor, UserNamespace,
};
use super::{
    covert, files, hoards, kernel, kernel_memory, network, processes, relays, remedy, resources,
};

/// All attacks, in the order in which they are reported.
pub const ATTACKS: &[Attack] = &[
    Attack {
        name: "read-passwd",
        what: "reads /etc/passwd",
        meaning: "A bot can read files that are open to every user of this machine, such as its list \
                  of users.",
        remedy: remedy::NAMESPACES,
        defences: &[MountNamespace, Landlock],
        carry_out: files::read_passwd,
        proof: Word,
    },
    Attack {
        name: "read-file",
        what: "reads a file outside its folder",
        meaning: "A bot can read files of the user that runs dicehill, those of other bots included.",
        remedy: remedy::NAMESPACES,
        defences: &[MountNamespace, Landlock],
        carry_out: files::read_foreign,
        proof: Word,
    },
    Attack {
        name: "follow-link",
        what: "reads that file through a link",
        meaning: "A bot can read files of the user that runs dicehill through links in its own folder.",
        remedy: remedy::NAMESPACES,
        defences: &[MountNamespace, Landlock],
        carry_out: files::follow_link,
        proof: Word,
    },
    Attack {
        name: "write-file",
        what: "writes a file outside its folder",
        meaning: "A bot can change files of the user that runs dicehill, the hill and other bots \
                  included.",
        remedy: remedy::NAMESPACES,
        defences: &[MountNamespace, Landlock],
        carry_out: files::write_foreign,
        proof: Word,
    },
    Attack {
        name: "change-mode",
        what: "changes the mode of that file",
        meaning: "A bot can open files of the user that runs dicehill to all users of this machine.",
        remedy: remedy::NAMESPACES,
        defences: &[MountNamespace],
        carry_out: files::change_mode,
        proof: Word,
    },
    Attack {
        name: "remove-file",
        what: "removes a file outside its folder",
        meaning: "A bot can delete files of the user that runs dicehill, the hill and other bots \
                  included.",
        remedy: remedy::NAMESPACES,
        defences: &[MountNamespace, Landlock],
        carry_out: files::remove_foreign,
        proof: Word,
    },
    Attack {
        name: "write-tmp",
        what: "writes to /tmp or /var/tmp",
        meaning: "A bot can leave files in the machine's temporary folders, where other bots can read \
                  them.",
        remedy: remedy::NAMESPACES,
        defences: &[MountNamespace, Landlock],
        carry_out: files::write_temporary,
        proof: File(&["/tmp", "/var/tmp"]),
    },
    Attack {
        name: "write-shm",
        what: "writes to /dev/shm",
        meaning: "A bot can leave files in the machine's shared memory, where other bots can read \
                  them.",
        remedy: remedy::NAMESPACES,
        defences: &[MountNamespace, Landlock],
        carry_out: files::write_shared_memory,
        proof: File(&["/dev/shm"]),
    },
    Attack {
        name: "terminal",
        what: "opens the terminal",
        meaning: "A bot can read from and write to the terminal in which dicehill runs.",
        remedy: remedy::NAMESPACES,
        defences: &[MountNamespace, Landlock],
        carry_out: files::open_terminal,
        proof: Word,
    },
    Attack {
        name: "tcp-connect",
        what: "connects to a TCP port",
        meaning: "A bot can connect to network services that this machine reaches.",
        remedy: remedy::NAMESPACES,
        defences: &[NetworkNamespace, Seccomp],
        carry_out: network::connect,
        proof: Word,
    },
    Attack {
        name: "tcp-listen",
        what: "listens at a TCP port",
        meaning: "A bot can accept connections from other programs.",
        remedy: remedy::NAMESPACES,
        defences: &[NetworkNamespace, Seccomp],
        carry_out: network::listen,
        proof: Port,
    },
    Attack {
        name: "udp-send",
        what: "sends a UDP datagram",
        meaning: "A bot can send data to other programs over the network.",
        remedy: remedy::NAMESPACES,
        defences: &[NetworkNamespace, Seccomp],
        carry_out: network::send_datagram,
        proof: Message,
    },
    Attack {
        name: "unix-socket",
        what: "connects to a socket in a folder",
        meaning: "A bot can talk to services of this machine that listen at a socket in a folder, such \
                  as databases.",
        remedy: remedy::NAMESPACES,
        defences: &[MountNamespace, Landlock],
        carry_out: network::unix_socket,
        proof: Word,
    },
    Attack {
        name: "abstract-socket",
        what: "connects to an abstract socket",
        meaning: "A bot can talk to services of this machine that listen at an abstract socket, such \
                  as a desktop's.",
        remedy: remedy::NAMESPACES,
        defences: &[NetworkNamespace, Landlock],
        carry_out: network::abstract_socket,
        proof: Word,
    },
    Attack {
        name: "socket-protocols",
        what: "opens sockets of other protocols",
        meaning: "A bot can use protocols of the kernel that few programs use and that have had many \
                  errors, or have modules loaded for them.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: network::other_protocols,
        proof: Word,
    },
    Attack {
        name: "see-processes",
        what: "sees other processes",
        meaning: "A bot can see the processes of this machine and their command lines.",
        remedy: remedy::NAMESPACES,
        defences: &[PidNamespace],
        carry_out: processes::see_others,
        proof: Word,
    },
    Attack {
        name: "signal",
        what: "may signal the arena",
        meaning: "A bot can stop or end the arena and other processes of its user.",
        remedy: remedy::NAMESPACES,
        defences: &[PidNamespace, Landlock],
        carry_out: processes::signal,
        proof: Word,
    },
    Attack {
        name: "ptrace",
        what: "traces the arena",
        meaning: "A bot can take control of the arena and decide its own result.",
        remedy: remedy::NAMESPACES,
        defences: &[PidNamespace, Seccomp],
        carry_out: processes::trace,
        proof: Word,
    },
    Attack {
        name: "read-memory",
        what: "reads the arena's memory",
        meaning: "A bot can read the arena's memory, which holds the seed and other players' hidden \
                  dice.",
        remedy: remedy::NAMESPACES,
        defences: &[PidNamespace, Seccomp],
        carry_out: processes::read_memory,
        proof: Word,
    },
    Attack {
        name: "read-environment",
        what: "reads the arena's environment",
        meaning: "A bot can read the arena's environment variables, which may hold passwords and \
                  tokens.",
        remedy: remedy::NAMESPACES,
        defences: &[PidNamespace],
        carry_out: processes::read_environment,
        proof: Word,
    },
    Attack {
        name: "daemon",
        what: "leaves a process behind",
        meaning: "A bot can leave processes running after the run has ended.",
        remedy: remedy::SUPERVISOR,
        defences: &[Supervisor, PidNamespace],
        carry_out: processes::daemon,
        proof: Survivor,
    },
    Attack {
        name: "inherit",
        what: "finds descriptors of the arena",
        meaning: "A bot can use files and connections that the arena has open.",
        remedy: remedy::SUPERVISOR,
        defences: &[Supervisor],
        carry_out: resources::find_descriptors,
        proof: Descriptor,
    },
    Attack {
        name: "setuid",
        what: "runs a program as root",
        meaning: "A bot can start programs that run as root.",
        remedy: remedy::NO_NEW_PRIVILEGES,
        defences: &[NoNewPrivileges, UserNamespace],
        carry_out: processes::setuid,
        proof: Word,
    },
    Attack {
        name: "new-privileges",
        what: "may gain privileges",
        meaning: "A bot can gain privileges from set-user-ID programs.",
        remedy: remedy::NO_NEW_PRIVILEGES,
        defences: &[NoNewPrivileges],
        carry_out: processes::new_privileges,
        proof: Word,
    },
    Attack {
        name: "capabilities",
        what: "has capabilities",
        meaning: "A bot has privileges that ordinary users lack.",
        remedy: remedy::NAMESPACES,
        defences: &[UserNamespace],
        carry_out: processes::capabilities,
        proof: Word,
    },
    Attack {
        name: "memory",
        what: "uses too much memory",
        meaning: "A bot can use more than its `memory_mb` and leave the machine without memory.",
        remedy: remedy::CONTROL_GROUP,
        defences: &[Supervisor, ControlGroup],
        carry_out: resources::use_memory,
        proof: End,
    },
    Attack {
        name: "memory-processes",
        what: "uses too much in several processes",
        meaning: "A bot can use more than its `memory_mb` by sharing it out among several processes.",
        remedy: remedy::CONTROL_GROUP,
        defences: &[Supervisor, ControlGroup],
        carry_out: resources::use_memory_of_many,
        proof: End,
    },
    Attack {
        name: "memory-sockets",
        what: "fills sockets",
        meaning: "A bot can have the kernel hold gibibytes in its sockets, which count for no process.",
        remedy: remedy::CONTROL_GROUP,
        defences: &[Supervisor, ControlGroup],
        carry_out: kernel_memory::fill_sockets,
        proof: End,
    },
    Attack {
        name: "memory-epoll",
        what: "has epoll watch a million descriptors",
        meaning: "A bot can have the kernel hold gibibytes of records of watched descriptors, which count \
                  for no process.",
        remedy: remedy::CONTROL_GROUP,
        defences: &[Supervisor, ControlGroup],
        carry_out: kernel_memory::watch_descriptors,
        proof: End,
    },
    Attack {
        name: "memory-folders",
        what: "reads the first names of a folder that it opens thousands of times",
        meaning: "A bot can have the kernel hold gibibytes of names of files, which count for no process.",
        remedy: remedy::SUPERVISOR,
        defences: &[Supervisor],
        carry_out: kernel_memory::open_folders,
        proof: End,
    },
    Attack {
        name: "memory-pages",
        what: "holds pages of files in pipes",
        meaning: "A bot can hold gibibytes of the system's cache of files, which count for no process.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: kernel_memory::hold_pages,
        proof: Word,
    },
    Attack {
        name: "huge-pages",
        what: "keeps a small part of each of many huge pages",
        meaning: "A bot can have the kernel hold gibibytes of huge pages of which it has given back all but a \
                  small part, and which count for no process.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[SmallPages, Seccomp],
        carry_out: kernel_memory::keep_huge_pages,
        proof: Word,
    },
    Attack {
        name: "huge-page-pool",
        what: "maps pages of the machine's pool of huge pages",
        meaning: "A bot can use all huge pages that the machine keeps for other programs \
                  (`vm.nr_hugepages`), and they count for no process.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: kernel_memory::map_huge_page_pool,
        proof: Word,
    },
    Attack {
        name: "mappings",
        what: "makes too many mappings of memory",
        meaning: "A bot can have the kernel keep records of many mappings in many processes, which the \
                  limit of its memory does not count.",
        remedy: remedy::CONTROL_GROUP,
        defences: &[Supervisor, ControlGroup],
        carry_out: resources::use_mappings,
        proof: End,
    },
    Attack {
        name: "memory-file",
        what: "uses too much in a file in memory",
        meaning: "A bot can use more than its `memory_mb` in files that exist in memory only.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp, Limits],
        carry_out: resources::use_memory_file,
        proof: End,
    },
    Attack {
        name: "processes",
        what: "starts hundreds of processes",
        meaning: "A bot can start so many processes that the machine cannot start others.",
        remedy: remedy::CONTROL_GROUP,
        defences: &[Limits, ControlGroup],
        carry_out: resources::start_processes,
        proof: End,
    },
    Attack {
        name: "threads",
        what: "starts thousands of threads",
        meaning: "A bot can start so many threads that the machine cannot start others.",
        remedy: remedy::CONTROL_GROUP,
        defences: &[Limits, ControlGroup],
        carry_out: resources::start_threads,
        proof: End,
    },
    Attack {
        name: "descriptors",
        what: "opens 100,000 descriptors",
        meaning: "A bot can hold so many files open that they use up memory of the kernel.",
        remedy: remedy::LIMITS,
        defences: &[Limits],
        carry_out: resources::open_descriptors,
        proof: Word,
    },
    Attack {
        name: "fill-disk",
        what: "fills the disk with a file",
        meaning: "A bot can fill the disk with one large file.",
        remedy: remedy::LIMITS,
        defences: &[Limits],
        carry_out: resources::fill_file,
        proof: Space,
    },
    Attack {
        name: "fill-folder",
        what: "fills the disk with files",
        meaning: "A bot can fill the disk with many files.",
        remedy: remedy::DISK,
        defences: &[Supervisor],
        carry_out: hoards::fill_folder,
        proof: Hoard,
    },
    Attack {
        name: "reserve-disk",
        what: "reserves space on the disk in one call",
        meaning: "A bot can fill the disk at once, before a check sees it.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: resources::reserve_space,
        proof: Word,
    },
    Attack {
        name: "hide-files",
        what: "fills the disk with files of a hidden thread",
        meaning: "A bot can fill the disk with open files that have no name.",
        remedy: remedy::DISK,
        defences: &[Supervisor],
        carry_out: hoards::hide_files,
        proof: Hoard,
    },
    Attack {
        name: "hide-descriptors",
        what: "fills the disk with files of a hidden process",
        meaning: "A bot can fill the disk with open files of a process that hides its descriptors.",
        remedy: remedy::DISK,
        defences: &[Supervisor],
        carry_out: hoards::hide_descriptors,
        proof: Hoard,
    },
    Attack {
        name: "separate-descriptors",
        what: "gives a thread descriptors of its own",
        meaning: "A bot can fill the disk and the kernel's memory with open files of a thread that the \
                  others do not share.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: hoards::separate_descriptors,
        proof: Word,
    },
    Attack {
        name: "spin",
        what: "computes when it is not its move",
        meaning: "A bot can compute while its opponents are on the move, which slows them down.",
        remedy: remedy::PROCESSOR,
        defences: &[Allowance],
        carry_out: resources::spin,
        proof: Processor,
    },
    Attack {
        name: "relay",
        what: "computes in processes that end at once",
        meaning: "A bot can compute while its opponents are on the move, in processes that end before \
                  they are measured.",
        remedy: remedy::PROCESSOR,
        defences: &[Allowance],
        carry_out: relays::relay,
        proof: RelayedProcessor,
    },
    Attack {
        name: "relay-unreaped",
        what: "computes in children that are never waited for",
        meaning: "A bot can compute while its opponents are on the move, in children whose time is \
                  added to no process.",
        remedy: remedy::PROCESSOR,
        defences: &[Allowance],
        carry_out: relays::relay_unreaped,
        proof: RelayedProcessor,
    },
    Attack {
        name: "priority",
        what: "takes precedence over others",
        meaning: "A bot can take the processor from other bots and from the arena.",
        remedy: remedy::LIMITS,
        defences: &[Limits, Seccomp],
        carry_out: processes::priority,
        proof: Word,
    },
    Attack {
        name: "load",
        what: "reads the machine's load",
        meaning: "A bot can read how busy the machine is, \
                  which lets colluding bots send each other data.",
        remedy: remedy::NAMESPACES,
        defences: &[PidNamespace, Landlock],
        carry_out: resources::read_load,
        proof: Word,
    },
    Attack {
        name: "sysinfo",
        what: "asks for load and free memory",
        meaning: "A bot can read the machine's load and free memory, \
                  which lets colluding bots send each other data.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: resources::system_information,
        proof: Word,
    },
    Attack {
        name: "own-statistics",
        what: "reads statistics of processors and network",
        meaning: "A bot can read counters of the processors and the network, \
                  which lets colluding bots send each other data.",
        remedy: remedy::LANDLOCK,
        defences: &[Landlock],
        carry_out: covert::own_statistics,
        proof: Word,
    },
    Attack {
        name: "page-map",
        what: "sees which pages others map",
        meaning: "A bot can see which pages of memory others map, \
                  which lets colluding bots send each other data.",
        remedy: remedy::LANDLOCK,
        defences: &[Landlock],
        carry_out: covert::page_map,
        proof: Word,
    },
    Attack {
        name: "file-hint",
        what: "reads a hint that a file carries",
        meaning: "A bot can read and set hints on files that others read, \
                  which lets colluding bots send each other data.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: covert::file_hint,
        proof: Word,
    },
    Attack {
        name: "process-descriptor",
        what: "gets the number of a process's descriptor",
        meaning: "A bot can count the processes of the whole machine, \
                  which lets colluding bots send each other data.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: covert::process_descriptor,
        proof: Word,
    },
    Attack {
        name: "socket-cookie",
        what: "gets the cookie of a socket",
        meaning: "A bot can count the sockets of the whole machine, \
                  which lets colluding bots send each other data.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: covert::socket_cookie,
        proof: Word,
    },
    Attack {
        name: "mount-number",
        what: "gets the unique number of a mount",
        meaning: "A bot can count the mounts of the whole machine, \
                  which lets colluding bots send each other data.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: covert::mount_number,
        proof: Word,
    },
    Attack {
        name: "user-namespace",
        what: "makes a user namespace",
        meaning: "A bot can get capabilities in a user namespace of its own, and with them reach more \
                  of the kernel.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: kernel::user_namespace,
        proof: Word,
    },
    Attack {
        name: "mount",
        what: "mounts a folder",
        meaning: "A bot can mount folders and so change which files its processes see.",
        remedy: remedy::NAMESPACES,
        defences: &[UserNamespace, Seccomp],
        carry_out: kernel::mount,
        proof: Word,
    },
    Attack {
        name: "io-uring",
        what: "sets up an io_uring",
        meaning: "A bot can use io_uring, where vulnerabilities of the kernel are often found.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: kernel::io_uring,
        proof: Word,
    },
    Attack {
        name: "bpf",
        what: "makes a BPF map",
        meaning: "A bot can use bpf, where vulnerabilities of the kernel are often found.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: kernel::bpf,
        proof: Word,
    },
    Attack {
        name: "keyctl",
        what: "makes a keyring",
        meaning: "A bot can keep data in the kernel's keyrings, which no limit of the sandbox counts.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: kernel::keyring,
        proof: Word,
    },
    Attack {
        name: "landlock",
        what: "fills the kernel with rules",
        meaning: "A bot can have the kernel keep rules in memory that only a control group counts.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: kernel::landlock_rules,
        proof: Word,
    },
    Attack {
        name: "filters",
        what: "adds system-call filters",
        meaning: "A bot can have the kernel keep filters that slow down each of its system calls.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: kernel::system_call_filters,
        proof: Word,
    },
    Attack {
        name: "core-dump",
        what: "has the kernel pass on a core dump",
        meaning: "A bot that crashes can start the program in /proc/sys/kernel/core_pattern, if there is \
                  one, as root and with bytes of its choice, or send them to the socket there.",
        remedy: remedy::CORE_DUMPS,
        defences: &[Limits, Seccomp],
        carry_out: kernel::core_dump,
        proof: Word,
    },
    Attack {
        name: "perf-event",
        what: "counts events of the processor",
        meaning: "A bot can count events of the processor, which may tell what other processes \
                  compute.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: kernel::perf_event,
        proof: Word,
    },
    Attack {
        name: "userfaultfd",
        what: "handles page faults itself",
        meaning: "A bot can halt the kernel at a page fault, which helps to exploit vulnerabilities of \
                  the kernel.",
        remedy: remedy::SYSTEM_CALLS,
        defences: &[Seccomp],
        carry_out: kernel::page_faults,
        proof: Word,
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn is_one_sentence(text: &str) -> bool {
        let begins = text.starts_with(|first: char| first.is_ascii_uppercase());
        begins && text.ends_with('.') && !text.contains(". ") && !text.contains("  ")
    }

    #[test]
    fn each_attack_says_what_it_means_and_what_to_do() {
        let names: BTreeSet<_> = ATTACKS.iter().map(|attack| attack.name).collect();
        assert_eq!(names.len(), ATTACKS.len());
        let meanings: BTreeSet<_> = ATTACKS.iter().map(|attack| attack.meaning).collect();
        assert_eq!(meanings.len(), ATTACKS.len());
        for attack in ATTACKS {
            assert!(attack.meaning.starts_with("A bot "), "{}", attack.meaning);
            assert!(is_one_sentence(attack.meaning), "{}", attack.meaning);
            assert!(is_one_sentence(attack.remedy), "{}: {}", attack.name, attack.remedy);
        }
    }
}
