// terminal escapes on standard error, then a fault
#include "base.h"
static void on_start(int c, char **v) { botname = "esc"; }
static int on_go(void) {
    const char *s = "\033]0;PWNED\007\033[2J\033[31mAll games won by esc\033[0m\r\n\xc2\x9b"
                    "31mC1 \xe2\x80\xae bidi\n=cmd|' /C calc'!A0\n";
    write(2, s, strlen(s));
    say("{\"type\":\"move\",\"id\":%lu,\"move\":\"\\u001b[2Jx\"}\n", id);
    return 1;
}
NOHOOK_NEWGAME NOHOOK_MOVED NOHOOK_OVER NOHOOK_BYE
