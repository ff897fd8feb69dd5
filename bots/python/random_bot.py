#!/usr/bin/env python3
"""A bot that plays any legal move. Python 3.9 or later, standard library only.

Run a match:  referee match bao-kigogo "python3 bots/python/random_bot.py" random-bot
By hand:      python3 bots/python/random_bot.py [--seed N]     and type messages of PROTOCOL.md, one a line
"""

import json
import random
import sys

IDENTITY = {
    "type": "hello",
    "protocol": 1,
    "name": "random_bot.py",
    "version": "1.0",
    "author": "Bao Referee",
    "games": ["bao-kigogo", "bao-kingulu"],
    "options": [{"name": "seed", "kind": "integer", "default": "0", "min": 0}],
}


def say(message):
    """Write one message; without the flush it would stay in Python's buffer, and the clock would run out."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main():
    if sys.argv[1:2] == ["--seed"]:
        random.seed(int(sys.argv[2]))
    # readline, because `for line in sys.stdin` may wait for more than one line.
    for line in iter(sys.stdin.readline, ""):
        if not line.strip():
            continue
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            say(IDENTITY)
        elif kind == "set_option":
            if message["name"] == "seed":
                random.seed(int(message["value"]))
        elif kind == "new_game":
            say({"type": "ready", "id": message["id"]})
        elif kind == "go":
            say({"type": "move", "id": message["id"], "move": random.choice(message["legal"].split())})
        elif kind == "ping":
            say({"type": "pong", "id": message["id"]})
        elif kind == "fault":
            print(message["code"], message["detail"], file=sys.stderr)
        elif kind == "bye":
            break
        # Anything else (game_over, a type of a later version) needs no answer.


if __name__ == "__main__":
    main()
