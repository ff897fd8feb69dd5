"""All that a bot for the Bao referee needs, except its ideas. Python 3.9 or later, standard library only.

Copy this file beside your bot. A bot is a class with one method:

    from bao_bot import Bot, Turn, run

    class MyBot(Bot):
        name = "my-bot"

        def choose(self, turn: Turn) -> str:
            return self.random.choice(turn.legal)

    if __name__ == "__main__":
        run(MyBot())

`run` talks with the referee: handshake, options, pings, clocks, `verify`, the end. `Position` knows the rules of both
games: `parse` reads one, `children` plays every legal move. See greedy_bot.py for a search, docs/BOTS.md for the guide,
and PROTOCOL.md for what goes over the pipes.

From the command line (besides being started by the referee):
    python3 my_bot.py --seed 7               sets an option as the referee would
    python3 my_bot.py perft bao-kigogo 3     counts the sequences of three moves, to check and to time the rules
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Union

KIGOGO = "bao-kigogo"
KINGULU = "bao-kingulu"

SOUTH, NORTH = 0, 1
SIDES = "SN"

Pits = tuple[int, ...]

MOST = 2**53 - 1
"""No option goes beyond this number: every language can hold it in a float."""


# --- Bots -------------------------------------------------------------------------------------------------------------


class Bot:
    """A bot. Give it a `name` and a `choose`; everything else may stay as it is."""

    name: str = "nameless"
    version: str = "0.1"
    author: str = ""
    games: Sequence[str] = (KIGOGO, KINGULU)
    options: Sequence[Option] = ()
    """What an organiser may set. Besides these, every bot has the option `seed`."""
    history: bool = False
    """Whether each `go` brings the game's moves so far, as `turn.go["moves"]`."""

    settings: dict[str, Any]
    """The options' values by their names, as numbers, truth values or texts."""
    random: random.Random
    """Chance that follows from the option `seed` and the game, so that a game can be repeated; by seed 0 it cannot."""

    def choose(self, turn: Turn) -> str | Answer:
        """Choose a move: one of `turn.legal`, or an `Answer` with what you thought, or `RESIGN`. Your clock runs."""
        raise NotImplementedError

    def new_game(self, game: dict[str, Any]) -> None:
        """Prepare for a game (the message `new_game`, as it came). No clock runs, but 10 s are all that there is."""

    def game_over(self, end: dict[str, Any]) -> None:
        """Learn how a game ended (the message `game_over`, as it came)."""


Value = Union[int, bool, str]


@dataclass(frozen=True)
class Option:
    """An option that an organiser may set. The kind follows from the type of `default`: int, bool or str."""

    name: str
    default: Value
    min: int | None = None
    max: int | None = None
    choices: Sequence[str] = ()
    """If there are any, the value is one of these texts."""

    @property
    def kind(self) -> str:
        if self.choices:
            return "choice"
        return {bool: "boolean", int: "integer"}.get(type(self.default), "string")

    def text(self) -> str:
        return str(self.default).lower() if isinstance(self.default, bool) else str(self.default)

    def read(self, text: str, present: Value) -> tuple[Value, str]:
        """Return the value that a text of the referee gives the option, and what is wrong with that text, or "".

        A number out of bounds is brought within them; any other text that cannot be leaves the present value."""
        if self.kind == "integer":
            digits = text[1:] if text.startswith("-") else text
            if not (digits.isascii() and digits.isdigit()):
                return present, "must be a whole number"
            low = -MOST if self.min is None else self.min
            high = MOST if self.max is None else self.max
            # Twenty digits are beyond all bounds; int() refuses thousands of them.
            size = int(digits.lstrip("0")[:20] or "0")
            number = -size if text.startswith("-") else size
            nearest = min(max(number, low), high)
            return nearest, "" if nearest == number else f"must be from {low} to {high}"
        if self.kind == "boolean":
            if text not in ("true", "false"):
                return present, "must be true or false"
            return text == "true", ""
        if self.kind == "choice" and text not in self.choices:
            return present, f"must be one of {' '.join(self.choices)}"
        return text, ""


