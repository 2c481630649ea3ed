/*
 * A bot for both games that plays legally and, at its first turn, tries to escape from its sandbox.
 *
 *   attacker ATTACK,ATTACK,... [KEY=VALUE]...
 *
 * Each attempt is one line on its stderr:
 *   attack NAME: contained: WHY
 *   attack NAME: BREACH: WHAT IT GOT
 *
 * The values name targets outside of the sandbox: read=PATH:PATH..., write=PATH:PATH... (files that
 * exist), drop=PATH:PATH... (files that do not exist), tcp=PORT, udp=PORT, unix=PATH, abstract=NAME,
 * pid=PID, shm=KEY, mq=NAME, ns=the arena's namespaces, secret=NAME of an environment variable of the arena.
 * once=PATH is a file that does not exist: with it, only one of the started processes attacks.
 * Other arguments only mark the bot's processes.
 *
 * Without a sandbox it causes no lasting harm: bombs are bounded, signalled processes continue, and
 * the machine's settings are changed only in a new namespace or to their current values.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (1L << 20)

enum {
    /* More than this is a breach, so that a few more are tried. */
    MOST_PROCESSES = 200,
    TRIED_PROCESSES = 256,
    MOST_DESCRIPTORS = 4096,
    TRIED_DESCRIPTORS = 100000,
    /* Mebibytes. */
    MOST_IN_FILE = 64,
    MOST_IN_FILES = 128,
    /* Several processes may each write a little before a check ends them. */
    MOST_HOARDED = 256,
    TRIED_IN_FILES = 272,
    HOARDED = 100,
    TRIED_IN_MEMORY = 1280,
    TRIED_IN_SHARED = 512,
    STEP = 16,
    LARGE_STEP = 64,
    HOGS = 8,
    /* The least microseconds for which too much is held before that is a breach: it is checked
       periodically. */
    HELD = 700000,
    HELD_IN_FILES = 300000,
};

static char **values;
static pid_t own_parent;
static const char *name;
static char line[1 << 20];
static char block[4 << 20];

/* ---- reports ---- */

static void say(const char *verdict, const char *format, va_list list) {
    char what[400];
    vsnprintf(what, sizeof what, format, list);
    for (char *c = what; *c != '\0'; c++)
        if (*c < ' ')
            *c = ' ';
    dprintf(2, "attack %s: %s: %s\n", name, verdict, what);
}

static void contained(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say("contained", format, list);
    va_end(list);
}

static void breach(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say("BREACH", format, list);
    va_end(list);
}

/* Reports the result of a system call that must fail. */
static void judge(const char *what, long result) {
    if (result < 0)
        contained("%s: %s", what, strerror(errno));
    else
        breach("%s gave %ld", what, result);
}

static void judge_count(const char *what, long count, long most) {
    if (count > most)
        breach("%ld %s", count, what);
    else
        contained("%ld %s: %s", count, what, strerror(errno));
}

/* ---- arguments ---- */

static const char *value(const char *key) {
    size_t length = strlen(key);
    for (char **at = values; *at != NULL; at++)
        if (strncmp(*at, key, length) == 0 && (*at)[length] == '=')
            return *at + length + 1;
    return "";
}

static long number(const char *key) { return atol(value(key)); }

static void for_each_path(const char *key, void (*what)(const char *)) {
    char *paths = strdup(value(key));
    if (*paths == '\0')
        contained("nothing was given to be tried");
    char *rest = NULL;
    for (char *path = strtok_r(paths, ":", &rest); path; path = strtok_r(NULL, ":", &rest))
        what(path);
    free(paths);
}

/* ---- tools ---- */

/* Runs an attack with possible lasting effects in a child. */
static void in_child(void (*what)(void)) {
    pid_t child = fork();
    if (child == 0) {
        what();
        _exit(0);
    }
    int status = 0;
    if (child < 0)
        contained("fork: %s", strerror(errno));
    else if (waitpid(child, &status, 0) == child && WIFSIGNALED(status))
        contained("killed by signal %d", WTERMSIG(status));
}

/* Reads the beginning of a file. */
static ssize_t peek(const char *path, char *into, size_t size) {
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return -1;
    ssize_t got = read(file, into, size - 1);
    into[got < 0 ? 0 : got] = '\0';
    close(file);
    return got;
}

static void try_read(const char *path) {
    char content[64] = "";
    ssize_t got = peek(path, content, 40);
    if (got < 0)
        contained("%s: %s", path, strerror(errno));
    else
        breach("%s: %zd bytes: %s", path, got, content);
}

/* Whether a namespace is the arena's; an unknown one counts as the arena's. */
static int shares(const char *kind) {
    char path[64], found[64] = "";
    snprintf(path, sizeof path, "/proc/self/ns/%s", kind);
    return readlink(path, found, sizeof found - 1) < 0 || strstr(value("ns"), found) != NULL;
}

/* Reports a call that works in any namespace, and is a breach only in the arena's. */
static void judge_in(const char *kind, const char *what, long result) {
    if (result < 0 || shares(kind))
        judge(what, result);
    else
        contained("%s: in a namespace of its own", what);
}

/* The writable folders. */
static void in_own_folders(void (*what)(const char *)) {
    const char *temporary = getenv("TMPDIR");
    what(".");
    what(temporary != NULL ? temporary : "/tmp");
}

/* ---- files ---- */

/* A nearly empty file was made for the bot. */
static void read_passwd(void) {
    const char *files[] = {"/etc/passwd", "/etc/shadow", "/etc/gshadow"};
    for (int at = 0; at < 3; at++) {
        char content[400];
        ssize_t got = peek(files[at], content, sizeof content);
        if (got < 0)
            contained("%s: %s", files[at], strerror(errno));
        else if (got < 200)
            contained("%s has only %zd bytes", files[at], got);
        else
            breach("%s", files[at]);
    }
}

static void read_file(void) { for_each_path("read", try_read); }

static void list_above(const char *path) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    char *last = strrchr(folder, '/');
    const char *wanted = path + (last - folder) + 1;
    *last = '\0';
    DIR *opened = opendir(folder);
    if (opened == NULL)
        return contained("%s: %s", folder, strerror(errno));
    int found = 0;
    for (struct dirent *entry; (entry = readdir(opened)) != NULL;)
        found |= strcmp(entry->d_name, wanted) == 0;
    closedir(opened);
    if (found)
        breach("%s is seen in its folder", path);
    else
        contained("%s: %s is not there", folder, wanted);
}

static void list_folders(void) { for_each_path("read", list_above); }

static void try_write(const char *path) {
    int file = open(path, O_WRONLY | O_APPEND);
    if (file < 0)
        contained("%s: %s", path, strerror(errno));
    else if (write(file, "attacked\n", 9) < 0)
        contained("%s: %s", path, strerror(errno));
    else
        breach("%s was written", path);
    close(file);
}

static void write_file(void) { for_each_path("write", try_write); }

/* The bot may have a folder of this name itself, so that only a check from outside can decide. */
static void drop(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT, 0644);
    if (file < 0)
        contained("%s: %s", path, strerror(errno));
    else
        contained("%s was made; is it there?", path);
    close(file);
}

