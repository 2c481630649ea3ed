"""A bot for both games that plays legally and, at its first turn, tries to escape from its sandbox.

usage: attacker.py ATTACK,ATTACK,... [KEY=VALUE]...

The attacks, their reports and their arguments are those of attacker.c. Additional arguments:
  report=FILE  the bot does not play: it attacks at once and writes its report to this
               file (as part of a build)
  tell=FILE    the bot prints the content of such a report at its first turn
"""

import ctypes
import errno
import fcntl
import gc
import json
import mmap
import os
import platform
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

MIB = 1 << 20
# More than this is a breach, so that a few more are tried.
MOST_PROCESSES, TRIED_PROCESSES = 200, 256
MOST_DESCRIPTORS, TRIED_DESCRIPTORS = 4096, 100_000
# Mebibytes.
MOST_IN_FILES, TRIED_IN_FILES = 256, 272
TRIED_IN_MEMORY, STEP, LARGE_STEP, HOGS = 1280, 16, 64, 8
# Seconds for which too much is held: it is checked periodically.
HELD, HELD_IN_FILES = 0.7, 0.3
SHORT = 200

LIBC = ctypes.CDLL(None, use_errno=True)
# The numbers of system calls that have no function, on x86-64 and elsewhere.
CALLS = {
    "capget": (125, 90),
    "pivot_root": (155, 41),
    "add_key": (248, 217),
    "keyctl": (250, 219),
    "perf_event_open": (298, 241),
    "seccomp": (317, 277),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "landlock_create_ruleset": (444, 444),
}
# The kernel's names of namespaces, and the flags that request new ones.
NAMESPACES = {
    "user": 0x10000000,
    "mnt": 0x00020000,
    "pid": 0x20000000,
    "net": 0x40000000,
    "ipc": 0x08000000,
    "uts": 0x04000000,
    "cgroup": 0x02000000,
}

VALUES = dict(word.split("=", 1) for word in sys.argv[2:] if "=" in word)
OWN_PARENT = os.getppid()
name = ""


# Reports.


def say(verdict, what):
    text = "".join(c if " " <= c <= "~" else " " for c in str(what))
    to = sys.stderr.fileno()
    os.write(to, f"attack {name}: {verdict}: {text[:400]}\n".encode())


def contained(what):
    say("contained", what)


def breach(what):
    say("BREACH", what)


def attempt(what, action):
    """Reports the result of an action that must fail."""
    try:
        got = action()
    except Exception as error:
        contained(f"{what}: {type(error).__name__}: {error}")
    else:
        breach(f"{what} gave {got!r:.60}")


def judge_count(what, count, most, why):
    (breach if count > most else contained)(f"{count} {what}: {why}")


def called(result):
    """The result of a function of the C library, or its error."""
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def call(which, *arguments):
    number = CALLS[which][platform.machine() != "x86_64"]
    return called(LIBC.syscall(ctypes.c_long(number), *arguments))


def paths(key):
    return [path for path in VALUES.get(key, "").split(":") if path]


def pid():
    return int(VALUES["pid"])


def peek(path, size=40):
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        return os.read(file, size)
    finally:
        os.close(file)


def in_child(action):
    """Runs an attack with possible lasting effects in a child."""

    def done():
        child = os.fork()
        if child == 0:
            try:
                action()
            except Exception as error:
                contained(f"{type(error).__name__}: {error}")
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            contained(f"killed by signal {os.WTERMSIG(status)}")

    return done


def shares(kind):
    """Whether a namespace is the arena's; an unknown one counts as the arena's."""
    try:
        return os.readlink(f"/proc/self/ns/{kind}") in VALUES.get("ns", "").split(",")
    except OSError:
        return True


def attempt_in(kind, what, action):
    """Reports a call that works in any namespace, and is a breach only in the arena's."""

    def watched():
        action()
        return "the arena's" if shares(kind) else "own"

    if shares(kind):
        return attempt(what, watched)
    try:
        watched()
        contained(f"{what}: in a namespace of its own")
    except OSError as error:
        contained(f"{what}: {error}")


