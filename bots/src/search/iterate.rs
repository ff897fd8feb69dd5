//! Iterative deepening and the principal variation search below it.

use bao_rules::Pit;

use super::game::{Game, SURE, WIN, hash};
use super::table::{Bound, Known, NO_MOVE, Table};

/// The deepest search; games end or repeat long before.
const MOST_DEPTH: u32 = 100;
/// Positions between two looks at the limits.
const LOOK_EVERY: u64 = 1024;
/// The depth at which moves that do not look good enough are left out, as are those that look worse.
const LAST_BUT_ONE: i32 = 2;
/// How many moves into a line a forced move costs no depth.
const FORCED_WITHIN: usize = 60;
/// More than any value.
const INFINITE: i32 = WIN + 1;

/// A search that keeps its table from one move to the next.
#[derive(Debug)]
pub struct Search<G: Game> {
    table: Table,
    judge: G::Judge,
    /// The game's positions since something left the board, then those of the line that is searched.
    line: Vec<Spot>,
    /// The moves of each position of the line, kept to save allocations.
    branches: Vec<Vec<Branch<G>>>,
    nodes: u64,
    look_at: u64,
    most_nodes: u64,
    stopped: bool,
}

/// When a search ends.
#[expect(missing_debug_implementations, reason = "it holds closures")]
pub struct Limits<'a> {
    /// The depth after which it ends, in moves.
    pub depth: Option<u32>,
    /// The positions after which it ends.
    pub nodes: Option<u64>,
    /// Decides between moves that seem equally good; 0 prefers the first in sowing order.
    pub seed: u64,
    /// Returns whether the time is over; asked about every thousand positions.
    pub stop: &'a mut dyn FnMut() -> bool,
    /// Takes the report of each finished depth and returns whether to go on to the next.
    pub next: &'a mut dyn FnMut(&Report) -> bool,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The best move.
    pub best: Pit,
    /// Its value in hundredths of a seed, above zero if good for the side to move; a win in `n` moves is [`WIN`] -
    /// `n`.
    pub score: i32,
    /// How many moves deep the last finished search was.
    pub depth: u32,
    /// How many positions were visited: one for every move played.
    pub nodes: u64,
    /// The moves that are expected, the best first.
    pub line: Vec<Pit>,
}

#[derive(Debug, Clone, Copy)]
struct Spot {
    key: u64,
    gone: u32,
}

#[derive(Debug)]
struct Branch<G> {
    pit: Pit,
    /// `None`: an endless sowing.
    after: Option<G>,
    /// Its place in the order, higher first.
    order: i32,
}

impl<G: Game> Search<G> {
    /// Makes a search whose table takes at most `table_bytes`.
    pub fn new(table_bytes: usize, judge: G::Judge) -> Self {
        Self {
            table: Table::new(table_bytes),
            judge,
            line: Vec::new(),
            branches: Vec::new(),
            nodes: 0,
            look_at: 0,
            most_nodes: 0,
            stopped: false,
        }
    }

    /// Forgets the game and all that was searched.
    pub fn clear(&mut self) {
        self.table.clear();
        self.line.clear();
    }

    /// Remembers the next position of the game, after a move of either side; it would end the game if it came back.
    ///
    /// [`think`](Self::think) does so by itself, so this is for the positions between.
    pub fn played(&mut self, position: &G) {
        let spot = Spot::of(position);
        if self.line.last().is_some_and(|last| last.gone != spot.gone) {
            self.line.clear();
        }
        self.line.push(spot);
    }

