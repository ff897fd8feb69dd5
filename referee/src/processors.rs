//! Processors for a run's bots alone: which there are, and who gets which.
//!
//! A table's bots get whole cores, with all their hardware threads: half a core is as fast as the other half lets it be.
//! The referee keeps at least one core for itself, so that no game waits for its accounts.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::str::FromStr;

use bao_protocol::record::Pinning;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::text::count::count;

/// Who shares a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pin {
    /// Nobody: every bot has a core of its own.
    Bots,
    /// The two bots of a table: a bot that thinks while it is not on turn takes time from its opponent.
    Tables,
}

/// A word that names no way of sharing cores.
#[derive(Debug, Clone, thiserror::Error)]
#[error("pin `{0}` is not one of bots, tables")]
pub struct BadPin(String);

impl FromStr for Pin {
    type Err = BadPin;

    fn from_str(text: &str) -> Result<Self, BadPin> {
        match text {
            "bots" => Ok(Self::Bots),
            "tables" => Ok(Self::Tables),
            other => Err(BadPin(other.to_owned())),
        }
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bots => "bots",
            Self::Tables => "tables",
        })
    }
}

/// The processors that this process may use, core by core.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cores {
    /// The cores all of whose hardware threads this process may use, each with the numbers of these processors.
    pub whole: Vec<Vec<u32>>,
    /// Processors whose core others use, too.
    pub split: Vec<u32>,
}

impl Cores {
    /// Finds out which there are.
    ///
    /// # Errors
    /// What the system says.
    pub fn of_this_process() -> io::Result<Self> {
        let allowed = sched_getaffinity(None)?;
        let processors = (0..CpuSet::MAX_CPU).filter(|processor| allowed.is_set(*processor));
        let siblings = |processor: usize| {
            let path = format!("/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list");
            let list = std::fs::read_to_string(path).ok().and_then(|list| numbers(list.trim()));
            // A system that does not tell has no hardware threads that share a core, as far as anybody knows.
            list.unwrap_or_else(|| vec![processor as u32])
        };
        Ok(Self::group(processors.map(|processor| (processor as u32, siblings(processor)))))
    }

    /// Groups processors, each with all hardware threads of its core.
    fn group(processors: impl Iterator<Item = (u32, Vec<u32>)>) -> Self {
        let mut cores: BTreeMap<u32, (usize, Vec<u32>)> = BTreeMap::new();
        for (processor, siblings) in processors {
            let first = siblings.iter().copied().min().unwrap_or(processor);
            cores.entry(first).or_insert((siblings.len(), Vec::new())).1.push(processor);
        }
        let mut found = Self::default();
        for (all, mine) in cores.into_values() {
            if mine.len() >= all {
                found.whole.push(mine);
            } else {
                found.split.extend(mine);
            }
        }
        found
    }

    /// Returns how many games can be played at once; the referee takes a whole core where it has no other processor.
    pub fn tables(&self, pin: Pin) -> usize {
        let spare = self.whole.len() - usize::from(self.split.is_empty()).min(self.whole.len());
        spare / each(pin)
    }

    /// Gives each table's bots cores of their own, and the referee all that is left.
    ///
    /// # Errors
    /// [`TooFewCores`] with what is missing.
    pub fn share_out(&self, pin: Pin, tables: usize) -> Result<Pinning, TooFewCores> {
        if tables > self.tables(pin) {
            let (whole, split) = (self.whole.len(), self.split.len());
            return Err(TooFewCores { pin, tables, whole, split, fit: self.tables(pin) });
        }
        // The first processors serve most of a machine's interrupts: the referee stays with them.
        let (referee, bots) = self.whole.split_at(self.whole.len() - tables * each(pin));
        let tables = bots.chunks(each(pin)).map(|cores| match cores {
            [first, second] => [first.clone(), second.clone()],
            shared => [shared.concat(), shared.concat()],
        });
        let mut referee = [referee.concat(), self.split.clone()].concat();
        referee.sort_unstable();
        Ok(Pinning { referee, tables: tables.collect() })
    }
}

fn each(pin: Pin) -> usize {
    match pin {
        Pin::Bots => 2,
        Pin::Tables => 1,
    }
}

/// There are fewer cores than were asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooFewCores {
    pin: Pin,
    tables: usize,
    whole: usize,
    split: usize,
    fit: usize,
}

impl std::error::Error for TooFewCores {}

impl fmt::Display for TooFewCores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pin, tables, whole, split, fit } = self;
        let own = usize::from(*split == 0);
        let needed = count((tables * each(*pin) + own) as u64, "whole core");
        write!(f, "--pin {pin} with {} at once needs {needed}", count(*tables as u64, "game"))?;
        if own > 0 {
            f.write_str(", one of them for the referee")?;
        }
        write!(f, "; the referee may use {}", count(*whole as u64, "whole core"))?;
        if *split > 0 {
            write!(f, " and {} of cores that it may not use whole", count(*split as u64, "processor"))?;
        }
        match (fit, pin) {
            (1.., _) => write!(f, "; use --concurrency {fit} or less"),
            (0, Pin::Bots) if *whole > own => f.write_str("; use --pin tables with --concurrency 1"),
            (0, _) => f.write_str("; leave --pin out"),
        }
    }
}