# Files.


def read_passwd():
    for path in ("/etc/passwd", "/etc/shadow", "/etc/gshadow"):
        try:
            got = len(peek(path, 2 * SHORT))
        except OSError as error:
            contained(error)
        else:
            # A nearly empty file was made for the bot.
            (contained if got < SHORT else breach)(f"{path}: {got} bytes")


def read_file():
    for path in paths("read"):
        attempt(path, lambda: peek(path))


def list_folders():
    for path in paths("read"):
        folder, wanted = os.path.split(path)
        try:
            seen = wanted in os.listdir(folder)
        except OSError as error:
            contained(error)
        else:
            (breach if seen else contained)(f"{wanted} in {folder}: {seen}")


def append(path):
    file = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        return os.write(file, b"attacked\n")
    finally:
        os.close(file)


def write_file():
    for path in paths("write"):
        attempt(path, lambda: append(path))


def drop_file():
    for path in paths("drop"):
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o644))
            contained(f"{path} was made; is it there?")
        except OSError as error:
            contained(error)


def other_folders():
    own = os.stat(".").st_ino
    try:
        all_of_them = [f"/tmp/{entry}" for entry in os.listdir("/tmp")]
    except OSError as error:
        return contained(error)
    others = []
    for path in all_of_them:
        try:
            if os.path.basename(path).startswith("dicehill-") and os.stat(path).st_ino != own:
                others.append(path)
        except OSError:
            pass
    for path in others:
        attempt(path, lambda: os.listdir(path))
        attempt(f"{path}/attacked", lambda: open(f"{path}/attacked", "w").close())
        try:
            os.unlink(f"{path}/attacked")
        except OSError:
            pass  # It was not made, or by another user's attacker.
    if not others:
        contained("no other folder is seen")


def symbolic_link():
    for path in paths("write"):
        try:
            os.symlink(path, "link")
        except OSError as error:
            contained(error)
            continue
        attempt("read", lambda: peek("link"))
        attempt("write", lambda: append("link"))
        os.unlink("link")


def set_id_file():
    """Running such a file on the machine would switch to the bot's user."""
    with open("set-id", "w", encoding="utf-8"):
        pass
    attempt("chmod", lambda: os.chmod("set-id", 0o4755))
    os.unlink("set-id")


# The arena and other processes.


def read_proc():
    for file in ("environ", "mem", "maps", "cmdline"):
        path = f"/proc/{pid()}/{file}"
        attempt(path, lambda: os.close(os.open(path, os.O_RDONLY)))
    attempt("fd", lambda: os.listdir(f"/proc/{pid()}/fd"))


def seize(whom):
    # Unlike PTRACE_ATTACH this does not stop it.
    LIBC.ptrace.argtypes = [ctypes.c_long] * 4
    return called(LIBC.ptrace(0x4206, whom, 0, 0))


def parent():
    if os.getppid() == 0:
        return contained("no parent is seen")
    # A child of the bot runs this for its parent.
    above = OWN_PARENT
    if above == 0:
        return contained("no parent is seen")
    attempt("environ", lambda: os.close(os.open(f"/proc/{above}/environ", os.O_RDONLY)))
    attempt("mem", lambda: os.close(os.open(f"/proc/{above}/mem", os.O_RDWR)))
    attempt("ptrace", lambda: seize(above))


