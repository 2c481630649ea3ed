/* Preloaded into a process: records what it does to the files of a folder, and fails one of these calls.
 *
 * DISK_FOLDER is the folder. DISK_TRACE is the file for the record: for each call its kind (one byte), the length of the path
 * below the folder (4 bytes), an offset (8), the length of the data (8), the path, the data; numbers little endian.
 * Kinds: c created, w written, t truncated to the offset, s synced, S not synced, r renamed to the path in the data, u removed.
 * DISK_FAULT is "N KIND": the N-th call, from 1, of those that are recorded fails with EIO (io) or ENOSPC (full), writes half of
 * its data (short), or ends the process after half of its data (kill). */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace = -1, calls;

enum fault { NONE, IO, FULL, SHORT, KILL };

/* The path of an absolute name below the folder, "" for the folder itself; NULL if it is elsewhere. */
static const char *below(const char *path) {
    const char *folder = getenv("DISK_FOLDER");
    size_t length = folder ? strlen(folder) : 0;
    if (!length || strncmp(path, folder, length)) return NULL;
    if (path[length] == 0) return "";
    return path[length] == '/' ? path + length + 1 : NULL;
}

static const char *below_file(int file, char *buffer, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, buffer, size - 1);
    if (length < 0) return NULL;
    buffer[length] = 0;
    const char *deleted = strstr(buffer, " (deleted)");
    return deleted ? NULL : below(buffer);
}

static void record(char kind, const char *path, uint64_t offset, const void *data, uint64_t length) {
    if (trace < 0 && getenv("DISK_TRACE"))
        trace = REAL(open)(getenv("DISK_TRACE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (trace < 0) return;
    uint32_t path_length = strlen(path);
    struct iovec parts[] = {{&kind, 1}, {&path_length, 4}, {&offset, 8}, {&length, 8},
                            {(void *)path, path_length}, {(void *)data, length}};
    if (REAL(writev)(trace, parts, 6) < 0) abort();
}

/* Whether this call is to fail. Calls on the file "claims" are not counted. */
static enum fault next_fault(const char *path) {
    const char *fault = getenv("DISK_FAULT");
    if (!strcmp(path, "claims") || ++calls != (fault ? atoi(fault) : 0)) return NONE;
    const char *kind = strchr(fault, ' ');
    if (!kind) return NONE;
    if (!strcmp(kind, " io")) return IO;
    if (!strcmp(kind, " full")) return FULL;
    return !strcmp(kind, " short") ? SHORT : KILL;
}

static int failed(enum fault fault) {
    if (fault == KILL) _exit(99);
    errno = fault == FULL ? ENOSPC : EIO;
    return fault == IO || fault == FULL;
}

typedef ssize_t (*write_at)(int, const void *, size_t, off_t);

static ssize_t plain_write(int file, const void *data, size_t length, off_t unused) {
    (void)unused;
    return REAL(write)(file, data, length);
}

static ssize_t positioned_write(int file, const void *data, size_t length, off_t offset) {
    return REAL(pwrite)(file, data, length, offset);
}

static ssize_t written(int file, const void *data, size_t length, off_t offset, write_at act) {
    char buffer[4096];
    int saved = errno;
    const char *path = below_file(file, buffer, sizeof buffer);
    errno = saved;
    if (!path) return act(file, data, length, offset);
    pthread_mutex_lock(&lock);
    enum fault fault = next_fault(path);
    if (fault == SHORT || fault == KILL) length = (length + 1) / 2;
    ssize_t done = -1;
    if (fault == IO || fault == FULL) {
        failed(fault);
    } else {
        uint64_t at = offset;
        if (act == plain_write) {
            struct stat meta;
            int append = fcntl(file, F_GETFL) & O_APPEND;
            at = append && !fstat(file, &meta) ? meta.st_size : lseek(file, 0, SEEK_CUR);
        }
        done = act(file, data, length, offset);
        if (done > 0) record('w', path, at, data, done);
        if (fault == KILL) _exit(99);
    }
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t write(int file, const void *data, size_t length) {
    return written(file, data, length, 0, plain_write);
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
    return written(file, data, length, offset, positioned_write);
}

ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
    return written(file, data, length, offset, positioned_write);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    char buffer[4096];
    if (!below_file(file, buffer, sizeof buffer)) return REAL(writev)(file, parts, count);
    for (int i = 0; i < count; i++)
        if (parts[i].iov_len) return write(file, parts[i].iov_base, parts[i].iov_len);
    return 0;
}

/* Calls on a file that have no data. */
#define ON_FILE(real, kind, bad, offset)                                        \
    char buffer[4096];                                                          \
    const char *path = below_file(file, buffer, sizeof buffer);                 \
    if (!path) return real;                                                     \
    pthread_mutex_lock(&lock);                                                  \
    enum fault fault = next_fault(path);                                        \
    int done = -1;                                                              \
    if (fault != NONE && fault != SHORT && failed(fault)) {                     \
        if (bad) record(bad, path, 0, "", 0);                                   \
    } else {                                                                    \
        done = real;                                                            \
        if (!done) record(kind, path, offset, "", 0);                           \
    }                                                                           \
    pthread_mutex_unlock(&lock);                                                \
    return done;

int fsync(int file) { ON_FILE(REAL(fsync)(file), 's', 'S', 0) }
int fdatasync(int file) { ON_FILE(REAL(fdatasync)(file), 's', 'S', 0) }
int ftruncate(int file, off_t length) { ON_FILE(REAL(ftruncate)(file, length), 't', 0, length) }
int ftruncate64(int file, off64_t length) { ON_FILE(REAL(ftruncate64)(file, length), 't', 0, length) }

static int removed(const char *name, int (*real)(const char *)) {
    const char *path = below(name);
    if (!path) return real(name);
    pthread_mutex_lock(&lock);
    enum fault fault = next_fault(path);
    int done = -1;
    if (fault == NONE || fault == SHORT || !failed(fault)) {
        done = real(name);
        if (!done) record('u', path, 0, "", 0);
    }
    pthread_mutex_unlock(&lock);
    return done;
}

int unlink(const char *name) { return removed(name, REAL(unlink)); }

int rename(const char *from, const char *to) {
    const char *path = below(from), *target = below(to);
    if (!path || !target) return REAL(rename)(from, to);
    pthread_mutex_lock(&lock);
    enum fault fault = next_fault(path);
    int done = -1;
    if (fault == NONE || fault == SHORT || !failed(fault)) {
        done = REAL(rename)(from, to);
        if (!done) record('r', path, 0, target, strlen(target));
    }
    pthread_mutex_unlock(&lock);
    return done;
}

typedef int (*opener)(const char *, int, ...);

static int opened(const char *name, int flags, mode_t mode, opener real) {
    const char *path = below(name);
    int is_new = path && (flags & O_CREAT) && access(name, F_OK);
    if (!is_new) return real(name, flags, mode);
    pthread_mutex_lock(&lock);
    enum fault fault = next_fault(path);
    int file = -1;
    if (fault == NONE || fault == SHORT || !failed(fault)) {
        file = real(name, flags, mode);
        if (file >= 0) record('c', path, 0, "", 0);
    }
    pthread_mutex_unlock(&lock);
    return file;
}

#define OPEN(name)                                                              \
    int name(const char *path, int flags, ...) {                                \
        va_list more;                                                           \
        va_start(more, flags);                                                  \
        mode_t mode = flags & O_CREAT ? va_arg(more, int) : 0;                  \
        va_end(more);                                                           \
        return opened(path, flags, mode, (opener)REAL(name));                   \
    }

OPEN(open)
OPEN(open64)
