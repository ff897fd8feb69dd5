// leaves as many dead children as it may: they count for its user id, which the next bot gets
#include "base.h"
static void on_start(int c, char **v) { botname = "procs2"; }
static void on_over(void) {
    int k = 0;
    for (;; k++) {
        pid_t f = fork();
        if (f < 0)
            break;
        if (!f) {
            close(0);
            close(1);
            close(2);
            for (;;)
                pause();
        }
    }
}
NOHOOK_GO NOHOOK_NEWGAME NOHOOK_MOVED NOHOOK_BYE