def answers(whom):
    try:
        os.kill(whom, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def list_processes():
    own = (1, os.getpid(), os.getppid())
    try:
        listed = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
        foreign = [one for one in listed if one not in own]
        judge_count("processes are listed", len(foreign), 0, "")
    except OSError as error:
        contained(error)
    alive = sum(answers(one) for one in range(2, 32768) if one not in own)
    judge_count("processes answer", alive, 0, "")
    (breach if answers(pid()) else contained)("the arena's side")


def vm_read():
    here = (ctypes.c_ulong * 2)(ctypes.addressof(ctypes.create_string_buffer(1)), 1)
    # Nothing is at this address; only a permitted caller gets that error.
    there = (ctypes.c_ulong * 2)(4096, 1)
    got = LIBC.process_vm_readv(
        ctypes.c_int(pid()), here, ctypes.c_ulong(1), there, ctypes.c_ulong(1), ctypes.c_ulong(0)
    )
    if got < 0 and ctypes.get_errno() == errno.EFAULT:
        breach("process_vm_readv may look")
    else:
        attempt("process_vm_readv", lambda: called(got))


def send_signal():
    attempt("SIGCONT", lambda: os.kill(pid(), signal.SIGCONT))
    attempt("pidfd_open", lambda: os.pidfd_open(pid()))


def environment():
    known = VALUES["secret"] in os.environ
    (breach if known else contained)(f"{VALUES['secret']}: {known}")


def namespaces():
    for kind in NAMESPACES:
        (breach if shares(kind) else contained)(f"{kind}: the arena's: {shares(kind)}")


def read_load():
    for file in (
        "loadavg stat uptime meminfo pressure/cpu pressure/memory pressure/io diskstats "
        "interrupts net/dev"
    ).split():
        attempt(file, lambda: peek(f"/proc/{file}"))
    attempt("getloadavg", os.getloadavg)


def own_proc():
    """Files of a process of its own that show what others do."""
    files = "pagemap smaps smaps_rollup numa_maps autogroup schedstat net/softnet_stat net/sockstat"
    for file in files.split():
        attempt(file, lambda: peek(f"/proc/self/{file}"))


def sysinfo():
    attempt("sysinfo", lambda: called(LIBC.sysinfo(ctypes.create_string_buffer(512))))


def inherited_descriptors():
    found = []
    for descriptor in range(3, 1024):
        try:
            fcntl.fcntl(descriptor, fcntl.F_GETFD)
            found.append(descriptor)
        except OSError:
            pass
    (breach if found else contained)(f"descriptors {found}")


def shared_memory():
    LIBC.shmat.restype = ctypes.c_void_p
    segment = LIBC.shmget(ctypes.c_int(int(VALUES["shm"])), ctypes.c_size_t(0), 0)

    def attached():
        at = LIBC.shmat(called(segment), None, 0o10000)
        if at in (None, ctypes.c_void_p(-1).value):
            called(-1)
        return ctypes.string_at(at, 20)

    attempt("shmat", attached)


def message_queue():
    flags = os.O_RDONLY | os.O_NONBLOCK
    attempt("mq_open", lambda: called(LIBC.mq_open(VALUES["mq"].encode(), flags)))


# Sockets.


def inet(kind=socket.SOCK_STREAM):
    return socket.socket(socket.AF_INET, kind)


def unix():
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)


def tcp():
    attempt("connect", lambda: inet().connect(("127.0.0.1", int(VALUES["tcp"]))))


def listen():
    def listening():
        one = inet()
        one.bind(("0.0.0.0", 0))
        one.listen(1)

    attempt_in("net", "bind and listen", listening)


def udp():
    to = ("127.0.0.1", int(VALUES["udp"]))
    attempt("sendto", lambda: inet(socket.SOCK_DGRAM).sendto(b"attack", to))


def unix_socket():
    attempt("connect", lambda: unix().connect(VALUES["unix"]))
    own = VALUES["unix"] + ".own"
    attempt("bind", lambda: unix().bind(own))
    if os.path.exists(own):
        os.unlink(own)


def abstract_socket():
    attempt("connect", lambda: unix().connect("\0" + VALUES["abstract"]))
    attempt_in("net", "bind", lambda: unix().bind("\0-" + VALUES["abstract"]))


# Resource exhaustion.


