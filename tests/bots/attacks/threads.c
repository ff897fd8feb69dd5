// takes every process slot of the user with sleeping threads (tier without root: the limit counts the user)
#include "base.h"
#include <pthread.h>
static void *sl(void *a) {
    for (;;)
        pause();
}
static void on_start(int c, char **v) { botname = "threads"; }
static void on_newgame(void) {
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 16384);
    int n = 0, e = 0;
    pthread_t t;
    while (n < 20000 && !(e = pthread_create(&t, &a, sl, 0)))
        n++;
    elog("%d threads, then %s\n", n, strerror(e));
}
NOHOOK_GO NOHOOK_MOVED NOHOOK_OVER NOHOOK_BYE
