//! The solver of Bao Kingulu against plain searches that share nothing with it but the rules.

use std::collections::{HashMap, HashSet};

use bao_rules::kingulu::Position;
use bao_rules::{Pit, Rules as _, Side, Variant};
use bao_solver::{Solver, Unsolved};

const TABLE_BYTES: usize = 4 << 20;

fn position(text: &str) -> Position {
    text.parse().expect("a position")
}

fn text(position: &Position) -> String {
    position.to_string()
}

fn value(solver: &mut Solver, position: &Position) -> i32 {
    solver.value(position, &mut || false).unwrap_or_else(|error| panic!("{}: {error}", text(position)))
}

/// The legal moves and what they lead to, as the rules' slow way gives them.
fn plays(position: &Position) -> Vec<(Pit, Position)> {
    let after = |pit| position.play(pit).expect("a legal move").after.expect("no endless sowing");
    position.legal_moves().iter().map(|pit| (pit, after(pit))).collect()
}

fn lead(position: &Position) -> i32 {
    position.score(position.side()) as i32 - position.score(position.side().other()) as i32
}

/// All of a position but the banks: the side to move, and for each pit its seeds and whether it is reserved.
type Board = u128;

fn board(position: &Position) -> Board {
    Pit::all(Variant::Kingulu).fold(position.side() as Board, |board, pit| {
        board << 7 | Board::from(position.seeds(pit)) << 1 | Board::from(position.reserved(pit).is_some())
    })
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

    /// Plays a random game from the start and gives its positions.
    fn game(&mut self) -> Vec<Position> {
        let mut positions = vec![Position::START];
        loop {
            let plays = plays(positions.last().expect("there is a first"));
            if plays.is_empty() || positions.len() > 100 {
                return positions;
            }
            positions.push(plays[self.below(plays.len())].1);
        }
    }
}

/// Searches the whole tree of games by the rules as they stand; `None`: more than `budget` positions.
fn whole_tree(position: &Position, line: &mut Vec<Board>, budget: &mut u32) -> Option<i32> {
    *budget = budget.checked_sub(1)?;
    let board = board(position);
    if line.contains(&board) {
        return Some(lead(position));
    }
    line.push(board);
    let mut best = None;
    for (_, after) in plays(position) {
        best = best.max(Some(-whole_tree(&after, line, budget)?));
    }
    line.pop();
    Some(best.unwrap_or_else(|| lead(position)))
}

#[test]
fn values_are_those_of_the_whole_tree_of_games() {
    let mut solver = Solver::new(TABLE_BYTES);
    let mut chance = Chance(1);
    let (mut compared, mut long) = (0, 0);
    for _ in 0..150 {
        let game = chance.game();
        for (rest, position) in game.iter().rev().enumerate() {
            let Some(expected) = whole_tree(position, &mut Vec::new(), &mut 2000) else { break };
            assert_eq!(value(&mut solver, position), expected, "{}", text(position));
            compared += 1;
            long += usize::from(rest >= 8);
        }
    }
    assert!(compared > 800 && long > 50, "only {compared} positions, {long} of them far from the end");
}

#[test]
fn positions_that_can_come_back_have_the_value_of_the_whole_tree() {
    let mut solver = Solver::new(TABLE_BYTES);
    // Each of them is on a cycle, or leads to one.
    for text in [
        "2,0,1,0,0,1/0,1,1,0,1,0 S 41 0",
        "1,2,1,0,0,1/1,0,0,1,0,0 S 41 0",
        "0,1,1,0,1,0/1,0,0,1,0,2 S 0 41",
        "0,1,0,0,0,1/1,0,0,1,2,1 N 24 17",
        "0,0,1,0,0,1/1,0,1,0,2,1 N 20 21",
        "0,2,0,1,0,1/0,1,0,1,2,1 S 39 0",
        "1,1,0,1,2,0/0,1,0,2,1,0 S 20 19",
    ] {
        let position = position(text);
        let expected = whole_tree(&position, &mut Vec::new(), &mut 20_000_000).expect("a small tree");
        assert_eq!(value(&mut solver, &position), expected, "{text}");
    }
}

