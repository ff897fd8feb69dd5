//! Replays a wire file through the machine that played the game.

use std::borrow::Cow;

use bao_protocol::record::WireLine;
use sha2::{Digest, Sha256};

use super::context::Context;
use super::finding::{Finding, Findings};
use super::follow::{Follow, Lost, Replayed};
use super::job::{Job, Which};
use super::plies::Plies;
use super::script::Script;
use crate::record::read::ReadError;
use crate::record::{Layout, hex};

/// Replays the wire file of a game; `None` if there is none, which is reported.
///
/// # Errors
/// [`ReadError::Io`] if the file exists and cannot be read.
pub(super) fn replay(
    context: &Context,
    job: &Job,
    evidence: Which,
    plies: &mut Plies<'_>,
    findings: &mut Findings,
) -> Result<Option<Replayed>, ReadError> {
    let game = job.row.game;
    let name = evidence.name(&context.files, game);
    let Some(mut lines) = evidence.evidence(&context.files, game).lines()? else {
        findings.push(Finding::differs(&name, "the file is missing").of_game(game));
        return Ok(None);
    };
    let mut chain = Chain::new(context.layout);
    let mut follow = Follow::new(&name, job, Script::new(context, plies, findings));
    loop {
        follow.next_line();
        match lines.next_bytes() {
            Ok(Some(bytes)) if follow.take_as_said(bytes, chain.last.as_deref()) => chain.add_whole(bytes),
            Ok(Some(bytes)) => {
                let line: Result<WireLine<'_>, _> = serde_json::from_slice(bytes);
                if !chain.add(bytes, line.as_ref().ok()) {
                    follow.tell(match context.layout {
                        Layout::Apart => "the chain is broken: `prev` is not the SHA-256 of the line before",
                        Layout::Packed => "the line has a key of version 1: `prev`",
                    });
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

/// Reads a wire file only for its SHA-256, which is `None` if its lines are not chained correctly; also
/// returns whether its last line is incomplete.
///
/// # Errors
/// [`ReadError::Io`] where the file cannot be read.
pub(super) fn digest(
    context: &Context,
    game: u64,
    evidence: Which,
) -> Result<Option<(String, bool)>, ReadError> {
    let Some(mut lines) = evidence.evidence(&context.files, game).lines()? else { return Ok(None) };
    let mut chain = Chain::new(Layout::Apart);
    loop {
        match lines.next_bytes() {
            Ok(Some(bytes)) => {
                let line: Option<WireLine<'_>> = serde_json::from_slice(bytes).ok();
                chain.add(bytes, line.as_ref());
            }
            Ok(None) => break,
            Err(ReadError::Line { .. }) => chain.whole = false,
            Err(error) => return Err(error),
        }
    }
    let torn = lines.torn() > 0;
    Ok(chain.finish().map(|sha256| (sha256, torn)))
}

/// Hashes the lines of an attempt's evidence; in version 1 each line has the SHA-256 of the line before.
struct Chain {
    last: Option<String>,
    all: Sha256,
    whole: bool,
}

impl Chain {
    fn new(layout: Layout) -> Self {
        let last = (layout == Layout::Apart).then(|| "0".repeat(64));
        Self { last, all: Sha256::new(), whole: true }
    }

    /// Adds a line as bytes with its newline, and decoded if possible; returns whether it fits the chain.
    fn add(&mut self, bytes: &[u8], line: Option<&WireLine<'_>>) -> bool {
        let fits = line.is_none_or(|line| line.prev.as_deref() == self.last.as_deref());
        self.whole &= fits && line.is_some();
        self.add_whole(bytes);
        fits
    }

    /// Adds a line that fits.
    fn add_whole(&mut self, bytes: &[u8]) {
        self.last = self.last.as_ref().map(|_| hex(&Sha256::digest(bytes)));
        self.all.update(bytes);
    }

    fn finish(self) -> Option<String> {
        self.whole.then(|| hex(&self.all.finalize()))
    }
}

/// Returns the bytes that were exchanged in a line; `None` if the line does not have them.
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
