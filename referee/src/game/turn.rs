//! A turn: the request, the answer, and the result of the move.

use std::borrow::Cow;
use std::fmt::Write as _;

use bao_protocol::Reason;
use bao_protocol::from_bot::{self, Thought};
use bao_protocol::record::MoveRow;
use bao_protocol::to_bot::{self, ToBot};
use bao_rules::{Ending, Pit, Play, Position, Side};

use crate::game::input::{Heard, Out};
use crate::game::instead;
use crate::game::machine::{Game, LAPS, Made, Phase, Turn};
use crate::game::messages::{row, send};
use crate::game::note::Answer;
use crate::game::setup::{Edition, Measure};
use crate::game::verdict::Verdict;

impl Game {
    /// Asks a side for its move.
    pub(super) fn go(&mut self, side: Side, out: &mut impl Out) {
        let (id, history) = {
            let bot = &mut self.bots[side];
            bot.flood.next_turn();
            bot.noise = None;
            (bot.take_id(), bot.greeted.history)
        };
        let clock = &self.clocks[side];
        let allowed_us = self.setup.allowed_us(clock);
        self.began = true;
        self.phase = Phase::Thinking(Turn {
            side,
            id,
            asked_us: self.now_us,
            deadline_us: self.now_us + allowed_us + 1,
            thought: Thought::default(),
        });
        let text = &mut self.text;
        text.describe(&self.position, &self.legal, self.last);
        let (south, north) = (row(&self.position, Side::South), row(&self.position, Side::North));
        let pits = self.position.pits(Side::South).count();
        let message = ToBot::Go(to_bot::Go {
            id,
            game_id: Cow::Borrowed(&text.game_id),
            ply: self.plies,
            you: side.into(),
            position: Cow::Borrowed(&text.position),
            south: Cow::Borrowed(&south[..pits]),
            north: Cow::Borrowed(&north[..pits]),
            captured_south: self.position.captured(Side::South).into(),
            captured_north: self.position.captured(Side::North).into(),
            reserved: Cow::Borrowed(&text.reserved),
            legal: Cow::Borrowed(&text.legal),
            last: Cow::Borrowed(&text.last),
            moves: history.then_some(Cow::Borrowed(&self.moves)),
            you_ms: clock.left_ms(),
            opponent_ms: self.clocks[side.other()].left_ms(),
            increment_ms: clock.increment_ms(),
            moves_to_go: clock.moves_to_go().into(),
            periods: clock.periods().into(),
            deadline_ms: clock.deadline_ms(),
        });
        send(&mut text.line, side, &message, out);
    }

    pub(super) fn resigned(&mut self, side: Side, id: u64, bytes: &[u8], out: &mut impl Out) {
        if !self.is_open(side, id) {
            return self.astray(side, Answer::Resign, id, bytes, out);
        }
        self.end(Verdict::ended(Some(side.other()), Reason::Resign, None), out);
    }

    pub(super) fn informed(&mut self, side: Side, info: from_bot::Info) {
        if let Phase::Thinking(turn) = &mut self.phase
            && (turn.side, turn.id) == (side, info.id)
        {
            let from_bot::Info { id: _, depth, score, nodes, pv, text } = info;
            turn.thought = Thought { depth, score, nodes, pv, text };
        }
    }

