/* A bot that plays any legal move. C99 and POSIX, no JSON library: messages are compact and have their fields in the
 * order of PROTOCOL.md, and no text before `legal` holds a quote, so looking for a field's name is enough.
 *
 * Build:        cc -O2 -o random_bot bots/c/random_bot.c
 * Run a match:  referee match bao-kigogo ./random_bot random-bot
 * By hand:      ./random_bot [SEED]     and type messages of PROTOCOL.md, one a line
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_MOVES 24

/* Returns what stands after "name": in the line, or an empty text. */
static const char *field(const char *line, const char *name) {
    const char *found = strstr(line, name);
    return found ? found + strlen(name) : "";
}

static int is(const char *line, const char *type) {
    return strncmp(field(line, "{\"type\":\""), type, strlen(type)) == 0;
}

static unsigned long long id(const char *line) { return strtoull(field(line, "\"id\":"), NULL, 10); }

/* Picks one of the words between here and the closing quote, and returns where it begins. */
static const char *any_word(const char *words) {
    const char *starts[MOST_MOVES];
    int count = 0;
    for (const char *at = words; *at && *at != '"' && count < MOST_MOVES; at += *at == ' ') {
        starts[count++] = at;
        at += strcspn(at, " \"");
    }
    return count > 0 ? starts[rand() % count] : "";
}

int main(int argc, char **argv) {
    char *line = NULL;
    size_t room = 0;
    srand(argc > 1 ? (unsigned)atoi(argv[1]) : (unsigned)time(NULL));
    while (getline(&line, &room, stdin) > 0) {
        if (is(line, "hello\"")) {
            printf("{\"type\":\"hello\",\"protocol\":1,\"name\":\"random_bot.c\",\"version\":\"1.0\","
                   "\"author\":\"Bao Referee\",\"games\":[\"bao-kigogo\",\"bao-kingulu\"]}\n");
        } else if (is(line, "new_game\"")) {
            printf("{\"type\":\"ready\",\"id\":%llu}\n", id(line));
        } else if (is(line, "go\"")) {
            const char *word = any_word(field(line, "\"legal\":\""));
            printf("{\"type\":\"move\",\"id\":%llu,\"move\":\"%.*s\"}\n", id(line), (int)strcspn(word, " \""), word);
        } else if (is(line, "ping\"")) {
            printf("{\"type\":\"pong\",\"id\":%llu}\n", id(line));
        } else if (is(line, "fault\"")) {
            fprintf(stderr, "%s", line);
        } else if (is(line, "bye\"")) {
            break;
        } /* Anything else (set_option, game_over, a type of a later version) needs no answer. */
        fflush(stdout); /* without it the answer would stay in the buffer, and the clock would run out */
    }
    free(line);
    return 0;
}
