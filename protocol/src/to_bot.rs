//! What the referee says to a bot.
//!
//! Every struct is one message; fields are written in the order in which they stand here, `type` before them all, so
//! that a bot without a JSON library can look for them. Strings are plain ASCII without escapes, lists of moves and
//! pits are one string with single spaces between.

use std::borrow::Cow;
use std::io;

use serde::{Deserialize, Serialize};

use crate::decode::Kind;
use crate::{Reason, Seat, YourResult};

/// Any message from the referee to a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToBot<'a> {
    /// Opens the conversation.
    #[serde(borrow)]
    Hello(Hello<'a>),
    /// Sets one of the options that the bot listed in its hello.
    SetOption(SetOption<'a>),
    /// Announces a game; the bot answers `ready`.
    NewGame(NewGame<'a>),
    /// Asks for a move; the bot answers `move` or `resign`.
    Go(Go<'a>),
    /// Asks for a sign of life; the bot answers `pong`.
    Ping(Ping),
    /// The bot's own mistake, which has just ended the game.
    Fault(Fault<'a>),
    /// Says how a game ended.
    GameOver(GameOver<'a>),
    /// Asks a bot with the capability `verify` what its own rules say.
    Verify(Verify<'a>),
    /// Ends the conversation: the bot should exit.
    Bye(Bye),
}

impl<'a> ToBot<'a> {
    /// Reads a line of the referee; `None` for a message of a type that this version does not know.
    ///
    /// Several times faster than through `Deserialize`, which has to copy the line for an enum of this kind.
    ///
    /// # Errors
    /// The line is not a JSON object with a `type`, or not what that type needs.
    pub fn read(line: &'a [u8]) -> Result<Option<Self>, serde_json::Error> {
        fn body<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, serde_json::Error> {
            serde_json::from_slice(line)
        }
        // The referee writes the type first; a line that some other program wrote is searched for it.
        let first =
            line.strip_prefix(br#"{"type":""#).and_then(|rest| rest.split(|&byte| byte == b'"').next());
        let name = match first.map(std::str::from_utf8) {
            Some(Ok(name)) if !name.contains('\\') => Cow::Borrowed(name),
            _ => body::<Kind<'_>>(line)?.name,
        };
        Ok(Some(match &*name {
            "hello" => Self::Hello(body(line)?),
            "set_option" => Self::SetOption(body(line)?),
            "new_game" => Self::NewGame(body(line)?),
            "go" => Self::Go(body(line)?),
            "ping" => Self::Ping(body(line)?),
            "fault" => Self::Fault(body(line)?),
            "game_over" => Self::GameOver(body(line)?),
            "verify" => Self::Verify(body(line)?),
            "bye" => Self::Bye(body(line)?),
            _ => return Ok(None),
        }))
    }

    /// Appends the message as one line, newline included, to `out`.
    pub fn write_line(&self, out: &mut Vec<u8>) {
        self.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Ascii))
            .expect("a message of plain integers and strings always serialises");
        out.push(b'\n');
    }

    /// Appends the message as one line with further fields behind its own, as a later version might send it: what a reader
    /// does with fields that it does not know can be tried out.
    pub fn write_line_with(&self, more: &impl Serialize, out: &mut Vec<u8>) {
        #[derive(Serialize)]
        struct Longer<'m, T> {
            #[serde(flatten)]
            message: &'m ToBot<'m>,
            #[serde(flatten)]
            more: &'m T,
        }
        Longer { message: self, more }
            .serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Ascii))
            .expect("a message of plain integers and strings always serialises");
        out.push(b'\n');
    }
}

/// Writes every character beyond ASCII as an escape, for bots whose language reads bytes.
struct Ascii;

impl serde_json::ser::Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        if text.is_ascii() {
            return out.write_all(text.as_bytes());
        }
        for letter in text.chars() {
            if letter.is_ascii() {
                out.write_all(&[letter as u8])?;
            } else {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }
}

/// Opens the conversation; the bot answers with its own hello.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hello<'a> {
    /// The major versions of the protocol that the referee speaks.
    pub protocol: Vec<u32>,
    /// The referee's name and version.
    #[serde(borrow)]
    pub referee: Cow<'a, str>,
    /// What the bot has to keep to.
    pub limits: Limits,
}

/// The limits that every bot has to keep to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Limits {
    /// The longest line of the bot, in bytes without the newline.
    pub line_bytes: u64,
    /// How long the bot may take to answer this hello, in milliseconds.
    pub handshake_ms: u64,
}

/// Sets one of the options that the bot listed in its hello; the bot does not answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetOption<'a> {
    /// The number of this request.
    pub id: u64,
    /// The option's name, as the bot wrote it.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// The value, always as a string.
    #[serde(borrow)]
    pub value: Cow<'a, str>,
}

/// Announces a game; the bot answers `ready` with the same `id` once it can play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewGame<'a> {
    /// The number of this request.
    pub id: u64,
    /// The game's name within the run.
    #[serde(borrow)]
    pub game_id: Cow<'a, str>,
    /// Which game is played, by its name.
    #[serde(borrow)]
    pub game: Cow<'a, str>,
    /// The side that the reader plays.
    pub you: Seat,
    /// The position from which the game starts.
    #[serde(borrow)]
    pub position: Cow<'a, str>,
    /// The reader's clock.
    pub clock: Clock,
    /// The ply after which the game is ended.
    pub max_plies: u64,
}

