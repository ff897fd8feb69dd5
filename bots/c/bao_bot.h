/* All that a bot for the Bao referee needs, except its ideas. C99 or later (C++, too), POSIX, no other library.
 *
 * Copy this file beside your bot and include it first. A bot is a struct with one function:
 *
 *     #include "bao_bot.h"
 *
 *     static bao_answer choose(bao_bot *bot, const bao_turn *turn) {
 *         return bao_move(turn->legal.pits[bao_below(bot, turn->legal.count)]);
 *     }
 *
 *     int main(int argc, char **argv) {
 *         bao_bot bot = {0};
 *         bot.name = "my-bot";
 *         bot.choose = choose;
 *         return bao_run(&bot, argc, argv);
 *     }
 *
 * Build it with `cc -O2 -o my_bot my_bot.c`. `bao_run` talks with the referee: handshake, options, pings, clocks,
 * `verify`, the end. A move is the number of the pit to lift among the mover's own, in sowing order, from 0; `bao_legal`
 * and `bao_play` know the rules of both games. See greedy_bot.c for a search, docs/BOTS.md for the guide, and PROTOCOL.md
 * for what goes over the pipes.
 *
 * From the command line (besides being started by the referee):
 *     ./my_bot --seed 7                sets an option as the referee would
 *     ./my_bot perft bao-kigogo 5      counts the sequences of five moves, to check and to time the rules
 */
#ifndef BAO_BOT_H
#define BAO_BOT_H

#if defined __STRICT_ANSI__ && !defined _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef CLOCK_MONOTONIC
#error "include bao_bot.h before the system's headers, or compile with -std=gnu99"
#endif

enum { BAO_KIGOGO, BAO_KINGULU };
enum { BAO_SOUTH, BAO_NORTH };

/* The most pits of a side, and so the most moves. */
#define BAO_PITS 24
/* Room for a position text. */
#define BAO_TEXT 256
/* No option goes beyond this number, 2^53 - 1: every language can hold it in a float. */
#define BAO_MOST 9007199254740991LL

/* --- Positions ------------------------------------------------------------------------------------------------------ */

/* A position of either game. Bao Kigogo: a side's pits 0 to 11 are its back row, 12 to 23 its front row. Bao Kingulu: a
 * side has the pits 0 to 5. What a game does not use is 0. */
typedef struct {
    unsigned char game;
    unsigned char side;              /* who is to move */
    unsigned char captured[2];       /* the seeds that each side has captured, or in its bank */
    unsigned char pits[2][BAO_PITS]; /* the seeds by side, in sowing order */
    unsigned char reserved[2][6];    /* Bao Kingulu: 1 for a pit that is reserved, for the side in whose row it is not */
} bao_position;

/* Pits to lift, in sowing order. */
typedef struct {
    int count;
    int pits[BAO_PITS];
} bao_moves;

/* What a move comes to. */
typedef enum {
    BAO_ILLEGAL, /* it is not legal */
    BAO_PLAYED,  /* there is a position after it */
    BAO_ENDLESS  /* its sowing never ends, which draws the game (Bao Kigogo only) */
} bao_result;

/* Makes the usual start position of a game. */
static inline bao_position bao_start(int game);
/* Reads a position text of the referee; 0 if it is none. */
static inline int bao_parse(int game, const char *text, bao_position *position);
/* Writes a position as the referee does. */
static inline void bao_format(const bao_position *position, char text[BAO_TEXT]);
/* Returns the name of a side's pit, such as "A4". */
static inline const char *bao_name(int game, int side, int pit);
/* Finds the pit of a side by its name, which may go on after the name; -1 if there is none. */
static inline int bao_pit(int game, int side, const char *name);
/* Lists the legal moves. Without any, the game is over. */
static inline bao_moves bao_legal(const bao_position *position);
/* Plays a move; only BAO_PLAYED fills `after`, which may be the position itself. */
static inline bao_result bao_play(const bao_position *before, int pit, bao_position *after);
/* Counts a side's seeds: captured (Bao Kigogo), or as at the game's end (Bao Kingulu). */
static inline int bao_score(const bao_position *position, int side);
/* Returns whether two positions are the same by the rule of repetition. */
static inline int bao_same(const bao_position *one, const bao_position *other);
/* Counts the sequences of `depth` legal moves; a sowing that never ends is a last move. */
static inline unsigned long long bao_perft(const bao_position *position, int depth);

/* --- Bots ----------------------------------------------------------------------------------------------------------- */

/* What a bot thought, for the record. All of it is optional: what is 0 is left out, the score also without a depth. */
typedef struct {
    int depth;       /* how many plies ahead */
    int score;       /* what you expect in the end, in hundredths of a seed; above zero is good for you */
    long long nodes; /* how many positions you looked at */
    const char *pv;  /* the moves that you expect, your own first, with single spaces between */
    const char *text;
} bao_thought;

/* A move and what the bot thought of it; a pit of -1 gives the game up. */
typedef struct {
    int pit;
    bao_thought thought;
} bao_answer;

