//! A bot that plays by the book until it does what it is told: `hostile --do FAULT`.
//!
//! [`faults`] lists what it can do. `--at N` chooses the move on which it does it (its first, unless told otherwise),
//! `--game ID` the only game in which it does it; what a fault needs beyond that is said there. Until then it answers
//! as any bot does, with the first legal move.

mod acts;
mod faults;
mod intruder;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use bao_protocol::ToBot;
use bao_protocol::to_bot::Go;

use acts::Outcome;
use faults::{Fault, When};

/// What the command line asks for.
#[derive(Debug)]
pub(crate) struct Orders {
    fault: String,
    at: u64,
    game: Option<String>,
    code: i32,
    ms: u64,
    count: usize,
    kind: String,
    mark: String,
}

impl Orders {
    fn read() -> Result<Self, String> {
        let mut orders = Self {
            fault: String::new(),
            at: 1,
            game: None,
            code: 0,
            ms: 0,
            count: 0,
            kind: String::new(),
            mark: String::new(),
        };
        let mut words = std::env::args().skip(1);
        while let Some(name) = words.next() {
            let value = words.next().ok_or_else(|| format!("{name} has no value"))?;
            let number = || value.parse::<u32>().map_err(|error| format!("{name} {value}: {error}"));
            match &*name {
                "--do" => orders.fault = value,
                "--at" => orders.at = number()?.into(),
                "--game" => orders.game = Some(value),
                "--code" => orders.code = number()?.cast_signed(),
                "--ms" => orders.ms = number()?.into(),
                "--count" => orders.count = number()? as usize,
                "--kind" => orders.kind = value,
                "--mark" => orders.mark = value,
                _ => return Err(format!("unknown argument {name}")),
            }
        }
        Ok(orders)
    }
}

/// What the bot knows of the game that it plays.
#[derive(Debug)]
struct Stage {
    orders: Orders,
    fault: &'static Fault,
    game: String,
    variant: String,
    moves: u64,
    done: bool,
}

#[expect(clippy::print_stderr, reason = "standard error is where a bot tells its trouble")]
fn main() -> ExitCode {
    let played = Orders::read().and_then(|orders| {
        if let Some(outcome) = acts::child(&orders) {
            return outcome.map_err(|error| error.to_string());
        }
        let fault = faults::find(&orders.fault, &orders.kind)?;
        let stage = Stage {
            orders,
            fault,
            game: String::new(),
            variant: String::new(),
            moves: 0,
            done: false,
        };
        stage.converse().map_err(|error| error.to_string())
    });
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hostile: {error}");
            ExitCode::from(2)
        }
    }
}

impl Stage {
    fn converse(mut self) -> io::Result<()> {
        if self.fault.when == When::Start && self.commit(None)? == Outcome::Over {
            return Ok(());
        }
        // Not the whole of standard input is locked: a fault may want it closed.
        for line in io::BufReader::new(io::stdin()).lines() {
            let line = line?;
            let Ok(Some(message)) = ToBot::read(line.as_bytes()) else { continue };
            let outcome = match message {
                ToBot::Hello(_) => self.at(When::Hello, None, |_| HELLO.to_owned())?,
                ToBot::NewGame(game) => {
                    self.game = game.game_id.into_owned();
                    self.variant = game.game.into_owned();
                    self.moves = 0;
                    self.done = false;
                    let id = game.id;
                    self.at(When::NewGame, None, |_| format!("{{\"type\":\"ready\",\"id\":{id}}}\n"))?
                }
                ToBot::Go(go) => {
                    self.moves += 1;
                    self.at(When::Move, Some(&go), |_| acts::answer(&go))?
                }
                ToBot::Bye(_) => {
                    self.at(When::Bye, None, |_| String::new())?;
                    return Ok(());
                }
                ToBot::SetOption(_)
                | ToBot::Ping(_)
                | ToBot::Fault(_)
                | ToBot::GameOver(_)
                | ToBot::Verify(_) => continue,
            };
            if outcome == Outcome::Over {
                return Ok(());
            }
        }
        self.at(When::EndOfInput, None, |_| String::new())?;
        Ok(())
    }

    /// Answers as a bot should, or commits the fault if it is its time.
    fn at(&mut self, when: When, go: Option<&Go<'_>>, answer: impl Fn(&Self) -> String) -> io::Result<Outcome> {
        let game = self.orders.game.as_ref().is_none_or(|game| when == When::Hello || *game == self.game);
        let ripe = when != When::Move || self.moves >= self.orders.at;
        if self.fault.when == when && game && ripe && !(self.done && self.fault.once) {
            match self.commit(go)? {
                Outcome::NotYet => {}
                outcome => {
                    self.done = true;
                    return Ok(outcome);
                }
            }
        }
        say(answer(self).as_bytes())?;
        Ok(Outcome::GoOn)
    }

    fn commit(&self, go: Option<&Go<'_>>) -> io::Result<Outcome> {
        for act in self.fault.acts {
            match act.perform(&self.orders, &self.variant, go)? {
                Outcome::GoOn => {}
                outcome => return Ok(outcome),
            }
        }
        Ok(Outcome::GoOn)
    }
}

/// What this bot says of itself when it behaves.
const HELLO: &str = concat!(
    "{\"type\":\"hello\",\"protocol\":1,\"name\":\"hostile\",\"version\":\"1\",\"author\":\"tests\",",
    "\"games\":[\"bao-kigogo\",\"bao-kingulu\"],\"capabilities\":[],",
    "\"options\":[{\"name\":\"weight\",\"kind\":\"string\",\"default\":\"\"}]}\n"
);

/// Writes bytes to standard output, at once.
fn say(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}
