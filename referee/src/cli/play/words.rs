//! The sentences for the person, and the person's commands.

use std::fmt::Write as _;

use bao_protocol::Reason;
use bao_rules::{Illegal, Lap, Pit, Play, Position, Reservation, Side, Trace};

use crate::game::verdict::{Verdict, printable};
use crate::play::bout::{Bout, Terms, Thought, Turn};
use crate::text::board::Board;
use crate::text::lang::Lang;
use crate::text::shown::shown;

/// How many laps of a move are reported by default.
const LAPS: usize = 8;

/// A command of the person.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Lift this pit; it is legal.
    Move(Pit),
    /// Take back this number of moves.
    Undo(usize),
    /// Show the help.
    Help,
    /// List the legal moves.
    Moves,
    /// Draw the board.
    Board,
    /// Describe the last move lap by lap.
    Laps,
    /// Ask for a hint.
    Hint,
    /// Print the position.
    Position,
    /// Give up.
    Resign,
    /// Leave.
    Quit,
    /// An empty line.
    Nothing,
}

/// Why a line is not a command.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unclear {
    #[error("undo takes a number from 1, for example undo 2.")]
    Undo,
    #[error("\"{}\" is neither one of your pits nor a command; type help.", printable(.0, 40))]
    Word(String),
    #[error("You cannot lift {pit}: {illegal}. Type moves to list your moves.")]
    Illegal { pit: Pit, illegal: Illegal },
}

/// Reads a line; a pit may be typed in upper or lower case, because the person moves only one side.
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

impl Unclear {
    /// Returns the sentence for the person.
    pub(super) fn said(&self, lang: Lang) -> String {
        match self {
            _ if lang == Lang::En => self.to_string(),
            Self::Undo => lang.say("bad undo", &[]),
            Self::Word(word) => lang.say("bad word", &[("word", &printable(word, 40))]),
            Self::Illegal { pit, illegal } => {
                lang.say("cannot lift", &[("pit", pit.name()), ("why", &illegal.to_string())])
            }
        }
    }
}

/// Returns the name of a side.
fn side(side: Side, lang: Lang) -> String {
    match side {
        Side::South => lang.say("South", &[]),
        Side::North => lang.say("North", &[]),
    }
}

/// How things are shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    /// In sentences, without a drawing.
    pub(super) plain: bool,
    /// The person's side.
    pub(super) person: Side,
    /// The language.
    pub(super) lang: Lang,
}

impl View {
    pub(super) fn welcome(self, terms: &Terms, bot: &str) -> String {
        let lang = self.lang;
        let case = match self.person {
            Side::South => lang.say("capital", &[]),
            Side::North => lang.say("small", &[]),
        };
        let mut text = lang.say(
            "welcome",
            &[
                ("title", terms.position.variant().info().title),
                ("side", &side(self.person, lang)),
                ("case", &case),
                ("bot", &shown(bot, 60)),
                ("other", &side(self.person.other(), lang)),
                ("clock", &terms.clock.to_string()),
            ],
        );
        text.push('\n');
        if !self.plain {
            text += &lang.say("legend", &[]);
            text.push('\n');
        }
        text
    }

