//! Reports on a run's record: as Markdown, and as one page of HTML that needs no other file.
//!
//! A report reads the record and nothing else, row by row; what it keeps does not grow with the number of games, but
//! for a few bytes a game to find those that are alike. Both forms show the same sections with the same numbers; the
//! page adds pictures and the games themselves, to be stepped through.
//!
//! ```no_run
//! use bao_referee::record::Files;
//! use bao_referee::report::{Replays, Report};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let report = Report::read(&Files::new("out"), Replays::Fitting)?;
//! report.write_markdown(&mut std::io::stdout())?;
//! report.write_html(&mut std::fs::File::create("report.html")?)?;
//! # Ok(())
//! # }
//! ```

mod about;
mod contents;
mod evidence;
mod html;
mod markdown;
mod meetings;
mod order;
mod pace;
mod page;
mod replay;
mod results;
mod said;
mod sample;
mod sections;
mod words;

pub use contents::Report;
pub use replay::{BadReplays, PAGE_BYTES, Replays};

use std::io::{self, Write};

use crate::annotate::Annotator;

impl Report {
    /// Writes the report as Markdown.
    ///
    /// # Errors
    /// Whatever `out` says.
    pub fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        markdown::write(out, &self.title(), &sections::all(self))
    }

    /// Writes the report as one page of HTML, with the games to be stepped through.
    ///
    /// # Errors
    /// Whatever `out` says, and where `games.jsonl` cannot be read a second time.
    pub fn write_html(&self, out: &mut impl Write) -> io::Result<()> {
        html::write(out, self, &sections::all(self), None)
    }

    /// Writes the same page, with what each move of a solved game gave away against perfect play.
    ///
    /// # Errors
    /// As [`Report::write_html`].
    pub fn write_annotated_html(&self, out: &mut impl Write) -> io::Result<()> {
        html::write(out, self, &sections::all(self), Some(&mut Annotator::new()))
    }
}
