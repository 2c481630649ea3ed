/*
 * Starts a command on a kernel that seems to be older than Linux 6.4: it does not know PR_GET_AUXV, so that programs read
 * /proc/self/auxv instead.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { GET_AUXV = 0x41555856 };

#define NUMBER offsetof(struct seccomp_data, nr)
/* The lower half of the first argument, where the byte order is that of all processors that we support. */
#define OPTION offsetof(struct seccomp_data, args)

int main(int count, char **words) {
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, NUMBER),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, OPTION),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, GET_AUXV, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    /* Without this only root may add a filter. It would change what the command can do, and is not used as root. */
    if (geteuid() != 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return perror("no_new_privs"), 1;
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return perror("seccomp"), 1;
    if (count > 1)
        execvp(words[1], words + 1);
    return perror("execvp"), 1;
}
