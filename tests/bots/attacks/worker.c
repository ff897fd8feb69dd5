// honest bot: N ms of processor time a move, one thread
#include "base.h"
static int ms;
static void on_start(int c, char **v) {
    ms = atoi(v[1]);
    botname = "worker";
}
static int on_go(void) {
    double c = cpud();
    while ((cpud() - c) * 1e3 < ms)
        ;
    return 0;
}
NOHOOK_NEWGAME NOHOOK_MOVED NOHOOK_OVER NOHOOK_BYE
