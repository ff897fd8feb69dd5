//! The engines that carry bundles out, as command lines.

use std::fmt;
use std::str::FromStr;

/// An engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Worker processes of this machine.
    Local,
    /// GNU parallel over ssh.
    Parallel,
    /// A Slurm array for each wave.
    Slurm,
    /// A HyperQueue array for each wave.
    Hq,
    /// A Kubernetes Indexed Job for each wave.
    Kubernetes,
    /// A command for each bundle.
    Command,
}

/// A text that names no engine.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not one of the engines local, parallel, slurm, hq, kubernetes, command")]
pub struct UnknownEngine(String);

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Self, UnknownEngine> {
        match text {
            "local" => Ok(Self::Local),
            "parallel" => Ok(Self::Parallel),
            "slurm" => Ok(Self::Slurm),
            "hq" => Ok(Self::Hq),
            "kubernetes" => Ok(Self::Kubernetes),
            "command" => Ok(Self::Command),
            other => Err(UnknownEngine(other.to_owned())),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Local => "local",
            Self::Parallel => "parallel",
            Self::Slurm => "slurm",
            Self::Hq => "hq",
            Self::Kubernetes => "kubernetes",
            Self::Command => "command",
        })
    }
}

/// Variables in which engines tell a task its index, and the index of the first task.
const INDICES: [(&str, u64); 11] = [
    ("SLURM_ARRAY_TASK_ID", 1),
    ("HQ_TASK_ID", 1),
    ("JOB_COMPLETION_INDEX", 0),
    ("PBS_ARRAY_INDEX", 1),
    ("PBS_ARRAYID", 1),
    ("SGE_TASK_ID", 1),
    ("LSB_JOBINDEX", 1),
    ("AWS_BATCH_JOB_ARRAY_INDEX", 0),
    ("CLOUD_RUN_TASK_INDEX", 0),
    ("NOMAD_ALLOC_INDEX", 0),
    ("PARALLEL_SEQ", 1),
];

/// Returns the number of a task's bundle, from 1, by the variable that its engine sets; `variable` returns the value of a
/// variable.
pub fn index(variable: impl Fn(&str) -> Option<String>) -> Option<u64> {
    INDICES.iter().find_map(|(name, first)| (variable(name)?.parse::<u64>().ok()? + 1).checked_sub(*first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_task_has_the_first_bundle_whatever_its_engine_counts_from() {
        for (name, first) in INDICES {
            let set = |value: u64| move |asked: &str| (asked == name).then(|| value.to_string());
            assert_eq!(index(set(first)), Some(1), "{name}");
            assert_eq!(index(set(first + 11)), Some(12), "{name}");
        }
        assert_eq!(index(|_| None), None);
        assert_eq!(index(|_| Some("undefined".to_owned())), None);
    }

    #[test]
    fn an_engine_is_written_as_it_is_read() {
        for name in ["local", "parallel", "slurm", "hq", "kubernetes", "command"] {
            assert_eq!(name.parse::<Engine>().map(|engine| engine.to_string()).ok().as_deref(), Some(name));
        }
    }
}
