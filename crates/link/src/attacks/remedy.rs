//! What a host does if attacks are open. Each is one sentence, which several attacks share.

pub(super) const NAMESPACES: &str = "Let dicehill create namespaces: install its AppArmor profile where user \
     namespaces are restricted, as on Ubuntu, or set `sysctl user.max_user_namespaces=10000`, or give its \
     container the capability SYS_ADMIN, or start it as root.";

pub(super) const LANDLOCK: &str =
    "Use Linux 5.13 or later with `landlock` among the `lsm=` of the kernel.";

pub(super) const SYSTEM_CALLS: &str = "Use a kernel with seccomp, on x86-64, aarch64 or riscv64.";

pub(super) const CORE_DUMPS: &str = "Start dicehill without a hard limit of 0 for core dumps, as root or \
with `ulimit -c unlimited`, use a kernel with seccomp, and name no socket (`@`) in /proc/sys/kernel/core_pattern.";

pub(super) const NO_NEW_PRIVILEGES: &str = "Use Linux 4.10 or later, which has no_new_privs.";

pub(super) const SUPERVISOR: &str = "Mount /proc where dicehill runs, on a kernel that lists the children of \
     processes there (CONFIG_PROC_CHILDREN).";

pub(super) const CONTROL_GROUP: &str = "Give dicehill a control group of its own, as \
     `packaging/systemd/dicehill.service` does, in which the kernel enforces the limit without delay.";

pub(super) const LIMITS: &str =
    "Start dicehill with hard limits (`ulimit -Ha`) that are not lower than those of the sandbox.";

pub(super) const DISK: &str = "Let TMPDIR name a folder on a file system of its own, so that a bot that writes \
     faster than it is measured fills nothing else.";

pub(super) const PROCESSOR: &str = "Give dicehill a control group of its own, as \
     `packaging/systemd/dicehill.service` does, or let `--jobs` be smaller than the number of cores.";
