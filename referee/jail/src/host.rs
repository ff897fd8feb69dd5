//! The machine: its means of isolation, tested once.

use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::process::{geteuid, getpid, set_child_subreaper};

use crate::again::assert_asked;
use crate::cgroup::Run;
use crate::channel::Channel;
use crate::files::{Grants, WITH_SCOPES};
use crate::identity::Identity;
use crate::janitor::Janitor;
use crate::lack::{Lack, Layer};
use crate::orders::{Limits, Orders, Restrictions, with_orders};
use crate::procfs;
use crate::promise::{Layers, Promise};
use crate::report::{Outcome, Step};
use crate::sandbox::{ControlGroup, Level, Sandbox};
use crate::scratch;
use crate::share;
use crate::sweep::Traces;
use crate::uids::{Pool, Slot};

/// The tested means of isolation of this machine; cheap to clone.
///
/// Dropping the last clone removes the run's control group and ends the janitor.
#[derive(Clone, Debug)]
pub struct Host {
    shared: Arc<Shared>,
    lacking: Vec<Layer>,
}

#[derive(Debug)]
struct Shared {
    // Dropped first: the janitor removes what is left in the control group.
    janitor: Mutex<Option<Janitor>>,
    run: Result<Run, Lack>,
    uids: Arc<Pool>,
    layers: Layers,
    root: bool,
    threads: u64,
    next: AtomicU64,
    // Distinguishes this referee from an earlier one that had the same process number.
    mark: String,
}

impl Host {
    /// Finds out what this machine can do, by starting a shim that tries each layer on itself.
    ///
    /// # Panics
    /// Panics if `main` does not begin with [`crate::run_if_asked`] and this is the program started again.
    pub fn probe() -> Self {
        assert_asked();
        // Orphans of a bot's processes become children of this process, and not of one that never reaps.
        let _ = set_child_subreaper(Some(getpid()));
        let root = geteuid().is_root();
        let run = Run::create();
        let uids = Arc::new(Pool::default());
        let layers = try_layers(root, &run, &uids);
        // A control group that cannot be joined is of no use.
        let run = run.and_then(|run| layers.cgroup.clone().map(|_| run));
        let shared = Shared {
            janitor: Mutex::new(None),
            run,
            uids,
            layers,
            root,
            threads: if root { 0 } else { own_threads() },
            next: AtomicU64::new(0),
            mark: format!("{}-{:x}", std::process::id(), since_boot_us()),
        };
        Self { shared: Arc::new(shared), lacking: Vec::new() }
    }

    /// Pretends that this machine lacks some layers, to test what other machines get.
    #[must_use]
    pub fn lacking(&self, layers: &[Layer]) -> Self {
        Self { shared: Arc::clone(&self.shared), lacking: [&self.lacking, layers].concat() }
    }

    /// Returns which promises this machine keeps for a bot with these settings.
    ///
    /// A single bot may get less, if another user cannot reach its files; see [`crate::Started`].
    pub fn promises(&self, sandbox: &Sandbox) -> Vec<Promise> {
        self.layers(sandbox).promises(sandbox)
    }

    pub(crate) fn layers(&self, sandbox: &Sandbox) -> Layers {
        match sandbox.level {
            Level::Off => Layers::none(&Lack::Off),
            Level::BestEffort | Level::Strict => {
                self.shared.layers.clone().with_group(sandbox).without(&self.lacking)
            }
        }
    }

    /// Returns whether each bot gets a user id of its own here, unless its files are closed to it.
    pub fn gives_users(&self) -> bool {
        self.shared.layers.own_user.is_ok() && !self.lacking.contains(&Layer::OwnUser)
    }

    pub(crate) fn is_root(&self) -> bool {
        self.shared.root
    }

    /// Threads that the referee's user had when the machine was probed.
    pub(crate) fn threads(&self) -> u64 {
        self.shared.threads
    }

    pub(crate) fn take_user(&self) -> std::io::Result<Slot> {
        self.shared.uids.take()
    }

    pub(crate) fn make_group(&self, sandbox: &Sandbox) -> Result<PathBuf, Lack> {
        let run = self.shared.run.as_ref().map_err(Clone::clone)?;
        run.group(sandbox).map_err(Lack::of(Lack::Group))
    }

    /// Returns the beginning of the marks of all bots of this referee.
    pub(crate) fn mark(&self) -> &str {
        &self.shared.mark
    }

    /// Returns a number for a new bot.
    pub(crate) fn number(&self) -> u64 {
        self.shared.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Adds a bot, or more facts about it, to the janitor's list; starts the janitor for the first bot.
    pub(crate) fn watch(&self, bot: u64, traces: &Traces, lock: Option<&Arc<File>>) -> std::io::Result<()> {
        let mut janitor = self.shared.janitor.lock().unwrap_or_else(PoisonError::into_inner);
        let janitor = match &mut *janitor {
            Some(janitor) => janitor,
            none => {
                let run = self.shared.run.as_ref().ok().map(|run| run.path().to_owned());
                none.insert(Janitor::start(run)?)
            }
        };
        janitor.watch(bot, traces, lock)
    }

    /// Removes a bot from the janitor's list.
    pub(crate) fn forget(&self, bot: u64) -> std::io::Result<()> {
        let mut janitor = self.shared.janitor.lock().unwrap_or_else(PoisonError::into_inner);
        janitor.as_mut().map_or(Ok(()), |janitor| janitor.forget(bot))
    }
}

fn since_boot_us() -> u128 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    std::time::Duration::try_from(now).unwrap_or_default().as_micros()
}