/* A request to move. */
typedef struct {
    bao_position position;
    bao_moves legal;     /* at least one */
    long long budget_ms; /* a sensible time for this move, from the clock of whichever kind; see bao_budget */
    long long id, ply, you_ms, opponent_ms, increment_ms, moves_to_go, periods, deadline_ms; /* as in `go` */
    double started_ms;        /* when the message was read, by bao_now_ms */
    const char *go;           /* the message as it came; bao_field finds what else is in it */
    const char *clock;        /* the clock that `new_game` announced, an object */
    const bao_position *past; /* this game's positions so far; see bao_seen */
    int past_count;
} bao_turn;

typedef enum { BAO_INTEGER, BAO_BOOLEAN, BAO_CHOICE, BAO_STRING } bao_kind;

/* An option that an organiser may set. Besides yours, every bot has the option `seed`. */
typedef struct {
    const char *name;
    bao_kind kind;
    const char *value;   /* the default; later what was set */
    long long min, max;  /* of an integer; without bounds if both are 0 */
    const char *choices; /* of a choice: the texts with single spaces between */
    char *set;           /* the library's own */
} bao_option;

typedef struct bao_bot bao_bot;

/* A bot. Give it a name and a function `choose`; everything else may stay 0. */
struct bao_bot {
    const char *name, *version, *author;
    const char *games; /* the names with single spaces between; both games by default */
    /* Chooses a move; your clock runs. */
    bao_answer (*choose)(bao_bot *bot, const bao_turn *turn);
    /* Prepares for a game (the message as it came). No clock runs, but 10 s are all that there is. */
    void (*new_game)(bao_bot *bot, const char *line);
    /* Learns how a game ended (the message as it came). */
    void (*game_over)(bao_bot *bot, const char *line);
    /* What an organiser may set. The library works on a copy, in which `seed` comes first. */
    bao_option *options;
    int option_count;
    int history; /* 1: each `go` brings the game's moves so far, as the field `moves` */
    void *data;  /* yours */
    /* Chance follows from the option `seed` and the game, so that a game can be repeated; by seed 0 it cannot. */
    unsigned long long chance;
};

/* Talks with the referee until it says `bye` or closes the pipe; gives the exit code for `main`. */
static inline int bao_run(bao_bot *bot, int argc, char **argv);
/* Answers with a move, without a thought. */
static inline bao_answer bao_move(int pit);
/* Answers by giving the game up. */
static inline bao_answer bao_resign(void);
/* Returns any number from 0 to end - 1. */
static inline int bao_below(bao_bot *bot, int end);
/* Give an option's value. */
static inline long long bao_integer(const bao_bot *bot, const char *name);
static inline int bao_boolean(const bao_bot *bot, const char *name);
static inline const char *bao_string(const bao_bot *bot, const char *name);
/* Returns the time in milliseconds, from any moment on. */
static inline double bao_now_ms(void);
/* Returns how long this move has taken. */
static inline double bao_elapsed_ms(const bao_turn *turn);
/* Returns whether this move has taken its budget. */
static inline int bao_time_is_up(const bao_turn *turn);
/* Returns whether a position was in this game before: it would end the game. */
static inline int bao_seen(const bao_turn *turn, const bao_position *position);
/* Reports what you think so far; never needed, and seldom is better than often. */
static inline void bao_tell(const bao_turn *turn, const bao_thought *thought);
/* Writes a line for the record; the level is "info", "warn" and so on. */
static inline void bao_log(const char *text, const char *level);
/* Finds the value of a field of an object: where it begins in the text, or NULL. */
static inline const char *bao_field(const char *object, const char *name);

/* --- The rules ------------------------------------------------------------------------------------------------------ */

/* How the two functions below know a sowing that never ends: the pits and the pit to lift are as they were at first. That
 * is exact, and no limit on the laps would be: a sowing may have a million laps and end. From the state after a lap the one
 * before can be told (the lifted pit is the nearest, looking back from the last seed, with the fewest seeds), so that no
 * two lead to the same; the first state that comes back is therefore the first of all. */

static inline int bao_pit_count(int game) { return game == BAO_KIGOGO ? 24 : 6; }

static inline bao_result bao_play_kigogo(const bao_position *before, int at, bao_position *after) {
    const int me = before->side, they = 1 - me, start = at;
    unsigned char pits[24];
    bao_position next;
    memcpy(pits, before->pits[me], 24);
    for (;;) {
        int seeds = pits[at];
        pits[at] = 0;
        for (; seeds > 0; seeds--) {
            at = at == 23 ? 0 : at + 1;
            pits[at]++;
        }
        if (pits[at] == 1) break;
        if (at == start && memcmp(pits, before->pits[me], 24) == 0) return BAO_ENDLESS;
    }
    next = *before;
    next.side = (unsigned char)they;
    memcpy(next.pits[me], pits, 24);
    if (at >= 12 && next.pits[they][35 - at] > 0) {
        /* The front pit across, and the back pit behind it. */
        unsigned char *front = &next.pits[they][35 - at], *back = &next.pits[they][at - 12];
        next.captured[me] = (unsigned char)(next.captured[me] + *front + *back);
        *front = *back = 0;
    }
    *after = next;
    return BAO_PLAYED;
}

