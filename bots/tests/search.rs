//! The search: what it claims is true, and it keeps to what it is asked.

use bao_protocol::Seat;
use bao_protocol::to_bot::{Clock, Go};
use bao_rules::{Rules as _, kigogo, kingulu};
use bot::search::{Game, Judge, Limits, Pace, Report, Search, WIN, Weights};

const TABLE_BYTES: usize = 1 << 20;

fn kigogo(text: &str) -> kigogo::Position {
    text.parse().expect("a position")
}

fn judge() -> Judge {
    Weights::default().into()
}

fn search() -> Search<kigogo::Position> {
    Search::new(TABLE_BYTES, judge())
}

fn think<G: Game>(search: &mut Search<G>, position: &G, depth: u32) -> Report {
    let mut limits =
        Limits { depth: Some(depth), nodes: None, seed: 0, stop: &mut || false, next: &mut |_| true };
    search.think(position, &mut limits)
}

/// Numbers that look random, the same each time (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * end as u64) >> 32) as usize
    }

    /// Plays a random game and gives its positions in which there is a move.
    fn game<G: Game>(&mut self, start: G) -> Vec<G> {
        let mut positions = vec![start];
        loop {
            let position = *positions.last().expect("there is a first");
            let plays: Vec<_> = position.plays().collect();
            if plays.is_empty() {
                positions.pop();
                return positions;
            }
            let (_, after) = plays[self.below(plays.len())];
            let Some(after) = after else { return positions };
            if positions.len() > 300 {
                return positions;
            }
            positions.push(after);
        }
    }
}

/// Looks at every line of play down to a depth, without any of the search's tricks.
fn minimax<G: Game>(position: &G, depth: u32, ply: i32, judge: &G::Judge, line: &mut Vec<(u64, u32)>) -> i32 {
    let mut plays = position.plays().peekable();
    if plays.peek().is_none() {
        return position.ended(ply);
    }
    if depth == 0 {
        return position.evaluate(judge);
    }
    let spot = (position.key(), position.gone());
    if line.iter().rev().skip(1).step_by(2).any(|earlier| *earlier == spot) {
        return position.repeated();
    }
    line.push(spot);
    let value = |after: Option<G>| after.map_or(0, |after| -minimax(&after, depth - 1, ply + 1, judge, line));
    let best = plays.map(|(_, after)| after).map(value).max().expect("there is a move");
    line.pop();
    best
}

#[test]
fn shallow_searches_have_the_value_of_a_plain_one() {
    let mut chance = Chance(11);
    let mut deeper = Vec::new();
    for _ in 0..12 {
        for position in chance.game(kigogo::Position::START).iter().step_by(9) {
            deeper.push(compare(position, search, &judge()));
        }
        for position in chance.game(kingulu::Position::START).iter().step_by(3) {
            deeper.push(compare(position, || Search::new(TABLE_BYTES, ()), &()));
        }
    }
    // Deeper searches leave out what does not look good enough just before the end, and look further where moves are
    // forced.
    let same = deeper.iter().filter(|same| **same).count();
    assert!(4 * same > 3 * deeper.len(), "{same} of {}", deeper.len());
}

/// Compares two depths, and returns whether the next has the value of a plain search as well.
fn compare<G: Game>(position: &G, search: impl Fn() -> Search<G>, judge: &G::Judge) -> bool {
    let both = |depth| {
        let plain = minimax(position, depth, 0, judge, &mut Vec::new());
        (think(&mut search(), position, depth).score, plain)
    };
    for depth in 1..=2 {
        let (score, plain) = both(depth);
        assert_eq!(score, plain, "depth {depth} of {position:?}");
    }
    let (score, plain) = both(3);
    score == plain
}

/// Returns whether the side to move wins within a number of moves against every defence.
fn wins(position: &kigogo::Position, moves: i32) -> bool {
    moves > 0
        && position.children().any(|(_, after)| {
            after.is_some_and(|after| {
                after.over().is_some()
                    || after.children().all(|(_, reply)| {
                        reply.is_some_and(|reply| reply.over().is_none() && wins(&reply, moves - 2))
                    })
            })
        })
}

