//! The end: does the bot exit when it is asked to, and when its input ends.

use std::time::Duration;

use bao_protocol::{ToBot, to_bot};

use super::{Examiner, Finding, Test, TestName};
use crate::play::link::now;
use crate::play::talk::Talk;
use bao_jail::SetupError;

/// How long a bot may take to exit.
const EXIT: Duration = Duration::from_secs(2);

impl Examiner<'_> {
    /// Sends `bye`, and leaves the bot's input open: the word alone must do.
    pub(super) async fn bye(&mut self) -> Result<Test, SetupError> {
        let advice = "End the program when `bye` comes; nothing else will.";
        self.leave(TestName::Bye, "`bye`", advice, |talk| talk.tell(&ToBot::Bye(to_bot::Bye {}))).await
    }

    /// Closes the bot's input without a word, as happens when a referee dies.
    pub(super) async fn end_of_input(&mut self) -> Result<Test, SetupError> {
        let advice = "Take the end of standard input for a `bye`: end the program, and do not wait for more.";
        self.leave(TestName::Eof, "the end of its input", advice, Talk::close).await
    }

    async fn leave(
        &mut self,
        test: TestName,
        what: &str,
        advice: &'static str,
        say: impl FnOnce(&mut Talk),
    ) -> Result<Test, SetupError> {
        let mut talk = match self.greeted(test.name()).await? {
            Ok(talk) => talk,
            Err(test) => return Ok(test),
        };
        self.measure(&mut talk);
        let (_, cpu_us) = talk.cost();
        let asked = now();
        say(&mut talk);
        let fate = talk.exit(asked + EXIT).await;
        let took_ms = now().duration_since(asked).as_millis();
        let mut only_with_its_input = false;
        if fate.is_none() && test == TestName::Bye {
            // A match closes the input as well, and that is enough for a bot.
            talk.close();
            only_with_its_input = talk.exit(now() + EXIT).await.is_some();
        }
        let (summary, findings) = match fate {
            None if only_with_its_input => {
                let problem =
                    format!("the program does not exit after {what}, but only when its input is closed");
                ("the bot exits only with its input".to_owned(), vec![Finding::warning(problem, advice)])
            }
            None => {
                let problem =
                    format!("{} ms after {what} the program still runs; it was killed", EXIT.as_millis());
                let finding = Finding { stderr: talk.stderr(), ..Finding::failure(problem, advice) };
                ("the bot does not exit".to_owned(), vec![finding])
            }
            Some(fate) if fate.is_success() => (format!("exited after {took_ms} ms"), Vec::new()),
            Some(fate) => {
                let found = Finding::warning(
                    format!("after {what} {fate}"),
                    "End with the exit code 0 where all went well; anything else looks like a crash.",
                );
                (format!("ended after {took_ms} ms"), vec![Finding { stderr: talk.stderr(), ..found }])
            }
        };
        self.cost.cpu_us += cpu_us;
        self.manners.add(std::mem::take(&mut talk.manners));
        talk.kill(self.keeper).await;
        Ok(Test::new(test.name(), summary, findings))
    }
}