static inline bao_result bao_play_kingulu(const bao_position *before, int at, bao_position *after) {
    const int me = before->side, they = 1 - me, start = at;
    /* The mover's row is 0 to 5, the other 6 to 11. */
    unsigned char pits[12], first_pits[12], reserved[12];
    int banked[2] = {0, 0}, first = 1, seeds;
    memcpy(first_pits, before->pits[me], 6);
    memcpy(first_pits + 6, before->pits[they], 6);
    memcpy(pits, first_pits, 12);
    memcpy(reserved, before->reserved[me], 6);
    memcpy(reserved + 6, before->reserved[they], 6);
    for (;; first = 0) {
        int left;
        seeds = left = pits[at];
        pits[at] = 0;
        for (; left > 0; left--) {
            at = at == 11 ? 0 : at + 1;
            if (reserved[at]) banked[at < 6 ? they : me]++;
            else pits[at]++;
        }
        if (reserved[at]) break;
        if (pits[at] == 1) {
            const int across = 11 - at;
            if (at < 6 && pits[across] > 0 && !reserved[across]) {
                banked[me] += pits[across] + 1;
                pits[across] = pits[at] = 0;
            }
            break;
        }
        if (at >= 6 && pits[at] == 4) {
            reserved[at] = 1;
            if (seeds > 1 && !reserved[at - 1]) {
                pits[at - 1]--;
                pits[at] = 5;
            }
            break;
        }
        if (at < 6 && first) return BAO_ILLEGAL;
        if (at == start && memcmp(pits, first_pits, 12) == 0) return BAO_ILLEGAL;
    }
    *after = *before;
    after->side = (unsigned char)they;
    after->captured[0] = (unsigned char)(after->captured[0] + banked[0]);
    after->captured[1] = (unsigned char)(after->captured[1] + banked[1]);
    memcpy(after->pits[me], pits, 6);
    memcpy(after->pits[they], pits + 6, 6);
    memcpy(after->reserved[me], reserved, 6);
    memcpy(after->reserved[they], reserved + 6, 6);
    return BAO_PLAYED;
}

static inline bao_moves bao_legal(const bao_position *position) {
    const unsigned char *pits = position->pits[position->side];
    bao_moves moves;
    int pit;
    moves.count = 0;
    if (position->game == BAO_KINGULU) {
        bao_position after;
        for (pit = 0; pit < 6; pit++)
            if (bao_play(position, pit, &after) == BAO_PLAYED) moves.pits[moves.count++] = pit;
        return moves;
    }
    for (pit = 0; pit < 24; pit++)
        if (pits[pit] > 1) moves.pits[moves.count++] = pit;
    if (moves.count > 0) return moves;
    /* A single seed moves only if there is nothing else, and only into an empty pit. */
    for (pit = 0; pit < 24; pit++)
        if (pits[pit] == 1 && pits[(pit + 1) % 24] == 0) moves.pits[moves.count++] = pit;
    return moves;
}

static inline bao_result bao_play(const bao_position *before, int pit, bao_position *after) {
    const unsigned char *pits = before->pits[before->side];
    if (pit < 0 || pit >= bao_pit_count(before->game) || pits[pit] == 0) return BAO_ILLEGAL;
    if (before->game == BAO_KINGULU)
        return before->reserved[before->side][pit] ? BAO_ILLEGAL : bao_play_kingulu(before, pit, after);
    if (pits[pit] == 1) {
        if (pits[(pit + 1) % 24] != 0 || pits[bao_legal(before).pits[0]] > 1) return BAO_ILLEGAL;
    }
    return bao_play_kigogo(before, pit, after);
}

static inline int bao_score(const bao_position *position, int side) {
    int seeds = position->captured[side], pit;
    for (pit = 0; position->game == BAO_KINGULU && pit < 6; pit++) {
        if (!position->reserved[side][pit]) seeds += position->pits[side][pit];
        if (position->reserved[1 - side][pit]) seeds += position->pits[1 - side][pit];
    }
    return seeds;
}

static inline int bao_same(const bao_position *one, const bao_position *other) {
    return one->game == other->game && one->side == other->side
        && memcmp(one->pits, other->pits, sizeof one->pits) == 0
        && memcmp(one->reserved, other->reserved, sizeof one->reserved) == 0;
}

static inline unsigned long long bao_perft(const bao_position *position, int depth) {
    const bao_moves moves = bao_legal(position);
    unsigned long long count = 0;
    int number;
    if (depth <= 1) return depth <= 0 ? 1 : (unsigned long long)moves.count;
    for (number = 0; number < moves.count; number++) {
        bao_position after;
        if (bao_play(position, moves.pits[number], &after) == BAO_PLAYED) count += bao_perft(&after, depth - 1);
    }
    return count;
}

/* --- Texts ---------------------------------------------------------------------------------------------------------- */

static inline const char *bao_game_name(int game) { return game == BAO_KIGOGO ? "bao-kigogo" : "bao-kingulu"; }

/* Returns which game a text begins with; -1 if none. */
static inline int bao_game(const char *text) {
    if (strncmp(text, "bao-kigogo", 10) == 0) return BAO_KIGOGO;
    return strncmp(text, "bao-kingulu", 11) == 0 ? BAO_KINGULU : -1;
}

static inline bao_position bao_start(int game) {
    bao_position position;
    const char *kigogo = "2,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,0/"
                         "0,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,2 S 0 0";
    bao_parse(game, game == BAO_KIGOGO ? kigogo : "4,4,4,4,4,4/4,4,4,4,4,4 S 0 0", &position);
    return position;
}

