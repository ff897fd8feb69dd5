// All that a bot for the Bao referee needs, except its ideas. Node 18 or later, no packages.
//
// Copy this file beside your bot. A bot is a class with one method:
//
//     import { Bot, run } from "./bao_bot.mjs";
//
//     class MyBot extends Bot {
//       name = "my-bot";
//       choose(turn) {
//         return this.random.of(turn.legal);
//       }
//     }
//
//     run(new MyBot());
//
// `run` talks with the referee: handshake, options, pings, clocks, `verify`, the end. `Position` knows the rules of both
// games: `Position.parse` reads one, `children` plays every legal move. See greedy_bot.mjs for a search, docs/BOTS.md for
// the guide, and PROTOCOL.md for what goes over the pipes.
//
// From the command line (besides being started by the referee):
//     node my_bot.mjs --seed 7               sets an option as the referee would
//     node my_bot.mjs perft bao-kigogo 3     counts the sequences of three moves, to check and to time the rules

import { createInterface } from "node:readline";

export const KIGOGO = "bao-kigogo";
export const KINGULU = "bao-kingulu";

export const SOUTH = 0;
export const NORTH = 1;
const SIDES = "SN";

/** No option goes beyond this number. */
const MOST = Number.MAX_SAFE_INTEGER;

// --- Bots ------------------------------------------------------------------------------------------------------------

/** A bot. Give it a `name` and a `choose`; everything else may stay as it is. */
export class Bot {
  name = "nameless";
  version = "0.1";
  author = "";
  games = [KIGOGO, KINGULU];

  /**
   * What an organiser may set: objects { name, default, min?, max?, choices? }. The kind follows from the type of `default`:
   * a number (whole), a boolean or a text. Besides these, every bot has the option `seed`.
   */
  options = [];

  /** Whether each `go` brings the game's moves so far, as `turn.go.moves`. */
  history = false;

  /** The options' values by their names. */
  settings = {};

  /** Chance that follows from the option `seed` and the game, so that a game can be repeated; by seed 0 it cannot. */
  random = new Random(0, "");

  /**
   * Chooses a move; your clock runs.
   *
   * @param {Turn} turn
   * @returns {string | object | Promise<string | object>} one of `turn.legal`, or { move, depth, score, nodes, pv, text }
   *   with whatever you thought, or `RESIGN`
   */
  choose(turn) {
    throw new Error("a bot needs a method choose");
  }

  /** Prepares for a game (the message `new_game`, as it came). No clock runs, but 10 s are all that there is. */
  newGame(game) {}

  /** Learns how a game ended (the message `game_over`, as it came). */
  gameOver(end) {}
}

/** Resigns, as an answer. */
export const RESIGN = { move: null };

/** A request to move. */
export class Turn {
  constructor(position, message, past, clock, started) {
    /** @type {Position} */
    this.position = position;
    /** The legal moves, at least one, by the names of the pits to lift. @type {string[]} */
    this.legal = message.legal.split(" ");
    /** The keys (`Position.key`) of this game's positions so far. @type {Set<string>} */
    this.past = past;
    /** A sensible time for this move, from the clock of whichever kind; see `budgetMs`. */
    this.budgetMs = budgetMs(clock, message);
    /** The message `go` as it came: `you_ms`, `opponent_ms`, `deadline_ms`, `last`, `ply` and so on. */
    this.go = message;
    /** The clock that `new_game` announced: `kind` and so on. */
    this.clock = clock;
    /** When the message was read, by performance.now(). */
    this.started = started;
  }

  /** Returns whether a position was in this game before: it would end the game. */
  seen(position) {
    return this.past.has(position.key());
  }

  /** Returns how long this move has taken. */
  elapsedMs() {
    return performance.now() - this.started;
  }

  /** Returns whether this move has taken its budget. */
  timeIsUp() {
    return this.elapsedMs() >= this.budgetMs;
  }

  /**
   * Reports what you think so far; never needed, and seldom is better than often.
   *
   * @param {{depth?: number, score?: number, nodes?: number, pv?: string[], text?: string}} thought
   *   `score` in hundredths of a seed, above zero is good for you; `pv` the moves that you expect, your own first
   */
  tell(thought) {
    say({ type: "info", id: this.go.id, ...fields(thought) });
  }
}

/**
 * Shares out the time: a fortieth of what is left and half of what comes back, by the kind of the clock. Every division
 * rounds down.
 */
