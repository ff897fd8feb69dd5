//! What is said to a person, and what a person says.

use std::fmt::Write as _;

use bao_protocol::Reason;
use bao_rules::{Illegal, Pit, Play, Position, Side};

use crate::game::verdict::{Verdict, printable};
use crate::play::bout::{Bout, Terms, Thought, Turn};
use crate::text::board::{Board, LEGEND};
use crate::text::shown::shown;

/// How many laps of a move are told unasked.
const LAPS: usize = 8;

/// What can be typed.
pub(super) const HELP: &str = "\
A3 (or any other pit)  lift this pit and sow
moves     the moves that you may make, and what each does
board     the board again
laps      the last move lap by lap, all of it
hint      what the bot would play in your place
undo      take your last move back, and the bot's answer to it (undo 3: three of yours)
position  the position as a text, for --position
resign    give the game up
quit      leave
";

/// What a person wants.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Lift this pit; it is legal.
    Move(Pit),
    /// Take back this number of moves.
    Undo(usize),
    /// Show something.
    Help,
    /// List the legal moves.
    Moves,
    /// Draw the board.
    Board,
    /// Tell the last move.
    Laps,
    /// Ask the bot.
    Hint,
    /// Write the position.
    Position,
    /// Give up.
    Resign,
    /// Leave.
    Quit,
    /// An empty line.
    Nothing,
}

/// Why a line is not an order.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unclear {
    #[error("undo takes a number from 1, for example undo 2.")]
    Undo,
    #[error("\"{}\" is neither one of your pits nor a command; type help.", printable(.0, 40))]
    Word(String),
    #[error("You cannot lift {pit}: {illegal}. Type moves to list your moves.")]
    Illegal { pit: Pit, illegal: Illegal },
}

/// Understands a line; a pit may be typed in either case, because a person moves one side only.
pub(super) fn order(line: &str, position: &Position, person: Side) -> Result<Order, Unclear> {
    let mut typed = line.split_whitespace();
    let (word, more) = (typed.next().unwrap_or_default(), typed.next());
    Ok(match word.to_ascii_lowercase().as_str() {
        "" => Order::Nothing,
        "help" | "h" | "?" => Order::Help,
        "moves" | "m" => Order::Moves,
        "board" | "b" => Order::Board,
        "laps" | "l" => Order::Laps,
        "hint" => Order::Hint,
        "position" | "p" => Order::Position,
        "resign" => Order::Resign,
        "quit" | "q" | "exit" => Order::Quit,
        "undo" | "u" => match more.map_or(Ok(1), str::parse) {
            Ok(times @ 1..) => Order::Undo(times),
            Ok(0) | Err(_) => return Err(Unclear::Undo),
        },
        _ => return pit(word, position, person).map(Order::Move),
    })
}

fn pit(word: &str, position: &Position, person: Side) -> Result<Pit, Unclear> {
    let cased = match person {
        Side::South => word.to_ascii_uppercase(),
        Side::North => word.to_ascii_lowercase(),
    };
    let pit = Pit::parse(position.variant(), &cased).map_err(|_| Unclear::Word(word.to_owned()))?;
    if position.side() == person {
        position.check(pit).map_err(|illegal| Unclear::Illegal { pit, illegal })?;
    }
    Ok(pit)
}

/// How things are shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    /// In sentences, without a drawing.
    pub(super) plain: bool,
    /// The person's side.
    pub(super) person: Side,
}

impl View {
    pub(super) fn welcome(self, terms: &Terms, bot: &str) -> String {
        let (person, variant) = (self.person, terms.position.variant());
        let case = match person {
            Side::South => "capital",
            Side::North => "small",
        };
        let mut text = format!(
            "{}: you play {}, whose pits have {case} letters; {} plays {} with {} on its clock.\n\
             Type the pit that you lift, or help.\n",
            variant.info().title,
            person.word(),
            shown(bot, 60),
            person.other().word(),
            terms.clock
        );
        if !self.plain {
            let _ = writeln!(text, "On the board: {LEGEND}");
        }
        text
    }