/* Returns which pit stands in a row (from the top) and a column (from the left) of a position text. */
static inline int bao_place(int game, int row, int column, int *side) {
    if (game == BAO_KINGULU) {
        *side = row == 0 ? BAO_NORTH : BAO_SOUTH;
        return row == 0 ? 5 - column : column;
    }
    *side = row < 2 ? BAO_NORTH : BAO_SOUTH;
    switch (row) {
    case 0: return 11 - column;
    case 1: return 12 + column;
    case 2: return 23 - column;
    default: return column;
    }
}

static inline int bao_parse(int game, const char *text, bao_position *position) {
    const int rows = game == BAO_KIGOGO ? 4 : 2, columns = game == BAO_KIGOGO ? 12 : 6;
    char *end;
    int row, column, side;
    memset(position, 0, sizeof *position);
    position->game = (unsigned char)game;
    for (row = 0; row < rows; row++) {
        for (column = 0; column < columns; column++) {
            const int pit = bao_place(game, row, column, &side);
            const long seeds = strtol(text, &end, 10);
            if (end == text || seeds < 0 || seeds > 92) return 0;
            position->pits[side][pit] = (unsigned char)seeds;
            text = end;
            if (*text == '*' && game == BAO_KINGULU) {
                position->reserved[side][pit] = 1;
                text++;
            }
            if (*text++ != (column < columns - 1 ? ',' : row < rows - 1 ? '/' : ' ')) return 0;
        }
    }
    if ((*text != 'S' && *text != 'N') || text[1] != ' ') return 0;
    position->side = *text == 'S' ? BAO_SOUTH : BAO_NORTH;
    text++;
    for (side = BAO_SOUTH; side <= BAO_NORTH; side++) {
        const long seeds = strtol(text, &end, 10);
        if (end == text || seeds < 0 || seeds > 92) return 0;
        position->captured[side] = (unsigned char)seeds;
        text = end;
    }
    return 1;
}

static inline void bao_format(const bao_position *position, char text[BAO_TEXT]) {
    const int rows = position->game == BAO_KIGOGO ? 4 : 2, columns = position->game == BAO_KIGOGO ? 12 : 6;
    int row, column, side;
    for (row = 0; row < rows; row++) {
        for (column = 0; column < columns; column++) {
            const int pit = bao_place(position->game, row, column, &side);
            const int reserved = position->game == BAO_KINGULU && position->reserved[side][pit];
            const char *join = column < columns - 1 ? "," : row < rows - 1 ? "/" : " ";
            text += sprintf(text, "%d%s%s", position->pits[side][pit], reserved ? "*" : "", join);
        }
    }
    sprintf(text, "%c %d %d", "SN"[position->side], position->captured[0], position->captured[1]);
}

static inline const char *bao_name(int game, int side, int pit) {
    static const char *const kigogo[2][24] = {
        {"B1",  "B2",  "B3",  "B4", "B5", "B6", "B7", "B8", "B9", "B10", "B11", "B12",
         "A12", "A11", "A10", "A9", "A8", "A7", "A6", "A5", "A4", "A3",  "A2",  "A1"},
        {"b1",  "b2",  "b3",  "b4", "b5", "b6", "b7", "b8", "b9", "b10", "b11", "b12",
         "a12", "a11", "a10", "a9", "a8", "a7", "a6", "a5", "a4", "a3",  "a2",  "a1"}};
    static const char *const kingulu[2][6] = {{"A1", "A2", "A3", "A4", "A5", "A6"},
                                              {"a1", "a2", "a3", "a4", "a5", "a6"}};
    return game == BAO_KIGOGO ? kigogo[side][pit] : kingulu[side][pit];
}

static inline int bao_pit(int game, int side, const char *name) {
    const size_t length = name ? strcspn(name, " \"") : 0;
    int pit;
    for (pit = 0; pit < bao_pit_count(game); pit++) {
        const char *known = bao_name(game, side, pit);
        if (strlen(known) == length && strncmp(known, name, length) == 0) return pit;
    }
    return -1;
}

/* --- JSON, as much as a bot needs ----------------------------------------------------------------------------------- */

/* Goes behind a text; `at` is its opening quote. */
static inline const char *bao_after_text(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}

/* Goes behind a value of any kind. */
static inline const char *bao_after_value(const char *at) {
    int depth = 0;
    while (*at) {
        if (*at == '"') {
            at = bao_after_text(at);
            if (depth == 0) return at;
            continue;
        }
        if (*at == '{' || *at == '[') depth++;
        else if (*at == '}' || *at == ']') {
            if (depth == 0) return at;
            if (--depth == 0) return at + 1;
        } else if (*at == ',' && depth == 0) return at;
        at++;
    }
    return at;
}

static inline const char *bao_field(const char *object, const char *name) {
    const size_t length = strlen(name);
    if (!object || *object != '{') return NULL;
    while (*object && object[1] == '"') {
        const char *key = object + 2, *value = bao_after_text(object + 1);
        if (*value != ':') return NULL;
        value++;
        if (strncmp(key, name, length) == 0 && key[length] == '"') return value;
        object = bao_after_value(value);
        if (*object != ',') return NULL;
    }
    return NULL;
}

/* Returns a field that is a whole number; 0 if it is not there. */
static inline long long bao_number(const char *object, const char *name) {
    const char *value = bao_field(object, name);
    return value ? strtoll(value, NULL, 10) : 0;
}

