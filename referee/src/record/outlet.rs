//! A queue to a thread that writes, so that the thread of the clocks never waits for a disk or a reader.
//!
//! Items wait in memory, and the run's [`Backlog`] counts their bytes. A table starts its next game only
//! when few enough bytes wait; during a game nothing waits for the queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;

/// How many bytes may wait before no new game is started.
const WAITING: usize = 1 << 20;
/// How often to check whether fewer wait.
const LOOK: Duration = Duration::from_millis(5);

/// The bytes of a run that wait to be written.
#[derive(Debug, Clone, Default)]
pub struct Backlog(Arc<AtomicUsize>);

impl Backlog {
    /// Waits until few enough bytes wait.
    pub async fn drained(&self) {
        while self.0.load(Ordering::Relaxed) > WAITING {
            tokio::time::sleep(LOOK).await;
        }
    }

    fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    fn remove(&self, bytes: usize) {
        self.0.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// The sender's end; clones lead to the same thread.
#[derive(Debug)]
pub struct Outlet<T> {
    queue: mpsc::UnboundedSender<(T, usize)>,
    backlog: Backlog,
}

/// The writing thread's end.
#[derive(Debug)]
pub struct Inlet<T> {
    queue: mpsc::UnboundedReceiver<(T, usize)>,
    backlog: Backlog,
    // What was taken and is not written yet, in bytes.
    taken: usize,
}

/// Creates the two ends.
pub fn outlet<T>(backlog: &Backlog) -> (Outlet<T>, Inlet<T>) {
    let (sender, queue) = mpsc::unbounded_channel();
    let inlet = Inlet { queue, backlog: backlog.clone(), taken: 0 };
    (Outlet { queue: sender, backlog: backlog.clone() }, inlet)
}

impl<T> Outlet<T> {
    /// Sends something that counts as this many bytes; it is lost if the thread has ended.
    pub fn send(&self, item: T, bytes: usize) {
        self.backlog.add(bytes);
        if self.queue.send((item, bytes)).is_err() {
            self.backlog.remove(bytes);
        }
    }

    /// Waits until the thread has ended.
    pub async fn closed(&self) {
        self.queue.closed().await;
    }
}

impl<T> Clone for Outlet<T> {
    fn clone(&self) -> Self {
        Self { queue: self.queue.clone(), backlog: self.backlog.clone() }
    }
}

impl<T> Inlet<T> {
    /// Waits for the next item; `None` once the last sender is dropped. Items taken before then count as written.
    pub fn take(&mut self) -> Option<T> {
        self.backlog.remove(std::mem::take(&mut self.taken));
        let (item, bytes) = self.queue.blocking_recv()?;
        self.taken = bytes;
        Some(item)
    }

    /// Takes the next item if there is one.
    pub fn take_now(&mut self) -> Option<T> {
        let (item, bytes) = self.queue.try_recv().ok()?;
        self.taken += bytes;
        Some(item)
    }

    /// Returns whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}

impl<T> Drop for Inlet<T> {
    /// Subtracts the items that will never be written, so that no table waits for them.
    fn drop(&mut self) {
        self.queue.close();
        while self.take_now().is_some() {}
        self.backlog.remove(self.taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_counted_until_it_is_written_or_lost() {
        let backlog = Backlog::default();
        let waiting = || backlog.0.load(Ordering::Relaxed);
        let (out, mut inlet) = outlet(&backlog);
        for bytes in [3, 5, 7] {
            out.send("text", bytes);
        }
        assert_eq!(waiting(), 15);
        assert_eq!((inlet.take(), inlet.take_now()), (Some("text"), Some("text")));
        assert_eq!(waiting(), 15, "they are not written before the next is asked for");
        assert_eq!(inlet.take(), Some("text"));
        assert_eq!(waiting(), 7);
        out.send("more", 11);
        drop(inlet);
        assert_eq!(waiting(), 0, "what the thread leaves is gone with it");
        out.send("late", 13);
        assert_eq!(waiting(), 0);
    }
}
