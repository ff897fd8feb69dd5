//! Control groups (version 2), if the machine lets us create them.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::lack::Lack;
use crate::sandbox::Sandbox;

/// What the control groups of this machine can do for a bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Powers {
    /// `cgroup.kill`: the whole tree dies at once (Linux 5.14).
    pub(crate) kill: bool,
    /// `cgroup.freeze` (Linux 5.2).
    pub(crate) freeze: bool,
    /// `memory.max`.
    pub(crate) memory: bool,
    /// `pids.max`.
    pub(crate) pids: bool,
    /// `cpu.weight`: processor time is divided between groups, independently of their numbers of processes.
    pub(crate) cpu: bool,
}

impl Powers {
    /// Returns whether a control group can limit anything.
    pub(crate) fn limits(self) -> bool {
        self.memory || self.pids || self.cpu
    }
}

/// The control group in which this referee creates one for each bot; removed on drop.
#[derive(Debug)]
pub(crate) struct Run {
    path: PathBuf,
    pub(crate) powers: Powers,
    next: AtomicU64,
}

impl Run {
    /// Finds the referee's own control group and creates the run's group in it.
    ///
    /// # Errors
    /// Why that is impossible, and what an operator can do.
    pub(crate) fn create() -> Result<Self, Lack> {
        let own = own_group()?;
        // A referee that starts in a leaf uses the group of the referee that created the leaf.
        let home = own.parent().filter(|_| own.ends_with(LEAF)).map_or_else(|| own.clone(), Path::to_owned);
        let path = create_one_of(&home).map_err(|error| Lack::NotDelegated(own, error.into()))?;
        hand_down(&home);
        hand_down(&path);
        let enabled = fs::read_to_string(path.join("cgroup.subtree_control")).unwrap_or_default();
        let has = |name: &str| enabled.split_ascii_whitespace().any(|one| one == name);
        let powers = Powers {
            kill: path.join("cgroup.kill").exists(),
            freeze: path.join("cgroup.freeze").exists(),
            memory: has("memory"),
            pids: has("pids"),
            cpu: has("cpu"),
        };
        Ok(Self { path, powers, next: AtomicU64::new(0) })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Creates the group of one bot with its limits.
    pub(crate) fn group(&self, sandbox: &Sandbox) -> io::Result<PathBuf> {
        let path = self.path.join(format!("bot-{}", self.next.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir(&path)?;
        if self.powers.memory
            && let Some(bytes) = sandbox.memory_bytes
        {
            fs::write(path.join("memory.max"), bytes.to_string())?;
            // Some kernels do not have these two, and the limit works without them.
            let _ = fs::write(path.join("memory.swap.max"), "0");
            let _ = fs::write(path.join("memory.oom.group"), "1");
        }
        if self.powers.pids
            && let Some(processes) = sandbox.processes
        {
            fs::write(path.join("pids.max"), processes.to_string())?;
        }
        Ok(path)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.path);
    }
}

/// Kills every process in a group.
pub(crate) fn kill(group: &Path) -> io::Result<()> {
    fs::write(group.join("cgroup.kill"), "1")
}

/// Lists the processes in a group, zombies left out.
pub(crate) fn members(group: &Path) -> Vec<i32> {
    // Reading the file takes about 10 us, whether it is kept open or not.
    let text = fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

/// Removes an empty group, if it exists.
pub(crate) fn remove(group: &Path) -> io::Result<()> {
    match fs::remove_dir(group) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Reads one number of a file of `name number` lines, such as `usage_usec` of `cpu.stat`.
pub(crate) fn number(file: &File, name: &str) -> Option<u64> {
    let mut buffer = [0; 4096];
    let length = file.read_at(&mut buffer, 0).ok()?;
    let text = std::str::from_utf8(&buffer[..length]).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

/// The name of the group into which a referee moves if it is alone in a group that it wants to divide.
const LEAF: &str = "bao-referee";

/// Creates a new group for this process; an earlier process with this number may have left one.
fn create_one_of(home: &Path) -> io::Result<PathBuf> {
    let mut names = (0u32..).map(|number| home.join(format!("bao-{}-{number}", std::process::id())));
    loop {
        let path = names.next().ok_or(io::ErrorKind::AlreadyExists)?;
        match fs::create_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => return result.map(|()| path),
        }
    }
}

/// Passes the controllers of a group on to its children, as many as possible.
fn hand_down(group: &Path) {
    let control = group.join("cgroup.subtree_control");
    for controller in ["+memory", "+pids", "+cpu"] {
        if fs::write(&control, controller).is_err() && alone_in(group) {
            // A group with members cannot pass controllers on: if the referee is alone in it (its own systemd
            // unit), it moves one level down.
            let leaf = group.join(LEAF);
            let _exists = fs::create_dir(&leaf);
            if fs::write(leaf.join("cgroup.procs"), "0").is_ok() {
                let _ = fs::write(&control, controller);
            }
        }
    }
}

fn alone_in(group: &Path) -> bool {
    members(group).iter().map(|pid| pid.unsigned_abs()).eq([std::process::id()])
}

/// Finds the directory of this process's control group of version 2.
pub(crate) fn own_group() -> Result<PathBuf, Lack> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").map_err(Lack::of(Lack::Unreadable))?;
    let groups = fs::read_to_string("/proc/self/cgroup").map_err(Lack::of(Lack::Unreadable))?;
    locate(&mounts, &groups).ok_or(Lack::NoGroups)
}

fn locate(mounts: &str, groups: &str) -> Option<PathBuf> {
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    seen_through(mounts, own, |kind| kind.starts_with("cgroup2 "))
}

/// Finds the path of a group in the first mount of a kind; the kind is the text after the dash in `mountinfo`.
pub(crate) fn seen_through(mounts: &str, group: &str, wanted: impl Fn(&str) -> bool) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        if !wanted(after) {
            return None;
        }
        let mut fields = before.split(' ').skip(3);
        let (root, point) = (fields.next()?, fields.next()?);
        // A mount shows only groups below its root.
        let below = Path::new(group).strip_prefix(root).ok()?;
        Some(Path::new(point).join(below))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_group_is_found_through_its_mount() {
        let mounts = "22 27 0:21 / /proc rw - proc proc rw\n\
                      30 27 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup rw\n";
        let found = |groups| locate(mounts, groups);
        assert_eq!(
            found("4:memory:/x\n0::/user.slice/a\n").as_deref(),
            Some(Path::new("/sys/fs/cgroup/user.slice/a"))
        );
        assert_eq!(found("4:memory:/x\n"), None);
        let inside = "30 27 0:26 /docker/7 /sys/fs/cgroup rw - cgroup2 cgroup rw\n";
        assert_eq!(locate(inside, "0::/docker/7/a").as_deref(), Some(Path::new("/sys/fs/cgroup/a")));
        assert_eq!(locate(inside, "0::/other"), None);
    }
}
