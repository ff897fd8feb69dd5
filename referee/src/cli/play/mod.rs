//! `referee play`: a person against a bot, in a terminal or through a pipe.

mod hint;
mod words;

use std::io::{self, BufRead, IsTerminal, Write};

use bao_rules::{Pit, Position, Side, Variant};
use clap::Args;
use tokio::sync::mpsc;
use tokio::task::LocalSet;

use super::failure::Failure;
use super::games;
use super::sandbox::SandboxArguments;
use super::values::{game, option, side};
use crate::game::clock::TimeControl;
use crate::game::verdict::{Loss, printable};
use crate::plan::{self, MOST_PLIES};
use crate::play::bout::{Bout, Terms, Turn};
use crate::play::talk::Talk;
use crate::process::keeper::Keeper;
use crate::run::RunError;
use crate::text::lang::Lang;
use crate::text::wrap::wrapped;
use bao_jail::{Sandbox, SetupError};
use words::{Order, View};

/// How long the bot may take to answer the first message, in microseconds.
const HANDSHAKE_US: u64 = 10_000_000;
/// How long it may take to answer `new_game`, in microseconds.
const READY_US: u64 = 10_000_000;
/// How far the bot may exceed its clock, in microseconds: no event depends on it.
const GRACE_US: u64 = 1_000_000;

/// Play a game against a bot in the terminal.
///
/// Type a move (the pit to lift, such as A3) or a command: help, moves, board, laps, hint, undo, position, resign,
/// quit. This works over ssh and through pipes. --plain prints sentences instead of drawings, for screen readers.
///
/// The bot is started as in a match, with the same isolation. Its clock runs; yours does not.
#[derive(Debug, Args)]
pub(super) struct Play {
    /// Game to play.
    #[arg(value_parser = game())]
    game: Variant,
    /// Command line of the bot, as for `referee match`.
    bot: String,
    /// Your side.
    #[arg(long, value_name = "S|N", default_value = "S", value_parser = side())]
    side: Side,
    /// Clock of the bot.
    #[arg(long, value_name = "CLOCK", default_value = "2s/move")]
    clock: TimeControl,
    /// Start from here: moves from the start ("A3 a2") or a position.
    #[arg(long, value_name = "MOVES|POSITION")]
    position: Option<String>,
    /// Print sentences instead of drawings.
    #[arg(long)]
    plain: bool,
    /// Language: en, sw (Swahili) or pt (Portuguese).
    #[arg(long, value_name = "LANG", default_value = "en")]
    lang: Lang,
    #[arg(long, help = games::max_plies(), value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=MOST_PLIES))]
    max_plies: u64,
    /// Set an option of the bot (repeatable).
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option: Vec<(String, String)>,
    /// Seed for a bot that has an option "seed".
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sandbox: SandboxArguments,
}

impl Play {
    pub(super) fn run(self) -> Result<(), Failure> {
        let command = plan::command(&self.bot)?;
        let position = match &self.position {
            Some(text) => plan::opening(self.game, text)?,
            None => Position::start(self.game),
        };
        let sandbox = self.sandbox.one();
        super::sandbox::scripts_are_there([(&*plan::bot_name(&command), &*command, &sandbox)])?;
        let host = super::sandbox::host()?;
        super::sandbox::check(&host, &[&sandbox])?;
        let runtime = crate::play::driver::runtime()?;
        let keeper = Keeper::new(host);
        let mut session = Session {
            terms: Terms {
                game: 0,
                position,
                bot: self.side.other(),
                clock: self.clock,
                grace_us: GRACE_US,
                ready_us: READY_US,
                max_plies: self.max_plies,
                seed: self.seed,
            },
            person: self.side,
            bot: Player {
                keeper: &keeper,
                name: plan::bot_name(&command),
                command,
                sandbox,
                options: self.option,
            },
            view: View { plain: self.plain, person: self.side, lang: self.lang },
            talk: None,
            adviser: None,
            input: typed(),
            prompts: io::stdin().is_terminal() && io::stdout().is_terminal(),
        };
        LocalSet::new().block_on(&runtime, async {
            let outcome = Box::pin(session.play()).await;
            session.part().await;
            outcome
        })
    }
}