/// Starts a shim without a bot, with every restriction, and reads its report.
fn try_layers(root: bool, run: &Result<Run, Lack>, uids: &Arc<Pool>) -> Layers {
    let sandbox = Sandbox::default();
    let slot = if root { uids.take().map_err(Lack::of(Lack::UserIds)) } else { Err(Lack::NotRoot) };
    // Do not test a group that would not be used by default: that takes time.
    let run = run.as_ref().map_err(Clone::clone);
    let group = run
        .clone()
        .and_then(|run| if run.powers.limits() { Ok(run) } else { Err(Lack::NoControllers) })
        .and_then(|run| run.group(&sandbox).map_err(Lack::of(Lack::Group)));
    let restrict = Restrictions {
        cgroup: group.clone().ok(),
        limits: Limits {
            open_files: sandbox.open_files,
            file_bytes: sandbox.file_bytes,
            data_bytes: sandbox.memory_bytes,
            processes: None,
            cpu_seconds: None,
        },
        identity: slot.as_ref().map_or(Identity::Same, |slot| Identity::Own(slot.uid())),
        grants: Some(Grants::default()),
        scopes: true,
        seccomp: true,
        network: false,
        single_process: true,
        unmapped_memory: true,
        alarms: true,
    };
    let mut layers = Layers::none(&Lack::NoReport);
    layers.disk = on_disk();
    layers.autogroup = share::by_session();
    layers.own_user = slot.as_ref().map(drop).map_err(Clone::clone);
    layers.cgroup = run.map(|run| run.powers);
    match try_out(restrict) {
        Ok(lines) => layers.learn(&lines),
        Err(error) => {
            let ready = std::mem::replace(&mut layers, Layers::none(&Lack::of(Lack::Trial)(error)));
            layers.cgroup = ready.cgroup.and(layers.cgroup);
            layers.disk = ready.disk;
            layers.autogroup = ready.autogroup;
        }
    }
    if let Ok(group) = group {
        let _ = Traces { cgroup: Some(group), ..Traces::default() }.clear_up();
    }
    if let Ok(slot) = slot {
        slot.give_back_free();
    }
    layers
}

/// Checks that bots' directories are on a disk.
fn on_disk() -> Result<(), Lack> {
    let place = scratch::place();
    if scratch::on_disk(&place) { Ok(()) } else { Err(Lack::InMemory(place)) }
}

fn try_out(restrict: Restrictions) -> std::io::Result<Vec<crate::report::Line>> {
    let (channel, mut status) = Channel::open()?;
    let orders = Orders {
        parent: std::process::id(),
        status: channel.number(),
        strict: false,
        open_files: None,
        processors: Vec::new(),
        restrict: Some(restrict),
        env: std::collections::BTreeMap::new(),
        clear_env: true,
    };
    let nothing = std::process::Stdio::null;
    let mut command = with_orders(&orders)?;
    command.stdin(nothing()).stdout(nothing()).stderr(nothing());
    channel.pass_on()?;
    let mut child = command.spawn()?;
    drop(channel);
    child.wait()?;
    status.wait(std::time::Duration::from_secs(10))?.ok_or_else(|| std::io::ErrorKind::TimedOut.into())
}

fn own_threads() -> u64 {
    let own = crate::sweep::owned_by(geteuid().as_raw());
    own.into_iter().filter_map(|pid| procfs::status_field(pid, "Threads")).sum()
}

impl Layers {
    fn without(mut self, lacking: &[Layer]) -> Self {
        for layer in lacking {
            let why = Lack::Pretended(*layer);
            match layer {
                Layer::OwnUser => self.own_user = Err(why),
                Layer::Landlock => self.landlock = Err(why),
                Layer::LandlockScopes => {
                    self.landlock = self.landlock.map(|version| version.min(WITH_SCOPES - 1));
                }
                Layer::Seccomp => self.seccomp = Err(why),
            }
        }
        self
    }

    fn with_group(mut self, sandbox: &Sandbox) -> Self {
        let useful = self.cgroup.as_ref().is_ok_and(|powers| powers.limits());
        // A group without controllers is enough to stop a bot and to measure its processor time exactly.
        let exact = sandbox.freeze || sandbox.exact_processor_time;
        match sandbox.control_group {
            ControlGroup::Always => {}
            ControlGroup::ForLimits if exact || useful || self.cgroup.is_err() => {}
            ControlGroup::ForLimits => {
                self.cgroup = Err(Lack::NoControllers);
            }
            ControlGroup::Never => self.cgroup = Err(Lack::GroupRefused),
        }
        self
    }

    /// Takes over the report of a shim.
    pub(crate) fn learn(&mut self, lines: &[crate::report::Line]) {
        for line in lines {
            let result = match &line.outcome {
                Outcome::Done(detail) => Ok(detail.clone()),
                Outcome::Skipped(why) | Outcome::Failed(why) => Err(Lack::Shim(why.clone())),
            };
            match line.step {
                Step::Landlock => self.landlock = result.map(|version| version.parse().unwrap_or(0)),
                Step::Seccomp => self.seccomp = result.map(drop),
                Step::Limits => self.limits = result.map(drop),
                // A reason why there is none to begin with stays.
                Step::Identity => self.own_user = self.own_user.clone().and(result.map(drop)),
                Step::Cgroup => self.cgroup = self.cgroup.clone().and_then(|powers| result.map(|_| powers)),
                Step::Session => self.session = result.map(drop),
                Step::Descriptors | Step::Parent | Step::Processors | Step::Manners | Step::Exec => {}
            }
        }
    }
}
