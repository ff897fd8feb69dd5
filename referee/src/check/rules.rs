//! The bot's own rules code against the referee's, where the bot offers `verify`.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

use bao_protocol::from_bot::Solution;
use bao_protocol::{FromBot, Reason, ToBot, to_bot};
use bao_rules::{Pit, Position};

use super::positions::{Question, questions};
use super::{Examiner, Finding, Test};
use crate::game::verdict::Loss;
use crate::play::link::now;
use crate::play::talk::Talk;
use crate::text::shown::shown;
use bao_jail::SetupError;

/// How long one answer may take.
const ANSWER: Duration = Duration::from_secs(5);
/// How often a bot that is at work gets as much time again, since a busy machine may have given it little of the processor.
const EXTENSIONS: u32 = 3;
/// How long all of them may take.
const ALL: Duration = Duration::from_secs(60);
/// After this many mistakes in one game the test asks no more about it.
const ENOUGH: usize = 4;
/// How many laps of a move are reported.
const LAPS: usize = 12;

const NAME: &str = "rules";

impl Examiner<'_> {
    /// Asks the bot hundreds of questions about the rules.
    pub(super) async fn rules(&mut self) -> Result<Test, SetupError> {
        let offers = |hello: &bao_protocol::from_bot::Hello| {
            hello.capabilities.iter().any(|capability| capability == "verify")
        };
        if !self.hello.as_ref().is_some_and(offers) {
            let why = "the bot does not offer `verify`, with which its own rules code would be tested";
            return Ok(Test::skipped(NAME, why));
        }
        let mut talk = match self.greeted(NAME).await? {
            Ok(talk) => talk,
            Err(test) => return Ok(test),
        };
        let (mut findings, mut asked, mut right) = (Vec::new(), 0, 0);
        let mut given_up: Vec<String> = Vec::new();
        let deadline = now() + ALL;
        for variant in self.variants.clone() {
            let mut wrong = 0;
            for question in questions(variant, self.order.seed) {
                if now() > deadline {
                    findings.push(Finding::warning(
                        format!("after {} s only {asked} questions were answered", ALL.as_secs()),
                        "Answer `verify` at once; a search has no part in it.",
                    ));
                    self.give_back(talk);
                    return Ok(Test::new(NAME, summary(asked, right, &given_up), findings));
                }
                asked += 1;
                match ask(&mut talk, &question).await {
                    Ok(None) => right += 1,
                    Ok(Some(finding)) => {
                        findings.push(finding);
                        wrong += 1;
                        if wrong == ENOUGH {
                            given_up
                                .push(format!("after {ENOUGH} mistakes no more was asked about {variant}"));
                            break;
                        }
                    }
                    Err(loss) => {
                        let mut finding = self.lose(talk, &question.told(), &loss).await;
                        finding.expected = Some(question.expected());
                        if question.endless() {
                            finding.advice = ENDLESS.into();
                        }
                        findings.push(finding);
                        given_up.push("then no more was asked".to_owned());
                        return Ok(Test::new(NAME, summary(asked, right, &given_up), findings));
                    }
                }
            }
        }
        self.give_back(talk);
        Ok(Test::new(NAME, summary(asked, right, &given_up), findings))
    }
}

const ENDLESS: &str = "This sowing would never end. While no lap holds as many seeds as its track has pits, it comes \
                       back to the move's first position and pit: compare after every lap; with larger laps keep the \
                       positions that were seen (or use Brent's cycle test).";

fn summary(asked: u64, right: u64, given_up: &[String]) -> String {
    let told = [format!("{right} of {asked} questions answered as the rules say")];
    told.iter().chain(given_up).map(String::as_str).collect::<Vec<_>>().join("; ")
}