    /// Searches the next position of the game, which must have legal moves.
    ///
    /// # Panics
    /// Panics where there is no legal move.
    pub fn think(&mut self, position: &G, limits: &mut Limits<'_>) -> Report {
        self.table.renew();
        (self.nodes, self.look_at, self.stopped) = (0, LOOK_EVERY, false);
        self.most_nodes = limits.nodes.unwrap_or(u64::MAX);
        self.played(position);
        let game = self.line.len();
        let mut branches = self.branches(position, NO_MOVE);
        let chance = |pit: Pit| if limits.seed == 0 { 0 } else { hash([limits.seed, pit.index() as u64]) };
        branches.sort_by_key(|branch| (-branch.order, chance(branch.pit)));
        let first = branches.first().expect("the game is not over");
        let mut report = Report { best: first.pit, score: 0, depth: 0, nodes: 0, line: vec![first.pit] };
        for depth in 1..=limits.depth.unwrap_or(MOST_DEPTH).clamp(1, MOST_DEPTH) {
            let found = self.root(&mut branches, depth as i32, limits.stop);
            if let Some((best, score)) = found {
                (report.best, report.score) = (best, score);
                report.line = self.expected(position, best, depth);
            }
            report.nodes = self.nodes;
            if self.stopped {
                break;
            }
            report.depth = depth;
            // Deeper searches cannot find a win or a loss that is nearer.
            let decided = report.score.abs() >= WIN - depth as i32;
            if !(limits.next)(&report) || decided {
                break;
            }
        }
        self.line.truncate(game);
        report
    }

    /// Searches all moves of the first position and puts the best in front; `None`: stopped before the first was
    /// done.
    fn root(
        &mut self,
        branches: &mut [Branch<G>],
        depth: i32,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<(Pit, i32)> {
        let mut best = -INFINITE;
        for number in 0..branches.len() {
            let score = match branches[number].after {
                None => 0,
                Some(after) if number == 0 => -self.visit(&after, depth - 1, -INFINITE, INFINITE, 1, stop),
                Some(after) => {
                    let mut score = -self.visit(&after, depth - 1, -best - 1, -best, 1, stop);
                    if score > best && !self.stopped {
                        score = -self.visit(&after, depth - 1, -INFINITE, -best, 1, stop);
                    }
                    score
                }
            };
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                branches[..=number].rotate_right(1);
            }
        }
        (best > -INFINITE).then(|| (branches[0].pit, best))
    }

