// honest bot that starts a thread for each move, as an engine with a search thread does
#include "base.h"
#include <pthread.h>
static void *th(void *a) { return 0; }
static void on_start(int c, char **v) { botname = "threader"; }
static int on_go(void) {
    pthread_t t;
    int e = pthread_create(&t, 0, th, 0);
    if (e) {
        elog("cannot start my search thread: %s\n", strerror(e));
        abort();
    }
    pthread_join(t, 0);
    return 0;
}
NOHOOK_NEWGAME NOHOOK_MOVED NOHOOK_OVER NOHOOK_BYE
