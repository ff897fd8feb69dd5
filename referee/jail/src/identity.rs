//! The user of a bot: its own user, or the referee's user without capabilities.

use std::fs;

use rustix::process::{Gid, Uid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set, remove_capability_from_bounding_set,
    set_capabilities, set_no_new_privs, set_thread_groups, set_thread_res_gid, set_thread_res_uid,
};
use serde::{Deserialize, Serialize};

use crate::step_error::StepError;

/// The user that the bot will have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Identity {
    /// The referee's own, ordinary user.
    Same,
    /// A user of its own; the group has the same number.
    Own(u32),
    /// Root without capabilities; `reads` keeps the capability to read files that are closed to root.
    Powerless { reads: bool },
}

/// Takes this identity for good.
pub(crate) fn identify(identity: Identity) -> Result<(), StepError> {
    let result = match identity {
        Identity::Same => Ok(()),
        Identity::Own(uid) => give_pipes(uid).and_then(|()| become_user(uid)),
        Identity::Powerless { reads } => lose_powers(reads),
    };
    Ok(result.and_then(|()| set_no_new_privs(true))?)
}

/// Gives the three pipes to the bot's user: programs open `/dev/stdin` and similar files by name.
fn give_pipes(uid: u32) -> rustix::io::Result<()> {
    let (user, group) = (Some(Uid::from_raw(uid)), Some(Gid::from_raw(uid)));
    for file in
        [fs::metadata("/proc/self/fd/0"), fs::metadata("/proc/self/fd/1"), fs::metadata("/proc/self/fd/2")]
            .iter()
            .zip([rustix::stdio::stdin(), rustix::stdio::stdout(), rustix::stdio::stderr()])
            .filter_map(|(meta, file)| meta.as_ref().is_ok_and(is_pipe).then_some(file))
    {
        rustix::fs::fchown(file, user, group)?;
    }
    Ok(())
}

/// Distinguishes pipes from files and terminals, which keep their owners.
fn is_pipe(meta: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&meta.file_type())
}

/// Changes this thread's user, which is the process's since it has no other thread.
pub(crate) fn become_user(uid: u32) -> rustix::io::Result<()> {
    let (user, group) = (Uid::from_raw(uid), Gid::from_raw(uid));
    set_thread_groups(&[])?;
    set_thread_res_gid(group, group, group)?;
    set_thread_res_uid(user, user, user)
}

/// Gives up the capabilities of root, for good.
fn lose_powers(reads: bool) -> rustix::io::Result<()> {
    let kept = if reads { CapabilitySet::DAC_READ_SEARCH } else { CapabilitySet::empty() };
    for bit in 0..64 {
        let one = CapabilitySet::from_bits_retain(1 << bit);
        if kept.contains(one) {
            continue;
        }
        match remove_capability_from_bounding_set(one) {
            // Beyond the last capability of this kernel.
            Err(rustix::io::Errno::INVAL) => break,
            result => result?,
        }
    }
    clear_ambient_capability_set()?;
    set_capabilities(
        None,
        CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() },
    )
}
