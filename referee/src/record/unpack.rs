//! Packed evidence: gzip members, one per attempt, one after the other.
//!
//! A member's header is always the same, so that every change of the header is found, like every change of the text.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Take};
use std::path::Path;

use flate2::bufread::{DeflateDecoder, DeflateEncoder};
use flate2::{Compression, Crc, CrcReader};
use sha2::{Digest, Sha256};

use crate::open;

/// The compression level of evidence; it is low because the bots need the processor. Level 3 takes twice the time.
const LEVEL: Compression = Compression::new(2);
/// The start of every member: deflate, no name, no date.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
/// The length of the end of every member: the CRC-32 of the text and its length.
const TRAILER: usize = 8;
/// The longest evidence of an attempt, unpacked: a hostile member could be endless.
const MOST: u64 = 1 << 30;
/// How much is read from the disk at a time.
const BLOCK: usize = 16 << 10;

/// Packs evidence as a member, after what is packed already.
pub(super) fn pack(plain: &mut impl Read, out: &mut Vec<u8>) -> io::Result<()> {
    out.extend(HEADER);
    let mut plain = CrcReader::new(plain);
    DeflateEncoder::new(BufReader::with_capacity(BLOCK, &mut plain), LEVEL).read_to_end(out)?;
    out.extend(plain.crc().sum().to_le_bytes());
    out.extend(plain.crc().amount().to_le_bytes());
    Ok(())
}

/// Reads one member, unpacked.
///
/// Wrong bytes are an error of the kind [`io::ErrorKind::InvalidData`].
#[derive(Debug)]
pub(super) struct Member {
    packed: DeflateDecoder<BufReader<Take<File>>>,
    crc: Crc,
    read: u64,
    state: State,
    // Its length, if it is known before it is read.
    known: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Header,
    Text,
    Over,
}

impl Member {
    /// Opens the member that fills this many bytes of a file from a place on.
    ///
    /// # Errors
    /// The error of the system.
    pub(super) fn open(path: &Path, start: u64, length: u64) -> io::Result<Self> {
        Self::new(path, start, length, Some(length))
    }

    /// Opens the member that begins at a place of a file, and ends before another.
    ///
    /// # Errors
    /// The error of the system.
    pub(super) fn first(path: &Path, start: u64, end: u64) -> io::Result<Self> {
        Self::new(path, start, end.saturating_sub(start), None)
    }

    fn new(path: &Path, start: u64, length: u64, known: Option<u64>) -> io::Result<Self> {
        let mut file = open::file(path)?;
        file.seek(SeekFrom::Start(start))?;
        let packed = DeflateDecoder::new(BufReader::with_capacity(BLOCK, file.take(length)));
        Ok(Self { packed, crc: Crc::new(), read: 0, state: State::Header, known })
    }

    /// Returns its length in the file in bytes, once it has been read to its end.
    pub(super) fn length(&self) -> u64 {
        (HEADER.len() + TRAILER) as u64 + self.packed.total_in()
    }

    fn begin(&mut self) -> io::Result<()> {
        let mut header = [0; HEADER.len()];
        self.exactly(&mut header)?;
        self.state = State::Text;
        if header == HEADER { Ok(()) } else { Err(wrong("no evidence begins here")) }
    }

    fn end(&mut self) -> io::Result<()> {
        let mut trailer = [0; TRAILER];
        self.exactly(&mut trailer)?;
        self.state = State::Over;
        let should = u64::from(self.crc.sum()) | u64::from(self.crc.amount()) << 32;
        if u64::from_le_bytes(trailer) != should {
            return Err(wrong("its checksum is wrong"));
        }
        // The file may end before that length, too.
        if self.known.is_some_and(|known| known != self.length()) {
            return Err(wrong("it ends before it should"));
        }
        Ok(())
    }

    fn exactly(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.packed.get_mut().read_exact(bytes).map_err(|error| {
            if error.kind() == io::ErrorKind::UnexpectedEof { wrong("it ends in the middle") } else { error }
        })
    }
}

