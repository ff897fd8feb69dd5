/* A bot for measuring the referee's clocks: it sleeps 50 ms a move, plays the first legal move, and reports the time
 * that it took itself, in microseconds, as `nodes`. Compile: cc -O2 -o sleepy_bot bench/sleepy_bot.c */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long long now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

int main(void) {
    static char line[65600];
    const char *hello = "{\"type\":\"hello\",\"protocol\":1,\"name\":\"sleepy\",\"games\":[\"bao-kigogo\",\"bao-kingulu\"]}";
    setvbuf(stdout, NULL, _IOLBF, 1 << 16);
    while (fgets(line, sizeof line, stdin)) {
        long long start = now_us();
        const char *field = strstr(line, "\"id\":");
        long long id = field ? atoll(field + 5) : 0;
        if (strstr(line, "\"type\":\"hello\"")) {
            puts(hello);
        } else if (strstr(line, "\"type\":\"new_game\"")) {
            printf("{\"type\":\"ready\",\"id\":%lld}\n", id);
        } else if (strstr(line, "\"type\":\"go\"")) {
            const char *legal = strstr(line, "\"legal\":\"");
            char move[8] = "";
            if (legal) sscanf(legal + 9, "%7[^ \"]", move);
            struct timespec rest = {0, 50 * 1000000};
            nanosleep(&rest, NULL);
            printf("{\"type\":\"move\",\"id\":%lld,\"move\":\"%s\",\"info\":{\"nodes\":%lld}}\n", id, move,
                   now_us() - start);
        } else if (strstr(line, "\"type\":\"bye\"")) {
            break;
        }
    }
    return 0;
}