static void drop_file(void) { for_each_path("drop", drop); }

/* The folders in which other bots work. */
static void other_folders(void) {
    char own[4096] = "";
    DIR *all = getcwd(own, sizeof own) == NULL ? NULL : opendir("/tmp");
    struct stat here, there;
    int found = 0;
    stat(".", &here);
    for (struct dirent *entry; all != NULL && (entry = readdir(all)) != NULL;) {
        char path[300];
        snprintf(path, sizeof path, "/tmp/%s", entry->d_name);
        if (strncmp(entry->d_name, "dicehill-", 9) != 0 || stat(path, &there) != 0
            || here.st_ino == there.st_ino)
            continue;
        found++;
        DIR *opened = opendir(path);
        judge(path, opened == NULL ? -1 : 0);
        if (opened != NULL)
            closedir(opened);
        strncat(path, "/attacked", 20);
        int file = open(path, O_WRONLY | O_CREAT, 0644);
        judge(path, file);
        if (file >= 0)
            unlink(path);
        close(file);
    }
    if (all != NULL)
        closedir(all);
    if (found == 0)
        contained("no other folder is seen");
}

static void link_and_use(const char *path) {
    unlink("link");
    if (symlink(path, "link") != 0)
        return contained("symlink: %s", strerror(errno));
    try_read("link");
    try_write("link");
    unlink("link");
}

/* Running such a file on the machine would switch to the bot's user. */
static void set_id_file(void) {
    int file = open("set-id", O_CREAT | O_RDWR, 0755);
    judge("chmod", chmod("set-id", 04755));
    judge("fchmod", fchmod(file, 02755));
    unlink("set-id");
    judge("open", open("set-id", O_CREAT | O_RDWR, 04755));
    unlink("set-id");
    close(file);
}

static void symbolic_link(void) { for_each_path("write", link_and_use); }

/* ---- the arena and other processes ---- */

static void look_into(long pid) {
    const char *files[] = {"environ", "mem", "maps", "cmdline"};
    char path[64];
    for (int at = 0; at < 4; at++) {
        snprintf(path, sizeof path, "/proc/%ld/%s", pid, files[at]);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        judge(path, file);
        close(file);
    }
    snprintf(path, sizeof path, "/proc/%ld/fd", pid);
    DIR *opened = opendir(path);
    judge(path, opened == NULL ? -1 : 0);
}

static void read_proc(void) { look_into(number("pid")); }

/* A parent inside of the sandbox must not be readable either. */
static void parent(void) {
    pid_t pid = own_parent;
    if (pid == 0)
        return contained("no parent is seen");
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", pid);
    judge(path, open(path, O_RDONLY));
    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    judge(path, open(path, O_RDWR));
    judge("ptrace of the parent", ptrace(PTRACE_SEIZE, pid, 0, 0));
}

static void list_processes(void) {
    long listed = 0, alive = 0, wanted = number("pid");
    DIR *all = opendir("/proc");
    for (struct dirent *entry; all != NULL && (entry = readdir(all)) != NULL;) {
        long pid = atol(entry->d_name);
        listed += pid > 1 && pid != getpid() && pid != getppid();
    }
    if (all != NULL)
        closedir(all);
    errno = 0;
    judge_count("processes are listed", listed, 0);
    for (long pid = 2; pid < 32768; pid++)
        alive += pid != getpid() && pid != getppid() && (kill(pid, 0) == 0 || errno == EPERM);
    judge_count("processes answer", alive, 0);
    judge("the arena's side", kill(wanted, 0) == 0 || errno == EPERM ? wanted : -1);
}

static void seize(void) { judge("ptrace", ptrace(PTRACE_SEIZE, number("pid"), 0, 0)); }

static void vm_read(void) {
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)4096, 1};
    /* Nothing is at this address; only a permitted caller gets that error. */
    long got = process_vm_readv(number("pid"), &here, 1, &there, 1, 0);
    judge("process_vm_readv", got < 0 && errno == EFAULT ? 0 : got);
    got = process_vm_writev(number("pid"), &here, 1, &there, 1, 0);
    judge("process_vm_writev", got < 0 && errno == EFAULT ? 0 : got);
}

static void send_signal(void) {
    judge("SIGCONT", kill(number("pid"), SIGCONT));
    judge("pidfd_open", syscall(SYS_pidfd_open, number("pid"), 0));
}

static void environment(void) {
    if (getenv(value("secret")) != NULL)
        breach("a variable of the arena's: %s", value("secret"));
    else
        contained("%s is not set", value("secret"));
}

static void namespaces(void) {
    const char *kinds[] = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};
    for (int at = 0; at < 7; at++)
        if (shares(kinds[at]))
            breach("the arena's %s namespace", kinds[at]);
        else
            contained("a %s namespace of its own", kinds[at]);
}

static void read_load(void) {
    const char *files[] = {"/proc/loadavg",      "/proc/stat",           "/proc/uptime",
                           "/proc/meminfo",      "/proc/pressure/cpu",   "/proc/pressure/memory",
                           "/proc/pressure/io",  "/proc/diskstats",      "/proc/interrupts",
                           "/proc/net/dev",      "/proc/schedstat"};
    for (size_t at = 0; at < sizeof files / sizeof *files; at++)
        try_read(files[at]);
    double load[1];
    judge("getloadavg", getloadavg(load, 1));
}

/* Files of a process of its own that show what others do: who maps the same pages, and the machine's load. */
static void read_own_proc(const char *process) {
    const char *files[] = {"pagemap",   "smaps",           "smaps_rollup", "numa_maps", "autogroup",
                           "schedstat", "net/softnet_stat", "net/sockstat", "status",    "mountinfo"};
    for (size_t at = 0; at < sizeof files / sizeof *files; at++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%s/%s", process, files[at]);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        judge(path, file);
        close(file);
    }
}

static void child_reads_proc(void) {
    read_own_proc("self");
    try_read("/proc/self/maps");
}

static void own_proc(void) {
    read_own_proc("self");
    read_own_proc("thread-self");
    in_child(child_reads_proc);
}

static void read_sysinfo(void) {
    struct sysinfo info;
    judge("sysinfo", sysinfo(&info));
}

/* ---- sockets ---- */

