// The curves of a game: what each bot expected, and perfect play where it is known, all as South sees it.
const CURVE = { width: 300, height: 110, edge: 22 };

const drawCurve = (place, shown, go) => {
  const lines = { S: [], N: [], P: [] };
  shown.said.forEach((said, i) => {
    const side = shown.plays[i].before.side;
    const sign = side === "S" ? 1 : -1;
    if (said.score !== null) lines[side].push([i, (sign * said.score) / 100]);
    if (said.best !== null) lines.P.push([i, sign * said.best]);
  });
  const all = Object.values(lines).flat();
  place.hidden = all.length < 2;
  if (place.hidden) return null;
  // Bots write a won game as a score beyond all seeds; near 0 a little difference counts for more.
  const total = Object.values(shown.states[0].seeds).reduce((sum, n) => sum + n, 0);
  const most = Math.min(total, Math.max(1, ...all.map(([, score]) => Math.abs(score))));
  const { width, height, edge } = CURVE;
  const x = (ply) => edge + (ply / Math.max(1, shown.moves.length - 1)) * (width - edge - 6);
  const y = (score) => height / 2 - Math.sign(score) * Math.sqrt(Math.min(1, Math.abs(score) / most)) * (height / 2 - 8);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", T("curve"));
  draw(svg, "line", { class: "zero", x1: edge, x2: width - 6, y1: height / 2, y2: height / 2 });
  for (const [score, sign] of [[most, "+"], [-most, "−"]]) {
    draw(svg, "text", { class: "tick", x: 0, y: y(score) + 5 }, sign + most.toFixed(most < 10 ? 1 : 0));
  }
  for (const [side, points] of Object.entries(lines)) {
    if (points.length) {
      draw(svg, "polyline", { class: "score " + side, points: points.map(([ply, s]) => `${x(ply).toFixed(1)},${y(s).toFixed(1)}`).join(" ") });
    }
  }
  const cursor = draw(svg, "line", { class: "cursor", y1: 2, y2: height - 2 });
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * width - edge) / (width - edge - 6);
    go(Math.max(0, Math.round(share * (shown.moves.length - 1))) + 1, 0);
  });
  place.querySelector("figure").replaceChildren(svg);
  for (const side of Object.keys(lines)) place.querySelector("." + side).hidden = !lines[side].length;
  return (ply) => {
    cursor.setAttribute("x1", x(Math.max(0, ply - 1)));
    cursor.setAttribute("x2", x(Math.max(0, ply - 1)));
  };
};
