//! How late the referee itself is.
//!
//! All games run on one thread, which sleeps until a pipe has something to read. Three things can make it late. The
//! kernel has no processor to run it on: the scheduler counts that in `/proc/thread-self/schedstat`. Other games
//! are served first in the same round. Or the whole referee is stopped: Ctrl-Z, a debugger, a paused container or
//! machine. The kernel does not count that; but a second thread, which only leaves a sign of life at intervals, is
//! stopped too. [`note_sleep`] and [`note_wake_up`] are called by the runtime; [`lag_us`] then returns how long ago
//! the thread could have read what it is reading now, and [`absent_us`] how much of a delay the scheduler does not
//! explain.

use std::cell::RefCell;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often the second thread leaves a sign of life.
const SIGN: Duration = Duration::from_millis(50);
/// How long there must have been none before the referee counts as stopped: that thread, too, may wait for a
/// processor.
const STOPPED_NS: u64 = 500_000_000;

/// For how long a stop matters: the thread may wake, find nothing yet, and sleep again before it sees what was there.
const FRESH_NS: u64 = 20_000_000;

/// When the signs of life began; in nanoseconds since then, when the last one was left, and when the last stop was
/// over; and how long that was.
static BEGAN: OnceLock<Instant> = OnceLock::new();
static LAST: AtomicU64 = AtomicU64::new(0);
static STOP_OVER: AtomicU64 = AtomicU64::new(0);
static STOP_LENGTH: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static WAKE: RefCell<Wake> = RefCell::new(Wake {
        schedstat: File::open("/proc/thread-self/schedstat").ok(),
        waited_ns: 0,
        late_ns: 0,
        slept: None,
        woke: None,
    });
}

#[derive(Debug)]
struct Wake {
    // `None` if the kernel does not count it.
    schedstat: Option<File>,
    // The kernel's total count, and the length of the last sleep, in nanoseconds.
    waited_ns: u64,
    late_ns: u64,
    slept: Option<Instant>,
    woke: Option<Instant>,
}

/// Begins to leave signs of life.
pub fn start() {
    BEGAN.get_or_init(|| {
        std::thread::spawn(|| {
            loop {
                leave_sign(LAST.load(Ordering::Acquire), since_began_ns(now()));
                std::thread::sleep(SIGN);
            }
        });
        now()
    });
}

/// Leaves a sign of life at a moment, where the thread was seen alive last at another: long after that, there was a
/// stop.
fn leave_sign(alive_ns: u64, now_ns: u64) {
    let unseen_ns = now_ns.saturating_sub(alive_ns);
    if unseen_ns > STOPPED_NS {
        STOP_LENGTH.store(unseen_ns, Ordering::Relaxed);
        STOP_OVER.store(now_ns, Ordering::Relaxed);
    }
    LAST.store(now_ns, Ordering::Release);
}

/// Returns how long the referee was stopped at the end of a sleep, or just before it, in nanoseconds, if it was.
fn stopped_ns(slept_ns: u64, now_ns: u64) -> Option<u64> {
    // The other thread may have come back first.
    leave_sign(LAST.load(Ordering::Acquire).max(slept_ns), now_ns);
    let over_ns = STOP_OVER.load(Ordering::Relaxed);
    (over_ns > 0 && over_ns + FRESH_NS > slept_ns)
        .then(|| STOP_LENGTH.load(Ordering::Relaxed) + now_ns.saturating_sub(over_ns))
}

/// Records that the thread is about to sleep.
pub fn note_sleep() {
    WAKE.with_borrow_mut(|wake| wake.slept = Some(now()));
}

/// Records that the thread has just woken up.
pub fn note_wake_up() {
    WAKE.with_borrow_mut(|wake| {
        let waited_ns = wake.counted_ns();
        let now = now();
        let stopped_ns = stopped_ns(wake.slept.map_or(0, since_began_ns), since_began_ns(now));
        wake.late_ns = stopped_ns.unwrap_or(waited_ns - wake.waited_ns);
        (wake.waited_ns, wake.woke) = (waited_ns, Some(now));
    });
}

/// Returns for how long data that is read at `now` may have been ready, in microseconds.
pub fn lag_us(now: Instant) -> u64 {
    WAKE.with_borrow(|wake| {
        let since = wake.woke.map_or(0, |woke| now.saturating_duration_since(woke).as_nanos() as u64);
        (since + wake.late_ns) / 1000
    })
}

/// Returns how much of a delay that is just noticed is not explained by waiting for a processor, in microseconds.
pub fn absent_us(late_us: u64) -> u64 {
    let starved_ns = WAKE.with_borrow(|wake| {
        let stopped = wake.late_ns > STOPPED_NS;
        wake.counted_ns() - wake.waited_ns + if stopped { 0 } else { wake.late_ns }
    });
    late_us.saturating_sub(starved_ns / 1000)
}

impl Wake {
    /// Returns the total time for which the thread has waited for a processor, in nanoseconds.
    fn counted_ns(&self) -> u64 {
        self.schedstat.as_ref().and_then(waited_ns).unwrap_or(0).max(self.waited_ns)
    }
}

/// Reads the second number of a schedstat file: the nanoseconds that the thread was ready and had no processor.
fn waited_ns(file: &File) -> Option<u64> {
    let mut text = [0; 64];
    let length = file.read_at(&mut text, 0).ok()?;
    let mut words = text[..length].split(|byte| *byte == b' ');
    std::str::from_utf8(words.nth(1)?).ok()?.parse().ok()
}

fn since_began_ns(moment: Instant) -> u64 {
    BEGAN.get().map_or(0, |began| moment.saturating_duration_since(*began).as_nanos() as u64)
}

#[expect(
    clippy::disallowed_methods,
    reason = "sleep, wake-up and signs of life are stamped where they happen"
)]
fn now() -> Instant {
    Instant::now()
}
