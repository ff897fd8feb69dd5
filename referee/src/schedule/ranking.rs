//! The ranking by points.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use bao_protocol::record::Tiebreak;
use serde::Serialize;

use super::pair::PairEnd;
use bao_stats::Outcome;

/// One bot's place in the ranking of a format.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Place {
    /// The bot's place in the plan.
    pub bot: usize,
    /// Its rank, from 1; bots that are equal in everything share it.
    pub rank: u64,
    /// Its points in complete pairs (a win 1, a draw a half) and for byes.
    pub points: f64,
    /// The games behind its points that were played: lost, drawn and won.
    pub results: [u64; 3],
    /// More games that were not played because the opponent's program could not be started; each is a point.
    pub walkovers: u64,
    /// Its complete pairs.
    pub pairs: u64,
    /// How many rounds it was free; it scored a full pair for each pair that it would have played (Swiss).
    pub byes: u64,
    /// The sum of its opponents' points, once per pair; a bye counts as a pair against itself (Swiss).
    pub buchholz: Option<f64>,
    /// The sum of each opponent's points times its score against this opponent; a bye counts as a pair against
    /// itself.
    pub sonneborn_berger: Option<f64>,
    /// The round in which it was knocked out, or the number after the final's for the winner (knockout).
    pub reached: Option<u64>,
    /// Whether it was withdrawn.
    pub withdrawn: bool,
}

/// The half points between every two bots that met in complete pairs.
///
/// Memory grows with the number of such meetings, not with the number of games.
#[derive(Debug, Clone, Default)]
pub(crate) struct Points {
    /// What the first bot scored against the second, and their pairs; each meeting is here for both bots.
    meetings: BTreeMap<(usize, usize), Meeting>,
}

/// What a bot scored against another bot, or against several together.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Meeting {
    pub(crate) half_points: u64,
    /// Games that were played, lost, drawn and won.
    pub(crate) results: [u64; 3],
    /// Games won without playing.
    pub(crate) walkovers: u64,
    pub(crate) pairs: u64,
}

impl Points {
    /// Counts a complete pair.
    pub(crate) fn add(&mut self, [a, b]: [usize; 2], end: &PairEnd) {
        for (key, mirrored) in [((a, b), false), ((b, a), true)] {
            let meeting = self.meetings.entry(key).or_default();
            meeting.pairs += 1;
            for game in end.iter().flatten() {
                let outcome = if mirrored { game.outcome.mirrored() } else { game.outcome };
                meeting.half_points += outcome.half_points() as u64;
                if !game.walkover {
                    meeting.results[outcome.half_points()] += 1;
                } else if outcome == Outcome::Win {
                    meeting.walkovers += 1;
                }
            }
        }
    }

    /// Takes a pair back that was counted.
    pub(crate) fn take_back(&mut self, [a, b]: [usize; 2], end: &PairEnd) {
        let mut counted = Self::default();
        counted.add([a, b], end);
        for (key, less) in counted.meetings {
            let meeting = self.meetings.entry(key).or_default();
            meeting.pairs -= less.pairs;
            meeting.half_points -= less.half_points;
            meeting.walkovers -= less.walkovers;
            meeting.results = [0, 1, 2].map(|place| meeting.results[place] - less.results[place]);
        }
    }

    /// Returns what a bot scored against all that are `met`.
    pub(crate) fn of(&self, bot: usize, met: impl Fn(usize) -> bool) -> Meeting {
        let meetings = self.meetings_of(bot).filter(|(other, _)| met(*other));
        meetings.fold(Meeting::default(), |sum, (_, meeting)| Meeting {
            half_points: sum.half_points + meeting.half_points,
            results: [0, 1, 2].map(|place| sum.results[place] + meeting.results[place]),
            walkovers: sum.walkovers + meeting.walkovers,
            pairs: sum.pairs + meeting.pairs,
        })
    }

    fn meetings_of(&self, bot: usize) -> impl Iterator<Item = (usize, Meeting)> + '_ {
        self.meetings.range((bot, 0)..=(bot, usize::MAX)).map(|((_, other), meeting)| (*other, *meeting))
    }
}

/// What a ranking takes into account in addition to points from games.
#[derive(Debug, Default)]
pub(crate) struct Terms<'a> {
    /// Bots that were withdrawn.
    pub(crate) withdrawn: &'a [usize],
    /// Whether the scores of others against these bots are left out.
    pub(crate) annulled: bool,
    /// The byes of each bot, and the half points of one.
    pub(crate) byes: Option<(&'a [u64], u64)>,
    /// How many pairs a bye counts as.
    pub(crate) pairs_per_bye: u64,
    /// What decides between equal points; empty: the usual order.
    pub(crate) tiebreaks: &'a [Tiebreak],
}

