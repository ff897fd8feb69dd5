//! Compares the rows of one game's plies with what they should be.

use std::borrow::Cow;

use bao_protocol::Reason;
use bao_protocol::record::{GameRow, MoveRow};

use super::compare;
use super::finding::{Finding, Findings};
use super::moves::GameMoves;
use super::rules::Told;

/// Checks a game's rows of `moves.jsonl`.
pub(super) struct Plies<'a> {
    game: u64,
    // The name of the file of its evidence.
    evidence: String,
    rest: &'a [u8],
    line: u64,
    told: &'a [Told],
    done: usize,
    // A game that does not count has no rows.
    none: bool,
    // A row is missing or cannot be read, so later rows cannot be matched.
    lost: bool,
    // The worst lag in the rows so far.
    most_lag_us: u64,
    // A row as it should be.
    written: Vec<u8>,
}

impl<'a> Plies<'a> {
    pub(super) fn new(row: &GameRow, evidence: String, moves: &'a GameMoves, told: &'a [Told]) -> Self {
        Self {
            game: row.game,
            evidence,
            rest: &moves.bytes,
            line: moves.first_line,
            told,
            done: 0,
            none: row.reason == Reason::Void,
            lost: false,
            most_lag_us: 0,
            written: Vec::new(),
        }
    }

    /// Returns the worst lag in the rows, if no row is missing.
    pub(super) fn most_lag_us(&self) -> Option<u64> {
        self.whole().then_some(self.most_lag_us)
    }

    /// Returns whether no row is missing so far.
    pub(super) fn whole(&self) -> bool {
        !self.lost
    }

    /// Compares the next row with the machine's. Values that only the live referee could measure are taken from the
    /// row.
    pub(super) fn played(&mut self, machine: &MoveRow<'_>, findings: &mut Findings) {
        if let Some(told) = self.told.get(self.done) {
            self.compare_with_rules(machine, told, findings);
        }
        self.done += 1;
        if self.is_as_said(machine) {
            return;
        }
        self.compare(machine.ply, findings, |row| MoveRow {
            lag_us: row.lag_us,
            ponder_cpu_us: row.ponder_cpu_us,
            // If clocks do not count it, only the live referee knows it.
            cpu_us: machine.cpu_us.or(row.cpu_us),
            ..machine.clone()
        });
    }

    /// Takes the next row if it is the machine's to the byte, except for what only the live referee could measure; returns
    /// whether it is.
    ///
    /// This is true for nearly all rows, and saves the time to parse them. Any other row is for [`compare`](Self::compare).
    fn is_as_said(&mut self, machine: &MoveRow<'_>) -> bool {
        let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') else { return false };
        let (line, rest) = self.rest.split_at(end);
        let Some((lag_us, ponder_cpu_us, cpu_us)) = measured(line).filter(|_| !self.lost && !self.none)
        else {
            return false;
        };
        let cpu_us = machine.cpu_us.or(cpu_us);
        let should = MoveRow { lag_us, ponder_cpu_us, cpu_us, ..machine.clone() };
        self.written.clear();
        serde_json::to_writer(&mut self.written, &should).expect("a row always serialises");
        if self.written != line {
            return false;
        }
        self.most_lag_us = self.most_lag_us.max(lag_us);
        (self.rest, self.line) = (&rest[1..], self.line + 1);
        true
    }

    /// Compares all rows with the rules alone, if there is no evidence to replay.
    pub(super) fn by_rules(&mut self, findings: &mut Findings) {
        for told in self.told {
            self.done += 1;
            let (game, ply) = (self.game, self.done as u64);
            self.compare(ply, findings, |row| MoveRow {
                game,
                ply,
                side: told.side.into(),
                mv: Cow::Borrowed(told.pit.name()),
                legal_count: told.legal_count,
                laps: told.laps,
                captured: told.captured,
                ..row.clone()
            });
        }
        self.end(findings);
    }

