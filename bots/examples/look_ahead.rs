//! A bot that looks ahead, one ply deeper after the other until its budget is used up, and takes the most seeds that it
//! can be sure of: `referee match bao-kigogo target/release/examples/look_ahead greedy-bot`.

use std::process::ExitCode;

use bot::protocol::from_bot::Thought;
use bot::rules::{Ending, Pit, Position};
use bot::{Answer, Bot, BotOption, Identity, Turn};

/// More than any number of seeds.
const WIN: i64 = 1000;

struct LookAhead {
    nodes: u64,
}

impl Bot for LookAhead {
    fn choose(&mut self, turn: &mut Turn<'_>) -> Answer {
        self.nodes = 0;
        // Among moves that are as good, the first is taken; so chance decides.
        let mut moves: Vec<Pit> = turn.legal.iter().collect();
        turn.random.shuffle(&mut moves);
        let mut answer = moves[0].into();
        for depth in 1..=turn.settings.integer("depth") {
            let Some((score, best)) = self.best(turn, &turn.position, &moves, depth, -2 * WIN, 2 * WIN)
            else {
                break;
            };
            let thought = Thought {
                depth: Some(depth.unsigned_abs()),
                score: Some(100 * score),
                nodes: Some(self.nodes),
                ..Thought::default()
            };
            answer = Answer::Thoughtful(best, thought);
            // A good move first makes the next search fast.
            moves.sort_by_key(|pit| *pit != best);
        }
        answer
    }
}

impl LookAhead {
    /// Returns what the side to move can be sure of, and the move for it; `None` once the time is up.
    fn best(
        &mut self,
        turn: &Turn<'_>,
        position: &Position,
        moves: &[Pit],
        depth: i64,
        mut alpha: i64,
        beta: i64,
    ) -> Option<(i64, Pit)> {
        let mut best = (-2 * WIN, moves[0]);
        for &pit in moves {
            let score = match position.play(pit).expect("it is legal").after {
                Some(after) => self.after(turn, &after, depth - 1, alpha, beta)?,
                None => 0, // the sowing never ends: a draw
            };
            best = if score > best.0 { (score, pit) } else { best };
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    /// Returns what the side that has just moved can be sure of.
    fn after(
        &mut self,
        turn: &Turn<'_>,
        position: &Position,
        depth: i64,
        alpha: i64,
        beta: i64,
    ) -> Option<i64> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(256) && turn.time_is_up() {
            return None;
        }
        let repeated = || turn.seen(position).then(|| position.stopped(Ending::Repetition));
        if let Some(outcome) = position.over().or_else(repeated) {
            // The sooner a game is won, the better.
            return Some(match outcome.winner {
                None => 0,
                Some(winner) if winner == position.side() => -WIN - depth,
                Some(_) => WIN + depth,
            });
        }
        if depth == 0 {
            let seeds = |side| i64::from(position.score(side));
            return Some(seeds(position.side().other()) - seeds(position.side()));
        }
        let moves: Vec<Pit> = position.legal_moves().iter().collect();
        Some(-self.best(turn, position, &moves, depth, -beta, -alpha)?.0)
    }
}

fn main() -> ExitCode {
    let options = vec![BotOption::integer("depth", 4, 1..=50)];
    bot::run(&mut LookAhead { nodes: 0 }, &Identity { name: "look-ahead", options, ..Identity::default() })
}