/// Collects a position and all that can follow; `false`: more than `most`.
fn follow(position: &Position, seen: &mut HashMap<Board, Position>, most: usize) -> bool {
    if seen.len() > most {
        return false;
    }
    if seen.insert(board(position), *position).is_some() {
        return true;
    }
    plays(position).iter().all(|(_, after)| follow(after, seen, most))
}

/// What a side can still win beyond what its bank is ahead: all that the value of a board depends on.
fn rest(position: &Position, value: i32) -> i32 {
    let [own, theirs] = [position.side(), position.side().other()].map(|side| position.captured(side) as i32);
    value - (own - theirs)
}

/// A board, what is left to win if the game ends there, and the boards that follow.
struct Link {
    board: Board,
    ended: i32,
    /// Each with what the move wins at once.
    next: Vec<(Board, i32)>,
}

impl Link {
    fn new(position: &Position) -> Self {
        let won = |after: &Position| rest(position, 0) + rest(after, 0);
        let next = plays(position).iter().map(|(_, after)| (board(after), won(after))).collect();
        Self { board: board(position), ended: rest(position, lead(position)), next }
    }
}

/// Works out the value of every position of a closed set, once with endless play lost for South and once with it won.
///
/// All start at the worst (or best) and improve until nothing changes; the two bounds meet where repetition does not
/// matter.
fn fixed_points(positions: &HashMap<Board, Position>, endless: i32) -> HashMap<Board, i32> {
    let sign = |position: &Position| if position.side() == Side::South { 1 } else { -1 };
    let mut values: HashMap<Board, i32> =
        positions.iter().map(|(board, position)| (*board, endless * sign(position))).collect();
    let links: Vec<Link> = positions.values().map(Link::new).collect();
    loop {
        let mut changed = false;
        for link in &links {
            let best = link.next.iter().map(|(after, shift)| shift - values[after]).max();
            let value = best.unwrap_or(link.ended);
            changed |= values.insert(link.board, value) != Some(value);
        }
        if !changed {
            return values;
        }
    }
}

#[test]
fn values_are_the_same_whatever_endless_play_is_worth() {
    let mut solver = Solver::new(TABLE_BYTES);
    let mut chance = Chance(7);
    let mut positions = HashMap::new();
    for seeds in [5, 6, 7, 8, 9].repeat(6) {
        let mut pits = [0_u8; 12];
        for _ in 0..seeds {
            pits[chance.below(12)] += 1;
        }
        let row = |pits: &[u8]| pits.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let text = format!("{}/{} S {} 20", row(&pits[..6]), row(&pits[6..]), 28 - seeds);
        assert!(follow(&position(&text), &mut positions, 1_000_000), "{text}");
    }
    // A board has one value whatever the banks are, so positions met with other banks do no harm.
    let [low, high] = [-1000, 1000].map(|endless| fixed_points(&positions, endless));
    assert_eq!(low, high);
    for (board, position) in &positions {
        assert_eq!(rest(position, value(&mut solver, position)), low[board], "{}", text(position));
    }
    assert!(positions.len() > 5000, "only {} positions", positions.len());
}

/// Searches with bounds and a map of bounds, in the order in which the moves come out best at once.
///
/// Panics where a position comes back, since the map would be wrong then.
struct Plain {
    known: HashMap<Board, (i32, i32)>,
    line: HashSet<Board>,
}

impl Plain {
    fn value(&mut self, position: &Position, mut alpha: i32, mut beta: i32) -> i32 {
        let board = board(position);
        let bank = -rest(position, 0);
        let (low, high) = self.known.get(&board).copied().unwrap_or((-96, 96));
        (alpha, beta) = (alpha.max(bank + low), beta.min(bank + high));
        if alpha >= beta {
            return if bank + low >= beta { bank + low } else { bank + high };
        }
        assert!(self.line.insert(board), "{} came back", text(position));
        let mut next = plays(position);
        next.sort_by_key(|(_, after)| lead(after));
        let mut best = if next.is_empty() { lead(position) } else { -96 };
        for (_, after) in &next {
            best = best.max(-self.value(after, -beta, -alpha.max(best)));
            if best >= beta {
                break;
            }
        }
        self.line.remove(&board);
        let bounds = self.known.entry(board).or_insert((-96, 96));
        if best > alpha {
            bounds.0 = bounds.0.max(best - bank);
        }
        if best < beta {
            bounds.1 = bounds.1.min(best - bank);
        }
        best
    }
}