export function budgetMs(clock, go) {
  const deadline = go.deadline_ms;
  // The way to the referee and a busy machine take time, too.
  let most = deadline - Math.min(200, 10 + part(deadline, 10), part(deadline, 4));
  let share = part(go.you_ms, 40) + part(go.increment_ms, 2);
  switch (clock.kind) {
    case "none":
      share = 1000;
      break;
    case "move_time":
      share = most; // nothing is saved up
      break;
    case "classical":
      share = part(go.you_ms, go.moves_to_go + 1) + part(go.increment_ms, 2);
      break;
    case "byoyomi":
      share += part(clock.period_ms * 3, 4); // within a period a move is free
      break;
    case "delay":
      share += part(clock.delay_ms * 3, 4);
      break;
    default:
      most = part(deadline, 2);
  }
  return Math.max(1, Math.min(share, most));
}

const part = (whole, parts) => Math.floor(whole / parts);

/** Chance that can be repeated. */
export class Random {
  constructor(seed, gameId) {
    this.state = 0;
    const text = seed === 0 ? `${Math.random()}` : `${seed} ${gameId}`;
    for (let at = 0; at < text.length; at++) {
      this.state ^= text.charCodeAt(at);
      this.next();
    }
  }

  /** Returns a whole number from 0 to 2^32 - 1. */
  next() {
    this.state = (this.state + 0x9e3779b9) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  /** Returns a whole number from 0 to `end` - 1. */
  below(end) {
    return Math.floor((this.next() / 2 ** 32) * end);
  }

  /** Returns any item of a list. */
  of(list) {
    return list[this.below(list.length)];
  }

  /** Brings a list into any order. */
  shuffle(list) {
    for (let end = list.length; end > 1; end--) {
      const at = this.below(end);
      [list[at], list[end - 1]] = [list[end - 1], list[at]];
    }
    return list;
  }
}

// --- The conversation --------------------------------------------------------------------------------------------------

/** Writes one message. On a pipe node writes at once. */
function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

/** Writes a line for the record. */
export function log(text, level = "info") {
  say({ type: "log", level, text });
}

/** Returns the fields of a thought as the referee wants them: whole numbers, moves with spaces between. */
function fields({ depth, score, nodes, pv, text }) {
  const found = {};
  for (const [name, number] of Object.entries({ depth, score, nodes })) {
    if (Number.isFinite(number)) found[name] = Math.round(number);
  }
  if (pv?.length) found.pv = pv.join(" ");
  if (text) found.text = text;
  return found;
}

/** Talks with the referee until it says `bye` or closes the pipe. */
export async function run(bot) {
  const options = [{ name: "seed", default: 0, min: 0, max: MOST }, ...bot.options];
  bot.settings = Object.fromEntries(options.map((option) => [option.name, option.default]));
  if (!readArguments(bot, options, process.argv.slice(2))) return;
  // Only messages may go to standard output; what your bot prints goes to standard error.
  console.log = console.info = console.debug = console.error;
  const talk = new Talk(bot, options);
  for await (const line of createInterface({ input: process.stdin })) {
    const now = performance.now();
    if (line.trim() === "") continue;
    const message = JSON.parse(line);
    if (message.type === "bye") break;
    // A type of a later version has no method here and needs no answer.
    await talk[`on_${message.type}`]?.(message, now);
  }
  process.exit();
}

/** One method for every type of message. */
class Talk {
  constructor(bot, options) {
    this.bot = bot;
    this.options = options;
    this.game = KIGOGO;
    this.clock = {};
    this.past = new Set();
  }

  on_hello() {
    const { name, version, author, games, history } = this.bot;
    const capabilities = history ? ["verify", "history"] : ["verify"];
    const options = this.options.map((option) => ({ ...option, kind: kindOf(option), default: String(option.default) }));
    say({ type: "hello", protocol: 1, name, version, author, games, capabilities, options });
  }

  on_set_option(message) {
    const wrong = setOption(this.bot, this.options, message.name, message.value);
    if (wrong) log(wrong, "warn");
  }

  async on_new_game(message) {
    this.game = message.game;
    this.clock = message.clock;
    this.past = new Set([Position.parse(this.game, message.position).key()]);
    this.bot.random = new Random(this.bot.settings.seed, message.game_id);
    await this.bot.newGame(message);
    say({ type: "ready", id: message.id });
  }