/* Returns a field that is a text, after its opening quote; an empty text if it is not there. */
static inline const char *bao_text(const char *object, const char *name) {
    const char *value = bao_field(object, name);
    return value && *value == '"' ? value + 1 : "";
}

/* Returns whether a field is this text. */
static inline int bao_is(const char *object, const char *name, const char *text) {
    const char *value = bao_text(object, name);
    const size_t length = strlen(text);
    return strncmp(value, text, length) == 0 && value[length] == '"';
}

/* Reads four hexadecimal digits; -1 if they are not there. */
static inline long bao_hex(const char *text) {
    char digits[5] = "";
    memcpy(digits, text, strnlen(text, 4));
    return strspn(digits, "0123456789abcdefABCDEF") == 4 ? strtol(digits, NULL, 16) : -1;
}

/* Writes a character as UTF-8, and returns where the next one goes. */
static inline char *bao_put_utf8(char *to, long code) {
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const int lead[] = {0, 0xc0, 0xe0, 0xf0};
    int left;
    *to++ = (char)(lead[more] | (int)(code >> (6 * more)));
    for (left = more - 1; left >= 0; left--) *to++ = (char)(0x80 | ((code >> (6 * left)) & 0x3f));
    return to;
}

/* Makes a copy of a text that ends with a quote, with characters for its escapes. */
static inline char *bao_copy(const char *text) {
    char *copy = (char *)malloc(strlen(text) + 1), *to = copy;
    if (!copy) abort();
    for (; *text && *text != '"'; text++) {
        static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
        const char *letter;
        long code, low;
        if (*text != '\\' || !text[1]) {
            *to++ = *text;
            continue;
        }
        text++;
        letter = strchr(letters, *text);
        code = *text == 'u' ? bao_hex(text + 1) : -1;
        if (code < 0) {
            *to++ = letter ? meanings[letter - letters] : *text;
            continue;
        }
        text += 4;
        /* Characters beyond 16 bits are written as two. */
        low = code >= 0xd800 && code < 0xdc00 && text[1] == '\\' && text[2] == 'u' ? bao_hex(text + 3) : -1;
        if (low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            text += 6;
        }
        to = bao_put_utf8(to, code);
    }
    *to = '\0';
    return copy;
}

/* Adds two texts to one that was made by bao_join. */
static inline void bao_add(char **text, const char *one, const char *other) {
    const size_t length = strlen(*text), size = length + strlen(one) + strlen(other) + 1;
    *text = (char *)realloc(*text, size);
    if (!*text) abort();
    snprintf(*text + length, size - length, "%s%s", one, other);
}

/* Makes a new text of three. */
static inline char *bao_join(const char *one, const char *two, const char *three) {
    char *text = (char *)calloc(1, 1);
    if (!text) abort();
    bao_add(&text, one, two);
    bao_add(&text, three, "");
    return text;
}

/* Writes a list of texts, given with single spaces between. */
static inline void bao_put_list(const char *list) {
    putchar('[');
    while (*list) {
        const int length = (int)strcspn(list, " ");
        printf("\"%.*s\"%s", length, list, list[length] ? "," : "");
        list += length + (list[length] == ' ');
    }
    putchar(']');
}

/* Writes a text between quotes. */
static inline void bao_put_text(const char *text) {
    putchar('"');
    for (; text && *text; text++) {
        if (*text == '"' || *text == '\\') putchar('\\');
        if ((unsigned char)*text < ' ') putchar(' ');
        else putchar(*text);
    }
    putchar('"');
}

static inline void bao_put_thought(const bao_thought *thought, const char *before) {
    if (thought->depth > 0) {
        printf("%s\"depth\":%d,\"score\":%d", before, thought->depth, thought->score);
        before = ",";
    }
    if (thought->nodes > 0) {
        printf("%s\"nodes\":%lld", before, thought->nodes);
        before = ",";
    }
    if (thought->pv && *thought->pv) {
        printf("%s\"pv\":", before);
        bao_put_text(thought->pv);
        before = ",";
    }
    if (thought->text && *thought->text) {
        printf("%s\"text\":", before);
        bao_put_text(thought->text);
    }
}

/* Ends a message. Without the flush it would wait in a buffer while the clock runs. */
static inline void bao_send(void) {
    printf("}\n");
    fflush(stdout);
}

static inline void bao_tell(const bao_turn *turn, const bao_thought *thought) {
    printf("{\"type\":\"info\",\"id\":%lld", turn->id);
    bao_put_thought(thought, ",");
    bao_send();
}

static inline void bao_log(const char *text, const char *level) {
    printf("{\"type\":\"log\",\"level\":");
    bao_put_text(level);
    printf(",\"text\":");
    bao_put_text(text);
    bao_send();
}

/* --- Turns, options, chance ----------------------------------------------------------------------------------------- */

static inline bao_answer bao_move(int pit) {
    bao_answer answer;
    memset(&answer, 0, sizeof answer);
    answer.pit = pit;
    return answer;
}

static inline bao_answer bao_resign(void) { return bao_move(-1); }

static inline double bao_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static inline double bao_elapsed_ms(const bao_turn *turn) { return bao_now_ms() - turn->started_ms; }

static inline int bao_time_is_up(const bao_turn *turn) { return bao_elapsed_ms(turn) >= (double)turn->budget_ms; }