#[test]
fn a_win_that_is_claimed_is_one_and_no_shorter_one_is_overlooked() {
    let mut chance = Chance(5);
    let mut claimed = 0;
    for _ in 0..60 {
        for position in chance.game(kigogo::Position::START).iter().rev().take(12) {
            let report = think(&mut search(), position, 5);
            let moves = if report.score > WIN - 100 { WIN - report.score } else { 0 };
            // Where moves are forced, the search sees further.
            assert!(moves > 0 || !wins(position, 5), "{position:?} {report:?}");
            if moves > 0 {
                claimed += 1;
                assert!(wins(position, moves), "{position:?} {report:?}");
                assert!(moves > 5 || !wins(position, moves - 2), "{position:?} {report:?}");
            }
        }
    }
    assert!(claimed > 100, "only {claimed} wins");
}

#[test]
fn the_same_limits_give_the_same_report() {
    let mut chance = Chance(2);
    let game = chance.game(kigogo::Position::START);
    let run = |nodes: Option<u64>, seed| {
        let mut search = search();
        let mut reports = Vec::new();
        for position in game.iter().step_by(2) {
            let depth = if nodes.is_none() { Some(6) } else { None };
            let mut limits = Limits { depth, nodes, seed, stop: &mut || false, next: &mut |_| true };
            reports.push(search.think(position, &mut limits));
        }
        reports
    };
    assert_eq!(run(None, 0), run(None, 0));
    assert_eq!(run(None, 9), run(None, 9));
    assert_eq!(run(Some(20_000), 0), run(Some(20_000), 0));
}

#[test]
fn a_cleared_search_knows_as_little_as_a_new_one() {
    let mut used = search();
    for position in Chance(3).game(kigogo::Position::START).iter().take(30) {
        think(&mut used, position, 5);
    }
    used.clear();
    assert_eq!(
        think(&mut used, &kigogo::Position::START, 7),
        think(&mut search(), &kigogo::Position::START, 7)
    );
}

#[test]
fn a_search_stops_within_a_few_thousand_positions() {
    for nodes in [0, 1, 5000, 200_000] {
        let mut limits =
            Limits { depth: None, nodes: Some(nodes), seed: 0, stop: &mut || false, next: &mut |_| true };
        let report = search().think(&kigogo::Position::START, &mut limits);
        assert!(report.nodes < nodes + 3000, "{nodes}: {report:?}");
        assert!(kigogo::Position::START.after(report.best).is_some());
    }
    let mut asked = 0;
    let mut stop = || {
        asked += 1;
        asked == 20
    };
    let mut limits = Limits { depth: None, nodes: None, seed: 0, stop: &mut stop, next: &mut |_| true };
    let report = search().think(&kigogo::Position::START, &mut limits);
    assert!(report.nodes < 60_000, "{report:?}");
}

#[test]
fn no_deeper_search_begins_when_told_so() {
    let mut depths = Vec::new();
    let mut next = |report: &Report| {
        depths.push(report.depth);
        report.depth < 4
    };
    let mut limits = Limits { depth: None, nodes: None, seed: 0, stop: &mut || false, next: &mut next };
    assert_eq!(search().think(&kigogo::Position::START, &mut limits).depth, 4);
    assert_eq!(depths, [1, 2, 3, 4]);
}

#[test]
fn a_position_that_came_back_is_a_draw() {
    let mut chance = Chance(8);
    let mut tested = 0;
    for _ in 0..40 {
        for position in chance.game(kigogo::Position::START) {
            let only: Vec<_> = position.children().collect();
            let [(_, Some(after))] = only[..] else { continue };
            if after.gone() != position.gone() || after.over().is_some() {
                continue;
            }
            let mut search = search();
            search.played(&after);
            assert_eq!(think(&mut search, &position, 4).score, 0, "{position:?}");
            tested += 1;
        }
    }
    assert!(tested > 20, "only {tested}");
}

#[test]
fn the_expected_moves_are_legal_and_begin_with_the_best() {
    let mut search = search();
    for position in Chance(6).game(kigogo::Position::START).iter().step_by(2) {
        let report = think(&mut search, position, 6);
        assert_eq!(report.line.first(), Some(&report.best));
        assert!(report.line.len() <= 6);
        let mut position = Some(*position);
        for pit in report.line {
            let before = position.expect("nothing follows an endless sowing");
            assert!(before.legal_moves().contains(pit));
            position = before.after(pit);
        }
    }
}

