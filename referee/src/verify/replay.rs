//! A wire file replayed through the machine that played the game.

use std::borrow::Cow;

use bao_protocol::record::WireLine;
use sha2::{Digest, Sha256};

use super::context::{Context, io_error};
use super::finding::{Finding, Findings};
use super::follow::{Follow, Lost, Replayed};
use super::job::{Evidence, Job};
use super::plies::Plies;
use super::script::Script;
use crate::record::hex;
use crate::record::read::{ReadError, Rows};

/// Replays the wire file of a game; `None` where there is none, which is told.
///
/// # Errors
/// [`ReadError::Io`] where the file is there and cannot be read.
pub(super) fn replay(
    context: &Context,
    job: &Job,
    evidence: Evidence,
    plies: &mut Plies<'_>,
    findings: &mut Findings,
) -> Result<Option<Replayed>, ReadError> {
    let game = job.row.game;
    let name = evidence.name(&context.files, game);
    let Some(mut lines) = open(context, game, evidence)? else {
        findings.push(Finding::differs(&name, "the file is missing").of_game(game));
        return Ok(None);
    };
    let mut chain = Chain::new();
    let mut follow = Follow::new(&name, job, Script::new(context, plies, findings));
    loop {
        follow.next_line();
        match lines.next_bytes() {
            Ok(Some(bytes)) => {
                let line: Result<WireLine<'_>, _> = serde_json::from_slice(bytes);
                if !chain.add(bytes, line.as_ref().ok().map(|line| &*line.prev)) {
                    follow.tell("the chain is broken: `prev` is not the SHA-256 of the line before");
                }
                match line {
                    Ok(line) => follow.take(&line, said(&line).as_deref()),
                    Err(error) => follow.lose(&Lost::BadLine(error)),
                }
            }
            Ok(None) => break,
            Err(ReadError::Line { problem, .. }) => {
                chain.whole = false;
                follow.lose(&Lost::Unreadable(problem));
            }
            Err(error) => return Err(error),
        }
    }
    if lines.torn() > 0 {
        chain.whole = false;
        follow.lose(&Lost::Torn);
    }
    Ok(Some(follow.finish(chain.finish())))
}

/// Reads a wire file for its SHA-256 alone, where its lines are chained as they should be as far as they go; also
/// tells whether it is torn.
///
/// # Errors
/// [`ReadError::Io`] where the file cannot be read.
pub(super) fn digest(
    context: &Context,
    game: u64,
    evidence: Evidence,
) -> Result<Option<(String, bool)>, ReadError> {
    let Some(mut lines) = open(context, game, evidence)? else { return Ok(None) };
    let mut chain = Chain::new();
    loop {
        match lines.next_bytes() {
            Ok(Some(bytes)) => {
                let line: Option<WireLine<'_>> = serde_json::from_slice(bytes).ok();
                chain.add(bytes, line.as_ref().map(|line| &*line.prev));
            }
            Ok(None) => break,
            Err(ReadError::Line { .. }) => chain.whole = false,
            Err(error) => return Err(error),
        }
    }
    let torn = lines.torn() > 0;
    Ok(chain.finish().map(|sha256| (sha256, torn)))
}

fn open(context: &Context, game: u64, evidence: Evidence) -> Result<Option<Rows>, ReadError> {
    match Rows::open(&evidence.path(&context.files, game)) {
        Ok(rows) => Ok(Some(rows)),
        Err(ReadError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(ReadError::Io { path, source }) => Err(io_error(&path, source)),
        Err(error) => Err(error),
    }
}

/// The chain of a wire file's lines, each of which bears the SHA-256 of the one before.
struct Chain {
    last: String,
    all: Sha256,
    whole: bool,
}

impl Chain {
    fn new() -> Self {
        Self { last: "0".repeat(64), all: Sha256::new(), whole: true }
    }

    /// Adds a line, newline included; tells whether it fits.
    fn add(&mut self, bytes: &[u8], prev: Option<&str>) -> bool {
        let fits = prev.is_none_or(|prev| prev == self.last);
        self.whole &= fits && prev.is_some();
        self.last = hex(&Sha256::digest(bytes));
        self.all.update(bytes);
        fits
    }

    fn finish(self) -> Option<String> {
        self.whole.then(|| hex(&self.all.finalize()))
    }
}

/// What was said in a line; `None` where the line does not tell it.
fn said<'l>(line: &'l WireLine<'_>) -> Option<Cow<'l, [u8]>> {
    match (&line.text, &line.hex) {
        (Some(text), None) => Some(Cow::Borrowed(text.as_bytes())),
        (None, Some(hex)) => {
            let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
            let pairs = hex.as_bytes().chunks(2);
            let byte = |pair: &[u8]| match pair {
                [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
                _ => None,
            };
            pairs.map(byte).collect::<Option<Vec<u8>>>().map(Cow::Owned)
        }
        (Some(_), Some(_)) | (None, None) => None,
    }
}
