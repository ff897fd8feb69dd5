//! Plays a game with the rules core alone, independently of the referee's machine.

use bao_protocol::Reason;
use bao_protocol::record::GameRow;
use bao_rules::{Ending, History, Illegal, Outcome, Pit, PitError, Position, Side, Variant};

use super::compare::Wrong;

/// One move according to the rules core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) side: Side,
    pub(super) pit: Pit,
    pub(super) legal_count: u64,
    pub(super) laps: Option<u64>,
    pub(super) captured: u64,
}

/// Plays the moves of a row; returns each move and what is wrong with the row.
pub(super) fn play(row: &GameRow, max_plies: u64) -> (Vec<Told>, Vec<Wrong>) {
    let start =
        row.variant.parse::<Variant>().map_err(|error| ("variant", error.to_string())).and_then(|variant| {
            Position::parse(variant, &row.position).map_err(|error| ("position", error.to_string()))
        });
    let position = match start {
        Ok(position) => position,
        Err((key, problem)) => {
            let is = if key == "variant" { &row.variant } else { &row.position };
            return (Vec::new(), vec![Wrong::new(key, is, format!("readable ({problem})"))]);
        }
    };
    let mut line = Line { position, history: History::new(&position), told: Vec::new(), over: None };
    let mut wrong = Vec::new();
    for word in row.moves.split(' ').filter(|_| !row.moves.is_empty()) {
        if let Err(problem) = line.play(word, max_plies) {
            let is = format!("{word} as move {}", line.told.len() + 1);
            wrong.push(Wrong::new("moves", is, format!("a legal move ({problem})")));
            return (line.told, wrong);
        }
    }
    line.judge(row, &mut wrong);
    (line.told, wrong)
}

/// Why a move of a row cannot be played.
#[derive(Debug, thiserror::Error)]
enum Unplayable {
    #[error("{0}")]
    Pit(PitError),
    #[error("the game is already over: {0}")]
    Over(Ending),
    #[error("{0}")]
    Illegal(Illegal),
}

/// A game as far as it has been played.
struct Line {
    position: Position,
    history: History,
    told: Vec<Told>,
    over: Option<Outcome>,
}

impl Line {
    fn play(&mut self, word: &str, max_plies: u64) -> Result<(), Unplayable> {
        let pit = Pit::parse(self.position.variant(), word).map_err(Unplayable::Pit)?;
        if let Some(outcome) = self.over.or_else(|| self.position.over()) {
            return Err(Unplayable::Over(outcome.reason));
        }
        let play = self.position.play(pit).map_err(Unplayable::Illegal)?;
        self.told.push(Told {
            side: self.position.side(),
            pit,
            legal_count: self.position.legal_moves().len() as u64,
            laps: play.laps,
            captured: play.captured.into(),
        });
        self.over = play.over;
        let Some(after) = play.after else { return Ok(()) };
        self.position = after;
        if self.over.is_none() && self.history.push(&after) {
            self.over = Some(after.stopped(Ending::Repetition));
        }
        if self.over.is_none() && self.told.len() as u64 >= max_plies {
            self.over = Some(after.stopped(Ending::MaxPlies));
        }
        Ok(())
    }

    /// Compares the result in the row with the moves.
    fn judge(&self, row: &GameRow, wrong: &mut Vec<Wrong>) {
        let mut compare = |key: &str, is: String, should: String| {
            if is != should {
                wrong.push(Wrong::new(key, is, should));
            }
        };
        compare("plies", row.plies.to_string(), self.told.len().to_string());
        compare("final_position", row.final_position.clone(), self.position.to_string());
        compare("seeds_south", row.seeds_south.to_string(), self.position.score(Side::South).to_string());
        compare("seeds_north", row.seeds_north.to_string(), self.position.score(Side::North).to_string());
        // A bot can fail before the first request, in a position that is already decided.
        let over = self.over.or_else(|| self.position.over().filter(|_| by_rules(row.reason)));
        if over.is_none() && by_rules(row.reason) {
            let should = "one of conduct: by the rules the game is not over";
            return compare("reason", row.reason.to_string(), should.to_owned());
        }
        let (reason, (winner, fault)) = match over {
            Some(outcome) => (outcome.reason.into(), (outcome.winner, None)),
            None => (row.reason, self.by_conduct(row)),
        };
        let letter = |side: Option<Side>| side.map_or("null".to_owned(), |side| side.to_string());
        compare("reason", row.reason.to_string(), reason.to_string());
        compare("winner", letter(row.winner.map(Side::from)), letter(winner));
        compare("fault", letter(row.fault.map(Side::from)), letter(fault));
        let score = match (reason, winner) {
            (Reason::Void, _) => "null",
            (_, None) => "0.5",
            (_, Some(Side::South)) => "1",
            (_, Some(Side::North)) => "0",
        };
        let is = row.score_south.map_or("null".to_owned(), |score| score.to_string());
        compare("score_south", is, score.to_owned());
    }

    /// Returns the winner and the side at fault if the rules do not decide: as far as they follow from the reason,
    /// else as in the row.
    fn by_conduct(&self, row: &GameRow) -> (Option<Side>, Option<Side>) {
        let turn = self.position.side();
        let (winner, fault) = (row.winner.map(Side::from), row.fault.map(Side::from));
        let lost = |side: Side| (Some(side.other()), Some(side));
        match row.reason {
            Reason::Void => (None, fault),
            Reason::Resign => (Some(turn.other()), None),
            Reason::Time | Reason::IllegalMove => lost(turn),
            Reason::BadMessage
            | Reason::LineTooLong
            | Reason::OutputFlood
            | Reason::Crash
            | Reason::ClosedStdout
            | Reason::Stall
            | Reason::Handshake
            | Reason::MemoryLimit => lost(fault.or(winner.map(Side::other)).unwrap_or(turn)),
            Reason::Adjudicated
            | Reason::CapturedAll
            | Reason::Immobilised
            | Reason::NoMoves
            | Reason::Repetition
            | Reason::EndlessSowing
            | Reason::MaxPlies => (winner, fault),
        }
    }
}

fn by_rules(reason: Reason) -> bool {
    Ending::ALL.into_iter().any(|ending| Reason::from(ending) == reason)
}