  async on_go(message, now) {
    const position = Position.parse(this.game, message.position);
    this.past.add(position.key());
    const turn = new Turn(position, message, this.past, this.clock, now);
    const chosen = await this.bot.choose(turn);
    const answer = typeof chosen === "string" ? { move: chosen } : chosen;
    if (answer.move === null) {
      say({ type: "resign", id: message.id });
      return;
    }
    const info = fields(answer);
    const thought = Object.keys(info).length > 0 ? { info } : {};
    say({ type: "move", id: message.id, move: answer.move, ...thought });
    // The opponent's clock runs now. What comes after its move is in the next `go`.
    const after = turn.legal.includes(answer.move) ? position.play(answer.move) : null;
    if (after) this.past.add(after.key());
  }

  on_ping(message) {
    say({ type: "pong", id: message.id });
  }

  on_verify(message) {
    const position = Position.parse(message.game, message.position);
    const solution = { type: "solution", id: message.id };
    if (message.move === undefined) {
      solution.legal = position.legalMoves().join(" ");
    } else {
      const after = position.play(message.move);
      solution.position = after && String(after);
      solution.over = !after || after.isOver();
    }
    say(solution);
  }

  on_fault(message) {
    console.error(`lost by ${message.code}: ${message.detail}`);
  }

  on_game_over(message) {
    this.bot.gameOver(message);
  }
}

function kindOf(option) {
  if (option.choices) return "choice";
  return { number: "integer", boolean: "boolean" }[typeof option.default] ?? "string";
}

/**
 * Returns the value that a text of the referee gives an option, and what is wrong with that text, or "". A number out of
 * bounds is brought within them; any other text that cannot be leaves the present value.
 */
function readOption(option, text, present) {
  switch (kindOf(option)) {
    case "integer": {
      const { min = -MOST, max = MOST } = option;
      if (!/^-?[0-9]+$/.test(text)) return [present, "must be a whole number"];
      const number = Number(text);
      const nearest = Math.min(Math.max(number, min), max);
      return [nearest, nearest === number ? "" : `must be from ${min} to ${max}`];
    }
    case "boolean":
      if (text === "true" || text === "false") return [text === "true", ""];
      return [present, "must be true or false"];
    case "choice":
      if (option.choices.includes(text)) return [text, ""];
      return [present, `must be one of ${option.choices.join(" ")}`];
    default:
      return [text, ""];
  }
}

/** Sets an option; gives what is wrong with the text, or "". */
function setOption(bot, options, name, text) {
  const option = options.find((option) => option.name === name);
  if (!option) return `option ${name} is unknown; the options are ${options.map(({ name }) => name).join(" ")}`;
  const [value, wrong] = readOption(option, text, bot.settings[name]);
  bot.settings[name] = value;
  return wrong && `option ${name} ${wrong}`;
}

/** Reads the command line; returns whether there is a conversation to follow. */
function readArguments(bot, options, words) {
  if (words[0] === "perft" && words.length === 3) {
    for (let depth = 1; depth <= Number(words[2]); depth++) {
      const start = performance.now();
      const count = perft(Position.start(words[1]), depth);
      console.log(`${depth} ${count} (${Math.round((count / (performance.now() - start)) * 1000)}/s)`);
    }
    return false;
  }
  for (let at = 0; at < words.length; at += 2) {
    const pair = words.slice(at, at + 2);
    const isPair = pair.length === 2 && pair[0].startsWith("--");
    const wrong = isPair ? setOption(bot, options, pair[0].slice(2), pair[1]) : "not --OPTION VALUE";
    if (wrong) {
      console.error(`${bot.name}: ${pair.join(" ")}: ${wrong}`);
      process.exit(2);
    }
  }
  return true;
}

// --- The rules ---------------------------------------------------------------------------------------------------------

/** A position of either game. It never changes; moves give new ones. */
export class Position {
  /**
   * @param {number} side who is to move: SOUTH or NORTH
   * @param {number[][]} pits the seeds by side, in sowing order
   * @param {number[]} captured the seeds that each side has captured, or in its bank
   * @param {boolean[][]} reserved Bao Kingulu: whether each pit of each side's row is reserved, for the side in whose
   *   row it is not
   */
  constructor(side, pits, captured, reserved) {
    this.side = side;
    this.pits = pits;
    this.captured = captured;
    this.reserved = reserved;
  }

