//! The referee in real processes: what it does with bots of every kind, and with whoever runs it.

mod case;
mod ends;
mod silence;
