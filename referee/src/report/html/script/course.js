// The course of a game. This file knows no game: the boards are in the page, and the moves in the tables say how many laps
// each has, what is taken and what is reserved; what is left is counting seeds around a track.
const GAMES = JSON.parse(at("boards").textContent);
const other = (side) => (side === "S" ? "N" : "S");
const owner = (pit) => (pit[0] < "a" ? "S" : "N");

// A state of the board: seeds by pit, who reserved a pit, what each side has gained, whose turn it is.
const parse = (game, text) => {
  const [board, side, south, north] = text.split(" ");
  const state = { seeds: {}, reserved: {}, gained: { S: +south, N: +north }, side };
  board.split("/").forEach((cells, r) =>
    cells.split(",").forEach((cell, c) => {
      const pit = game.rows[r][c];
      state.seeds[pit] = parseInt(cell, 10);
      if (cell.endsWith("*")) state.reserved[pit] = other(owner(pit));
    }),
  );
  return state;
};
const copy = (state) => ({
  seeds: { ...state.seeds },
  reserved: { ...state.reserved },
  gained: { ...state.gained },
  side: state.side,
});
const written = (game, state) =>
  game.rows.map((pits) => pits.map((p) => state.seeds[p] + (state.reserved[p] ? "*" : "")).join(",")).join("/") +
  ` ${state.side} ${state.gained.S} ${state.gained.N}`;

const MOVE = /^(\w+?)(?::(\d+|~))?(?:x([\w,]+))?(?:\*(\w+))?(?:<(\w+))?(?:\?(\d+))?$/;
const readMove = (token) => {
  const [, pit, laps, taken, reserved, added, given] = MOVE.exec(token);
  return {
    token,
    pit,
    endless: laps === "~",
    laps: laps === "~" ? 0 : +(laps || 1),
    taken: taken ? taken.split(",") : [],
    reserved,
    added,
    given: +(given || 0),
  };
};

// A move while it is made: lap by lap, seed by seed.
class Walk {
  constructor(game, before, move) {
    this.track = game.tracks[before.side];
    this.state = copy(before);
    this.laps = 0; // how many are over
    this.drops = -1; // how many seeds of this lap have fallen; -1 before it lifts its pit
    this.from = move.pit;
    this.last = null;
    this.reached = [];
    this.banked = null; // whose bank the last seed fell into
  }
  lift() {
    this.hand = this.state.seeds[this.from];
    this.lifted = this.hand;
    this.state.seeds[this.from] = 0;
    this.place = this.track.indexOf(this.from);
    this.drops = 0;
    this.reached = [];
    this.banked = null;
  }
  drop() {
    const { state, track } = this;
    this.place = (this.place + 1) % track.length;
    const pit = track[this.place];
    this.banked = pit === null ? state.side : state.reserved[pit] || null;
    if (this.banked) state.gained[this.banked]++;
    else state.seeds[pit]++;
    if (pit !== null) this.reached.push(pit);
    this.hand--;
    this.drops++;
    this.last = pit;
  }
  // Ends the lap that has no seed left; gives what it was.
  end() {
    const lap = { from: this.from, lifted: this.lifted, reached: this.reached, last: this.last };
    this.laps++;
    this.drops = -1;
    this.from = this.last;
    return lap;
  }
  lap() {
    if (this.drops < 0) this.lift();
    while (this.hand > 0) this.drop();
    return this.end();
  }
}

// Plays a whole move; gives its laps, what it takes, and the state after it.
const play = (game, before, move) => {
  const walk = new Walk(game, before, move);
  const laps = [];
  while (laps.length < move.laps) laps.push(walk.lap());
  const { state } = walk;
  const taken = [];
  if (!move.endless) {
    for (const pit of move.taken) {
      taken.push([pit, state.seeds[pit]]);
      state.gained[state.side] += state.seeds[pit];
      state.seeds[pit] = 0;
    }
    if (move.reserved) state.reserved[move.reserved] = state.side;
    if (move.added) {
      state.seeds[move.added]--;
      state.seeds[move.reserved]++;
    }
    state.side = other(state.side);
  }
  return { before, state, laps, taken };
};

// How many laps of a move can be over before its end: all where more follows them.
const within = (move) => (move.endless ? 0 : Math.max(0, move.laps - 1 + (move.taken.length || move.reserved ? 1 : 0)));
