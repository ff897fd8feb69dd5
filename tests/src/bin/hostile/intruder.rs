//! What the bot tries on others; each attempt writes to standard error `KIND: done` or `KIND: refused (why)`.

use std::fs::{self, File};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};

use rustix::net::{AddressFamily, SocketType};
use rustix::process::{Pid, Resource, Rlimit, Signal, getpid, getppid, kill_process};

/// Tries what `kind` says.
pub(crate) fn intrude(kind: &str) -> io::Result<()> {
    let outcome = attempt(kind);
    let text = match outcome {
        Ok(()) => format!("{kind}: done\n"),
        Err(error) => format!("{kind}: refused ({error})\n"),
    };
    io::stderr().write_all(text.as_bytes())
}

fn attempt(kind: &str) -> io::Result<()> {
    let (what, argument) = kind.split_once('=').unwrap_or((kind, ""));
    match what {
        // The address is one that a test listens on, on this machine.
        "tcp" => drop(TcpStream::connect(argument)?),
        "tcp_listen" => drop(TcpListener::bind("127.0.0.1:0")?),
        "udp" => drop(UdpSocket::bind("127.0.0.1:0")?.send_to(b"x", argument)?),
        "dns" => drop(("localhost.localdomain.invalid", 80).to_socket_addrs().map(|_| ()).or_else(dns)?),
        "netlink" => socket(AddressFamily::NETLINK, SocketType::RAW)?,
        "vsock" => socket(AddressFamily::from_raw(40), SocketType::STREAM)?,
        "packet" => socket(AddressFamily::PACKET, SocketType::RAW)?,
        "unix_abstract" => drop(UnixStream::connect_addr(&SocketAddr::from_abstract_name(argument)?)?),
        "unix_abstract_listen" => {
            drop(UnixListener::bind_addr(&SocketAddr::from_abstract_name(format!(
                "bao-test-{}",
                std::process::id()
            ))?)?);
        }
        "unix_path" => drop(UnixStream::connect(hidden(argument))?),
        "read" => drop(fs::read(hidden(argument))?),
        "write" => File::options().append(true).create(true).open(hidden(argument))?.write_all(b"x")?,
        "list" => drop(fs::read_dir(hidden(argument))?),
        "opponent_environ" => drop(fs::read(format!("/proc/{}/environ", opponent()?))?),
        "opponent_memory" => {
            drop(File::options().read(true).write(true).open(format!("/proc/{}/mem", opponent()?))?);
        }
        "opponent_command" => drop(fs::read(format!("/proc/{}/cmdline", opponent()?))?),
        "opponent_files" => drop(fs::read_dir(format!("/proc/{}/fd", opponent()?))?),
        "opponent_stdin" => {
            File::options().write(true).open(format!("/proc/{}/fd/0", opponent()?))?.write_all(b"")?;
        }
        "referee_environ" => drop(fs::read(format!("/proc/{}/environ", referee()?.as_raw_nonzero()))?),
        "referee_memory" => {
            drop(File::options().write(true).open(format!("/proc/{}/mem", referee()?.as_raw_nonzero()))?);
        }
        "kill_opponent" => kill_process(pid(opponent()?)?, Signal::KILL)?,
        "stop_opponent" => kill_process(pid(opponent()?)?, Signal::STOP)?,
        "kill_referee" => kill_process(referee()?, Signal::TERM)?,
        "kill_everybody" => rustix::process::test_kill_process(referee()?)?,
        "prlimit_opponent" => {
            let limit = Rlimit { current: Some(0), maximum: Some(0) };
            rustix::process::prlimit(Some(pid(opponent()?)?), Resource::Fsize, limit)?;
        }
        "nice_opponent" => rustix::process::setpriority_process(Some(pid(opponent()?)?), 19)?,
        "setsid" => drop(rustix::process::setsid()?),
        "setpgid" => rustix::process::setpgid(None, None)?,
        _ => return Err(io::Error::other("no such attempt")),
    }
    Ok(())
}

fn dns(_: io::Error) -> io::Result<()> {
    // The resolver needs a datagram socket before anything else.
    socket(AddressFamily::INET, SocketType::DGRAM)
}

/// Reads a path whose letters are in reverse order: a path in its command line is one that a bot may read.
fn hidden(path: &str) -> String {
    path.chars().rev().collect()
}

fn socket(family: AddressFamily, kind: SocketType) -> io::Result<()> {
    drop(rustix::net::socket(family, kind, None)?);
    Ok(())
}

fn referee() -> io::Result<Pid> {
    getppid().ok_or_else(|| io::Error::other("the referee is not to be seen"))
}

fn pid(number: i32) -> io::Result<Pid> {
    Pid::from_raw(number).ok_or_else(|| io::Error::other("no process"))
}

/// Finds the other child of the same parent.
fn opponent() -> io::Result<i32> {
    let (own, parent) = (getpid().as_raw_nonzero().get(), referee()?.as_raw_nonzero().get());
    for entry in fs::read_dir("/proc")?.flatten() {
        let Some(other) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
        let Ok(stat) = fs::read_to_string(format!("/proc/{other}/stat")) else { continue };
        let fields = stat.rsplit(')').next().unwrap_or("").split_ascii_whitespace().nth(1);
        // The referee's janitor is its child, too.
        let is_bot =
            fs::read(format!("/proc/{other}/cmdline")).is_ok_and(|line| !line.starts_with(b"bao-referee"));
        if other != own && is_bot && fields.and_then(|field| field.parse().ok()) == Some(parent) {
            return Ok(other);
        }
    }
    Err(io::Error::other("the opponent is not to be seen"))
}

/// Prints the names of its environment's variables, its open files and its working directory.
pub(crate) fn tell_environment() -> io::Result<()> {
    let mut names: Vec<String> =
        std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
    names.sort();
    let mut files = Vec::new();
    for number in 0..256 {
        if fs::symlink_metadata(format!("/proc/self/fd/{number}")).is_ok() {
            files.push(number.to_string());
        }
    }
    let dir = std::env::current_dir()?;
    let text =
        format!("variables: {}\nfiles: {}\ndirectory: {}\n", names.join(" "), files.join(" "), dir.display());
    io::stderr().write_all(text.as_bytes())
}

/// Prints who it is.
pub(crate) fn tell_self() -> io::Result<()> {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let text = format!("pid: {}\nuid: {}\n{limits}", std::process::id(), rustix::process::getuid().as_raw());
    io::stderr().write_all(text.as_bytes())
}
