/* Executes a command in a user namespace that has all users under their own numbers, as the machine of a container has. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int map_all(pid_t pid, const char *name) {
    static const char all[] = "0 0 4294967295";
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int file = open(path, O_WRONLY);
    if (file < 0 || write(file, all, strlen(all)) < 0)
        return -1;
    return close(file);
}

int main(int count, char **words) {
    int entered[2], mapped[2];
    char byte = 0;
    int status;
    if (count < 2 || pipe(entered) != 0 || pipe(mapped) != 0)
        return 125;
    pid_t child = fork();
    if (child == 0) {
        if (unshare(CLONE_NEWUSER) != 0 || write(entered[1], &byte, 1) != 1 || read(mapped[0], &byte, 1) != 1)
            _exit(125);
        if (setgid(0) != 0 || setuid(0) != 0)
            _exit(125);
        execvp(words[1], words + 1);
        _exit(127);
    }
    close(entered[1]);
    if (child < 0 || read(entered[0], &byte, 1) != 1)
        return 125;
    if (map_all(child, "uid_map") != 0 || map_all(child, "gid_map") != 0)
        return 125;
    if (write(mapped[1], &byte, 1) != 1 || waitpid(child, &status, 0) != child)
        return 125;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