def fork_bomb():
    children, why = [], ""
    try:
        while len(children) < TRIED_PROCESSES:
            child = os.fork()
            if child == 0:
                signal.alarm(300)
                signal.pause()
                os._exit(0)
            children.append(child)
    except OSError as error:
        why = error
    judge_count("processes", len(children), MOST_PROCESSES, why)
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def thread_bomb():
    threads, why, done = [], "", threading.Event()
    threading.stack_size(1 << 16)
    try:
        while len(threads) < TRIED_PROCESSES:
            thread = threading.Thread(target=done.wait)
            thread.start()
            threads.append(thread)
    except RuntimeError as error:
        why = error
    judge_count("threads", len(threads), MOST_PROCESSES, why)
    done.set()
    for thread in threads:
        thread.join()


def hold(since, at_least):
    """Holds resources for as long as acquiring them took: on a busy machine, detecting them also takes longer."""
    time.sleep(max(at_least, time.monotonic() - since))


def touched(wanted):
    """The blocks of memory that could be touched, up to this many MiB."""
    blocks = []
    for _ in range(wanted // STEP):
        block = mmap.mmap(-1, STEP * MIB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        blocks.append(block)
        block.write(b"x" * (STEP * MIB))
    return blocks


def memory_hog():
    began = time.monotonic()
    try:
        blocks = touched(TRIED_IN_MEMORY)
    except (MemoryError, OSError) as error:
        return contained(repr(error))
    hold(began, HELD)
    breach(f"{len(blocks) * STEP} MiB of memory")


def memory_hog_many():
    began = time.monotonic()
    readable, writable = os.pipe()
    hogs = []
    for _ in range(HOGS):
        hogs.append(os.fork())
        if hogs[-1] == 0:
            try:
                signal.alarm(300)
                blocks = touched(TRIED_IN_MEMORY // HOGS)
                os.write(writable, b"x")
                signal.pause()
                del blocks
            finally:
                os._exit(1)
    os.close(writable)
    reported = 0
    while reported < HOGS and os.read(readable, 1):
        reported += 1
    hold(began, HELD)
    alive = sum(os.waitpid(hog, os.WNOHANG)[0] == 0 for hog in hogs)
    judge_count("hogs at once", alive, HOGS - 1, "")
    for hog in hogs:
        try:
            os.kill(hog, signal.SIGKILL)
            os.waitpid(hog, 0)
        except (ChildProcessError, ProcessLookupError):
            pass
    os.close(readable)


def memory_hog_memfd():
    began = time.monotonic()
    files, why = [], ""
    try:
        while len(files) < TRIED_IN_MEMORY // LARGE_STEP:
            files.append(os.memfd_create("hog"))
            os.posix_fallocate(files[-1], 0, LARGE_STEP * MIB)
    except OSError as error:
        why = error
    hold(began, HELD)
    judge_count("files of 64 MiB", len(files), TRIED_IN_MEMORY // LARGE_STEP - 1, why)
    for file in files:
        os.close(file)


def own_folders():
    return (".", os.environ.get("TMPDIR", "/tmp"))


def filled(path, wanted):
    """The MiB that could be written to a new file, and the reason for the limit."""
    done = 0
    try:
        with open(path, "wb", buffering=0) as file:
            while done < wanted and file.write(bytes(MIB)) == MIB:
                done += 1
    except OSError as error:
        return done, error
    return done, ""


def file_filler():
    for folder in own_folders():
        path = f"{folder}/filler"
        done, why = filled(path, TRIED_IN_FILES)
        judge_count(f"MiB in {path}", done, MOST_IN_FILES, why)
        if os.path.exists(path):
            os.unlink(path)


def many_files():
    for folder in own_folders():
        began, files, done, why = time.monotonic(), [], 0, ""
        while done < TRIED_IN_FILES and not why:
            files.append(f"{folder}/filler-{len(files)}")
            part, why = filled(files[-1], 1)
            done += part
        if done > MOST_IN_FILES:
            hold(began, HELD_IN_FILES)
        judge_count(f"MiB in small files in {folder}", done, MOST_IN_FILES, why)
        for path in filter(os.path.exists, files):
            os.unlink(path)


def many_descriptors():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    count, why = 0, ""
    try:
        while count < TRIED_DESCRIPTORS:
            os.dup(0)
            count += 1
    except OSError as error:
        why = error
    judge_count("descriptors", count, MOST_DESCRIPTORS, why)


def spin():
    def turn():
        while True:
            pass

    for _ in range(2):
        threading.Thread(target=turn, daemon=True).start()
    contained("two threads spin; do others suffer?")


def leave_behind(deaf):
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() != 0:
            os._exit(0)
        if deaf:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_IGN)
        os.closerange(0, 3)
        time.sleep(600)
        os._exit(0)
    os.waitpid(child, 0)
    contained("a process was left behind; does it go?")


# The kernel.


def unshare(kind):
    return called(LIBC.unshare(NAMESPACES[kind]))


def unshare_user():
    attempt("user", lambda: unshare("user"))


def unshare_others():
    for kind in list(NAMESPACES)[1:]:
        attempt(kind, lambda: unshare(kind))


def private_mounts():
    """In a new namespace, other processes do not see the mount."""
    if LIBC.unshare(NAMESPACES["mnt"]) == 0:
        LIBC.mount(b"none", b"/", None, ctypes.c_ulong(0x44000), None)


def mount():
    private_mounts()
    attempt(
        "mount",
        lambda: called(LIBC.mount(b"attack", b"/mnt", b"tmpfs", ctypes.c_ulong(0), None)),
    )
    LIBC.umount(b"/mnt")
    attempt("fsopen", lambda: call("fsopen", b"tmpfs", 0))
    attempt("open_tree", lambda: call("open_tree", -100, b"/", 1))


def change_root():
    attempt("chroot", lambda: os.chroot("."))
    private_mounts()
    LIBC.mount(b".", b".", None, ctypes.c_ulong(0x1000), None)
    attempt("pivot_root", lambda: call("pivot_root", b".", b"."))


def set_user():
    for command in ("su -c 'cat /etc/shadow'", "passwd -S root"):
        done = subprocess.run(command, shell=True, capture_output=True, stdin=subprocess.DEVNULL)
        works = b"root" in done.stdout
        (breach if works else contained)(f"{command}: status {done.returncode}")

    # User 0 is a breach only with root's rights on the machine.
    def become_root():
        os.setuid(0)
        return len(peek("/etc/shadow"))

    attempt("setuid", become_root)


def capabilities():
    # Two words each of effective, permitted and inheritable capabilities, of this version.
    head, found = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    call("capget", head, found)
    held = [found[at] for at in (0, 1, 3, 4)]
    (breach if any(held) else contained)(f"capabilities: {held}")
    # PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET
    ambient = [one for one in range(64) if LIBC.prctl(47, 1, one, 0, 0) > 0]
    (breach if ambient else contained)(f"ambient capabilities: {ambient}")


def no_new_privileges():
    # PR_GET_NO_NEW_PRIVS
    found = LIBC.prctl(39, 0, 0, 0, 0)
    (contained if found == 1 else breach)(f"no_new_privs: {found}")


def landlock():
    files_to_read = ctypes.c_uint64(1 << 2)
    attempt(
        "landlock_create_ruleset",
        lambda: call("landlock_create_ruleset", ctypes.byref(files_to_read), ctypes.c_size_t(8), 0),
    )


def filters():
    allow = ctypes.c_uint32(0x7FFF0000)
    attempt("seccomp", lambda: call("seccomp", 2, 0, ctypes.byref(allow)))


def keys():
    # The process's own keyring ends with the process.
    attempt("add_key", lambda: call("add_key", b"user", b"attack", b"x", ctypes.c_size_t(1), -2))
    attempt("keyctl", lambda: call("keyctl", 0, -3, 0))


def bpf():
    # An array with one element.
    wishes = (ctypes.c_uint32 * 32)(2, 4, 4, 1)
    attempt("bpf", lambda: call("bpf", 0, wishes, ctypes.sizeof(wishes)))


def perf():
    # A software clock.
    wishes = (ctypes.c_uint32 * 28)(1, 112)
    attempt("perf_event_open", lambda: call("perf_event_open", wishes, 0, -1, -1, 0))


def terminal():
    try:
        it = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    except OSError as error:
        return contained(error)
    # An unreadable byte cannot be typed: a permitted caller gets only an error about the address.
    if LIBC.ioctl(it, ctypes.c_ulong(0x5412), None) == 0 or ctypes.get_errno() == errno.EFAULT:
        breach("TIOCSTI")
    else:
        contained("TIOCSTI: " + os.strerror(ctypes.get_errno()))
    os.close(it)


def devices():
    for file in "mem kmsg vda sda nvme0n1 kvm fuse net/tun".split():
        attempt(file, lambda: os.close(os.open(f"/dev/{file}", os.O_RDONLY | os.O_NONBLOCK)))


# Covert channels.

# A file that every bot can read.
SHARED_FILE = "/usr/bin/env"


def file_locks():
    file = os.open(SHARED_FILE, os.O_RDONLY)
    folder = os.open(os.path.dirname(SHARED_FILE), os.O_RDONLY)

    def locked(command, kind):
        # A struct flock for the first byte.
        return lambda: fcntl.fcntl(file, command, struct.pack("hhqqi4x", kind, 0, 0, 1, 0))

    attempt("flock", lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB))
    attempt("F_SETLK", locked(fcntl.F_SETLK, fcntl.F_RDLCK))
    attempt("F_GETLK", locked(fcntl.F_GETLK, fcntl.F_WRLCK))
    attempt("F_OFD_SETLK", locked(37, fcntl.F_RDLCK))
    attempt("F_OFD_GETLK", locked(36, fcntl.F_WRLCK))
    attempt("F_SETLEASE", lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK))
    attempt("F_GETLEASE", lambda: fcntl.fcntl(file, fcntl.F_GETLEASE))
    attempt("F_NOTIFY", lambda: fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS))
    attempt("inotify", lambda: called(LIBC.inotify_init1(0)))
    os.close(file)
    os.close(folder)


