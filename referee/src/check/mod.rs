//! The compliance test that a bot's author runs first.
//!
//! [`check`] starts the bot as a match would, talks with it, plays with it, asks it about the rules and says
//! goodbye. Its findings are written for the author: what was sent, what came back, what to change. Every wait has
//! a deadline, so a bot that is silent, crashes or floods gets its report in bounded time.

mod farewell;
mod games;
mod greeting;
mod manners;
mod positions;
mod report;
mod rules;
mod runtime;
mod tight;

pub use report::{Cost, Finding, Outcome, Report, Test, TestName};

use std::collections::BTreeSet;

use bao_protocol::from_bot::Hello;
use bao_protocol::{Reason, ToBot, to_bot};
use bao_rules::Variant;

use crate::game::clock::TimeControl;
use crate::game::verdict::Loss;
use crate::play::bout::Pace;
use crate::play::manners::Manners;
use crate::play::talk::Talk;
use crate::process::keeper::Keeper;
use bao_jail::{Sandbox, SetupError};
use tight::Tight;

/// The number of faults after which the games that are left are not played.
const MOST_FAULTS: u64 = 7;
/// The number of silences after which they are not: each takes seconds.
const MOST_SILENCES: u64 = 4;

/// What to check, and how.
#[derive(Debug, Clone)]
pub struct Checkup {
    /// The program, found, and its arguments.
    pub command: Vec<String>,
    /// What it may do.
    pub sandbox: Sandbox,
    /// How many games without a fault are asked for.
    pub games: u64,
    /// The bot's clock in them.
    pub clock: TimeControl,
    /// How far a clock may be overstepped, in microseconds.
    pub grace_us: u64,
    /// How long the bot may take to answer `hello`, in microseconds.
    pub handshake_us: u64,
    /// How long it may take to answer `new_game`, in microseconds.
    pub ready_us: u64,
    /// From it follow the games and the questions.
    pub seed: u64,
    /// The tests to make besides the handshake; all of them if this is empty.
    pub only: Vec<TestName>,
}

/// Checks a bot; `tell` hears of every test as soon as it has been made.
///
/// To be called within a `LocalSet`.
///
/// # Errors
/// [`SetupError`] where the bot cannot be started at all: a problem of the person who runs the check, not a finding.
pub async fn check(
    order: &Checkup,
    keeper: &Keeper,
    tell: &mut dyn FnMut(&Test),
) -> Result<Report, SetupError> {
    let mut examiner = Examiner {
        order,
        keeper,
        talk: None,
        variants: Vec::new(),
        hello: None,
        manners: Manners::default(),
        cost: Cost::default(),
        faults: 0,
        silences: 0,
        gone: false,
        games: 0,
        tests: Vec::new(),
        tight: Tight::default(),
        tell,
    };
    let result = examiner.examine().await;
    examiner.part().await;
    result?;
    let compliant = examiner.tests.iter().all(|test| test.outcome != Outcome::Failure);
    let Examiner { hello, tests, cost, .. } = examiner;
    Ok(Report { compliant, command: order.command.clone(), hello, seed: order.seed, tests, cost })
}

/// Makes the tests, one after the other.
struct Examiner<'a> {
    order: &'a Checkup,
    keeper: &'a Keeper,
    talk: Option<Talk>,
    // The games that the bot plays and the referee knows.
    variants: Vec<Variant>,
    hello: Option<Hello>,
    manners: Manners,
    cost: Cost,
    faults: u64,
    silences: u64,
    // It could not be started again.
    gone: bool,
    games: u64,
    tests: Vec<Test>,
    // In the series of games that is being played.
    tight: Tight,
    tell: &'a mut dyn FnMut(&Test),
}