@dataclass
class Thought:
    """What a bot thought, for the record; all of it is optional. Numbers are rounded where the referee wants that."""

    depth: int | None = None
    """How many plies ahead."""
    score: float | None = None
    """What you expect in the end, in hundredths of a seed; above zero is good for you."""
    nodes: int | None = None
    """How many positions you looked at."""
    pv: Sequence[str] = ()
    """The moves that you expect, your own first."""
    text: str = ""

    def fields(self) -> dict[str, Any]:
        numbers = {"depth": self.depth, "score": self.score, "nodes": self.nodes}
        found: dict[str, Any] = {name: round(value) for name, value in numbers.items() if value is not None}
        if self.pv:
            found["pv"] = " ".join(self.pv)
        if self.text:
            found["text"] = self.text
        return found


@dataclass
class Answer:
    """A move and what the bot thought of it; without a move, the bot gives the game up."""

    move: str | None
    thought: Thought = field(default_factory=Thought)


RESIGN = Answer(None)


@dataclass
class Turn:
    """A request to move."""

    position: Position
    legal: list[str]
    """The legal moves, at least one, by the names of the pits to lift."""
    budget_ms: int
    """A sensible time for this move, from the clock of whichever kind; see `budget_ms`."""
    go: dict[str, Any]
    """The message `go` as it came: `you_ms`, `opponent_ms`, `deadline_ms`, `last`, `ply` and so on."""
    clock: dict[str, Any]
    """The clock that `new_game` announced: `kind` and so on."""
    started: float
    """When the message was read, by time.monotonic()."""
    past: set[Hashable]
    """The keys (`Position.key`) of this game's positions so far."""

    def seen(self, position: Position) -> bool:
        """Return whether a position was in this game before: it would end the game."""
        return position.key() in self.past

    def elapsed_ms(self) -> float:
        """Return how long this move has taken."""
        return (time.monotonic() - self.started) * 1000

    def time_is_up(self) -> bool:
        """Return whether this move has taken its budget."""
        return self.elapsed_ms() >= self.budget_ms

    def tell(self, thought: Thought) -> None:
        """Report what you think so far; never needed, and seldom is better than often."""
        say({"type": "info", "id": self.go["id"], **thought.fields()})


