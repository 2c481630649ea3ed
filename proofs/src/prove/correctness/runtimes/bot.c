#include <stdio.h>
#include <string.h>

static char line[1 << 16];

int main(void) {
    puts("{\"type\":\"ready\",\"inflight\":8}");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *legal = strstr(line, "\"legal\":{\"");
        if (legal == NULL)
            continue;
        long id;
        char category[32];
        sscanf(strstr(line, "\"id\":") + 5, "%ld", &id);
        sscanf(legal + 10, "%31[A-Z_]", category);
        printf("{\"id\":%ld,\"category\":\"%s\"}\n", id, category);
        fflush(stdout);
    }
    return 0;
}
