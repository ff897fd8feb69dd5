//! The first words: is the bot quiet until it is asked, how fast is its hello, and is what it says there sound.

use std::collections::BTreeSet;
use std::time::Duration;

use bao_protocol::from_bot::{Hello, OptionKind, OptionSpec};
use bao_protocol::{Decoded, FromBot, Reason, decode};
use bao_rules::Variant;

use super::{Examiner, Finding, Test, describe};
use crate::game::verdict::Loss;
use crate::play::link::now;
use crate::play::talk::{Heard, Talk};
use crate::text::shown::shown;
use bao_jail::SetupError;

/// How long a bot that has not been asked is listened to.
const QUIET: Duration = Duration::from_millis(300);
/// A hello that takes longer is worth a word, in milliseconds.
const SLOW_MS: u128 = 3000;
/// How long a silent bot is listened to after its input was closed.
const AFTER_END: Duration = Duration::from_secs(2);
/// The capabilities that the protocol knows.
const CAPABILITIES: [&str; 2] = ["history", "verify"];

const NAME: &str = "handshake";

impl Examiner<'_> {
    /// Starts the bot and exchanges hellos.
    pub(super) async fn greeting(&mut self) -> Result<Test, SetupError> {
        let mut talk = self.take().await?;
        let mut findings = Vec::new();
        match unasked(&mut talk).await {
            Ok(hello) => findings.extend(hello),
            Err(loss) => {
                let finding = self.lose(talk, "before it was asked anything", &loss).await;
                return Ok(Test::new(NAME, "the program ended at once", vec![finding]));
            }
        }
        // A match says hello at once: what was waited so far counts.
        let started = now().checked_sub(QUIET).unwrap_or_else(now);
        let asked = now();
        let hello = match talk.greet(self.order.handshake_us, &[]).await {
            Ok(hello) => hello,
            Err(loss) => {
                self.faults += 1;
                findings.push(silence_explained(&mut talk, &loss).await);
                self.bury(talk).await;
                return Ok(Test::new(NAME, "no hello", findings));
            }
        };
        let took_ms = now().duration_since(asked).as_millis();
        let whole_us = now().duration_since(started).as_micros();
        if whole_us > u128::from(self.order.handshake_us) {
            self.faults += 1;
            findings.push(Finding {
                reason: Some(Reason::Handshake),
                ..Finding::failure(
                    format!(
                        "the hello came {} ms after the start; a match waits {} ms",
                        whole_us / 1000,
                        self.order.handshake_us / 1000
                    ),
                    "Answer `hello` first, and load what is big afterwards, before the first `ready`.",
                )
            });
        } else if took_ms > SLOW_MS {
            findings.push(Finding::warning(
                format!(
                    "the hello took {took_ms} ms; after {} ms it is too late",
                    self.order.handshake_us / 1000
                ),
                "Answer `hello` first, and load what is big afterwards, before the first `ready`.",
            ));
        }
        findings.extend(unsound(&hello, &talk));
        self.variants = Variant::ALL
            .into_iter()
            .filter(|variant| hello.games.iter().any(|game| game == variant.name()))
            .collect();
        let summary = summary(&hello, took_ms);
        self.hello = Some(hello);
        self.give_back(talk);
        Ok(Test::new(NAME, summary, findings))
    }
}

/// Listens to a bot that has not been asked anything yet.
async fn unasked(talk: &mut Talk) -> Result<Option<Finding>, Loss> {
    let deadline = now() + QUIET;
    let mut early = None;
    loop {
        match talk.hear(deadline).await {
            Heard::Line(line) if now() < deadline => {
                if let Decoded::Message(FromBot::Hello(_), _) = decode(&line) {
                    let found = Finding::failure(
                        "the bot sent hello before it was asked; a message before the request is not an answer to it",
                        "Wait for the referee's `hello`, then answer with yours.",
                    );
                    early = Some(Finding { received: talk.heard().map(str::to_owned).collect(), ..found });
                }
            }
            Heard::Line(_) | Heard::Nothing => return Ok(early),
            Heard::Lost(loss) => return Err(loss),
        }
    }
}

/// Makes a finding of a handshake that failed; where the bot was silent, closing its input may show why.
async fn silence_explained(talk: &mut Talk, loss: &Loss) -> Finding {
    let mut finding = describe(talk, "at the first message", loss);
    if loss.reason == Reason::Handshake && talk.manners.lines == 0 {
        talk.close();
        if let Heard::Line(_) = talk.hear(now() + AFTER_END).await {
            finding.problem += "; its answer came only when its input was closed";
            finding.received = talk.heard().map(str::to_owned).collect();
            finding.advice = "The answer was written and stayed in a buffer: flush standard output after every line \
                              (flush=True, fflush(stdout), $| = 1). Or the bot reads on until its input ends: read one \
                              line, answer it, then read the next."
                .into();
        }
        finding.stderr = finding.stderr.or_else(|| talk.stderr());
    }
    finding
}