def budget_ms(clock: dict[str, Any], go: dict[str, Any]) -> int:
    """Share out the time: a fortieth of what is left and half of what comes back, by the kind of the clock.

    Every division rounds down."""
    deadline: int = go["deadline_ms"]
    # The way to the referee and a busy machine take time, too.
    most = deadline - min(200, 10 + deadline // 10, deadline // 4)
    kind = clock["kind"]
    share: int = go["you_ms"] // 40 + go["increment_ms"] // 2
    if kind == "none":
        share = 1000
    elif kind == "move_time":
        share = most  # nothing is saved up
    elif kind == "classical":
        share = go["you_ms"] // (go["moves_to_go"] + 1) + go["increment_ms"] // 2
    elif kind == "byoyomi":
        share += clock["period_ms"] * 3 // 4  # within a period a move is free
    elif kind == "delay":
        share += clock["delay_ms"] * 3 // 4
    else:
        most = deadline // 2
    return max(1, min(share, most))


# --- The conversation -------------------------------------------------------------------------------------------------

_out = sys.stdout


def say(message: dict[str, Any]) -> None:
    """Write one message. Without the flush it would wait in a buffer while the clock runs."""
    _out.write(json.dumps(message, separators=(",", ":")) + "\n")
    _out.flush()


def log(text: str, level: str = "info") -> None:
    """Write a line for the record."""
    say({"type": "log", "level": level, "text": text})


def run(bot: Bot) -> None:
    """Talk with the referee until it says `bye` or closes the pipe."""
    options = [Option("seed", 0, min=0, max=MOST), *bot.options]
    bot.settings = {option.name: option.default for option in options}
    bot.random = random.Random()
    _read_arguments(bot, options, sys.argv[1:])
    # Only messages may go to standard output; a print in your bot goes to standard error.
    sys.stdout = sys.stderr
    talk = _Talk(bot, options)
    while True:
        # Reading line by line: other loops may wait for more than one.
        line = sys.stdin.buffer.readline()
        now = time.monotonic()
        if not line:
            return
        if not line.strip():
            continue
        message = json.loads(line)
        if message["type"] == "bye":
            return
        # A type of a later version has no method here and needs no answer.
        answer = getattr(talk, "on_" + message["type"], None)
        if answer:
            answer(message, now)


class _Talk:
    """One method for every type of message."""

    def __init__(self, bot: Bot, options: list[Option]) -> None:
        self.bot = bot
        self.options = options
        self.game = KIGOGO
        self.clock: dict[str, Any] = {}
        self.past: set[Hashable] = set()

    def on_hello(self, message: dict[str, Any], now: float) -> None:
        options: list[dict[str, Any]] = []
        for option in self.options:
            said: dict[str, Any] = {"name": option.name, "kind": option.kind, "default": option.text()}
            if option.min is not None:
                said["min"] = option.min
            if option.max is not None:
                said["max"] = option.max
            if option.choices:
                said["choices"] = list(option.choices)
            options.append(said)
        bot = self.bot
        say(
            {
                "type": "hello",
                "protocol": 1,
                "name": bot.name,
                "version": bot.version,
                "author": bot.author,
                "games": list(bot.games),
                "capabilities": ["verify", "history"] if bot.history else ["verify"],
                "options": options,
            }
        )

    def on_set_option(self, message: dict[str, Any], now: float) -> None:
        wrong = _set_option(self.bot, self.options, message["name"], message["value"])
        if wrong:
            log(wrong, "warn")

    def on_new_game(self, message: dict[str, Any], now: float) -> None:
        self.game = message["game"]
        self.clock = message["clock"]
        self.past = {Position.parse(self.game, message["position"]).key()}
        seed = self.bot.settings["seed"]
        # A text as the seed: Python promises the same numbers everywhere.
        self.bot.random = random.Random(f"{seed} {message['game_id']}") if seed else random.Random()
        self.bot.new_game(message)
        say({"type": "ready", "id": message["id"]})

    def on_go(self, message: dict[str, Any], now: float) -> None:
        position = Position.parse(self.game, message["position"])
        self.past.add(position.key())
        turn = Turn(
            position=position,
            legal=message["legal"].split(" "),
            budget_ms=budget_ms(self.clock, message),
            go=message,
            clock=self.clock,
            started=now,
            past=self.past,
        )
        answer = self.bot.choose(turn)
        if isinstance(answer, str):
            answer = Answer(answer)
        if answer.move is None:
            say({"type": "resign", "id": message["id"]})
            return
        said = {"type": "move", "id": message["id"], "move": answer.move}
        thought = answer.thought.fields()
        if thought:
            said["info"] = thought
        say(said)
        # The opponent's clock runs now. What comes after its move is in the next `go`.
        after = position.play(answer.move) if answer.move in turn.legal else None
        if after:
            self.past.add(after.key())

    def on_ping(self, message: dict[str, Any], now: float) -> None:
        say({"type": "pong", "id": message["id"]})

    def on_verify(self, message: dict[str, Any], now: float) -> None:
        position = Position.parse(message["game"], message["position"])
        solution: dict[str, Any] = {"type": "solution", "id": message["id"]}
        if "move" in message:
            after = position.play(message["move"])
            solution["position"] = str(after) if after else None
            solution["over"] = after is None or after.is_over()
        else:
            solution["legal"] = " ".join(position.legal_moves())
        say(solution)

    def on_fault(self, message: dict[str, Any], now: float) -> None:
        print(f"lost by {message['code']}: {message['detail']}", file=sys.stderr)

    def on_game_over(self, message: dict[str, Any], now: float) -> None:
        self.bot.game_over(message)


def _read_arguments(bot: Bot, options: list[Option], arguments: list[str]) -> None:
    if arguments[:1] == ["perft"] and len(arguments) == 3:
        _perft(arguments[1], int(arguments[2]))
        sys.exit()
    for at in range(0, len(arguments), 2):
        name, value = arguments[at], arguments[at + 1 : at + 2]
        wrong = "not --OPTION VALUE"
        if name.startswith("--") and value:
            wrong = _set_option(bot, options, name[2:], value[0])
        if wrong:
            print(f"{bot.name}: {' '.join([name, *value])}: {wrong}", file=sys.stderr)
            sys.exit(2)


def _set_option(bot: Bot, options: list[Option], name: str, text: str) -> str:
    """Set an option, and return what is wrong with the text, or ""."""
    for option in options:
        if option.name == name:
            bot.settings[name], wrong = option.read(text, bot.settings[name])
            return wrong and f"option {name} {wrong}"
    return f"option {name} is unknown; the options are {' '.join(option.name for option in options)}"


def _perft(game: str, depth: int) -> None:
    for length in range(1, depth + 1):
        start = time.monotonic()
        count = perft(Position.start(game), length)
        print(f"{length} {count} ({count / max(time.monotonic() - start, 1e-6):.0f}/s)")


# --- The rules --------------------------------------------------------------------------------------------------------


class Position:
    """A position of either game. It never changes; moves give new ones. Two of the same game can be compared."""

    __slots__ = ("side", "pits", "captured", "reserved")

    game: ClassVar[str]
    rows: ClassVar[tuple[tuple[str, ...], ...]]
    """The pits' names as position texts have them: rows from top to bottom, each from left to right."""
    names: ClassVar[tuple[tuple[str, ...], tuple[str, ...]]]
    """The pits' names by side, in sowing order: `names[SOUTH][0]` is South's first pit."""

    def __init__(
        self,
        side: int,
        pits: tuple[Pits, Pits],
        captured: tuple[int, int],
        reserved: tuple[tuple[bool, ...], tuple[bool, ...]] = ((), ()),
    ) -> None:
        self.side = side
        """Who is to move: SOUTH or NORTH."""
        self.pits = pits
        """The seeds by side, in sowing order."""
        self.captured = captured
        """The seeds that each side has captured, or in its bank."""
        self.reserved = reserved
        """Bao Kingulu: whether each pit of each side's row is reserved, for the side in whose row it is not."""

    @staticmethod
    def start(game: str) -> Position:
        """Make the usual start position of a game."""
        if game == KIGOGO:
            pits = (2,) * 23 + (0,)
            return Kigogo(SOUTH, (pits, pits), (0, 0))
        nowhere = (False,) * 6
        return Kingulu(SOUTH, ((4,) * 6, (4,) * 6), (0, 0), (nowhere, nowhere))

    @staticmethod
    def parse(game: str, text: str) -> Position:
        """Read a position text of the referee."""
        kind = Kigogo if game == KIGOGO else Kingulu
        board, side, south, north = text.split(" ")
        found: dict[str, str] = {}
        for names, row in zip(kind.rows, board.split("/")):
            found.update(zip(names, row.split(",")))
        texts = [[found[name] for name in names] for names in kind.names]
        pits = [tuple(int(text.rstrip("*")) for text in row) for row in texts]
        stars = [tuple(text.endswith("*") for text in row) for row in texts]
        reserved = (stars[SOUTH], stars[NORTH]) if kind is Kingulu else ((), ())
        return kind(SIDES.index(side), (pits[SOUTH], pits[NORTH]), (int(south), int(north)), reserved)

    def __str__(self) -> str:
        """Write the position as the referee does."""
        found: dict[str, str] = {}
        for side in (SOUTH, NORTH):
            stars = ["*" if reserved else "" for reserved in self.reserved[side]] or [""] * 24
            for name, seeds, star in zip(self.names[side], self.pits[side], stars):
                found[name] = f"{seeds}{star}"
        board = "/".join(",".join(found[name] for name in row) for row in self.rows)
        return f"{board} {SIDES[self.side]} {self.captured[SOUTH]} {self.captured[NORTH]}"

    __repr__ = __str__

    def key(self) -> Hashable:
        """Return what makes a position the same as an earlier one by the rule of repetition."""
        return (self.side, self.pits, self.reserved)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.key(), self.captured) == (other.key(), other.captured)

    def __hash__(self) -> int:
        return hash(self.key())

    def legal_moves(self) -> list[str]:
        """List the legal moves in sowing order. Without any, the game is over."""
        raise NotImplementedError

    def children(self) -> Iterator[tuple[str, Position | None]]:
        """Play every legal move: its name and the position after it, None if its sowing never ends (a draw)."""
        raise NotImplementedError

    def play(self, move: str) -> Position | None:
        """Play a legal move. None: its sowing never ends, which draws the game (Bao Kigogo only)."""
        raise NotImplementedError

    def is_over(self) -> bool:
        """Return whether the side to move has no legal move."""
        return not self.legal_moves()

    def score(self, side: int) -> int:
        """Count a side's seeds: captured (Bao Kigogo), or as at the game's end (Bao Kingulu)."""
        return self.captured[side]