#[test]
fn a_position_counts_for_one_side_what_it_counts_against_the_other() {
    let south = "2,1,0,3,2,2,2,2,2,2,2,2/0,2,2,0,2,9,2,2,2,2,2,0/0,0,2,2,2,5,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,1,0 S 1 0";
    let both = [south.to_owned(), south.replace('S', "N")].map(|text| kigogo(&text));
    let no_turn = Judge::from("turn:0".parse::<Weights>().expect("weights"));
    assert_eq!(both[0].evaluate(&no_turn), -both[1].evaluate(&no_turn));
    assert_ne!(both[0].evaluate(&no_turn), 0);
}

#[test]
fn values_of_boards_with_any_number_of_seeds_stay_apart_from_wins() {
    let judge = judge();
    for seed in 1..40 {
        for position in Chance(seed).game(kigogo::Position::START) {
            assert!(position.evaluate(&judge).abs() < WIN - 5000, "{position:?}");
        }
    }
    for text in [
        "0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,1/2,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,2 S 43 0",
        "0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,1/2,2,2,2,2,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,0 S 43 38",
        "0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,1/91,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,0 S 0 0",
    ] {
        assert!(kigogo(text).evaluate(&judge).abs() < WIN - 5000, "{text}");
    }
}

#[test]
fn weights_are_read_and_wrong_ones_refused() {
    let weights: Weights = "liftable:-7  turn:0 seed:8,7,6,5,4,3,2,1".parse().expect("weights");
    assert_eq!(weights, Weights { seed: [8, 7, 6, 5, 4, 3, 2, 1], liftable: [-7; 8], turn: 0 });
    assert_eq!("".parse(), Ok(Weights::default()));
    for (text, error) in [
        ("turn", "is not turn:NUMBER"),
        ("turn:1,2,3,4,5,6,7,8", "is not turn:NUMBER"),
        ("seed:x", "is not NAME:NUMBER or NAME:8 numbers"),
        ("seed:1,2,3", "is not NAME:NUMBER or NAME:8 numbers"),
        ("luck:3", "no weight"),
    ] {
        let message = text.parse::<Weights>().expect_err(text).to_string();
        assert!(message.contains(error), "{message}");
    }
}

#[test]
fn what_a_seed_counts_changes_evenly_between_the_numbers_of_its_curve() {
    let judge =
        Judge::from("seed:800,400,0,0,0,0,100,420 liftable:0 turn:0".parse::<Weights>().expect("weights"));
    // So many seeds against one.
    for (own, value) in [(6, 800), (7, 800), (8, 700), (11, 400), (15, 0), (59, 100), (75, 260), (91, 420)] {
        let text = format!(
            "0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,1/{own},0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,0 S 0 0"
        );
        assert_eq!(kigogo(&text).evaluate(&judge), (own - 1) * value, "{own}");
    }
}

fn go(you_ms: u64, deadline_ms: u64, increment_ms: u64, moves_to_go: u64, periods: u64) -> Go<'static> {
    Go {
        id: 1,
        game_id: "1".into(),
        ply: 0,
        you: Seat::South,
        position: "".into(),
        south: [].as_slice().into(),
        north: [].as_slice().into(),
        captured_south: 0,
        captured_north: 0,
        reserved: "".into(),
        legal: "".into(),
        last: "".into(),
        moves: None,
        you_ms,
        opponent_ms: 1,
        increment_ms,
        moves_to_go,
        periods,
        deadline_ms,
    }
}

