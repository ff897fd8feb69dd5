//! The part of a bot that every bot needs: the conversation with the referee.
//!
//! A bot is a type with one method, [`Bot::choose`]; [`run`] does the rest (handshake, options, pings, `verify`, the
//! end). See `bin/random-bot.rs` and `bin/greedy-bot.rs`, and `PROTOCOL.md` for what goes over the pipes.
//!
//! ```
//! use bot::{Answer, Bot, Turn};
//!
//! struct First;
//!
//! impl Bot for First {
//!     fn choose(&mut self, turn: &Turn<'_>) -> Answer {
//!         turn.legal[0].into()
//!     }
//! }
//! ```

mod arguments;
mod random;
pub mod search;

use std::cell::RefCell;
use std::fmt;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use bao_protocol::from_bot::{Hello, Info, Move, Pong, Ready, Resign, Solution};
use bao_protocol::to_bot::{GameOver, Go, NewGame, Verify};
use bao_protocol::{Frame, FromBot, LineBuffer, ToBot, VERSION};
use bao_rules::{Moves, Pit, Position, Variant};

pub use arguments::{seed_argument, seed_option};
pub use bao_protocol as protocol;
pub use bao_protocol::from_bot::{OptionKind, OptionSpec, Thought};
pub use bao_rules as rules;
pub use random::Random;

/// The longest line that is read; a `go` with a long history stays far below.
const LINE_BYTES: usize = 1 << 20;

/// What a bot has to be able to do; all but [`choose`](Self::choose) may be left as it is.
pub trait Bot {
    /// Chooses a move; it is the bot's turn, and its clock runs.
    fn choose(&mut self, turn: &Turn<'_>) -> Answer;

    /// Prepares for a game; the clock does not run, but about ten seconds are all that there is.
    fn new_game(&mut self, _game: &NewGame<'_>) {}

    /// Takes the value of an option that the [`Identity`] lists.
    fn set_option(&mut self, _name: &str, _value: &str) {}

    /// Learns how a game ended.
    fn game_over(&mut self, _end: &GameOver<'_>) {}
}

/// What a bot is told when it is to move.
pub struct Turn<'a> {
    /// The position, with the bot to move.
    pub position: Position,
    /// The legal moves; there is at least one.
    pub legal: Moves,
    /// The request as it came: clocks, the opponent's last move, the history.
    pub go: &'a Go<'a>,
    /// Where what is thought on the way goes.
    output: RefCell<&'a mut dyn Write>,
}

impl Turn<'_> {
    /// Tells the referee what the bot thinks so far; never needed, and seldom is better than often.
    pub fn tell(&self, thought: Thought) {
        let Thought { depth, score, nodes, pv, text } = thought;
        let mut line = Vec::new();
        FromBot::Info(Info { id: self.go.id, depth, score, nodes, pv, text }).write_line(&mut line);
        let mut output = self.output.borrow_mut();
        // Where the pipe is broken, the answer will say so.
        let _broken = output.write_all(&line).and_then(|()| output.flush());
    }
}

impl fmt::Debug for Turn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("position", &self.position).field("go", &self.go).finish_non_exhaustive()
    }
}

/// What a bot answers when it is to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The pit to lift.
    Move(Pit),
    /// The pit to lift, and what the bot thought of it.
    Thoughtful(Pit, Thought),
    /// The bot gives the game up.
    Resign,
}

impl From<Pit> for Answer {
    fn from(pit: Pit) -> Self {
        Self::Move(pit)
    }
}

/// Who a bot is.
#[derive(Debug, Clone, Default)]
pub struct Identity {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Who wrote it.
    pub author: &'static str,
    /// The options that `set_option` may set.
    pub options: Vec<OptionSpec>,
    /// Whether each [`Go`] is to bring the game's moves so far.
    pub history: bool,
}

/// Is the `main` of a sample bot: reads `--seed N`, makes the bot, and [`run`]s it.
///
/// The seed is 0 where none is given. Trouble is told on standard error; a wrong command line ends with the code 2,
/// a broken conversation with 1.
#[expect(clippy::print_stderr, reason = "standard error is where a bot tells its trouble")]
pub fn main<B: Bot>(identity: &Identity, make: impl FnOnce(u64) -> B) -> ExitCode {
    let seed = match seed_argument() {
        Ok(seed) => seed,
        Err(error) => {
            eprintln!("{}: {error}", identity.name);
            return ExitCode::from(2);
        }
    };
    match run(&mut make(seed), identity) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", identity.name);
            ExitCode::FAILURE
        }
    }
}

