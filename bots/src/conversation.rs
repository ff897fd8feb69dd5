//! The conversation with the referee.

use std::cell::RefCell;
use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::time::Instant;

use bao_protocol::from_bot::{Hello, Log, Move, Pong, Ready, Resign, Solution};
use bao_protocol::to_bot::{Clock, Fault, Go, NewGame, Verify};
use bao_protocol::{Frame, FromBot, LineBuffer, ToBot, VERSION};
use bao_rules::{Pit, Position, Variant};

use crate::turn::{Output, now};
use crate::{Answer, Bot, Identity, Random, Settings, Start, Turn, budget};

/// The longest line that is read; a `go` with a long history stays far below.
const LINE_BYTES: usize = 1 << 20;

/// Talks with a referee over any pair of streams until it says `bye` or the input ends.
///
/// # Errors
/// The output broke, or the referee said what no referee says.
pub fn converse(
    bot: &mut impl Bot,
    identity: &Identity,
    input: impl Read,
    output: impl Write,
) -> io::Result<()> {
    Conversation::new(bot, identity, Settings::new(&identity.options)).follow(input, output)
}

/// A bot in a conversation, and what is remembered from message to message.
pub(crate) struct Conversation<'a, B> {
    bot: &'a mut B,
    identity: &'a Identity,
    settings: Settings,
    random: Random,
    /// The game being played.
    variant: Variant,
    clock: Clock,
    /// The positions of this game so far. In one game, two with the same pits have the same captures as well.
    past: HashSet<Position>,
    /// The bot's own last move, as long as what comes after it is not among the `past`.
    made: Option<(Position, Pit)>,
}

impl<'a, B: Bot> Conversation<'a, B> {
    pub(crate) fn new(bot: &'a mut B, identity: &'a Identity, settings: Settings) -> Self {
        Self {
            bot,
            identity,
            settings,
            random: Random::new(0, ""),
            variant: Variant::Kigogo,
            clock: Clock::None { cap_ms: 0 },
            past: HashSet::new(),
            made: None,
        }
    }

    pub(crate) fn follow(mut self, mut input: impl Read, mut output: impl Write) -> io::Result<()> {
        let mut lines = LineBuffer::new(LINE_BYTES);
        let mut out = Vec::new();
        loop {
            let read = now();
            while let Some(frame) = lines.next_frame() {
                let Frame::Line(line) = frame else { continue };
                if line.is_empty() {
                    continue;
                }
                let Some(message) = ToBot::read(line)? else { continue };
                if matches!(message, ToBot::Bye(_)) {
                    return Ok(());
                }
                if let Some(answer) = self.answer(&message, read, &mut output)? {
                    out.clear();
                    answer.write_line(&mut out);
                    output.write_all(&out)?;
                    output.flush()?;
                }
                self.remember();
            }
            let count = input.read(lines.room())?;
            if count == 0 {
                return Ok(());
            }
            lines.filled(count);
        }
    }

    /// Does what a message asks for and returns the answer, if one is due.
    fn answer(
        &mut self,
        message: &ToBot<'_>,
        read: Instant,
        output: &mut dyn Write,
    ) -> io::Result<Option<FromBot>> {
        Ok(match message {
            ToBot::Hello(_) => Some(FromBot::Hello(self.hello())),
            ToBot::SetOption(option) => {
                let wrong = self.settings.set(&option.name, &option.value).err();
                wrong.map(|wrong| FromBot::Log(Log { level: "warn".to_owned(), text: wrong.to_string() }))
            }
            ToBot::NewGame(game) => Some(self.new_game(game, read, output)?),
            ToBot::Go(go) => Some(self.choose(go, read, output)?),
            ToBot::Ping(ping) => Some(FromBot::Pong(Pong { id: ping.id })),
            ToBot::Verify(question) => Some(FromBot::Solution(solve(question)?)),
            ToBot::GameOver(end) => {
                self.bot.game_over(end);
                None
            }
            ToBot::Fault(fault) => {
                complain(fault);
                None
            }
            ToBot::Bye(_) => None,
        })
    }

    fn hello(&self) -> Hello {
        let Identity { name, version, author, games, history, .. } = self.identity;
        let mut capabilities = vec!["verify".to_owned()];
        if *history {
            capabilities.push("history".to_owned());
        }
        Hello {
            protocol: VERSION.into(),
            name: (*name).to_owned(),
            version: (*version).to_owned(),
            author: (*author).to_owned(),
            games: games.iter().map(|game| game.name().to_owned()).collect(),
            capabilities,
            options: self.settings.specs(),
        }
    }

    fn new_game(
        &mut self,
        game: &NewGame<'_>,
        started: Instant,
        output: &mut dyn Write,
    ) -> io::Result<FromBot> {
        self.variant = game.game.parse().map_err(invalid)?;
        self.clock = game.clock;
        self.past.clear();
        let position = Position::parse(self.variant, &game.position).map_err(invalid)?;
        self.past.insert(position);
        self.random = Random::new(self.settings.seed(), &game.game_id);
        let output = Output(RefCell::new(output));
        let start = Start { position, started, new_game: game, settings: &self.settings, output };
        self.bot.new_game(&start);
        Ok(FromBot::Ready(Ready { id: game.id }))
    }

    fn choose(&mut self, go: &Go<'_>, started: Instant, output: &mut dyn Write) -> io::Result<FromBot> {
        let position = Position::parse(self.variant, &go.position).map_err(invalid)?;
        self.past.insert(position);
        let mut turn = Turn {
            position,
            legal: position.legal_moves(),
            budget: budget(&self.clock, go),
            started,
            go,
            clock: &self.clock,
            settings: &self.settings,
            random: &mut self.random,
            past: &self.past,
            output: Output(RefCell::new(output)),
        };
        let (pit, info) = match self.bot.choose(&mut turn) {
            Answer::Move(pit) => (pit, None),
            Answer::Thoughtful(pit, thought) => (pit, Some(thought)),
            Answer::Resign => return Ok(FromBot::Resign(Resign { id: go.id })),
        };
        self.made = Some((position, pit));
        Ok(FromBot::Move(Move { id: go.id, mv: pit.name().to_owned(), info }))
    }

    /// Plays the bot's own move, now that the opponent's clock runs. The next request has what the opponent makes of it.
    fn remember(&mut self) {
        let after = self.made.take().and_then(|(position, pit)| position.play(pit).ok()?.after);
        self.past.extend(after);
    }
}

/// Answers what the rules say: the legal moves of a position, or the position after one of them.
fn solve(question: &Verify<'_>) -> io::Result<Solution> {
    let variant = question.game.parse().map_err(invalid)?;
    let position = Position::parse(variant, &question.position).map_err(invalid)?;
    let mut solution = Solution { id: question.id, legal: None, position: None, over: None };
    if let Some(name) = &question.mv {
        let pit = Pit::parse(variant, name).map_err(invalid)?;
        // An illegal move has no solution; the referee asks for none.
        if let Ok(play) = position.play(pit) {
            solution.position = play.after.map(|after| after.to_string());
            solution.over = Some(play.over.is_some());
        }
    } else {
        let names: Vec<&str> = position.legal_moves().iter().map(Pit::name).collect();
        solution.over = Some(names.is_empty());
        solution.legal = Some(names.join(" "));
    }
    Ok(solution)
}

#[expect(clippy::print_stderr, reason = "standard error is where a bot reports trouble")]
fn complain(fault: &Fault<'_>) {
    eprintln!("lost by {}: {}", fault.code, fault.detail);
}

fn invalid(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