/// Keeps this process, with all its threads and all that it starts from now on, on these processors.
///
/// # Errors
/// What the system says.
pub fn keep_to(processors: &[u32]) -> io::Result<()> {
    let mut set = CpuSet::new();
    for processor in processors.iter().filter(|processor| (**processor as usize) < CpuSet::MAX_CPU) {
        set.set(*processor as usize);
    }
    for thread in std::fs::read_dir("/proc/self/task")? {
        let number = thread?.file_name().to_string_lossy().parse().ok().and_then(Pid::from_raw);
        match number.map(|number| sched_setaffinity(Some(number), &set)) {
            // A thread that has just ended.
            None | Some(Ok(()) | Err(rustix::io::Errno::SRCH)) => {}
            Some(Err(error)) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Reads a list of processors as the system writes it: `0-3,8`.
fn numbers(list: &str) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    for run in list.split(',') {
        let (first, last) = run.split_once('-').unwrap_or((run, run));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        numbers.extend((first..=last).take(CpuSet::MAX_CPU));
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cores(text: &str) -> Cores {
        let core = |core: &str| numbers(core).unwrap();
        let all: Vec<(u32, Vec<u32>)> = text
            .split(' ')
            .flat_map(|text| core(text).into_iter().map(move |one| (one, core(text))))
            .collect();
        Cores::group(all.into_iter())
    }

    #[test]
    fn a_table_gets_whole_cores_and_the_referee_the_rest() {
        let machine = cores("0,4 1,5 2,6 3,7");
        assert_eq!((machine.tables(Pin::Bots), machine.tables(Pin::Tables)), (1, 3));
        let pinning = machine.share_out(Pin::Bots, 1).unwrap();
        assert_eq!(pinning, Pinning { referee: vec![0, 1, 4, 5], tables: vec![[vec![2, 6], vec![3, 7]]] });
        let pinning = machine.share_out(Pin::Tables, 3).unwrap();
        assert_eq!(pinning.referee, [0, 4]);
        assert_eq!(pinning.tables[0], [vec![1, 5], vec![1, 5]]);
    }

    #[test]
    fn no_processor_is_given_out_twice_and_none_is_lost() {
        for size in 1..12 {
            let machine =
                cores(&(0..size).map(|core| format!("{core},{}", core + 100)).collect::<Vec<_>>().join(" "));
            for pin in [Pin::Bots, Pin::Tables] {
                for tables in 0..=machine.tables(pin) {
                    let Pinning { referee, tables } = machine.share_out(pin, tables).unwrap();
                    assert!(!referee.is_empty());
                    let bots = tables.iter().flat_map(|[first, second]| match pin {
                        Pin::Bots => [first.clone(), second.clone()].concat(),
                        Pin::Tables => first.clone(),
                    });
                    let mut all: Vec<u32> = referee.into_iter().chain(bots).collect();
                    all.sort_unstable();
                    assert_eq!(all, (0..size).chain(100..100 + size).collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn half_a_core_is_for_the_referee() {
        let machine = Cores::group([(0, vec![0, 4]), (1, vec![1, 5]), (5, vec![1, 5])].into_iter());
        assert_eq!(machine, Cores { whole: vec![vec![1, 5]], split: vec![0] });
        let pinning = machine.share_out(Pin::Tables, 1).unwrap();
        assert_eq!(pinning, Pinning { referee: vec![0], tables: vec![[vec![1, 5], vec![1, 5]]] });
    }

    #[test]
    fn what_is_missing_is_said_with_what_to_do() {
        let refused =
            |machine: &str, pin, tables| cores(machine).share_out(pin, tables).unwrap_err().to_string();
        assert_eq!(
            refused("0 1", Pin::Bots, 1),
            "--pin bots with 1 game at once needs 3 whole cores, one of them for the referee; the referee may use 2 \
             whole cores; use --pin tables with --concurrency 1"
        );
        assert!(refused("0 1 2", Pin::Tables, 3).ends_with("use --concurrency 2 or less"));
        assert!(refused("0", Pin::Tables, 1).ends_with("leave --pin out"));
        assert!(refused("0", Pin::Bots, 1).ends_with("leave --pin out"));
    }

    #[test]
    fn a_list_is_read_as_the_system_writes_it() {
        assert_eq!(numbers("0-1,4-6,9"), Some(vec![0, 1, 4, 5, 6, 9]));
        assert_eq!(numbers("x"), None);
        assert!(numbers("0-4294967295").unwrap().len() <= CpuSet::MAX_CPU);
    }
}
