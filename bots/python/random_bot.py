#!/usr/bin/env python3
"""A bot that plays any legal move. Python 3.9 or later, standard library only.

Run a match:  referee match bao-kigogo "python3 bots/python/random_bot.py" random-bot
By hand:      python3 bots/python/random_bot.py [--seed N]     and type messages of PROTOCOL.md, one a line
"""

import json
import random
import sys

MOST = 2**53 - 1

IDENTITY = {
    "type": "hello",
    "protocol": 1,
    "name": "random_bot.py",
    "version": "1.0",
    "author": "Bao Referee",
    "games": ["bao-kigogo", "bao-kingulu"],
    "options": [{"name": "seed", "kind": "integer", "default": "0", "min": 0, "max": MOST}],
}


def say(message):
    """Write one message; without the flush it would stay in Python's buffer, and the clock would run out."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def set_seed(text):
    """Make chance follow from a number, brought within the bounds above; from 0, another each time."""
    try:
        seed = int(text)
    except ValueError:
        seed = None
    if seed is None or not 0 <= seed <= MOST:
        say({"type": "log", "level": "warn", "text": f"the seed must be a whole number from 0 to {MOST}"})
    if seed is not None:
        random.seed(min(max(seed, 0), MOST) or None)


def main():
    if sys.argv[1:2] == ["--seed"]:
        set_seed(sys.argv[2])
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
                set_seed(message["value"])
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
