//! The thread that starts bots and cleans up after them, and the thread that watches them.
//!
//! Starting a bot takes some milliseconds, and so does cleaning up after it; no game's clock may wait for that. The
//! keeper's thread is permanent, because the kernel's parent-death signal follows the thread that started a bot: when
//! the referee dies in any way, its bots die, too.

use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::sync::{Arc, OnceLock, Weak, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::process::{Pid, Signal};
use tokio::sync::oneshot;

use crate::process::hold::{Held, Hold};
use bao_jail::measure::{Census, Killings, Meter, RanOut};
use bao_jail::{Host, Jail, Launch, Promise, Sandbox, SetupError};

/// How long a step of a bot's start may take.
const STEP: Duration = Duration::from_secs(5);
/// How often the bots are looked at.
const LOOK: Duration = Duration::from_millis(15);
/// After how many looks the kernel's count of processes killed because memory ran out is noted: about a second.
const LOOKS_A_NOTE: u32 = 64;

/// A bot that has just been started.
#[derive(Debug)]
pub struct Birth {
    /// The process and everything that belongs to it.
    pub remains: Remains,
    /// Its three pipes.
    pub pipes: (ChildStdin, ChildStdout, ChildStderr),
    /// Measures it.
    pub meter: Meter,
    /// Knows whether it was killed for taking more than it may.
    pub watch: Watch,
    /// Tells the watchdog when the bot must not run.
    pub hold: Arc<Hold>,
    /// The promises about it.
    pub promises: Vec<Promise>,
}

/// A bot's process and its jail. Dropping them kills and removes everything that is left, which may block for a while.
#[derive(Debug)]
pub struct Remains {
    child: Child,
    // Apart, because a bot's remains are part of many futures.
    jail: Option<Box<Jail>>,
}

impl Remains {
    /// The process id, which is also the number of its group.
    pub fn group(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Returns the processor time that the process has used, in microseconds, and its limit, in seconds, if it may
    /// have been killed for that.
    pub fn processor_time_used_up(&self) -> Option<(u64, u64)> {
        self.jail.as_ref().and_then(|jail| jail.processor_time_used_up())
    }

    /// Returns whose memory ran out if the kernel killed the process for that and its control group knows.
    fn memory_killed(&self) -> Option<RanOut> {
        self.jail.as_ref().and_then(|jail| jail.memory_killed())
    }

    /// Kills the process and everything that it started, as far as it can be found at once.
    pub fn kill(&self) {
        match &self.jail {
            Some(jail) => jail.kill(),
            None => drop(rustix::process::kill_process_group(self.group(), Signal::KILL)),
        }
    }
}

impl Drop for Remains {
    fn drop(&mut self) {
        // Kill before reaping: until then no other process can have this number.
        self.kill();
        let _reaped = self.child.wait();
        for left in self.jail.take().map(|jail| jail.sweep()).unwrap_or_default() {
            tracing::error!("{left}");
        }
    }
}

/// Sends tasks to the keeper's thread.
#[derive(Debug)]
pub struct Keeper {
    tasks: Option<mpsc::Sender<Task>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
enum Task {
    Start { command: Vec<String>, sandbox: Box<Sandbox>, answer: oneshot::Sender<Result<Birth, SetupError>> },
    Bury(Box<Remains>),
}

impl Keeper {
    /// Starts the two threads.
    pub fn new(host: Host) -> Self {
        let (tasks, queue) = mpsc::channel();
        let thread = std::thread::spawn(move || keep(&host, &queue));
        Self { tasks: Some(tasks), thread: Some(thread) }
    }

    /// Starts a bot.
    ///
    /// # Errors
    /// [`SetupError`]; nothing of the bot is left then.
    pub async fn start(&self, command: &[String], sandbox: &Sandbox) -> Result<Birth, SetupError> {
        tracing::debug!(?command, "start");
        let (answer, birth) = oneshot::channel();
        self.hand(Task::Start { command: command.to_vec(), sandbox: Box::new(sandbox.clone()), answer });
        birth.await.unwrap_or(Err(SetupError::Died))
    }

    /// Removes what is left of a bot, without making the caller wait.
    pub fn bury(&self, remains: Remains) {
        tracing::debug!("bury");
        self.hand(Task::Bury(Box::new(remains)));
    }

    fn hand(&self, task: Task) {
        if let Some(tasks) = &self.tasks {
            // The thread ends only when this side is gone; were it dead, the task is dropped, and drop buries.
            let _dropped = tasks.send(task);
        }
    }
}

impl Drop for Keeper {
    /// Waits until everything is removed.
    fn drop(&mut self) {
        self.tasks = None;
        let _panicked = self.thread.take().map(JoinHandle::join);
    }
}

fn keep(host: &Host, queue: &mpsc::Receiver<Task>) {
    let (watched, newcomers) = mpsc::channel();
    let killings = Arc::new(Killings::begin());
    let noted = Arc::clone(&killings);
    let watchdog = std::thread::spawn(move || watch(&newcomers, &noted));
    let mut burials: Vec<JoinHandle<()>> = Vec::new();
    for task in queue {
        match task {
            // A table that no longer waits drops the answer, and drop buries.
            Task::Start { command, sandbox, answer } => {
                drop(answer.send(start(host, &command, &sandbox, &watched, &killings)));
            }
            // A bot that leaves a million files must not delay another start.
            Task::Bury(remains) => {
                burials.retain(|burial| !burial.is_finished());
                burials.push(std::thread::spawn(move || drop(remains)));
            }
        }
    }
    for burial in burials {
        let _panicked = burial.join();
    }
    drop(watched);
    let _panicked = watchdog.join();
}

fn start(
    host: &Host,
    command: &[String],
    sandbox: &Sandbox,
    watched: &mpsc::Sender<Watched>,
    killings: &Arc<Killings>,
) -> Result<Birth, SetupError> {
    let (program, arguments) = command.split_first().expect("a planned command has a program");
    let arguments: Vec<_> = arguments.iter().map(Into::into).collect();
    let launch = Launch::prepare(host, sandbox, program.as_ref(), &arguments)?;
    let mut command = launch.command()?;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| SetupError::Prepare("process".to_owned(), error))?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let jail = launch.spawned(child.id());
    let mut remains = Remains { child, jail: Some(Box::new(jail)) };
    let group = remains.group();
    let jail = remains.jail.as_mut().expect("it was put there a line ago");
    let promises = jail.started(STEP)?.promises;
    let meter = jail.meter();
    let limits = Limits { memory: sandbox.memory_bytes, threads: jail.threads_to_watch() };
    let watch =
        Watch { excess: Arc::new(OnceLock::new()), memory: limits.memory, killings: Arc::clone(killings) };
    // Nobody listens only if the watchdog panicked; then the limits of the system still hold.
    let excess = Arc::downgrade(&watch.excess);
    let hold = Arc::new(Hold::default());
    let held = Held::new(Arc::clone(&hold));
    let _unwatched = watched.send(Watched { meter: jail.meter(), limits, excess, group, held });
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else { return Err(SetupError::Died) };
    Ok(Birth { remains, pipes: (stdin, stdout, stderr), meter, watch, hold, promises })
}

/// What a bot used too much of, and its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    /// Memory, in bytes.
    Memory(u64),
    /// Processes and threads.
    Threads(u64),
}

/// What killed a bot, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaper {
    /// The kernel, at the bot's own limit of memory, in bytes.
    Limit(u64),
    /// The kernel, because the machine's memory ran out.
    Machine,
    /// Something else: itself, another program, or a person.
    Unknown,
}

