//! Bao Kingulu solved: the exact value of any position.
//!
//! The value is the final seeds of the side to move minus the other's, when both play as well as can be. A [`Solver`]
//! finds it by asking yes-or-no questions ("can the side to move win by this much?") and keeps what it learned in a
//! table for the next question.
//!
//! # Positions that come back
//! A position that comes back ends the game, which is scored as it stands (rule 6). So the value of a position may depend
//! on the positions before it, which a table must not mix up. This is how the solver makes sure:
//!
//! - Only positions without reserved pits can come back. What goes round passes every pit, and a seed that passes a
//!   reserved one leaves the board. Nor do seeds come back that left it, nor pits that were reserved.
//! - The answer is *yes* or *no* only on a proof in which no position comes back. Such a proof holds whatever was before
//!   and whatever a repetition is worth, so the table may keep it. Where a line comes back to a position of its own, the
//!   answer is *unsettled*, and nothing that rests on it is kept.
//! - If the value of a position does not rest on repetition, then the moves that make progress prove it, and the
//!   question at the top is settled, whatever lines below were not. If it does, the solver says so
//!   ([`Unsolved::Repetition`]) and gives no value. Nobody has seen such a position: of all those with up to 15 seeds
//!   and no pit reserved (where each has two bounds, one with endless play lost and one with it won), none has two
//!   different bounds.
//!
//! The value is that of a game that starts in the position; what was before it does not count.

/// The README's examples, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod rows;
mod table;

use std::fmt;

use bao_rules::kingulu::Position;
use bao_rules::{Pit, Rules, Side, Variant};

use table::{Known, Table};

pub use rows::{ROW, Rows, rows};

/// Positions between two questions whether to stop.
const LOOK_EVERY: u64 = 1024;
/// The longest line of positions that could come back; a longer one is left unsettled, for the sake of the stack. The
/// longest seen had about a hundred.
const LONGEST_LINE: usize = 1000;

/// The game that a [`Solver`] solves.
pub const SOLVED: Variant = Position::VARIANT;

/// Returns the position as one that a [`Solver`] solves; `None` for a position of another game.
pub fn solvable(position: &bao_rules::Position) -> Option<&Position> {
    if let bao_rules::Position::Kingulu(position) = position { Some(position) } else { None }
}

/// Finds exact values and remembers what it found; its memory is bounded.
#[derive(Debug)]
pub struct Solver {
    table: Table,
    line: Vec<Spot>,
    longest_line: usize,
    nodes: u64,
    look_at: u64,
}

/// A solved position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The final seeds of the side to move minus the other's.
    pub value: i32,
    /// Every legal move in sowing order with the value that it leads to, seen by the side that makes it.
    ///
    /// `value` is the highest of them; a move gives away what it is below `value`.
    pub moves: Vec<(Pit, i32)>,
}

/// Why a position has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsolved {
    /// The solver was stopped.
    Stopped,
    /// Best play comes back to a position, so that the rule of repetition decides.
    Repetition,
}

/// What is asked now and then whether to stop: `&mut || false` for never.
pub type Stop<'a> = &'a mut dyn FnMut() -> bool;

/// A position that can come back, with the seeds that had left the board before it.
#[derive(Debug, Clone, Copy)]
struct Spot {
    rows: Rows,
    gone: u32,
}

/// The answer to "can the side to move win by this much?"; for a loss the number is below zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    Unsettled,
}

impl Solver {
    /// Makes a solver whose table takes at most `table_bytes`; 16 MiB are plenty for a game.
    pub fn new(table_bytes: usize) -> Self {
        Self {
            table: Table::new(table_bytes),
            line: Vec::new(),
            longest_line: LONGEST_LINE,
            nodes: 0,
            look_at: 0,
        }
    }

    /// Returns the exact value of a position and of each of its moves.
    ///
    /// # Errors
    /// See [`Unsolved`].
    pub fn solve(&mut self, position: &Position, stop: Stop<'_>) -> Result<Solution, Unsolved> {
        let mut moves = Vec::new();
        for (pit, after) in position.children() {
            moves.push((pit, -self.value(&after, stop)?));
        }
        let value = moves.iter().map(|(_, value)| *value).max().unwrap_or_else(|| lead(position));
        Ok(Solution { value, moves })
    }

