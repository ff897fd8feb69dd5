//! Where a game meets processes: pipes, timers and the clock on the wall.

pub mod bout;
pub mod driver;
pub mod link;
pub mod manners;
mod settle;
pub mod talk;
pub mod witness;
