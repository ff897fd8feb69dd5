//! User ids for bots: each running bot of a referee that is root gets one of its own.

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::sweep::owned_by;

/// The ids that bots may get. systemd's list of uses (UIDS-GIDS) leaves them to nobody, and they exist also inside
/// containers that map only 65,536 ids.
const RANGE: std::ops::Range<u32> = 60_600..61_100;

/// Where the locks lie that keep two referees on one machine apart. Only root can write there.
const LOCKS: &str = "/run/bao-referee";

/// The ids that this referee has locked: true while a bot has it.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    held: Mutex<BTreeMap<u32, (File, bool)>>,
}

impl Pool {
    /// Takes an id that no bot of any referee has and under which no process runs.
    pub(crate) fn take(self: &Arc<Self>) -> io::Result<Slot> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((uid, (_, busy))) = held.iter_mut().find(|(_, (_, busy))| !*busy) {
            *busy = true;
            return Ok(Slot { uid: *uid, pool: Arc::clone(self) });
        }
        let directory = lock_directory()?;
        for uid in RANGE.filter(|uid| !held.contains_key(uid)).collect::<Vec<_>>() {
            let file = File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .open(directory.join(uid.to_string()))?;
            // A lock whose referee was killed is free, but its bots may still be there.
            if file.try_lock().is_ok() && owned_by(uid).is_empty() {
                held.insert(uid, (file, true));
                return Ok(Slot { uid, pool: Arc::clone(self) });
            }
        }
        Err(io::Error::other("every user id for bots is in use"))
    }
}

/// One id, taken until it is given back; one that is only dropped is not given out again by this referee.
#[derive(Debug)]
pub(crate) struct Slot {
    uid: u32,
    pool: Arc<Pool>,
}

impl Slot {
    pub(crate) fn uid(&self) -> u32 {
        self.uid
    }

    /// Gives the id back, when no process has it any more: two bots with one id could reach each other.
    pub(crate) fn give_back(self) {
        let mut held = self.pool.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, busy)) = held.get_mut(&self.uid) {
            *busy = false;
        }
    }
}

fn lock_directory() -> io::Result<&'static Path> {
    let path = Path::new(LOCKS);
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let meta = path.symlink_metadata()?;
    // The six lowest bits are the rights of the group and of others.
    if meta.is_dir() && meta.uid() == 0 && meta.mode().trailing_zeros() >= 6 {
        Ok(path)
    } else {
        Err(io::Error::other(format!("{LOCKS} is not a directory of root alone")))
    }
}
