/* A bot that says what its library tells it; see contract.rs. */
#include "bao_bot.h"

/* Tells for each of the positions asked about whether it was there before. */
static void write_seen(const bao_turn *turn, const char *ask, char *answers) {
    for (; *ask; ask += strcspn(ask, ";"), ask += *ask == ';') {
        bao_position position;
        bao_parse(turn->position.game, ask, &position);
        *answers++ = bao_seen(turn, &position) ? 'y' : 'n';
    }
    *answers = '\0';
}

/* Copies a text of the request with commas for spaces. */
static void write_moves(const char *text, char *moves) {
    for (; *text && *text != '"'; text++) *moves++ = *text == ' ' ? ',' : *text;
    *moves = '\0';
}

static bao_answer choose(bao_bot *bot, const bao_turn *turn) {
    static char said[4096], moves[2048], seen[64], kind[32];
    const char *note = bao_string(bot, "note");
    const int game = turn->position.game, side = turn->position.side;
    const char *up = "unknown";
    int move = bao_pit(game, side, note);
    bao_answer answer;
    bao_position after;
    if (strcmp(note, "resign") == 0) return bao_resign();
    if (strcmp(note, "talk") == 0) {
        bao_thought thought = {2, -5, 7, moves, "so far"};
        snprintf(moves, sizeof moves, "%s %s", bao_name(game, side, turn->legal.pits[0]),
                 bao_name(game, side, turn->legal.pits[1]));
        bao_log("choosing", "debug");
        bao_tell(turn, &thought);
    }
    if (strcmp(note, "early") == 0) up = bao_time_is_up(turn) ? "true" : "false";
    if (strcmp(note, "wait") == 0) {
        while (!bao_time_is_up(turn)) {}
        up = bao_elapsed_ms(turn) >= (double)turn->budget_ms ? "true" : "false";
    }
    write_seen(turn, bao_string(bot, "ask"), seen);
    write_moves(bao_field(turn->go, "moves") ? bao_text(turn->go, "moves") : "none", moves);
    write_moves(bao_text(turn->clock, "kind"), kind);
    snprintf(said, sizeof said,
             "budget=%lld up=%s clock=%s moves=%s seen=%s seed=%lld depth=%lld wide=%lld book=%s style=%s note=%s",
             turn->budget_ms, up, kind, moves, seen,
             bao_integer(bot, "seed"), bao_integer(bot, "depth"), bao_integer(bot, "wide"),
             bao_boolean(bot, "book") ? "true" : "false", bao_string(bot, "style"), note);
    answer = bao_move(bao_play(&turn->position, move, &after) == BAO_ILLEGAL ? turn->legal.pits[0] : move);
    answer.thought.text = said;
    return answer;
}

int main(int argc, char **argv) {
    bao_option options[] = {{.name = "depth", .kind = BAO_INTEGER, .value = "3", .min = 1, .max = 9},
                            {.name = "wide", .kind = BAO_INTEGER, .value = "0"},
                            {.name = "book", .kind = BAO_BOOLEAN, .value = "true"},
                            {.name = "style", .kind = BAO_CHOICE, .value = "calm", .choices = "calm wild"},
                            {.name = "ask", .kind = BAO_STRING, .value = ""},
                            {.name = "note", .kind = BAO_STRING, .value = ""}};
    bao_bot bot = {.name = "contract-bot", .games = "bao-kingulu", .choose = choose, .options = options, .option_count = 6,
                   .history = 1};
    return bao_run(&bot, argc, argv);
}