class Kigogo(Position):
    """A position of Bao Kigogo. A side's pits 0 to 11 are its back row, 12 to 23 its front row."""

    __slots__ = ()

    game = KIGOGO
    names = (
        tuple([f"B{number}" for number in range(1, 13)] + [f"A{number}" for number in range(12, 0, -1)]),
        tuple([f"b{number}" for number in range(1, 13)] + [f"a{number}" for number in range(12, 0, -1)]),
    )
    rows = (names[NORTH][11::-1], names[NORTH][12:], names[SOUTH][:11:-1], names[SOUTH][:12])

    def legal_moves(self) -> list[str]:
        names = self.names[self.side]
        return [names[pit] for pit in self._liftable()]

    def children(self) -> Iterator[tuple[str, Position | None]]:
        names = self.names[self.side]
        for pit in self._liftable():
            yield names[pit], self._sow(pit)

    def play(self, move: str) -> Position | None:
        if move not in self.legal_moves():
            raise ValueError(f"{move} is not legal in {self}")
        return self._sow(self.names[self.side].index(move))

    def is_over(self) -> bool:
        return not self._liftable()

    def _liftable(self) -> list[int]:
        pits = self.pits[self.side]
        several = [pit for pit, seeds in enumerate(pits) if seeds > 1]
        # A single seed moves only if there is nothing else, and only into an empty pit. (-1 is the last pit.)
        return several or sorted(pit % 24 for pit in range(-1, 23) if pits[pit] == 1 and pits[pit + 1] == 0)

    def _sow(self, at: int) -> Position | None:
        me, they = self.side, 1 - self.side
        start, before = at, list(self.pits[me])
        pits = before[:]
        while True:
            seeds = pits[at]
            pits[at] = 0
            for at in _TRACK[at + 1 : at + 1 + seeds]:
                pits[at] += 1
            if pits[at] == 1:
                break
            if at == start and pits == before:
                return None  # it would never end
        other = self.pits[they]
        captured = list(self.captured)
        if at >= 12 and other[35 - at] > 0:
            # The front pit across, and the back pit behind it.
            front, back = 35 - at, at - 12
            captured[me] += other[front] + other[back]
            left = list(other)
            left[front] = left[back] = 0
            other = tuple(left)
        mine = tuple(pits)
        both = (mine, other) if me == SOUTH else (other, mine)
        return Kigogo(they, both, (captured[0], captured[1]))