static struct sockaddr_in at_port(long port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void tcp(void) {
    struct sockaddr_in address = at_port(number("tcp"));
    int it = socket(AF_INET, SOCK_STREAM, 0);
    judge("connect", it < 0 ? -1 : connect(it, (struct sockaddr *)&address, sizeof address));
    close(it);
}

static void listen_to_tcp(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    int it = socket(AF_INET, SOCK_STREAM, 0);
    long bound = it < 0 ? -1 : bind(it, (struct sockaddr *)&address, sizeof address);
    judge_in("net", "bind and listen", bound < 0 ? -1 : listen(it, 1));
    close(it);
}

static void udp(void) {
    struct sockaddr_in address = at_port(number("udp"));
    int it = socket(AF_INET, SOCK_DGRAM, 0);
    judge("sendto",
          it < 0 ? -1 : sendto(it, "attack", 6, 0, (struct sockaddr *)&address, sizeof address));
    close(it);
}

static void unix_socket(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", value("unix"));
    int it = socket(AF_UNIX, SOCK_STREAM, 0);
    judge("connect", it < 0 ? -1 : connect(it, (struct sockaddr *)&address, sizeof address));
    close(it);
    /* In the other socket's folder. */
    snprintf(address.sun_path, sizeof address.sun_path, "%.100s.own", value("unix"));
    unlink(address.sun_path);
    it = socket(AF_UNIX, SOCK_STREAM, 0);
    judge("bind", it < 0 ? -1 : bind(it, (struct sockaddr *)&address, sizeof address));
    unlink(address.sun_path);
    close(it);
}

static void abstract_socket(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s", value("abstract"));
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    int it = socket(AF_UNIX, SOCK_STREAM, 0);
    judge("connect", it < 0 ? -1 : connect(it, (struct sockaddr *)&address, size));
    close(it);
    address.sun_path[1] = '-';
    it = socket(AF_UNIX, SOCK_STREAM, 0);
    judge_in("net", "bind", it < 0 ? -1 : bind(it, (struct sockaddr *)&address, size));
    close(it);
}

/* ---- resource exhaustion ---- */

static void fork_bomb(void) {
    static pid_t children[TRIED_PROCESSES];
    long count = 0;
    while (count < TRIED_PROCESSES && (children[count] = fork()) >= 0) {
        if (children[count] == 0) {
            alarm(300);
            pause();
            _exit(0);
        }
        count++;
    }
    judge_count("processes", count, MOST_PROCESSES);
    for (long at = 0; at < count; at++)
        kill(children[at], SIGKILL);
    while (waitpid(-1, NULL, 0) > 0)
        ;
}

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_it(void *unused) {
    pthread_mutex_lock(&held);
    pthread_mutex_unlock(&held);
    return unused;
}

static void thread_bomb(void) {
    static pthread_t threads[TRIED_PROCESSES];
    long count = 0;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    pthread_mutex_lock(&held);
    while (count < TRIED_PROCESSES
           && (errno = pthread_create(&threads[count], &small, wait_for_it, NULL)) == 0)
        count++;
    judge_count("threads", count, MOST_PROCESSES);
    pthread_mutex_unlock(&held);
    for (long at = 0; at < count; at++)
        pthread_join(threads[at], NULL);
}

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/* Holds resources for as long as acquiring them took: on a busy machine, detecting them also takes
   longer. */
static void hold(long since, long at_least) {
    int error = errno;
    long took = now() - since;
    usleep((useconds_t)(took > at_least ? took : at_least));
    errno = error;
}

/* The mebibytes that could be touched. */
static long touch(long wanted, void **blocks) {
    long got = 0;
    for (; got < wanted; got += STEP) {
        char *more =
            mmap(NULL, STEP * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (more == MAP_FAILED)
            break;
        memset(more, 1, STEP * MIB);
        *blocks++ = more;
    }
    return got;
}

static void memory_hog(void) {
    static void *blocks[TRIED_IN_MEMORY / STEP];
    long began = now(), got = touch(TRIED_IN_MEMORY, blocks);
    if (got >= TRIED_IN_MEMORY)
        hold(began, HELD);
    judge_count("MiB of memory", got, TRIED_IN_MEMORY - STEP);
    for (long at = 0; at < got / STEP; at++)
        munmap(blocks[at], STEP * MIB);
}

/* Each child allocates its part and reports it. */
static void memory_hog_many(void) {
    int told[2];
    pid_t hogs[HOGS];
    long began = now();
    if (pipe(told) != 0)
        return contained("pipe: %s", strerror(errno));
    for (int at = 0; at < HOGS; at++) {
        hogs[at] = fork();
        if (hogs[at] == 0) {
            static void *blocks[TRIED_IN_MEMORY / HOGS / STEP];
            alarm(300);
            if (touch(TRIED_IN_MEMORY / HOGS, blocks) < TRIED_IN_MEMORY / HOGS)
                _exit(1);
            _exit(write(told[1], "x", 1) == 1 ? pause() : 1);
        }
    }
    close(told[1]);
    char byte;
    for (int at = 0; at < HOGS && read(told[0], &byte, 1) == 1; at++)
        ;
    hold(began, HELD);
    long alive = 0;
    for (int at = 0; at < HOGS; at++)
        alive += hogs[at] > 0 && waitpid(hogs[at], NULL, WNOHANG) == 0;
    judge_count("hogs at once", alive, HOGS - 1);
    for (int at = 0; at < HOGS; at++)
        if (hogs[at] > 0)
            kill(hogs[at], SIGKILL);
    while (waitpid(-1, NULL, 0) > 0)
        ;
    close(told[0]);
}

/* Memory that belongs to no process. */
static void memory_hog_memfd(void) {
    int files[TRIED_IN_SHARED / LARGE_STEP], count = 0;
    long began = now();
    while (count < TRIED_IN_SHARED / LARGE_STEP) {
        int file = memfd_create("hog", 0);
        if (file < 0)
            break;
        files[count++] = file;
        if (posix_fallocate(file, 0, LARGE_STEP * MIB) != 0)
            break;
    }
    if (count == TRIED_IN_SHARED / LARGE_STEP)
        hold(began, HELD);
    judge_count("MiB in memfd", count * LARGE_STEP, TRIED_IN_SHARED - LARGE_STEP);
    while (count > 0)
        close(files[--count]);
}

static void memory_hog_shm(void) {
    int segments[TRIED_IN_SHARED / LARGE_STEP], count = 0;
    long began = now();
    while (count < TRIED_IN_SHARED / LARGE_STEP) {
        int segment = shmget(IPC_PRIVATE, LARGE_STEP * MIB, 0600);
        if (segment < 0)
            break;
        segments[count++] = segment;
        void *at = shmat(segment, NULL, 0);
        if (at == (void *)-1)
            break;
        memset(at, 1, LARGE_STEP * MIB);
        shmdt(at);
    }
    if (count == TRIED_IN_SHARED / LARGE_STEP)
        hold(began, HELD);
    judge_count("MiB in segments", count * LARGE_STEP, TRIED_IN_SHARED - LARGE_STEP);
    while (count > 0)
        shmctl(segments[--count], IPC_RMID, NULL);
}

/* The mebibytes that could be written to a new file. */
static long fill(const char *path, long wanted) {
    long bytes = 0;
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    while (file >= 0 && bytes < wanted * MIB) {
        long part = wanted * MIB < (long)sizeof block ? wanted * MIB : (long)sizeof block;
        ssize_t written = write(file, block, (size_t)part);
        if (written <= 0)
            break;
        bytes += written;
    }
    close(file);
    return file < 0 ? -1 : bytes / MIB;
}

static void fill_one(const char *folder) {
    char path[4096], what[4200];
    snprintf(path, sizeof path, "%s/filler", folder);
    snprintf(what, sizeof what, "MiB in %s", path);
    errno = 0;
    long got = fill(path, TRIED_IN_FILES);
    judge_count(what, got, MOST_IN_FILE);
    unlink(path);
}

static void fill_many(const char *folder) {
    char path[4096], what[4200];
    long began = now(), got = 0, files = 0, part;
    do {
        snprintf(path, sizeof path, "%s/filler-%ld", folder, files++);
        errno = 0;
        part = fill(path, 1);
        got += part == 1;
    } while (part == 1 && got < TRIED_IN_FILES);
    if (got > MOST_IN_FILES)
        hold(began, HELD_IN_FILES);
    snprintf(what, sizeof what, "MiB in small files in %s", folder);
    judge_count(what, got, MOST_IN_FILES);
    while (files > 0) {
        snprintf(path, sizeof path, "%s/filler-%ld", folder, --files);
        unlink(path);
    }
}

/* Adds to the files that earlier processes have left. */
static void hoard(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long there = 0, added = 0;
    DIR *own = opendir(".");
    for (struct dirent *entry; own != NULL && (entry = readdir(own)) != NULL;)
        there += strncmp(entry->d_name, "hoard-", 6) == 0;
    if (own != NULL)
        closedir(own);
    for (long part = 1; part == 1 && added < HOARDED && there <= MOST_HOARDED; added += part == 1) {
        char path[64];
        snprintf(path, sizeof path, "hoard-%ld-%ld", now.tv_nsec, added);
        part = fill(path, 1);
    }
    judge_count("MiB of several processes", there + added, MOST_HOARDED);
}

static int told_hidden[2];

/* Holds files without names while the first thread of its process has ended. */
static void *hide_files(void *unused) {
    long began = now(), got = 0;
    for (int at = 0; got < TRIED_IN_FILES; at++) {
        char path[64];
        snprintf(path, sizeof path, "hidden-%d", at);
        int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        unlink(path);
        long part = 0;
        while (part < MOST_IN_FILE / 2 && write(file, block, MIB) == MIB)
            part++;
        got += part;
        if (part < MOST_IN_FILE / 2)
            break;
    }
    if (got > MOST_IN_FILES)
        hold(began, HELD_IN_FILES);
    if (write(told_hidden[1], &got, sizeof got) == sizeof got)
        pause();
    return unused;
}

static void hidden_filler(void) {
    if (pipe(told_hidden) != 0)
        return contained("pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        alarm(300);
        pthread_create(&thread, NULL, hide_files, NULL);
        syscall(SYS_exit, 0);
    }
    close(told_hidden[1]);
    long got = 0;
    errno = 0;
    if (read(told_hidden[0], &got, sizeof got) != sizeof got)
        got = 0;
    judge_count("MiB in hidden files", got, MOST_IN_FILES);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(told_hidden[0]);
}

static void file_filler(void) { in_own_folders(fill_one); }
static void many_files(void) { in_own_folders(fill_many); }

static void inherited_descriptors(void) {
    char which[300] = "";
    for (int descriptor = 3; descriptor < 1024; descriptor++)
        if (fcntl(descriptor, F_GETFD) >= 0)
            snprintf(which + strlen(which), sizeof which - strlen(which), " %d", descriptor);
    if (*which != '\0')
        breach("descriptors%s", which);
    else
        contained("none but 0, 1, 2");
}

static void many_descriptors(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    long count = 0;
    while (count < TRIED_DESCRIPTORS && dup(0) >= 0)
        count++;
    judge_count("descriptors", count, MOST_DESCRIPTORS);
}

static volatile long turned;

static void *turn_for_good(void *unused) {
    for (;;)
        turned++;
    return unused;
}

static void spin(void) {
    pthread_t thread;
    for (int at = 0; at < 2; at++)
        pthread_create(&thread, NULL, turn_for_good, NULL);
    contained("two threads spin; do others suffer?");
}

/* Each process computes for a moment, starts its successor and ends; or its children do while it ignores their ends. */
static void relay(void) {
    for (int at = 0; at < 2; at++) {
        if (fork() != 0)
            continue;
        if (at == 1)
            signal(SIGCHLD, SIG_IGN);
        for (;;) {
            long began = now();
            while (now() - began < 300)
                turned++;
            pid_t next = fork();
            if (at == 0 ? next != 0 : next == 0)
                _exit(0);
        }
    }
    contained("two relays run; do others suffer?");
}

static void leave_behind(int deaf) {
    if (fork() == 0) {
        setsid();
        if (fork() != 0)
            _exit(0);
        for (int number = 1; deaf && number < 65; number++)
            signal(number, SIG_IGN);
        for (int descriptor = 0; descriptor < 3; descriptor++)
            close(descriptor);
        sleep(600);
        _exit(0);
    }
    contained("a process was left behind; does it go?");
}

static void leave_daemon(void) { leave_behind(0); }
static void leave_deaf_daemon(void) { leave_behind(1); }

/* ---- the kernel ---- */

static void unshare_user(void) { judge("unshare", unshare(CLONE_NEWUSER)); }

static void unshare_others(void) {
    const int flags[] = {CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS,
                         CLONE_NEWCGROUP};
    const char *names[] = {"mount", "pid", "net", "ipc", "uts", "cgroup"};
    for (int at = 0; at < 6; at++)
        judge(names[at], unshare(flags[at]));
}

static void clone_user(void) {
    long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        _exit(0);
    judge("clone", child);
    /* A struct clone_args with the same request, which a filter cannot inspect. */
    unsigned long long wishes[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
    child = syscall(SYS_clone3, wishes, sizeof wishes);
    if (child == 0)
        _exit(0);
    judge("clone3", child);
}

/* In a new namespace, other processes do not see the mount. */
static void mount_something(void) {
    if (unshare(CLONE_NEWNS) == 0)
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
    long mounted = mount("attack", "/mnt", "tmpfs", 0, NULL);
    judge("mount", mounted);
    if (mounted == 0)
        umount("/mnt");
    judge("remount", mount(NULL, "/mnt", NULL, MS_BIND | MS_REMOUNT, NULL));
    judge("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
    judge("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", 1));
}

static void change_root(void) {
    judge("chroot", chroot("."));
    if (unshare(CLONE_NEWNS) == 0)
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
    mount(".", ".", NULL, MS_BIND, NULL);
    judge("pivot_root", syscall(SYS_pivot_root, ".", "."));
}

static void io_uring(void) {
    char parameters[256] = "";
    judge("io_uring_setup", syscall(SYS_io_uring_setup, 1, parameters));
}

static void bpf(void) {
    union bpf_attr wishes = {.map_type = BPF_MAP_TYPE_ARRAY};
    wishes.key_size = wishes.value_size = 4;
    wishes.max_entries = 1;
    judge("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, &wishes, sizeof wishes));
}

/* The process's own keyring ends with the process. */
static void keys(void) {
    judge("add_key", syscall(SYS_add_key, "user", "attack", "x", 1, -2));
    judge("keyctl", syscall(SYS_keyctl, 0, -3, 0));
}

/* Rule sets are memory of the kernel that no limit but that of a control group counts. */
static void landlock(void) {
    unsigned long long files_to_read = 1 << 2;
    judge("landlock_create_ruleset",
          syscall(SYS_landlock_create_ruleset, &files_to_read, sizeof files_to_read, 0));
}

/* Asks whether filters can do what they all can. */
static void filters(void) {
    unsigned action = SECCOMP_RET_ALLOW;
    judge("seccomp", syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action));
}

static void perf(void) {
    struct perf_event_attr wishes = {.type = PERF_TYPE_SOFTWARE, .size = sizeof wishes};
    judge("perf_event_open", syscall(SYS_perf_event_open, &wishes, 0, -1, -1, 0));
}

static void fault_handler(void) {
    long file = syscall(SYS_userfaultfd, O_CLOEXEC);
    judge("userfaultfd", file < 0 ? syscall(SYS_userfaultfd, O_CLOEXEC | 1) : file);
}

/* Sets the current name. */
static void host_name(void) {
    char now[256];
    gethostname(now, sizeof now);
    judge("sethostname", sethostname(now, strlen(now)));
}

/* Whether this command prints this text. */
static void expect_refusal(const char *command, const char *text) {
    char output[400] = "";
    char whole[400];
    snprintf(whole, sizeof whole, "%s </dev/null 2>/dev/null", command);
    FILE *pipe = popen(whole, "r");
    if (pipe == NULL)
        return contained("%s: %s", command, strerror(errno));
    size_t got = fread(output, 1, sizeof output - 1, pipe);
    int status = pclose(pipe);
    if (got > 0 && strstr(output, text) != NULL)
        breach("%s works", command);
    else
        contained("%s: status %d", command, status);
}

/* User 0 is a breach only with root's rights on the machine. */
static void set_user(void) {
    expect_refusal("su -c 'cat /etc/shadow'", "root");
    expect_refusal("passwd -S root", "root");
    char content[40];
    if (setuid(0) != 0)
        contained("setuid: %s", strerror(errno));
    else if (peek("/etc/shadow", content, sizeof content) < 0)
        contained("user 0 without rights: %s", strerror(errno));
    else
        breach("user 0 reads /etc/shadow");
}

static void capabilities(void) {
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct found[2] = {{0}};
    if (syscall(SYS_capget, &head, found) != 0)
        return breach("capabilities: %s", strerror(errno));
    unsigned all = found[0].effective | found[0].permitted | found[1].effective
                   | found[1].permitted;
    if (all == 0)
        contained("capabilities: none");
    else
        breach("capabilities: %x", all);
    long ambient = 0;
    for (long one = 0; one < 64; one++)
        ambient += prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, one, 0, 0) > 0;
    judge_count("ambient capabilities", ambient, 0);
}

static void no_new_privileges(void) {
    int found = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
    if (found == 1)
        contained("no_new_privs: 1");
    else
        breach("no_new_privs: %d", found);
}

static void shared_memory(void) {
    int segment = shmget((key_t)number("shm"), 0, 0);
    void *at = segment < 0 ? (void *)-1 : shmat(segment, NULL, SHM_RDONLY);
    if (at == (void *)-1)
        return contained("shmat: %s", strerror(errno));
    breach("a segment of another's: %.20s", (char *)at);
    shmdt(at);
}

static void message_queue(void) {
    mqd_t queue = mq_open(value("mq"), O_RDONLY | O_NONBLOCK);
    judge("mq_open", queue);
    if (queue >= 0)
        mq_close(queue);
}

/* An unreadable byte cannot be typed: a permitted caller gets only an error about the address. */
static void terminal(void) {
    int it = open("/dev/tty", O_RDWR | O_NOCTTY);
    if (it < 0)
        return contained("/dev/tty: %s", strerror(errno));
    long typed = ioctl(it, TIOCSTI, NULL);
    judge("TIOCSTI", typed < 0 && errno == EFAULT ? 0 : typed);
    close(it);
}

static void devices(void) {
    const char *files[] = {"/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda", "/dev/nvme0n1",
                           "/dev/kvm", "/dev/fuse", "/dev/net/tun"};
    for (size_t at = 0; at < sizeof files / sizeof *files; at++) {
        int file = open(files[at], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        judge(files[at], file);
        close(file);
    }
}

/* Comes last: a bot that ends in each game is barred. */
static void leave(void) {
    contained("it ends in the middle of a game; do others suffer?");
    _exit(3);
}

/* ---- covert channels ---- */

/* A file that every bot can read. */
#define SHARED_FILE "/usr/bin/env"
#define SHARED_FOLDER "/usr/bin"

static struct flock lock_of(short kind) {
    return (struct flock){.l_type = kind, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
}

static void file_locks(void) {
    int file = open(SHARED_FILE, O_RDONLY | O_CLOEXEC);
    int folder = open(SHARED_FOLDER, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0 || folder < 0)
        return contained("%s: %s", SHARED_FILE, strerror(errno));
    judge("flock", flock(file, LOCK_EX | LOCK_NB));
    struct flock lock = lock_of(F_RDLCK);
    judge("F_SETLK", fcntl(file, F_SETLK, &lock));
    lock = lock_of(F_WRLCK);
    judge("F_GETLK", fcntl(file, F_GETLK, &lock));
    lock = lock_of(F_RDLCK);
    judge("F_OFD_SETLK", fcntl(file, F_OFD_SETLK, &lock));
    lock = lock_of(F_WRLCK);
    judge("F_OFD_GETLK", fcntl(file, F_OFD_GETLK, &lock));
    judge("F_SETLEASE", fcntl(file, F_SETLEASE, F_RDLCK));
    judge("F_GETLEASE", fcntl(file, F_GETLEASE));
    judge("F_NOTIFY", fcntl(folder, F_NOTIFY, DN_ACCESS));
    judge("inotify", inotify_init1(IN_CLOEXEC));
    close(file);
    close(folder);
}

/* A hint about the life of a file's data stays with the file as long as the kernel remembers it. */
static void file_hints(void) {
    uint64_t hint = 0;
    int file = open(SHARED_FILE, O_RDONLY | O_CLOEXEC);
    judge("F_GET_RW_HINT", file < 0 ? -1 : fcntl(file, F_GET_RW_HINT, &hint));
    judge("F_SET_RW_HINT", file < 0 ? -1 : fcntl(file, F_SET_RW_HINT, &hint));
    close(file);
}

/* Numbers that count for the whole machine. */
static void numbers(void) {
    int ends[2], descriptor = -1;
    judge("pidfd_open", syscall(SYS_pidfd_open, getpid(), 0));
    long copy = syscall(SYS_clone, SIGCHLD | CLONE_PIDFD, 0, &descriptor, 0, 0);
    if (copy == 0)
        _exit(0);
    judge("CLONE_PIDFD", copy);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) {
        uint64_t cookie = 0;
        socklen_t length = sizeof cookie;
        judge("SO_COOKIE", getsockopt(ends[0], SOL_SOCKET, SO_COOKIE, &cookie, &length));
    }
}

/* A file system with its own size, such as one in memory, is not shared. */
static void judge_space(const char *what, long result, const struct statfs *found) {
    unsigned long long size = (unsigned long long)found->f_bsize * found->f_blocks;
    if (result < 0)
        contained("%s: %s", what, strerror(errno));
    else if (size >> 20 <= 1024)
        contained("%s: a file system of its own", what);
    else
        breach("%s: %llu of %llu blocks are free", what, (unsigned long long)found->f_bfree,
               (unsigned long long)found->f_blocks);
}

static void free_space(void) {
    const char *folders[] = {"/", "/usr", "."};
    for (int at = 0; at < 3; at++) {
        struct statfs found;
        judge_space(folders[at], statfs(folders[at], &found), &found);
        int folder = open(folders[at], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        judge_space("fstatfs", folder < 0 ? -1 : fstatfs(folder, &found), &found);
        close(folder);
    }
}

/* Whether other processes have read a file recently. */
static void page_cache(void) {
    int file = open(SHARED_FILE, O_RDONLY | O_CLOEXEC);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char is_there[1], byte[1];
    void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, page, PROT_READ, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED)
        return contained("%s: %s", SHARED_FILE, strerror(errno));
    judge("mincore", mincore(mapped, page, is_there));
    struct iovec here = {byte, 1};
    judge("preadv2", preadv2(file, &here, 1, 0, RWF_NOWAIT));
    unsigned long long range[2] = {0, page}, found[5];
    /* cachestat has no function and the same number everywhere. */
    judge("cachestat", syscall(451, file, range, found, 0));
    munmap(mapped, page);
    close(file);
}

/* A higher scheduling priority, or information about that of others. */
static void priority(void) {
    cpu_set_t all;
    struct sched_param none = {0};
    pid_t other = (pid_t)number("pid");
    judge("sched_setaffinity", sched_getaffinity(0, sizeof all, &all) < 0
                                   ? -1
                                   : sched_setaffinity(0, sizeof all, &all));
    judge("sched_getaffinity of another", sched_getaffinity(other, sizeof all, &all));
    judge("sched_getscheduler of another", sched_getscheduler(other));
    judge("sched_getparam of another", sched_getparam(other, &none));
    errno = 0;
    long found = getpriority(PRIO_PROCESS, (id_t)other);
    judge("getpriority of another", errno != 0 ? -1 : found + 20);
    judge("setpriority", setpriority(PRIO_PROCESS, 0, -5));
    none.sched_priority = 1;
    judge("sched_setscheduler", sched_setscheduler(0, SCHED_FIFO, &none));
    judge("ioprio_set", syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 4));
}

/* A sender and a receiver that have agreed on a word, with marks that exist as long as the sender. */
enum { PROCESSES = 40, SIGNALS = 90000, HALF_OF_SIGNALS = 45000, LARGE_PIPES = 100, IN_FLIGHT = 250 };

static const char *mark(const char *begin) {
    static char text[200];
    snprintf(text, sizeof text, "%s%s", begin, value("marker"));
    return text;
}

static const char *const MARKED[] = {"./mark-", "../mark-", "/tmp/mark-", "/dev/shm/mark-",
                                     "/var/tmp/mark-"};
enum { PLACES = sizeof MARKED / sizeof *MARKED };

static key_t agreed_key(void) {
    unsigned key = 5381;
    for (const char *c = value("marker"); *c != '\0'; c++)
        key = key * 33 + (unsigned char)*c;
    return (key_t)(0x65000000 | (key & 0xffffff));
}

static socklen_t agreed_address(struct sockaddr_un *address) {
    address->sun_family = AF_UNIX;
    int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "%s",
                          mark("mark-"));
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static char agreed_file[PATH_MAX];
static off_t agreed_size;

static int consider(const char *path, const struct stat *found, int kind, struct FTW *at) {
    (void)at;
    if (kind == FTW_F && S_ISREG(found->st_mode) && found->st_size > agreed_size
        && access(path, R_OK) == 0) {
        agreed_size = found->st_size;
        snprintf(agreed_file, sizeof agreed_file, "%s", path);
    }
    return 0;
}

/* The same file for both: the first of the largest files in a rarely read system folder. */
static const char *seldom_read(void) {
    if (*agreed_file == '\0')
        nftw("/usr/share/doc", consider, 16, FTW_PHYS);
    return *agreed_file != '\0' ? agreed_file : SHARED_FILE;
}

/* Sends descriptors to itself and never receives them. */
static long put_in_flight(int pair[2], int wanted) {
    struct {
        struct cmsghdr head;
        int descriptors[IN_FLIGHT];
    } passed = {.head = {.cmsg_len = CMSG_LEN((size_t)wanted * sizeof(int)),
                         .cmsg_level = SOL_SOCKET,
                         .cmsg_type = SCM_RIGHTS}};
    char byte = 'x';
    struct iovec here = {&byte, 1};
    struct msghdr message = {.msg_iov = &here, .msg_iovlen = 1, .msg_control = &passed,
                             .msg_controllen = CMSG_SPACE((size_t)wanted * sizeof(int))};
    return sendmsg(pair[0], &message, MSG_DONTWAIT);
}

static long queue_signals(long wanted) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGRTMIN + 3);
    sigprocmask(SIG_BLOCK, &one, NULL);
    long count = 0;
    while (count < wanted && sigqueue(getpid(), SIGRTMIN + 3, (union sigval){0}) == 0)
        count++;
    return count;
}