/// Asks one question; gives what is wrong with the answer, if anything.
async fn ask(talk: &mut Talk, question: &Question) -> Result<Option<Finding>, Loss> {
    let id = talk.take_id();
    let position = question.position.to_string();
    talk.tell(&ToBot::Verify(to_bot::Verify {
        id,
        game: question.position.variant().name().into(),
        position: position.into(),
        mv: question.pit.map(|pit| Cow::Borrowed(pit.name())),
    }));
    let fits = |message: &FromBot| match message {
        FromBot::Solution(solution) if solution.id == id => Some(solution.clone()),
        FromBot::Solution(_)
        | FromBot::Hello(_)
        | FromBot::Ready(_)
        | FromBot::Move(_)
        | FromBot::Resign(_)
        | FromBot::Pong(_)
        | FromBot::Info(_)
        | FromBot::Log(_) => None,
    };
    let (_, before_us) = talk.cost();
    let mut solution = talk.answer(ANSWER, Reason::Stall, fits).await;
    for _ in 0..EXTENSIONS {
        let used = Duration::from_micros(talk.cost().1.saturating_sub(before_us));
        let at_work = used > ANSWER / 10 && used < ANSWER;
        if !at_work || !solution.as_ref().is_err_and(|loss| loss.reason == Reason::Stall) {
            break;
        }
        solution = talk.answer(ANSWER, Reason::Stall, fits).await;
    }
    Ok(question.mistake(&solution?).map(|(problem, advice)| Finding {
        sent: Some(talk.asked().to_owned()),
        received: talk.heard().map(str::to_owned).collect(),
        expected: Some(question.expected()),
        ..Finding::failure(format!("{}: {problem}", question.told()), advice)
    }))
}

impl Question {
    /// Returns what is wrong with an answer, and what to look at.
    fn mistake(&self, solution: &Solution) -> Option<(String, String)> {
        let Some(pit) = self.pit else { return self.wrong_moves(solution.legal.as_deref()) };
        let play = self.position.play(pit).ok()?;
        let after = play.after.map(|after| after.to_string());
        if solution.position != after {
            let problem = match (&solution.position, &after) {
                (Some(_), None) => "the bot found an end of a sowing that never ends",
                (None, Some(_)) if solution.over.is_none() => "`position` is missing, and `over`, too",
                (None, Some(_)) if solution.over == Some(false) => "`position` is missing",
                (None, Some(_)) => "the bot found no end of a sowing that ends",
                (Some(_), Some(_)) | (None, None) => "the position after the move is another",
            };
            return Some((
                problem.to_owned(),
                if after.is_none() { ENDLESS.to_owned() } else { self.told_lap_by_lap(pit) },
            ));
        }
        if solution.over != Some(play.over.is_some()) {
            let problem = match solution.over {
                None => "`over` is missing",
                Some(true) => "the game goes on after this move, but the bot says that it is over",
                Some(false) => "the game is over after this move, but the bot says that it goes on",
            };
            let advice = "The game is over when the side that has to move has no legal move, or the sowing never ends.";
            return Some((problem.to_owned(), advice.to_owned()));
        }
        None
    }

    fn wrong_moves(&self, found: Option<&str>) -> Option<(String, String)> {
        let Some(found) = found else {
            let advice =
                "Where no move was given, answer with the legal moves in `legal`, empty if there are none.";
            return Some(("`legal` is missing".to_owned(), advice.to_owned()));
        };
        let found: BTreeSet<&str> = found.split_whitespace().collect();
        let legal: BTreeSet<&str> = self.position.legal_moves().iter().map(Pit::name).collect();
        if let Some(missing) = legal.difference(&found).next() {
            return Some((format!("the legal move {missing} is missing"), self.why_legal(missing)));
        }
        let extra = found.difference(&legal).next()?;
        let why = match Pit::parse(self.position.variant(), extra).map(|pit| self.position.check(pit)) {
            Ok(Err(illegal)) => illegal.to_string(),
            Ok(Ok(())) => "it is legal".to_owned(),
            Err(error) => error.to_string(),
        };
        let advice = format!("It is not legal: {}.", shown(&why, 300));
        Some((format!("the move {} is among the legal ones", shown(extra, 20)), advice))
    }

    fn why_legal(&self, name: &str) -> String {
        let pit = Pit::parse(self.position.variant(), name);
        pit.map_or_else(|error| error.to_string(), |pit| self.told_lap_by_lap(pit))
    }

    /// Describes a move lap by lap.
    fn told_lap_by_lap(&self, pit: Pit) -> String {
        match self.position.trace(pit) {
            Ok(mut trace) => {
                trace.truncate_laps(LAPS);
                format!("Lap by lap: {trace}.")
            }
            Err(illegal) => illegal.to_string(),
        }
    }

