// memory that the watchdog cannot see. mode pt: page tables; sock: socket buffers; pipe: pipe buffers. argv:
// mode MiB
#include "base.h"
static char *mode;
static long mib;
static long avail(void) {
    FILE *f = fopen("/proc/meminfo", "r");
    char l[200];
    long v = 0;
    while (fgets(l, 200, f))
        if (sscanf(l, "MemAvailable: %ld", &v) == 1)
            break;
    fclose(f);
    return v / 1024;
}
static long field(const char *n) {
    FILE *f = fopen("/proc/self/status", "r");
    char l[200];
    long v = 0;
    while (fgets(l, 200, f))
        if (!strncmp(l, n, strlen(n))) {
            v = atol(l + strlen(n) + 1);
            break;
        }
    fclose(f);
    return v;
}
static void on_start(int c, char **v) {
    mode = v[1];
    mib = atol(v[2]);
    botname = mode;
}
static void
pt(void) { // one touched page in each 2 MiB costs a 4 KiB page table and no resident memory (zero page)
    size_t n = (size_t)mib * 256;
    size_t chunk = 1UL << 37;
    size_t done = 0;
    while (done < n) {
        char *p = mmap(0, chunk, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) {
            elog("mmap %s\n", strerror(errno));
            break;
        }
        madvise(p, chunk, MADV_NOHUGEPAGE);
        volatile char s = 0;
        for (size_t o = 0; o < chunk && done < n; o += 1UL << 21, done++)
            s += p[o];
    }
}
static void sock(void) { // each socket pair holds what was written and not read
    char buf[65536];
    memset(buf, 1, sizeof buf);
    long got = 0;
    int procs = 0;
    while (got < mib * 1024 * 1024L) {
        int pf[2];
        pipe(pf);
        pid_t k = fork();
        if (k < 0) {
            elog("fork %s\n", strerror(errno));
            break;
        }
        if (!k) {
            long t = 0;
            for (int i = 0; i < 240 && got + t < mib * 1024 * 1024L; i++) {
                int s[2];
                if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, s))
                    break;
                for (int e = 0; e < 2; e++) {
                    int sz = 1 << 30;
                    setsockopt(s[e], SOL_SOCKET, SO_SNDBUF, &sz, sizeof sz);
                    ssize_t w;
                    while ((w = write(s[e], buf, sizeof buf)) > 0)
                        t += w;
                }
            }
            write(pf[1], &t, sizeof t);
            for (;;)
                pause();
        }
        long t = 0;
        close(pf[1]);
        read(pf[0], &t, sizeof t);
        close(pf[0]);
        got += t;
        procs++;
        if (t == 0)
            break;
    }
    elog("%d processes hold %ld MiB in socket buffers\n", procs, got >> 20);
}
static void pip(void) {
    long got = 0;
    char buf[65536];
    memset(buf, 1, sizeof buf);
    for (int i = 0; i < 240; i++) {
        int p[2];
        if (pipe2(p, O_NONBLOCK))
            break;
        fcntl(p[1], F_SETPIPE_SZ, 1 << 20);
        ssize_t w;
        while ((w = write(p[1], buf, sizeof buf)) > 0)
            got += w;
        if (got >> 20 >= mib)
            break;
    }
    elog("pipes hold %ld KiB\n", got >> 10);
}
static int on_go(void) {
    if (gos == 2) {
        long a = avail();
        double t = nowd();
        if (!strcmp(mode, "pt"))
            pt();
        else if (!strcmp(mode, "sock"))
            sock();
        else
            pip();
        msleep(100);
        elog("%s: MemAvailable fell by %ld MiB in %.1f s; VmRSS %ld KiB, VmPTE %ld KiB\n", mode, a - avail(),
             nowd() - t, field("VmRSS"), field("VmPTE"));
    }
    return 0;
}
NOHOOK_NEWGAME NOHOOK_MOVED NOHOOK_OVER NOHOOK_BYE
