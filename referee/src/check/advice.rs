//! What an author can do about a fault.

use bao_protocol::Reason;

use crate::game::verdict::Loss;

/// What to change where an answer came and its newline did not.
pub(super) const UNENDED: &str =
    "The answer is there, but its line is not ended: write a newline (\\n) after every message, and flush.";

/// Says what to change after a loss by conduct; `heard` tells whether the bot has said anything at all.
pub(super) fn advice(loss: &Loss, heard: bool) -> &'static str {
    match loss.reason {
        Reason::Handshake | Reason::Stall | Reason::Time if !heard => {
            "Nothing came back. Flush standard output after every line (flush=True, fflush(stdout), $| = 1); read one \
             line at a time and answer it before you wait for the next; end every message with a newline."
        }
        Reason::Handshake => {
            "Answer `hello` first of all, with a `hello` that has protocol 1, a name and the games; load big tables \
             after it, or faster."
        }
        Reason::Stall => {
            "Answer every `new_game` with `ready` and every `ping` with `pong`, repeat its id, and flush; what takes \
             long belongs before the `hello`."
        }
        Reason::Time => {
            "Think less: use at most a fortieth of you_ms plus half of increment_ms, and never more than half of \
             deadline_ms. Repeat the id of this `go` in the answer, and flush."
        }
        Reason::IllegalMove => {
            "Answer with a move that stands in `legal` of this very `go`, letter for letter, upper or lower case \
             included; if the bot has rules of its own, compare them with PROTOCOL.md (`referee moves` shows what is \
             right)."
        }
        Reason::BadMessage => {
            "Write messages with a JSON library, or copy the examples in PROTOCOL.md: one object a line, double \
             quotes, whole numbers."
        }
        Reason::LineTooLong => "End every message with a newline, and keep `pv` and `text` short.",
        Reason::OutputFlood => {
            "Send `info` now and then, not at every position; write what is for debugging to standard error."
        }
        Reason::Crash => {
            "The program ended. Its standard error, if it wrote any, tells why; run it by hand and paste the line that \
             it was sent. It must go on until `bye` or the end of its input."
        }
        Reason::ClosedStdout => "Keep standard output open until `bye`.",
        Reason::MemoryLimit => {
            "Make tables smaller, best by an option, or ask the organiser for more (--sandbox memory=2GiB)."
        }
        Reason::CapturedAll
        | Reason::Immobilised
        | Reason::NoMoves
        | Reason::Repetition
        | Reason::EndlessSowing
        | Reason::MaxPlies
        | Reason::Resign
        | Reason::Adjudicated
        | Reason::Void => "Read PROTOCOL.md.",
    }
}
