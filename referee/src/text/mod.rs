//! Text for people.

pub mod board;
pub mod cause;
pub mod count;
pub mod lang;
pub mod loss;
pub(crate) mod picture;
pub mod shown;
pub mod suggest;
pub mod wrap;
