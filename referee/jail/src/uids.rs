//! User ids for bots: if the referee is root, each running bot gets its own.

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::sweep::owned_by;

/// The ids that bots may get. systemd's list of uses (UIDS-GIDS) reserves them for no program, and they also exist
/// inside containers that map only 65,536 ids.
const RANGE: std::ops::Range<u32> = 60_600..61_100;

/// The directory of the locks that separate referees on one machine. Only root can write there.
const LOCKS: &str = "/run/bao-referee";

/// The ids that this referee has locked, and their states.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    held: Mutex<BTreeMap<u32, (Arc<File>, State)>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No process has it.
    Free,
    /// A bot has it.
    Busy,
    /// Its bot has ended, but a process may still have it: a dead process also counts for the limits of a user.
    Resting,
}

impl Pool {
    /// Takes an id that no bot of any referee has, and no process, dead or alive.
    pub(crate) fn take(self: &Arc<Self>) -> io::Result<Slot> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let free = |uid: u32, state: State| match state {
            State::Free => true,
            State::Busy => false,
            State::Resting => owned_by(uid).is_empty(),
        };
        let by_preference = [State::Free, State::Resting];
        let found = by_preference
            .iter()
            .find_map(|wanted| held.iter().find(|(uid, (_, state))| state == wanted && free(**uid, *state)))
            .map(|(uid, _)| *uid);
        if let Some(uid) = found
            && let Some((lock, state)) = held.get_mut(&uid)
        {
            *state = State::Busy;
            return Ok(Slot { uid, lock: Arc::clone(lock), pool: Arc::clone(self) });
        }
        let directory = lock_directory()?;
        for uid in RANGE.filter(|uid| !held.contains_key(uid)).collect::<Vec<_>>() {
            let file = File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .open(directory.join(uid.to_string()))?;
            // The janitor of a killed referee keeps the lock until it has swept.
            if file.try_lock().is_ok() && owned_by(uid).is_empty() {
                let lock = Arc::new(file);
                held.insert(uid, (Arc::clone(&lock), State::Busy));
                return Ok(Slot { uid, lock, pool: Arc::clone(self) });
            }
        }
        Err(io::Error::other("every user id for bots is in use"))
    }
}

/// One id, taken until it is dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    uid: u32,
    lock: Arc<File>,
    pool: Arc<Pool>,
}

impl Slot {
    pub(crate) fn uid(&self) -> u32 {
        self.uid
    }

    /// The lock that keeps other referees from this id.
    pub(crate) fn lock(&self) -> &Arc<File> {
        &self.lock
    }

    /// Returns the id, if the caller knows that no process has it, dead or alive.
    pub(crate) fn give_back_free(self) {
        self.set(State::Free);
    }

    fn set(&self, to: State) {
        let mut held = self.pool.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, state)) = held.get_mut(&self.uid)
            && *state == State::Busy
        {
            *state = to;
        }
    }
}

impl Drop for Slot {
    /// If the state of an id is unknown, it is checked before it is used again: two bots with one id could reach
    /// each other, and dead processes of one would count against the other.
    fn drop(&mut self) {
        self.set(State::Resting);
    }
}

fn lock_directory() -> io::Result<&'static Path> {
    let path = Path::new(LOCKS);
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let meta = path.symlink_metadata()?;
    // The six lowest bits are the rights of group and others.
    if meta.is_dir() && meta.uid() == 0 && meta.mode().trailing_zeros() >= 6 {
        Ok(path)
    } else {
        Err(io::Error::other(format!("{LOCKS} is not a directory of root alone")))
    }
}