/// Talks with the referee over standard input and output until it says `bye` or closes the pipe.
///
/// # Errors
/// The pipe broke, or the referee said what no referee says.
pub fn run(bot: &mut impl Bot, identity: &Identity) -> io::Result<()> {
    converse(bot, identity, io::stdin().lock(), io::stdout().lock())
}

/// Talks with a referee over any pair of streams; see [`run`].
///
/// # Errors
/// As [`run`].
pub fn converse(
    bot: &mut impl Bot,
    identity: &Identity,
    mut input: impl Read,
    mut output: impl Write,
) -> io::Result<()> {
    let mut conversation = Conversation { bot, identity, variant: Variant::Kigogo };
    let mut lines = LineBuffer::new(LINE_BYTES);
    let mut out = Vec::new();
    loop {
        while let Some(frame) = lines.next_frame() {
            let Frame::Line(line) = frame else { continue };
            if line.is_empty() {
                continue;
            }
            let Some(message) = ToBot::read(line)? else { continue };
            if matches!(message, ToBot::Bye(_)) {
                return Ok(());
            }
            if let Some(answer) = conversation.answer(&message, &mut output)? {
                out.clear();
                answer.write_line(&mut out);
                output.write_all(&out)?;
                output.flush()?;
            }
        }
        let count = input.read(lines.room())?;
        if count == 0 {
            return Ok(());
        }
        lines.filled(count);
    }
}

struct Conversation<'a, B> {
    bot: &'a mut B,
    identity: &'a Identity,
    /// The game being played.
    variant: Variant,
}

impl<B: Bot> Conversation<'_, B> {
    /// Does what a message asks for and gives the answer, if one is due.
    fn answer(&mut self, message: &ToBot<'_>, output: &mut dyn Write) -> io::Result<Option<FromBot>> {
        Ok(match message {
            ToBot::Hello(_) => Some(FromBot::Hello(self.identity.hello())),
            ToBot::SetOption(option) => {
                self.bot.set_option(&option.name, &option.value);
                None
            }
            ToBot::NewGame(game) => {
                self.variant = game.game.parse().map_err(invalid)?;
                self.bot.new_game(game);
                Some(FromBot::Ready(Ready { id: game.id }))
            }
            ToBot::Go(go) => Some(self.choose(go, output)?),
            ToBot::Ping(ping) => Some(FromBot::Pong(Pong { id: ping.id })),
            ToBot::Verify(question) => Some(FromBot::Solution(solve(question)?)),
            ToBot::GameOver(end) => {
                self.bot.game_over(end);
                None
            }
            ToBot::Fault(_) | ToBot::Bye(_) => None,
        })
    }

    fn choose(&mut self, go: &Go<'_>, output: &mut dyn Write) -> io::Result<FromBot> {
        let position = Position::parse(self.variant, &go.position).map_err(invalid)?;
        let turn = Turn { position, legal: position.legal_moves(), go, output: RefCell::new(output) };
        let answer = |pit: Pit, info| FromBot::Move(Move { id: go.id, mv: pit.name().to_owned(), info });
        Ok(match self.bot.choose(&turn) {
            Answer::Move(pit) => answer(pit, None),
            Answer::Thoughtful(pit, thought) => answer(pit, Some(thought)),
            Answer::Resign => FromBot::Resign(Resign { id: go.id }),
        })
    }
}

impl Identity {
    fn hello(&self) -> Hello {
        let mut capabilities = vec!["verify".to_owned()];
        if self.history {
            capabilities.push("history".to_owned());
        }
        Hello {
            protocol: VERSION.into(),
            name: self.name.to_owned(),
            version: self.version.to_owned(),
            author: self.author.to_owned(),
            games: Variant::NAMES.map(str::to_owned).to_vec(),
            capabilities,
            options: self.options.clone(),
        }
    }
}

/// Says what the rules say: the legal moves of a position, or what comes of one of them.
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

fn invalid(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
