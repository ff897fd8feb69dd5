//! How late the referee itself is.
//!
//! All games run on one thread, which sleeps until a pipe has something to read. Two things can make it late: the
//! kernel has no processor to run it on (counted by the scheduler in `/proc/thread-self/schedstat`), and other games
//! are served first in the same round. [`note_wake_up`] is called by the runtime whenever the thread wakes;
//! [`lag_us`] then tells how long ago the thread could have read what it is reading now.

use std::cell::RefCell;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Instant;

thread_local! {
    static WAKE: RefCell<Wake> = RefCell::new(Wake {
        schedstat: File::open("/proc/thread-self/schedstat").ok(),
        waited_ns: 0,
        late_ns: 0,
        woke: None,
    });
}

#[derive(Debug)]
struct Wake {
    // There is none where the kernel does not count it.
    schedstat: Option<File>,
    // What the kernel has counted in all, and what it counted for the last sleep, in nanoseconds.
    waited_ns: u64,
    late_ns: u64,
    woke: Option<Instant>,
}

/// Takes note that the thread has just woken up.
pub fn note_wake_up() {
    WAKE.with_borrow_mut(|wake| {
        let waited_ns = wake.schedstat.as_ref().and_then(waited_ns).unwrap_or(wake.waited_ns);
        wake.late_ns = waited_ns - wake.waited_ns.min(waited_ns);
        wake.waited_ns = waited_ns;
        #[expect(clippy::disallowed_methods, reason = "the wake-up is stamped where it happens")]
        let now = Instant::now();
        wake.woke = Some(now);
    });
}

/// Returns for how long what is read at `now` may have lain ready, in microseconds.
pub fn lag_us(now: Instant) -> u64 {
    WAKE.with_borrow(|wake| {
        let since = wake.woke.map_or(0, |woke| now.saturating_duration_since(woke).as_nanos() as u64);
        (since + wake.late_ns) / 1000
    })
}

/// Reads the second number of a schedstat file: the nanoseconds that the thread was ready and had no processor.
fn waited_ns(file: &File) -> Option<u64> {
    let mut text = [0; 64];
    let length = file.read_at(&mut text, 0).ok()?;
    let mut words = text[..length].split(|byte| *byte == b' ');
    std::str::from_utf8(words.nth(1)?).ok()?.parse().ok()
}