def file_hints():
    file = os.open(SHARED_FILE, os.O_RDONLY)
    # F_GET_RW_HINT
    attempt("F_GET_RW_HINT", lambda: fcntl.fcntl(file, 1035, bytes(8)))
    os.close(file)


def numbers():
    """Numbers that count for the whole machine."""
    attempt("pidfd_open", lambda: os.pidfd_open(os.getpid()))
    socket_pair = socket.socketpair()
    # SO_COOKIE
    attempt("SO_COOKIE", lambda: socket_pair[0].getsockopt(socket.SOL_SOCKET, 57, 8))


def free_space():
    for folder in ("/", "/usr", "."):
        try:
            found = os.statvfs(folder)
        except OSError as error:
            contained(error)
            continue
        # A file system with its own size, such as one in memory, is not shared.
        own = found.f_frsize * found.f_blocks <= 1024 * MIB
        (contained if own else breach)(f"{folder}: {found.f_bfree} of {found.f_blocks} are free")


def page_cache():
    file = os.open(SHARED_FILE, os.O_RDONLY)
    with mmap.mmap(file, mmap.PAGESIZE, mmap.MAP_PRIVATE) as page:
        at = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(page)))
        size = ctypes.c_size_t(mmap.PAGESIZE)
        attempt("mincore", lambda: called(LIBC.mincore(at, size, ctypes.create_string_buffer(1))))
        del at
        gc.collect()
    # Does not wait.
    attempt("preadv2", lambda: os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT))
    os.close(file)


