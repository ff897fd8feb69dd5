#!/usr/bin/env node
// A bot that looks a few moves ahead and takes all the seeds that it can be sure of.
//
// It shows a whole search on a page: alpha-beta, one ply deeper after the other until the time is up. To make it strong,
// see "Search" in docs/BOTS.md. Node 18 or later; needs bao_bot.mjs beside it.
//
// Run a match:  referee match bao-kigogo "node bots/javascript/greedy_bot.mjs" greedy-bot

import { Bot, KIGOGO, run } from "./bao_bot.mjs";

// More than any number of seeds, in hundredths, and more than any score.
const WIN = 100_000;
const ALL = 2 * WIN;

// What a seed in a reserved pit and one in the own row count in Bao Kingulu, in hundredths.
const RESERVED = 200;
const ROW = 50;

class TimeIsUp extends Error {}

/**
 * Guesses what a side will have in the end, in hundredths of a seed. In Bao Kingulu a reserved pit collects for its side
 * to the end, and what lies in the own row may still be lost.
 */
function guess({ game, pits, captured, reserved }, side) {
  let total = 100 * captured[side];
  if (game === KIGOGO) return total;
  for (let pit = 0; pit < 6; pit++) {
    if (reserved[1 - side][pit]) total += RESERVED * pits[1 - side][pit];
    if (!reserved[side][pit]) total += ROW * pits[side][pit];
  }
  return total;
}

class GreedyBot extends Bot {
  name = "greedy_bot.mjs";
  version = "1.0";
  author = "Bao Referee";
  options = [{ name: "depth", default: 4, min: 1, max: 50 }];

  choose(turn) {
    this.turn = turn;
    this.nodes = 0;
    // Among moves that are as good, the first is taken; so chance decides.
    const moves = this.random.shuffle([...turn.legal]);
    let answer = { move: moves[0] };
    try {
      for (let depth = 1; depth <= this.settings.depth; depth++) {
        const [score, pv] = this.search(turn.position, moves, depth, -ALL, ALL);
        answer = { move: pv[0], depth, score, nodes: this.nodes, pv };
        turn.tell(answer);
        // A good move first makes the next search fast.
        moves.splice(moves.indexOf(pv[0]), 1);
        moves.unshift(pv[0]);
      }
    } catch (error) {
      if (!(error instanceof TimeIsUp)) throw error;
    }
    return answer;
  }

  /**
   * Returns what the side to move can be sure of, and the moves that lead there. `alpha` and `beta` bound what matters:
   * below, the side has something better already; above, the opponent will not let it happen.
   */
  search(position, moves, depth, alpha, beta) {
    let [best, line] = [-ALL, moves.slice(0, 1)];
    for (const move of moves) {
      const [score, reply] = this.after(position.play(move), depth - 1, alpha, beta);
      if (score > best) [best, line] = [score, [move, ...reply]];
      alpha = Math.max(alpha, score);
      if (alpha >= beta) break;
    }
    return [best, line];
  }

  /** Returns what the side that has just moved can be sure of. */
  after(position, depth, alpha, beta) {
    this.nodes += 1;
    if (this.nodes % 256 === 0 && this.turn.timeIsUp()) throw new TimeIsUp();
    if (position === null) return [0, []]; // a sowing that never ends is a draw
    const me = 1 - position.side;
    const lead = 100 * (position.score(me) - position.score(1 - me));
    const kigogo = position.game === KIGOGO;
    // A position that came back ends the game: drawn, or counted.
    if (this.turn.seen(position)) return [kigogo ? 0 : lead, []];
    const moves = position.legalMoves();
    // Who cannot move loses in Bao Kigogo, the sooner the better; in Bao Kingulu the seeds are counted.
    if (moves.length === 0) return [kigogo ? WIN + depth : lead, []];
    if (depth === 0) return [guess(position, me) - guess(position, 1 - me), []];
    const [score, line] = this.search(position, moves, depth, -beta, -alpha);
    return [-score, line];
  }
}

run(new GreedyBot());
