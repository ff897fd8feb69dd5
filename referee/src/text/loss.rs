//! Explains a loss by conduct to the author of the bot, with the same words everywhere.

use std::borrow::Cow;

use bao_protocol::Reason;

use super::count::count;
use super::shown::shown;

/// How many lines of a bot's standard error are quoted whole: an exception with its calls, in any language, has fewer.
const WHOLE: usize = 30;
/// How many of the first lines are quoted if there are more: in many languages they name the cause.
const FIRST: usize = 8;
/// How many of the last lines are quoted then: in other languages they name the cause.
const LAST: usize = 12;
/// How much of a line is quoted, in characters.
const WIDTH: usize = 200;

/// The beginning of a line in which Java reports that it has read the referee's limits: it is not from the bot.
const OF_LIMITS: &str = "NOTE: Picked up JDK_JAVA_OPTIONS:";

/// Quotes what a bot wrote to its standard error: all of it if it is short, else its first and its last lines.
pub fn stderr_lines(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.trim_end().lines().filter(|line| !line.starts_with(OF_LIMITS)).collect();
    let quote = |lines: &[&str]| lines.iter().map(|line| shown(line, WIDTH)).collect::<Vec<_>>();
    if lines.len() <= WHOLE {
        return quote(&lines);
    }
    let left_out = lines.len() - FIRST - LAST;
    let mut quoted = quote(&lines[..FIRST]);
    quoted.push(format!("[{} left out]", count(left_out as u64, "line")));
    quoted.extend(quote(&lines[lines.len() - LAST..]));
    quoted
}

/// What to change if an answer came without its newline.
pub const UNENDED: &str =
    "The answer is there, but its line is not ended: write a newline (\\n) after every message, and flush.";

/// What to change if nothing was ever received.
pub const MUTE: &str = "Nothing came back. Flush standard output after every line (flush=True, fflush(stdout), $| = 1); read \
                        one line at a time and answer it before you wait for the next; end every message with a newline.";

/// What programs in many languages say when they miss something that bots do not have, and what to do about it.
const MISSES: [(&[&str], &str); 3] = [
    (
        &[
            "Temporary failure in name resolution",
            "Name or service not known",
            "Network is unreachable",
            "UnknownHostException",
            "java.net.SocketException",
            "ENOTFOUND",
            "EAI_AGAIN",
            "no such host",
            "Address family not supported by protocol",
        ],
        "Bots have no network. Put everything that the bot needs beside its program.",
    ),
    (
        &[
            "No such file or directory",
            "no such file or directory",
            "FileNotFoundError",
            "FileNotFoundException",
            "NoSuchFileException",
            "ENOENT",
            "Could not find file",
        ],
        "A bot starts in an empty directory of its own. Open files by the place of the program (in Python: \
         Path(__file__).parent), not by the working directory, and put them beside the program: other directories cannot be \
         read.",
    ),
    (
        &[
            "Permission denied",
            "permission denied",
            "PermissionError",
            "AccessDeniedException",
            "EACCES",
            "Operation not permitted",
        ],
        "A bot may read its own directory and the system's, and write into TMPDIR only. `referee doctor BOT` prints exactly \
         what it may read, write and run.",
    ),
];

/// Returns what to change after a loss by conduct of a bot that wrote this to its standard error; `None` if the
/// game ended in another way.
pub fn advice_after(reason: Reason, stderr: &str) -> Option<Cow<'static, str>> {
    let no_memory =
        bao_jail::out_of_memory(stderr).filter(|_| matches!(reason, Reason::Crash | Reason::MemoryLimit));
    let Some((runtime, words)) = no_memory else {
        let missed = MISSES.iter().find(|(phrases, _)| phrases.iter().any(|phrase| stderr.contains(phrase)));
        let missed = missed.filter(|_| reason == Reason::Crash).map(|(_, advice)| *advice);
        return missed.or(advice(reason)).map(Cow::Borrowed);
    };
    let heap = runtime.heap.map_or(String::new(), |option| format!(", set the size of its heap ({option})"));
    Some(Cow::Owned(format!(
        "{} got no more memory: its standard error says \"{words}\". Make tables smaller{heap}, or ask the organiser for \
         more memory (--sandbox memory=2GiB).",
        runtime.name
    )))
}

