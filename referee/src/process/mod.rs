//! A bot's process: how it is started, spoken to, heard, measured and buried.

pub mod bot;
pub mod fate;
pub mod keeper;
pub mod lag;
