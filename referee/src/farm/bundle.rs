//! Bundles: pairs that one worker plays, as files in the record's directory.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bao_protocol::record::Run;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::open;
use crate::record::hex;
use crate::schedule::Pair;

/// Pairs that one worker plays, and all that it needs to know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bundle {
    /// The number of the wave, from 1.
    pub wave: u64,
    /// The number in the wave, from 1.
    pub number: u64,
    /// The head of the event's record, without machines and end.
    pub run: Run,
    /// The plan as it is now.
    pub plan: Value,
    /// Whether bots that cannot be started lose their games, because no worker could start them.
    pub walkover: bool,
    /// The pairs.
    pub(crate) pairs: Vec<Pair>,
}

impl Bundle {
    /// Lists the places of the bots that play in it.
    pub fn playing(&self) -> Vec<usize> {
        let bots: std::collections::BTreeSet<usize> = self.pairs.iter().flat_map(|pair| pair.bots).collect();
        bots.into_iter().collect()
    }
}

/// What went out at one time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wave {
    /// Its number, from 1.
    pub wave: u64,
    /// When it went out, in RFC 3339.
    pub at: String,
    /// The engine that carries it out.
    pub engine: String,
    /// After this many seconds since 1970, pairs that are not at home go out again.
    pub deadline: u64,
    /// The numbers of the pairs of each bundle.
    pub bundles: Vec<Vec<u64>>,
}

/// Names the files of waves in a record's directory.
#[derive(Debug, Clone)]
pub struct Waves {
    dir: PathBuf,
}

impl Waves {
    /// Names the files in this record's directory.
    pub fn new(record: &Path) -> Self {
        Self { dir: record.join("waves") }
    }

    /// The directory of all waves.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The directory of a wave.
    pub fn wave(&self, wave: u64) -> PathBuf {
        self.dir.join(format!("{wave:06}"))
    }

    /// The file of a bundle.
    pub fn bundle(&self, wave: u64, number: u64) -> PathBuf {
        self.wave(wave).join(format!("bundle-{number:04}.json"))
    }

    /// The directory to which the shards of a wave are delivered.
    pub fn shards(&self, wave: u64) -> PathBuf {
        self.wave(wave).join("shards")
    }

    /// What a worker wrote to standard error.
    pub fn log(&self, wave: u64, number: u64) -> PathBuf {
        self.wave(wave).join(format!("bundle-{number:04}.log"))
    }

    /// Lists the numbers of the waves, in their order.
    ///
    /// # Errors
    /// The error of the system.
    pub fn numbers(&self) -> io::Result<Vec<u64>> {
        let entries = match std::fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut numbers = Vec::new();
        for entry in entries {
            numbers.extend(entry?.file_name().to_str().and_then(|name| name.parse::<u64>().ok()));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Reads what went out with a wave; `None` if it was never complete: then nothing of it is in flight.
    pub fn read(&self, wave: u64) -> Option<Wave> {
        let text = open::text(&self.wave(wave).join("wave.json")).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Reads a bundle; returns its SHA-256, too.
    ///
    /// # Errors
    /// The error of the system, or that of its text.
    pub fn read_bundle(path: &Path) -> io::Result<(Bundle, String)> {
        let text = open::piped_text(path)?;
        Ok((serde_json::from_str(&text)?, hex(&Sha256::digest(&text))))
    }

    /// Writes a wave: its bundles, then the wave itself.
    ///
    /// # Errors
    /// The error of the system.
    pub fn write(&self, wave: &Wave, bundles: &[Bundle]) -> io::Result<()> {
        std::fs::create_dir_all(self.shards(wave.wave))?;
        for bundle in bundles {
            whole(&self.bundle(bundle.wave, bundle.number), &serde_json::to_vec(bundle)?)?;
        }
        whole(&self.wave(wave.wave).join("wave.json"), &serde_json::to_vec_pretty(wave)?)
    }
}

/// Writes a file, whole or not at all.
fn whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = path.with_extension("part");
    let mut file = File::create(&draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&draft, path)
}