    /// Shows the position after some moves.
    pub(super) fn board(self, start: Position, made: &[Pit]) -> String {
        let (position, last) = replay(start, made);
        if self.plain {
            return sentences(&position);
        }
        let (lifted, last) = match last {
            Some(Step { pit, play, .. }) => (Some(pit), play.last),
            None => (None, None),
        };
        Board { position, lifted, last }.to_string()
    }

    /// Describes the last of the moves, and shows the board after it.
    pub(super) fn made(self, start: Position, made: &[Pit], thought: Thought) -> String {
        let Some(Step { before, pit, .. }) = replay(start, made).1 else { return String::new() };
        let mut text = format!("\n{} {pit}: {}.\n", self.subject(before.side()), told(&before, pit, LAPS));
        if before.side() != self.person
            && let Some(said) = expects(thought)
        {
            let _ = writeln!(text, "About its move: {said}.");
        }
        text + &self.board(start, made)
    }

    fn subject(self, side: Side) -> String {
        let who = if side == self.person { "you lift" } else { "the bot lifts" };
        format!("{}, {who}", side.word())
    }

    /// Describes how a game ended.
    pub(super) fn ended(self, bout: &Bout, bot: Side, stderr: Option<&str>) -> String {
        let Some(verdict) = bout.verdict() else { return String::new() };
        let result = match verdict.winner {
            None => "The game is drawn".to_owned(),
            Some(side) if side == self.person => "You win".to_owned(),
            Some(_) => "The bot wins".to_owned(),
        };
        let mut text = format!("\n{result}: {}.\n", why(verdict, bout.position()));
        let [south, north] = Side::BOTH.map(|side| bout.position().score(side));
        let _ = writeln!(text, "Seeds: South {south}, North {north}.");
        if verdict.fault == Some(bot) {
            if let Some(line) = &verdict.line {
                let _ = writeln!(text, "The bot's line: {line}");
            }
            for line in stderr.into_iter().flat_map(str::lines) {
                let _ = writeln!(text, "On its standard error: {}", shown(line, 200));
            }
        }
        text + "Type undo to take a move back, or quit.\n"
    }

    /// Returns the goodbye after a game that is not over.
    pub(super) fn left(self, position: &Position) -> String {
        format!(
            "The game is not over; --side {} --position \"{position}\" continues from here.\n",
            self.person
        )
    }

    pub(super) fn prompt(self, turn: Turn) -> String {
        match turn {
            Turn::Ours => format!("Your move, {}: ", self.person.word()),
            Turn::Over => "undo or quit: ".to_owned(),
        }
    }
}