    /// Returns the exact value of a position: the final seeds of the side to move minus the other's.
    ///
    /// # Errors
    /// See [`Unsolved`].
    pub fn value(&mut self, position: &Position, stop: Stop<'_>) -> Result<i32, Unsolved> {
        let (mut least, mut most) = locked(position, rows(position));
        // All values are even, since 48 seeds are shared out. The first guess is what the position shows.
        let mut ask = lead(position).clamp(least + 2, most.max(least + 2));
        while least < most {
            if self.reaches(position, ask, stop)? {
                least = ask;
                ask += 2;
            } else {
                most = ask - 2;
                ask = most;
            }
        }
        Ok(least)
    }

    /// Returns the best moves of a position and its value; none and the final value where the game is over.
    ///
    /// # Errors
    /// See [`Unsolved`].
    pub fn best(&mut self, position: &Position, stop: Stop<'_>) -> Result<(Vec<Pit>, i32), Unsolved> {
        let value = self.value(position, stop)?;
        let mut best = Vec::new();
        for (pit, after) in position.children() {
            if !self.reaches(&after, 1 - value, stop)? {
                best.push(pit);
            }
        }
        Ok((best, value))
    }

    /// Returns whether the side to move can win by `margin` or more; below zero, whether it can lose by no more than that.
    ///
    /// # Errors
    /// See [`Unsolved`].
    pub fn reaches(&mut self, position: &Position, margin: i32, stop: Stop<'_>) -> Result<bool, Unsolved> {
        self.line.clear();
        match self.ask(position, margin, stop)? {
            Answer::Yes => Ok(true),
            Answer::No => Ok(false),
            Answer::Unsettled => Err(Unsolved::Repetition),
        }
    }

    /// Counts the positions visited so far: one for every move played.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn ask(&mut self, position: &Position, margin: i32, stop: Stop<'_>) -> Result<Answer, Unsolved> {
        let rows = rows(position);
        let bank = bank(position);
        let (mut least, mut most) = locked(position, rows);
        let known = self.table.get(rows);
        if let Some(known) = known {
            least = least.max(bank + known.least);
            most = most.min(bank + known.most);
        }
        if least >= margin {
            return Ok(Answer::Yes);
        }
        if most < margin {
            return Ok(Answer::No);
        }
        let length = self.line.len();
        if can_return(rows) {
            let spot = Spot { rows, gone: position.captured(Side::South) + position.captured(Side::North) };
            if length >= self.longest_line || self.returns(spot) {
                return Ok(Answer::Unsettled);
            }
            self.line.push(spot);
        }
        let before = self.nodes;
        let mut branches = [Branch { pit: 0, after: *position, order: 0 }; ROW];
        let branches = self.branches(position, known.and_then(|known| known.best), &mut branches);
        if self.nodes >= self.look_at {
            self.look_at = self.nodes + LOOK_EVERY;
            if stop() {
                return Err(Unsolved::Stopped);
            }
        }
        let mut answer = Answer::No;
        let mut best = known.and_then(|known| known.best);
        if branches.is_empty() && lead(position) >= margin {
            answer = Answer::Yes;
        }
        for Branch { pit, after, .. } in branches {
            match self.ask(after, 1 - margin, stop)? {
                Answer::No => {
                    (answer, best) = (Answer::Yes, Some(*pit));
                    break;
                }
                Answer::Yes => {}
                Answer::Unsettled => answer = Answer::Unsettled,
            }
        }
        self.line.truncate(length);
        match answer {
            Answer::Yes => least = margin,
            Answer::No => most = margin - 1,
            Answer::Unsettled => return Ok(answer),
        }
        self.table.put(rows, Known { least: least - bank, most: most - bank, best }, self.nodes - before);
        Ok(answer)
    }

    /// Returns whether a position with this side to move is on the line already.
    #[inline]
    fn returns(&self, spot: Spot) -> bool {
        // Every second position has the other side to move.
        let same = self.line.iter().rev().take_while(|earlier| earlier.gone == spot.gone);
        same.skip(1).step_by(2).any(|earlier| earlier.rows == spot.rows)
    }

    /// Plays every legal move; the one that was best before comes first, then those that show more seeds.
    #[inline]
    fn branches<'a>(
        &mut self,
        position: &Position,
        best: Option<u8>,
        branches: &'a mut [Branch; ROW],
    ) -> &'a [Branch] {
        let mut count = 0;
        for (pit, after) in position.children() {
            let pit = pit.index() as u8;
            let order = if best == Some(pit) { i32::MIN } else { lead(&after) };
            let mut place = count;
            while place > 0 && branches[place - 1].order > order {
                branches[place] = branches[place - 1];
                place -= 1;
            }
            branches[place] = Branch { pit, after, order };
            count += 1;
        }
        self.nodes += count as u64;
        &branches[..count]
    }
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stopped => "the solver was stopped before it found the value",
            Self::Repetition => "the value depends on a position that comes back",
        })
    }
}

