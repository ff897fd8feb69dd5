//! The referee in real processes: what it does with bots of every kind, and with whoever runs it.

mod answers;
mod case;
mod ends;
mod garbage;
mod illegal;
mod introductions;
mod output;
mod processes;
mod silence;
mod sloppy;
