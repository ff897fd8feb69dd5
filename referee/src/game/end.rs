//! How a game ends: by time, by misconduct, by absence.

use std::borrow::Cow;

use bao_protocol::to_bot::{self, ToBot};
use bao_protocol::{Reason, Seat, VoidCause, YourResult};
use bao_rules::Side;

use crate::game::clock::Flagged;
use crate::game::input::Out;
use crate::game::machine::{Game, LONGEST_LINE, Phase, Preparing};
use crate::game::messages::send;
use crate::game::setup::Edition;
use crate::game::verdict::{Loss, Verdict, excerpt, printable};

impl Game {
    /// Checks the deadlines: a side that had to answer by now is too late, unless the referee was absent.
    pub(super) fn tick(&mut self, out: &mut impl Out) {
        let late = |game: &Self, side| game.awaited(side).filter(|deadline_us| game.now_us >= *deadline_us);
        let [south, north] = Side::BOTH.map(|side| late(self, side));
        let first_us = [south, north].into_iter().flatten().min();
        if let Some(late_us) = first_us.map(|deadline_us| self.now_us - deadline_us)
            && self.is_absence(late_us)
        {
            let why =
                format!("the referee was absent: a time that ran out was noticed {} ms late", late_us / 1000);
            return self.end(Verdict::void(VoidCause::Absent, &why), out);
        }
        if south.is_some() && north.is_some() && self.setup.edition == Edition::First {
            let why = "neither bot answered in time before the game began";
            return self.end(Verdict::void(VoidCause::Silent, why), out);
        }
        for side in Side::BOTH {
            if late(self, side).is_some() {
                self.too_late(side, out);
            }
        }
    }

    fn too_late(&mut self, side: Side, out: &mut impl Out) {
        match &self.phase {
            Phase::Thinking(turn) => {
                let used_us = self.now_us - turn.asked_us;
                self.bots[side].used_us += used_us;
                let flagged = self.clocks[side].flagged(self.setup.grace_us);
                self.out_of_time(side, used_us, flagged, out);
            }
            Phase::Preparing(sides) => {
                let (reason, what, budget_us) = match sides[side] {
                    Preparing::Greeting { .. } => (Reason::Handshake, "hello", self.setup.handshake_us),
                    Preparing::Readying { .. }
                    | Preparing::Stranger
                    | Preparing::Greeted
                    | Preparing::Ready
                    | Preparing::Failed(_) => (Reason::Stall, "new_game", self.setup.ready_us),
                };
                let detail = format!("no answer to {what} within {} ms", budget_us / 1000);
                self.silent(side, reason, detail, out);
            }
            Phase::Due(_) | Phase::Sowing(_) | Phase::Over(_) => {}
        }
    }

    pub(super) fn out_of_time(&mut self, side: Side, used_us: u64, flagged: Flagged, out: &mut impl Out) {
        let detail = format!(
            "{} ms used, {} ms allowed and {} ms grace",
            used_us / 1000,
            flagged.budget_us / 1000,
            flagged.grace_us / 1000
        );
        self.silent(side, Reason::Time, detail, out);
    }

    /// Takes what happened to a bot that can no longer play.
    pub(super) fn lost(&mut self, side: Side, loss: &Loss, out: &mut impl Out) {
        let mut detail = Cow::Borrowed(&loss.detail);
        if self.setup.edition >= Edition::Second
            && let Some(noise) = &self.bots[side].noise
        {
            // A program that is about to fail often writes the cause to the wrong place.
            detail.to_mut().push_str("; the last that came: ");
            detail.to_mut().push_str(&noise.problem);
        }
        let noise = self.bots[side].noise.as_ref().filter(|_| self.setup.edition >= Edition::Third);
        let line = match noise {
            Some(noise) if loss.line.is_empty() => noise.line.clone(),
            Some(_) | None => loss.line.clone().into_bytes(),
        };
        self.fault(side, loss.reason, &detail, &line, out);
    }

    /// Ends the game because no answer came, with a hint at the usual causes.
    fn silent(&mut self, side: Side, reason: Reason, mut detail: String, out: &mut impl Out) {
        const MUTE: &str = "nothing was ever received from the bot: does it flush its output?";
        let bot = &self.bots[side];
        let mute = bot.flood.is_silent() && self.setup.seat(side).greeted.is_none();
        let mute = mute.then_some(MUTE);
        let unusable = match self.setup.edition {
            Edition::First => bot.astray.as_ref(),
            Edition::Second | Edition::Third => bot.astray.as_ref().or(bot.noise.as_ref()),
        };
        if let Some(cause) = unusable.map(|unusable| unusable.problem.as_str()).or(mute) {
            detail = match self.setup.edition {
                Edition::First => format!("{detail}; {cause}"),
                Edition::Second | Edition::Third => format!("{cause}; {detail}"),
            };
        }
        let line = match self.setup.edition {
            Edition::First | Edition::Second => Vec::new(),
            Edition::Third => unusable.map_or_else(Vec::new, |unusable| unusable.line.clone()),
        };
        self.fault(side, reason, &detail, &line, out);
    }

    /// Sends a side its fault, and ends the game.
    pub(super) fn fault(
        &mut self,
        side: Side,
        reason: Reason,
        detail: &str,
        line: &[u8],
        out: &mut impl Out,
    ) {
        // The evidence has the text as it was written, but cut to a length; the first edition also replaced
        // characters that are hard to quote.
        let (quote, most): (fn(&str, usize) -> String, usize) = match self.setup.edition {
            Edition::First => (printable, 400),
            Edition::Second | Edition::Third => (excerpt, LONGEST_LINE),
        };
        let detail = quote(detail, 600);
        let id = match &self.phase {
            Phase::Thinking(turn) if turn.side == side => turn.id,
            Phase::Preparing(_) | Phase::Due(_) | Phase::Thinking(_) | Phase::Sowing(_) | Phase::Over(_) => 0,
        };
        let on_turn = id != 0;
        if on_turn {
            self.text.describe(&self.position, &self.legal, self.last);
        }
        let shown = quote(&String::from_utf8_lossy(&line[..line.len().min(most)]), 200);
        let message = ToBot::Fault(to_bot::Fault {
            id,
            code: reason,
            detail: Cow::Borrowed(&detail),
            line: Cow::Borrowed(&shown),
            legal: Cow::Borrowed(if on_turn { &self.text.legal } else { "" }),
        });
        send(&mut self.text.line, side, &message, out);
        let line = (!shown.is_empty()).then_some(shown);
        self.failed(side, Verdict { line, ..Verdict::lost(side, reason, detail) }, out);
    }

    /// Ends the game and tells both bots.
    pub(super) fn end(&mut self, mut verdict: Verdict, out: &mut impl Out) {
        if self.setup.edition == Edition::First {
            verdict.void = None;
        }
        for side in Side::BOTH {
            let you = match verdict.winner {
                _ if verdict.reason == Reason::Void => YourResult::Void,
                None => YourResult::Draw,
                Some(winner) if winner == side => YourResult::Win,
                Some(_) => YourResult::Loss,
            };
            let message = ToBot::GameOver(to_bot::GameOver {
                game_id: Cow::Borrowed(&self.text.game_id),
                result: Cow::Borrowed(verdict.result()),
                winner: verdict.winner.map(Seat::from),
                reason: verdict.reason,
                you,
                score: Side::BOTH.map(|side| self.position.score(side).into()),
            });
            send(&mut self.text.line, side, &message, out);
        }
        self.phase = Phase::Over(verdict);
    }
}
