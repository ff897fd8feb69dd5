//! The questions about the rules: positions in which mistakes show.

use bao_rules::{Pit, Position, Side, Variant};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::games::{below, opening};

/// How many positions of each game come from games by chance.
const PLAYED: usize = 150;
/// How many are seeds strewn on the board by chance.
const STREWN: usize = 100;

/// A question about the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Question {
    /// The position.
    pub(super) position: Position,
    /// The legal move whose outcome is asked for; without it, the legal moves are.
    pub(super) pit: Option<Pit>,
}

/// Makes the questions about one game: everything about rare positions, then one move each about others.
pub(super) fn questions(variant: Variant, seed: u64) -> Vec<Question> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(u64::MAX - variant as u64);
    let mut questions = Vec::new();
    for position in rare(variant) {
        questions.push(Question { position, pit: None });
        questions.extend(position.legal_moves().iter().map(|pit| Question { position, pit: Some(pit) }));
    }
    let played = played(variant, &mut random);
    let strewn: Vec<Position> = (0..STREWN).map(|_| strewn(variant, &mut random)).collect();
    for position in played.into_iter().chain(strewn) {
        questions.push(Question { position, pit: None });
        let legal = position.legal_moves();
        if !legal.is_empty() {
            let pit = Some(legal.as_slice()[below(&mut random, legal.len())]);
            questions.push(Question { position, pit });
        }
    }
    questions
}

/// The positions in which something rare happens.
fn rare(variant: Variant) -> impl Iterator<Item = Position> {
    variant.info().rare.lines().map(move |text| Position::parse(variant, text).expect("the list is ours"))
}

/// Positions out of games by chance, at about every third ply.
fn played(variant: Variant, random: &mut ChaCha8Rng) -> Vec<Position> {
    let mut positions = Vec::new();
    while positions.len() < PLAYED {
        let mut position = opening(variant, random);
        for _ in 0..200 {
            if random.next_u64().is_multiple_of(3) {
                positions.push(position);
            }
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let play = position.play(legal.as_slice()[below(random, legal.len())]);
            match play.ok().and_then(|play| play.after) {
                Some(after) => position = after,
                None => break,
            }
        }
    }
    positions.truncate(PLAYED);
    positions
}

/// Strews some of the seeds on some of the pits; the others are captured. Some pits may be reserved, if the game has it.
fn strewn(variant: Variant, random: &mut ChaCha8Rng) -> Position {
    let pits: Vec<Pit> = Pit::all(variant).collect();
    let mut seeds = vec![0_u32; pits.len()];
    let mut reserved = vec![false; pits.len()];
    let mut left = variant.seeds() as usize;
    if let Some(holds) = &variant.info().reserved {
        for _ in 0..below(random, 4) {
            let at = below(random, pits.len());
            if !reserved[at] {
                let held = u32::from(*holds.start()) + below(random, holds.len()) as u32;
                (reserved[at], seeds[at]) = (true, held);
                left -= seeds[at] as usize;
            }
        }
    }
    // A few pits get more than their share, so that some are large.
    let open: Vec<usize> = (0..pits.len()).filter(|at| !reserved[*at]).collect();
    let wells: Vec<usize> =
        (0..=below(random, open.len())).map(|_| open[below(random, open.len())]).collect();
    let strewn = 1 + below(random, left);
    for _ in 0..strewn {
        seeds[wells[below(random, wells.len())]] += 1;
    }
    left -= strewn;
    let south = below(random, left + 1);
    let cell = |pit: &Pit| {
        let at = pit.owner() as usize * variant.pits_per_side() + pit.index();
        format!("{}{}", seeds[at], if reserved[at] { "*" } else { "" })
    };
    let rows: Vec<String> =
        variant.rows().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(",")).collect();
    let side = Side::BOTH[below(random, 2)];
    let text = format!("{} {side} {south} {}", rows.join("/"), left - south);
    Position::parse(variant, &text).expect("no more seeds than there are, on pits that exist")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use bao_rules::Illegal;

    use super::*;

    #[test]
    fn hundreds_of_questions_are_asked_about_each_game_and_the_same_again_with_the_same_seed() {
        for variant in Variant::ALL {
            let asked = questions(variant, 1);
            assert!(asked.len() > 400, "{} about {variant}", asked.len());
            assert_eq!(asked, questions(variant, 1));
            assert_ne!(asked, questions(variant, 2));
        }
    }

    #[test]
    fn the_questions_touch_every_rule() {
        type Names = &'static [&'static str];
        let cases: [(Variant, Names, Names); 2] = [
            (
                Variant::Kigogo,
                &["empty_pit", "single_seed", "single_seed_blocked"],
                &["captured_all", "endless_sowing"],
            ),
            (Variant::Kingulu, &["empty_pit", "endless", "first_lap_own_row", "reserved_pit"], &["no_moves"]),
        ];
        for (variant, rules, reasons) in cases {
            let (mut broken, mut most_laps, mut reservations, mut ends) =
                (BTreeSet::new(), 0, 0, BTreeSet::new());
            for Question { position, pit } in questions(variant, 1) {
                for pit in position.pits(position.side()) {
                    broken.extend(position.check(pit).err().map(Illegal::code));
                }
                if let Some(play) = pit.and_then(|pit| position.play(pit).ok()) {
                    most_laps = most_laps.max(play.laps.unwrap_or(0));
                    ends.extend(play.over.map(|over| over.reason.name()));
                }
                let trace = pit.and_then(|pit| position.trace(pit).ok());
                reservations += u64::from(trace.is_some_and(|trace| trace.reserved().is_some()));
            }
            assert_eq!(Vec::from_iter(broken), rules, "{variant}");
            assert_eq!(Vec::from_iter(ends), reasons, "{variant}");
            assert!(most_laps > 20, "{variant}: {most_laps} laps");
            assert_eq!(reservations > 10, variant.info().reserved.is_some());
        }
    }
}