static inline int bao_seen(const bao_turn *turn, const bao_position *position) {
    const int gone = position->captured[0] + position->captured[1];
    int number;
    for (number = turn->past_count - 1; number >= 0; number--) {
        const bao_position *seen = &turn->past[number];
        /* What was captured never comes back, so positions before that cannot either. */
        if (seen->captured[0] + seen->captured[1] < gone) return 0;
        if (bao_same(seen, position)) return 1;
    }
    return 0;
}

static inline long long bao_least(long long one, long long other) { return one < other ? one : other; }

/* Shares out the time: a fortieth of what is left and half of what comes back, by the kind of the clock. Every division
 * rounds down. */
static inline long long bao_budget(const char *clock, const bao_turn *turn) {
    const long long deadline = turn->deadline_ms;
    long long share = turn->you_ms / 40 + turn->increment_ms / 2;
    /* The way to the referee and a busy machine take time, too. */
    long long most = deadline - bao_least(bao_least(200, 10 + deadline / 10), deadline / 4);
    if (bao_is(clock, "kind", "none")) share = 1000;
    else if (bao_is(clock, "kind", "move_time")) share = most; /* nothing is saved up */
    else if (bao_is(clock, "kind", "classical")) share = turn->you_ms / (turn->moves_to_go + 1) + turn->increment_ms / 2;
    else if (bao_is(clock, "kind", "byoyomi")) share += bao_number(clock, "period_ms") * 3 / 4; /* free in a period */
    else if (bao_is(clock, "kind", "delay")) share += bao_number(clock, "delay_ms") * 3 / 4;
    else most = deadline / 2;
    share = bao_least(share, most);
    return share < 1 ? 1 : share;
}

/* Returns the next number of SplitMix64. */
static inline unsigned long long bao_next(bao_bot *bot) {
    unsigned long long mixed = bot->chance += 0x9e3779b97f4a7c15ULL;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
    return mixed ^ (mixed >> 31);
}

static inline int bao_below(bao_bot *bot, int end) { return (int)(bao_next(bot) % (unsigned long long)end); }

static inline void bao_new_chance(bao_bot *bot, const char *game_id) {
    const long long seed = bao_integer(bot, "seed");
    bot->chance = seed ? (unsigned long long)seed : (unsigned long long)time(NULL) ^ (unsigned long long)(bao_now_ms() * 1e6);
    for (; *game_id && *game_id != '"'; game_id++) {
        bot->chance ^= (unsigned char)*game_id;
        bao_next(bot);
    }
}

static inline bao_option *bao_find_option(const bao_bot *bot, const char *name) {
    int number;
    for (number = 0; number < bot->option_count; number++)
        if (strcmp(bot->options[number].name, name) == 0) return &bot->options[number];
    return NULL;
}

static inline const char *bao_string(const bao_bot *bot, const char *name) {
    const bao_option *option = bao_find_option(bot, name);
    return option ? option->value : "";
}

static inline long long bao_integer(const bao_bot *bot, const char *name) {
    return strtoll(bao_string(bot, name), NULL, 10);
}

static inline int bao_boolean(const bao_bot *bot, const char *name) {
    return strcmp(bao_string(bot, name), "true") == 0;
}

/* Returns whether a word is one of those in a list with single spaces between. */
static inline int bao_among(const char *list, const char *word) {
    const size_t length = strlen(word);
    while (list && *list) {
        const size_t next = strcspn(list, " ");
        if (next == length && strncmp(list, word, length) == 0) return 1;
        list += next + (list[next] == ' ');
    }
    return 0;
}

/* Reads a whole number; 0 if the text is none. One that is too large becomes the largest. */
static inline int bao_read_integer(const char *text, long long *number) {
    const char *digits = text + (*text == '-');
    *number = strtoll(text, NULL, 10);
    return *digits && strspn(digits, "0123456789") == strlen(digits);
}

/* Sets an option; gives NULL, or what is wrong with the text: a new text, to be freed. A number out of bounds is brought
 * within them; any other text that cannot be leaves the option as it is. */
static inline char *bao_set_option(bao_bot *bot, const char *name, const char *text) {
    bao_option *option = bao_find_option(bot, name);
    char digits[32], *wrong = NULL;
    if (!option) {
        int number;
        wrong = bao_join("option ", name, " is unknown; the options are");
        for (number = 0; number < bot->option_count; number++) bao_add(&wrong, " ", bot->options[number].name);
        return wrong;
    }
    if (option->kind == BAO_BOOLEAN && !bao_among("true false", text))
        return bao_join("option ", name, " must be true or false");
    if (option->kind == BAO_CHOICE && !bao_among(option->choices, text)) {
        wrong = bao_join("option ", name, " must be one of ");
        bao_add(&wrong, option->choices, "");
        return wrong;
    }
    if (option->kind == BAO_INTEGER) {
        const int bounded = option->min != 0 || option->max != 0;
        const long long min = bounded ? option->min : -BAO_MOST, max = bounded ? option->max : BAO_MOST;
        long long number;
        if (!bao_read_integer(text, &number)) return bao_join("option ", name, " must be a whole number");
        if (number < min || number > max) {
            char bounds[64];
            number = number < min ? min : max;
            snprintf(bounds, sizeof bounds, " must be from %lld to %lld", min, max);
            wrong = bao_join("option ", name, bounds);
        }
        snprintf(digits, sizeof digits, "%lld", number);
        text = digits;
    }
    free(option->set);
    option->set = bao_join(text, "", "");
    option->value = option->set;
    return wrong;
}

