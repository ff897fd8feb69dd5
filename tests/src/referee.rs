//! The referee as a process: started, followed, and ended in time.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use rustix::process::{Pid, Signal};
use serde_json::Value;

use crate::clock::Deadline;
use crate::watch::{self, Seen};
use crate::{Ended, Place, program, survivors};

/// How long a referee may take unless a test says otherwise: far more than any test needs.
const BOUND: Duration = Duration::from_secs(60);
/// How much memory it may take, in KiB; a program that is not optimised has more code to map.
const MEMORY_KIB: u64 = 24 << 10;
/// How often a running referee is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// A command of the referee that is yet to be started.
#[derive(Debug)]
pub struct Referee {
    place: Place,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    input: String,
    bound: Duration,
    memory_kib: u64,
    unheard: bool,
    verified: bool,
    directory: String,
    draws: bool,
}

impl Referee {
    /// Prepares a command with these arguments.
    pub fn new<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Self {
        Self::at(Place::new(), arguments)
    }

    /// Prepares a command in a place where something has happened already.
    pub fn at<'a>(place: Place, arguments: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            place,
            arguments: arguments.into_iter().map(str::to_owned).collect(),
            environment: Vec::new(),
            input: String::new(),
            bound: BOUND,
            memory_kib: MEMORY_KIB,
            unheard: false,
            verified: true,
            directory: String::new(),
            draws: false,
        }
    }

    /// Prepares a match that is recorded and told event by event, whatever its bots do before the first game.
    pub fn plays(game: &str, first: &str, second: &str) -> Self {
        Self::plays_at(Place::new(), game, first, second)
    }

    /// Prepares a match in a place where something has happened already.
    pub fn plays_at(place: Place, game: &str, first: &str, second: &str) -> Self {
        let out = ["--json", "--out", "{place}/record", "--absent", "walkover"];
        Self::at(place, ["match", game, first, second]).with(out)
    }

    /// Adds arguments; `{place}` and `{mark}` in them become the test's directory and its mark.
    #[must_use]
    pub fn with<'a>(mut self, arguments: impl IntoIterator<Item = &'a str>) -> Self {
        self.arguments.extend(arguments.into_iter().map(str::to_owned));
        self
    }

    /// Leaves the seed of a match to the referee; without this every match of the tests is played with seed 1.
    #[must_use]
    pub fn draws_its_seed(mut self) -> Self {
        self.draws = true;
        self
    }

    /// Sets a variable of its environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Gives it something to read on its standard input.
    #[must_use]
    pub fn reads(mut self, input: &str) -> Self {
        input.clone_into(&mut self.input);
        self
    }

    /// Sets how long it may take; a referee that takes longer is killed, and the test has failed.
    #[must_use]
    pub fn within(mut self, bound: Duration) -> Self {
        self.bound = bound;
        self
    }

    /// Sets how much resident memory it may take, in KiB.
    #[must_use]
    pub fn memory_kib(mut self, most: u64) -> Self {
        self.memory_kib = most;
        self
    }

    /// Sets its working directory, below the place.
    #[must_use]
    pub fn directory(mut self, directory: &str) -> Self {
        directory.clone_into(&mut self.directory);
        self
    }

    /// Takes away the reader of its standard output.
    #[must_use]
    pub fn unheard(mut self) -> Self {
        self.unheard = true;
        self
    }

    /// Leaves the record unverified at the end: it is broken, and that is what the test is about.
    #[must_use]
    pub fn unverified(mut self) -> Self {
        self.verified = false;
        self
    }

    /// Returns where it will run.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Runs it to its end.
    pub fn run(self) -> Ended {
        self.start().finish()
    }

    /// Starts it.
    ///
    /// # Panics
    /// It cannot be started.
    pub fn start(mut self) -> Running {
        let seeded = self.draws || self.arguments.iter().any(|argument| argument == "--seed");
        let whole = self.arguments.len() >= 4 && self.arguments[0] == "match";
        if whole && !seeded {
            self.arguments.extend(["--seed".to_owned(), "1".to_owned()]);
        }
        let Self {
            place,
            arguments,
            environment,
            input,
            bound,
            memory_kib,
            unheard,
            verified,
            directory,
            draws: _,
        } = self;
        let dir = place.dir().to_str().expect("a place has a plain name").to_owned();
        let filled = arguments
            .iter()
            .map(|argument| argument.replace("{place}", &dir).replace("{mark}", place.mark()));
        let scratch = place.dir().join("tmp");
        std::fs::create_dir_all(&scratch).expect("a test's own directory is writable");
        let mut child = Command::new(program("referee"))
            .args(filled)
            .current_dir(place.dir().join(directory))
            .env("BAO_TEST_MARK", place.mark())
            .env("TMPDIR", &scratch)
            .env_remove("PYTHONUNBUFFERED")
            .env_remove("REFEREE_LOG")
            .envs(environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the referee can be started");
        let (told, heard) = channel();
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        std::thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(input.as_bytes())));
        if !unheard {
            listen(stdout.expect("it was asked for"), told.clone(), Said::Out);
        }
        listen(stderr.expect("it was asked for"), told, Said::Err);
        Running {
            child,
            heard,
            deadline: Deadline::after(bound),
            bound,
            memory_kib,
            verified,
            ended: false,
            seen: Seen::default(),
            stdout: String::new(),
            stderr: String::new(),
            events: Vec::new(),
            place: Some(place),
        }
    }
}

