#!/usr/bin/env python3
"""A bot that looks a few moves ahead and takes all the seeds that it can be sure of.

It shows a whole search on a page: alpha-beta, one ply deeper after the other until the time is up. To make it strong,
see "Search" in docs/BOTS.md. Python 3.9 or later; needs bao_bot.py beside it.

Run a match:  referee match bao-kigogo "python3 bots/python/greedy_bot.py" greedy-bot --option depth=2
"""

from __future__ import annotations

from bao_bot import KIGOGO, KINGULU, Answer, Bot, Option, Position, Thought, Turn, run

# More than any number of seeds, in hundredths, and more than any score.
WIN = 100_000
ALL = 2 * WIN


# What a seed in a reserved pit and one in the own row count in Bao Kingulu, in hundredths.
RESERVED, ROW = 200, 50


class TimeIsUp(Exception):
    pass


def guess(position: Position, side: int) -> int:
    """Guess what a side will have in the end, in hundredths of a seed. In Bao Kingulu a reserved pit collects for its
    side to the end, and what lies in the own row may still be lost."""
    total = 100 * position.captured[side]
    if position.game == KINGULU:
        reserved, other = position.reserved, 1 - side
        total += RESERVED * sum(seeds for pit, seeds in enumerate(position.pits[other]) if reserved[other][pit])
        total += ROW * sum(seeds for pit, seeds in enumerate(position.pits[side]) if not reserved[side][pit])
    return total


class GreedyBot(Bot):
    name = "greedy_bot.py"
    version = "1.0"
    author = "Bao Referee"
    options = [Option("depth", 3, min=1, max=50)]

    turn: Turn
    nodes = 0

    def choose(self, turn: Turn) -> str | Answer:
        self.turn = turn
        self.nodes = 0
        # Among moves that are as good, the first is taken; so chance decides.
        moves = turn.legal[:]
        self.random.shuffle(moves)
        answer = Answer(moves[0])
        for depth in range(1, self.settings["depth"] + 1):
            try:
                score, line = self.search(turn.position, moves, depth, -ALL, ALL)
            except TimeIsUp:
                break
            answer = Answer(line[0], Thought(depth=depth, score=score, nodes=self.nodes, pv=line))
            turn.tell(answer.thought)
            # A good move first makes the next search fast.
            moves.remove(line[0])
            moves.insert(0, line[0])
        return answer

    def search(self, position: Position, moves: list[str], depth: int, alpha: int, beta: int) -> tuple[int, list[str]]:
        """Return what the side to move can be sure of, and the moves that lead there. `alpha` and `beta` bound what
        matters: below, the side has something better already; above, the opponent will not let it happen."""
        best, line = -ALL, moves[:1]
        for move in moves:
            score, reply = self.after(position.play(move), depth - 1, alpha, beta)
            if score > best:
                best, line = score, [move, *reply]
            alpha = max(alpha, score)
            if alpha >= beta:
                break
        return best, line

    def after(self, position: Position | None, depth: int, alpha: int, beta: int) -> tuple[int, list[str]]:
        """Return what the side that has just moved can be sure of."""
        self.nodes += 1
        if self.nodes % 64 == 0 and self.turn.time_is_up():
            raise TimeIsUp
        if position is None:
            return 0, []  # a sowing that never ends is a draw
        me = 1 - position.side
        lead = 100 * (position.score(me) - position.score(1 - me))
        if self.turn.seen(position):
            # The game would end here: drawn, or counted.
            return (0 if position.game == KIGOGO else lead), []
        moves = position.legal_moves()
        if not moves:
            # Who cannot move loses in Bao Kigogo, the sooner the better; in Bao Kingulu the seeds are counted.
            return (WIN + depth if position.game == KIGOGO else lead), []
        if depth == 0:
            return guess(position, me) - guess(position, 1 - me), []
        score, line = self.search(position, moves, depth, -beta, -alpha)
        return -score, line


if __name__ == "__main__":
    run(GreedyBot())