#[test]
fn every_kind_of_clock_is_shared_out() {
    let pace = |clock: Clock, go: &Go<'_>| {
        let pace = Pace::new(go, &clock, 30);
        (pace.soft.as_millis(), pace.hard.as_millis())
    };
    let fischer = Clock::Fischer { base_ms: 60_000, increment_ms: 1000 };
    let classical = Clock::Classical { moves: 40, base_ms: 60_000, increment_ms: 0 };
    let byoyomi = Clock::Byoyomi { base_ms: 30_000, periods: 5, period_ms: 3000 };
    let delay = Clock::Delay { base_ms: 60_000, delay_ms: 2000 };
    for (clock, go, expected) in [
        (Clock::None { cap_ms: 60_000 }, go(60_000, 60_000, 0, 0, 0), (1000, 1000)),
        (Clock::None { cap_ms: 100 }, go(100, 100, 0, 0, 0), (93, 93)),
        (Clock::MoveTime { move_ms: 50 }, go(50, 50, 0, 0, 0), (44, 44)),
        (Clock::MoveTime { move_ms: 1 }, go(1, 1, 0, 0, 0), (0, 0)),
        (Clock::SuddenDeath { base_ms: 60_000 }, go(60_000, 60_000, 0, 0, 0), (1000, 6000)),
        (fischer, go(60_000, 60_000, 1000, 0, 0), (1400, 8400)),
        (fischer, go(1, 1, 1000, 0, 0), (0, 0)),
        (classical, go(60_000, 60_000, 0, 40, 0), (1000, 6000)),
        (classical, go(6000, 6000, 0, 1, 0), (3000, 5900)),
        (byoyomi, go(30_000, 45_000, 0, 0, 5), (3400, 5900)),
        (byoyomi, go(1, 3000, 0, 0, 1), (2934, 2934)),
        (byoyomi, go(1, 9000, 0, 0, 3), (2899, 2899)),
        (delay, go(60_000, 62_000, 0, 0, 0), (2900, 7900)),
        (delay, go(1, 2001, 0, 0, 0), (1955, 1955)),
    ] {
        assert_eq!(pace(clock, &go), expected, "{clock:?} {go:?}");
    }
}

#[test]
fn no_clock_is_ever_overstepped_and_none_runs_out() {
    for base_ms in [1, 7, 50, 1000, 60_000, 3_600_000] {
        for (extra, increment, moves_to_go, periods, clock) in [
            (0, 0, 0, 0, Clock::SuddenDeath { base_ms }),
            (0, 10, 0, 0, Clock::Fischer { base_ms, increment_ms: 10 }),
            (0, 0, 40, 0, Clock::Classical { moves: 40, base_ms, increment_ms: 0 }),
            (3000, 0, 0, 3, Clock::Byoyomi { base_ms, periods: 3, period_ms: 1000 }),
            (500, 0, 0, 0, Clock::Delay { base_ms, delay_ms: 500 }),
            (0, 0, 0, 0, Clock::MoveTime { move_ms: base_ms }),
            (0, 0, 0, 0, Clock::None { cap_ms: base_ms }),
        ] {
            let mut main = base_ms;
            for turn in 0..100 {
                let left = if moves_to_go > 0 { moves_to_go - turn % moves_to_go } else { 0 };
                let deadline = main + extra;
                let pace = Pace::new(&go(main, deadline, increment, left, periods), &clock, 30);
                let hard = pace.hard.as_millis() as u64;
                assert!(pace.soft <= pace.hard && hard < deadline, "{clock:?} {main} {pace:?}");
                if matches!(clock, Clock::MoveTime { .. } | Clock::None { .. }) {
                    break;
                }
                // The worst that can happen: every move takes all that it may.
                let beyond = if periods > 0 { 1000 } else { extra };
                main = (main - main.min(hard.saturating_sub(beyond)) + increment).max(1);
                if left == 1 {
                    main += base_ms;
                }
            }
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a wide bound on time is the only sign of waiting")]
fn a_sowing_that_goes_on_for_millions_of_laps_does_not_hold_up_the_search() {
    // B3 comes back to where it began, after 11,809,800 laps.
    let position = kigogo(
        "0,0,2,1,1,0,1,0,0,3,0,2/2,1,2,0,2,0,3,1,2,0,3,1/3,0,1,0,5,0,3,2,1,0,3,2/0,5,2,0,1,0,2,3,0,1,2,1 S 19 9",
    );
    let began = std::time::Instant::now();
    for _ in 0..1000 {
        assert!(position.plays().any(|(pit, after)| pit.name() == "B3" && after.is_none()));
    }
    assert!(began.elapsed() < std::time::Duration::from_secs(20), "{:?}", began.elapsed());
}