  /** Makes the usual start position of a game. */
  static start(game) {
    if (game === KIGOGO) {
      const pits = () => [...Array(23).fill(2), 0];
      return new Kigogo(SOUTH, [pits(), pits()], [0, 0], NOWHERE);
    }
    return new Kingulu(SOUTH, [Array(6).fill(4), Array(6).fill(4)], [0, 0], [Array(6).fill(false), Array(6).fill(false)]);
  }

  /** Reads a position text of the referee. */
  static parse(game, text) {
    const kind = game === KIGOGO ? Kigogo : Kingulu;
    const [board, side, south, north] = text.split(" ");
    const found = {};
    board.split("/").forEach((row, number) => {
      row.split(",").forEach((pit, place) => (found[kind.rows[number][place]] = pit));
    });
    const pits = kind.names.map((names) => names.map((name) => parseInt(found[name], 10)));
    const reserved = kind === Kigogo ? NOWHERE : kind.names.map((names) => names.map((name) => found[name].endsWith("*")));
    return new kind(SIDES.indexOf(side), pits, [Number(south), Number(north)], reserved);
  }

  /** Writes the position as the referee does. */
  toString() {
    const { names, rows } = this.constructor;
    const found = {};
    for (const side of [SOUTH, NORTH]) {
      names[side].forEach((name, pit) => {
        found[name] = this.pits[side][pit] + (this.reserved[side][pit] ? "*" : "");
      });
    }
    const board = rows.map((row) => row.map((name) => found[name]).join(",")).join("/");
    return `${board} ${SIDES[this.side]} ${this.captured[SOUTH]} ${this.captured[NORTH]}`;
  }

  /** Returns what makes a position the same as an earlier one by the rule of repetition. */
  key() {
    const [south, north] = this.pits;
    return String.fromCharCode(this.side, ...south, ...north, ...this.reserved[SOUTH], ...this.reserved[NORTH]);
  }

  /** Lists the legal moves in sowing order. Without any, the game is over. @returns {string[]} */
  legalMoves() {
    return this.children().map(([move]) => move);
  }

  /**
   * Plays every legal move: its name and the position after it, null if its sowing never ends (a draw).
   *
   * @returns {[string, Position | null][]}
   */
  children() {
    throw new Error("a position must be one of Kigogo or Kingulu");
  }

  /** Plays a legal move. Null: its sowing never ends, which draws the game (Bao Kigogo only). @returns {Position | null} */
  play(move) {
    const pit = this.constructor.names[this.side].indexOf(move);
    const after = this.mayLift(pit) ? this.sow(pit) : undefined;
    if (after === undefined) throw new Error(`${move} is not legal in ${this}`);
    return after;
  }

  /** Returns whether the side to move has no legal move. */
  isOver() {
    return this.legalMoves().length === 0;
  }

  /** Counts a side's seeds: captured (Bao Kigogo), or as at the game's end (Bao Kingulu). */
  score(side) {
    return this.captured[side];
  }
}

const NOWHERE = [[], []];

/** A position of Bao Kigogo. A side's pits 0 to 11 are its back row, 12 to 23 its front row. */
export class Kigogo extends Position {
  /** The pits' names by side, in sowing order. */
  static names = ["BA", "ba"].map(([back, front]) => [
    ...Array.from({ length: 12 }, (_, pit) => `${back}${pit + 1}`),
    ...Array.from({ length: 12 }, (_, pit) => `${front}${12 - pit}`),
  ]);

  /** The pits' names as position texts have them: rows from top to bottom, each from left to right. */
  static rows = [
    Kigogo.names[NORTH].slice(0, 12).reverse(),
    Kigogo.names[NORTH].slice(12),
    Kigogo.names[SOUTH].slice(12).reverse(),
    Kigogo.names[SOUTH].slice(0, 12),
  ];

  get game() {
    return KIGOGO;
  }

  legalMoves() {
    return this.liftable().map((pit) => Kigogo.names[this.side][pit]);
  }

  children() {
    return this.liftable().map((pit) => [Kigogo.names[this.side][pit], this.sow(pit)]);
  }

  mayLift(pit) {
    return this.liftable().includes(pit);
  }

  liftable() {
    const pits = this.pits[this.side];
    const several = [];
    for (let pit = 0; pit < 24; pit++) if (pits[pit] > 1) several.push(pit);
    if (several.length > 0) return several;
    // A single seed moves only if there is nothing else, and only into an empty pit.
    return pits.flatMap((seeds, pit) => (seeds === 1 && pits[(pit + 1) % 24] === 0 ? [pit] : []));
  }

