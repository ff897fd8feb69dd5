//! Landlock: limits the files that a bot may use, and the processes that it may signal.

use std::path::PathBuf;

use landlock::{
    ABI, Access, AccessFs, AccessNet, LandlockStatus, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};
use serde::{Deserialize, Serialize};

use crate::step_error::StepError;

/// The version with scopes for signals and abstract sockets (Linux 6.12).
pub(crate) const WITH_SCOPES: u32 = 6;
/// The version that also guards against truncation (Linux 6.2).
pub(crate) const WITH_TRUNCATE: u32 = 3;

/// The files that a bot may use; everything else is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Grants {
    /// Read and execute.
    pub(crate) read: Vec<PathBuf>,
    /// Everything.
    pub(crate) write: Vec<PathBuf>,
}

/// What every bot may read: the system's programs and libraries, and the settings of runtimes.
pub const SYSTEM: &[&str] = &[
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/bin",
    "/sbin",
    "/nix/store",
    "/gnu/store",
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/crypto-policies",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/pki",
    "/etc/resolv.conf",
    "/etc/ssl",
    "/etc/timezone",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
    // Only the bot's own directory: the shim already has the bot's pid.
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys",
    "/proc/uptime",
    "/proc/version",
];

/// Names in `/etc` of settings of runtimes, with a version in the name.
const RUNTIME_SETTINGS: &[&str] =
    &["java", "python", "node", "perl", "ruby", "php", "lua", "mono", "dotnet", "R", "julia"];

/// Devices that every bot may read and write.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Restricts this thread and the program that it becomes; returns the Landlock version.
///
/// # Errors
/// Why the kernel restricts nothing.
pub(crate) fn restrict(grants: &Grants, network: bool, scopes: bool) -> Result<u32, StepError> {
    let (status, ruleset) = apply(grants, network, scopes).map_err(StepError::Landlock)?;
    let version = match status {
        LandlockStatus::NotEnabled => return Err(StepError::LandlockOff),
        LandlockStatus::NotImplemented => return Err(StepError::NoLandlock),
        LandlockStatus::Available { effective_abi, .. } => effective_abi as u32,
    };
    let version = if scopes { version } else { version.min(WITH_SCOPES - 1) };
    if ruleset == RulesetStatus::NotEnforced { Err(StepError::NothingRestricted) } else { Ok(version) }
}

/// Asks for the newest tested restrictions; the crate leaves out those that the kernel does not know.
fn apply(
    grants: &Grants,
    network: bool,
    scopes: bool,
) -> Result<(LandlockStatus, RulesetStatus), RulesetError> {
    let newest = ABI::V7;
    let mut ruleset = Ruleset::default().handle_access(AccessFs::from_all(newest))?;
    if scopes {
        ruleset = ruleset.scope(Scope::from_all(newest))?;
    }
    if !network {
        ruleset = ruleset.handle_access(AccessNet::from_all(newest))?;
    }
    let reading = AccessFs::Execute | AccessFs::ReadFile | AccessFs::ReadDir;
    let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    let status = ruleset
        .create()?
        // Paths that do not exist here, or that the bot's own user cannot reach anyway, are left out.
        .add_rules(path_beneath_rules(SYSTEM, reading))?
        .add_rules(path_beneath_rules(runtime_settings(), reading))?
        .add_rules(path_beneath_rules(&grants.read, reading))?
        .add_rules(path_beneath_rules(DEVICES, device))?
        .add_rules(path_beneath_rules(&grants.write, AccessFs::from_all(newest)))?
        .restrict_self()?;
    Ok((status.landlock, status.ruleset))
}

fn runtime_settings() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    entries
        .filter(|entry| {
            RUNTIME_SETTINGS
                .iter()
                .any(|name| entry.file_name().as_encoded_bytes().starts_with(name.as_bytes()))
        })
        .map(|entry| entry.path())
        .collect()
}
