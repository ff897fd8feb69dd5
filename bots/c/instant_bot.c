/* The smallest bot: plays the first legal move at once. For benchmarks of a referee; it skips what the referee may do
 * but does not in a benchmark (it ignores options and unknown messages, as every bot may).
 *
 * Build and run:  cc -O2 -o instant_bot instant_bot.c
 *                 referee match bao-kigogo ./instant_bot ./instant_bot
 *
 * It relies on what PROTOCOL.md promises: one compact object a line, `type` first, no spaces, no escapes before `legal`.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char in[1 << 20];

/* Returns what stands after "name": in the line, or NULL. */
static const char *field(const char *line, const char *name) {
    const char *found = strstr(line, name);
    return found ? found + strlen(name) : NULL;
}

static int say(const char *text, size_t length) {
    while (length > 0) {
        ssize_t count = write(1, text, length);
        if (count <= 0) return 0;
        text += count;
        length -= (size_t)count;
    }
    return 1;
}

/* Answers with `head`, the digits of the line's id, and `tail`. */
static int answer(const char *line, const char *head, const char *tail) {
    char out[256];
    const char *id = field(line, "\"id\":");
    int digits = id ? (int)strspn(id, "0123456789") : 0;
    int length = snprintf(out, sizeof out, "%s%.*s%s\n", head, digits > 20 ? 20 : digits, id ? id : "", tail);
    return say(out, (size_t)length);
}

/* Answers one line; returns 0 when the conversation is over. */
static int react(const char *line) {
    static const char start[] = "{\"type\":\"";
    if (strncmp(line, start, sizeof start - 1) != 0) return 1;
    const char *type = line + sizeof start - 1;
    if (strncmp(type, "go\"", 3) == 0) {
        const char *legal = field(line, "\"legal\":\"");
        char tail[32];
        snprintf(tail, sizeof tail, ",\"move\":\"%.*s\"}", legal ? (int)strcspn(legal, " \"") : 0, legal ? legal : "");
        return answer(line, "{\"type\":\"move\",\"id\":", tail);
    }
    if (strncmp(type, "hello\"", 6) == 0) {
        static const char hello[] = "{\"type\":\"hello\",\"protocol\":1,\"name\":\"instant_bot\",\"version\":\"1\","
                                    "\"games\":[\"bao-kigogo\",\"bao-kingulu\"]}\n";
        return say(hello, sizeof hello - 1);
    }
    if (strncmp(type, "new_game\"", 9) == 0) return answer(line, "{\"type\":\"ready\",\"id\":", "}");
    if (strncmp(type, "ping\"", 5) == 0) return answer(line, "{\"type\":\"pong\",\"id\":", "}");
    return strncmp(type, "bye\"", 4) != 0;
}

int main(void) {
    size_t held = 0;
    for (;;) {
        ssize_t count = read(0, in + held, sizeof in - 1 - held);
        if (count <= 0) return 0;
        held += (size_t)count;
        in[held] = 0;
        char *line = in, *end;
        while ((end = memchr(line, '\n', held - (size_t)(line - in)))) {
            *end = 0;
            if (!react(line)) return 0;
            line = end + 1;
        }
        held -= (size_t)(line - in);
        memmove(in, line, held);
    }
}