impl Read for Member {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.state == State::Header {
            self.begin()?;
        }
        if self.state == State::Over || bytes.is_empty() {
            return Ok(0);
        }
        let corrupt = [io::ErrorKind::InvalidInput, io::ErrorKind::UnexpectedEof];
        let read = self
            .packed
            .read(bytes)
            .map_err(|error| if corrupt.contains(&error.kind()) { wrong("it is corrupt") } else { error })?;
        self.crc.update(&bytes[..read]);
        self.read += read as u64;
        if self.read > MOST {
            return Err(wrong("it is longer than any evidence"));
        }
        if read == 0 {
            self.end()?;
        }
        Ok(read)
    }
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// A whole member of a file.
#[derive(Debug)]
pub(super) struct Whole {
    /// Where it begins, in bytes.
    pub(super) start: u64,
    /// How many bytes it fills.
    pub(super) length: u64,
    /// The SHA-256 of its text.
    pub(super) sha256: [u8; 32],
}

/// Reads the members of a file between two places, as long as they are whole.
#[derive(Debug)]
pub(super) struct Members<'a> {
    path: &'a Path,
    end: u64,
    to: u64,
}

impl<'a> Members<'a> {
    pub(super) fn new(path: &'a Path, from: u64, to: u64) -> Self {
        Self { path, end: from, to }
    }

    /// Reads the next member; `None` if no whole member follows.
    ///
    /// # Errors
    /// The error of the system.
    pub(super) fn next_whole(&mut self) -> io::Result<Option<Whole>> {
        if self.end >= self.to {
            return Ok(None);
        }
        let mut member = Member::first(self.path, self.end, self.to)?;
        let mut hashed = Hashed { lines: &mut member, sha256: Sha256::new() };
        match io::copy(&mut hashed, &mut io::sink()) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(None),
            Err(error) => return Err(error),
        }
        let sha256 = hashed.sha256.finalize().into();
        let (start, length) = (self.end, member.length());
        self.end += length;
        Ok(Some(Whole { start, length, sha256 }))
    }

    /// Returns where the last whole member ended, in bytes.
    pub(super) fn end(&self) -> u64 {
        self.end
    }
}

/// Hashes what is read.
pub(super) struct Hashed<'a, R: ?Sized> {
    pub(super) lines: &'a mut R,
    pub(super) sha256: Sha256,
}

impl<R: Read + ?Sized> Read for Hashed<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.lines.read(bytes)?;
        self.sha256.update(&bytes[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_what_was_packed_and_another_text_is_never_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("1.jsonl.gz");
        let text: Vec<u8> =
            (0..5000_u32).flat_map(|n| format!("{{\"at_us\":{}}}\n", n * n).into_bytes()).collect();
        let mut packed = vec![7; 3];
        pack(&mut &text[..], &mut packed).unwrap();
        let length = packed.len() as u64 - 3;
        let read = |packed: &[u8]| {
            std::fs::write(&path, packed).unwrap();
            let (mut member, mut read) = (Member::open(&path, 3, length).unwrap(), Vec::new());
            member.read_to_end(&mut read).map(|_| (read, member.length()))
        };
        assert_eq!(read(&packed).unwrap(), (text.clone(), length));
        for place in 3..packed.len() {
            let mut other = packed.clone();
            other[place] ^= 0x10;
            match read(&other) {
                // A bit of the compressed form on which the text does not depend.
                Ok((same, _)) => assert!(same == text && place > 12, "byte {place}"),
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::InvalidData),
            }
        }
        for length in 3..packed.len() {
            assert!(read(&packed[..length]).is_err(), "{length}");
        }
        let mut longer = Member::open(&path, 3, length).unwrap();
        std::fs::write(&path, [&packed[..], b"x"].concat()).unwrap();
        assert!(longer.read_to_end(&mut Vec::new()).is_ok());
        assert!(Member::open(&path, 3, length + 1).unwrap().read_to_end(&mut Vec::new()).is_err());
        std::fs::write(&path, &packed).unwrap();
        assert!(
            Member::open(&path, 3, length + 3).unwrap().read_to_end(&mut Vec::new()).is_err(),
            "no file has more"
        );
        assert!(Member::first(&path, 3, length + 4).unwrap().read_to_end(&mut Vec::new()).is_ok());
    }
}