/// A line that the referee wrote.
#[derive(Debug)]
enum Said {
    Out(String),
    Err(String),
}

fn listen(pipe: impl Read + Send + 'static, told: Sender<Said>, wrap: fn(String) -> Said) {
    std::thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut line = Vec::new();
        while pipe.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
            if told.send(wrap(String::from_utf8_lossy(&line).into_owned())).is_err() {
                return;
            }
            line.clear();
        }
    });
}

/// A running referee; it is killed if the test gives it up.
#[derive(Debug)]
pub struct Running {
    child: Child,
    heard: Receiver<Said>,
    deadline: Deadline,
    bound: Duration,
    memory_kib: u64,
    verified: bool,
    ended: bool,
    seen: Seen,
    stdout: String,
    stderr: String,
    events: Vec<Value>,
    // Taken by the end.
    place: Option<Place>,
}

impl Running {
    /// Returns its process number.
    pub fn pid(&self) -> i32 {
        self.child.id().cast_signed()
    }

    /// Returns the events of `--json` so far.
    pub fn events(&self) -> &[Value] {
        &self.events
    }

    /// Follows it until an event fits, and returns that.
    ///
    /// # Panics
    /// It ends first, or takes too long.
    pub fn until(&mut self, mut fits: impl FnMut(&Value) -> bool) -> Value {
        let mut next = self.events.len();
        loop {
            while let Some(event) = self.events.get(next) {
                if fits(event) {
                    return event.clone();
                }
                next += 1;
            }
            assert!(self.hear(), "the referee ended first; {}", self.told());
        }
    }

    /// Follows it until its standard error holds a text.
    ///
    /// # Panics
    /// It ends first, or takes too long.
    pub fn until_stderr(&mut self, text: &str) {
        while !self.stderr.contains(text) {
            assert!(self.hear(), "the referee ended first; {}", self.told());
        }
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(&self.child);
        rustix::process::kill_process(pid, signal).expect("the referee is not reaped before its end");
    }

    /// Returns the numbers of all processes that it has started and that still run.
    pub fn descendants(&self) -> Vec<i32> {
        watch::descendants(self.pid())
    }

    /// Sends a signal to it and to all that it has started, as a container that is paused does.
    pub fn signal_all(&self, signal: Signal) {
        for pid in std::iter::once(self.pid()).chain(watch::descendants(self.pid())) {
            if let Some(pid) = Pid::from_raw(pid) {
                let _gone = rustix::process::kill_process(pid, signal);
            }
        }
    }

    /// Follows it to its end and checks what holds for every end.
    ///
    /// # Panics
    /// It takes too long or too much memory, leaves a process behind, or has left a record that does not verify.
    pub fn finish(mut self) -> Ended {
        while self.hear() {}
        let status = self.child.wait().expect("a child can be waited for");
        self.ended = true;
        let place = self.place.take().expect("it is taken here only");
        let context = self.told();
        if let Err(left) = survivors::none_left(place.mark(), &self.seen.groups) {
            panic!("{left}\n{context}");
        }
        if self.verified {
            assert_verified(&place, &context);
        }
        let (peak, most) = (self.seen.peak_kib, self.memory_kib);
        assert!(peak <= most, "the referee took {peak} KiB, {most} are allowed; {context}");
        Ended {
            status,
            stdout: std::mem::take(&mut self.stdout),
            stderr: std::mem::take(&mut self.stderr),
            events: std::mem::take(&mut self.events),
            peak_kib: peak,
            most_files: self.seen.most_files,
            place,
        }
    }

    fn told(&self) -> String {
        told(&self.stdout, &self.stderr)
    }

    /// Waits for a line; false once there are no more.
    fn hear(&mut self) -> bool {
        loop {
            match self.heard.recv_timeout(LOOK) {
                Ok(Said::Out(line)) => {
                    if let Ok(event) = serde_json::from_str::<Value>(&line)
                        && event.get("event").is_some()
                    {
                        self.events.push(event);
                    }
                    self.stdout.push_str(&line);
                    return true;
                }
                Ok(Said::Err(line)) => {
                    self.stderr.push_str(&line);
                    return true;
                }
                Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => {
                    self.seen.look(self.pid());
                    assert!(!self.deadline.is_over(), "not over after {:?}; {}", self.bound, self.told());
                }
            }
        }
    }
}

/// Has the record verified, if there is one: whatever ended the referee, what it has left must be true.
fn assert_verified(place: &Place, context: &str) {
    if !place.record().join("run.json").exists() {
        return;
    }
    let verified = Command::new(program("referee")).arg("verify").arg(place.record()).output();
    let verified = verified.expect("the referee can be started");
    let (found, said) =
        (String::from_utf8_lossy(&verified.stdout), String::from_utf8_lossy(&verified.stderr));
    assert!(verified.status.success(), "the record does not verify:\n{found}{said}\n{context}");
}

/// Shows what a referee said to the reader of a failed test: everything but the moves.
pub(crate) fn told(stdout: &str, stderr: &str) -> String {
    let lines = stdout.lines().filter(|line| !line.starts_with("{\"event\":\"move\""));
    let lines: Vec<&str> = lines.chain(stderr.lines()).collect();
    format!("it said:\n{}", lines.join("\n"))
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.ended {
            let _gone = self.child.kill();
            let _reaped = self.child.wait();
        }
        if let Some(place) = &self.place {
            survivors::sweep(place.mark());
        }
    }
}
