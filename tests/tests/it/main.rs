//! The referee in real processes: what it does with bots of every kind, and with whoever runs it.

mod answers;
mod case;
mod check;
mod clocks;
mod command_line;
mod doctor;
mod documents;
mod ends;
mod events;
mod garbage;
mod guide;
mod illegal;
mod introductions;
mod isolation;
mod lock;
mod output;
mod play;
mod processes;
mod recovery;
mod rules;
mod samples;
mod silence;
mod sloppy;