impl Examiner<'_> {
    async fn examine(&mut self) -> Result<(), SetupError> {
        if let Some(seen) = self.runtime().await {
            self.done(seen);
        }
        let greeted = self.greeting().await?;
        self.done(greeted);
        if self.hello.is_some() && !self.variants.is_empty() {
            let order = self.order;
            for part in
                TestName::ALL.into_iter().filter(|part| order.only.is_empty() || order.only.contains(part))
            {
                let test = self.part_of(part).await?;
                self.done(test);
            }
        }
        self.part().await;
        let (output, cost) = (self.output(), self.expense());
        self.done(output);
        self.done(cost);
        Ok(())
    }

    async fn part_of(&mut self, part: TestName) -> Result<Test, SetupError> {
        match part {
            TestName::Ping => self.pings().await,
            TestName::Options => self.options().await,
            TestName::Unknown => self.unknown().await,
            TestName::Games => self.many_games().await,
            TestName::Clocks => self.clocks().await,
            TestName::LongGame => self.long_games().await,
            TestName::UnknownInGames => self.strange_games().await,
            TestName::Rules => self.rules().await,
            TestName::Idle => self.idle().await,
            TestName::Bye => self.bye().await,
            TestName::Eof => self.end_of_input().await,
        }
    }

    /// Adds a test; a mistake that an earlier test has shown is only named again.
    fn done(&mut self, mut test: Test) {
        for finding in &mut test.findings {
            let known = |earlier: &&Test| {
                earlier.findings.iter().any(|known| known.same_as.is_none() && known.is_like(finding))
            };
            if let Some(earlier) = self.tests.iter().find(known) {
                finding.same_as = Some(earlier.name);
                (finding.sent, finding.expected, finding.stderr) = (None, None, None);
                finding.received.clear();
            }
        }
        (self.tell)(&test);
        self.tests.push(test);
    }

    /// Takes the running bot, or starts another.
    async fn take(&mut self) -> Result<Talk, SetupError> {
        if let Some(talk) = self.talk.take() {
            return Ok(talk);
        }
        self.cost.starts += 1;
        Talk::start(self.keeper, &self.order.command, &self.order.sandbox).await
    }

    /// Takes the running bot, or starts and greets another for this test; a bot that could not be greeted again is
    /// not tried any more.
    async fn greeted(&mut self, test: &'static str) -> Result<Result<Talk, Test>, SetupError> {
        if self.gone {
            return Ok(Err(Test::skipped(test, "not tried: the bot could not be started again")));
        }
        let talk = self.started().await?;
        Ok(talk.map_err(|finding| Test::new(test, "the bot could not be started again", vec![finding])))
    }

    async fn started(&mut self) -> Result<Result<Talk, Finding>, SetupError> {
        let mut talk = self.take().await?;
        if talk.greeted().is_none()
            && let Err(loss) = talk.greet(self.order.handshake_us, &[]).await
        {
            self.gone = true;
            return Ok(Err(self.lose(talk, "when it was started again", &loss).await));
        }
        Ok(Ok(talk))
    }

    /// Gives the bot back, for the next test.
    fn give_back(&mut self, mut talk: Talk) {
        self.measure(&mut talk);
        self.talk = Some(talk);
    }

    fn measure(&mut self, talk: &mut Talk) {
        let (memory_bytes, _) = talk.cost();
        self.cost.memory_bytes = self.cost.memory_bytes.max(memory_bytes);
    }

    /// Makes a finding of a bot's fault, and ends its process.
    async fn lose(&mut self, talk: Talk, when: &str, loss: &Loss) -> Finding {
        self.faults += 1;
        self.silences += u64::from(matches!(loss.reason, Reason::Handshake | Reason::Stall));
        let finding = describe(&talk, when, loss);
        self.bury(talk).await;
        finding
    }

    async fn bury(&mut self, mut talk: Talk) {
        self.remember(&mut talk);
        talk.kill(self.keeper).await;
    }

    /// Keeps what is known of a process that will be gone.
    fn remember(&mut self, talk: &mut Talk) {
        self.cost.cpu_us += talk.cost().1;
        self.manners.add(std::mem::take(&mut talk.manners));
    }

    /// Sends the running bot home.
    async fn part(&mut self) {
        if let Some(mut talk) = self.talk.take() {
            self.remember(&mut talk);
            talk.part(self.keeper).await;
        }
    }

    fn add_pace(&mut self, pace: Pace) {
        self.cost.moves += pace.moves;
        self.cost.total_us += pace.total_us;
        self.cost.most_us = self.cost.most_us.max(pace.most_us);
    }

    /// Returns whether the bot has failed so often that more games would only take time.
    fn tired(&self) -> bool {
        self.faults >= MOST_FAULTS || self.silences >= MOST_SILENCES
    }
}

/// Makes a finding of a bot's fault, with the last lines that were exchanged.
fn describe(talk: &Talk, when: &str, loss: &Loss) -> Finding {
    let stderr = talk.stderr();
    let advice = talk.advice(loss, stderr.as_deref().unwrap_or_default());
    let mut received: Vec<String> = talk.heard().map(str::to_owned).collect();
    received.extend(talk.half_line().map(|(_, text)| text));
    Finding {
        reason: Some(loss.reason),
        sent: (!talk.asked().is_empty()).then(|| talk.asked().to_owned()),
        received,
        stderr,
        when: when.to_owned(),
        ..Finding::failure(format!("{}: {}", loss.reason, loss.detail), advice)
    }
}

/// Asks for a sign of life.
async fn ping(talk: &mut Talk) -> Result<(), Loss> {
    let id = talk.take_id();
    talk.tell(&ToBot::Ping(to_bot::Ping { id }));
    pong(talk, id).await
}

/// Waits for the answer to a ping.
async fn pong(talk: &mut Talk, id: u64) -> Result<(), Loss> {
    let mut others = BTreeSet::new();
    let answer = talk.answer(PONG, Reason::Stall, |message| {
        let bao_protocol::FromBot::Pong(pong) = message else { return None };
        if pong.id != id {
            others.insert(pong.id);
        }
        (pong.id == id).then_some(())
    });
    answer.await.map_err(|mut loss| {
        if loss.reason == Reason::Stall && !others.is_empty() {
            let seen: Vec<String> = others.iter().map(u64::to_string).collect();
            let seen = format!("; a pong came with the id {} instead of {id}", seen.join(", "));
            loss.detail.push_str(&seen);
        }
        loss
    })
}

/// How long a bot may take to answer a ping.
const PONG: std::time::Duration = std::time::Duration::from_secs(5);
