/*
 * A Yahtzee bot that plays legally, the first free category each time, and misbehaves in one way.
 *
 * Its first argument names the misbehaviour. Other arguments only mark the bot's processes.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The turn of misbehaviour in the middle of a game. */
enum { MIDDLE = 5 };

static char line[1 << 20];

static int is(const char *mode, const char *name) { return strcmp(mode, name) == 0; }

static void sleep_for_good(void) {
    for (;;)
        sleep(1000);
}

/* Writes the same bytes until the pipe is closed. */
static void pour(int to, const char *text, long bytes) {
    static char block[1 << 16];
    size_t length = strlen(text);
    for (size_t at = 0; at + length <= sizeof block; at += length)
        memcpy(block + at, text, length);
    size_t whole = sizeof block / length * length;
    for (long written = 0; bytes < 0 || written < bytes; written += (long)whole)
        if (write(to, block, whole) <= 0)
            return;
}

static void use_memory(void) {
    for (;;) {
        char *block = malloc(4 << 20);
        if (block != NULL)
            memset(block, 1, 4 << 20);
        usleep(1000);
    }
}

/* No single process exceeds the limit of all of them. */
static void use_memory_of_many(void) {
    for (int at = 0; at < 8; at++)
        if (fork() == 0) {
            /* Keeps the compiler from removing the unused memory. */
            volatile char *block = malloc(32 << 20);
            for (long at = 0; block != NULL && at < 32 << 20; at += 4096)
                block[at] = 1;
            sleep_for_good();
        }
    sleep_for_good();
}

/* Leaves a daemon behind, in a session of its own and without a parent. */
static void leave_behind(const char *mode) {
    if (fork() != 0)
        return;
    if (is(mode, "child-in-session") || is(mode, "child-detached") || is(mode, "child-of-crash"))
        setsid();
    if ((is(mode, "child-detached") || is(mode, "child-of-crash")) && fork() != 0)
        _exit(0);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    /* Closes the pipes, which would reveal it. */
    if (is(mode, "child-detached"))
        for (int descriptor = 0; descriptor < 3; descriptor++)
            close(descriptor);
    sleep_for_good();
}

/* Misbehaviour before the first message. */
static void begin(const char *mode) {
    if (is(mode, "sleeps-at-start"))
        sleep_for_good();
    if (is(mode, "never-reads")) {
        printf("{\"type\":\"ready\",\"inflight\":64}\n");
        fflush(stdout);
        sleep_for_good();
    }
    if (is(mode, "ignores-sigterm") || is(mode, "ignores-sigterm-in-a-move"))
        signal(SIGTERM, SIG_IGN);
    if (strncmp(mode, "child", 5) == 0)
        leave_behind(mode);
    if (is(mode, "floods-its-log"))
        pour(2, "spam spam spam\n", 8 << 20);
    if (is(mode, "buffers"))
        setvbuf(stdout, NULL, _IOFBF, 1 << 16);
}

/* Misbehaviour instead of an answer in the middle of the game. */
static void offend(const char *mode, const char *id) {
    if (is(mode, "sleeps-in-a-move") || is(mode, "ignores-sigterm-in-a-move"))
        sleep_for_good();
    if (is(mode, "exits") || is(mode, "child-of-crash"))
        exit(7);
    if (is(mode, "aborts"))
        abort();
    if (is(mode, "closes-stdout")) {
        close(1);
        sleep_for_good();
    }
    if (is(mode, "begins-a-line")) {
        printf("{\"id\":%s,\"cat", id);
        fflush(stdout);
        sleep_for_good();
    }
    if (is(mode, "writes-100-mb")) {
        pour(1, "x", 100L << 20);
        printf("\n");
    }
    if (is(mode, "floods"))
        pour(1, "x", -1);
    if (is(mode, "floods-lines"))
        pour(1, "{\"id\":1}\n", -1);
    if (is(mode, "floods-blank-lines"))
        pour(1, " \r\n", -1);
    if (is(mode, "uses-memory"))
        use_memory();
    if (is(mode, "uses-memory-of-many"))
        use_memory_of_many();
}

int main(int count, char **arguments) {
    const char *mode = count > 1 ? arguments[1] : "";
    int turns = 0;
    begin(mode);
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strncmp(line, "{\"type\":\"turn\"", 14) != 0)
            continue;
        char *id = strstr(line, "\"id\":") + 5;
        id[strcspn(id, ",")] = '\0';
        char *category = strstr(id + strlen(id) + 1, "\"legal\":{\"") + 10;
        category[strcspn(category, "\"")] = '\0';
        turns++;
        if (turns == MIDDLE)
            offend(mode, id);
        printf("{\"id\":%s,\"category\":\"%s\"}\n", id, category);
        if (!is(mode, "buffers"))
            fflush(stdout);
    }
    if (is(mode, "sleeps-at-the-end") || is(mode, "ignores-sigterm"))
        sleep_for_good();
    return 0;
}