/// Whether a bot was killed for taking more than it may; it is watched as long as this value exists.
#[derive(Debug)]
pub struct Watch {
    excess: Arc<OnceLock<Excess>>,
    memory: Option<u64>,
    killings: Arc<Killings>,
}

impl Watch {
    /// Returns what the bot was killed for.
    pub fn excess(&self) -> Option<Excess> {
        self.excess.get().copied()
    }

    /// Returns why a bot was killed, if neither the referee nor the bot itself did it.
    pub fn reaper(&self, remains: &Remains) -> Reaper {
        match (self.memory, remains.memory_killed()) {
            (Some(limit), Some(RanOut::Own)) => Reaper::Limit(limit),
            (_, Some(_)) => Reaper::Machine,
            (_, None) if self.killings.lately() => Reaper::Machine,
            (_, None) => Reaper::Unknown,
        }
    }
}

/// What is watched.
#[derive(Debug, Clone, Copy)]
struct Limits {
    memory: Option<u64>,
    threads: Option<u64>,
}

/// A bot that is watched.
#[derive(Debug)]
struct Watched {
    meter: Meter,
    limits: Limits,
    excess: Weak<OnceLock<Excess>>,
    group: Pid,
    held: Held,
}

impl Watched {
    /// Looks once; returns whether there is anything left to watch.
    fn look(&mut self, census: &Census) -> bool {
        let Some(known) = self.excess.upgrade() else { return false };
        self.held.look(&mut self.meter, census);
        let threads = self.limits.threads.filter(|limit| self.meter.threads_by(census) > *limit);
        let memory = self.limits.memory.filter(|limit| self.meter.over_by(census, *limit).is_some());
        let Some(excess) = memory.map(Excess::Memory).or(threads.map(Excess::Threads)) else { return true };
        let _known_once = known.set(excess);
        // As long as this value exists the leader is not reaped, so the number is still its own.
        let _gone = rustix::process::kill_process_group(self.group, Signal::KILL);
        false
    }
}

fn watch(newcomers: &mpsc::Receiver<Watched>, killings: &Killings) {
    let (mut bots, mut census): (Vec<Watched>, Census) = Default::default();
    let mut looks = 0;
    loop {
        let newcomer = if bots.is_empty() {
            newcomers.recv().map_err(|_| mpsc::RecvTimeoutError::Disconnected)
        } else {
            newcomers.recv_timeout(LOOK)
        };
        match newcomer {
            Ok(bot) => {
                if bots.is_empty() {
                    // Kills before the first bot was watched do not matter.
                    killings.note();
                    killings.note();
                }
                bots.push(bot);
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
        // After a newcomer, too: where bots are started all the time there is no pause.
        census.refresh();
        looks += 1;
        if looks % LOOKS_A_NOTE == 0 {
            killings.note();
        }
        bots.retain_mut(|bot| bot.look(&census));
    }
}
