//! Text for people's eyes.

pub mod board;
pub mod shown;