fn summary(hello: &Hello, took_ms: u128) -> String {
    let offers: Vec<&str> = hello.capabilities.iter().map(String::as_str).collect();
    let offers = if offers.is_empty() { String::new() } else { format!("; offers {}", offers.join(", ")) };
    let options = match hello.options.len() {
        0 => String::new(),
        1 => "; 1 option".to_owned(),
        count => format!("; {count} options"),
    };
    let text = format!(
        "hello after {took_ms} ms: {} {}; plays {}{offers}{options}",
        hello.name,
        hello.version,
        hello.games.join(", ")
    );
    shown(&text, 300)
}

/// Finds what is wrong with a hello.
fn unsound(hello: &Hello, talk: &Talk) -> Vec<Finding> {
    let mut findings = Vec::new();
    let known = |game: &String| Variant::NAMES.contains(&game.as_str());
    if !hello.games.iter().any(known) {
        findings.push(Finding::failure(
            format!("the hello names no game that this referee knows: \"{}\"", hello.games.join(", ")),
            format!("List the games that the bot plays: {}.", Variant::NAMES.join(", ")),
        ));
    } else if let Some(unknown) = hello.games.iter().find(|game| !known(game)) {
        findings.push(Finding::warning(
            format!("the game \"{unknown}\" is not one that this referee knows"),
            "Is it misspelt? An unknown name does no harm.",
        ));
    }
    if hello.name.trim().is_empty() || hello.name.len() > 64 {
        findings.push(Finding::warning(
            "the name in the hello is empty or longer than 64 bytes",
            "Give the bot a short name; tables and records show it.",
        ));
    }
    if let Some(unknown) = hello.capabilities.iter().find(|text| !CAPABILITIES.contains(&text.as_str())) {
        findings.push(Finding::warning(
            format!("the capability \"{unknown}\" is not one that this referee knows"),
            format!("There are: {}. An unknown one does no harm.", CAPABILITIES.join(", ")),
        ));
    }
    let mut names = BTreeSet::new();
    for spec in &hello.options {
        if !names.insert(&spec.name) {
            let problem = format!("two options have the name \"{}\"", spec.name);
            findings.push(Finding::failure(problem, "Give every option a name of its own."));
        }
        if let Err((problem, advice)) = sound(spec) {
            findings.push(Finding::failure(format!("the option \"{}\" {problem}", spec.name), advice));
        }
    }
    for finding in &mut findings {
        finding.problem = shown(&finding.problem, 300);
        finding.received = talk.heard().map(str::to_owned).collect();
    }
    findings
}

/// Checks an option; returns what is wrong with it, and what to change.
fn sound(spec: &OptionSpec) -> Result<(), (String, &'static str)> {
    let default = spec.default.as_str();
    if spec.name.is_empty() || spec.name.contains('=') {
        let problem = "has a name that cannot be set: it is empty or contains =".to_owned();
        return Err((problem, "Name it with letters, digits and underscores."));
    }
    match spec.kind {
        OptionKind::String => Ok(()),
        OptionKind::Integer => {
            let (min, max) = (spec.min.unwrap_or(i64::MIN), spec.max.unwrap_or(i64::MAX));
            match default.parse::<i64>() {
                Ok(value) if (min..=max).contains(&value) => Ok(()),
                Ok(value) => Err((
                    format!("has the default {value}, which is not from {min} to {max}"),
                    "Make the default lie between min and max.",
                )),
                Err(_) => Err((
                    format!("is an integer, and its default \"{default}\" is none"),
                    "Write the default as a text with a whole number in it, for example \"default\":\"0\".",
                )),
            }
        }
        OptionKind::Boolean if ["true", "false"].contains(&default) => Ok(()),
        OptionKind::Boolean => Err((
            format!("is a boolean, and its default \"{default}\" is neither true nor false"),
            "Write \"default\":\"true\" or \"default\":\"false\".",
        )),
        OptionKind::Choice if spec.choices.iter().any(|choice| choice == default) => Ok(()),
        OptionKind::Choice => Err((
            format!("is a choice, and its default \"{default}\" is not among its choices"),
            "List the values in `choices`, the default among them.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: OptionKind, default: &str, expected: &str) {
        let spec = OptionSpec {
            name: "name".to_owned(),
            kind,
            default: default.to_owned(),
            min: Some(1),
            max: Some(9),
            choices: vec!["calm".to_owned(), "wild".to_owned()],
        };
        let found = sound(&spec).map_or_else(|(problem, _)| problem, |()| String::new());
        assert!(found.contains(expected) && found.is_empty() == expected.is_empty(), "{default}: {found}");
    }

    #[test]
    fn an_option_is_sound_if_its_own_default_could_be_set() {
        check(OptionKind::String, "", "");
        check(OptionKind::Integer, "9", "");
        check(OptionKind::Integer, "10", "not from 1 to 9");
        check(OptionKind::Integer, "", "is none");
        check(OptionKind::Boolean, "true", "");
        check(OptionKind::Boolean, "True", "neither true nor false");
        check(OptionKind::Choice, "wild", "");
        check(OptionKind::Choice, "grim", "not among its choices");
    }
}