#[test]
fn the_start_has_the_value_of_a_plain_search() {
    let solution = Solver::new(TABLE_BYTES).solve(&Position::START, &mut || false).expect("it is solved");
    let mut plain = Plain { known: HashMap::new(), line: HashSet::new() };
    assert_eq!(plain.value(&Position::START, -49, 49), solution.value);
    for ((pit, value), (same, after)) in solution.moves.into_iter().zip(plays(&Position::START)) {
        assert_eq!((pit, value), (same, -plain.value(&after, -49, 49)));
    }
}

#[test]
fn the_start_is_won_by_four_seeds_and_by_one_move_only() {
    let solution = Solver::new(TABLE_BYTES).solve(&Position::START, &mut || false).expect("it is solved");
    assert_eq!(solution.value, 4);
    let moves: Vec<String> = solution.moves.iter().map(|(pit, value)| format!("{pit} {value}")).collect();
    assert_eq!(moves, ["A3 4", "A4 -10", "A5 -16", "A6 -4"]);
}

#[test]
fn perfect_play_from_the_start_ends_as_it_was_valued() {
    let mut solver = Solver::new(TABLE_BYTES);
    let mut position = Position::START;
    let mut expected = 4;
    let mut plies = 0;
    loop {
        let (best, value) = solver.best(&position, &mut || false).expect("it is solved");
        assert_eq!(value, expected, "{}", text(&position));
        let Some(pit) = best.last() else { break };
        position = position.after(*pit).expect("a legal move");
        expected = -expected;
        plies += 1;
    }
    assert_eq!(lead(&position), expected);
    assert!(plies > 10);
}

#[test]
fn a_table_of_one_bucket_gives_the_same_values() {
    let (mut large, mut small) = (Solver::new(TABLE_BYTES), Solver::new(0));
    let mut chance = Chance(3);
    for _ in 0..40 {
        let game = chance.game();
        let position = &game[game.len().saturating_sub(10)];
        let solution = large.solve(position, &mut || false).expect("it is solved");
        assert_eq!(small.solve(position, &mut || false), Ok(solution), "{}", text(position));
    }
}

#[test]
fn a_move_gives_away_what_it_is_below_the_value() {
    let mut solver = Solver::new(TABLE_BYTES);
    let mut chance = Chance(4);
    for position in chance.game() {
        let solution = solver.solve(&position, &mut || false).expect("it is solved");
        let best: Vec<Pit> = solution
            .moves
            .iter()
            .filter(|(_, value)| *value == solution.value)
            .map(|(pit, _)| *pit)
            .collect();
        assert_eq!(solver.best(&position, &mut || false), Ok((best, solution.value)));
        assert_eq!(solution.moves.len(), position.legal_moves().len());
        for (pit, value) in solution.moves {
            let after = position.after(pit).expect("a legal move");
            assert_eq!(-self::value(&mut solver, &after), value);
            assert!(value <= solution.value);
        }
    }
}

#[test]
fn both_sides_have_the_same_values() {
    let mut solver = Solver::new(TABLE_BYTES);
    for (south, north) in [
        ("5,5,5,5,0,4/4,4,4,0,6,6 S 0 0", "6,6,0,4,4,4/4,0,5,5,5,5 N 0 0"),
        ("4*,0,1,2,0,6/4,4,0,5*,6,6 S 7 3", "6,6,5*,0,4,4/6,0,2,1,0,4* N 3 7"),
    ] {
        assert_eq!(value(&mut solver, &position(south)), value(&mut solver, &position(north)), "{south}");
    }
}

#[test]
fn a_solver_that_is_stopped_goes_on_from_what_it_knows() {
    let mut solver = Solver::new(TABLE_BYTES);
    let mut looks = 0;
    let mut stop = || {
        looks += 1;
        looks % 20 == 0
    };
    let mut stops = 0;
    let value = loop {
        match solver.value(&Position::START, &mut stop) {
            Ok(value) => break value,
            Err(Unsolved::Stopped) => stops += 1,
            Err(Unsolved::Repetition) => panic!("nothing comes back"),
        }
    };
    assert_eq!(value, 4);
    assert!((5..1000).contains(&stops), "{stops} stops");
}
