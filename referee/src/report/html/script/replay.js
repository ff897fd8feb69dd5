// Steps through the games of this page: by seed, by lap, by move; by buttons, keys, slider, address.
(() => {
  let shown = null; // the game on the board, and how far it is shown
  let timer = null;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const seeds = (n) => T(n === 1 ? "1 seed" : "seeds", { n });
  const by = (side) => T("by", { side: T(side), name: shown.names[side] });

  // What was noted of each move: milliseconds taken, clock left, depth, score, then perfect play where it is known.
  const readSaid = (text, count) => {
    const number = (field) => (field === undefined || field === "" ? null : +field);
    const rows = text ? text.split(";") : [];
    return Array.from({ length: count }, (_, i) => {
      const [used, clock, depth, score, best, moves, pv] = (rows[i] || "").split(",");
      const [words, line] = [moves || "", pv || ""];
      return { used: number(used), clock: number(clock), depth: number(depth), score: number(score), best: number(best), moves: words, pv: line };
    });
  };

  const begin = (key, game, start, tokens, said, names, end) => {
    const moves = tokens.map(readMove);
    const states = [parse(game, start)];
    const plays = moves.map((move) => {
      const played = play(game, states[states.length - 1], move);
      states.push(played.state);
      return played;
    });
    shown = { key, game, moves, states, plays, names, end, said: readSaid(said, moves.length), ply: 0, walk: null };
    shown.board = new Board(at("board"), game);
    at("north-name").textContent = names.N;
    at("south-name").textContent = names.S;
    at("slider").max = moves.length;
    at("moves").replaceChildren(
      ...moves.map((move, i) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.className = states[i].side;
        button.textContent = move.token;
        if (move.given) button.classList.add("given");
        button.addEventListener("click", () => step(() => go(i + 1, 0)));
        item.append(button);
        return item;
      }),
    );
    shown.cursor = drawCurve(at("curve"), shown, (ply, laps) => step(() => go(ply, laps)));
    at("replay").hidden = false;
  };

  const load = (number) => {
    const tr = at("game-" + number);
    const code = tr && tr.querySelector("code");
    if (!code) return false;
    const game = GAMES[tr.dataset.game];
    const cell = (name) => tr.querySelector("." + name).textContent;
    const end = T("ended", { result: cell("result"), reason: TEXTS["reason " + cell("reason").split(" ")[0]] || cell("reason") });
    const names = { S: cell("south"), N: cell("north") };
    begin(number, game, tr.dataset.position || game.start, code.textContent.split(" ").filter(Boolean), tr.dataset.said, names, end);
    at("replay-title").textContent = T("game", { number, title: game.title });
    document.querySelectorAll("#list tr.current").forEach((old) => old.classList.remove("current"));
    tr.classList.add("current");
    const batch = tr.closest("details.batch");
    if (batch) batch.open = true;
    return true;
  };
  const loadExample = (name) => {
    const game = GAMES[name];
    if (!game || !game.example) return false;
    begin(name, game, game.start, game.example.split(" "), "", { S: T("S"), N: T("N") }, T("example over"));
    at("replay-title").textContent = T("example", { title: game.title });
    return true;
  };

  const describe = (move, played) => {
    const { side } = played.before;
    let text = T("lifts", { who: by(side), pit: move.pit });
    if (move.endless) return text + T("endless");
    if (move.laps > 1) text += T("in laps", { n: move.laps });
    if (played.taken.length) text += T("takes", { pits: played.taken.map(([pit, n]) => `${pit} (${n})`).join(", ") });
    if (move.reserved) text += T("reserves", { pit: move.reserved });
    if (move.added) text += T("adds", { pit: move.added });
    for (const each of ["S", "N"]) {
      const taken = each === side ? played.taken.reduce((sum, [, n]) => sum + n, 0) : 0;
      const banked = played.state.gained[each] - played.before.gained[each] - taken;
      if (banked > 0) text += T("banked", { seeds: seeds(banked), side: T(each) });
    }
    return text + ".";
  };
  const seconds = (ms) => {
    if (ms >= 60000) return `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;
    if (ms < 0.1) return "< 0.1 ms";
    return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`;
  };
  const signed = (score) => (score < 0 ? "−" : "+") + Math.abs(score / 100).toFixed(2);

  // What the bot of a move said of it, and what perfect play says.
  const saidOf = (ply) => {
    const [said, move] = [shown.said[ply], shown.moves[ply]];
    const parts = [];
    if (said.used !== null) parts.push(T("took", { time: seconds(said.used) }));
    if (said.depth !== null) parts.push(T("depth", { depth: said.depth }));
    if (said.score !== null) parts.push(T("score", { score: signed(said.score) }));
    if (said.pv) parts.push(T("pv", { moves: said.pv }));
    let text = parts.length ? `${shown.names[shown.plays[ply].before.side]}: ${parts.join("; ")}.`.replace("….", "…") : "";
    if (move.given) text += " " + T("given", { seeds: seeds(move.given) });
    if (said.moves) text += " " + T("perfect", { moves: said.moves.replaceAll("|", ", "), score: (said.best < 0 ? "−" : "+") + Math.abs(said.best) });
    return text.trim();
  };

  // Shows what is to be seen now. `ms` is how long the hand takes to its pit.
  const show = (ms = 0) => {
    const { ply, walk, moves, states, plays, board, game, names } = shown;
    const marks = {};
    const mark = (pit, name) => (marks[pit] ||= []).push(name);
    const inside = walk !== null;
    const index = inside ? ply : ply - 1;
    const [move, played] = [moves[index], plays[index]];
    const state = inside ? walk.state : states[ply];
    const laps = inside ? walk.laps : 0;
    let caption;
    if (inside && walk.drops >= 0) {
      walk.reached.forEach((pit) => mark(pit, "sown"));
      mark(walk.from, "from");
      if (walk.drops > 0) mark(walk.last, "last");
      const lap = T("lap of", { move: ply + 1, lap: laps + 1, laps: move.laps });
      const drop = walk.banked
        ? T("into bank", { pit: walk.last || "", side: T(walk.banked) })
        : T("drops", { n: walk.drops, of: walk.lifted, pit: walk.last });
      caption = lap + " " + (walk.drops ? drop : T("hand lifts", { pit: walk.from, seeds: seeds(walk.lifted) }));
      board.carry(walk.hand, walk.drops ? walk.last : walk.from, state.side, ms);
    } else if (inside) {
      const lap = played.laps[laps - 1];
      lap.reached.forEach((pit) => mark(pit, "sown"));
      mark(lap.from, "from");
      mark(lap.last, "last");
      const last = lap.last || T("the bank");
      caption = T("lap of", { move: ply + 1, lap: laps, laps: move.laps }) + " " + T("lap", { pit: lap.from, seeds: seeds(lap.lifted), last });
      if (laps < move.laps) caption += " " + T("relay", { pit: last });
      board.carry(0);
    } else {
      board.carry(0);
      if (ply) {
        played.laps.forEach((each) => each.reached.forEach((pit) => mark(pit, "sown")));
        mark(move.pit, "from");
        if (played.laps.length) mark(played.laps[played.laps.length - 1].last, "last");
        played.taken.forEach(([pit]) => mark(pit, "taken"));
        if (move.reserved) mark(move.reserved, "fresh");
        caption = T("move of", { move: ply, moves: moves.length }) + " " + describe(move, played);
      } else {
        caption = T("begins", { moves: moves.length, who: by(state.side) });
      }
    }
    const over = !inside && ply === moves.length;
    at("caption").textContent = caption;
    at("said").textContent = index >= 0 && !inside ? saidOf(index) : "";
    at("turn").textContent = over ? shown.end : T("turn", { who: by(state.side) });
    at("turn").className = over ? "over" : state.side;
    board.show(state, marks);
    const position = written(game, state);
    board.svg.setAttribute("aria-label", T("board", { position }));
    at("position").textContent = position;
    for (const side of ["S", "N"]) {
      const id = side === "S" ? "south" : "north";
      at(id + "-seeds").textContent = `${T(side)} · ${state.gained[side]} ${TEXTS["gained " + game.gained] || game.gained}`;
      at(id + "-player").classList.toggle("turn", !over && state.side === side);
      at(id + "-player").classList.toggle("gains", !inside && ply > 0 && state.gained[side] > states[ply - 1].gained[side]);
      let clock = null;
      for (let i = ply - 1; i >= 0 && clock === null; i--) if (plays[i].before.side === side) clock = shown.said[i].clock;
      at(id + "-clock").textContent = clock === null ? "" : T("clock", { time: seconds(clock) });
    }
    at("slider").value = ply;
    at("slider").setAttribute("aria-valuetext", caption);
    if (shown.cursor) shown.cursor(inside ? ply + 1 : ply);
    showLists(index, played, laps);
    const start = ply === 0 && !inside;
    // Not truly disabled: that would take the focus away, and the keys with it.
    for (const id of ["first", "back", "back-lap", "back-seed"]) at(id).setAttribute("aria-disabled", start);
    for (const id of ["last", "forward", "forward-lap", "forward-seed"]) at(id).setAttribute("aria-disabled", over);
  };

  const MOST_LAPS = 60;
  let listed = null;
  const showLists = (index, played, laps) => {
    const list = at("moves");
    const old = list.querySelector("[aria-current]");
    if (old) old.removeAttribute("aria-current");
    const current = list.children[index];
    if (current) {
      current.firstChild.setAttribute("aria-current", "step");
      list.scrollTop = current.offsetTop - list.clientHeight / 2;
    } else list.scrollTop = 0;
    if (listed !== played) {
      listed = played;
      const all = played ? played.laps : [];
      const items = all.slice(0, MOST_LAPS).map((lap) => T("lap short", { pit: lap.from, n: lap.lifted, last: lap.last || T("the bank") }));
      if (all.length > MOST_LAPS) items.push(T("more", { n: all.length - MOST_LAPS }));
      at("laps").replaceChildren(...items.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
      at("laps-title").hidden = !items.length;
    }
    const before = at("laps").querySelector(".now");
    if (before) before.className = "";
    const now = at("laps").children[laps - 1];
    if (now) now.className = "now";
    at("laps").scrollTop = now ? now.offsetTop - 60 : 0;
  };

  // Goes to the state after so many moves, and within the next one after so many laps and seeds.
  const go = (ply, laps, drops = -1, ms = 0) => {
    const { moves, states, game } = shown;
    shown.ply = Math.max(0, Math.min(ply, moves.length));
    const move = moves[shown.ply];
    const most = move ? within(move) : 0;
    if (!move || move.endless || (laps <= 0 && drops < 0)) shown.walk = null;
    else {
      const old = shown.walk;
      const ahead = old && old.at === shown.ply && (old.laps < laps || (old.laps === laps && old.drops <= drops));
      const walk = ahead ? old : Object.assign(new Walk(game, states[shown.ply], move), { at: shown.ply });
      while (walk.laps < Math.min(laps, drops < 0 ? most : move.laps - 1)) walk.lap();
      if (drops >= 0 && walk.drops < 0) walk.lift();
      while (walk.drops < drops && walk.hand > 1) walk.drop();
      shown.walk = walk.laps || walk.drops >= 0 ? walk : null;
    }
    show(ms);
    address();
  };
  // Where the board stands: moves, laps of the next one, seeds of the next lap.
  const where = () => (shown.walk ? [shown.ply, shown.walk.laps, shown.walk.drops] : [shown.ply, 0, -1]);
  const isOver = () => shown.ply === shown.moves.length;

  const forwardSeed = (ms) => {
    const [ply, laps, drops] = where();
    if (isOver()) return;
    const move = shown.moves[ply];
    if (move.endless || laps === move.laps) go(ply + 1, 0);
    else if (drops < 0 || shown.walk.hand > 1) go(ply, laps, drops + 1, ms);
    else if (laps + 1 <= within(move)) go(ply, laps + 1);
    else go(ply + 1, 0);
  };
  const backSeed = () => {
    let [ply, laps, drops] = where();
    if (drops >= 0) return go(ply, laps, drops - 1);
    if (!laps) {
      if (!ply) return;
      ply--;
      const most = within(shown.moves[ply]);
      // Where the end of the last lap is a step of its own, that comes first.
      if (shown.moves[ply].endless || most === shown.moves[ply].laps) return go(ply, most);
      laps = shown.moves[ply].laps;
    }
    go(ply, laps - 1, shown.plays[ply].laps[laps - 1].lifted - 1);
  };
  const forwardLap = () => {
    const [ply, laps] = where();
    if (isOver()) return;
    if (laps < within(shown.moves[ply])) go(ply, laps + 1);
    else go(ply + 1, 0);
  };
  const backLap = () => {
    const [ply, laps, drops] = where();
    if (drops >= 0) go(ply, laps);
    else if (laps) go(ply, laps - 1);
    else if (ply) go(ply - 1, within(shown.moves[ply - 1]));
  };

  // Playing: one step after the other, each as long as the speed says.
  const stop = () => {
    clearTimeout(timer);
    timer = null;
    at("play").textContent = T("play");
    at("caption").setAttribute("aria-live", "polite");
  };
  const STEPS = { seed: [forwardSeed, 300], lap: [forwardLap, 900], move: [() => go(shown.ply + 1, 0), 1500] };
  const tick = () => {
    const [forward, base] = STEPS[at("pace").value];
    let ms = base / 2 ** (+at("speed").value - 3);
    // Between moves there is time to see what was taken.
    const rest = !shown.walk && at("pace").value !== "move" ? 3 : 1;
    timer = setTimeout(() => {
      forward(calm.matches ? 0 : ms * 0.8);
      if (isOver()) stop();
      else tick();
    }, ms * rest);
  };
  const start = () => {
    if (isOver()) go(0, 0);
    at("play").textContent = T("stop");
    // What changes several times a second is not read out.
    at("caption").setAttribute("aria-live", "off");
    tick();
  };
  const step = (action) => {
    stop();
    action();
  };
  stop();
  if (calm.matches) at("pace").value = "move";

  const games = () => [...document.querySelectorAll("#list tbody tr")].filter((tr) => !tr.hidden && tr.querySelector("code"));
  const neighbour = (by) => {
    const all = games();
    const next = all[all.findIndex((tr) => tr.id === "game-" + shown.key) + by];
    if (next) location.hash = `#game=${next.id.slice(5)}`;
  };
  const ACTIONS = {
    first: () => go(0, 0),
    back: () => go(shown.walk ? shown.ply : shown.ply - 1, 0),
    "back-lap": backLap,
    "back-seed": backSeed,
    "forward-seed": () => forwardSeed(calm.matches ? 0 : 150),
    "forward-lap": forwardLap,
    forward: () => go(shown.ply + 1, 0),
    last: () => go(shown.moves.length, 0),
    play: () => (timer ? stop() : start()),
    "previous-game": () => neighbour(-1),
    "next-game": () => neighbour(1),
  };
  for (const [id, action] of Object.entries(ACTIONS)) {
    at(id).addEventListener("click", () => (id === "play" ? action() : step(action)));
  }
  at("slider").addEventListener("input", (event) => step(() => go(+event.target.value, 0)));

  // Keys work on the whole page, unless that is switched off, or something else needs them: what scrolls, or is typed in.
  const KEYS = {
    ArrowLeft: "back", ArrowRight: "forward", "shift ArrowLeft": "back-lap", "shift ArrowRight": "forward-lap",
    ",": "back-seed", ".": "forward-seed", p: "play", "[": "previous-game", "]": "next-game",
  };
  const INSIDE = { ArrowDown: "back-lap", ArrowUp: "forward-lap", Home: "first", End: "last", " ": "play" };
  document.addEventListener("keydown", (event) => {
    if (!shown || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const inside = at("replay").contains(event.target);
    if (!inside && !at("anywhere").checked) return;
    const own = event.target.closest("select, textarea, input:not([type=range]):not([type=checkbox]), .wide, pre, summary, [tabindex]");
    if (own) return;
    const presses = event.key === " " && event.target.closest("button, input");
    const range = event.target.type === "range" && event.target.id !== "slider";
    const key = (event.shiftKey && event.key.startsWith("Arrow") ? "shift " : "") + event.key;
    const id = KEYS[key] || (inside ? INSIDE[key] : undefined);
    if (!id || presses || range) return;
    event.preventDefault();
    at(id).click();
  });

  // The address names the game, the move, the lap and the seed, and follows as one steps.
  const hash = () => {
    const [ply, laps, drops] = where();
    const more = laps || drops >= 0 ? `&lap=${laps}` + (drops >= 0 ? `&seed=${drops}` : "") : "";
    return (GAMES[shown.key] ? `#example=${shown.key}` : `#game=${shown.key}`) + `&ply=${ply}${more}`;
  };
  let pending = null;
  let known = location.hash; // what the address says since it was last read or written here
  const write = () => {
    // An address that somebody has just typed is read first.
    if (location.hash !== known) return;
    known = hash();
    history.replaceState(null, "", known);
  };
  const address = () => {
    if (loading) return;
    clearTimeout(pending);
    pending = setTimeout(write, 200);
  };
  const wanted = () => {
    const short = /^#game-(\d+)(?:-(\d+))?(?:-(\d+))?$/.exec(location.hash);
    if (short) return { game: short[1], ply: +(short[2] || 0), lap: +(short[3] || 0), seed: -1 };
    const words = new URLSearchParams(location.hash.slice(1));
    const number = (name, none) => (/^\d+$/.test(words.get(name) || "") ? +words.get(name) : none);
    return { game: words.get("game"), example: words.get("example"), ply: number("ply", 0), lap: number("lap", 0), seed: number("seed", -1) };
  };
  let loading = true;
  const follow = () => {
    known = location.hash;
    const { game, example, ply, lap, seed } = wanted();
    if (!game && !example) return false;
    stop();
    clearTimeout(pending);
    const key = game || example;
    if ((!shown || shown.key !== key) && !(game ? load(game) : loadExample(example))) return false;
    go(ply, lap, seed);
    at("replay").scrollIntoView({ block: "start" });
    return true;
  };
  addEventListener("hashchange", follow);
  for (const button of document.querySelectorAll("[data-example]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      location.hash = `#example=${button.dataset.example}`;
      follow();
      at("pace").value = calm.matches ? "move" : "seed";
      start();
    });
  }
  at("copy").addEventListener("click", async () => {
    clearTimeout(pending);
    write();
    const done = () => (at("copied").textContent = T("copied"));
    try {
      await navigator.clipboard.writeText(location.href);
      done();
    } catch {
      // Where the clipboard is closed to pages, the address can be taken from here.
      at("copied").textContent = location.href;
    }
  });
  if (!follow()) {
    const first = games().find((tr) => +tr.dataset.plies) || games()[0];
    if (first && load(first.id.slice(5))) go(0, 0);
  }
  loading = false;
})();