/* --- The conversation ----------------------------------------------------------------------------------------------- */

/* What is kept from message to message. */
typedef struct {
    int game;
    char *clock;
    bao_position *past;
    int past_count, past_room;
} bao_talk;

static inline void bao_remember(bao_talk *talk, const bao_position *position) {
    if (talk->past_count == talk->past_room) {
        talk->past_room = talk->past_room ? talk->past_room * 2 : 256;
        talk->past = (bao_position *)realloc(talk->past, (size_t)talk->past_room * sizeof *talk->past);
        if (!talk->past) abort();
    }
    talk->past[talk->past_count++] = *position;
}

static inline void bao_say_hello(const bao_bot *bot) {
    static const char *const kinds[] = {"integer", "boolean", "choice", "string"};
    int number;
    printf("{\"type\":\"hello\",\"protocol\":1,\"name\":");
    bao_put_text(bot->name ? bot->name : "nameless");
    printf(",\"version\":");
    bao_put_text(bot->version ? bot->version : "0.1");
    printf(",\"author\":");
    bao_put_text(bot->author);
    printf(",\"games\":");
    bao_put_list(bot->games ? bot->games : "bao-kigogo bao-kingulu");
    printf(",\"capabilities\":");
    bao_put_list(bot->history ? "verify history" : "verify");
    printf(",\"options\":[");
    for (number = 0; number < bot->option_count; number++) {
        const bao_option *option = &bot->options[number];
        printf("%s{\"name\":", number ? "," : "");
        bao_put_text(option->name);
        printf(",\"kind\":\"%s\",\"default\":", kinds[option->kind]);
        bao_put_text(option->value);
        if (option->kind == BAO_INTEGER && (option->min != 0 || option->max != 0))
            printf(",\"min\":%lld,\"max\":%lld", option->min, option->max);
        if (option->kind == BAO_CHOICE) {
            printf(",\"choices\":");
            bao_put_list(option->choices);
        }
        putchar('}');
    }
    putchar(']');
    bao_send();
}

static inline void bao_on_set_option(bao_bot *bot, const char *line) {
    char *name = bao_copy(bao_text(line, "name")), *value = bao_copy(bao_text(line, "value"));
    char *wrong = bao_set_option(bot, name, value);
    if (wrong) bao_log(wrong, "warn");
    free(wrong);
    free(name);
    free(value);
}

static inline void bao_on_new_game(bao_bot *bot, bao_talk *talk, const char *line) {
    const char *clock = bao_field(line, "clock");
    bao_position position;
    size_t length = clock ? (size_t)(bao_after_value(clock) - clock) : 0;
    talk->game = bao_game(bao_text(line, "game"));
    free(talk->clock);
    talk->clock = (char *)calloc(1, length + 1);
    if (!talk->clock) abort();
    memcpy(talk->clock, clock ? clock : "", length);
    talk->past_count = 0;
    if (bao_parse(talk->game, bao_text(line, "position"), &position)) bao_remember(talk, &position);
    bao_new_chance(bot, bao_text(line, "game_id"));
    if (bot->new_game) bot->new_game(bot, line);
    printf("{\"type\":\"ready\",\"id\":%lld", bao_number(line, "id"));
    bao_send();
}

static inline void bao_on_go(bao_bot *bot, bao_talk *talk, const char *line, double now) {
    bao_position after;
    bao_answer answer;
    bao_turn turn;
    memset(&turn, 0, sizeof turn);
    bao_parse(talk->game, bao_text(line, "position"), &turn.position);
    bao_remember(talk, &turn.position);
    turn.legal = bao_legal(&turn.position);
    turn.id = bao_number(line, "id");
    turn.ply = bao_number(line, "ply");
    turn.you_ms = bao_number(line, "you_ms");
    turn.opponent_ms = bao_number(line, "opponent_ms");
    turn.increment_ms = bao_number(line, "increment_ms");
    turn.moves_to_go = bao_number(line, "moves_to_go");
    turn.periods = bao_number(line, "periods");
    turn.deadline_ms = bao_number(line, "deadline_ms");
    turn.budget_ms = bao_budget(talk->clock, &turn);
    turn.started_ms = now;
    turn.go = line;
    turn.clock = talk->clock;
    turn.past = talk->past;
    turn.past_count = talk->past_count;
    answer = bot->choose(bot, &turn);
    if (answer.pit < 0 || answer.pit >= bao_pit_count(talk->game)) {
        if (answer.pit != -1) fprintf(stderr, "%d is not a pit; the bot resigns\n", answer.pit);
        printf("{\"type\":\"resign\",\"id\":%lld", turn.id);
        bao_send();
        return;
    }
    printf("{\"type\":\"move\",\"id\":%lld,\"move\":\"%s\",\"info\":{", turn.id,
           bao_name(talk->game, turn.position.side, answer.pit));
    bao_put_thought(&answer.thought, "");
    putchar('}');
    bao_send();
    /* The opponent's clock runs now. What comes after its move is in the next `go`. */
    if (bao_play(&turn.position, answer.pit, &after) == BAO_PLAYED) bao_remember(talk, &after);
}

