//! Checks whether the kernel divides processor time by session, so that a bot gains nothing by having many processes.
//!
//! Linux puts each session into its own group ("autogroup"), and each group gets the same share. This is true only
//! for processes that are in no control group with the cpu controller.

use std::fs;
use std::path::Path;

use crate::cgroup;
use crate::lack::Lack;

/// Checks that processor time is divided between the sessions that this process starts.
///
/// # Errors
/// The obstacle.
pub(crate) fn by_session() -> Result<(), Lack> {
    let enabled = fs::read_to_string("/proc/sys/kernel/sched_autogroup_enabled").unwrap_or_default();
    if enabled.trim_end() != "1" {
        return Err(Lack::NoAutogroup);
    }
    let read = |name: &str| fs::read_to_string(name).map_err(Lack::of(Lack::Unreadable));
    let (mounts, groups) = (read("/proc/self/mountinfo")?, read("/proc/self/cgroup")?);
    let root = match version_1(&groups) {
        Some(group) => cgroup::seen_through(&mounts, group, has_cpu).is_some_and(|path| is_root_of_1(&path)),
        None => cgroup::own_group().is_ok_and(|path| is_free_of_2(&path)),
    };
    if root { Ok(()) } else { Err(Lack::NotRootGroup) }
}

/// Finds the group of this process in the hierarchy of version 1 that has the cpu controller.
fn version_1(groups: &str) -> Option<&str> {
    groups.lines().find_map(|line| {
        let (controllers, group) = line.split_once(':')?.1.split_once(':')?;
        controllers.split(',').any(|name| name == "cpu").then_some(group)
    })
}

fn has_cpu(mount: &str) -> bool {
    let options = mount.strip_prefix("cgroup ").and_then(|rest| rest.rsplit(' ').next());
    options.is_some_and(|options| options.split(',').any(|name| name == "cpu"))
}

/// Only the true root has this file; a root of a namespace does not.
fn is_root_of_1(group: &Path) -> bool {
    group.join("release_agent").exists()
}

/// Returns whether no group from this one to the true root has the controller.
fn is_free_of_2(group: &Path) -> bool {
    let groups = || group.ancestors().take_while(|path| path.join("cgroup.procs").exists());
    groups().all(|path| !path.join("cpu.weight").exists())
        && groups().last().is_some_and(|top| !top.join("cgroup.type").exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_of_version_1_is_the_one_with_the_cpu_controller() {
        assert_eq!(version_1("5:cpuset:/a\n4:cpu,cpuacct:/b\n0::/c\n"), Some("/b"));
        assert_eq!(version_1("5:cpuset:/a\n2:cpuacct:/b\n0::/c\n"), None);
        assert!(has_cpu("cgroup cgroup rw,cpu,cpuacct"));
        assert!(!has_cpu("cgroup cgroup rw,cpuset"));
        assert!(!has_cpu("cgroup2 cgroup2 rw,cpu"));
    }
}