/// Reads standard input line by line in a separate thread, so that the bot is read while a person thinks.
fn typed() -> mpsc::Receiver<String> {
    let (lines, input) = mpsc::channel(16);
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut stdin = io::stdin().lock();
        while stdin.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            if lines.blocking_send(String::from_utf8_lossy(&bytes).trim().to_owned()).is_err() {
                return;
            }
            bytes.clear();
        }
    });
    input
}

/// Standard output; on a terminal, lines are wrapped between words.
struct Paper;

/// The width of lines on a terminal.
const WIDTH: usize = 79;

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut out = io::stdout();
        if out.is_terminal() {
            out.write_all(wrapped(&String::from_utf8_lossy(bytes), WIDTH).as_bytes())?;
        } else {
            out.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// How to start the bot.
#[derive(Debug)]
struct Player<'a> {
    keeper: &'a Keeper,
    name: String,
    command: Vec<String>,
    sandbox: Sandbox,
    options: Vec<(String, String)>,
}

/// Why a bot is absent.
#[derive(Debug, thiserror::Error)]
enum Absence {
    #[error(transparent)]
    Setup(SetupError),
    #[error("{}", .0.detail)]
    Loss(Loss, Option<String>),
}

impl Player<'_> {
    /// Starts and greets the bot, and sets its options.
    async fn start(&self, variant: Variant) -> Result<Talk, Absence> {
        let mut talk =
            Talk::start(self.keeper, &self.command, &self.sandbox).await.map_err(Absence::Setup)?;
        let hello = match talk.greet(HANDSHAKE_US, &self.options).await {
            Ok(hello) => hello,
            Err(loss) => {
                let stderr = talk.stderr();
                talk.kill(self.keeper).await;
                return Err(Absence::Loss(loss, stderr));
            }
        };
        if !hello.games.iter().any(|game| game == variant.name()) {
            talk.part(self.keeper).await;
            let detail = format!("it does not play {variant}; its hello lists: {}", hello.games.join(", "));
            let reason = bao_protocol::Reason::Handshake;
            return Err(Absence::Loss(
                Loss { reason, detail: printable(&detail, 300), line: String::new() },
                None,
            ));
        }
        Ok(talk)
    }

    fn failure(&self, absence: Absence) -> Failure {
        match absence {
            Absence::Setup(source) => RunError::Spawn { name: self.name.clone(), source }.into(),
            Absence::Loss(loss, stderr) => {
                Failure::Absent { name: self.name.clone(), detail: loss.detail, stderr }
            }
        }
    }
}

/// A session of a person with a bot.
struct Session<'a> {
    terms: Terms,
    person: Side,
    bot: Player<'a>,
    view: View,
    // The process that plays, and the process that gives hints; each is started when it is needed.
    talk: Option<Talk>,
    adviser: Option<Talk>,
    input: mpsc::Receiver<String>,
    prompts: bool,
}

/// What a person wants next.
enum Next {
    /// Play on from these moves.
    Again(Vec<Pit>),
    /// Leave.
    Quit,
}

