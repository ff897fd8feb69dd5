//! What a bot may read and run, and what it may not although its files lead there.

use std::fmt;
use std::path::PathBuf;

/// Something that a bot may read and run in addition to the system's programs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Grant {
    /// A file, or a directory with everything in it.
    pub path: PathBuf,
    /// Why it is granted.
    pub why: Why,
}

/// Why something is granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// The organiser's command names it, or a file in it.
    Named,
    /// It belongs to the installation of a program.
    Installation,
    /// A link that the organiser's command names leads to it, out of its own directory.
    Link,
    /// The organiser's settings name it.
    Setting,
}

/// Something that is not granted although a `#!` line or a link leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// The file that leads there.
    pub from: PathBuf,
    /// Where it leads.
    pub to: PathBuf,
    /// Whether that belongs to another bot.
    pub foreign: bool,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} leads to {}, ", self.from.display(), self.to.display())?;
        if self.foreign {
            f.write_str("which belongs to another bot")
        } else {
            write!(
                f,
                "which is neither the system's nor the bot's own; if the bot may use it, name it in the command or add \
                 --sandbox read={}",
                self.to.display()
            )
        }
    }
}
