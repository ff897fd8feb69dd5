//! Measures the memory of one process: its own, and what the kernel uses for it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::OnceLock;

use crate::procfs::{self, Stat};

/// The memory of one process, by a measurement that takes microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Glance {
    /// Resident memory in bytes; shared memory counts once for each process.
    pub(crate) resident: u64,
    /// The most that the kernel may use for it in addition, in bytes.
    pub(crate) hidden_at_most: u64,
}

/// How many mapped bytes need one byte of page tables: an entry of 8 bytes for a page of 4096.
const MAPPED_FOR_TABLES: u64 = 512;
/// The kernel's memory for a mapping of any size, in bytes, as measured (65,000 mappings: 19 MiB).
const MAPPING_BYTES: u64 = 300;
/// The most mappings of a process, unless the administrator has changed `vm.max_map_count`.
const MOST_MAPPINGS: u64 = 65_530;
/// The assumed number of open files of a process that hides them.
const CLOSED_FILES: u64 = 512;

/// Measures a process by its `statm`, a file that is kept open.
///
/// `None` if it has ended, or if only [`glance`] can measure it.
pub(crate) fn glance_at_leader(pid: i32, statm: &File) -> Option<Glance> {
    let mut buffer = [0; 128];
    let length = statm.read_at(&mut buffer, 0).ok()?;
    let glance = Glance::of_statm(std::str::from_utf8(&buffer[..length]).ok()?)?;
    Some(glance.with_files(open_files(pid, pid)))
}

/// Measures a process.
pub(crate) fn glance(stat: &Stat) -> Glance {
    let page = rustix::param::page_size() as u64;
    let thread = living_thread(stat);
    let glance = if thread == stat.pid {
        Glance::of_pages(stat.mapped_bytes / page, stat.resident_pages)
    } else {
        let statm = fs::read_to_string(format!("/proc/{}/task/{thread}/statm", stat.pid)).unwrap_or_default();
        Glance::of_statm(&statm).unwrap_or_default()
    };
    glance.with_files(open_files(stat.pid, thread))
}

impl Glance {
    /// Reads the mapped and the resident pages; `None` for a dead thread, which has none.
    fn of_statm(text: &str) -> Option<Self> {
        let mut fields = text.split(' ').map_while(|field| field.parse::<u64>().ok());
        let (mapped, resident) = (fields.next().filter(|pages| *pages > 0)?, fields.next()?);
        Some(Self::of_pages(mapped, resident))
    }

    fn of_pages(mapped: u64, resident: u64) -> Self {
        let page = rustix::param::page_size() as u64;
        let tables = mapped * page / MAPPED_FOR_TABLES;
        Self { resident: resident * page, hidden_at_most: tables + mapped.min(MOST_MAPPINGS) * MAPPING_BYTES }
    }

    fn with_files(self, files: u64) -> Self {
        Self { hidden_at_most: self.hidden_at_most + files * socket_bytes(), ..self }
    }
}

/// Counts the kernel's memory for a process: page tables, mappings, and what its sockets may contain. Sockets that
/// were `seen` with another process do not count again.
pub(crate) fn hidden(stat: &Stat, seen: &mut BTreeSet<String>) -> u64 {
    let (pid, thread) = (stat.pid, living_thread(stat));
    let tables =
        procfs::task_field(pid, thread, "VmPTE").unwrap_or(0) * 1024 + mappings(pid, thread) * MAPPING_BYTES;
    let Ok(files) = fs::read_dir(format!("/proc/{pid}/task/{thread}/fd")) else {
        return tables + CLOSED_FILES * socket_bytes();
    };
    let links = files.flatten().filter_map(|file| fs::read_link(file.path()).ok());
    let sockets = links.filter_map(|link| Some(link.to_str()?.to_owned()));
    let new = sockets.filter(|link| link.starts_with("socket:") && seen.insert(link.clone())).count() as u64;
    tables + new * socket_bytes()
}

/// Counts the mappings of a process; the greatest possible number if they are hidden.
fn mappings(pid: i32, thread: i32) -> u64 {
    let mut lines = 0;
    let mut block = [0; 16 << 10];
    let Ok(mut file) = File::open(format!("/proc/{pid}/task/{thread}/maps")) else { return MOST_MAPPINGS };
    while let Ok(count @ 1..) = file.read(&mut block) {
        lines += block[..count].split(|byte| *byte == b'\n').count() as u64 - 1;
    }
    lines
}

/// Reads a process's share of anonymous and shared memory in bytes; `None` if the kernel does not show it, or not
/// in bounded time: a process without its first thread.
///
/// This takes milliseconds for a large process.
pub(crate) fn proportional(stat: &Stat) -> Option<u64> {
    if stat.lost_its_first_thread() {
        return None;
    }
    let text = fs::read_to_string(format!("/proc/{}/smaps_rollup", stat.pid)).ok()?;
    let field = |name: &str| -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_ascii_whitespace().next()?.parse().ok()
    };
    Some((field("Pss_Anon:")? + field("Pss_Shmem:")?) * 1024)
}

/// Finds a thread that shows the memory of a process: the first one, unless it has ended before others.
fn living_thread(stat: &Stat) -> i32 {
    let shows = |thread: &i32| {
        *thread != stat.pid && procfs::task_field(stat.pid, *thread, "VmSize").is_some_and(|size| size > 0)
    };
    let other = stat.lost_its_first_thread().then(|| procfs::threads(stat.pid).find(shows)).flatten();
    other.unwrap_or(stat.pid)
}

/// Counts the open files of a process.
fn open_files(pid: i32, thread: i32) -> u64 {
    let path = format!("/proc/{pid}/task/{thread}/fd");
    // Since Linux 6.2 the size of the directory is their number.
    match fs::metadata(&path).map(|meta| meta.size()) {
        Ok(0) => fs::read_dir(&path).map_or(CLOSED_FILES, |files| files.count() as u64),
        Ok(count) => count,
        Err(_) => CLOSED_FILES,
    }
}

/// Returns how many bytes may wait in an unread socket. Bots cannot change the size of their buffers.
fn socket_bytes() -> u64 {
    static BYTES: OnceLock<u64> = OnceLock::new();
    *BYTES.get_or_init(|| {
        let text = fs::read_to_string("/proc/sys/net/core/wmem_default").unwrap_or_default();
        text.trim().parse().unwrap_or(212_992)
    })
}
