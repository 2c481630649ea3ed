/*
 * Holds objects that an attacker must not reach and that Rust's standard library cannot create: a
 * shared memory segment and a message queue. Prints the segment's key and the queue's name, and
 * removes both when its input ends.
 */
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/shm.h>
#include <unistd.h>

int main(int count, char **arguments) {
    const char *secret = count > 1 ? arguments[1] : "";
    char queue[64];
    /* A JVM sends this signal to a process that it takes for another JVM. */
    signal(SIGQUIT, SIG_IGN);
    snprintf(queue, sizeof queue, "/dicehill-canary-%d", getpid());
    key_t key = (key_t)(0x64000000 + getpid());
    int segment = shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0600);
    char *at = segment < 0 ? (char *)-1 : shmat(segment, NULL, 0);
    if (at != (char *)-1)
        strncpy(at, secret, 4000);
    mqd_t opened = mq_open(queue, O_CREAT | O_EXCL | O_RDWR, 0600, NULL);
    printf("%s %ld %s\n", at != (char *)-1 && opened != (mqd_t)-1 ? "both" : "not-both", (long)key,
           queue);
    fflush(stdout);
    char byte;
    while (read(0, &byte, 1) > 0)
        ;
    if (segment >= 0)
        shmctl(segment, IPC_RMID, NULL);
    mq_unlink(queue);
    return 0;
}
