//! What a run's record tells: as Markdown, and as one page of HTML that needs nothing but itself.
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
mod evidence;
mod html;
mod markdown;
mod order;
mod pace;
mod page;
mod replay;
mod results;
mod sample;
mod sections;
mod words;

use std::io::{self, Write};

use bao_protocol::record::{GameRow, Run};

use self::about::About;
use self::evidence::Evidence;
use self::order::{Official, Ranking, Standing};
use self::pace::Pace;
use self::page::{Exhibit, Section};
use self::replay::Chosen;
pub use self::replay::{PAGE_BYTES, Replays};
use self::results::{Fault, Results};
use self::words::clean;
use crate::annotate::Annotator;
use crate::record::Files;
use crate::record::read::{self, ReadError, Rows};
use bao_stats::{Anchor, RatingOptions, Ratings, ratings};

/// How much work the drawing anew of pairs may be, in cubes of the number of bots.
const DRAWING: u64 = 200_000_000;

/// A report, ready to be written.
#[derive(Debug)]
pub struct Report {
    files: Files,
    run: Run,
    about: About,
    results: Results,
    ratings: Ratings,
    /// How many times the pairs were drawn anew.
    replicates: u32,
    ranking: Ranking,
    /// The bots in their order.
    standings: Vec<Standing>,
    pace: Pace,
    exhibits: Vec<Exhibit>,
    chosen: Chosen,
}

impl Report {
    /// Reads a run's record.
    ///
    /// # Errors
    /// [`ReadError`] where the record is missing, cannot be read or does not fit together.
    pub fn read(files: &Files, replays: Replays) -> Result<Self, ReadError> {
        let run = read::run(files)?;
        let mut results = Results::new(run.bots.iter().map(|bot| bot.name.clone()).collect());
        let mut candidates = replays.candidates();
        let mut official = Official::of(&run);
        if files.games().exists() {
            let mut rows = Rows::open(&files.games())?;
            loop {
                let offset = rows.end();
                let Some(line) = rows.next_line()? else { break };
                let row: Result<GameRow, _> = serde_json::from_str(line);
                let row = row.map_err(|error| rows.bad(error.to_string()))?;
                results.add(&row).map_err(|problem| rows.bad(problem))?;
                candidates.add(&row, offset);
                if let Some(official) = &mut official {
                    official.add(&row);
                }
            }
        }
        let about = About::of(&run);
        results.settle();
        let ranking = official.map(Official::conclude).unwrap_or_default();
        let pace = Pace::read(files, run.bots.len(), &results.timed)?;
        let bots = (run.bots.len() as u64).max(1);
        let replicates = (DRAWING / bots.pow(3)).clamp(100, 1000) as u32;
        let options = RatingOptions { anchor: Anchor::Mean, replicates, seed: run.seed };
        let ratings = ratings(&results.table.without(&ranking.withdrawn()), &options);
        let exhibits = results.faults.iter().map(|fault| exhibit(files, &results, fault)).collect();
        Ok(Self {
            standings: order::standings(&results, &ratings, &ranking, about.by_points),
            ranking,
            chosen: candidates.choose(),
            files: files.clone(),
            run,
            about,
            results,
            ratings,
            replicates,
            pace,
            exhibits,
        })
    }

    /// Writes the report as Markdown.
    ///
    /// # Errors
    /// Whatever `out` says.
    pub fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        markdown::write(out, &self.title(), &self.sections())
    }

    /// Writes the report as one page of HTML, with the games to be stepped through.
    ///
    /// # Errors
    /// Whatever `out` says, and where `games.jsonl` cannot be read a second time.
    pub fn write_html(&self, out: &mut impl Write) -> io::Result<()> {
        html::write(out, self, None)
    }

    /// Writes the same page, in which every move of a Bao Kingulu game tells what it gave away against perfect play.
    ///
    /// # Errors
    /// As [`Report::write_html`].
    pub fn write_annotated_html(&self, out: &mut impl Write) -> io::Result<()> {
        html::write(out, self, Some(&mut Annotator::new()))
    }

    fn sections(&self) -> Vec<Section> {
        sections::all(self)
    }

    fn title(&self) -> String {
        let title = match (&self.about.event, self.results.bots.as_slice()) {
            (Some(event), _) => event.clone(),
            (None, [first, second]) => format!("{first} against {second}"),
            (None, bots) => format!("A competition of {}", words::plural(bots.len() as u64, "bot", "bots")),
        };
        clean(&title, 200)
    }
}

fn exhibit(files: &Files, results: &Results, fault: &Fault) -> Exhibit {
    let Evidence { line, stderr, stderr_before } = Evidence::read(&files.wire(fault.game), fault.side);
    let (bot, side) = (&results.bots[fault.bot], fault.side.word());
    let after = words::plural(fault.plies, "move", "moves");
    Exhibit {
        game: fault.game,
        title: format!("{bot}: {}, game {}, as {side} after {after}", fault.reason.name(), fault.game),
        detail: fault.detail.as_deref().map(|detail| clean(detail, 600)),
        line,
        stderr: stderr.into(),
        stderr_before,
    }
}