static long hold_processes(long wanted) {
    long count = 0;
    for (pid_t child; count < wanted && (child = fork()) >= 0; count++)
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            alarm(300);
            pause();
            _exit(0);
        }
    return count;
}

static void spin_a_little(void) {
    struct timespec began, now;
    clock_gettime(CLOCK_MONOTONIC, &began);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - began.tv_sec) * 1000 + (now.tv_nsec - began.tv_nsec) / 1000000 < 50);
}

/* Whether the first page of a file had to be fetched from the disk. */
static int is_fetched(int file) {
    struct rusage before, after;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    volatile char *mapped = mmap(NULL, page, PROT_READ, MAP_SHARED, file, 0);
    if ((void *)mapped == MAP_FAILED)
        return 0;
    getrusage(RUSAGE_SELF, &before);
    char first = mapped[0];
    (void)first;
    getrusage(RUSAGE_SELF, &after);
    munmap((void *)mapped, page);
    return after.ru_majflt > before.ru_majflt;
}

/* Evicts a file that others read from the page cache, as a signal for a process that checks the cache. */
static void evict(void) {
    /* The access time is another channel, so that it stays unchanged where possible. */
    int file = open(seldom_read(), O_RDONLY | O_CLOEXEC | O_NOATIME);
    if (file < 0)
        file = open(seldom_read(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return contained("%s: %s", seldom_read(), strerror(errno));
    is_fetched(file);
    int is_there = !is_fetched(file);
    int error = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    if (error != 0)
        contained("fadvise: %s", strerror(error));
    else if (is_there && is_fetched(file))
        breach("fadvise drove %s out of memory", seldom_read());
    else
        contained("fadvise: the file stays in memory");
    close(file);
}

/* Maps the first page of a file for the rest of the process. */
static volatile char *mapped_page(int file) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    volatile char *mapped = mmap(NULL, page, PROT_READ, MAP_SHARED, file, 0);
    if ((void *)mapped == MAP_FAILED)
        return NULL;
    char first = mapped[0];
    (void)first;
    return mapped;
}

/* Whether another process maps the first page of a file, too: a bit in the table of pages tells that none does. */
static int is_mapped_by_others(int file) {
    volatile char *mapped = mapped_page(file);
    int pages = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    uint64_t entry = 0;
    off_t at = (off_t)((uintptr_t)mapped / (size_t)sysconf(_SC_PAGESIZE) * sizeof entry);
    ssize_t got = mapped == NULL ? -1 : pread(pages, &entry, sizeof entry, at);
    close(pages);
    return got == sizeof entry && (entry >> 56 & 1) == 0;
}

static void collude_send(void) {
    long files = 0;
    for (int at = 0; at < PLACES; at++) {
        int file = open(mark(MARKED[at]), O_WRONLY | O_CREAT, 0666);
        files += file >= 0;
        close(file);
    }
    /* They are held until the process ends. */
    int held_file = open(seldom_read(), O_RDONLY);
    char content[4096];
    long got = held_file < 0 ? -1 : read(held_file, content, sizeof content);
    mapped_page(held_file);
    uint64_t hint = RWH_WRITE_LIFE_EXTREME;
    fcntl(held_file, F_SET_RW_HINT, &hint);
    long locked = flock(held_file, LOCK_EX | LOCK_NB);
    int other_file = open(SHARED_FILE, O_RDONLY);
    struct flock lock = lock_of(F_RDLCK);
    long own_locks = fcntl(other_file, F_OFD_SETLK, &lock);
    struct sockaddr_un address;
    socklen_t size = agreed_address(&address);
    int it = socket(AF_UNIX, SOCK_STREAM, 0);
    long bound = it < 0 || bind(it, (struct sockaddr *)&address, size) < 0 ? -1 : listen(it, 8);
    long shared = shmget(agreed_key(), 4096, IPC_CREAT | 0666);
    long queue = msgget(agreed_key(), IPC_CREAT | 0666);
    mqd_t messages = mq_open(mark("/mark-"), O_CREAT | O_RDWR, 0666, NULL);
    prctl(PR_SET_NAME, mark(""));
    setpriority(PRIO_PROCESS, 0, 19);
    spin_a_little();
    contained("marks: %ld files, %ld read, lock %ld, %ld, socket %ld, memory %ld, queues %ld, %ld",
              files, got, locked, own_locks, bound, shared, queue, (long)messages);
}

/* Limits that the kernel counts for all processes of a user together. */
static void collude_send_counts(void) {
    static int large[2], pair[2];
    long pipes = 0, flying = 0;
    while (pipes < LARGE_PIPES && pipe(large) == 0 && fcntl(large[1], F_SETPIPE_SZ, MIB) > 0)
        pipes++;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0)
        while (flying < 2 && put_in_flight(pair, IN_FLIGHT) > 0)
            flying++;
    long signals = queue_signals(SIGNALS);
    long processes = hold_processes(PROCESSES);
    contained("marks: %ld large pipes, %ld descriptors, %ld signals, %ld processes", pipes,
              flying * IN_FLIGHT, signals, processes);
}

