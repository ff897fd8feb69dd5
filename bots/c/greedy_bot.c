/* A bot that looks a few moves ahead and takes all the seeds that it can be sure of.
 *
 * It shows a whole search on a page: alpha-beta, one ply deeper after the other until the time is up. To make it strong,
 * see "Search" in docs/BOTS.md. Needs bao_bot.h beside it.
 *
 * Build:        cc -O2 -o greedy_bot bots/c/greedy_bot.c
 * Run a match:  referee match bao-kigogo ./greedy_bot greedy-bot
 */
#include "bao_bot.h"

#include <setjmp.h>

#define DEEPEST 50
/* More than any number of seeds, in hundredths, and more than any score. */
#define WIN 100000
#define ALL (2 * WIN)

typedef struct {
    const bao_turn *turn;
    int reserved, row; /* what a seed in a reserved pit and one in the own row count in Bao Kingulu, in hundredths */
    long long nodes;
    jmp_buf time_is_up;
    /* The expected moves from each ply on. */
    int line[DEEPEST + 1][DEEPEST + 1], length[DEEPEST + 1];
} search_state;

static int after_move(search_state *state, const bao_position *position, int depth, int ply, int alpha, int beta);

/* Guesses what a side will have in the end, in hundredths of a seed. In Bao Kingulu a reserved pit collects for its side
 * to the end, and what lies in the own row may still be lost. */
static int guess(const search_state *state, const bao_position *position, int side) {
    int sum = 100 * position->captured[side], pit;
    for (pit = 0; position->game == BAO_KINGULU && pit < 6; pit++) {
        if (position->reserved[1 - side][pit]) sum += state->reserved * position->pits[1 - side][pit];
        if (!position->reserved[side][pit]) sum += state->row * position->pits[side][pit];
    }
    return sum;
}

/* Returns what the side to move can be sure of, and puts the moves that lead there into the line of this ply. `alpha` and
 * `beta` bound what matters: below, the side has something better already; above, the opponent will not let it happen. */
static int search(search_state *state, const bao_position *position, const bao_moves *moves, int depth, int ply, int alpha,
                  int beta) {
    int best = -ALL, number;
    for (number = 0; number < moves->count && alpha < beta; number++) {
        bao_position after;
        int score = 0; /* a sowing that never ends is a draw */
        state->length[ply + 1] = 0;
        if (bao_play(position, moves->pits[number], &after) == BAO_PLAYED)
            score = after_move(state, &after, depth - 1, ply + 1, alpha, beta);
        if (score > best) {
            best = score;
            state->line[ply][0] = moves->pits[number];
            memcpy(&state->line[ply][1], state->line[ply + 1], sizeof(int) * (size_t)state->length[ply + 1]);
            state->length[ply] = state->length[ply + 1] + 1;
        }
        if (score > alpha) alpha = score;
    }
    return best;
}

/* Returns what the side that has just moved can be sure of. */
static int after_move(search_state *state, const bao_position *position, int depth, int ply, int alpha, int beta) {
    const int me = 1 - position->side, kigogo = position->game == BAO_KIGOGO;
    const int lead = 100 * (bao_score(position, me) - bao_score(position, 1 - me));
    bao_moves moves;
    if (++state->nodes % 4096 == 0 && bao_time_is_up(state->turn)) longjmp(state->time_is_up, 1);
    /* A position that came back ends the game: drawn, or counted. */
    if (bao_seen(state->turn, position)) return kigogo ? 0 : lead;
    moves = bao_legal(position);
    /* Who cannot move loses in Bao Kigogo, the sooner the better; in Bao Kingulu the seeds are counted. */
    if (moves.count == 0) return kigogo ? WIN + depth : lead;
    if (depth == 0) return guess(state, position, me) - guess(state, position, 1 - me);
    return -search(state, position, &moves, depth, ply, -beta, -alpha);
}

/* Writes the expected moves; the sides take turns. */
static void write_line(const bao_turn *turn, const search_state *state, char *text) {
    int ply, side = turn->position.side;
    for (ply = 0; ply < state->length[0]; ply++, side = 1 - side)
        text += sprintf(text, "%s%s", ply ? " " : "", bao_name(turn->position.game, side, state->line[0][ply]));
}

static bao_answer choose(bao_bot *bot, const bao_turn *turn) {
    static search_state state;
    static char line[4 * DEEPEST + 4];
    static bao_answer answer;
    static bao_moves moves;
    static int depth;
    int number;
    state.turn = turn;
    state.reserved = (int)bao_integer(bot, "reserved");
    state.row = (int)bao_integer(bot, "row");
    state.nodes = 0;
    moves = turn->legal;
    /* Among moves that are as good, the first is taken; so chance decides. */
    for (number = moves.count; number > 1; number--) {
        const int any = bao_below(bot, number), pit = moves.pits[any];
        moves.pits[any] = moves.pits[number - 1];
        moves.pits[number - 1] = pit;
    }
    answer = bao_move(moves.pits[0]);
    /* What is changed between here and the jump back is static, so that it keeps its value. */
    if (setjmp(state.time_is_up)) return answer;
    for (depth = 1; depth <= (int)bao_integer(bot, "depth"); depth++) {
        const int score = search(&state, &turn->position, &moves, depth, 0, -ALL, ALL);
        answer = bao_move(state.line[0][0]);
        write_line(turn, &state, line);
        answer.thought.depth = depth;
        answer.thought.score = score;
        answer.thought.nodes = state.nodes;
        answer.thought.pv = line;
        bao_tell(turn, &answer.thought);
        /* A good move first makes the next search fast. */
        for (number = 0; moves.pits[number] != answer.pit; number++) {}
        memmove(&moves.pits[1], &moves.pits[0], sizeof(int) * (size_t)number);
        moves.pits[0] = answer.pit;
    }
    return answer;
}

int main(int argc, char **argv) {
    static bao_option options[] = {
        {.name = "depth", .kind = BAO_INTEGER, .value = "6", .min = 1, .max = DEEPEST},
        {.name = "reserved", .kind = BAO_INTEGER, .value = "200", .min = -1000, .max = 1000},
        {.name = "row", .kind = BAO_INTEGER, .value = "50", .min = -1000, .max = 1000},
    };
    bao_bot bot = {
        .name = "greedy_bot.c",
        .version = "1.0",
        .author = "Bao Referee",
        .choose = choose,
        .options = options,
        .option_count = 3,
    };
    return bao_run(&bot, argc, argv);
}
