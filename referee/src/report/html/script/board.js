// Draws a board, and the hand that carries seeds around it.
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

// Where seeds lie in a pit: few as on dice, more in a square, many in a spiral; their number is written below.
const DICE = [
  [], [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]], [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
  [[-1, -1], [-1, 0], [-1, 1], [0, 0], [1, -1], [1, 0], [1, 1]],
  [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]],
  [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]],
];
const places = (n) => {
  if (n < DICE.length) return DICE[n].map(([x, y]) => [x * 10.5, y * 10.5, 4.6]);
  if (n <= 16) return Array.from({ length: n }, (_, i) => [((i % 4) - 1.5) * 9, (Math.floor(i / 4) - 1.5) * 9, 3.8]);
  const gap = 22 / Math.sqrt(n);
  return Array.from({ length: n }, (_, i) => {
    const far = gap * Math.sqrt(i + 0.5);
    return [far * Math.cos(i * 2.4), far * Math.sin(i * 2.4), Math.min(3.4, gap * 0.6)];
  });
};

class Board {
  constructor(place, game) {
    const across = game.rows[0].length;
    const [width, height] = [across * CELL + 56, game.rows.length * TALL + 52];
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("role", "img");
    draw(this.svg, "rect", { class: "wood", x: 1, y: 1, width: width - 2, height: height - 2, rx: 18 });
    draw(this.svg, "rect", { class: "home N", x: 5, y: 5, width: width - 10, height: height / 2 - 6, rx: 14 });
    draw(this.svg, "rect", { class: "home S", x: 5, y: height / 2 + 1, width: width - 10, height: height / 2 - 6, rx: 14 });
    this.pits = {};
    game.rows.forEach((names, r) => {
      const top = 26 + r * TALL;
      draw(this.svg, "text", { class: "edge", x: 14, y: top + 36 }, names[0][0]);
      draw(this.svg, "text", { class: "edge", x: width - 14, y: top + 36 }, names[0][0]);
      names.forEach((name, c) => {
        const x = 28 + c * CELL + CELL / 2;
        if (r === 0 || r === game.rows.length - 1) {
          draw(this.svg, "text", { class: "edge", x, y: r === 0 ? 19 : height - 7 }, name.slice(1));
        }
        const group = draw(this.svg, "g", { transform: `translate(${x} ${top + 30})` });
        const pit = { x, y: top + 30, group, title: draw(group, "title", {}, name) };
        draw(group, "circle", { class: "pit", r: 26 });
        pit.dots = draw(group, "g", { class: "dots" });
        pit.count = draw(group, "text", { class: "count", y: 44 });
        draw(group, "circle", { class: "ring", r: 26 });
        this.pits[name] = pit;
      });
    });
    this.bank = { S: { x: width - 16, y: height - 16 }, N: { x: 16, y: 16 } };
    this.hand = draw(this.svg, "g", { class: "hand" });
    draw(this.hand, "circle", { r: 15 });
    this.inHand = draw(this.hand, "text", { y: 5.5 });
    place.replaceChildren(this.svg);
    place.className = across > 6 ? "large" : "small";
  }

  // Shows a state; `marks` are the classes of pits.
  show(state, marks) {
    for (const [name, pit] of Object.entries(this.pits)) {
      const [n, reserved] = [state.seeds[name], state.reserved[name]];
      const classes = ["cell", owner(name), ...new Set(marks[name] || []), ...(reserved ? ["reserved", "by" + reserved] : [])];
      pit.group.setAttribute("class", classes.join(" "));
      pit.title.textContent = `${name}: ${n}` + (reserved ? `, ${T("reserved by", { side: T(reserved) })}` : "");
      pit.count.textContent = n;
      if (pit.n === n) continue;
      pit.n = n;
      pit.dots.replaceChildren();
      for (const [cx, cy, r] of places(n)) draw(pit.dots, "circle", { cx: cx.toFixed(1), cy: cy.toFixed(1), r });
    }
  }

  // Shows the hand with its seeds over a pit, or over a bank where there is no pit; without seeds it is gone.
  carry(seeds, pit, side, ms) {
    this.hand.setAttribute("class", seeds > 0 ? `hand shown ${side}` : "hand");
    if (seeds <= 0) return;
    const { x, y } = this.pits[pit] || this.bank[side];
    this.hand.style.transition = ms ? `transform ${ms}ms ease-in-out` : "none";
    this.hand.style.transform = `translate(${x + 19}px, ${y - 15}px)`;
    this.inHand.textContent = seeds;
  }
}