/* Objects that outlive the process. */
static void take_back_marks(void) {
    for (int at = 0; at < PLACES; at++)
        unlink(mark(MARKED[at]));
    uint64_t no_hint = RWH_WRITE_LIFE_NOT_SET;
    int file = open(seldom_read(), O_RDONLY);
    fcntl(file, F_SET_RW_HINT, &no_hint);
    close(file);
    shmctl(shmget(agreed_key(), 0, 0), IPC_RMID, NULL);
    msgctl(msgget(agreed_key(), 0), IPC_RMID, NULL);
    mq_unlink(mark("/mark-"));
}

static long found_marks;

static void found(int is_found, const char *what) {
    if (is_found)
        breach("the other's mark: %s", what);
    found_marks += is_found != 0;
}

/* A process with the agreed name or the agreed priority. */
static void look_at_processes(void) {
    char own[32] = "";
    snprintf(own, 16, "%s", value("marker"));
    for (pid_t pid = 2; pid < 32768; pid++) {
        char path[64], content[64] = "";
        if (pid == getpid())
            continue;
        errno = 0;
        int nice = getpriority(PRIO_PROCESS, (id_t)pid);
        if (errno != 0)
            continue;
        found(nice == 19, "priority");
        snprintf(path, sizeof path, "/proc/%d/comm", pid);
        found(peek(path, content, sizeof content) > 0 && strncmp(content, own, strlen(own)) == 0,
              "process name");
    }
}