impl Session<'_> {
    async fn play(&mut self) -> Result<(), Failure> {
        let mut out = Paper;
        write!(out, "{}", self.view.welcome(&self.terms, &self.bot.name))?;
        let mut moves = Vec::new();
        loop {
            self.terms.game += 1;
            let mut talk = match self.talk.take() {
                Some(talk) => talk,
                None => match self.bot.start(self.terms.position.variant()).await {
                    Ok(talk) => talk,
                    Err(absence) => return Err(self.bot.failure(absence)),
                },
            };
            let mut bout = Bout::new(&self.terms, &talk, &moves);
            let next = self.game(&mut bout, &mut talk, moves).await;
            let faulty = bout.verdict().is_some_and(|verdict| verdict.reason.is_fault());
            if bout.verdict().is_none() {
                bout.stop(&mut talk, "the person who plays took it back or left");
            }
            if faulty {
                talk.kill(self.bot.keeper).await;
            } else {
                self.talk = Some(talk);
            }
            match next? {
                Next::Again(kept) => moves = kept,
                Next::Quit => return Ok(()),
            }
        }
    }

    /// Plays until the person takes moves back or leaves; `told` are the moves that the person has seen.
    async fn game(&mut self, bout: &mut Bout, talk: &mut Talk, mut told: Vec<Pit>) -> Result<Next, Failure> {
        let mut out = Paper;
        write!(out, "\n{}", self.view.board(self.terms.position, &told))?;
        loop {
            out.flush()?;
            let turn = bout.go_on(talk).await;
            let made = moves(bout, self.terms.position.variant());
            for ply in told.len()..made.len() {
                write!(out, "{}", self.view.made(self.terms.position, &made[..=ply], bout.thought()))?;
            }
            told = made;
            if turn == Turn::Over {
                let stderr = talk.stderr();
                write!(out, "{}", self.view.ended(bout, self.terms.bot, stderr.as_deref()))?;
            }
            if let Some(next) = self.orders(bout, talk, turn, &told).await? {
                return Ok(next);
            }
        }
    }

    /// Carries out what the person types until the game can continue; `None` if it continues.
    async fn orders(
        &mut self,
        bout: &mut Bout,
        talk: &mut Talk,
        turn: Turn,
        made: &[Pit],
    ) -> Result<Option<Next>, Failure> {
        let mut out = Paper;
        let (start, lang) = (self.terms.position, self.view.lang);
        loop {
            if self.prompts {
                write!(out, "{}", self.view.prompt(turn))?;
            }
            out.flush()?;
            let Some(line) = self.input.recv().await else {
                if turn == Turn::Ours {
                    write!(out, "{}", self.view.left(bout.position()))?;
                }
                return Ok(Some(Next::Quit));
            };
            let said = match words::order(&line, bout.position(), self.person) {
                Ok(Order::Nothing) => continue,
                Ok(Order::Quit) => {
                    if turn == Turn::Ours {
                        write!(out, "{}", self.view.left(bout.position()))?;
                    }
                    return Ok(Some(Next::Quit));
                }
                Ok(Order::Move(_) | Order::Resign | Order::Hint | Order::Moves) if turn == Turn::Over => {
                    "The game is over. Type undo to take a move back, or quit.\n".to_owned()
                }
                Ok(Order::Move(pit)) => {
                    bout.play(talk, pit);
                    return Ok(None);
                }
                Ok(Order::Resign) => {
                    bout.resign(talk);
                    return Ok(None);
                }
                Ok(Order::Undo(times)) => match self.taken_back(made, times) {
                    Some(kept) => {
                        writeln!(out, "{}", words::taken_back(made.len() - kept.len(), lang))?;
                        return Ok(Some(Next::Again(kept)));
                    }
                    None => "You have made no move that could be taken back.\n".to_owned(),
                },
                Ok(Order::Hint) => self.hint(bout.position()).await,
                Ok(Order::Help) => lang.say("help", &[]),
                Ok(Order::Moves) => words::moves(bout.position(), lang),
                Ok(Order::Board) => self.view.board(start, made),
                Ok(Order::Laps) => words::laps(start, made, lang),
                Ok(Order::Position) => format!("{}\n", bout.position()),
                Err(problem) => problem.said(lang) + "\n",
            };
            write!(out, "{said}")?;
        }
    }

    /// Returns the moves that are left when `times` moves of the person are taken back, with the bot's answers.
    fn taken_back(&self, made: &[Pit], times: usize) -> Option<Vec<Pit>> {
        let own = made.iter().enumerate().filter(|(_, pit)| pit.owner() == self.person).map(|(ply, _)| ply);
        let own: Vec<usize> = own.collect();
        let first = own.len().checked_sub(times).and_then(|at| own.get(at))?;
        Some(made[..*first].to_vec())
    }

    /// Ends the processes.
    async fn part(&mut self) {
        for talk in [self.talk.take(), self.adviser.take()].into_iter().flatten() {
            talk.part(self.bot.keeper).await;
        }
    }
}

/// The moves of a game.
fn moves(bout: &Bout, variant: Variant) -> Vec<Pit> {
    bout.moves().split_whitespace().filter_map(|name| Pit::parse(variant, name).ok()).collect()
}
