//! A position of any game.

use core::fmt;
use core::str::FromStr;

use crate::games::games;
use crate::illegal::Illegal;
use crate::moves::Moves;
use crate::outcome::{Ending, Outcome};
use crate::pit::Pit;
use crate::play::{Play, Sow};
use crate::rules::Rules;
use crate::seen::Seen;
use crate::side::Side;
use crate::text;
use crate::text::error::PositionError;
use crate::trace::Trace;
use crate::variant::Variant;

macro_rules! types {
    ([] $($(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? $variant:ident => $game:ident,)*) => {
        /// A position of one of the games: pits, side to move, seeds captured or banked.
        ///
        /// It is read from its text with [`Position::parse`] and written by `Display`; see [`crate::text`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Position {
            $($(#[doc = $doc])* $(#[cfg($cfg)])? $variant(crate::$game::Position),)*
        }

        impl Position {
            /// Returns the position in which a game starts, South to move.
            pub const fn start(variant: Variant) -> Self {
                match variant {
                    $($(#[cfg($cfg)])? Variant::$variant => Self::$variant(crate::$game::Position::START),)*
                }
            }

            /// Returns the game.
            #[inline]
            pub const fn variant(&self) -> Variant {
                match self {
                    $($(#[cfg($cfg)])? Self::$variant(_) => Variant::$variant,)*
                }
            }

            /// Reads a position text; any position that fits the game's seeds is accepted, reachable or not.
            ///
            /// Bao Kigogo: pits and captured seeds together are at most 92. Bao Kingulu: pits and banks are 48
            /// together, and a reserved pit holds 4 or 5.
            ///
            /// ```
            /// use bao_rules::{Position, Side, Variant};
            ///
            /// let position = Position::parse(Variant::Kingulu, "0,0,0,0,2,3/0,0,0,0,1,4* S 20 18").unwrap();
            /// assert_eq!(position.score(Side::North), 27);
            ///
            /// let error = Position::parse(Variant::Kingulu, "0,0,0,0,2,3/0,0,0,0,1,4 S 20 19").unwrap_err();
            /// let sentence = "bao-kingulu has exactly 48 seeds, found 49: 10 in pits and 39 captured";
            /// assert_eq!(error.to_string(), sentence);
            /// ```
            ///
            /// # Errors
            /// The first thing from the left that does not fit, with its place.
            pub fn parse(variant: Variant, text: &str) -> Result<Self, PositionError> {
                match variant {
                    $($(#[cfg($cfg)])? Variant::$variant => text::read(text).map(Self::$variant),)*
                }
            }
        }

        /// A move under way; returned by [`Position::begin`].
        #[derive(Clone, Copy, Debug)]
        pub struct Sowing(Under);

        #[derive(Clone, Copy, Debug)]
        enum Under {
            $($(#[cfg($cfg)])? $variant(<crate::$game::Position as Rules>::Sowing),)*
        }

        impl Sowing {
            fn new(position: &Position, pit: Pit) -> Result<Self, Illegal> {
                match position {
                    $($(#[cfg($cfg)])? Position::$variant(position) => {
                        position.begin(pit).map(|sowing| Self(Under::$variant(sowing)))
                    })*
                }
            }

            /// Sows at most `laps` laps more; returns the effect of the move, as [`Position::play`] does, once it
            /// is known.
            pub fn go_on(&mut self, laps: u64) -> Option<Play<Position>> {
                match &mut self.0 {
                    $($(#[cfg($cfg)])? Under::$variant(sowing) => Some(sowing.go_on(laps)?.map(Position::$variant)),)*
                }
            }
        }

        /// The positions of one game so far, kept beside the position because only the referee and long searches need
        /// them.
        ///
        /// Two positions are the same when all pits, the reserved pits and the side to move are (rule 6 of both
        /// games). Seeds that left the board never come back, so a capture makes all earlier positions unreachable,
        /// and they are forgotten. Hence the positions pushed must be those of one game in their order.
        ///
        /// A push takes constant time on average; the memory grows to the longest stretch between captures and is
        /// kept for the next game.
        ///
        /// ```
        /// use bao_rules::{History, Pit, Position, Variant};
        ///
        /// let start = Position::start(Variant::Kingulu);
        /// let mut history = History::new(&start);
        /// assert!(history.contains(&start));
        ///
        /// let after = start.play(Pit::parse(Variant::Kingulu, "A3")?)?.after.ok_or("endless")?;
        /// assert!(!history.push(&after), "it is new");
        /// assert!(history.push(&after), "it came back");
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Debug, Default)]
        pub struct History {
            $($(#[cfg($cfg)])? $game: Seen<crate::$game::Position>,)*
        }

        impl History {
            /// Begins a history with the position in which the game starts; that one counts as seen.
            pub fn new(start: &Position) -> Self {
                let mut history = Self::default();
                history.restart(start);
                history
            }

            /// Begins another game and keeps the allocated memory.
            pub fn restart(&mut self, start: &Position) {
                match start {
                    $($(#[cfg($cfg)])? Position::$variant(start) => self.$game.restart(start),)*
                }
            }

            /// Adds the next position of the game and returns whether it was there before.
            pub fn push(&mut self, position: &Position) -> bool {
                match position {
                    $($(#[cfg($cfg)])? Position::$variant(position) => self.$game.push(position),)*
                }
            }

            /// Returns whether the position was there since the last capture, and adds nothing.
            pub fn contains(&self, position: &Position) -> bool {
                match position {
                    $($(#[cfg($cfg)])? Position::$variant(position) => self.$game.contains(position),)*
                }
            }
        }

        $(
            $(#[cfg($cfg)])?
            impl From<crate::$game::Position> for Position {
                fn from(position: crate::$game::Position) -> Self {
                    Self::$variant(position)
                }
            }

            $(#[cfg($cfg)])?
            impl fmt::Display for crate::$game::Position {
                /// Writes the position text; see [`crate::text`].
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    text::write(self, f)
                }
            }

            $(#[cfg($cfg)])?
            impl fmt::Debug for crate::$game::Position {
                /// Writes the position text, in test failures above all.
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    text::write(self, f)
                }
            }

            $(#[cfg($cfg)])?
            impl FromStr for crate::$game::Position {
                type Err = PositionError;

                /// Reads a position text as [`Position::parse`] does.
                fn from_str(text: &str) -> Result<Self, PositionError> {
                    text::read(text)
                }
            }
        )*
    };
}

games!(types);

/// Does the same to a position of whichever game.
macro_rules! each {
    ($position:expr, $inner:ident => $result:expr) => {
        games!(arms ($position) $inner ($result))
    };
}

/// The `match` of `each!`.
macro_rules! arms {
    (
        [($position:expr) $inner:ident ($result:expr)]
        $($(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? $variant:ident => $game:ident,)*
    ) => {
        match $position { $($(#[cfg($cfg)])? Position::$variant($inner) => $result,)* }
    };
}

impl Position {
    /// Returns the side to move.
    #[inline]
    pub fn side(&self) -> Side {
        each!(self, position => position.side())
    }

    /// Returns the same pits and captured seeds with `side` to move.
    ///
    /// ```
    /// use bao_rules::{Position, Side, Variant};
    ///
    /// let start = Position::start(Variant::Kingulu).with_side(Side::North);
    /// assert_eq!(start.to_string(), "4,4,4,4,4,4/4,4,4,4,4,4 N 0 0");
    /// ```
    #[must_use]
    pub fn with_side(&self, side: Side) -> Self {
        each!(self, position => position.with_side(side).into())
    }

    /// Returns the number of seeds that a side has captured (Bao Kigogo) or in its bank (Bao Kingulu).
    pub fn captured(&self, side: Side) -> u32 {
        each!(self, position => position.captured(side))
    }

    /// Returns the number of seeds in a pit; 0 for a pit of another game.
    pub fn seeds(&self, pit: Pit) -> u8 {
        each!(self, position => position.seeds(pit))
    }

    /// Returns the side that reserved a pit, if one did; none ever does in Bao Kigogo.
    pub fn reserved(&self, pit: Pit) -> Option<Side> {
        each!(self, position => position.reserved(pit))
    }

    /// Returns a side's own pits in sowing order: Bao Kigogo B1..B12, A12..A1; Bao Kingulu A1..A6.
    pub fn pits(&self, side: Side) -> impl ExactSizeIterator<Item = Pit> + Clone + use<> {
        Pit::of(self.variant(), side)
    }

    /// Returns the legal moves in sowing order.
    pub fn legal_moves(&self) -> Moves {
        each!(self, position => position.legal_moves())
    }

    /// Checks whether the side to move may lift `pit`.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn check(&self, pit: Pit) -> Result<(), Illegal> {
        each!(self, position => position.check(pit))
    }

    /// Plays a move and returns its effect.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn play(&self, pit: Pit) -> Result<Play<Self>, Illegal> {
        each!(self, position => Ok(position.play(pit)?.map(Self::from)))
    }

    /// Begins a move that may be finished piece by piece, for programs that cannot wait: a sowing of Bao Kigogo can
    /// go on for millions of laps.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn begin(&self, pit: Pit) -> Result<Sowing, Illegal> {
        Sowing::new(self, pit)
    }

    /// Plays a move and lists its steps, of the laps at most [`Trace::MOST_LAPS`].
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn trace(&self, pit: Pit) -> Result<Trace, Illegal> {
        each!(self, position => position.trace(pit))
    }

    /// Returns the result if the position alone ends the game: the side to move has no legal move.
    pub fn over(&self) -> Option<Outcome> {
        each!(self, position => position.over())
    }

    /// Returns the number of seeds that a side would score if the game ended here.
    ///
    /// Bao Kingulu counts as its rule 6 says: the bank, the unreserved pits of the own row, the pits reserved in the
    /// other row. Bao Kigogo is not won by seeds; there it is those captured.
    pub fn score(&self, side: Side) -> u32 {
        each!(self, position => position.score(side))
    }

    /// Returns the side with the higher score, if there is one.
    pub fn scored(&self) -> Option<Side> {
        each!(self, position => position.scored())
    }

    /// Returns the result of a game that is stopped in this position by [`Ending::Repetition`] or
    /// [`Ending::MaxPlies`].
    ///
    /// Bao Kigogo is drawn then, Bao Kingulu is decided by the score.
    pub fn stopped(&self, reason: Ending) -> Outcome {
        each!(self, position => position.stopped(reason))
    }
}

impl fmt::Display for Position {
    /// Writes the position text; see [`crate::text`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        each!(self, position => text::write(position, f))
    }
}

/// Returns the number of sequences of exactly `depth` legal moves from a position.
///
/// A game that is over ends a sequence; repetition does not. A sowing that would never end (Bao Kigogo) is a last
/// move: it counts where it completes a sequence. The last move of each sequence is counted and not played, as is
/// usual for such counts, so that the rate is one of sequences and not of moves played; `benches/rates.rs` measures
/// both.
///
/// ```
/// use bao_rules::{Position, Variant, perft};
///
/// assert_eq!(perft(&Position::start(Variant::Kigogo), 3), 7393);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    each!(position, position => position.perft(depth))
}
