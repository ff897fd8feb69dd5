// a directory tree in the scratch directory that is deeper than the referee has open files
#include "base.h"
static int depth;
static void on_start(int c, char **v) {
    botname = "deep";
    depth = atoi(v[1]);
}
static int on_go(void) {
    if (gos > 1)
        return 0;
    int n = 0;
    double t = nowd();
    for (; n < depth; n++) {
        if (mkdir("d", 0700) || chdir("d")) {
            elog("at %d: %s\n", n, strerror(errno));
            break;
        }
    }
    elog("%d deep in %.1f s\n", n, nowd() - t);
    return 0;
}
NOHOOK_NEWGAME NOHOOK_MOVED NOHOOK_OVER NOHOOK_BYE