    /// Shows the position after some moves.
    pub(super) fn board(self, start: Position, made: &[Pit]) -> String {
        let (position, last) = replay(start, made);
        if self.plain {
            return sentences(&position, self.lang);
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
        let lang = self.lang;
        let values = [
            ("side", &*side(before.side(), lang)),
            ("pit", pit.name()),
            ("what", &told(&before, pit, LAPS, lang)),
        ];
        let said = if before.side() == self.person {
            lang.say("you lift", &values)
        } else {
            lang.say("the bot lifts", &values)
        };
        let mut text = format!("\n{said}\n");
        if before.side() != self.person
            && let Some(said) = expects(thought, lang)
        {
            text += &lang.say("about its move", &[("said", &said)]);
            text.push('\n');
        }
        text + &self.board(start, made)
    }

    /// Describes how a game ended.
    pub(super) fn ended(self, bout: &Bout, bot: Side, stderr: Option<&str>) -> String {
        let Some(verdict) = bout.verdict() else { return String::new() };
        let lang = self.lang;
        let result = match verdict.winner {
            None => lang.say("drawn", &[]),
            Some(side) if side == self.person => lang.say("you win", &[]),
            Some(_) => lang.say("the bot wins", &[]),
        };
        let [south, north] = Side::BOTH.map(|side| bout.position().score(side).to_string());
        let mut lines = vec![
            format!("\n{result}: {}.", why(verdict, bout.position(), lang)),
            lang.say("seeds", &[("south", &south), ("north", &north)]),
        ];
        if verdict.fault == Some(bot) {
            lines.extend(verdict.line.iter().map(|line| lang.say("its line", &[("line", line)])));
            let stderr = stderr.into_iter().flat_map(str::lines);
            lines.extend(stderr.map(|line| lang.say("its standard error", &[("line", &shown(line, 200))])));
        }
        lines.push(lang.say("undo or quit", &[]));
        lines.join("\n") + "\n"
    }

    /// Returns the goodbye after a game that is not over.
    pub(super) fn left(self, position: &Position) -> String {
        let values = [("side", &*self.person.to_string()), ("position", &position.to_string())];
        self.lang.say("left", &values) + "\n"
    }

    pub(super) fn prompt(self, turn: Turn) -> String {
        match turn {
            Turn::Ours => self.lang.say("your move", &[("side", &side(self.person, self.lang))]),
            Turn::Over => self.lang.say("over", &[]),
        }
    }
}

/// Returns what the bot reported about its move, if anything.
pub(super) fn expects(thought: Thought, lang: Lang) -> Option<String> {
    let depth = thought.depth.map(|depth| lang.say("looked ahead", &[("n", &depth.to_string())]));
    let score = thought.score.map(|score| {
        let (whole, part) = (score.unsigned_abs() / 100, score.unsigned_abs() % 100);
        let seeds = format!("{whole}.{part:02}");
        if score < 0 {
            lang.say("behind", &[("score", &seeds)])
        } else {
            lang.say("ahead", &[("score", &seeds)])
        }
    });
    let said: Vec<String> = depth.into_iter().chain(score).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// Describes what was taken back.
pub(super) fn taken_back(plies: usize, lang: Lang) -> String {
    if plies == 1 {
        lang.say("one taken back", &[])
    } else {
        lang.say("taken back", &[("n", &plies.to_string())])
    }
}

/// Lists the legal moves with what each does.
pub(super) fn moves(position: &Position, lang: Lang) -> String {
    let info = position.variant().info();
    let mut text = String::new();
    for pit in &position.legal_moves() {
        let Ok(Play { laps, last, captured, over, .. }) = position.play(pit) else { continue };
        let last = last.map_or_else(|| lang.say("the bank", &[]), |pit| pit.name().to_owned());
        let mut does = vec![match laps {
            Some(1) => lang.say("1 lap", &[("last", &last)]),
            Some(laps) => lang.say("laps", &[("n", &laps.to_string()), ("last", &last)]),
            None => lang.say("endless", &[]),
        }];
        if captured > 0 {
            does.push(lang.say("gains", &[("gains", info.gains), ("n", &captured.to_string())]));
        }
        does.extend(over.map(|_| lang.say("game over", &[])));
        let _ = writeln!(text, "{pit}: {}", does.join(", "));
    }
    text
}

/// Describes the last move lap by lap, as far as its laps are kept.
pub(super) fn laps(start: Position, made: &[Pit], lang: Lang) -> String {
    match replay(start, made).1 {
        Some(Step { before, pit, .. }) => format!("{}.\n", told(&before, pit, usize::MAX, lang)),
        None => lang.say("no move yet", &[]) + "\n",
    }
}

/// Describes a move lap by lap, at most this many laps.
fn told(before: &Position, pit: Pit, laps: usize, lang: Lang) -> String {
    match before.trace(pit) {
        Ok(mut trace) => {
            // One more lap takes no more space than a note that it was left out.
            if trace.laps().count() > laps.saturating_add(1) {
                trace.truncate_laps(laps);
            }
            if lang == Lang::En { trace.to_string() } else { steps(&trace, lang) }
        }
        Err(illegal) => illegal.to_string(),
    }
}

/// Describes the steps of a move.
fn steps(trace: &Trace, lang: Lang) -> String {
    let lap = |Lap { from, seeds, last }: Lap| {
        let last = last.map_or_else(|| lang.say("the bank", &[]), |pit| pit.name().to_owned());
        lang.say("lap", &[("pit", from.name()), ("n", &seeds.to_string()), ("last", &last)])
    };
    let mut said: Vec<String> = trace.laps().map(lap).collect();
    match (trace.total, trace.unlisted()) {
        (None, _) => said.push(lang.say("endless", &[])),
        (Some(_), 0) => {}
        (Some(_), more) => said.push(lang.say("more laps", &[("n", &more.to_string())])),
    }
    let taken: Vec<String> = trace.taken().map(|(pit, seeds)| format!("{pit} ({seeds})")).collect();
    if !taken.is_empty() {
        said.push(lang.say("takes", &[("pits", &taken.join(", "))]));
    }
    if let Some(Reservation { pit, added_from }) = trace.reserved() {
        said.push(lang.say("reserves", &[("pit", pit.name())]));
        said.extend(added_from.map(|from| lang.say("adds", &[("pit", from.name())])));
    }
    for each in Side::BOTH {
        let banked = trace.banked(each);
        if banked > 0 {
            said.push(lang.say("banked", &[("n", &banked.to_string()), ("side", &side(each, lang))]));
        }
    }
    said.join("; ")
}

/// A move of a game.
#[derive(Debug, Clone, Copy)]
struct Step {
    before: Position,
    pit: Pit,
    play: Play<Position>,
}

/// Plays moves; returns the position after them, and the last move.
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
fn sentences(position: &Position, lang: Lang) -> String {
    let (variant, mut text) = (position.variant(), String::new());
    let info = variant.info();
    for row in variant.rows() {
        let Some((first, last)) = row.first().zip(row.last()) else { continue };
        let pit = |pit: &Pit| {
            let seeds = position.seeds(*pit).to_string();
            match position.reserved(*pit) {
                Some(by) => lang.say("reserved by", &[("n", &seeds), ("side", &side(by, lang))]),
                None => seeds,
            }
        };
        let seeds: Vec<String> = row.iter().map(pit).collect();
        let values = [
            ("row", &*row_name(*first, lang)),
            ("first", first.name()),
            ("last", last.name()),
            ("seeds", &seeds.join(", ")),
        ];
        let _ = writeln!(text, "{}", lang.say("row", &values));
    }
    for each in Side::BOTH {
        let captured = position.captured(each).to_string();
        text += &lang.say("has", &[("side", &side(each, lang)), ("n", &captured), ("gained", info.gained)]);
        if info.counted {
            text += &lang.say("if it ended", &[("n", &position.score(each).to_string())]);
        }
        text += ".\n";
    }
    let _ = writeln!(text, "{}", lang.say("to move", &[("side", &side(position.side(), lang))]));
    text
}

fn row_name(pit: Pit, lang: Lang) -> String {
    let owner = side(pit.owner(), lang);
    let values = [("side", &*owner)];
    match (pit.variant().info().rows, pit.is_front()) {
        (2, _) => lang.say("one row", &values),
        (_, true) => lang.say("front row", &values),
        (_, false) => lang.say("back row", &values),
    }
}

/// Describes why a game ended.
fn why(verdict: &Verdict, position: &Position, lang: Lang) -> String {
    let mover = side(position.side(), lang);
    let mover = [("side", &*mover)];
    let detail = verdict.detail.as_deref().unwrap_or_default();
    match verdict.reason {
        Reason::CapturedAll => lang.say("captured all", &mover),
        Reason::Immobilised => lang.say("immobilised", &mover),
        Reason::NoMoves => lang.say("no moves", &mover),
        Reason::Repetition => lang.say("repetition", &[]),
        Reason::EndlessSowing => lang.say("endless sowing", &[]),
        Reason::MaxPlies => lang.say("max plies", &[]),
        Reason::Resign => match verdict.winner {
            Some(winner) => lang.say("gave up", &[("side", &side(winner.other(), lang))]),
            None => lang.say("somebody gave up", &[]),
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
