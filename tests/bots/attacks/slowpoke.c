// honest bot which takes N ms a move (sleeps)
#include "base.h"
static int ms;
static void on_start(int c, char **v) {
    ms = c > 1 ? atoi(v[1]) : 100;
    botname = "slowpoke";
}
static int on_go(void) {
    msleep(ms);
    return 0;
}
NOHOOK_NEWGAME NOHOOK_MOVED NOHOOK_OVER NOHOOK_BYE
