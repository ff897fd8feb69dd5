// the main thread ends, another goes on: /proc shows a zombie without memory, and the watchdog believes it
#include "base.h"
#include <pthread.h>
static long mib;
static int kids;
static void bomb(const char *who) {
    size_t n = (size_t)mib << 20;
    volatile char *p = mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        elog("%s mmap: %s\n", who, strerror(errno));
        return;
    }
    for (size_t i = 0; i < n; i += 4096)
        p[i] = 1;
    char b[64];
    snprintf(b, 64, "/proc/self/task/%ld/statm", syscall(SYS_gettid));
    FILE *f = fopen(b, "r");
    long a = 0, r = 0;
    if (f) {
        fscanf(f, "%ld %ld", &a, &r);
        fclose(f);
    }
    elog("%s holds %ld MiB resident (limit 64 MiB)\n", who, r / 256);
}
static void *kidthread(void *a) {
    bomb("child");
    for (;;)
        pause();
}
static void *go_on(void *a) {
    while (rd(line, sizeof line)) {
        id = field_num(line, "id");
        if (strstr(line, "{\"type\":\"hello\"") == line)
            say("{\"type\":\"hello\",\"protocol\":1,\"name\":\"zlead\",\"games\":[\"bao-kigogo\",\"bao-"
                "kingulu\"]}\n");
        else if (strstr(line, "{\"type\":\"new_game\"") == line)
            say("{\"type\":\"ready\",\"id\":%lu}\n", id);
        else if (strstr(line, "{\"type\":\"go\"") == line) {
            gos++;
            field_str(line, "legal", legal, sizeof legal);
            sscanf(legal, "%31s", firstmove);
            if (gos == 1) {
                if (kids == 0)
                    bomb("bot");
                for (int i = 0; i < kids; i++)
                    if (!fork()) {
                        pthread_t t;
                        pthread_create(&t, 0, kidthread, 0);
                        syscall(SYS_exit, 0);
                    }
                msleep(6000);
            }
            msleep(200);
            say("{\"type\":\"move\",\"id\":%lu,\"move\":\"%s\"}\n", id, firstmove);
        } else if (strstr(line, "{\"type\":\"bye\"") == line)
            _exit(0);
    }
    _exit(0);
}
static void on_start(int c, char **v) {
    mib = atol(v[1]);
    kids = atoi(v[2]);
    pthread_t t;
    pthread_create(&t, 0, go_on, 0);
    if (c <= 3)
        syscall(SYS_exit, 0);
    pthread_join(t, 0);
}
NOHOOK_GO NOHOOK_NEWGAME NOHOOK_MOVED NOHOOK_OVER NOHOOK_BYE