static void collude_receive(void) {
    found_marks = 0;
    for (int at = 0; at < PLACES; at++)
        found(access(mark(MARKED[at]), F_OK) == 0, mark(MARKED[at]));
    int file = open(seldom_read(), O_RDONLY);
    found(flock(file, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK, "lock");
    struct stat about;
    found(fstat(file, &about) == 0 && time(NULL) - about.st_atime < 60, "time of access");
    found(is_mapped_by_others(file), "a page that is mapped");
    uint64_t hint = 0;
    found(fcntl(file, F_GET_RW_HINT, &hint) == 0 && hint == RWH_WRITE_LIFE_EXTREME, "hint");
    close(file);
    file = open(SHARED_FILE, O_RDONLY);
    struct flock lock = lock_of(F_WRLCK);
    found(fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK, "newer lock");
    close(file);
    struct sockaddr_un address;
    socklen_t size = agreed_address(&address);
    int it = socket(AF_UNIX, SOCK_STREAM, 0);
    found(it >= 0 && connect(it, (struct sockaddr *)&address, size) == 0, "socket");
    close(it);
    found(shmget(agreed_key(), 0, 0) >= 0, "shared memory");
    found(msgget(agreed_key(), 0) >= 0, "message queue");
    mqd_t messages = mq_open(mark("/mark-"), O_RDONLY | O_NONBLOCK);
    found(messages >= 0, "POSIX message queue");
    mq_close(messages);
    look_at_processes();
    double load[1];
    found(getloadavg(load, 1) == 1, "load");
    if (found_marks == 0)
        contained("no mark is found");
}

static void collude_receive_counts(void) {
    int ends[2], pair[2];
    found_marks = 0;
    if (pipe(ends) == 0) {
        found(fcntl(ends[0], F_GETPIPE_SZ) < 1 << 16, "the size of a pipe");
        found(fcntl(ends[0], F_SETPIPE_SZ, MIB) < 0 && errno == EPERM, "no large pipe is left");
        close(ends[0]);
        close(ends[1]);
    }
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) {
        found(put_in_flight(pair, 1) < 0 && errno == ETOOMANYREFS, "descriptors on their way");
        close(pair[0]);
        close(pair[1]);
    }
    struct rlimit limit;
    getrlimit(RLIMIT_SIGPENDING, &limit);
    long most = limit.rlim_cur < HALF_OF_SIGNALS ? (long)limit.rlim_cur : HALF_OF_SIGNALS;
    found(queue_signals(most) < most, "signals that wait");
    found(hold_processes(PROCESSES) < PROCESSES, "processes");
    if (found_marks == 0)
        contained("no mark is found");
}

