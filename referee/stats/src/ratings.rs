//! Ratings of many bots with intervals, and how likely each is better than each other.

use std::cmp::Ordering;

use serde::Serialize;

use super::bradley_terry::Duel;
use super::counts::Counts;
use super::elo::ELO_PER_STRENGTH;
use super::field::Field;
use super::posterior::Posterior;
use super::summary::{Summary, summary};
use super::table::Table;

/// The share of draws below a two-sided interval, and above it.
const TWO_SIDED: f64 = 0.025;

/// The share of draws beyond the only end of an interval.
const ONE_SIDED: f64 = 0.05;

/// How ratings are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingOptions {
    /// What the ratings are measured from.
    pub anchor: Anchor,
    /// How much the imaginary drawn games weigh that keep ratings finite: 1 is right, and the least that is taken is 0.001.
    pub prior: f64,
    /// How many times strengths are drawn for intervals and likelihoods; 0 leaves them out.
    pub replicates: u32,
    /// The seed of those draws: the same seed and results give the same intervals.
    pub seed: u64,
}

impl Default for RatingOptions {
    fn default() -> Self {
        Self { anchor: Anchor::Mean, prior: 1.0, replicates: 1000, seed: 0 }
    }
}

/// Names the zero of the rating scale, since games tell only differences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    /// The mean of all bots that played is 0.
    Mean,
    /// This bot has this Elo, and so no interval of its own.
    Bot {
        /// The bot's number.
        bot: usize,
        /// Its Elo.
        elo: f64,
    },
}

/// Holds what [`ratings`] found, bots in the order of their numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Ratings {
    /// One rating a bot.
    pub bots: Vec<Rating>,
    /// Row a, column b: the likelihood that a is better than b; `None` on the diagonal, without replicates, and
    /// for a bot that has not played.
    pub superiority: Vec<Vec<Option<f64>>>,
}

/// Holds one bot's rating. All values but the counts are `None` for a bot that has not played.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Rating {
    /// The bot's number.
    pub bot: usize,
    /// Complete pairs played.
    pub pairs: u64,
    /// Games in them.
    pub games: u64,
    /// Mean score a game, from 0 to 1.
    pub score: Option<f64>,
    /// The rating.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval; `None` also without replicates.
    pub elo_low: Option<f64>,
    /// The upper end of its 95 % interval; `None` also without replicates.
    pub elo_high: Option<f64>,
}

impl Rating {
    /// Counts a bot's results, without an Elo.
    fn of(bot: usize, counts: &Counts) -> Self {
        let (pairs, games, score) = (counts.units(), counts.games(), counts.mean());
        Self { bot, pairs, games, score, elo: None, elo_low: None, elo_high: None }
    }
}

/// Rates all bots of a table on one Elo scale.
///
/// - Ratings: Bradley-Terry, most likely after one imaginary drawn game a bot, spread over its opponents by how much a
///   game against each says of it.
/// - Intervals: 2.5 % and 97.5 % quantiles of draws from the distribution of the strengths given the results. A bot that
///   lost no point has no upper end and one that scored none no lower end; the other end is then the 5 % or 95 % quantile.
/// - Superiority: the share of draws in which a is above b.
///
/// Where only two bots met, all of this is what [`summary`](fn@crate::summary) says of them, half of it above the mean and
/// half below.
///
/// The cost does not depend on the number of games. A draw takes a few passes over the pairings that met and over the
/// squared number of bots.
pub fn ratings(table: &Table, options: &RatingOptions) -> Ratings {
    let field = Field::of(table, options.prior.max(0.001));
    let mut played = vec![false; table.bots()];
    for duel in &field.duels {
        (played[duel.a], played[duel.b]) = (true, true);
    }
    let scale = Scale { anchor: options.anchor, field: &field, played: &played };
    if let &[Duel { a, b, .. }] = field.duels.as_slice()
        && scale.lies_within([a, b])
        && (options.prior - 1.0).abs() < f64::EPSILON
    {
        return scale.two(table, [a, b], options.replicates > 0);
    }
    let elos = scale.elos(&field.strengths);
    let mut spread = Spread::new(table.bots(), options.replicates);
    if options.replicates > 0 {
        let mut posterior = Posterior::new(&field, options.seed);
        for _ in 0..options.replicates {
            spread.add(&scale.elos(&posterior.draw()));
        }
    }
    let rate = |bot: usize| {
        let counts = table.against_all(bot);
        let (elo_low, elo_high) = spread.interval(bot, scale.ends(table, bot));
        Rating { elo: played[bot].then_some(elos[bot]), elo_low, elo_high, ..Rating::of(bot, &counts) }
    };
    let superiority =
        |a: usize, b: usize| (a != b && field.groups[a] == field.groups[b]).then(|| spread.above(a, b))?;
    Ratings {
        bots: (0..table.bots()).map(rate).collect(),
        superiority: (0..table.bots())
            .map(|a| (0..table.bots()).map(|b| superiority(a, b)).collect())
            .collect(),
    }
}

/// Where zero is.
struct Scale<'a> {
    anchor: Anchor,
    field: &'a Field,
    played: &'a [bool],
}