    pub(super) fn move_came(&mut self, mv: from_bot::Move, heard: Heard<'_>, out: &mut impl Out) {
        let side = heard.side;
        if !self.is_open(side, mv.id) {
            return self.astray(side, Answer::Move, mv.id, heard.bytes, out);
        }
        let Phase::Thinking(turn) = &mut self.phase else { return };
        let thought = mv.info.unwrap_or_else(|| std::mem::take(&mut turn.thought));
        let wall_us = self.now_us - turn.asked_us;
        let used_us = match self.setup.measure {
            Measure::Wall => wall_us,
            Measure::Cpu => heard.cpu.mover_us.unwrap_or(wall_us),
        };
        let bot = &mut self.bots[side];
        bot.used_us += used_us;
        (bot.astray, bot.noise) = (None, None);
        // A thread that never sleeps does not know when an answer came; in any case not before the request.
        let lag_us = heard.lag_us.min(wall_us);
        self.max_lag_us = self.max_lag_us.max(lag_us);
        if let Err(flagged) = self.clocks[side].charge(used_us, self.setup.grace_us) {
            return self.out_of_time(side, used_us, flagged, out);
        }
        let pit = match Pit::parse(self.position.variant(), &mv.mv) {
            Ok(pit) => pit,
            Err(error) => {
                let detail = format!("unknown_pit: {error}{}", self.meant(&mv.mv));
                return self.fault(side, Reason::IllegalMove, &detail, heard.bytes, out);
            }
        };
        let mut sowing = match self.position.begin(pit) {
            Ok(sowing) => sowing,
            Err(illegal) => {
                let detail = match self.setup.edition {
                    Edition::First => format!("{}: {pit}: {illegal}", illegal.code()),
                    Edition::Second | Edition::Third => {
                        format!("{}: {illegal}{}", illegal.code(), self.meant(&mv.mv))
                    }
                };
                return self.fault(side, Reason::IllegalMove, &detail, heard.bytes, out);
            }
        };
        let made = Made { side, pit, wall_us, lag_us, cpu: heard.cpu, thought };
        match sowing.go_on(LAPS) {
            Some(play) => self.moved(made, &play, out),
            None => self.phase = Phase::Sowing(Box::new((made, sowing))),
        }
    }

    /// Returns a question for the legal move that a text probably meant, if one is near.
    fn meant(&self, text: &str) -> String {
        match (self.setup.edition, instead::meant(text, &self.legal)) {
            (Edition::Second | Edition::Third, Some(pit)) => format!("; did you mean {pit}?"),
            (Edition::Second | Edition::Third, None) | (Edition::First, _) => String::new(),
        }
    }

    /// Returns whether a request with this id is open.
    fn is_open(&self, side: Side, id: u64) -> bool {
        matches!(&self.phase, Phase::Thinking(turn) if (turn.side, turn.id) == (side, id))
    }

    /// Records a move and makes it, now that its result is known.
    pub(super) fn moved(&mut self, made: Made, play: &Play<Position>, out: &mut impl Out) {
        let Made { side, pit, wall_us, lag_us, cpu, thought } = made;
        self.plies += 1;
        if !self.moves.is_empty() {
            self.moves.push(' ');
        }
        write!(self.moves, "{pit}").expect("a String takes every write");
        out.ply(&MoveRow {
            game: self.setup.game,
            ply: self.plies,
            side: side.into(),
            mv: Cow::Borrowed(pit.name()),
            used_us: wall_us,
            clock_us: self.clocks[side].left_us(),
            lag_us,
            legal_count: self.legal.len() as u64,
            laps: play.laps,
            captured: play.captured.into(),
            depth: thought.depth,
            score: thought.score,
            nodes: thought.nodes,
            ponder_cpu_us: cpu.opponent_us,
            cpu_us: cpu.mover_us,
        });
        self.last = Some(pit);
        if let Some(after) = play.after {
            self.position = after;
        }
        match play.over {
            Some(outcome) => self.end(Verdict::by_rules(outcome), out),
            None => {
                self.next_turn(out);
                self.adjudicate(side, thought.score, out);
            }
        }
    }

    /// Ends a game that is not over by the rules, if an organiser's rule ends it.
    fn adjudicate(&mut self, side: Side, score: Option<i64>, out: &mut impl Out) {
        if let (Some(rules), Phase::Due(_)) = (&self.setup.adjudication, &self.phase)
            && let Some(verdict) = self.scores.moved(rules, side, score, self.plies)
        {
            self.end(verdict, out);
        }
    }

    /// Ends the game by the position or the length, or makes a request to the side to move due.
    pub(super) fn next_turn(&mut self, out: &mut impl Out) {
        if self.plies == 0 {
            if let Some(outcome) = self.position.over() {
                return self.end(Verdict::by_rules(outcome), out);
            }
        } else if self.history.push(&self.position) {
            return self.end(Verdict::by_rules(self.position.stopped(Ending::Repetition)), out);
        }
        if self.plies >= self.setup.max_plies {
            return self.end(Verdict::by_rules(self.position.stopped(Ending::MaxPlies)), out);
        }
        self.legal = self.position.legal_moves();
        self.phase = Phase::Due(self.position.side());
    }
}
