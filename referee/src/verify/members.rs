//! Checks that every byte of the files of packed evidence belongs to a row, or to an attempt that was cut off.

use std::collections::BTreeMap;
use std::io;

use bao_protocol::record::{Channel, Packed, Start, WireLine};

use super::context::{Context, io_error};
use super::finding::Finding;
use crate::record::evidence::members;
use crate::record::read::ReadError;

/// Follows the members that rows name, in the order of the rows.
#[derive(Debug, Default)]
pub(super) struct Members {
    segment: u64,
    end: u64,
    // Parts that no row names: the file, the start, and the end, or `None` for the end of the file.
    gaps: Vec<(u64, u64, Option<u64>)>,
}

/// The attempts without a row in the files.
#[derive(Debug, Default)]
pub(super) struct Unclaimed {
    /// How many attempts have no row.
    pub(super) cut: u64,
    /// What is wrong.
    pub(super) findings: Vec<Finding>,
    /// The lengths of the files.
    pub(super) ends: Vec<u64>,
}

impl Members {
    /// Takes the member of the next row; returns whether it can be after the members before.
    pub(super) fn take(&mut self, packed: &Packed) -> bool {
        let Packed { wire_segment: segment, wire_start: start, wire_length: length, .. } = *packed;
        if (segment, start) < (self.segment, self.end) || segment == 0 {
            return false;
        }
        if segment > self.segment {
            self.pass(segment);
        }
        if start > self.end {
            self.gaps.push((segment, self.end, Some(start)));
        }
        self.end = start.saturating_add(length);
        true
    }

    /// Continues with another file.
    fn pass(&mut self, segment: u64) {
        if self.segment > 0 {
            self.gaps.push((self.segment, self.end, None));
        }
        // A forged row may name a very distant file.
        let between = (self.segment + 1..segment).take(1000);
        self.gaps.extend(between.map(|segment| (segment, 0, None)));
        (self.segment, self.end) = (segment, 0);
    }

    /// Checks the parts that no row has named.
    ///
    /// # Errors
    /// [`ReadError::Io`] if a file exists and cannot be read.
    pub(super) fn unclaimed(mut self, context: &Context) -> Result<Unclaimed, ReadError> {
        let mut found = Unclaimed::default();
        let lengths = lengths(context)?;
        let last = lengths.keys().next_back().copied().unwrap_or(0);
        self.pass(last.max(self.segment) + 1);
        for number in 1..=last {
            match lengths.get(&number) {
                Some(length) => found.ends.push(*length),
                None => {
                    let what = "the file is missing: others follow it";
                    found.findings.push(Finding::differs(&name(number), what));
                    break;
                }
            }
        }
        for (segment, from, to) in self.gaps {
            // Missing evidence of a row is reported with the row.
            let Some(length) = lengths.get(&segment) else { continue };
            let to = to.unwrap_or(*length).min(*length);
            let path = context.files.segment(segment);
            let mut strange = 0;
            let end = members(&path, from, to, |lines| {
                let first = match lines.next_bytes() {
                    Ok(line) => line.and_then(|line| begins(line, context)),
                    Err(ReadError::Line { .. }) => None,
                    Err(error) => return Err(error),
                };
                match first {
                    Some(_) => found.cut += 1,
                    None => strange += 1,
                }
                Ok(())
            })?;
            if strange > 0 {
                let what = format!("something between bytes {from} and {to} is not evidence of this run");
                found.findings.push(Finding::differs(&name(segment), &what));
            }
            if end < to {
                let what = format!("{} bytes from byte {end} on are not evidence", to - end);
                found.findings.push(match segment == last && to == *length {
                    true => Finding::unfinished(&name(segment), &what),
                    false => Finding::differs(&name(segment), &what),
                });
            }
        }
        Ok(found)
    }
}

/// Reads the number of the game whose evidence begins with this line, if the line names this run's plan.
fn begins(line: &[u8], context: &Context) -> Option<u64> {
    let line: WireLine<'_> = serde_json::from_slice(line).ok()?;
    let start: Start = serde_json::from_str(line.text.as_deref()?).ok()?;
    let bound = start.plan_sha256.as_ref() == Some(&context.plan_sha256);
    (line.channel == Channel::Start && bound).then_some(start.game)
}

/// Finds the files of packed evidence, with their lengths.
fn lengths(context: &Context) -> Result<BTreeMap<u64, u64>, ReadError> {
    let dir = context.files.wires();
    let entries = match std::fs::read_dir(&dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(source) => return Err(io_error(&dir, source)),
    };
    let mut lengths = BTreeMap::new();
    for entry in entries {
        let entry = entry.map_err(|source| io_error(&dir, source))?;
        if let Some(number) = number(&entry.file_name().to_string_lossy()) {
            let metadata = entry.metadata().map_err(|source| io_error(&dir, source))?;
            lengths.insert(number, metadata.len());
        }
    }
    Ok(lengths)
}

/// Reads the number of a file of packed evidence.
pub(super) fn number(name: &str) -> Option<u64> {
    let digits = name.strip_suffix(".jsonl.gz")?;
    let number = digits.parse().ok().filter(|number| *number > 0)?;
    (digits == u64::to_string(&number)).then_some(number)
}

fn name(segment: u64) -> String {
    format!("wire/{segment}.jsonl.gz")
}
