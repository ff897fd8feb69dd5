//! A bot's process: its start, input, output, measurement and end.

pub mod bot;
pub mod fate;
pub mod hold;
pub mod keeper;
pub mod lag;
