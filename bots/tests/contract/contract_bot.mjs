// A bot that says what its library tells it; see contract.rs.

const { Bot, KINGULU, Position, RESIGN, log, run } = await import(process.env.BAO_LIBRARY);

class ContractBot extends Bot {
  name = "contract-bot";
  games = [KINGULU];
  history = true;
  options = [
    { name: "depth", default: 3, min: 1, max: 9 },
    { name: "wide", default: 0 },
    { name: "book", default: true },
    { name: "style", default: "calm", choices: ["calm", "wild"] },
    { name: "ask", default: "" },
    { name: "note", default: "" },
  ];

  choose(turn) {
    const { seed, depth, wide, book, style, ask, note } = this.settings;
    if (note === "resign") return RESIGN;
    if (note === "talk") {
      log("choosing", "debug");
      turn.tell({ depth: 2, score: -5, nodes: 7, pv: turn.legal.slice(0, 2), text: "so far" });
    }
    let up = note === "early" ? turn.timeIsUp() : "unknown";
    if (note === "wait") {
      while (!turn.timeIsUp());
      up = turn.elapsedMs() >= turn.budgetMs;
    }
    const asked = ask.split(";").filter((text) => text !== "");
    const said = {
      budget: turn.budgetMs,
      up,
      clock: turn.clock.kind,
      moves: (turn.go.moves ?? "none").replaceAll(" ", ","),
      seen: asked.map((text) => (turn.seen(Position.parse(turn.position.game, text)) ? "y" : "n")).join(""),
      ...{ seed, depth, wide, book, style, note },
    };
    const move = turn.legal.includes(note) ? note : turn.legal[0];
    return { move, text: Object.entries(said).map(([name, value]) => `${name}=${value}`).join(" ") };
  }
}

run(new ContractBot());
