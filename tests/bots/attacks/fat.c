// honest bot with a 300 MiB table (within its limit)
#include "base.h"
static void on_start(int c, char **v) {
    size_t n = (size_t)(c > 1 ? atol(v[1]) : 300) << 20;
    volatile char *p = malloc(n);
    for (size_t i = 0; i < n; i += 4096)
        p[i] = 1;
    botname = "fat";
}
NOHOOK_NEWGAME NOHOOK_GO NOHOOK_MOVED NOHOOK_OVER NOHOOK_BYE
