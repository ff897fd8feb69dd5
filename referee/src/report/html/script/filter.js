// Chooses among the games of the page by bot, opponent, result, reason and length.
(() => {
  const form = at("filter");
  const cell = (tr, name) => tr.querySelector("." + name).textContent;
  const games = [...document.querySelectorAll("#list tbody tr")].map((tr) => ({
    tr,
    seats: [cell(tr, "south"), cell(tr, "north")],
    result: cell(tr, "result"),
    reason: cell(tr, "reason").split(" ")[0],
    moves: +tr.dataset.plies,
  }));
  if (games.length < 2) return;
  const offer = (id, values) =>
    at(id).append(...[...new Set(values)].sort().map((value) => new Option(value, value)));
  offer("filter-bot", games.flatMap((game) => game.seats));
  offer("filter-opponent", games.flatMap((game) => game.seats));
  offer("filter-reason", games.map((game) => game.reason));

  // How a game went for the one in this seat.
  const WON = ["1–0", "0–1"];
  const went = (game, seat) => {
    if (game.result === WON[seat]) return "won";
    return game.result === WON[1 - seat] ? "lost" : game.result === "½–½" ? "drawn" : "";
  };
  const fits = (game, want) => {
    if (want.reason && game.reason !== want.reason) return false;
    if (game.moves < want.least || game.moves > want.most) return false;
    // Without a bot, either seat may be the one that is meant.
    return [0, 1].some(
      (seat) =>
        (!want.bot || game.seats[seat] === want.bot) &&
        (!want.opponent || game.seats[1 - seat] === want.opponent) &&
        (!want.result || went(game, seat) === want.result),
    );
  };
  const number = (id, other) => (at(id).value === "" ? other : +at(id).value);
  const batches = [...document.querySelectorAll("#list details.batch")].map((details) => ({ details, open: details.open }));
  const apply = () => {
    const want = { least: number("filter-least", 0), most: number("filter-most", Infinity) };
    for (const name of ["bot", "opponent", "result", "reason"]) want[name] = at("filter-" + name).value;
    let found = 0;
    for (const game of games) {
      game.tr.hidden = !fits(game, want);
      if (!game.tr.hidden) found++;
    }
    const chosen = found < games.length;
    for (const batch of batches) {
      const left = batch.details.querySelectorAll("tbody tr:not([hidden])").length;
      batch.details.hidden = left === 0;
      batch.details.open = chosen ? left > 0 && found <= 300 : batch.open;
      batch.details.querySelector(".found").textContent = chosen ? `(${left})` : "";
    }
    at("filter-count").textContent = T("games of", { found, all: games.length });
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  form.hidden = false;
  apply();
})();
