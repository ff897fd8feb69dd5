//! Talk between games: pings, options, what no bot can know; and what a bot's output and its idle time were like.

use std::time::Duration;

use bao_protocol::from_bot::{OptionKind, OptionSpec};
use bao_protocol::{Reason, ToBot, to_bot};

use super::{Examiner, Finding, Outcome, Test, ping, pong};
use crate::game::flood::Flood;
use crate::game::verdict::Loss;
use crate::play::driver::Party as _;
use crate::play::link::now;
use crate::play::manners::Manners;
use crate::play::talk::{Heard, Talk};
use crate::text::count::count;
use crate::text::shown::shown;
use bao_jail::SetupError;

/// How long a bot that nobody has asked anything may take to come to rest.
const REST: Duration = Duration::from_millis(200);
/// How long it is watched then.
const IDLE: Duration = Duration::from_millis(400);
/// How often it is watched before its use of the processor is taken for a loop.
const WATCHES: u32 = 5;
/// What it may use of the processor in that time, in microseconds: little, because a busy machine gives it little.
const IDLE_CPU_US: u64 = 20_000;

impl Examiner<'_> {
    /// Asks for signs of life between games.
    pub(super) async fn pings(&mut self) -> Result<Test, SetupError> {
        let mut talk = match self.greeted("ping").await? {
            Ok(talk) => talk,
            Err(test) => return Ok(test),
        };
        let asked = now();
        if let Err(loss) = ping(&mut talk).await {
            let finding = self.lose(talk, "at a ping", &loss).await;
            return Ok(Test::new("ping", "no pong", vec![finding]));
        }
        let took_us = now().duration_since(asked).as_micros();
        // Three lines in one piece: a bot that reads more than a line at a time may lose some.
        let (mut lines, mut ids) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            let id = talk.take_id();
            ids.push(id);
            ToBot::Ping(to_bot::Ping { id }).write_line(&mut lines);
        }
        talk.say(&lines);
        for id in ids {
            if let Err(loss) = pong(&mut talk, id).await {
                let mut finding = self.lose(talk, "at three pings that were sent in one piece", &loss).await;
                finding.advice =
                    "Read line by line and answer every line: what a read brings may be less than a line, \
                                  or several."
                        .into();
                return Ok(Test::new("ping", "not every ping is answered", vec![finding]));
            }
        }
        let mut findings = Vec::new();
        // Where the first came early enough, the handshake has reported it.
        if talk.manners.hellos > 1 && self.tests.iter().all(|test| test.outcome != Outcome::Failure) {
            findings.push(Finding::failure(
                "the bot says hello before it was asked, and once more when it is",
                "Wait for the referee's `hello`, then answer with your own. A message before the request is not an answer to it.",
            ));
        }
        self.give_back(talk);
        Ok(Test::new("ping", format!("pong after {}.{:03} ms", took_us / 1000, took_us % 1000), findings))
    }

    /// Sets every option.
    pub(super) async fn options(&mut self) -> Result<Test, SetupError> {
        let options = self.hello.as_ref().map(|hello| hello.options.clone()).unwrap_or_default();
        if options.is_empty() {
            return Ok(Test::skipped("options", "the bot lists none"));
        }
        let (mut findings, mut unusable) = (Vec::new(), 0);
        for spec in &options {
            if self.gone {
                break;
            }
            let name = shown(&spec.name, 60);
            let default = format!("when the option {name} was set to its default");
            if let Err(finding) = self.set(spec, &spec.default, &default).await? {
                findings.push(finding);
                continue;
            }
            let Some(value) = unusable_value(spec) else { continue };
            unusable += 1;
            let when = format!("when the option {name} was set to a value that it cannot take, \"{value}\"");
            if let Err(mut finding) = self.set(spec, value, &when).await? {
                // Only an organiser's slip leads here: it stops no event that is set up rightly.
                finding.failure = false;
                finding.advice =
                    "Keep the old value, and say so with a `log`; the organiser may have mistyped it.".into();
                findings.push(finding);
            } else if let Err(finding) = self.set(spec, &spec.default, &default).await? {
                findings.push(finding);
            }
        }
        let count = options.len();
        let summary =
            format!("{count} set to the default, {unusable} tried with a value that cannot be used");
        Ok(Test::new("options", summary, findings))
    }

    /// Sets an option and sees whether the bot is still there.
    async fn set(
        &mut self,
        spec: &OptionSpec,
        value: &str,
        when: &str,
    ) -> Result<Result<(), Finding>, SetupError> {
        let mut talk = match self.started().await? {
            Ok(talk) => talk,
            Err(finding) => return Ok(Err(finding)),
        };
        let id = talk.take_id();
        let (name, value) = (spec.name.as_str().into(), value.into());
        let message = ToBot::SetOption(to_bot::SetOption { id, name, value });
        talk.tell(&message);
        if let Err(loss) = ping(&mut talk).await {
            let mut finding = self.lose(talk, when, &loss).await;
            let mut line = Vec::new();
            message.write_line(&mut line);
            finding.sent = Some(String::from_utf8_lossy(line.trim_ascii_end()).into_owned());
            return Ok(Err(finding));
        }
        self.give_back(talk);
        Ok(Ok(()))
    }

    /// Sends what the bot cannot know.
    pub(super) async fn unknown(&mut self) -> Result<Test, SetupError> {
        let mut talk = match self.greeted("unknown").await? {
            Ok(talk) => talk,
            Err(test) => return Ok(test),
        };
        talk.strange = true;
        let answered = ping(&mut talk).await;
        talk.strange = false;
        if let Err(loss) = answered {
            let when = "after a message of an unknown type and a ping with unknown fields";
            let mut finding = self.lose(talk, when, &loss).await;
            finding.sent = finding
                .sent
                .map(|sent| format!("{{\"type\":\"weather\",...}}, then {sent} with more fields"));
            finding.advice =
                "Ignore types and fields that the bot does not know: a later version of the protocol may add some."
                    .into();
            return Ok(Test::new("unknown", "not ignored", vec![finding]));
        }
        self.give_back(talk);
        Ok(Test::new("unknown", "messages and fields that no bot can know are ignored", Vec::new()))
    }

    /// Watches the bot while nobody asks it anything.
    pub(super) async fn idle(&mut self) -> Result<Test, SetupError> {
        let mut talk = match self.greeted("idle").await? {
            Ok(talk) => talk,
            Err(test) => return Ok(test),
        };
        let resting = unasked(&mut talk, REST).await;
        let (mut loss, mut used_us) = (resting, u64::MAX);
        // A runtime may still compile or collect garbage for a while; a loop never ends.
        for _ in 0..WATCHES {
            let (_, before_us) = talk.cost();
            loss = match loss {
                None if used_us > IDLE_CPU_US => unasked(&mut talk, IDLE).await,
                None => break,
                Some(loss) => Some(loss),
            };
            used_us = used_us.min(talk.cost().1.saturating_sub(before_us));
        }
        if let Some(loss) = loss {
            let finding = self.lose(talk, "while no request was open", &loss).await;
            return Ok(Test::new("idle", "the bot does not wait quietly", vec![finding]));
        }
        self.give_back(talk);
        let mut findings = Vec::new();
        if used_us > IDLE_CPU_US {
            findings.push(Finding::warning(
                format!(
                    "the bot used {} ms or more of processor time while no request was open, in each of {WATCHES} \
                     periods of {} ms",
                    used_us / 1000,
                    IDLE.as_millis()
                ),
                "Wait for the next line without a loop that asks again and again, and stop searching once the game is \
                 over; organisers may stop bots that are not on turn (--freeze).",
            ));
        }
        Ok(Test::new(
            "idle",
            format!("{} ms of processor time in {} ms", used_us / 1000, IDLE.as_millis()),
            findings,
        ))
    }

    /// Sums up what the bot's output was like.
    pub(super) fn output(&self) -> Test {
        let Manners { lines, crlf, blank, noise, .. } = self.manners;
        let mut findings = Vec::new();
        if noise > 0 {
            let first = self.manners.first_noise.clone().unwrap_or_default();
            let warning = Finding::warning(
                format!(
                    "{} not a message; more than 100 such lines in a game, or 64 KiB of them, lose it",
                    if noise == 1 { "1 line is".to_owned() } else { format!("{noise} lines are") }
                ),
                "Write banners and debugging prints to standard error.",
            );
            findings.push(Finding { received: vec![first], ..warning });
        }
        for (text, count) in self.manners.remarks() {
            let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
            findings.push(Finding::warning(
                format!("{text}{times}"),
                "It loses no game, but is not what the bot means: compare with PROTOCOL.md.",
            ));
        }
        let fine = |count: u64, what: &str| match count {
            0 => String::new(),
            count => format!(", {count} {what} (which is fine)"),
        };
        let (crlf, blank) = (fine(crlf, "with a carriage return"), fine(blank, "empty"));
        let summary = format!("{}{crlf}{blank}", count(lines, "line"));
        Test::new("output", summary, findings)
    }

    /// Sums up what the bot cost.
    pub(super) fn expense(&self) -> Test {
        let cost = self.cost;
        let mut findings = Vec::new();
        if let Some(limit) = self.order.sandbox.memory_bytes
            && cost.memory_bytes > limit / 2
        {
            findings.push(Finding::warning(
                format!("{} of memory were used, and {} are allowed", mib(cost.memory_bytes), mib(limit)),
                "Leave some room: a bot that goes beyond the limit loses by `memory_limit`.",
            ));
        }
        let average_us = cost.total_us.checked_div(cost.moves).unwrap_or(0);
        let summary = format!(
            "{}, {} ms on average, {} ms at most; up to {} of memory; {} ms of processor time",
            count(cost.moves, "move"),
            ms(average_us),
            ms(cost.most_us),
            mib(cost.memory_bytes),
            cost.cpu_us / 1000
        );
        Test::new("cost", summary, findings)
    }
}

/// A value that an option of this kind cannot take, if there is one.
fn unusable_value(spec: &OptionSpec) -> Option<&'static str> {
    match spec.kind {
        OptionKind::String => None,
        OptionKind::Integer => Some("many"),
        OptionKind::Boolean => Some("perhaps"),
        OptionKind::Choice => Some("none of these"),
    }
}

/// Listens to a bot that should be quiet.
async fn unasked(talk: &mut Talk, time: Duration) -> Option<Loss> {
    let deadline = now() + time;
    let mut flood = Flood::default();
    loop {
        match talk.hear(deadline).await {
            Heard::Line(line) if now() < deadline => {
                if let Some(flood) = flood.line(&line) {
                    let detail = format!("unasked, {flood}");
                    return Some(Loss { reason: Reason::OutputFlood, detail, line: String::new() });
                }
            }
            Heard::Line(_) | Heard::Nothing => return None,
            Heard::Lost(loss) => return Some(loss),
        }
    }
}

fn ms(us: u64) -> String {
    format!("{}.{:02}", us / 1000, us % 1000 / 10)
}

fn mib(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
}