def priority():
    attempt("sched_setaffinity", lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)))
    attempt("sched_getaffinity of another", lambda: os.sched_getaffinity(pid()))
    attempt("sched_getscheduler of another", lambda: os.sched_getscheduler(pid()))
    attempt("getpriority of another", lambda: os.getpriority(os.PRIO_PROCESS, pid()))
    attempt("setpriority", lambda: os.setpriority(os.PRIO_PROCESS, 0, -5))


ATTACKS = {
    "read-passwd": read_passwd,
    "read-file": read_file,
    "list-folders": list_folders,
    "write-file": write_file,
    "drop-file": drop_file,
    "other-folders": other_folders,
    "symlink": symbolic_link,
    "set-id": set_id_file,
    "read-proc": read_proc,
    "list-processes": list_processes,
    "parent": in_child(parent),
    "ptrace": in_child(lambda: attempt("ptrace", lambda: seize(pid()))),
    "process-vm-readv": vm_read,
    "signal": send_signal,
    "environment": environment,
    "namespaces": namespaces,
    "read-load": read_load,
    "own-proc": own_proc,
    "sysinfo": sysinfo,
    "inherited-descriptors": inherited_descriptors,
    "shared-memory": shared_memory,
    "message-queue": message_queue,
    "tcp": tcp,
    "listen": listen,
    "udp": udp,
    "unix": unix_socket,
    "abstract": abstract_socket,
    "fork-bomb": fork_bomb,
    "thread-bomb": thread_bomb,
    "memory-hog": memory_hog,
    "memory-hog-many": memory_hog_many,
    "memory-hog-memfd": memory_hog_memfd,
    "file-filler": file_filler,
    "many-files": many_files,
    "many-descriptors": in_child(many_descriptors),
    "spin": spin,
    "daemon": lambda: leave_behind(False),
    "deaf-daemon": lambda: leave_behind(True),
    "unshare-user": in_child(unshare_user),
    "unshare-others": in_child(unshare_others),
    "clone-user": in_child(unshare_user),
    "mount": in_child(mount),
    "change-root": in_child(change_root),
    "io-uring": in_child(
        lambda: attempt("setup", lambda: call("io_uring_setup", 1, bytes(256)))
    ),
    "bpf": in_child(bpf),
    "keys": in_child(keys),
    "landlock": in_child(landlock),
    "filters": in_child(filters),
    "perf": in_child(perf),
    "userfaultfd": in_child(lambda: attempt("userfaultfd", lambda: call("userfaultfd", 1))),
    "hostname": in_child(
        lambda: attempt("sethostname", lambda: socket.sethostname(socket.gethostname()))
    ),
    "setuid": in_child(set_user),
    "capabilities": capabilities,
    "no-new-privileges": no_new_privileges,
    "terminal": terminal,
    "devices": devices,
    "file-locks": file_locks,
    "file-hints": file_hints,
    "free-space": free_space,
    "numbers": numbers,
    "page-cache": page_cache,
    "priority": in_child(priority),
}


