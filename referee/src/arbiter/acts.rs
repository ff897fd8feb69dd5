//! Reads and adds to `acts.jsonl`.

use bao_protocol::record::{Act, Run};
use sha2::{Digest, Sha256};

use crate::record::read::{ReadError, Rows};
use crate::record::{Append, Files, RecordError, hex, plan_sha256};

/// The lines of `acts.jsonl`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Acts {
    /// The acts, in the order of the file.
    pub acts: Vec<Act>,
    /// The SHA-256 of each line, newline included, in hexadecimal.
    pub sha256: Vec<String>,
    /// How many bytes follow the last whole line: a command that was killed left them.
    pub torn: u64,
    // Where the last whole line ends.
    end: u64,
}

/// Reads the acts of a record; a record without the file has none.
///
/// # Errors
/// [`ReadError`] if the file cannot be read, or a line is not an act.
pub fn acts(files: &Files) -> Result<Acts, ReadError> {
    let mut read = Acts::default();
    let path = files.acts();
    if !path.exists() {
        return Ok(read);
    }
    let mut rows = Rows::open(&path)?;
    while let Some(line) = rows.next_line()? {
        let (act, sha256) = (serde_json::from_str(line), hex(&Sha256::digest(line)));
        read.acts.push(act.map_err(|error| rows.bad(error.into()))?);
        read.sha256.push(sha256);
    }
    (read.end, read.torn) = (rows.end(), rows.torn());
    Ok(read)
}

impl Acts {
    /// Returns what the next act is chained to.
    pub fn last_sha256(&self, run: &Run) -> String {
        self.sha256.last().cloned().unwrap_or_else(|| plan_sha256(&run.plan))
    }
}

/// Adds an act to those that were read, on the disk first.
///
/// # Errors
/// [`RecordError`] if it cannot be written.
pub fn append(files: &Files, acts: &mut Acts, act: Act) -> Result<(), RecordError> {
    let mut line = serde_json::to_vec(&act).expect("plain structs always serialise");
    line.push(b'\n');
    let mut file = Append::open(files.acts(), acts.end)?;
    file.append(&line)?;
    (acts.end, acts.torn) = (file.end(), 0);
    acts.sha256.push(hex(&Sha256::digest(&line)));
    acts.acts.push(act);
    Ok(())
}
