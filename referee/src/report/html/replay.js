"use strict";
// Steps through the games of this page. It knows no game: the boards are in the page, and the moves in the table say how
// many laps each has, what is taken and what is reserved; what is left is counting seeds around a track.
(() => {
  const GAMES = JSON.parse(document.getElementById("boards").textContent);
  const SIDES = { S: "South", N: "North" };
  const other = (side) => (side === "S" ? "N" : "S");
  const owner = (pit) => (pit[0] < "a" ? "S" : "N");
  const seeds = (n) => (n === 1 ? "1 seed" : n + " seeds");
  const at = (id) => document.getElementById(id);

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
  const text = (game, state) =>
    game.rows.map((pits) => pits.map((p) => state.seeds[p] + (state.reserved[p] ? "*" : "")).join(",")).join("/") +
    ` ${state.side} ${state.gained.S} ${state.gained.N}`;

  const MOVE = /^(\w+?)(?::(\d+|~))?(?:x([\w,]+))?(?:\*(\w+))?(?:<(\w+))?(?:!(\d+))?$/;
  const readMove = (token) => {
    const [, pit, laps, taken, reserved, added, given] = MOVE.exec(token);
    return {
      pit,
      endless: laps === "~",
      laps: laps === "~" ? 0 : +(laps || 1),
      taken: taken ? taken.split(",") : [],
      reserved,
      added,
      given,
    };
  };

  // Sows one lap from a pit; tells which pits it reached and how many seeds it lifted.
  const sow = (game, state, from) => {
    const track = game.tracks[state.side];
    const lifted = state.seeds[from];
    let place = track.indexOf(from);
    state.seeds[from] = 0;
    const reached = [];
    for (let n = 0; n < lifted; n++) {
      place = (place + 1) % track.length;
      const pit = track[place];
      if (pit === null) state.gained[state.side]++;
      else if (state.reserved[pit]) state.gained[state.reserved[pit]]++;
      else state.seeds[pit]++;
      if (pit !== null) reached.push(pit);
    }
    return { from, lifted, reached, last: track[place] ?? "the bank" };
  };

  // Plays up to so many laps of a move on a copy; the whole move if `most` is not given.
  const play = (game, before, move, most) => {
    const state = copy(before);
    const laps = [];
    let from = move.pit;
    while (laps.length < Math.min(move.laps, most ?? Infinity)) {
      const lap = sow(game, state, from);
      laps.push(lap);
      from = lap.last;
    }
    const result = { state, laps, taken: [], before };
    if (most === undefined && !move.endless) {
      for (const pit of move.taken) {
        result.taken.push([pit, state.seeds[pit]]);
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
    return result;
  };

  // How many steps by lap lie within a move, before its end.
  const within = (move) =>
    move.endless ? 0 : Math.max(0, move.laps - 1 + (move.taken.length || move.reserved ? 1 : 0));

  const SVG = "http://www.w3.org/2000/svg";
  const draw = (parent, name, attributes, content) => {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (content !== undefined) node.textContent = content;
    parent.append(node);
    return node;
  };
  const CELL = 60;
  const TALL = 78;

  // Draws the empty board once a game; returns the places to fill.
  const drawBoard = (game) => {
    const across = game.rows[0].length;
    const width = across * CELL + 56;
    const height = game.rows.length * TALL + 52;
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("role", "img");
    draw(svg, "rect", { class: "wood", x: 1, y: 1, width: width - 2, height: height - 2, rx: 18 });
    draw(svg, "line", { class: "middle", x1: 16, x2: width - 16, y1: height / 2, y2: height / 2 });
    const pits = {};
    game.rows.forEach((names, r) => {
      const top = 26 + r * TALL;
      draw(svg, "text", { class: "edge", x: 14, y: top + 36 }, names[0][0]);
      draw(svg, "text", { class: "edge", x: width - 14, y: top + 36 }, names[0][0]);
      names.forEach((name, c) => {
        const x = 28 + c * CELL + CELL / 2;
        if (r === 0 || r === game.rows.length - 1) {
          draw(svg, "text", { class: "edge", x, y: r === 0 ? 19 : height - 7 }, name.slice(1));
        }
        const group = draw(svg, "g", { transform: `translate(${x} ${top + 30})` });
        draw(group, "title", {}, name);
        draw(group, "circle", { class: "pit", r: 26 });
        pits[name] = { group, dots: draw(group, "g", { class: "dots" }), count: draw(group, "text", { class: "count", y: 44 }) };
        draw(group, "circle", { class: "ring", r: 26 });
      });
    });
    const place = at("board");
    place.replaceChildren(svg);
    place.className = across > 6 ? "large" : "small";
    return { svg, pits };
  };

  const fill = (pit, n, classes) => {
    pit.group.setAttribute("class", classes.join(" "));
    pit.count.textContent = n;
    pit.dots.replaceChildren();
    const gap = Math.min(6.2, 22 / Math.sqrt(n));
    for (let i = 0; i < n; i++) {
      const far = n === 1 ? 0 : gap * Math.sqrt(i + 0.5);
      draw(pit.dots, "circle", {
        cx: (far * Math.cos(i * 2.4)).toFixed(1),
        cy: (far * Math.sin(i * 2.4)).toFixed(1),
        r: Math.min(4.2, gap * 0.72).toFixed(1),
      });
    }
  };

  let shown = null; // the game on the board
  let timer = null;

  const load = (number) => {
    const tr = at("game-" + number);
    const code = tr && tr.querySelector("code");
    if (!code) return false;
    const game = GAMES[tr.dataset.game];
    const cell = (name) => tr.querySelector("." + name).textContent;
    const moves = code.textContent.split(" ").filter(Boolean).map(readMove);
    const states = [parse(game, tr.dataset.position || game.start)];
    const plays = moves.map((move) => {
      const played = play(game, states[states.length - 1], move);
      states.push(played.state);
      return played;
    });
    const names = { S: cell("south"), N: cell("north") };
    shown = { number, game, moves, states, plays, names, result: cell("result"), reason: cell("reason"), ply: 0, lap: 0 };
    shown.board = drawBoard(game);
    at("replay-title").textContent = `Game ${number} · ${game.title}`;
    at("north-name").textContent = names.N;
    at("south-name").textContent = names.S;
    at("slider").max = moves.length;
    const tokens = code.textContent.split(" ");
    at("moves").replaceChildren(
      ...moves.map((_, i) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = tokens[i];
        button.addEventListener("click", () => go(i + 1, 0));
        item.append(button);
        return item;
      }),
    );
    document.querySelectorAll("#list tr.current").forEach((old) => old.classList.remove("current"));
    tr.classList.add("current");
    const batch = tr.closest("details.batch");
    if (batch) batch.open = true;
    at("replay").hidden = false;
    return true;
  };

  const describe = (move, played, names) => {
    const side = played.before.side;
    let text = `${SIDES[side]} (${names[side]}) lifts ${move.pit}`;
    if (move.endless) return text + ": a sowing that would never end.";
    text += move.laps === 1 ? "" : `, ${move.laps} laps`;
    if (played.taken.length) text += ", takes " + played.taken.map(([pit, n]) => `${pit} (${n})`).join(" and ");
    if (move.reserved) text += `, reserves ${move.reserved}`;
    if (move.added) text += ` and adds a seed from ${move.added}`;
    for (const each of ["S", "N"]) {
      const taken = each === side ? played.taken.reduce((sum, [, n]) => sum + n, 0) : 0;
      const banked = played.state.gained[each] - played.before.gained[each] - taken;
      if (banked > 0) text += `; ${seeds(banked)} into ${SIDES[each]}'s bank on the way`;
    }
    if (move.given) text += `; it gave ${seeds(+move.given)} away against perfect play`;
    return text + ".";
  };

  const show = () => {
    const { game, ply, lap, moves, states, plays, names, board } = shown;
    const marks = {};
    const mark = (pit, name) => (marks[pit] ||= []).push(name);
    let state = states[ply];
    let caption;
    const move = moves[lap ? ply : ply - 1];
    const played = plays[lap ? ply : ply - 1];
    if (lap) {
      const part = play(game, states[ply], move, lap);
      const last = part.laps[lap - 1];
      state = part.state;
      last.reached.forEach((pit) => mark(pit, "sown"));
      mark(last.from, "from");
      mark(last.last, "last");
      caption = `Move ${ply + 1}, lap ${lap} of ${move.laps}: ${last.from} lifts ${seeds(last.lifted)}, the last one falls into ${last.last}.`;
    } else if (ply) {
      played.laps.forEach((each) => each.reached.forEach((pit) => mark(pit, "sown")));
      mark(move.pit, "from");
      if (played.laps.length) mark(played.laps[played.laps.length - 1].last, "last");
      played.taken.forEach(([pit]) => mark(pit, "taken"));
      caption = `Move ${ply} of ${moves.length}: ` + describe(move, played, names);
    } else {
      caption = `${moves.length} moves. ${SIDES[state.side]} (${names[state.side]}) begins.`;
    }
    if (ply === moves.length && !lap) caption += ` Result ${shown.result}: ${shown.reason}.`;
    at("caption").textContent = caption;
    for (const [name, pit] of Object.entries(board.pits)) {
      const reserved = state.reserved[name];
      fill(pit, state.seeds[name], ["cell", ...new Set(marks[name] || []), ...(reserved ? ["reserved", "by" + reserved] : [])]);
      pit.group.firstChild.textContent = `${name}: ${state.seeds[name]}` + (reserved ? `, reserved by ${SIDES[reserved]}` : "");
    }
    const position = text(game, state);
    board.svg.setAttribute("aria-label", `The board. Position: ${position}`);
    at("position").textContent = position;
    for (const side of ["S", "N"]) {
      const id = SIDES[side].toLowerCase();
      at(id + "-seeds").textContent = `${SIDES[side]} · ${state.gained[side]} ${game.gained}`;
      at(id + "-player").classList.toggle("turn", state.side === side && (lap > 0 || ply < moves.length));
    }
    at("slider").value = ply;
    at("slider").setAttribute("aria-valuetext", caption);
    showLists(move, played, lap);
    const [start, end] = [ply === 0 && lap === 0, ply === moves.length];
    // Not truly disabled: that would take the focus away, and the keys with it.
    for (const id of ["first", "back", "back-lap"]) at(id).setAttribute("aria-disabled", start);
    for (const id of ["last", "forward", "forward-lap"]) at(id).setAttribute("aria-disabled", end);
  };

  const MOST_LAPS = 60;
  const showLists = (move, played, lap) => {
    const list = at("moves");
    const old = list.querySelector("[aria-current]");
    if (old) old.removeAttribute("aria-current");
    const current = list.children[shown.lap ? shown.ply : shown.ply - 1];
    if (current) {
      current.firstChild.setAttribute("aria-current", "step");
      list.scrollTop = current.offsetTop - list.clientHeight / 2;
    } else list.scrollTop = 0;
    const laps = played ? played.laps : [];
    const items = laps.slice(0, MOST_LAPS).map((each, i) => {
      const item = document.createElement("li");
      item.textContent = `${each.from} lifts ${each.lifted}, to ${each.last}`;
      if (i + 1 === lap) item.className = "now";
      return item;
    });
    if (laps.length > MOST_LAPS) {
      const item = document.createElement("li");
      item.className = "more";
      item.textContent = `and ${laps.length - MOST_LAPS} more`;
      items.push(item);
    }
    at("laps").replaceChildren(...items);
    at("laps-title").hidden = !items.length;
    const now = at("laps").querySelector(".now");
    at("laps").scrollTop = now ? now.offsetTop - 60 : 0;
  };

  // Shows the state after so many moves, or within the next one after so many laps.
  const go = (ply, lap) => {
    shown.ply = Math.max(0, Math.min(ply, shown.moves.length));
    shown.lap = shown.ply === shown.moves.length ? 0 : lap;
    show();
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    at("play").textContent = "play";
  };
  const games = () => [...document.querySelectorAll("#list tbody tr")].filter((tr) => !tr.hidden && tr.querySelector("code"));
  const neighbour = (step) => {
    const all = games();
    const next = all[all.findIndex((tr) => tr.id === "game-" + shown.number) + step];
    if (next) location.hash = next.id;
  };
  const ACTIONS = {
    first: () => go(0, 0),
    back: () => go(shown.lap ? shown.ply : shown.ply - 1, 0),
    "back-lap": () => {
      if (shown.lap) go(shown.ply, shown.lap - 1);
      else if (shown.ply) go(shown.ply - 1, within(shown.moves[shown.ply - 1]));
    },
    "forward-lap": () => {
      if (shown.ply === shown.moves.length) return;
      if (shown.lap < within(shown.moves[shown.ply])) go(shown.ply, shown.lap + 1);
      else go(shown.ply + 1, 0);
    },
    forward: () => go(shown.ply + 1, 0),
    last: () => go(shown.moves.length, 0),
    play: () => {
      if (timer) return stop();
      if (shown.ply === shown.moves.length) go(0, 0);
      at("play").textContent = "stop";
      timer = setInterval(() => {
        ACTIONS.forward();
        if (shown.ply === shown.moves.length) stop();
      }, 900);
    },
    "previous-game": () => neighbour(-1),
    "next-game": () => neighbour(1),
  };
  for (const [id, action] of Object.entries(ACTIONS)) {
    at(id).addEventListener("click", () => {
      if (id !== "play") stop();
      action();
    });
  }
  at("slider").addEventListener("input", (event) => {
    stop();
    go(+event.target.value, 0);
  });
  const KEYS = {
    ArrowLeft: "back", ArrowRight: "forward", ArrowDown: "back-lap", ArrowUp: "forward-lap",
    Home: "first", End: "last", " ": "play",
  };
  at("replay").addEventListener("keydown", (event) => {
    const id = KEYS[event.key];
    const typing = event.key === " " && event.target.tagName === "BUTTON";
    if (!id || typing || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    at(id).click();
  });

  // The address names the game, the move and the lap: #game-12, #game-12-34, #game-12-34-5.
  const follow = () => {
    const match = /^#game-(\d+)(?:-(\d+))?(?:-(\d+))?$/.exec(location.hash);
    if (!match) return false;
    stop();
    if ((!shown || shown.number !== match[1]) && !load(match[1])) return false;
    go(+(match[2] || 0), 0);
    if (match[3] && shown.ply < shown.moves.length) go(shown.ply, Math.min(+match[3], within(shown.moves[shown.ply])));
    at("replay").scrollIntoView({ block: "start" });
    return true;
  };
  addEventListener("hashchange", follow);
  if (!follow()) {
    const first = games().find((tr) => +tr.dataset.plies) || games()[0];
    if (first && load(first.id.slice(5))) go(0, 0);
  }
})();