impl Scale<'_> {
    fn elos(&self, strengths: &[f64]) -> Vec<f64> {
        let elos = strengths.iter().map(|strength| strength * ELO_PER_STRENGTH);
        let shift = match self.anchor {
            Anchor::Bot { bot, elo } => elo - strengths[bot] * ELO_PER_STRENGTH,
            Anchor::Mean => {
                let rated = elos.clone().zip(self.played).filter(|(_, played)| **played);
                let (sum, count) = rated.fold((0.0, 0.0), |(sum, count), (elo, _)| (sum + elo, count + 1.0));
                if count > 0.0 { -sum / count } else { 0.0 }
            }
        };
        // Zero is added because it has no sign then.
        elos.map(|elo| elo + shift + 0.0).collect()
    }

    /// Returns the quantiles at which a bot's interval ends; `None` where results set no limit.
    fn ends(&self, table: &Table, bot: usize) -> (Option<f64>, Option<f64>) {
        if !self.reaches(bot) {
            return (None, None);
        }
        let mean = |bot: usize| table.against_all(bot).mean().unwrap_or(0.5);
        let (own, zero) = match self.anchor {
            Anchor::Bot { bot: anchor, .. } if anchor == bot => (0.5, 0.5),
            Anchor::Bot { bot: anchor, .. } => (mean(bot), mean(anchor)),
            Anchor::Mean => (mean(bot), 0.5),
        };
        let (no_low, no_high) = (own <= 0.0 || zero >= 1.0, own >= 1.0 || zero <= 0.0);
        let share = if no_low || no_high { ONE_SIDED } else { TWO_SIDED };
        ((!no_low).then_some(share), (!no_high).then_some(1.0 - share))
    }

    /// Returns whether these two are all that the zero depends on.
    fn lies_within(&self, bots: [usize; 2]) -> bool {
        match self.anchor {
            Anchor::Mean => true,
            Anchor::Bot { bot, .. } => bots.contains(&bot),
        }
    }

    /// Rates the only two bots that met.
    fn two(&self, table: &Table, [a, b]: [usize; 2], intervals: bool) -> Ratings {
        let likely = self.elos(&self.field.strengths);
        let Summary { elo, elo_low, elo_high, los, .. } = summary(&table.contest(a, b), None);
        let lead = elo.unwrap_or(likely[a] - likely[b]);
        let share = |bot: usize| match self.anchor {
            Anchor::Bot { bot: anchor, .. } if anchor == bot => 0.0,
            Anchor::Bot { .. } => 1.0,
            Anchor::Mean => 0.5,
        };
        let zero = if let Anchor::Bot { elo, .. } = self.anchor { elo } else { 0.0 };
        let reached = self.reaches(a) && intervals;
        let mut bots: Vec<Rating> =
            (0..table.bots()).map(|bot| Rating::of(bot, &table.against_all(bot))).collect();
        let negated = |end: Option<f64>| end.map(|end| -end);
        let views = [(a, lead, elo_low, elo_high), (b, -lead, negated(elo_high), negated(elo_low))];
        for (bot, lead, low, high) in views {
            let at = |lead: f64| zero + lead * share(bot) + 0.0;
            // An anchor is where it is, however open the other's end.
            let end = |end: Option<f64>| if share(bot) <= 0.0 { Some(at(0.0)) } else { end.map(at) };
            bots[bot].elo = Some(at(lead));
            if reached {
                (bots[bot].elo_low, bots[bot].elo_high) = (end(low), end(high));
            }
        }
        let mut superiority = vec![vec![None; table.bots()]; table.bots()];
        let los = los.filter(|_| intervals);
        (superiority[a][b], superiority[b][a]) = (los, los.map(|los| 1.0 - los));
        Ratings { bots, superiority }
    }

    /// Returns whether games join a bot to the zero of the scale.
    fn reaches(&self, bot: usize) -> bool {
        let groups = &self.field.groups;
        let joins = |other: usize| groups[other] == groups[bot];
        self.played[bot]
            && match self.anchor {
                Anchor::Bot { bot: anchor, .. } => joins(anchor),
                Anchor::Mean => (0..groups.len()).all(|other| !self.played[other] || joins(other)),
            }
    }
}

/// The ratings of all replicates.
struct Spread {
    /// One list a bot.
    elos: Vec<Vec<f64>>,
}

impl Spread {
    fn new(bots: usize, replicates: u32) -> Self {
        Self { elos: vec![Vec::with_capacity(replicates as usize); bots] }
    }

    fn add(&mut self, elos: &[f64]) {
        for (list, &elo) in self.elos.iter_mut().zip(elos) {
            list.push(elo);
        }
    }

    fn interval(&self, bot: usize, (low, high): (Option<f64>, Option<f64>)) -> (Option<f64>, Option<f64>) {
        let mut sorted = self.elos[bot].clone();
        sorted.sort_by(f64::total_cmp);
        let end = |share: Option<f64>| quantile(&sorted, share?);
        (end(low), end(high))
    }

    fn above(&self, a: usize, b: usize) -> Option<f64> {
        let (a, b) = (&self.elos[a], &self.elos[b]);
        let wins: f64 = a
            .iter()
            .zip(b)
            .map(|(a, b)| match a.total_cmp(b) {
                Ordering::Greater => 1.0,
                Ordering::Equal => 0.5,
                Ordering::Less => 0.0,
            })
            .sum();
        (!a.is_empty()).then(|| wins / a.len() as f64)
    }
}

/// Returns the quantile of a sorted list, linear between neighbours, or `None` if the list is empty.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(below + (above - below) * place.fract())
}