/// Ranks bots by points, then by the tie-breaks; usually Buchholz (only in a Swiss), then Sonneborn-Berger.
pub(crate) fn rank(bots: usize, points: &Points, terms: &Terms<'_>) -> Vec<Place> {
    let withdrawn = |bot: usize| terms.withdrawn.contains(&bot);
    let stays = |bot: usize| !(terms.annulled && withdrawn(bot));
    let byes = |bot: usize| terms.byes.map_or(0, |(byes, _)| byes[bot]);
    let bye_points = |bot: usize| terms.byes.map_or(0, |(byes, half_points)| byes[bot] * half_points);
    let scored = |bot: usize| points.of(bot, |other| stays(bot) && stays(other));
    let scores: Vec<Meeting> = (0..bots).map(scored).collect();
    let total = |bot: usize| (scores[bot].half_points + bye_points(bot)) as f64 / 2.0;
    let totals: Vec<f64> = (0..bots).map(total).collect();
    let places: Vec<Place> = (0..bots)
        .map(|bot| {
            let mut buchholz = totals[bot] * (byes(bot) * terms.pairs_per_bye) as f64;
            let mut sonneborn_berger = totals[bot] * bye_points(bot) as f64 / 2.0;
            for (other, meeting) in points.meetings_of(bot).filter(|(other, _)| stays(bot) && stays(*other)) {
                buchholz += totals[other] * meeting.pairs as f64;
                sonneborn_berger += totals[other] * meeting.half_points as f64 / 2.0;
            }
            Place {
                bot,
                rank: 0,
                points: totals[bot],
                results: scores[bot].results,
                walkovers: scores[bot].walkovers,
                pairs: scores[bot].pairs,
                byes: byes(bot),
                buchholz: (terms.byes.is_some() || terms.tiebreaks.contains(&Tiebreak::Buchholz))
                    .then_some(buchholz),
                sonneborn_berger: Some(sonneborn_berger),
                reached: None,
                withdrawn: withdrawn(bot),
            }
        })
        .collect();
    let mut groups = vec![places];
    split(&mut groups, |place| Some([f64::from(u8::from(!place.withdrawn)), place.points]));
    let usual = [Tiebreak::Buchholz, Tiebreak::SonnebornBerger];
    let tiebreaks = match terms.tiebreaks {
        [] if terms.byes.is_some() => &usual,
        [] => &usual[1..],
        chosen => chosen,
    };
    for tiebreak in tiebreaks {
        match tiebreak {
            Tiebreak::DirectEncounter => {
                let among: Vec<Option<Vec<f64>>> =
                    groups.iter().map(|group| direct_encounter(group, points)).collect();
                let scores: BTreeMap<usize, f64> = groups
                    .iter()
                    .zip(&among)
                    .filter_map(|(group, scores)| {
                        Some(group.iter().map(|place| place.bot).zip(scores.clone()?))
                    })
                    .flatten()
                    .collect();
                split(&mut groups, |place| scores.get(&place.bot).map(|score| [*score, 0.0]));
            }
            Tiebreak::Wins => {
                split(&mut groups, |place| Some([(place.results[2] + place.walkovers) as f64, 0.0]));
            }
            Tiebreak::Buchholz => split(&mut groups, |place| place.buchholz.map(|sum| [sum, 0.0])),
            Tiebreak::SonnebornBerger => {
                split(&mut groups, |place| place.sonneborn_berger.map(|sum| [sum, 0.0]));
            }
        }
    }
    let mut rank = 1;
    for group in &mut groups {
        for place in group.iter_mut() {
            place.rank = rank;
        }
        rank += group.len() as u64;
    }
    groups.into_iter().flatten().collect()
}

/// Splits groups of equal places by a value, the greatest first; a group in which a place has none stays whole.
fn split(groups: &mut Vec<Vec<Place>>, value: impl Fn(&Place) -> Option<[f64; 2]>) {
    let mut after = Vec::new();
    for mut group in std::mem::take(groups) {
        if group.iter().any(|place| value(place).is_none()) {
            after.push(group);
            continue;
        }
        let of = |place: &Place| value(place).unwrap_or_default();
        let compare = |a: &Place, b: &Place| {
            let ([a, then_a], [b, then_b]) = (of(a), of(b));
            b.total_cmp(&a).then(then_b.total_cmp(&then_a))
        };
        group.sort_by(|a, b| compare(a, b).then(a.bot.cmp(&b.bot)));
        after.extend(group.chunk_by(|a, b| compare(a, b).is_eq()).map(<[Place]>::to_vec));
    }
    *groups = after;
}

/// Returns what each bot of a group scored against the others of it, in half points; `None` if not every two of them met,
/// or not equally often.
fn direct_encounter(group: &[Place], points: &Points) -> Option<Vec<f64>> {
    let met = |a: &Place, b: &Place| points.of(a.bot, |other| other == b.bot);
    let others = |bot: usize| group.iter().filter(move |place| place.bot != bot);
    let usual = met(group.first()?, group.get(1)?).pairs;
    let all_met = group.iter().all(|a| others(a.bot).all(|b| met(a, b).pairs == usual));
    let score = |a: &Place| others(a.bot).map(|b| met(a, b).half_points).sum::<u64>() as f64;
    (usual > 0 && all_met).then(|| group.iter().map(score).collect())
}
/// Sorts places and numbers them; equal places share a rank and keep the order of the plan.
pub(crate) fn order(places: &mut [Place], compare: impl Fn(&Place, &Place) -> Ordering) {
    places.sort_by(|a, b| compare(a, b).then(a.bot.cmp(&b.bot)));
    for index in 0..places.len() {
        let tied = index > 0 && compare(&places[index - 1], &places[index]) == Ordering::Equal;
        places[index].rank = if tied { places[index - 1].rank } else { index as u64 + 1 };
    }
}