/// Returns what to change after a loss by conduct; `None` if the game ended in another way.
pub fn advice(reason: Reason) -> Option<&'static str> {
    Some(match reason {
        Reason::Handshake => {
            "Answer `hello` first of all, with a `hello` that has protocol 1, a name and the games; load big tables \
             after it, or faster."
        }
        Reason::Stall => {
            "Answer every `new_game` with `ready` and every `ping` with `pong`, repeat its id, and flush; what takes \
             long belongs before the `hello`."
        }
        Reason::Time => {
            "Answer every `go` with {\"type\":\"move\",\"id\":...,\"move\":\"...\"}, repeat its id, and flush. If the bot \
             thinks too long: use at most a fortieth of you_ms plus half of increment_ms, and never more than half of \
             deadline_ms."
        }
        Reason::IllegalMove => {
            "Answer with a move from `legal` of this very `go`, letter for letter, upper or lower case included; `legal` is \
             one text, the moves in it separated by spaces. If the bot has rules of its own, compare them with PROTOCOL.md (`referee moves` shows what is right)."
        }
        Reason::BadMessage => {
            "Write messages with a JSON library, or copy the examples in PROTOCOL.md: one object per line, double \
             quotes, whole numbers."
        }
        Reason::LineTooLong => "End every message with a newline, and keep `pv` and `text` short.",
        Reason::OutputFlood => {
            "Send `info` now and then, not at every position; write what is for debugging to standard error."
        }
        Reason::Crash => {
            "The program ended. Its standard error may say why; run it by hand and paste the line that \
             it was sent. It must go on until `bye` or the end of its input, through many games."
        }
        Reason::ClosedStdout => "Keep standard output open until `bye`.",
        Reason::MemoryLimit => {
            "Make tables smaller, best by an option; in Java, Go, Node, .NET or Haskell limit the heap (PROTOCOL.md, \
             \"Where your bot runs\"); or ask the organiser for more (--sandbox memory=2GiB)."
        }
        Reason::CapturedAll
        | Reason::Immobilised
        | Reason::NoMoves
        | Reason::Repetition
        | Reason::EndlessSowing
        | Reason::MaxPlies
        | Reason::Resign
        | Reason::Adjudicated
        | Reason::Void => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_loss_by_conduct_has_advice_and_nothing_else_has() {
        for reason in Reason::ALL {
            assert_eq!(advice(reason).is_some(), reason.is_fault(), "{reason}");
        }
    }

    #[test]
    fn a_runtime_without_memory_is_named() {
        let java =
            "NOTE: Picked up JDK_JAVA_OPTIONS: -XX:MaxRAM=9\njava.lang.OutOfMemoryError: Java heap space";
        let advice = |reason| advice_after(reason, java).unwrap_or_default();
        assert!(advice(Reason::Crash).starts_with("Java got no more memory"), "{}", advice(Reason::Crash));
        assert!(advice(Reason::Crash).contains("(-Xmx)"));
        assert_eq!(advice_after(Reason::Time, java).as_deref(), super::advice(Reason::Time));
        assert_eq!(advice_after(Reason::NoMoves, java), None);
        assert_eq!(stderr_lines(java), ["java.lang.OutOfMemoryError: Java heap space"]);
    }

    #[test]
    fn what_bots_do_not_have_is_named() {
        for (stderr, says) in [
            (
                "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>",
                "no network",
            ),
            ("dial tcp: lookup example.org: no such host", "no network"),
            ("FileNotFoundError: [Errno 2] No such file or directory: 'book.txt'", "empty directory"),
            ("Exception in thread \"main\" java.io.FileNotFoundException: book.txt", "empty directory"),
            ("Error: EACCES: permission denied, open '/home/me/book.txt'", "referee doctor"),
        ] {
            let advice = advice_after(Reason::Crash, stderr).unwrap_or_default();
            assert!(advice.contains(says), "{stderr}: {advice}");
        }
        assert_eq!(advice_after(Reason::Time, "no such host").as_deref(), advice(Reason::Time));
    }

    #[test]
    fn a_short_standard_error_is_quoted_whole_and_a_long_one_by_both_ends() {
        assert_eq!(stderr_lines("one\ntwo\x1b\n\n"), ["one", "two\\u{1b}"]);
        assert_eq!(stderr_lines(""), [""; 0]);
        let long: Vec<String> = (1..=40).map(|number| format!("line {number}")).collect();
        let quoted = stderr_lines(&long.join("\n"));
        assert_eq!(quoted[7..9], ["line 8", "[20 lines left out]"]);
        assert_eq!((quoted.len(), quoted[20].as_str()), (21, "line 40"));
    }
}
