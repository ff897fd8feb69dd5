"""A bot that says what its library tells it; see contract.rs."""

from bao_bot import KINGULU, RESIGN, Answer, Bot, Option, Position, Thought, Turn, log, run


class ContractBot(Bot):
    name = "contract-bot"
    games = [KINGULU]
    history = True
    options = [
        Option("depth", 3, min=1, max=9),
        Option("wide", 0),
        Option("book", True),
        Option("style", "calm", choices=["calm", "wild"]),
        Option("ask", ""),
        Option("note", ""),
    ]

    def choose(self, turn: Turn):
        note = self.settings["note"]
        if note == "resign":
            return RESIGN
        if note == "talk":
            log("choosing", "debug")
            turn.tell(Thought(depth=2, score=-5, nodes=7, pv=turn.legal[:2], text="so far"))
        up = turn.time_is_up() if note == "early" else "unknown"
        if note == "wait":
            while not turn.time_is_up():
                pass
            up = turn.elapsed_ms() >= turn.budget_ms
        asked = [Position.parse(turn.position.game, text) for text in self.settings["ask"].split(";") if text]
        said = {
            "budget": turn.budget_ms,
            "up": str(up).lower(),
            "clock": turn.clock["kind"],
            "moves": turn.go.get("moves", "none").replace(" ", ","),
            "seen": "".join("yn"[not turn.seen(position)] for position in asked),
            **{name: self.settings[name] for name in ("seed", "depth", "wide")},
            "book": str(self.settings["book"]).lower(),
            "style": self.settings["style"],
            "note": note,
        }
        move = note if note in turn.legal else turn.legal[0]
        return Answer(move, Thought(text=" ".join(f"{name}={value}" for name, value in said.items())))


run(ContractBot())