    /// Names the question.
    fn told(&self) -> String {
        let (variant, position) = (self.position.variant(), self.position);
        match self.pit {
            None => format!("the legal moves of {variant} {position}"),
            Some(pit) => format!("{pit} in {variant} {position}"),
        }
    }

    /// Writes what the answer should have said.
    fn expected(&self) -> String {
        let Some(pit) = self.pit else {
            let legal: Vec<&str> = self.position.legal_moves().iter().map(Pit::name).collect();
            return format!("\"legal\":\"{}\"", legal.join(" "));
        };
        match self.position.play(pit) {
            Ok(play) => {
                let after = play.after.map_or("null".to_owned(), |after| format!("\"{after}\""));
                format!("\"position\":{after},\"over\":{}", play.over.is_some())
            }
            Err(illegal) => illegal.to_string(),
        }
    }

    fn endless(&self) -> bool {
        match self.pit {
            Some(pit) => self.position.play(pit).is_ok_and(|play| play.after.is_none()),
            None => has_endless(&self.position),
        }
    }
}

/// Returns whether some move of the side to move is a sowing that never ends, legal or not.
pub(super) fn has_endless(position: &Position) -> bool {
    position.pits(position.side()).any(|pit| match position.play(pit) {
        Ok(play) => play.after.is_none(),
        Err(illegal) => illegal.code() == "endless",
    })
}

#[cfg(test)]
mod tests {
    use bao_rules::Variant;

    use super::*;

    fn check(variant: Variant, position: &str, pit: Option<&str>, answer: &str, expected: &str) {
        let position = Position::parse(variant, position).unwrap();
        let question = Question { position, pit: pit.map(|pit| Pit::parse(variant, pit).unwrap()) };
        let solution: Solution = serde_json::from_str(answer).unwrap();
        let found = question.mistake(&solution).map(|(problem, advice)| format!("{problem} | {advice}"));
        let found = found.unwrap_or_default();
        assert!(found.contains(expected) && found.is_empty() == expected.is_empty(), "{answer}: {found}");
    }

    #[test]
    fn what_is_wrong_with_an_answer_is_told_with_its_reason() {
        let start = "4,4,4,4,4,4/4,4,4,4,4,4 S 0 0";
        let legal = |answer: &str, expected: &str| check(Variant::Kingulu, start, None, answer, expected);
        legal(r#"{"id":1,"legal":"A6 A3 A4 A5"}"#, "");
        legal(r#"{"id":1,"legal":"A3 A4 A5"}"#, "move A6 is missing | Lap by lap: A6 lifts 4 to a4");
        legal(
            r#"{"id":1,"legal":"A1 A3 A4 A5 A6"}"#,
            "A1 is among the legal ones | It is not legal: the first lap",
        );
        legal(r#"{"id":1,"legal":"A3 A4 A5 A6 a1"}"#, "a1 belongs to North");
        legal(r#"{"id":1}"#, "`legal` is missing");
        let after =
            |answer: &str, expected: &str| check(Variant::Kingulu, start, Some("A5"), answer, expected);
        after(r#"{"id":1,"position":"6,6,6,1,6,1/0,1,6,6,2,7 N 0 0","over":false}"#, "");
        after(r#"{"id":1,"position":"6,6,6,1,6,1/0,1,6,6,2,7 N 0 0"}"#, "`over` is missing");
        after(r#"{"id":1,"position":"6,6,6,1,6,1/0,1,6,6,2,7 N 0 0","over":true}"#, "the game goes on");
        after(
            r#"{"id":1,"position":"6,6,6,1,6,1/0,1,6,6,2,7 S 0 0","over":false}"#,
            "is another | Lap by lap",
        );
        after(r#"{"id":1,"position":null,"over":true}"#, "no end of a sowing that ends");
    }

    #[test]
    fn a_sowing_that_never_ends_is_told_as_such() {
        let position = "0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,1/0,1,0,5,2,1,0,3,4,1,0,1/1,2,5,2,1,4,0,1,0,6,0,2 S 0 0";
        let ends = format!("{{\"id\":1,\"position\":\"{position}\",\"over\":false}}");
        check(Variant::Kigogo, position, Some("B6"), &ends, "never ends | This sowing would never end");
        check(Variant::Kigogo, position, Some("B6"), r#"{"id":1,"over":true}"#, "");
    }
}
