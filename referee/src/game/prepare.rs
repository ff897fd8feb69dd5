//! A game before its first move: both bots get `hello`, their options and `new_game`.
//!
//! Failures here are judged together: the first failure decides nothing until the other bot is ready or has also failed.

use bao_protocol::from_bot::Hello;
use bao_protocol::{Reason, VoidCause};
use bao_rules::Side;

use crate::game::input::Out;
use crate::game::machine::{Game, Phase, Preparing};
use crate::game::messages::{hello, new_game, send, set_option};
use crate::game::note::{Answer, Note};
use crate::game::setup::{self, Edition};
use crate::game::verdict::{Verdict, excerpt, printable};

impl Game {
    /// Sends the requests that are due.
    pub(super) fn ask(&mut self, out: &mut impl Out) {
        match &self.phase {
            Phase::Preparing(_) => {
                for side in Side::BOTH {
                    self.prepare(side, out);
                }
            }
            Phase::Due(side) => self.go(*side, out),
            Phase::Thinking(_) | Phase::Sowing(_) | Phase::Over(_) => {}
        }
    }

    fn prepare(&mut self, side: Side, out: &mut impl Out) {
        let Phase::Preparing(sides) = &mut self.phase else { return };
        let state = &mut sides[side];
        let (bot, line) = (&mut self.bots[side], &mut self.text.line);
        match state {
            Preparing::Stranger => {
                let handshake_us = self.setup.handshake_us;
                *state = Preparing::Greeting { deadline_us: self.now_us + handshake_us };
                send(line, side, &hello(handshake_us), out);
            }
            Preparing::Greeted => {
                if bot.greeted.seed {
                    let value = self.setup.seed_option(side, bot.greeted).to_string();
                    send(line, side, &set_option(bot.take_id(), "seed", &value), out);
                }
                let id = bot.take_id();
                *state = Preparing::Readying { id, deadline_us: self.now_us + self.setup.ready_us };
                send(line, side, &new_game(&self.setup, side, id, &self.text.game_id), out);
            }
            Preparing::Greeting { .. }
            | Preparing::Readying { .. }
            | Preparing::Ready
            | Preparing::Failed(_) => {}
        }
    }

    pub(super) fn hello_came(&mut self, side: Side, hello: Hello, bytes: &[u8], out: &mut impl Out) {
        let greeting = matches!(&self.phase, Phase::Preparing(sides)
            if matches!(sides[side], Preparing::Greeting { .. }));
        if !greeting {
            return self.note(side, &Note::SecondHello, out);
        }
        let name = self.setup.position.variant().name();
        if hello.protocol != u64::from(bao_protocol::VERSION) {
            let why = format!(
                "{} speaks version {} of the protocol, the referee version {}",
                self.setup.seat(side).name,
                hello.protocol,
                bao_protocol::VERSION
            );
            let verdict = Verdict { fault: Some(side), ..Verdict::void(VoidCause::Program, &why) };
            return self.failed(side, verdict, out);
        }
        if !hello.games.iter().any(|game| game == name) {
            let plays = match self.setup.edition {
                Edition::First => printable(&hello.games.join(", "), 100),
                Edition::Second | Edition::Third => excerpt(&hello.games.join(", "), 100),
            };
            let detail = format!("the bot does not play {name}; its hello lists: {plays}");
            return self.fault(side, Reason::Handshake, &detail, bytes, out);
        }
        self.prepared(side, Preparing::Greeted);
        let options = self.setup.seat(side).options.clone();
        for (option, _) in &options {
            if !hello.options.iter().any(|spec| spec.name == *option) {
                self.note(side, &Note::Unlisted { option }, out);
            }
        }
        if self.setup.edition >= Edition::Second {
            for (option, value, takes) in &setup::unfit(&hello, &options) {
                self.note(side, &Note::Unfit { option, value, takes }, out);
            }
        }
        let bot = &mut self.bots[side];
        bot.greeted = setup::greeted(&hello, &options, self.setup.edition);
        bot.hello = Some(hello);
        for (name, value) in &options {
            send(&mut self.text.line, side, &set_option(bot.take_id(), name, value), out);
        }
    }

    pub(super) fn ready(&mut self, side: Side, id: u64, bytes: &[u8], out: &mut impl Out) {
        let asked = matches!(&self.phase, Phase::Preparing(sides)
            if matches!(sides[side], Preparing::Readying { id: asked, .. } if asked == id));
        if !asked {
            return self.astray(side, Answer::Ready, id, bytes, out);
        }
        self.prepared(side, Preparing::Ready);
        match self.preparing(side.other()) {
            Some(Preparing::Ready) => self.next_turn(out),
            Some(Preparing::Failed(verdict)) => {
                let verdict = verdict.clone();
                self.end(verdict, out);
            }
            Some(_) | None => {}
        }
    }

    /// Takes the failure of a bot before the game began: the end of the game, or only one half of it.
    pub(super) fn failed(&mut self, side: Side, verdict: Verdict, out: &mut impl Out) {
        let decides = self.setup.edition == Edition::First;
        match self.preparing(side.other()) {
            Some(Preparing::Failed(other)) => {
                let reasons = if side == Side::South { [&verdict, other] } else { [other, &verdict] };
                let [south, north] = reasons.map(|failure| excerpt(&failure.sentence(), 250));
                let why = format!("neither bot was ready; South: {south}; North: {north}");
                self.end(Verdict::void(VoidCause::Silent, &why), out);
            }
            Some(Preparing::Ready) | None => self.end(verdict, out),
            Some(_) if decides => self.end(verdict, out),
            Some(_) => self.prepared(side, Preparing::Failed(verdict)),
        }
    }

    /// Returns the progress of this side before the game begins.
    pub(super) fn preparing(&self, side: Side) -> Option<&Preparing> {
        match &self.phase {
            Phase::Preparing(sides) => Some(&sides[side]),
            Phase::Due(_) | Phase::Thinking(_) | Phase::Sowing(_) | Phase::Over(_) => None,
        }
    }

    fn prepared(&mut self, side: Side, state: Preparing) {
        if let Phase::Preparing(sides) = &mut self.phase {
            sides[side] = state;
        }
    }
}
