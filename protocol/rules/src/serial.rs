//! The feature `serde`: everything that has a text is that string.
//!
//! A position or a pit of any game needs its game to be read back, so the game's name and a space come first:
//! `"bao-kingulu A3"`. The positions of one game and all other types are the text that `Display` writes.

use alloc::string::ToString;
use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::any::Position;
use crate::games::games;
use crate::outcome::Ending;
use crate::pit::Pit;
use crate::side::Side;
use crate::variant::Variant;

/// Reads a string by a function.
struct Text<T, F>(&'static str, F, PhantomData<T>);

impl<T, E: fmt::Display, F: FnOnce(&str) -> Result<T, E>> Visitor<'_> for Text<T, F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<D: Error>(self, text: &str) -> Result<T, D> {
        self.1(text).map_err(D::custom)
    }
}

/// Implements both traits by `Display` and `FromStr`.
macro_rules! by_text {
    ($type:ty, $expected:literal) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text($expected, <$type>::from_str, PhantomData))
            }
        }
    };
}

by_text!(Variant, "the name of a game");
by_text!(Side, "S or N");
by_text!(Ending, "the name of an ending");

macro_rules! positions {
    ([] $($(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? $variant:ident => $game:ident,)*) => {
        $($(#[cfg($cfg)])? const _: () = { by_text!(crate::$game::Position, "a position text"); };)*
    };
}

games!(positions);

/// Implements both traits by the game's name and what `parse` reads.
macro_rules! by_name_and_text {
    ($type:ty, $expected:literal) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&format_args!("{} {self}", self.variant()))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let read = |text: &str| {
                    let (game, text) = text.split_once(' ').unwrap_or((text, ""));
                    let variant = game.parse::<Variant>().map_err(|error| error.to_string())?;
                    <$type>::parse(variant, text).map_err(|error| error.to_string())
                };
                deserializer.deserialize_str(Text($expected, read, PhantomData))
            }
        }
    };
}

by_name_and_text!(Position, "the name of a game and a position text");
by_name_and_text!(Pit, "the name of a game and of a pit");
