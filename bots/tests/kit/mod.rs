//! A small referee for tests: talks with one bot in a real process.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use bao_protocol::to_bot::{Bye, Clock, Go, Hello, Limits, NewGame, Ping};
use bao_protocol::{Decoded, FromBot, ToBot, decode, from_bot};
use bao_rules::{Pit, Position, Side, Variant};

mod compile;

pub(crate) use compile::compile;

/// Far more than any answer takes; only a bot that hangs meets it.
const PATIENCE: Duration = Duration::from_secs(30);

/// A conversation with a bot.
pub(crate) struct Talk {
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    exit: Receiver<ExitStatus>,
    id: u64,
    /// The game being played.
    pub(crate) variant: Variant,
    /// What the bot told while it thought about its last move.
    pub(crate) told: Vec<from_bot::Info>,
}

impl Talk {
    /// Starts a bot; `None` where its program is not installed, which it prints.
    pub(crate) fn start(command: &[&str]) -> Option<Self> {
        let [program, arguments @ ..] = command else { panic!("an empty command") };
        let mut child = match Command::new(program)
            .args(arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env_remove("PYTHONUNBUFFERED")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
        {
            Ok(child) => child,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                bao_tests::skip(&format!("the bot in {program}"), "its interpreter is not installed");
                return None;
            }
            Err(error) => panic!("{program}: {error}"),
        };
        let input = child.stdin.take();
        let lines = lines_of(&mut child);
        let (tell, exit) = channel();
        thread::spawn(move || tell.send(child.wait().expect("a child can be waited for")));
        Some(Self { input, lines, exit, id: 0, variant: Variant::Kigogo, told: Vec::new() })
    }

    /// Writes bytes as they are.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("the input is open").write_all(bytes).expect("the bot reads");
    }

    /// Writes a message.
    pub(crate) fn say(&mut self, message: &ToBot<'_>) {
        let mut line = Vec::new();
        message.write_line(&mut line);
        self.write(&line);
    }

    /// Reads the next message, which must be in order and without a warning.
    pub(crate) fn hear(&mut self) -> FromBot {
        let line = self.lines.recv_timeout(PATIENCE).expect("the bot answers");
        match decode(line.as_bytes()) {
            Decoded::Message(message, warnings) => {
                assert_eq!(warnings, [""; 0], "{line}");
                message
            }
            other @ (Decoded::Unknown(_) | Decoded::Blank | Decoded::Noise | Decoded::Bad(_)) => {
                panic!("{line:?} is {other:?}")
            }
        }
    }

    /// Shakes hands.
    pub(crate) fn hello(&mut self) -> from_bot::Hello {
        let limits = Limits { line_bytes: 65_536, handshake_ms: 10_000 };
        self.say(&ToBot::Hello(Hello { protocol: vec![1], referee: "kit 1".into(), limits }));
        let FromBot::Hello(hello) = self.hear() else { panic!("that was no hello") };
        hello
    }

    /// Announces a game and waits until the bot is ready.
    pub(crate) fn new_game(&mut self, game_id: &str, variant: Variant, you: Side) {
        self.id += 1;
        self.variant = variant;
        self.say(&ToBot::NewGame(NewGame {
            id: self.id,
            game_id: game_id.into(),
            game: variant.name().into(),
            you: you.into(),
            position: Position::start(variant).to_string().into(),
            clock: Clock::Fischer { base_ms: 60_000, increment_ms: 500 },
            max_plies: 1000,
        }));
        assert_eq!(self.hear(), FromBot::Ready(from_bot::Ready { id: self.id }));
    }

    /// Asks for a move, which must be legal.
    pub(crate) fn go(&mut self, position: &Position, ply: u64) -> Pit {
        self.id += 1;
        let seeds = |side| -> Vec<u8> { position.pits(side).map(|pit| position.seeds(pit)).collect() };
        let names = |pits: Vec<Pit>| pits.into_iter().map(Pit::name).collect::<Vec<_>>().join(" ");
        let go = ToBot::Go(Go {
            id: self.id,
            game_id: "1".into(),
            ply,
            you: position.side().into(),
            position: position.to_string().into(),
            south: Cow::Owned(seeds(Side::South)),
            north: Cow::Owned(seeds(Side::North)),
            captured_south: position.captured(Side::South).into(),
            captured_north: position.captured(Side::North).into(),
            reserved: names(Pit::all(self.variant).filter(|pit| position.reserved(*pit).is_some()).collect())
                .into(),
            legal: names(position.legal_moves().into_iter().collect()).into(),
            last: "".into(),
            moves: None,
            you_ms: 60_000,
            opponent_ms: 60_000,
            increment_ms: 500,
            moves_to_go: 0,
            periods: 0,
            deadline_ms: 60_000,
        });
        self.say(&go);
        self.told.clear();
        let answer = loop {
            match self.hear() {
                FromBot::Move(answer) => break answer,
                FromBot::Info(info) => {
                    assert_eq!(info.id, self.id);
                    self.told.push(info);
                }
                other @ (FromBot::Hello(_)
                | FromBot::Ready(_)
                | FromBot::Resign(_)
                | FromBot::Pong(_)
                | FromBot::Log(_)
                | FromBot::Solution(_)) => panic!("{other:?} is not a move"),
            }
        };
        assert_eq!(answer.id, self.id);
        let pit = Pit::parse(self.variant, &answer.mv).expect("the move is a pit's name");
        position.check(pit).expect("the move is legal");
        pit
    }

    /// Pings; the pong must be the very next thing that the bot says.
    pub(crate) fn ping(&mut self) {
        self.id += 1;
        self.say(&ToBot::Ping(Ping { id: self.id }));
        assert_eq!(self.hear(), FromBot::Pong(from_bot::Pong { id: self.id }));
    }

    /// Says bye and waits for the bot to exit in order, without another word; its input stays open meanwhile.
    pub(crate) fn bye(mut self) {
        self.say(&ToBot::Bye(Bye {}));
        self.ends();
    }

    /// Closes the bot's input and waits for it to exit in order, without another word.
    pub(crate) fn close(mut self) {
        self.input = None;
        self.ends();
    }

    fn ends(&self) {
        let exit = self.exit.recv_timeout(PATIENCE).expect("the bot exits");
        assert!(exit.success(), "the bot ended with {exit}");
        let rest: Vec<String> = self.lines.iter().collect();
        assert_eq!(rest, [""; 0]);
    }
}

/// Reads a bot's output in a thread, so that waiting for a line can end.
fn lines_of(child: &mut Child) -> Receiver<String> {
    let output = BufReader::new(child.stdout.take().expect("the output is piped"));
    let (tell, lines) = channel();
    thread::spawn(move || {
        for line in output.lines() {
            let line = line.expect("the output is text");
            if tell.send(line).is_err() {
                break;
            }
        }
    });
    lines
}