  sow(at) {
    const [me, they] = [this.side, 1 - this.side];
    const [start, before] = [at, this.pits[me]];
    const mine = before.slice();
    for (;;) {
      const seeds = mine[at];
      mine[at] = 0;
      for (let seed = 0; seed < seeds; seed++) {
        at = at === 23 ? 0 : at + 1;
        mine[at] += 1;
      }
      if (mine[at] === 1) break;
      if (isEndless(start, before, at, mine)) return null;
    }
    let theirs = this.pits[they];
    let captured = this.captured;
    if (at >= 12 && theirs[35 - at] > 0) {
      // The front pit across, and the back pit behind it.
      const [front, back] = [35 - at, at - 12];
      captured = captured.slice();
      captured[me] += theirs[front] + theirs[back];
      theirs = theirs.slice();
      theirs[front] = theirs[back] = 0;
    }
    return new Kigogo(they, me === SOUTH ? [mine, theirs] : [theirs, mine], captured, NOWHERE);
  }
}

/** A position of Bao Kingulu. */
export class Kingulu extends Position {
  static names = ["A", "a"].map((row) => Array.from({ length: 6 }, (_, pit) => `${row}${pit + 1}`));
  static rows = [Kingulu.names[NORTH].slice().reverse(), Kingulu.names[SOUTH]];

  get game() {
    return KINGULU;
  }

  children() {
    const children = [];
    for (let pit = 0; pit < 6; pit++) {
      const after = this.mayLift(pit) ? this.sow(pit) : undefined;
      if (after) children.push([Kingulu.names[this.side][pit], after]);
    }
    return children;
  }

  score(side) {
    let seeds = this.captured[side];
    for (let pit = 0; pit < 6; pit++) {
      if (!this.reserved[side][pit]) seeds += this.pits[side][pit];
      if (this.reserved[1 - side][pit]) seeds += this.pits[1 - side][pit];
    }
    return seeds;
  }

  mayLift(pit) {
    return this.pits[this.side][pit] > 0 && !this.reserved[this.side][pit];
  }

  /** Plays the move that lifts the own pit number `at`; undefined if it is not legal. */
  sow(at) {
    const [me, they] = [this.side, 1 - this.side];
    // The mover's row is 0 to 5, the other 6 to 11.
    const [start, before] = [at, this.pits[me].concat(this.pits[they])];
    const pits = before.slice();
    const reserved = this.reserved[me].concat(this.reserved[they]);
    const captured = this.captured.slice();
    for (let first = true; ; first = false) {
      const seeds = pits[at];
      pits[at] = 0;
      for (let seed = 0; seed < seeds; seed++) {
        at = at === 11 ? 0 : at + 1;
        if (!reserved[at]) pits[at] += 1;
        else captured[at < 6 ? they : me] += 1;
      }
      if (reserved[at]) break;
      if (pits[at] === 1) {
        const across = 11 - at;
        if (at < 6 && pits[across] > 0 && !reserved[across]) {
          captured[me] += pits[across] + 1;
          pits[across] = pits[at] = 0;
        }
        break;
      }
      if (at >= 6 && pits[at] === 4) {
        reserved[at] = true;
        if (seeds > 1 && !reserved[at - 1]) {
          pits[at - 1] -= 1;
          pits[at] = 5;
        }
        break;
      }
      if (at < 6 && first) return undefined;
      if (isEndless(start, before, at, pits)) return undefined;
    }
    const bySide = (list) => (me === SOUTH ? [list.slice(0, 6), list.slice(6)] : [list.slice(6), list.slice(0, 6)]);
    return new Kingulu(they, bySide(pits), captured, bySide(reserved));
  }
}

/**
 * Returns whether a sowing that began by lifting `start` will never end: the pits and the pit to lift are as they were.
 *
 * That is exact, and no limit on the laps would be: a sowing may have a million laps and end. From the state after a lap
 * the one before can be told (the lifted pit is the nearest, looking back from the last seed, with the fewest seeds), so
 * that no two lead to the same; the first state that comes back is therefore the first of all.
 */
function isEndless(start, before, at, pits) {
  return at === start && pits.every((seeds, pit) => seeds === before[pit]);
}

/** Counts the sequences of `depth` legal moves; a sowing that never ends is a last move. */
export function perft(position, depth) {
  if (depth === 0) return 1;
  if (depth === 1) return position.legalMoves().length;
  let count = 0;
  for (const [, after] of position.children()) if (after) count += perft(after, depth - 1);
  return count;
}
