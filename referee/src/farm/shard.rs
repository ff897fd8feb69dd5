//! Shards: the record of a bundle in one file, with the hash of everything in it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::record::sha256_of;

/// The largest shard that is unpacked, in bytes: a hostile one could fill the disk.
const MOST: u64 = 8 << 30;
/// The name of the manifest in a shard.
const MANIFEST: &str = "manifest.json";

/// What a shard consists of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The SHA-256 of its bundle's file.
    pub bundle_sha256: String,
    /// The version of the referee.
    pub referee: String,
    /// The SHA-256 of every file of its record.
    pub files: BTreeMap<String, String>,
}

/// Why a shard cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadShard {
    /// It cannot be read, or is cut.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It has a file that no record has.
    #[error("it has a file that no record has: {0}")]
    Name(String),
    /// It is larger than any shard.
    #[error("it has more than {MOST} bytes")]
    TooLarge,
    /// It has no manifest.
    #[error("it has no {MANIFEST}")]
    NoManifest,
    /// A file is not as its manifest says.
    #[error("{0} is not as its manifest says")]
    Changed(String),
    /// It is of another bundle.
    #[error("it is of another bundle")]
    OtherBundle,
    /// It is of another event.
    #[error("its head is not the one of this event: {0}")]
    OtherRun(&'static str),
    /// Its games do not verify.
    #[error("its games do not verify: {0}")]
    Differs(String),
    /// Its record cannot be read.
    #[error("its record cannot be read: {0}")]
    Record(String),
}

/// Packs the record in a directory as the shard of a bundle.
///
/// # Errors
/// The error of the system.
pub fn pack(record: &Path, bundle_sha256: String, out: impl Write) -> io::Result<()> {
    let mut files = BTreeMap::new();
    for name in names(record)? {
        let sha256 = sha256_of(&record.join(&name))?;
        files.insert(name, sha256);
    }
    let manifest = Manifest { bundle_sha256, referee: crate::NAME.to_owned(), files };
    let mut tar = tar::Builder::new(out);
    let text = serde_json::to_vec_pretty(&manifest)?;
    append(&mut tar, MANIFEST, text.len() as u64, &text[..])?;
    for name in manifest.files.keys() {
        let file = File::open(record.join(name))?;
        append(&mut tar, name, file.metadata()?.len(), file)?;
    }
    tar.into_inner()?.flush()
}

fn append(tar: &mut tar::Builder<impl Write>, name: &str, size: u64, bytes: impl Read) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(size);
    header.set_mode(0o644);
    tar.append_data(&mut header, name, bytes.take(size))
}

/// Lists the files of a record that go into a shard.
fn names(record: &Path) -> io::Result<Vec<String>> {
    let mut names: Vec<String> =
        ["run.json", "games.jsonl", "moves.jsonl", "stderr.jsonl"].map(str::to_owned).into();
    for entry in std::fs::read_dir(record.join("wire"))? {
        names.extend(entry?.file_name().to_str().map(|name| format!("wire/{name}")));
    }
    names.retain(|name| is_of_a_record(name) && record.join(name).is_file());
    Ok(names)
}

/// Returns whether a shard may have a file of this name.
fn is_of_a_record(name: &str) -> bool {
    let segment = name.strip_prefix("wire/").and_then(|name| name.strip_suffix(".jsonl.gz"));
    match segment {
        Some(digits) => digits.parse::<u64>().is_ok_and(|number| number > 0 && number.to_string() == digits),
        None => ["run.json", "games.jsonl", "moves.jsonl", "stderr.jsonl"].contains(&name),
    }
}

/// Unpacks a shard into an empty directory, and checks it against its manifest.
///
/// # Errors
/// [`BadShard`]; the directory may then have a part of it.
pub fn unpack(shard: &Path, into: &Path) -> Result<Manifest, BadShard> {
    let mut tar = tar::Archive::new(crate::open::file(shard)?.take(MOST + 1));
    let (mut manifest, mut bytes) = (None, 0);
    std::fs::create_dir_all(into.join("wire"))?;
    for entry in tar.entries()? {
        let mut entry = entry?;
        let name = entry.path()?.to_string_lossy().into_owned();
        bytes += entry.size();
        if bytes > MOST {
            return Err(BadShard::TooLarge);
        }
        if name == MANIFEST {
            let mut text = String::new();
            entry.read_to_string(&mut text)?;
            manifest = Some(serde_json::from_str::<Manifest>(&text).map_err(io::Error::from)?);
        } else if is_of_a_record(&name) && entry.header().entry_type().is_file() {
            io::copy(&mut entry, &mut File::create_new(into.join(&name))?)?;
        } else {
            return Err(BadShard::Name(name));
        }
    }
    let manifest = manifest.ok_or(BadShard::NoManifest)?;
    for (name, sha256) in &manifest.files {
        let is = is_of_a_record(name).then(|| sha256_of(&into.join(name)).ok()).flatten();
        if is.as_ref() != Some(sha256) {
            return Err(BadShard::Changed(name.clone()));
        }
    }
    let there = names(into)?;
    match there.into_iter().find(|name| !manifest.files.contains_key(name)) {
        Some(name) => Err(BadShard::Changed(name)),
        None => Ok(manifest),
    }
}

/// Delivers a record as a shard: under a name of its own, whole or not at all.
///
/// # Errors
/// The error of the system.
pub fn deliver(record: &Path, bundle_sha256: String, shards: &Path, name: &str) -> io::Result<PathBuf> {
    std::fs::create_dir_all(shards)?;
    let (draft, path) = (shards.join(format!("{name}.part")), shards.join(format!("{name}.tar")));
    let mut file = File::create(&draft)?;
    pack(record, bundle_sha256, &mut file)?;
    file.sync_all()?;
    std::fs::rename(&draft, &path)?;
    File::open(shards)?.sync_all()?;
    Ok(path)
}
