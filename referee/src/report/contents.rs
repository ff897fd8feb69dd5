//! What a report says: all that is read of a record, before it is written in one form or another.

use bao_protocol::record::{GameRow, Run};

use super::about::About;
use super::evidence::Evidence;
use super::meetings::Meetings;
use super::order::{self, Official, Ranking, Standing};
use super::pace::Pace;
use super::page::Exhibit;
use super::replay::{Chosen, Replays, Whereabouts};
use super::results::{Fault, Results};
use super::words::{self, clean};
use crate::arbiter::Rulings;
use crate::record::place::{Ends, Places, stderr};
use crate::record::public::Audience;
use crate::record::read::{self, BadLine, ReadError, Rows};
use crate::record::{self, Files};
use crate::results::standings::replicates;
use crate::text::lang::Lang;
use crate::text::loss::{advice_after, stderr_lines};
use bao_stats::{RatingOptions, Ratings, ratings};

/// A report, ready to be written.
#[derive(Debug)]
pub struct Report {
    /// In which language its page speaks.
    pub(super) lang: Lang,
    pub(super) files: Files,
    /// For whom it is.
    pub(super) audience: Audience,
    pub(super) run: Run,
    pub(super) about: About,
    pub(super) results: Results,
    pub(super) ratings: Ratings,
    /// How many times strengths were drawn.
    pub(super) replicates: u32,
    pub(super) ranking: Ranking,
    /// What the arbiter decided, if the plan can be read.
    pub(super) rulings: Option<Rulings>,
    /// The bots in their order.
    pub(super) standings: Vec<Standing>,
    /// What the bots scored against each other in rounds, where there are rounds.
    pub(super) meetings: Meetings,
    pub(super) pace: Pace,
    pub(super) exhibits: Vec<Exhibit>,
    pub(super) chosen: Chosen,
}

impl Report {
    /// Reads a run's record, for the organiser.
    ///
    /// # Errors
    /// As [`read_for`](Self::read_for).
    pub fn read(files: &Files, replays: Replays) -> Result<Self, ReadError> {
        Self::read_for(files, replays, Audience::Organiser)
    }

    /// Reads a run's record, as far as it is for this audience.
    ///
    /// # Errors
    /// [`ReadError`] where the record is missing, cannot be read or does not fit together.
    pub fn read_for(files: &Files, replays: Replays, audience: Audience) -> Result<Self, ReadError> {
        let mut run = read::run(files)?;
        audience.run(&mut run);
        let mut results = Results::new(run.bots.iter().map(|bot| bot.name.clone()).collect());
        let mut candidates = replays.candidates();
        let rulings = Rulings::read(files, &run).ok();
        let mut official = rulings.clone().and_then(|rulings| Official::of(rulings, &run));
        let mut meetings = Meetings::default();
        if files.games().exists() {
            let (mut rows, mut places) = (Rows::open(&files.games())?, Places::default());
            loop {
                let offset = rows.end();
                let Some(mut row) = rows.next_row::<GameRow>()? else { break };
                audience.row(&mut row);
                let place = places.take(Ends::from(&row));
                let ruling = rulings.as_ref().and_then(|rulings| rulings.ruling(rows.number()));
                if let Some(official) = &mut official {
                    official.add(&row);
                }
                let bots =
                    results.add(&row, ruling, &place).map_err(|misfit| rows.bad(BadLine::misfit(misfit)))?;
                if let Some(ruling) = ruling {
                    ruling.apply(&mut row);
                }
                meetings.add(&row, bots);
                let whereabouts = Whereabouts { offset, moves_start: place.moves.start, ruling };
                candidates.add(&row, whereabouts);
            }
        }
        let about = About::of(&run);
        results.settle();
        let ranking = official.map(Official::conclude).unwrap_or_default();
        let pace = Pace::read(files, run.bots.len(), &results.timed)?;
        let replicates = replicates(run.bots.len());
        let options = RatingOptions { replicates, seed: run.seed, ..Default::default() };
        let ratings = ratings(&results.table.without(&ranking.withdrawn()), &options);
        let exhibits = results.faults.iter().map(|fault| exhibit(files, audience, &results, fault)).collect();
        Ok(Self {
            lang: Lang::default(),
            standings: order::standings(&results, &ratings, &ranking, about.by_points),
            ranking,
            rulings,
            chosen: candidates.choose(),
            files: files.clone(),
            audience,
            run,
            about,
            results,
            ratings,
            replicates,
            meetings,
            pace,
            exhibits,
        })
    }

    /// Makes the page of the report speak this language: its headings, its games and what explains them. The statistics stay
    /// English, and so does the Markdown.
    #[must_use]
    pub fn in_language(self, lang: Lang) -> Self {
        Self { lang, ..self }
    }

    /// Returns the heading of the report.
    pub(super) fn title(&self) -> String {
        let title = match (&self.about.event, self.results.bots.as_slice()) {
            (Some(event), _) => event.clone(),
            (None, [first, second]) => format!("{first} against {second}"),
            (None, bots) => format!("A competition of {}", words::plural(bots.len() as u64, "bot", "bots")),
        };
        clean(&title, 200)
    }
}

/// Reads what shows a fault; what is wrong with it, `referee verify` says.
fn evidence(files: &Files, fault: &Fault) -> Evidence {
    let lines = record::evidence::Evidence::of_counted(files, fault.game, fault.packed).lines();
    let apart = fault.packed.map(|_| std::mem::take(&mut stderr(files, &fault.stderr)[fault.side]));
    Evidence::read(lines.ok().flatten(), apart.as_deref(), fault.side)
}

fn exhibit(files: &Files, audience: Audience, results: &Results, fault: &Fault) -> Exhibit {
    let Evidence { line, stderr } = match audience {
        Audience::Organiser => evidence(files, fault),
        Audience::Public => Evidence::default(),
    };
    let (bot, side) = (&results.bots[fault.bot], fault.side.word());
    let after = words::plural(fault.plies, "move", "moves");
    Exhibit {
        game: fault.game,
        title: format!("{bot}: {}, game {}, as {side} after {after}", fault.reason.name(), fault.game),
        advice: advice_after(fault.reason, &stderr),
        detail: fault.detail.as_deref().map(|detail| clean(detail, 600)),
        line,
        stderr: stderr_lines(&stderr),
    }
}
