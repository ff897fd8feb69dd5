// N processes spin on the opponent's time only
#include "base.h"
#include <linux/futex.h>
static int n;
static volatile int *flag;
static void on_start(int c, char **v) {
    n = atoi(v[1]);
    botname = "hog";
    flag = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < n; i++) {
        pid_t f = fork();
        if (f < 0)
            break;
        if (!f)
            for (;;) {
                while (!*flag)
                    syscall(SYS_futex, flag, FUTEX_WAIT, 0, 0, 0, 0);
                while (*flag)
                    ;
            }
    }
}
static int on_go(void) {
    *flag = 0;
    return 0;
}
static void on_moved(void) {
    *flag = 1;
    syscall(SYS_futex, flag, FUTEX_WAKE, 100000, 0, 0, 0);
}
static void on_over(void) { *flag = 0; }
NOHOOK_NEWGAME NOHOOK_BYE
