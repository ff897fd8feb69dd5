//! Starts a bot, feeds it, and waits for its end with a bound.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::time::Duration;

use bao_jail::{Guard, Host, Jail, Launch, Promise, Sandbox, SetupError, Started};

/// The machine cannot do what a test is about.
pub(crate) struct Skip(pub(crate) String);

pub(crate) type Test = fn(&Host) -> Result<(), Skip>;

/// What a bot did from its start to its end.
pub(crate) struct Life {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: ExitStatus,
    pub(crate) started: Started,
}

impl Life {
    pub(crate) fn kept_by(&self, guard: Guard) -> Option<&str> {
        kept_by(&self.started.promises, guard)
    }
}

pub(crate) fn kept_by(promises: &[Promise], guard: Guard) -> Option<&str> {
    promises.iter().find(|promise| promise.name == guard)?.kept_by.as_deref()
}

/// Skips a test when this machine does not keep a promise.
pub(crate) fn need(host: &Host, sandbox: &Sandbox, guard: Guard) -> Result<(), Skip> {
    let promises = host.promises(sandbox);
    let promise = promises.iter().find(|promise| promise.name == guard).unwrap();
    promise.gap.as_ref().map_or(Ok(()), |gap| Err(Skip(gap.clone())))
}

/// Finds a program that not every machine has.
pub(crate) fn program(path: &str) -> Result<PathBuf, Skip> {
    let found = Path::new(path).exists().then(|| PathBuf::from(path));
    found.ok_or_else(|| Skip(format!("{path} is not installed")))
}

/// A bot that runs.
pub(crate) struct Running {
    pub(crate) child: Child,
    pub(crate) jail: Jail,
    pub(crate) started: Started,
}

pub(crate) fn start(
    host: &Host,
    sandbox: &Sandbox,
    program: &str,
    args: &[&str],
) -> Result<Running, SetupError> {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let launch = Launch::prepare(host, sandbox, Path::new(program), &args)?;
    let mut command = launch.command()?;
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    let mut jail = launch.spawned(child.id());
    match jail.started(Duration::from_secs(20)) {
        Ok(started) => Ok(Running { child, jail, started }),
        Err(error) => {
            child.wait().unwrap();
            assert_eq!(jail.sweep(), []);
            Err(error)
        }
    }
}

/// Runs a bot with all its input at once until it ends by itself.
pub(crate) fn live(host: &Host, sandbox: &Sandbox, program: &str, args: &[&str], input: &str) -> Life {
    let running =
        start(host, sandbox, program, args).unwrap_or_else(|error| panic!("{program} {args:?}: {error}"));
    let Running { mut child, jail, started } = running;
    let mut stdin = child.stdin.take().unwrap();
    // A bot that has ended already does not read.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    let status = child.wait().unwrap();
    let scratch = jail.scratch().map(Path::to_owned);
    assert_eq!(jail.sweep(), []);
    assert!(scratch.is_none_or(|path| !path.exists()), "the scratch directory is removed");
    Life { out, err, status, started }
}

/// Runs a Python program that prints one line for each thing it tried, and returns the lines.
pub(crate) fn python(host: &Host, sandbox: &Sandbox, code: &str) -> Result<Vec<String>, Skip> {
    let python = program("/usr/bin/python3")?;
    let life = live(host, sandbox, python.to_str().unwrap(), &["-c", code], "");
    assert!(life.status.success(), "{}\n{}", life.out, life.err);
    Ok(life.out.lines().map(str::to_owned).collect())
}

/// Ends a running bot by force and checks that nobody is left.
pub(crate) fn finish(running: Running) -> Duration {
    let Running { mut child, jail, .. } = running;
    let before = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    jail.kill();
    child.wait().unwrap();
    assert_eq!(jail.sweep(), []);
    let after = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    Duration::try_from(after - before).unwrap()
}

/// Reads one line that a running bot has printed.
pub(crate) fn read_line(child: &mut Child) -> String {
    let out = child.stdout.as_mut().unwrap();
    let mut line = Vec::new();
    let mut byte = [0];
    while out.read(&mut byte).unwrap() == 1 && byte[0] != b'\n' {
        line.push(byte[0]);
    }
    String::from_utf8(line).unwrap()
}
