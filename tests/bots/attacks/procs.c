// N sleeping processes: the referee opens a file for each
#include "base.h"
static int n;
static void on_start(int c, char **v) {
    n = atoi(v[1]);
    botname = "procs";
}
static void on_newgame(void) {
    if (games == 1) {
        int k = 0;
        for (; k < n; k++) {
            break;
        }
        k = 0;
        for (; k < n; k++) {
            pid_t f = fork();
            if (f < 0) {
                elog("fork: %s\n", strerror(errno));
                break;
            }
            if (!f) {
                close(0);
                close(1);
                close(2);
                for (;;)
                    pause();
            }
        }
        elog("%d processes\n", k);
    }
}
static int on_go(void) {
    msleep(200);
    return 0;
}
NOHOOK_MOVED NOHOOK_OVER NOHOOK_BYE
