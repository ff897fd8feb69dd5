//! What holds in every position.

use std::collections::HashSet;

use bao_rules::{History, Lap, Pit, Position, Rules, Side, Trace, Variant, kigogo, kingulu, perft};
use proptest::prelude::*;

use crate::plain::{Outcome, Plain};
use crate::positions::{any_position, game, total};

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_text_of_a_position_reads_as_the_same_position(position in any_position()) {
        let text = position.to_string();
        prop_assert_eq!(Position::parse(position.variant(), &text), Ok(position));
    }

    #[test]
    fn a_position_with_the_other_side_to_move_has_the_same_pits(position in any_position()) {
        for side in Side::BOTH {
            let turned = position.with_side(side);
            let mut words: Vec<String> = position.to_string().split(' ').map(str::to_owned).collect();
            words[1] = side.to_string();
            prop_assert_eq!(turned.to_string(), words.join(" "));
            prop_assert_eq!(turned.with_side(position.side()), position);
        }
    }

    #[test]
    fn no_text_makes_parsing_panic(text in ".*") {
        for variant in Variant::ALL {
            let _ = Position::parse(variant, &text);
            let _ = Pit::parse(variant, &text);
        }
    }

    #[test]
    fn a_text_with_a_changed_character_is_refused_or_reads_as_itself(
        position in any_position(), place in any::<prop::sample::Index>(), new in "[0-9a-zA-Z*,/ +\u{e9}-]?"
    ) {
        let text = position.to_string();
        let place = place.index(text.len());
        let changed = format!("{}{new}{}", &text[..place], &text[place + 1..]);
        if let Ok(position) = Position::parse(position.variant(), &changed) {
            prop_assert_eq!(position.to_string(), changed);
        }
    }

    #[test]
    fn a_move_is_generated_exactly_if_it_checks(position in any_position()) {
        let moves = position.legal_moves();
        let checked: Vec<Pit> =
            Pit::all(position.variant()).filter(|pit| position.check(*pit).is_ok()).collect();
        prop_assert_eq!(moves.as_slice(), &checked);
        prop_assert_eq!(moves.is_empty(), position.over().is_some());
        prop_assert_eq!(perft(&position, 1), moves.len() as u64);
        for pit in Variant::ALL.into_iter().flat_map(Pit::all) {
            prop_assert_eq!(moves.contains(pit), position.check(pit).is_ok());
            prop_assert_eq!(position.check(pit).err(), position.play(pit).err());
            prop_assert_eq!(position.check(pit).err(), position.trace(pit).err());
        }
    }

    #[test]
    fn no_move_changes_the_number_of_seeds(position in any_position()) {
        for pit in &position.legal_moves() {
            let play = position.play(pit).expect("a legal move");
            if let Some(after) = play.after {
                prop_assert_eq!(total(&after), total(&position));
                prop_assert_eq!(after.side(), position.side().other());
                let mover = position.side();
                prop_assert_eq!(after.captured(mover) - position.captured(mover), play.captured);
                prop_assert_eq!(after.over(), play.over);
            }
        }
        let info = position.variant().info();
        if info.closed && info.counted {
            prop_assert_eq!(position.score(Side::South) + position.score(Side::North), info.seeds);
        }
    }

    #[test]
    fn every_pit_plays_as_in_the_plain_implementation(position in any_position()) {
        for pit in Pit::all(position.variant()) {
            let ours = match position.play(pit) {
                Err(illegal) => Outcome::Illegal(illegal.code()),
                Ok(play) => match (play.laps, play.after) {
                    (Some(laps), Some(after)) => {
                        let last = play.last.map(|last| last.to_string());
                        Outcome::Played { laps, last, after: after.to_string() }
                    }
                    (laps, after) => {
                        prop_assert!(laps.is_none() && play.last.is_none() && after.is_none());
                        Outcome::Endless
                    }
                },
            };
            let plain = Plain::read(position.variant().name(), &position.to_string()).play(pit.name());
            prop_assert_eq!(ours, plain, "{} in {}", pit, position);
        }
    }

    #[test]
    fn a_trace_agrees_with_the_play(position in any_position()) {
        for pit in &position.legal_moves() {
            let (play, trace) = (position.play(pit), position.trace(pit));
            let (play, trace) = (play.expect("a legal move"), trace.expect("a legal move"));
            prop_assert_eq!((trace.total, trace.over), (play.laps, play.over));
            let laps: Vec<Lap> = trace.laps().collect();
            let listed = play.laps.unwrap_or(u64::MAX).min(Trace::MOST_LAPS as u64);
            prop_assert!(laps.len() as u64 == listed || play.laps.is_none());
            prop_assert_eq!(laps[0].from, pit);
            for pair in laps.windows(2) {
                prop_assert_eq!(pair[0].last, Some(pair[1].from));
            }
            if play.laps == Some(laps.len() as u64) {
                prop_assert_eq!(laps.last().and_then(|lap| lap.last), play.last);
            }
            let taken: u32 = trace.taken().map(|(_, seeds)| u32::from(seeds)).sum();
            prop_assert_eq!(taken + trace.banked(position.side()), play.captured);
            if let (Some(after), Some(reservation)) = (play.after, trace.reserved()) {
                prop_assert_eq!(after.reserved(reservation.pit), Some(position.side()));
                let seeds = if reservation.added_from.is_some() { 5 } else { 4 };
                prop_assert_eq!(after.seeds(reservation.pit), seeds);
            }
            prop_assert!(!trace.to_string().is_empty());
        }
    }

    #[test]
    fn a_move_that_is_sown_piece_by_piece_comes_to_the_same(position in any_position(), laps in 1u64..5) {
        for pit in Pit::of(position.variant(), position.side()) {
            let whole = position.play(pit);
            match position.begin(pit) {
                Ok(mut sowing) => {
                    let come = std::iter::from_fn(|| Some(sowing.go_on(laps))).flatten().next();
                    prop_assert_eq!(come, whole.ok());
                }
                Err(illegal) => prop_assert_eq!(Err(illegal), whole),
            }
        }
    }

    #[test]
    fn the_faster_ways_to_play_lead_to_the_same_positions(position in any_position()) {
        let plays: Vec<(Pit, Option<Position>)> = (&position.legal_moves()).into_iter()
            .map(|pit| (pit, position.play(pit).expect("a legal move").after))
            .collect();
        if let Position::Kigogo(position) = position {
            let children: Vec<_> = position.children().collect();
            let wrapped = children.iter().map(|(pit, after)| (*pit, after.map(Position::from)));
            prop_assert_eq!(wrapped.collect::<Vec<_>>(), plays.clone());
            for pit in Variant::ALL.into_iter().flat_map(Pit::all) {
                let child = children.iter().find(|(child, _)| *child == pit);
                prop_assert_eq!(position.after(pit), child.and_then(|(_, after)| *after));
            }
        }
        if let Position::Kingulu(position) = position {
            let children: Vec<_> = position.children().collect();
            let wrapped = children.iter().map(|(pit, after)| (*pit, Some(Position::from(*after))));
            prop_assert_eq!(wrapped.collect::<Vec<_>>(), plays);
            for pit in Variant::ALL.into_iter().flat_map(Pit::all) {
                let child = children.iter().find(|(child, _)| *child == pit);
                prop_assert_eq!(position.after(pit), child.map(|(_, after)| *after));
            }
        }
    }

    #[test]
    fn the_lap_follows_from_the_pits_after_it(
        (before, from) in prop_oneof![prop::collection::vec(0..9_usize, 12), prop::collection::vec(0..50_usize, 24)]
            .prop_flat_map(|pits| { let count = pits.len(); (Just(pits), 0..count) })
    ) {
        let (count, seeds, mut pits) = (before.len(), before[from], before);
        pits[from] = 0;
        for step in 1..=seeds {
            pits[(from + step) % count] += 1;
        }
        // What the crate's documentation says: the nearest pit with the fewest seeds, looking back from the last one.
        let last = (from + seeds) % count;
        let fewest = *pits.iter().min().expect("pits");
        let back = (0..count).find(|back| pits[(last + count - back) % count] == fewest).expect("a pit");
        prop_assert_eq!(((last + count - back) % count, fewest * count + back), (from, seeds));
    }

    #[test]
    fn a_history_agrees_with_a_set_of_texts(games in prop::collection::vec(game(), 1..4), back in 0..30_usize) {
        let mut history = History::new(&games[0][0]);
        for positions in games {
            history.restart(&positions[0]);
            let board = |position: &Position| {
                let text = position.to_string();
                text.split(' ').take(2).collect::<Vec<_>>().join(" ")
            };
            let mut seen = HashSet::from([board(&positions[0])]);
            for position in &positions[1..] {
                let known = history.contains(position);
                prop_assert_eq!(history.push(position), known);
                prop_assert_eq!(known, !seen.insert(board(position)));
                prop_assert!(history.contains(position));
            }
            // Going back to what was seen since the last capture is a repetition.
            let captured = |position: &Position| Side::BOTH.map(|side| position.captured(side));
            let latest = positions[positions.len() - 1];
            for position in positions.iter().rev().take(back) {
                if captured(position) == captured(&latest) {
                    prop_assert!(history.push(position));
                }
            }
        }
    }
}

#[test]
fn the_games_have_histories_of_their_own() {
    let start = kigogo::Position::START;
    let mut history = kigogo::History::new(&start);
    let after = start.after(start.legal_moves()[0]).expect("a legal move");
    assert!(!history.push(&after));
    assert!(history.push(&after));
    let start = kingulu::Position::START;
    let mut history = kingulu::History::new(&start);
    assert!(history.push(&start));
}