/* ---- the table of attacks ---- */

enum where { HERE, IN_CHILD };

static const struct attack {
    const char *name;
    void (*carry_out)(void);
    enum where where;
} ATTACKS[] = {
    {"read-passwd", read_passwd, HERE},
    {"read-file", read_file, HERE},
    {"list-folders", list_folders, HERE},
    {"write-file", write_file, HERE},
    {"drop-file", drop_file, HERE},
    {"other-folders", other_folders, HERE},
    {"symlink", symbolic_link, HERE},
    {"set-id", set_id_file, HERE},
    {"read-proc", read_proc, HERE},
    {"list-processes", list_processes, HERE},
    {"parent", parent, IN_CHILD},
    {"ptrace", seize, IN_CHILD},
    {"process-vm-readv", vm_read, HERE},
    {"signal", send_signal, HERE},
    {"environment", environment, HERE},
    {"namespaces", namespaces, HERE},
    {"read-load", read_load, HERE},
    {"own-proc", own_proc, HERE},
    {"sysinfo", read_sysinfo, HERE},
    {"tcp", tcp, HERE},
    {"listen", listen_to_tcp, HERE},
    {"udp", udp, HERE},
    {"unix", unix_socket, HERE},
    {"abstract", abstract_socket, HERE},
    {"fork-bomb", fork_bomb, HERE},
    {"thread-bomb", thread_bomb, HERE},
    {"memory-hog", memory_hog, HERE},
    {"memory-hog-many", memory_hog_many, HERE},
    {"memory-hog-memfd", memory_hog_memfd, HERE},
    {"memory-hog-shm", memory_hog_shm, HERE},
    {"file-filler", file_filler, HERE},
    {"many-files", many_files, HERE},
    {"hidden-filler", hidden_filler, HERE},
    {"hoard", hoard, HERE},
    {"inherited-descriptors", inherited_descriptors, HERE},
    {"many-descriptors", many_descriptors, IN_CHILD},
    {"spin", spin, HERE},
    {"relay", relay, HERE},
    {"daemon", leave_daemon, HERE},
    {"deaf-daemon", leave_deaf_daemon, HERE},
    {"unshare-user", unshare_user, IN_CHILD},
    {"unshare-others", unshare_others, IN_CHILD},
    {"clone-user", clone_user, IN_CHILD},
    {"mount", mount_something, IN_CHILD},
    {"change-root", change_root, IN_CHILD},
    {"io-uring", io_uring, IN_CHILD},
    {"bpf", bpf, IN_CHILD},
    {"keys", keys, IN_CHILD},
    {"landlock", landlock, IN_CHILD},
    {"filters", filters, IN_CHILD},
    {"perf", perf, IN_CHILD},
    {"userfaultfd", fault_handler, IN_CHILD},
    {"hostname", host_name, IN_CHILD},
    {"setuid", set_user, IN_CHILD},
    {"capabilities", capabilities, HERE},
    {"no-new-privileges", no_new_privileges, HERE},
    {"shared-memory", shared_memory, HERE},
    {"message-queue", message_queue, HERE},
    {"terminal", terminal, HERE},
    {"devices", devices, HERE},
    {"file-locks", file_locks, HERE},
    {"file-hints", file_hints, HERE},
    {"free-space", free_space, HERE},
    {"numbers", numbers, HERE},
    {"page-cache", page_cache, HERE},
    {"evict", evict, HERE},
    {"priority", priority, IN_CHILD},
    {"collude-send", collude_send, HERE},
    {"collude-send-counts", collude_send_counts, HERE},
    {"collude-receive", collude_receive, HERE},
    {"collude-receive-counts", collude_receive_counts, IN_CHILD},
    {"leave", leave, HERE},
};