/// A time control, as a bot learns it. All times are milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Clock {
    /// No clock but a cap that keeps a hanging bot from stopping the run.
    None {
        /// The most that one move may take.
        cap_ms: u64,
    },
    /// The same time for every move.
    MoveTime {
        /// The most that one move may take.
        move_ms: u64,
    },
    /// One budget for the whole game.
    SuddenDeath {
        /// The budget.
        base_ms: u64,
    },
    /// A budget that grows after every move.
    Fischer {
        /// The budget at the start.
        base_ms: u64,
        /// What each move adds once it is made.
        increment_ms: u64,
    },
    /// A new budget after every `moves` moves.
    Classical {
        /// How many moves one budget is for.
        moves: u64,
        /// The budget, added to what is left each time.
        base_ms: u64,
        /// What each move adds once it is made.
        increment_ms: u64,
    },
    /// A budget, then periods of which one is lost whenever a move takes longer than it.
    Byoyomi {
        /// The budget before the first period.
        base_ms: u64,
        /// How many periods there are.
        periods: u64,
        /// The length of a period.
        period_ms: u64,
    },
    /// A budget that starts to run only some time after each request.
    Delay {
        /// The budget.
        base_ms: u64,
        /// The time of each move that is free.
        delay_ms: u64,
    },
}

/// Asks for a move; self-contained, so that a bot needs neither memory nor rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Go<'a> {
    /// The number of this request; the answer repeats it.
    pub id: u64,
    /// The game that this is about.
    #[serde(borrow)]
    pub game_id: Cow<'a, str>,
    /// How many moves have been made since the game's start position.
    pub ply: u64,
    /// The side that the reader plays, and whose turn it is.
    pub you: Seat,
    /// The position.
    #[serde(borrow)]
    pub position: Cow<'a, str>,
    /// The seeds in South's pits, in sowing order.
    pub south: Cow<'a, [u8]>,
    /// The seeds in North's pits, in sowing order.
    pub north: Cow<'a, [u8]>,
    /// The seeds that South has captured or banked.
    pub captured_south: u64,
    /// The seeds that North has captured or banked.
    pub captured_north: u64,
    /// The names of the reserved pits; always empty in a game that reserves none.
    #[serde(borrow)]
    pub reserved: Cow<'a, str>,
    /// Every legal move; never empty.
    #[serde(borrow)]
    pub legal: Cow<'a, str>,
    /// The opponent's move just before, or empty at the start.
    #[serde(borrow)]
    pub last: Cow<'a, str>,
    /// Every move since the game's start position; present only for a bot with the capability `history`.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Cow<'a, str>>,
    /// The reader's time left, in milliseconds; at least 1.
    pub you_ms: u64,
    /// The opponent's time left, in milliseconds; at least 1.
    pub opponent_ms: u64,
    /// What the reader's clock gains with this move, in milliseconds.
    pub increment_ms: u64,
    /// Moves until the reader's next budget (classical clocks), counting this one; 0 otherwise.
    pub moves_to_go: u64,
    /// Byoyomi periods that the reader has left; 0 for other clocks.
    pub periods: u64,
    /// The most that this answer may take, in milliseconds; at least 1.
    pub deadline_ms: u64,
}

/// Asks for a sign of life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ping {
    /// The number of this request.
    pub id: u64,
}

/// The bot's own mistake, which has just ended the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fault<'a> {
    /// The request that was open, or 0.
    pub id: u64,
    /// The reason, as in `game_over`.
    pub code: Reason,
    /// What was wrong, in a sentence.
    #[serde(borrow)]
    pub detail: Cow<'a, str>,
    /// The start of the line at fault, as printable ASCII, or empty.
    #[serde(borrow)]
    pub line: Cow<'a, str>,
    /// The moves that were legal, or empty.
    #[serde(borrow)]
    pub legal: Cow<'a, str>,
}

/// Says how a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameOver<'a> {
    /// The game that this is about.
    #[serde(borrow)]
    pub game_id: Cow<'a, str>,
    /// `"1-0"` South won, `"0-1"` North won, `"1/2-1/2"` a draw, `"*"` the game does not count.
    #[serde(borrow)]
    pub result: Cow<'a, str>,
    /// The winner, or null.
    pub winner: Option<Seat>,
    /// Why the game ended.
    pub reason: Reason,
    /// How it went for the reader.
    pub you: YourResult,
    /// South's and North's seeds: captured, or counted by the scoring rule of the game.
    pub score: [u64; 2],
}

/// Asks a bot with the capability `verify` what its own rules say; the bot answers `solution`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verify<'a> {
    /// The number of this request.
    pub id: u64,
    /// Which game, by its name.
    #[serde(borrow)]
    pub game: Cow<'a, str>,
    /// The position asked about.
    #[serde(borrow)]
    pub position: Cow<'a, str>,
    /// The move to make there; without it, the legal moves are asked for.
    #[serde(rename = "move", borrow, default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<Cow<'a, str>>,
}

/// Ends the conversation: the bot should exit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bye {}