    /// Reports rows that are left over at the end of the game.
    pub(super) fn end(&mut self, findings: &mut Findings) {
        if self.lost || self.rest.is_empty() {
            return;
        }
        let more = self.rest.split_inclusive(|byte| *byte == b'\n').count();
        let what = format!("{more} extra rows after the last ply of game {}", self.game);
        findings.push(Finding::differs("moves.jsonl", &what).at_line(self.line).of_game(self.game));
        self.lost = true;
    }

    fn compare<'r>(
        &mut self,
        ply: u64,
        findings: &mut Findings,
        should: impl FnOnce(&MoveRow<'r>) -> MoveRow<'r>,
    ) where
        'a: 'r,
    {
        if self.lost || self.none {
            return;
        }
        let game = self.game;
        let about = || format!("ply {ply} of game {game}");
        let at = |what: &str, line| Finding::differs("moves.jsonl", what).at_line(line).of_game(game);
        let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') else {
            self.lost = true;
            return findings.push(at(&format!("{} is missing, or cut off", about()), self.line));
        };
        let (line, rest) = self.rest.split_at(end);
        (self.rest, self.line) = (&rest[1..], self.line + 1);
        let number = self.line - 1;
        match serde_json::from_slice::<MoveRow<'r>>(line) {
            Err(error) => {
                self.lost = true;
                let problem = format!("not a row of a ply ({error}); expected {} here", about());
                findings.push(at(&problem, number));
            }
            Ok(row) if (row.game, row.ply) != (self.game, ply) => {
                self.lost = true;
                let is = format!("ply {} of game {}", row.ply, row.game);
                let what = match row.game == self.game && row.ply > ply {
                    true => format!("the row of {} is missing: it was deleted, or moved", about()),
                    false => "another row is here".to_owned(),
                };
                findings.push(at(&what, number).showing(&is, &about()));
            }
            Ok(row) => {
                self.most_lag_us = self.most_lag_us.max(row.lag_us);
                let should = should(&row);
                for wrong in compare::keys(line, &should) {
                    let what = format!("{}: {}", about(), wrong.key);
                    findings.push(at(&what, number).showing(&wrong.is, &wrong.should));
                }
            }
        }
    }

    /// Compares the machine with the rules core, as long as both have the same moves.
    fn compare_with_rules(&mut self, machine: &MoveRow<'_>, told: &Told, findings: &mut Findings) {
        if machine.mv != told.pit.name() {
            // The row of the game has another move there, which is reported separately.
            self.told = &[];
            return;
        }
        let is = (machine.legal_count, machine.laps, machine.captured);
        let should = (told.legal_count, told.laps, told.captured);
        if is != should {
            let what =
                format!("ply {}: legal moves, laps and captures by the referee's machine", machine.ply);
            let finding = Finding::differs(&self.evidence, &what).of_game(self.game);
            findings.push(finding.showing(&format!("{is:?}"), &format!("{should:?} by the rules")));
        }
    }
}

/// Finds in a row, as the referee writes it, what only the live referee could measure: the lag, and the processor time of
/// the opponent and of the mover.
fn measured(line: &[u8]) -> Option<(u64, Option<u64>, Option<u64>)> {
    let (rest, cpu_us) = last_number(line.strip_suffix(b"}")?, br#","cpu_us":"#)?;
    let (mut rest, ponder_cpu_us) = last_number(rest, br#","ponder_cpu_us":"#)?;
    loop {
        if let Some((_, lag_us)) = last_number(rest, br#","lag_us":"#) {
            return Some((lag_us?, ponder_cpu_us, cpu_us));
        }
        let comma = rest.iter().rposition(|byte| *byte == b',')?;
        rest = &rest[..comma];
    }
}

/// Reads the last value of a row, a number or `null`, if it has this key; also returns the row up to the key.
fn last_number<'r>(row: &'r [u8], key: &[u8]) -> Option<(&'r [u8], Option<u64>)> {
    let colon = row.iter().rposition(|byte| *byte == b':')?;
    let before = row[..=colon].strip_suffix(key)?;
    match std::str::from_utf8(&row[colon + 1..]).ok()? {
        "null" => Some((before, None)),
        digits => Some((before, Some(digits.parse().ok()?))),
    }
}