static void attack(const char *wanted) {
    const struct attack *end = ATTACKS + sizeof ATTACKS / sizeof *ATTACKS;
    for (const struct attack *it = ATTACKS; it < end; it++)
        if (strcmp(it->name, wanted) == 0) {
            name = it->name;
            if (it->where == IN_CHILD)
                in_child(it->carry_out);
            else
                it->carry_out();
        }
}

static void attack_all(const char *list) {
    char *names = strdup(list), *rest = NULL;
    /* Writing too much into a file has to give an error, not end the process. */
    signal(SIGXFSZ, SIG_IGN);
    for (char *one = strtok_r(names, ",", &rest); one; one = strtok_r(NULL, ",", &rest))
        attack(one);
    free(names);
}

/* Runs when a JVM loads this as a library. */
int JNI_OnLoad(void *machine, void *reserved) {
    static char *none[] = {NULL};
    (void)machine, (void)reserved;
    values = none;
    attack_all("read-passwd,unshare-user,io-uring");
    return 0x00010008;
}

/* ---- the games ---- */

static void answer_yahtzee(const char *id, char *legal) {
    char *category = legal + 10;
    category[strcspn(category, "\"")] = '\0';
    printf("{\"id\":%s,\"category\":\"%s\"}\n", id, category);
}

/* Raises by one die, up to a third of all dice. */
static void answer_liars_dice(const char *id, const char *counts, const char *dice, char *bids) {
    long all = 0, count, face;
    for (const char *at = counts + 9; *at != '\0' && *at != ']'; at++)
        all += *at >= '0' && *at <= '9' ? *at - '0' : 0;
    bids[strcspn(bids, "]")] = '\0';
    char *last = strrchr(bids, ',');
    if (strchr(bids + 8, '"') == NULL)
        printf("{\"id\":%s,\"bid\":\"1 %c\"}\n", id, dice[8]);
    else if (sscanf((last != NULL ? last + 1 : bids + 8), "\"%ld %ld", &count, &face) == 2
             && count <= all / 3)
        printf("{\"id\":%s,\"bid\":\"%ld %ld\"}\n", id, count + 1, face);
    else
        printf("{\"id\":%s,\"bid\":\"Liar!\"}\n", id);
}

/* Whether to attack: with `once`, only the process that can create the file. */
static int is_its_turn(void) {
    const char *path = value("once");
    int file = *path == '\0' ? 0 : open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (file > 0)
        close(file);
    return file >= 0;
}

/* Turns before the attacks: a receiver waits for its sender. */
static int patience(const char *attacks) { return strstr(attacks, "receive") != NULL ? 4 : 0; }

int main(int count, char **arguments) {
    int attacked = count < 2 || strcmp(arguments[1], "none") == 0;
    int waiting = attacked ? 0 : patience(arguments[1]);
    values = arguments;
    own_parent = getppid();
    printf("{\"type\":\"ready\",\"inflight\":8}\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strncmp(line, "{\"type\":\"turn\"", 14) != 0)
            continue;
        if (!attacked && waiting-- == 0) {
            attacked = 1;
            if (is_its_turn())
                attack_all(arguments[1]);
        }
        char *legal = strstr(line, "\"legal\":{\"");
        char *id = strstr(line, "\"id\":") + 5;
        char *rest = id + strcspn(id, ",") + 1;
        rest[-1] = '\0';
        if (legal != NULL)
            answer_yahtzee(id, legal);
        else
            answer_liars_dice(id, strstr(rest, "\"counts\":["), strstr(rest, "\"dice\":["),
                              strstr(rest, "\"bids\":["));
        fflush(stdout);
    }
    if (count > 1 && strstr(arguments[1], "collude-send") != NULL)
        take_back_marks();
    return 0;
}
