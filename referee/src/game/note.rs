//! Notes about a bot's lines.

use std::fmt;

/// A note in the record about a bot's line, which decides nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note<'a> {
    /// A warning of the decoder about a line that it read.
    Warning(&'a str),
    /// A line that is not a message.
    Noise,
    /// A message of a type that the protocol does not have.
    Unknown {
        /// The type.
        kind: &'a str,
    },
    /// A hello where none was asked for.
    SecondHello,
    /// A pong or a solution; a game asks for neither.
    Unasked,
    /// An answer to a request that is not open.
    Astray {
        /// What it answers with.
        kind: Answer,
        /// The id that it names.
        id: u64,
        /// Whether a request with this id was made before.
        was_made: bool,
    },
    /// A bot used processor time while it was stopped.
    Ran {
        /// How much, in microseconds.
        us: u64,
    },
    /// The organiser sets an option that the bot does not list.
    Unlisted {
        /// The option.
        option: &'a str,
    },
    /// The organiser sets an option to a value that the bot's hello does not allow.
    Unfit {
        /// The option.
        option: &'a str,
        /// The value.
        value: &'a str,
        /// What the option takes, in words.
        takes: &'a str,
    },
    /// There were too many notes; further ones are left out.
    LeftOut,
}

/// An answer to a request that a game makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// To `new_game`.
    Ready,
    /// To `go`.
    Move,
    /// To `go`.
    Resign,
}

impl Note<'_> {
    /// Returns whether the note depends only on the line, and not on the state of the game: another reader of the line
    /// finds the same.
    pub const fn is_of_the_line(&self) -> bool {
        match self {
            Self::Warning(_) | Self::Noise | Self::Unknown { .. } | Self::LeftOut => true,
            Self::SecondHello
            | Self::Unasked
            | Self::Astray { .. }
            | Self::Ran { .. }
            | Self::Unlisted { .. }
            | Self::Unfit { .. } => false,
        }
    }
}

impl fmt::Display for Note<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Warning(warning) => f.write_str(warning),
            Self::Noise => f.write_str("a line that is no message was ignored"),
            Self::Unknown { kind } => write!(f, "a message of the unknown type \"{kind}\" was ignored"),
            Self::SecondHello => f.write_str("a second hello was ignored"),
            Self::Unasked => f.write_str("an answer to no request was ignored"),
            Self::Astray { kind, id, was_made } => {
                let what = if *was_made { "that is not open" } else { "that was not made yet" };
                write!(f, "a {kind} with id {id} was ignored: it answers a request {what}")
            }
            Self::Ran { us } => {
                write!(
                    f,
                    "the bot used {us} us of processor time on its opponent's turn although it was stopped; its clock \
                     pays for them"
                )
            }
            Self::Unlisted { option } => {
                write!(f, "the option \"{option}\" is set though the bot's hello does not list it")
            }
            Self::Unfit { option, value, takes } => {
                write!(
                    f,
                    "the option \"{option}\" is set to \"{value}\", and the bot's hello says that it takes {takes}"
                )
            }
            Self::LeftOut => f.write_str("further notes about this bot are left out"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ready => "ready",
            Self::Move => "move",
            Self::Resign => "resign",
        })
    }
}
