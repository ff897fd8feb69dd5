//! What a fault is made of.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use bao_rules::{Pit, Position, Variant};
use rustix::process::{Signal, getpid, getppid, kill_process};

use crate::{Asked, MOVE, Orders, intruder, say};

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
    /// Sleeps without end.
    Sleep,
    /// Sleeps `--ms` milliseconds.
    Wait,
    /// Uses the processor without end.
    Spin,
    /// Continues, and also uses the processor without end.
    Burn,
    /// Says that it is thinking, at a fixed interval, without end.
    LoudForEver(u64),
    /// Writes this without end.
    Flood(&'static str),
    /// Continues, and also writes to standard error without end.
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
    /// Starts a process that sends SIGCONT to this one without end.
    Unfreezer,
    /// Has itself woken once, soon after this move, by a process outside its group.
    UnfreezeOnce,
    /// Takes memory without end.
    Allocate,
    /// Tries what `--kind` says, and prints on standard error how it went.
    Intrude,
    /// Prints its environment and open files on standard error.
    TellEnvironment,
    /// Prints its process number, user and limits on standard error.
    TellSelf,
}

/// How an act went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is done.
    Done,
    /// It cannot be done yet: the bot behaves until the next move.
    NotYet,
}

impl Act {
    pub(crate) fn perform(&self, orders: &Orders, variant: &str, asked: &Asked<'_>) -> io::Result<Outcome> {
        match self {
            Self::Answer => asked.say(MOVE)?,
            Self::Say(text) => asked.say(text)?,
            Self::SayHex(digits) => say(&bytes(digits))?,
            Self::SayDeep(levels) => {
                let deep = format!(",\"a\":{}{}}}", "[".repeat(*levels), "]".repeat(*levels));
                asked.say(&MOVE.replace("}\n", &format!("{deep}\n")))?;
            }
            Self::Sleep => sleep_for_ever(),
            Self::Wait => std::thread::sleep(Duration::from_millis(orders.ms)),
            Self::Spin => spin(),
            Self::Burn => drop(std::thread::spawn(|| spin())),
            Self::LoudForEver(ms) => loop {
                asked.say("{\"type\":\"info\",\"id\":{id},\"text\":\"thinking\"}\n")?;
                std::thread::sleep(Duration::from_millis(*ms));
            },
            Self::Flood(text) => {
                let block = asked.fill(text).repeat(1000);
                loop {
                    say(block.as_bytes())?;
                }
            }
            Self::FloodStderr => {
                let block = "no end of trouble\n".repeat(1000);
                io::stderr().write_all(block.as_bytes())?;
                std::thread::spawn(move || while io::stderr().write_all(block.as_bytes()).is_ok() {});
            }
            Self::Exit => std::process::exit(orders.code),
            Self::ExitBadly => {
                io::stderr().write_all(b"Traceback: last words on standard error\n")?;
                std::process::exit(101);
            }
            Self::Abort => kill_process(getpid(), Signal::ABORT)?,
            Self::SegmentationFault => loop {
                // The first one only takes away the handler that the standard library has for it.
                kill_process(getpid(), Signal::SEGV)?;
            },
            Self::Stop => kill_process(getpid(), Signal::STOP)?,
            Self::CloseStdin => rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?,
            Self::CloseStdout => rustix::stdio::dup2_stdout(std::fs::File::create("/dev/null")?)?,
            Self::Illegal => return illegal(&orders.kind, variant, asked),
            Self::WrongCase => {
                let pit = asked.first_legal();
                let south = pit.starts_with(char::is_uppercase);
                let swapped = if south { pit.to_lowercase() } else { pit.to_uppercase() };
                asked.say(&MOVE.replace("{move}", &swapped))?;
            }
            Self::ForkBomb => {
                let count = orders.count.clamp(1, 120);
                let started =
                    (0..count).take_while(|_| start(orders, "child_sits", Stdio::null()).is_ok()).count();
                writeln!(io::stderr(), "started {started} of {count}")?;
            }
            Self::Daemon => {
                let daemon =
                    start(orders, "child_daemon", Stdio::null()).and_then(|mut parent| parent.wait());
                writeln!(io::stderr(), "daemon: {daemon:?}")?;
            }
            Self::Orphan => drop(start(orders, "child_sits", Stdio::inherit())?),
            Self::Unfreezer => drop(start(orders, "child_continues_its_parent", Stdio::null())?),
            Self::UnfreezeOnce => drop(start(orders, "child_continues_its_parent_once", Stdio::null())?),
            Self::Allocate => allocate(),
            Self::Intrude => intruder::intrude(&orders.kind)?,
            Self::TellEnvironment => intruder::tell_environment()?,
            Self::TellSelf => intruder::tell_self()?,
        }
        Ok(Outcome::Done)
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
        "child_continues_its_parent_once" => Some((|| {
            rustix::process::setsid()?;
            // The opponent is on turn for longer than this.
            std::thread::sleep(Duration::from_millis(100));
            getppid().map_or(Ok(()), |parent| kill_process(parent, Signal::CONT))?;
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

/// Plays a pit for which the rules core gives the code `kind`.
fn illegal(kind: &str, variant: &str, asked: &Asked<'_>) -> io::Result<Outcome> {
    let Some(go) = asked.go else { return Ok(Outcome::NotYet) };
    let variant: Variant = variant.parse().map_err(io::Error::other)?;
    let position = Position::parse(variant, &go.position).map_err(io::Error::other)?;
    let broken = |pit: &Pit| position.check(*pit).is_err_and(|illegal| illegal.code() == kind);
    let Some(pit) = Pit::all(variant).find(broken) else { return Ok(Outcome::NotYet) };
    asked.say(&MOVE.replace("{move}", pit.name()))?;
    Ok(Outcome::Done)
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
