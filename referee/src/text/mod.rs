//! Text for people's eyes.

pub mod board;
pub mod cause;
pub mod loss;
pub mod shown;
pub mod suggest;
pub mod wrap;