/// Returns what the bot said about its move, if it said anything.
pub(super) fn expects(thought: Thought) -> Option<String> {
    let depth = thought.depth.map(|depth| format!("it looked {depth} moves ahead"));
    let score = thought.score.map(|score| {
        let (whole, part) = (score.unsigned_abs() / 100, score.unsigned_abs() % 100);
        let where_ = if score < 0 { "behind" } else { "ahead" };
        format!("it expects to end {whole}.{part:02} seeds {where_}")
    });
    let said: Vec<String> = depth.into_iter().chain(score).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// Returns what was taken back.
pub(super) fn taken_back(plies: usize) -> String {
    if plies == 1 { "One move is taken back.".to_owned() } else { format!("{plies} moves are taken back.") }
}

/// Lists the legal moves with what each does.
pub(super) fn moves(position: &Position) -> String {
    let info = position.variant().info();
    let mut text = String::new();
    for pit in &position.legal_moves() {
        let Ok(Play { laps, last, captured, over, .. }) = position.play(pit) else { continue };
        let last = last.map_or("the bank", Pit::name);
        let laps = match laps {
            Some(1) => format!("1 lap to {last}"),
            Some(laps) => format!("{laps} laps to {last}"),
            None => "a sowing that never ends".to_owned(),
        };
        let captured = match captured {
            0 => String::new(),
            seeds => format!(", {} {seeds}", info.gains),
        };
        let over = if over.is_some() { ", and the game is over" } else { "" };
        let _ = writeln!(text, "{pit}: {laps}{captured}{over}");
    }
    text
}

/// Describes the last move lap by lap, all of it that is kept.
pub(super) fn laps(start: Position, made: &[Pit]) -> String {
    match replay(start, made).1 {
        Some(Step { before, pit, .. }) => format!("{}.\n", told(&before, pit, usize::MAX)),
        None => "No move has been made yet.\n".to_owned(),
    }
}

/// Describes a move lap by lap, up to a limit of laps.
fn told(before: &Position, pit: Pit, laps: usize) -> String {
    match before.trace(pit) {
        Ok(mut trace) => {
            // One lap more is told as shortly as its number is.
            if trace.laps().count() > laps.saturating_add(1) {
                trace.truncate_laps(laps);
            }
            trace.to_string()
        }
        Err(illegal) => illegal.to_string(),
    }
}

/// A move of a game.
#[derive(Debug, Clone, Copy)]
struct Step {
    before: Position,
    pit: Pit,
    play: Play<Position>,
}

/// Plays moves; gives the position after them, and the last of them.
fn replay(start: Position, made: &[Pit]) -> (Position, Option<Step>) {
    let (mut position, mut last) = (start, None);
    for &pit in made {
        let Ok(play) = position.play(pit) else { break };
        last = Some(Step { before: position, pit, play });
        position = play.after.unwrap_or(position);
    }
    (position, last)
}

/// Describes a position in sentences, one per row.
fn sentences(position: &Position) -> String {
    let (variant, mut text) = (position.variant(), String::new());
    let info = variant.info();
    for row in variant.rows() {
        let Some((first, last)) = row.first().zip(row.last()) else { continue };
        let seeds: Vec<String> = row
            .iter()
            .map(|pit| match position.reserved(*pit) {
                Some(side) => format!("{} reserved by {}", position.seeds(*pit), side.word()),
                None => position.seeds(*pit).to_string(),
            })
            .collect();
        let _ = writeln!(text, "{}, {first} to {last}: {}.", row_name(*first), seeds.join(", "));
    }
    for side in Side::BOTH {
        let _ = write!(text, "{} has {} {}", side.word(), position.captured(side), info.gained);
        let _ = match info.counted {
            true => writeln!(text, ", and {} if it ended here.", position.score(side)),
            false => writeln!(text, "."),
        };
    }
    let _ = writeln!(text, "{} is to move.", position.side().word());
    text
}

fn row_name(pit: Pit) -> String {
    let row = match (pit.variant().info().rows, pit.is_front()) {
        (2, _) => "row",
        (_, true) => "front row",
        (_, false) => "back row",
    };
    format!("{}'s {row}", pit.owner().word())
}

/// Returns why a game ended.
fn why(verdict: &Verdict, position: &Position) -> String {
    let mover = position.side().word();
    let detail = verdict.detail.as_deref().unwrap_or_default();
    match verdict.reason {
        Reason::CapturedAll => format!("{mover} has no seed left"),
        Reason::Immobilised => format!("{mover} has one seed in every pit and cannot move"),
        Reason::NoMoves => format!("{mover} cannot move, and the seeds are counted"),
        Reason::Repetition => "a position came back".to_owned(),
        Reason::EndlessSowing => "the last sowing would never end".to_owned(),
        Reason::MaxPlies => "the last move that was agreed upon is made".to_owned(),
        Reason::Resign => match verdict.winner {
            Some(side) => format!("{} gave up", side.other().word()),
            None => "somebody gave up".to_owned(),
        },
        Reason::Time
        | Reason::IllegalMove
        | Reason::BadMessage
        | Reason::LineTooLong
        | Reason::OutputFlood
        | Reason::Crash
        | Reason::ClosedStdout
        | Reason::Stall
        | Reason::Handshake
        | Reason::MemoryLimit
        | Reason::Adjudicated
        | Reason::Void => format!("{}, {detail}", verdict.reason),
    }
}

#[cfg(test)]
mod tests;
