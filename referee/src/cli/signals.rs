//! Ends a run on SIGINT and SIGTERM.

use std::time::Duration;

use bao_jail::launcher;
use rustix::process::Signal;
use tokio::signal::unix::{self, SignalKind};
use tokio_util::sync::CancellationToken;

use super::screen::Caption;
use crate::exit;

/// How long the end of a run may take after the second signal.
const LAST: Duration = Duration::from_millis(800);

/// Turns the first signal into "finish" and the second into "stop", in a separate thread: a run that is stuck
/// in a sowing or on a disk also ends soon after the second.
pub(super) fn heed(finish: CancellationToken, stop: CancellationToken, screen: Caption) {
    let (listening, ready) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
        runtime.block_on(async {
            let mut interrupt = listen(Signal::INT, SignalKind::interrupt());
            let mut terminate = listen(Signal::TERM, SignalKind::terminate());
            drop(listening);
            for (token, text) in [
                (&finish, "finishing the current games; press again to stop them now"),
                (&stop, "stopping now; the current games do not count"),
            ] {
                tokio::select! {
                    () = heard(&mut interrupt) => {}
                    () = heard(&mut terminate) => {}
                }
                token.cancel();
                screen.text(format!("referee: {text}\n"));
            }
        });
        // The bots die with the referee, and the janitor removes what they leave.
        std::thread::sleep(LAST);
        std::process::exit(exit::STOPPED.into());
    });
    let _listening = ready.recv();
}

/// Listens for a signal, unless the launcher ignores it, as shells do for programs in the background.
fn listen(signal: Signal, kind: SignalKind) -> Option<unix::Signal> {
    if launcher::ignores(signal) { None } else { unix::signal(kind).ok() }
}

async fn heard(signal: &mut Option<unix::Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}