impl std::error::Error for Unsolved {}

/// A move to try.
#[derive(Debug, Clone, Copy)]
struct Branch {
    /// The index of the pit.
    pit: u8,
    after: Position,
    /// The lower, the sooner.
    order: i32,
}

/// Returns whether a position can come back: no pit of it is reserved.
const fn can_return(rows: Rows) -> bool {
    (rows[0] | rows[1]) >> (8 * ROW) == 0
}

/// Returns by how much the side to move would win if the game ended here.
#[inline]
fn lead(position: &Position) -> i32 {
    let [own, theirs] = [position.side(), position.side().other()].map(|side| position.score(side) as i32);
    own - theirs
}

/// Returns by how many seeds the bank of the side to move is ahead.
#[inline]
fn bank(position: &Position) -> i32 {
    let [own, theirs] = [position.side(), position.side().other()].map(|side| position.captured(side) as i32);
    own - theirs
}

/// Returns the least and the most by which the side to move can still win.
///
/// The banks and the reserved pits belong to a side for good; all other seeds may go to either.
#[inline]
fn locked(position: &Position, rows: Rows) -> (i32, i32) {
    let [lost, won] = rows.map(reserved_seeds);
    let gone = position.captured(Side::South) + position.captured(Side::North);
    let free = (SOLVED.seeds() - gone) as i32 - won - lost;
    let ahead = bank(position) + won - lost;
    (ahead - free, ahead + free)
}

/// Counts the seeds in the reserved pits of a row.
#[inline]
fn reserved_seeds(row: u64) -> i32 {
    let mut pits = row >> (8 * ROW);
    let mut seeds = 0;
    while pits != 0 {
        seeds += (row >> (8 * pits.trailing_zeros()) & 0xff) as i32;
        pits &= pits - 1;
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_left_unsettled_leave_nothing_wrong_behind() {
        let mut whole = Solver::new(1 << 20);
        let mut short = Solver { longest_line: 3, ..Solver::new(1 << 20) };
        let mut unsettled = 0;
        let texts = [
            "2,0,1,0,0,1/0,1,1,0,1,0 S 41 0",
            "1,2,1,0,0,1/1,0,0,1,0,0 S 41 0",
            "0,2,0,1,0,1/0,1,0,1,2,1 S 39 0",
            "2,1,0,3,1,2/1,1,0,4,0,1 S 32 0",
            "3,1,1,5,3,1/2,0,1,2,1,0 S 28 0",
        ];
        for text in texts {
            let position = position(text);
            let expected = whole.value(&position, &mut || false);
            match short.value(&position, &mut || false) {
                Err(Unsolved::Repetition) => unsettled += 1,
                value => assert_eq!(value, expected, "{text}"),
            }
        }
        assert!(unsettled >= 3, "only {unsettled}");
        short.longest_line = LONGEST_LINE;
        for text in texts {
            let position = position(text);
            assert_eq!(
                short.value(&position, &mut || false),
                whole.value(&position, &mut || false),
                "{text}"
            );
        }
    }

    #[test]
    fn a_position_on_the_line_is_noticed_with_the_same_side_to_move_only() {
        let mut solver = Solver::new(0);
        let spot = |own: u64, gone| Spot { rows: [own, 1], gone };
        solver.line = vec![spot(1, 0), spot(2, 8), spot(3, 8), spot(4, 8), spot(5, 8)];
        // The next position has the side to move that every second one has.
        let returns: Vec<bool> = (1..6).map(|own| solver.returns(spot(own, 8))).collect();
        assert_eq!(returns, [false, true, false, true, false]);
        assert!(!solver.returns(spot(1, 0)), "the board has lost seeds since");
    }

    fn position(text: &str) -> Position {
        text.parse().expect("a position")
    }
}