    /// Returns the value of a position after a move, `ply` moves below the first.
    #[inline]
    fn visit(
        &mut self,
        position: &G,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> i32 {
        if position.is_over() {
            return position.ended(ply as i32);
        }
        if depth <= 0 {
            return position.evaluate(&self.judge);
        }
        let spot = Spot::of(position);
        if self.seen(spot) {
            return position.repeated();
        }
        if depth == 1 {
            return self.edge(position, alpha, beta, ply);
        }
        self.search(position, spot, depth, alpha, beta, ply, stop)
    }

    /// Searches a position whose moves are the last of their line.
    fn edge(&mut self, position: &G, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        let mut best = -INFINITE;
        for (_, after) in position.plays() {
            self.nodes += 1;
            let score = match after {
                None => 0,
                Some(after) if after.is_over() => -after.ended(ply as i32 + 1),
                Some(after) => -after.evaluate(&self.judge),
            };
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        if best == -INFINITE { position.ended(ply as i32) } else { best }
    }

    #[expect(clippy::too_many_arguments, reason = "the parameters of a search, passed down in registers")]
    fn search(
        &mut self,
        position: &G,
        spot: Spot,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> i32 {
        if self.nodes >= self.look_at {
            self.look_at = self.nodes + LOOK_EVERY;
            self.stopped = self.nodes >= self.most_nodes || stop();
        }
        if self.stopped {
            return 0;
        }
        // A win at the next move is the best there can be, being lost now the worst.
        alpha = alpha.max(ply as i32 - WIN);
        beta = beta.min(WIN - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        let mut best_move = NO_MOVE;
        if let Some(known) = self.table.get(spot.key) {
            let score = from_table(known.score, ply);
            let enough = match known.bound {
                Bound::Exact => true,
                Bound::Least => score >= beta,
                Bound::Most => score <= alpha,
            };
            if enough && known.depth >= depth {
                return score;
            }
            best_move = known.best;
        }
        let mut branches = self.branches(position, best_move);
        if branches.is_empty() {
            self.branches.push(branches);
            return position.ended(ply as i32);
        }
        self.line.push(spot);
        let forced = branches.len() == 1 && ply < FORCED_WITHIN;
        let (floor, mut best) = (alpha, -INFINITE);
        for number in 0..branches.len() {
            bring_forward(&mut branches, number);
            let Branch { pit, after, order } = branches[number];
            // An answer is still to come, which seldom makes a move better than it looks.
            if depth == LAST_BUT_ONE && number > 0 && order <= alpha {
                best = best.max(order);
                break;
            }
            let score = match after {
                None => 0,
                Some(after) if number == 0 => {
                    let left = if forced { depth } else { depth - 1 };
                    -self.visit(&after, left, -beta, -alpha, ply + 1, stop)
                }
                Some(after) => {
                    let less = i32::from(depth >= 3 && number >= 3);
                    let mut score = -self.visit(&after, depth - 1 - less, -alpha - 1, -alpha, ply + 1, stop);
                    if score > alpha && less > 0 {
                        score = -self.visit(&after, depth - 1, -alpha - 1, -alpha, ply + 1, stop);
                    }
                    if score > alpha && score < beta {
                        score = -self.visit(&after, depth - 1, -beta, -alpha, ply + 1, stop);
                    }
                    score
                }
            };
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = pit.index() as u8;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.line.pop();
        self.branches.push(branches);
        if self.stopped {
            return 0;
        }
        let bound = if best >= beta {
            Bound::Least
        } else if best > floor {
            Bound::Exact
        } else {
            Bound::Most
        };
        self.table.put(spot.key, Known { score: to_table(best, ply), depth, bound, best: best_move });
        best
    }

    /// Plays every move and returns the results, to be taken in order.
    fn branches(&mut self, position: &G, best_move: u8) -> Vec<Branch<G>> {
        let mut branches = self.branches.pop().unwrap_or_default();
        branches.clear();
        for (pit, after) in position.plays() {
            self.nodes += 1;
            let order = if pit.index() == usize::from(best_move) {
                INFINITE
            } else {
                after.map_or(0, |after| -after.evaluate(&self.judge))
            };
            branches.push(Branch { pit, after, order });
        }
        branches
    }

    /// Returns whether a position with this side to move was in the line or in the game before.
    #[inline]
    fn seen(&self, spot: Spot) -> bool {
        // The position before has the other side to move.
        self.line
            .iter()
            .rev()
            .take_while(|earlier| earlier.gone == spot.gone)
            .skip(1)
            .step_by(2)
            .any(|earlier| earlier.key == spot.key)
    }

    /// Reads the expected moves from the table.
    fn expected(&self, position: &G, first: Pit, depth: u32) -> Vec<Pit> {
        let mut line = vec![first];
        let mut keys = vec![position.key()];
        let after =
            |position: &G, best: u8| position.plays().find(|(pit, _)| pit.index() == usize::from(best));
        let mut next = after(position, first.index() as u8).and_then(|(_, after)| after);
        while let Some(position) = next.take()
            && line.len() < depth as usize
            && !keys.contains(&position.key())
        {
            keys.push(position.key());
            let Some(known) = self.table.get(position.key()) else { break };
            if let Some((pit, after)) = after(&position, known.best) {
                line.push(pit);
                next = after;
            }
        }
        line
    }
}

impl Spot {
    #[inline]
    fn of<G: Game>(position: &G) -> Self {
        Self { key: position.key(), gone: position.gone() }
    }
}

/// Swaps the branch that comes first in the order, of those not yet searched, to the place `number`.
#[inline]
fn bring_forward<G>(branches: &mut [Branch<G>], number: usize) {
    let mut first = number;
    for other in number + 1..branches.len() {
        if branches[other].order > branches[first].order {
            first = other;
        }
    }
    branches.swap(number, first);
}

/// Counts a win's moves from the position itself, as the table needs it.
const fn to_table(score: i32, ply: usize) -> i32 {
    if score >= SURE {
        score + ply as i32
    } else if score <= -SURE {
        score - ply as i32
    } else {
        score
    }
}

/// Undoes [`to_table`].
const fn from_table(score: i32, ply: usize) -> i32 {
    if score >= SURE {
        score - ply as i32
    } else if score <= -SURE {
        score + ply as i32
    } else {
        score
    }
}
