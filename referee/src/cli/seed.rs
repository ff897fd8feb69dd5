//! The seed of a run if the organiser names none.

use std::path::Path;

use rustix::rand::{GetRandomFlags, getrandom};

use crate::record::{self, Files};

/// Returns the seed of the record in this directory, so that a run continues with its seed; without a record, a
/// number that nobody can guess.
///
/// The operating system draws it. It is below 2^63, the largest number that a tournament's file can hold.
pub(super) fn of_run(record: Option<&Path>) -> u64 {
    // A record that cannot be read is refused when the run opens it.
    let begun = record.and_then(|dir| record::read::run(&Files::new(dir.to_owned())).ok());
    begun.map_or_else(drawn, |run| run.seed)
}

pub(super) fn drawn() -> u64 {
    let mut bytes = [0; 8];
    let mut filled = 0;
    while filled < bytes.len() {
        // The kernel has random numbers soon after its start: the call waits for them and fails only if it is
        // interrupted.
        filled += getrandom(&mut bytes[filled..], GetRandomFlags::empty()).unwrap_or(0);
    }
    u64::from_ne_bytes(bytes) >> 1
}

#[cfg(test)]
mod tests {
    use super::drawn;

    #[test]
    fn seeds_that_are_drawn_differ_and_fit_into_a_file() {
        let seeds: std::collections::HashSet<u64> = (0..1000).map(|_| drawn()).collect();
        assert_eq!(seeds.len(), 1000);
        assert!(seeds.iter().all(|seed| i64::try_from(*seed).is_ok()));
        assert!(seeds.iter().any(|seed| *seed > u64::MAX >> 8), "all of them are small");
    }
}
