//! Everything that the hostile bot can do, as data.

use crate::acts::Act;

use Act::{
    Abort, Allocate, Answer, Burn, CloseStdin, CloseStdout, Daemon, Exit, ExitBadly, Flood, FloodStderr,
    ForkBomb, Illegal, Intrude, LoudForEver, Orphan, Say, SayHex, SegmentationFault, Sleep, Spin, Stop,
    TellEnvironment, TellSelf, UnfreezeOnce, Unfreezer, Wait,
};
use When::{Bye, EndOfInput, Hello, Move, NewGame, Start};

/// What the bot does instead of an answer.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The word after `--do`.
    name: &'static str,
    /// The word after `--kind`, where there are several.
    kind: &'static str,
    /// The message that it replaces the answer to.
    pub(crate) when: When,
    /// Whether it happens on one move of a game only.
    pub(crate) once: bool,
    /// The acts, in order. In lines `{id}` is the request's number, `{next}` the one after it, `{before}`
    /// the one before, and `{move}` the first legal move.
    pub(crate) acts: &'static [Act],
}

/// At which message a fault happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// Before anything is read.
    Start,
    /// At `hello`.
    Hello,
    /// At `new_game`.
    NewGame,
    /// At `go`.
    Move,
    /// At `bye`.
    Bye,
    /// When the input ends without a `bye`.
    EndOfInput,
}

/// Finds a fault by the words of the command line.
pub(crate) fn find(name: &str, kind: &str) -> Result<&'static Fault, String> {
    // What an intruder tries and which rule a move breaks is chosen by the kind; neither is a fault of its own.
    let fits = |fault: &&Fault| fault.name == name && (fault.kind == kind || fault.kind == "*");
    FAULTS.iter().find(fits).ok_or_else(|| format!("there is no fault {name} {kind}"))
}

const fn fault(name: &'static str, when: When, acts: &'static [Act]) -> Fault {
    Fault { name, kind: "", when, once: true, acts }
}

const fn of_kind(name: &'static str, kind: &'static str, acts: &'static [Act]) -> Fault {
    Fault { name, kind, when: Move, once: true, acts }
}

const fn at_every_move(name: &'static str, acts: &'static [Act]) -> Fault {
    Fault { name, kind: "", when: Move, once: false, acts }
}

