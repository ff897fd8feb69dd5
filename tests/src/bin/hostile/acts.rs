//! What a fault is made of.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use bao_protocol::to_bot::Go;
use bao_rules::{Pit, Position, Variant};
use rustix::process::{Signal, getpid, getppid, kill_process};

use crate::{Orders, intruder, say};

/// One thing that the bot does.
#[derive(Debug)]
pub(crate) enum Act {
    /// Makes a proper answer.
    Answer,
    /// Writes this to standard output.
    Say(&'static str),
    /// Writes these bytes, given in hexadecimal.
    SayHex(&'static str),
    /// Writes an object that nests so deep.
    SayDeep(usize),
    /// Sleeps for ever.
    Sleep,
    /// Sleeps `--ms` milliseconds.
    Wait,
    /// Uses the processor for ever.
    Spin,
    /// Goes on, and uses the processor for ever beside that.
    Burn,
    /// Says that it is thinking, every so many milliseconds, for ever.
    LoudForEver(u64),
    /// Writes this for ever.
    Flood(&'static str),
    /// Writes to standard error for ever.
    FloodStderr,
    /// Exits with `--code`.
    Exit,
    /// Exits with 101 and last words on standard error.
    ExitBadly,
    /// Ends by SIGABRT.
    Abort,
    /// Ends by SIGSEGV.
    SegmentationFault,
    /// Stops by SIGSTOP.
    Stop,
    /// Lets go of the pipe that it reads.
    CloseStdin,
    /// Lets go of the pipe that it writes.
    CloseStdout,
    /// Makes a move that breaks the rule `--kind`, as soon as there is one.
    Illegal,
    /// Names a legal pit in the opponent's letters.
    WrongCase,
    /// Starts `--count` processes that stay.
    ForkBomb,
    /// Starts a process that leaves the session and stays.
    Daemon,
    /// Starts a process that stays and holds standard output.
    Orphan,
    /// Starts a process that sends SIGCONT to this one for ever.
    Unfreezer,
    /// Takes memory without end.
    Allocate,
    /// Tries what `--kind` says, and tells on standard error how it went.
    Intrude,
    /// Tells its environment and open files on standard error.
    TellEnvironment,
    /// Tells its process number, user and limits on standard error.
    TellSelf,
}

/// How it goes on after an act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// With the next act, then with the next message.
    GoOn,
    /// It cannot be done yet: the bot behaves until the next move.
    NotYet,
    /// Not at all.
    Over,
}

impl Act {
    pub(crate) fn perform(&self, orders: &Orders, variant: &str, go: Option<&Go<'_>>) -> io::Result<Outcome> {
        match self {
            Self::Answer => {
                if let Some(go) = go {
                    say(answer(go).as_bytes())?;
                }
            }
            Self::Say(text) => say(fill(text, go).as_bytes())?,
            Self::SayHex(digits) => say(&bytes(digits))?,
            Self::SayDeep(levels) => {
                say(format!("{{\"type\":\"move\",\"a\":{}{}}}\n", "[".repeat(*levels), "]".repeat(*levels)).as_bytes())?;
            }
            Self::Sleep => sleep_for_ever(),
            Self::Wait => std::thread::sleep(Duration::from_millis(orders.ms)),
            Self::Spin => spin(),
            Self::Burn => drop(std::thread::spawn(|| spin())),
            Self::LoudForEver(ms) => loop {
                say(fill("{\"type\":\"info\",\"id\":{id},\"text\":\"thinking\"}\n", go).as_bytes())?;
                std::thread::sleep(Duration::from_millis(*ms));
            },
            Self::Flood(text) => {
                let block = fill(text, go).repeat(1000);
                loop {
                    say(block.as_bytes())?;
                }
            }
            Self::FloodStderr => {
                let block = "no end of trouble\n".repeat(1000);
                loop {
                    io::stderr().write_all(block.as_bytes())?;
                }
            }
            Self::Exit => std::process::exit(orders.code),
            Self::ExitBadly => {
                io::stderr().write_all(b"Traceback: last words on standard error\n")?;
                std::process::exit(101);
            }
            Self::Abort => kill_process(getpid(), Signal::ABORT)?,
            Self::SegmentationFault => kill_process(getpid(), Signal::SEGV)?,
            Self::Stop => kill_process(getpid(), Signal::STOP)?,
            Self::CloseStdin => rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?,
            Self::CloseStdout => rustix::stdio::dup2_stdout(std::fs::File::create("/dev/null")?)?,
            Self::Illegal => return illegal(&orders.kind, variant, go),
            Self::WrongCase => {
                let Some(go) = go else { return Ok(Outcome::NotYet) };
                let pit = first(go);
                let swapped = if pit.starts_with(char::is_uppercase) { pit.to_lowercase() } else { pit.to_uppercase() };
                say(format!("{{\"type\":\"move\",\"id\":{},\"move\":\"{swapped}\"}}\n", go.id).as_bytes())?;
            }
            Self::ForkBomb => {
                for _ in 0..orders.count.clamp(1, 120) {
                    start(orders, "child_sits", Stdio::null())?;
                }
            }
            Self::Daemon => {
                let mut parent = start(orders, "child_daemon", Stdio::null())?;
                parent.wait()?;
            }
            Self::Orphan => drop(start(orders, "child_sits", Stdio::inherit())?),
            Self::Unfreezer => drop(start(orders, "child_continues_its_parent", Stdio::null())?),
            Self::Allocate => allocate(),
            Self::Intrude => intruder::intrude(&orders.kind)?,
            Self::TellEnvironment => intruder::tell_environment()?,
            Self::TellSelf => intruder::tell_self()?,
        }
        Ok(Outcome::GoOn)
    }
}

/// Is a process that another of this program has started; `None` for one that is a bot.
pub(crate) fn child(orders: &Orders) -> Option<io::Result<()>> {
    match &*orders.fault {
        "child_sits" => sleep_for_ever(),
        "child_daemon" => Some((|| {
            rustix::process::setsid()?;
            start(orders, "child_sits", Stdio::null())?;
            Ok(())
        })()),
        "child_continues_its_parent" => {
            let parent = getppid()?;
            loop {
                if kill_process(parent, Signal::CONT).is_err() {
                    std::process::exit(0);
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        _ => None,
    }
}

/// The answer of a bot that behaves.
pub(crate) fn answer(go: &Go<'_>) -> String {
    fill("{\"type\":\"move\",\"id\":{id},\"move\":\"{move}\"}\n", Some(go))
}

fn fill(text: &str, go: Option<&Go<'_>>) -> String {
    let Some(go) = go else { return text.to_owned() };
    text.replace("{id}", &go.id.to_string())
        .replace("{next}", &(go.id + 1).to_string())
        .replace("{before}", &(go.id - 1).to_string())
        .replace("{move}", first(go))
}

fn first<'a>(go: &'a Go<'_>) -> &'a str {
    go.legal.split(' ').next().unwrap_or("")
}

/// Plays a pit for which the rules core gives the code `kind`.
fn illegal(kind: &str, variant: &str, go: Option<&Go<'_>>) -> io::Result<Outcome> {
    let Some(go) = go else { return Ok(Outcome::NotYet) };
    let variant: Variant = variant.parse().map_err(io::Error::other)?;
    let position = Position::parse(variant, &go.position).map_err(io::Error::other)?;
    let broken = |pit: &Pit| position.check(*pit).is_err_and(|illegal| illegal.code() == kind);
    match Pit::all(variant).find(broken) {
        Some(pit) => {
            say(format!("{{\"type\":\"move\",\"id\":{},\"move\":\"{pit}\"}}\n", go.id).as_bytes())?;
            Ok(Outcome::GoOn)
        }
        None => Ok(Outcome::NotYet),
    }
}

fn start(orders: &Orders, what: &str, stdout: Stdio) -> io::Result<std::process::Child> {
    let program = std::env::current_exe()?;
    Command::new(program)
        .arg0("hostile")
        .args(["--mark", &orders.mark, "--do", what])
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(Stdio::null())
        .spawn()
}

fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks_exact(2);
    pairs.filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

fn sleep_for_ever() -> ! {
    loop {
        std::thread::park();
    }
}

fn spin() -> ! {
    loop {
        std::hint::spin_loop();
    }
}

/// Takes private memory a megabyte at a time and writes to all of it.
fn allocate() -> ! {
    let mut taken = Vec::new();
    loop {
        taken.push(std::hint::black_box(vec![1_u8; 1 << 20]));
    }
}
