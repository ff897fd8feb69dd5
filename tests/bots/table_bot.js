// Plays the first legal move. Holds a table of so many MiB, and makes so many MiB of garbage at every move.
const [kept, garbage] = process.argv.slice(2).map(Number);
// Of numbers that are no small integers, so that they are on the heap that the runtime bounds.
const piece = (at) => new Array(1 << 17).fill(at + 0.5);
const table = [];
const fill = (mib, keep) => {
  for (let at = 0; at < mib; at++) {
    const made = piece(at);
    if (keep) table.push(made);
  }
};
fill(kept, true);
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { type, id, legal } = JSON.parse(line);
  if (type === "hello") say({ type, protocol: 1, name: "table", games: ["bao-kingulu"] });
  if (type === "new_game") say({ type: "ready", id });
  if (type === "ping") say({ type: "pong", id });
  if (type === "go") {
    fill(garbage, false);
    say({ type: "move", id, move: legal.split(" ")[0] });
  }
  if (type === "bye") process.exit();
});