const FAULTS: &[Fault] = &[
    fault("nothing", Start, &[]),
    // Silence.
    fault("silent", Move, &[Sleep]),
    fault("mute", Start, &[Sleep]),
    fault("never_ready", NewGame, &[Sleep]),
    fault("spinner", Move, &[Spin]),
    fault("never_reads", Hello, &[Say(HELLO), Sleep]),
    fault("stops_itself", Move, &[Stop, Answer]),
    fault("drip", Move, &[LoudForEver(20)]),
    fault("slow_start", Start, &[Wait]),
    at_every_move("slow", &[Wait, Answer]),
    // Ends.
    fault("exit_mid_game", Move, &[Exit]),
    fault("exit_at_start", Start, &[Exit]),
    fault("segv", Move, &[SegmentationFault]),
    fault("abort", Move, &[Abort]),
    fault("panic", Move, &[Say("thread 'main' panicked at src/main.rs:1:1\n"), ExitBadly]),
    fault("last_words", Move, &[Answer, Exit]),
    fault("closes_stdin", Move, &[CloseStdin, Sleep]),
    fault("closes_stdout", Move, &[CloseStdout, Sleep]),
    fault("ignores_the_end", Bye, &[Sleep]),
    fault("ignores_eof", EndOfInput, &[Sleep]),
    fault("resigns", Move, &[Say("{\"type\":\"resign\",\"id\":{id}}\n")]),
    // Too much.
    fault("endless_line", Move, &[Flood("0000000000000000000000000000000000000000000000000000000000000000")]),
    of_kind("line_flood", "noise", &[Flood("still thinking\n")]),
    of_kind("line_flood", "info", &[Flood("{\"type\":\"info\",\"id\":{id},\"depth\":3}\n")]),
    of_kind("line_flood", "move", &[Flood("{\"type\":\"move\",\"id\":{id},\"move\":\"{move}\"}\n")]),
    of_kind("line_flood", "stale", &[Flood("{\"type\":\"move\",\"id\":{before},\"move\":\"{move}\"}\n")]),
    of_kind("line_flood", "blank", &[Flood("\n")]),
    fault("stderr_flood", Move, &[FloodStderr, Answer]),
    // Half lines.
    fault("half_line_sleeps", Move, &[Say(HALF), Sleep]),
    fault("half_line_exits", Move, &[Say(HALF), Exit]),
    // Answers to something else.
    fault("early_answer", Move, &[Answer, Say("{\"type\":\"move\",\"id\":{next},\"move\":\"{move}\"}\n")]),
    fault(
        "guessed_answer",
        NewGame,
        &[Say("{\"type\":\"move\",\"id\":{next},\"move\":\"a3\"}\n"), Say(READY)],
    ),
    at_every_move("double_answer", &[Answer, Answer]),
    at_every_move(
        "stale_answer",
        &[Say("{\"type\":\"move\",\"id\":{before},\"move\":\"{move}\"}\n"), Answer],
    ),
    fault("only_stale", Move, &[Say("{\"type\":\"move\",\"id\":{before},\"move\":\"{move}\"}\n"), Sleep]),
    fault(
        "huge_id",
        Move,
        &[Say("{\"type\":\"move\",\"id\":18446744073709551615,\"move\":\"{move}\"}\n"), Sleep],
    ),
    // Lines that nobody can read.
    of_kind("garbage", "bad_utf8", &[SayHex("7b2274797065223a22ff6d6f7665227d0a")]),
    of_kind("garbage", "nul", &[Say("{\"type\":\"move\",\"id\":{id},\"move\":\"{move}\"}\0\n")]),
    of_kind("garbage", "bom", &[SayHex("efbbbf"), Answer]),
    of_kind("garbage", "utf16", &[SayHex("fffe7b00220074007900700065002200"), Say("\n")]),
    of_kind("garbage", "deep", &[Act::SayDeep(10_000)]),
    of_kind("garbage", "exponent", &[Say("{\"type\":\"move\",\"id\":1e400,\"move\":\"{move}\"}\n")]),
    of_kind("garbage", "huge_number", &[Say("{\"type\":\"move\",\"id\":1e300,\"move\":\"{move}\"}\n")]),
    of_kind(
        "garbage",
        "too_big_id",
        &[Say("{\"type\":\"move\",\"id\":99999999999999999999,\"move\":\"{move}\"}\n")],
    ),
    of_kind("garbage", "negative_id", &[Say("{\"type\":\"move\",\"id\":-1,\"move\":\"{move}\"}\n")]),
    of_kind("garbage", "fraction", &[Say("{\"type\":\"move\",\"id\":1.5,\"move\":\"{move}\"}\n")]),
    of_kind("garbage", "nan", &[Say("{\"type\":\"info\",\"id\":{id},\"score\":NaN}\n")]),
    of_kind(
        "garbage",
        "python",
        &[Say("{\"type\":\"move\",\"id\":{id},\"move\":\"{move}\",\"info\":None}\n")],
    ),
    of_kind(
        "garbage",
        "duplicate_key",
        &[Say("{\"type\":\"move\",\"id\":{id},\"id\":{id},\"move\":\"{move}\"}\n")],
    ),
    of_kind("garbage", "array", &[Say("[\"move\",{id},\"{move}\"]\n")]),
    of_kind("garbage", "string_id", &[Say("{\"type\":\"move\",\"id\":\"{id}\",\"move\":\"{move}\"}\n")]),
    of_kind("garbage", "number_move", &[Say("{\"type\":\"move\",\"id\":{id},\"move\":3}\n")]),
    of_kind("garbage", "list_move", &[Say("{\"type\":\"move\",\"id\":{id},\"move\":[\"{move}\"]}\n")]),
    of_kind("garbage", "no_move", &[Say("{\"type\":\"move\",\"id\":{id}}\n")]),
    of_kind("garbage", "no_type", &[Say("{\"id\":{id},\"move\":\"{move}\"}\n")]),
    of_kind("garbage", "upper_case_type", &[Say("{\"type\":\"Move\",\"id\":{id},\"move\":\"{move}\"}\n")]),
    of_kind("garbage", "echo", &[Say("{\"type\":\"go\",\"id\":{id}}\n")]),
    of_kind("garbage", "two_objects", &[Say(TWO)]),
    of_kind("garbage", "single_quotes", &[Say("{'type':'move','id':{id},'move':'{move}'}\n")]),
    of_kind("garbage", "trailing_comma", &[Say("{\"type\":\"move\",\"id\":{id},\"move\":\"{move}\",}\n")]),
    of_kind(
        "garbage",
        "pretty",
        &[Say("{\n  \"type\": \"move\",\n  \"id\": {id},\n  \"move\": \"{move}\"\n}\n")],
    ),
    of_kind("garbage", "echo_n", &[Say("{\"type\":\"move\",\"id\":{id},\"move\":\"{move}\"}\\n\n")]),
    // Sloppiness that harms nobody.
    at_every_move("crlf", &[Say("{\"type\":\"move\",\"id\":{id},\"move\":\"{move}\"}\r\n")]),
    at_every_move("blank_lines", &[Say("\n\r\n  \n"), Answer, Say("\n")]),
    fault("banner", Start, &[Say("Hostile Bot 1.0 (c) nobody\n=== loading ===\n")]),
    at_every_move("extra_fields", &[Say(EXTRA)]),
    at_every_move(
        "float_integers",
        &[Say("{\"type\":\"move\",\"id\":{id}.0,\"move\":\"{move}\",\"info\":{\"depth\":3.0}}\n")],
    ),
    at_every_move("unknown_type", &[Say("{\"type\":\"heartbeat\",\"id\":{id}}\n"), Answer]),
    at_every_move("chatty", &[Say(CHATTY), Answer]),
    // Moves that the rules forbid; `--kind` is the rule's code.
    Fault { name: "illegal", kind: "*", when: Move, once: true, acts: &[Illegal] },
    fault("unknown_pit", Move, &[Say("{\"type\":\"move\",\"id\":{id},\"move\":\"Z99\"}\n")]),
    fault("empty_name", Move, &[Say("{\"type\":\"move\",\"id\":{id},\"move\":\"\"}\n")]),
    fault("wrong_case", Move, &[Act::WrongCase]),
    // Introductions.
    fault("no_handshake", Hello, &[Sleep]),
    fault(
        "wrong_protocol_version",
        Hello,
        &[Say("{\"type\":\"hello\",\"protocol\":2,\"name\":\"hostile\",\"games\":[\"bao-kigogo\"]}\n")],
    ),
    fault(
        "wrong_game",
        Hello,
        &[Say("{\"type\":\"hello\",\"protocol\":1,\"name\":\"hostile\",\"games\":[\"chess\"]}\n")],
    ),
    fault("no_games", Hello, &[Say("{\"type\":\"hello\",\"protocol\":1,\"name\":\"hostile\"}\n")]),
    fault("two_hellos", Hello, &[Say(HELLO), Say(HELLO)]),
    // Other processes.
    fault("fork_bomb", Move, &[ForkBomb, Answer]),
    fault("fork_bomb_exits", Move, &[ForkBomb, Exit]),
    fault("setsid_daemon", Move, &[Daemon, Answer]),
    fault("setsid_daemon_exits", Move, &[Daemon, Exit]),
    fault("orphan_holds_stdout", Move, &[Orphan, Exit]),
    at_every_move("unfreezes_once", &[UnfreezeOnce, Burn, Answer]),
    fault("unfreezer", Move, &[Unfreezer, Burn, Answer]),
    // The machine.
    fault("mem_bomb", Move, &[Allocate]),
    at_every_move("ponderer", &[Burn, Answer]),
    Fault { name: "intruder", kind: "*", when: Move, once: true, acts: &[Intrude, Answer] },
    fault("env_leak", Move, &[TellEnvironment, Answer]),
    fault("who", Move, &[TellSelf, Answer]),
];

use crate::{HELLO, READY};

const HALF: &str = "{\"type\":\"move\",\"id\":{id},\"mo";
const TWO: &str = "{\"type\":\"info\",\"id\":{id}}{\"type\":\"move\",\"id\":{id},\"move\":\"{move}\"}\n";
const EXTRA: &str =
    "{\"type\":\"move\",\"id\":{id},\"move\":\"{move}\",\"mood\":\"calm\",\"tags\":[1,{\"a\":null}]}\n";
const CHATTY: &str = concat!(
    "{\"type\":\"info\",\"id\":{id},\"depth\":4,\"score\":-12,\"nodes\":99,\"pv\":\"{move}\"}\n",
    "{\"type\":\"log\",\"level\":\"debug\",\"text\":\"a word of mine\"}\n"
);