static inline void bao_on_verify(const char *line) {
    const int game = bao_game(bao_text(line, "game"));
    char text[BAO_TEXT];
    bao_position position, after;
    bao_moves moves;
    int number;
    bao_parse(game, bao_text(line, "position"), &position);
    printf("{\"type\":\"solution\",\"id\":%lld", bao_number(line, "id"));
    if (!bao_field(line, "move")) {
        moves = bao_legal(&position);
        printf(",\"legal\":\"");
        for (number = 0; number < moves.count; number++)
            printf("%s%s", number ? " " : "", bao_name(game, position.side, moves.pits[number]));
        putchar('"');
    } else if (bao_play(&position, bao_pit(game, position.side, bao_text(line, "move")), &after) == BAO_PLAYED) {
        moves = bao_legal(&after);
        bao_format(&after, text);
        printf(",\"position\":\"%s\",\"over\":%s", text, moves.count ? "false" : "true");
    } else {
        printf(",\"position\":null,\"over\":true");
    }
    bao_send();
}

static inline void bao_on_fault(const char *line) {
    char *code = bao_copy(bao_text(line, "code")), *detail = bao_copy(bao_text(line, "detail"));
    fprintf(stderr, "lost by %s: %s\n", code, detail);
    free(code);
    free(detail);
}

static inline void bao_answer_line(bao_bot *bot, bao_talk *talk, const char *line, double now) {
    if (bao_is(line, "type", "hello")) bao_say_hello(bot);
    else if (bao_is(line, "type", "set_option")) bao_on_set_option(bot, line);
    else if (bao_is(line, "type", "new_game")) bao_on_new_game(bot, talk, line);
    else if (bao_is(line, "type", "go")) bao_on_go(bot, talk, line, now);
    else if (bao_is(line, "type", "verify")) bao_on_verify(line);
    else if (bao_is(line, "type", "fault")) bao_on_fault(line);
    else if (bao_is(line, "type", "game_over") && bot->game_over) bot->game_over(bot, line);
    else if (bao_is(line, "type", "ping")) {
        printf("{\"type\":\"pong\",\"id\":%lld", bao_number(line, "id"));
        bao_send();
    } /* A type of a later version needs no answer. */
}

/* Reads a line of any length into a buffer that grows; 0 at the end. */
static inline int bao_read_line(char **line, size_t *room) {
    size_t length = 0;
    for (;;) {
        if (*room - length < 2) {
            *room = *room ? *room * 2 : 4096;
            *line = (char *)realloc(*line, *room);
            if (!*line) abort();
        }
        if (!fgets(*line + length, (int)(*room - length), stdin)) return length > 0;
        length += strlen(*line + length);
        if (length > 0 && (*line)[length - 1] == '\n') return 1;
    }
}

static inline int bao_run_perft(const char *name, int most) {
    const int game = bao_game(name);
    const bao_position start = bao_start(game < 0 ? BAO_KIGOGO : game);
    int depth;
    for (depth = 1; game >= 0 && depth <= most; depth++) {
        const double began = bao_now_ms();
        const unsigned long long count = bao_perft(&start, depth);
        printf("%d %llu (%.0f/s)\n", depth, count, (double)count / (bao_now_ms() - began + 1e-3) * 1e3);
    }
    return game < 0 ? 2 : 0;
}

/* Sets options from the command line; 0 if that is wrong. */
static inline int bao_read_arguments(bao_bot *bot, int argc, char **argv) {
    int at;
    for (at = 1; at < argc; at += 2) {
        const char *name = argv[at], *value = at + 1 < argc ? argv[at + 1] : NULL;
        char *wrong = value && strncmp(name, "--", 2) == 0 ? bao_set_option(bot, name + 2, value)
                                                           : bao_join("not --OPTION VALUE", "", "");
        if (!wrong) continue;
        fprintf(stderr, "%s: %s%s%s: %s\n", bot->name, name, value ? " " : "", value ? value : "", wrong);
        free(wrong);
        return 0;
    }
    return 1;
}

static inline void bao_converse(bao_bot *bot) {
    bao_talk talk;
    char *line = NULL;
    size_t room = 0;
    memset(&talk, 0, sizeof talk);
    while (bao_read_line(&line, &room)) {
        if (bao_is(line, "type", "bye")) break;
        bao_answer_line(bot, &talk, line, bao_now_ms());
    }
    free(talk.clock);
    free(talk.past);
    free(line);
}

static inline int bao_run(bao_bot *bot, int argc, char **argv) {
    bao_option *own = bot->options, *all;
    const int own_count = bot->option_count;
    int number, understood;
    if (argc == 4 && strcmp(argv[1], "perft") == 0) return bao_run_perft(argv[2], atoi(argv[3]));
    all = (bao_option *)calloc((size_t)own_count + 1, sizeof *all);
    if (!all) abort();
    all[0].name = "seed";
    all[0].kind = BAO_INTEGER;
    all[0].value = "0";
    all[0].max = BAO_MOST;
    for (number = 0; number < own_count; number++) all[number + 1] = own[number];
    bot->options = all;
    bot->option_count = own_count + 1;
    understood = bao_read_arguments(bot, argc, argv);
    if (understood) bao_converse(bot);
    for (number = 0; number <= own_count; number++) free(all[number].set);
    free(all);
    bot->options = own;
    bot->option_count = own_count;
    return understood ? 0 : 2;
}

#endif
