//! The runtime that a bot's command names, and what that needs.

use std::time::Duration;

use bao_jail::Quarters;

use super::{Examiner, Test};
use crate::play::link::now;
use crate::play::talk::{Heard, Talk};
use crate::text::shown::shown;

/// How long a runtime may take to print its version.
const VERSION: Duration = Duration::from_secs(3);

impl Examiner<'_> {
    /// Names the runtime that the command starts, its version and what bots in it need; `None` where it is not known.
    pub(super) async fn runtime(&mut self) -> Option<Test> {
        let quarters = Quarters::of(&self.order.command, &self.order.sandbox)?;
        let runtime = quarters.runtime().filter(|runtime| !runtime.name.is_empty())?;
        let version = match quarters.version_command() {
            Some(command) => self.version(&command).await,
            None => None,
        };
        let version = version.map_or(String::new(), |version| format!(" ({version})"));
        Some(Test::new(
            "runtime",
            format!("{}{version}; it needs {}", runtime.name, runtime.needs),
            Vec::new(),
        ))
    }

    /// Has a runtime print its version, as isolated as the bot.
    async fn version(&mut self, command: &[String]) -> Option<String> {
        let mut talk = Talk::start(self.keeper, command, &self.order.sandbox).await.ok()?;
        let deadline = now() + VERSION;
        let version = loop {
            let Heard::Line(line) = talk.hear(deadline).await else { break None };
            let text = String::from_utf8_lossy(&line).trim().to_owned();
            if text.contains(|c: char| c.is_ascii_digit()) {
                break Some(shown(&text, 60));
            }
        };
        talk.kill(self.keeper).await;
        version
    }
}