class Kingulu(Position):
    """A position of Bao Kingulu."""

    __slots__ = ()

    game = KINGULU
    names = (
        tuple(f"A{number}" for number in range(1, 7)),
        tuple(f"a{number}" for number in range(1, 7)),
    )
    rows = (names[NORTH][::-1], names[SOUTH])

    def legal_moves(self) -> list[str]:
        return [name for name, _ in self.children()]

    def children(self) -> Iterator[tuple[str, Position | None]]:
        for pit, name in enumerate(self.names[self.side]):
            after = self._sow(pit)
            if after:
                yield name, after

    def play(self, move: str) -> Position | None:
        names = self.names[self.side]
        after = self._sow(names.index(move)) if move in names else None
        if after is None:
            raise ValueError(f"{move} is not legal in {self}")
        return after

    def is_over(self) -> bool:
        return next(self.children(), None) is None

    def score(self, side: int) -> int:
        own = sum(seeds for seeds, reserved in zip(self.pits[side], self.reserved[side]) if not reserved)
        there = zip(self.pits[1 - side], self.reserved[1 - side])
        return self.captured[side] + own + sum(seeds for seeds, reserved in there if reserved)

    def _sow(self, at: int) -> Kingulu | None:
        """Play the move that lifts the own pit number `at`; None if it is not legal."""
        me, they = self.side, 1 - self.side
        # The mover's row is 0 to 5, the other 6 to 11.
        start, before = at, list(self.pits[me] + self.pits[they])
        pits = before[:]
        reserved = list(self.reserved[me] + self.reserved[they])
        if pits[at] == 0 or reserved[at]:
            return None
        mine, theirs = self.captured[me], self.captured[they]
        first = True
        while True:
            seeds = pits[at]
            pits[at] = 0
            for at in _ROUND[at + 1 : at + 1 + seeds]:
                if not reserved[at]:
                    pits[at] += 1
                elif at < 6:
                    theirs += 1
                else:
                    mine += 1
            if reserved[at]:
                break
            if pits[at] == 1:
                across = 11 - at
                if at < 6 and pits[across] > 0 and not reserved[across]:
                    mine += pits[across] + 1
                    pits[across] = pits[at] = 0
                break
            if at >= 6 and pits[at] == 4:
                reserved[at] = True
                if seeds > 1 and not reserved[at - 1]:
                    pits[at - 1] -= 1
                    pits[at] = 5
                break
            if at < 6 and first:
                return None
            if at == start and pits == before:
                return None  # it would never end
            first = False
        rows = (tuple(pits[:6]), tuple(pits[6:]))
        stars = (tuple(reserved[:6]), tuple(reserved[6:]))
        if me == SOUTH:
            return Kingulu(they, rows, (mine, theirs), stars)
        return Kingulu(they, (rows[1], rows[0]), (theirs, mine), (stars[1], stars[0]))


# How `_sow` knows a sowing that never ends: the pits and the pit to lift are as they were at first. That is exact, and no
# limit on the laps would be: a sowing may have a million laps and end. From the state after a lap the one before can be
# told (the lifted pit is the nearest, looking back from the last seed, with the fewest seeds), so that no two lead to
# the same; the first state that comes back is therefore the first of all.

# The pits in sowing order, so often that the longest lap from any pit is a slice.
_TRACK = tuple(range(24)) * 5
_ROUND = tuple(range(12)) * 5


def perft(position: Position, depth: int) -> int:
    """Count the sequences of `depth` legal moves; a sowing that never ends is a last move."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal_moves())
    return sum(perft(after, depth - 1) for _, after in position.children() if after)


if __name__ == "__main__":
    if sys.argv[1:2] == ["perft"] and len(sys.argv) == 4:
        _perft(sys.argv[2], int(sys.argv[3]))
    else:
        sys.exit("this is a library for bots; see its first lines. Or: bao_bot.py perft GAME DEPTH")