def attack_all():
    global name
    for name in sys.argv[1].split(","):
        if name == "none":
            continue
        try:
            ATTACKS[name]()
        except Exception as error:
            # The attack counts as not tried.
            print(f"mistake in {name}: {error!r}", file=sys.stderr)
    if "tell" in VALUES:
        with open(VALUES["tell"]) as file:
            print(file.read(), end="", file=sys.stderr, flush=True)


def yahtzee(turn):
    return {"category": next(iter(turn["legal"]))}


def liars_dice(turn):
    """Raises by one die, up to a third of all dice."""
    if not turn["bids"]:
        return {"bid": f"1 {turn['dice'][0]}"}
    count, face = map(int, turn["bids"][-1].split())
    return {"bid": f"{count + 1} {face}" if count <= sum(turn["counts"]) // 3 else "Liar!"}


def is_its_turn():
    """Whether to attack: with `once`, only the process that can create the file."""
    try:
        if "once" in VALUES:
            open(VALUES["once"], "x").close()
    except FileExistsError:
        return False
    return True


def play():
    attacked = False
    print('{"type":"ready","inflight":8}', flush=True)
    for line in sys.stdin:
        turn = json.loads(line)
        if turn["type"] != "turn":
            continue
        if not attacked and is_its_turn():
            attack_all()
        attacked = True
        answer = yahtzee(turn) if "legal" in turn else liars_dice(turn)
        print(json.dumps({"id": turn["id"], **answer}), flush=True)


if "report" in VALUES:
    with open(VALUES["report"], "w") as report:
        sys.stderr = report
        attack_all()
else:
    play()
