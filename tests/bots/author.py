#!/usr/bin/env python3
"""A bot with one of the mistakes that authors make: author.py --mistake NAME. Without a mistake it plays well."""

import argparse
import json
import os
import select
import sys
import time

KNOWN = {
    "ping": {"type", "id"},
    "set_option": {"type", "id", "name", "value"},
}

ARGUMENTS = argparse.ArgumentParser()
ARGUMENTS.add_argument("--mark")
ARGUMENTS.add_argument("--mistake", default="none")
MISTAKE = ARGUMENTS.parse_args().mistake


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    if MISTAKE != "no_flush":
        sys.stdout.flush()


def hello():
    message = {
        "type": "hello",
        "protocol": 1,
        "name": "author",
        "games": ["bao-kigogo", "bao-kingulu"],
        "options": [{"name": "depth", "kind": "integer", "default": "3", "min": 1, "max": 9}],
    }
    if MISTAKE == "unsound_option":
        message["options"][0]["default"] = "10"
    if MISTAKE == "wrong_rules":
        message["capabilities"] = ["verify"]
    if MISTAKE == "unknown_names":
        message["games"].append("bao-kiswahili")
        message["capabilities"] = ["telepathy"]
    return message


def lines():
    """Reads as a bot should, or as one should not."""
    if MISTAKE == "reads_to_the_end":
        yield from sys.stdin.read().splitlines()
    elif MISTAKE == "first_line_of_a_read":
        while True:
            block = os.read(0, 65536)
            if not block:
                return
            yield block.decode().split("\n")[0]
    elif MISTAKE == "busy":
        rest = b""
        while True:
            while not select.select([0], [], [], 0)[0]:
                pass
            block = os.read(0, 65536)
            if not block:
                return
            *whole, rest = (rest + block).split(b"\n")
            yield from (line.decode() for line in whole)
    else:
        yield from iter(sys.stdin.readline, "")


def answer(message, count, games):
    kind = message["type"]
    if kind == "hello":
        say(hello())
    elif kind == "set_option":
        if MISTAKE == "dies_of_options":
            raise KeyError(message["name"])
        if MISTAKE == "dies_of_values":
            int(message["value"])
    elif kind == "ping":
        say({"type": "pong", "id": message["id"]})
    elif kind == "new_game":
        if MISTAKE == "one_game" and games > 1:
            raise RuntimeError("the table is in use")
        say({"type": "ready", "id": message["id"]})
    elif kind == "go":
        if MISTAKE == "own_pace" and message["deadline_ms"] <= 250:
            time.sleep(0.4)
        if MISTAKE == "late":
            time.sleep(max(0.0, message["deadline_ms"] / 1000 - 0.01))
        move = message["legal"].split()[0]
        if MISTAKE == "capital_letters":
            move = move.upper()
        say({"type": "move", "id": count if MISTAKE == "counts_along" else message["id"], "move": move})
        if MISTAKE == "answers_twice":
            say({"type": "move", "id": message["id"], "move": move})
    elif kind == "verify":
        if "move" not in message:
            say({"type": "solution", "id": message["id"], "legal": "A1"})
        else:
            say({"type": "solution", "id": message["id"], "position": message["position"]})
    elif MISTAKE == "dies_of_types" and kind not in ("fault", "game_over"):
        raise ValueError(kind)


def main():
    if MISTAKE == "hello_first":
        say(hello())
    if MISTAKE == "banner":
        print("Author 1.0, the best bot of all", flush=True)
    count = games = hellos = 0
    for line in lines():
        message = json.loads(line)
        kind = message["type"]
        if MISTAKE == "dies_of_fields" and not message.keys() <= KNOWN.get(kind, message.keys()):
            raise ValueError("an unknown field")
        hellos += kind == "hello"
        if kind == "hello" and MISTAKE == "slow_and_greets_once":
            if hellos > 1:
                sys.exit(9)
            time.sleep(0.3)
        if kind == "bye" and MISTAKE != "ignores_bye":
            sys.exit(3 if MISTAKE == "exit_code" else 0)
        count += kind in ("set_option", "ping", "new_game", "go", "verify")
        games += kind == "new_game"
        answer(message, count, games)
    while MISTAKE == "ignores_the_end":
        time.sleep(1)


if __name__ == "__main__":
    main()
