#!/usr/bin/env python3
"""Verifies the record of a run as a stranger would: from docs/RECORDS.md, docs/RULES.md, PROTOCOL.md and the schemas.

    verify_record.py DIR

Prints a line for every difference; exit code 1 if there is one. It shares no code with the referee.
"""
import gzip
import hashlib
import json
import re
import sys
from pathlib import Path

COURSE = (
    "game pair round opening variant position south north winner score_south reason fault plies moves final_position "
    "seeds_south seeds_north"
).split()
BY_RULES = {"captured_all", "immobilised", "no_moves", "repetition", "endless_sowing", "max_plies"}


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def compact(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()


def compact_in_order(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def within(part, whole):
    """Tells whether all that one value says, the other says too."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and within(part[key], whole[key]) for key in part)
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) == len(whole) and all(map(within, part, whole))
    return part == whole


class Board:
    """A position of either game: pits in sowing order, South's first."""

    def __init__(self, variant, text):
        self.kigogo = variant == "bao-kigogo"
        rows, self.side, south, north = text.split(" ")
        self.side, self.taken = "SN".index(self.side), [int(south), int(north)]
        rows = [row.split(",") for row in rows.split("/")]
        self.size = 24 if self.kigogo else 6
        if self.kigogo:  # B1 to B12, then A12 back to A1; North the same from its own left
            cells = rows[3] + rows[2][::-1] + rows[0][::-1] + rows[1]
        else:
            cells = rows[1] + rows[0][::-1]
        self.seeds = [int(cell.rstrip("*")) for cell in cells]
        self.reserved = {pit for pit, cell in enumerate(cells) if cell.endswith("*")}

    def text(self):
        cells = [f"{seeds}*" if pit in self.reserved else str(seeds) for pit, seeds in enumerate(self.seeds)]
        if self.kigogo:
            rows = [cells[24:36][::-1], cells[36:48], cells[12:24][::-1], cells[:12]]
        else:
            rows = [cells[6:][::-1], cells[:6]]
        rows = "/".join(",".join(row) for row in rows)
        return f"{rows} {'SN'[self.side]} {self.taken[0]} {self.taken[1]}"

    def name(self, pit):
        side, place = divmod(pit, self.size)
        name = f"B{place + 1}" if self.kigogo and place < 12 else f"A{24 - place}" if self.kigogo else f"A{place + 1}"
        return name.lower() if side else name

    def own(self):
        return range(self.side * self.size, (self.side + 1) * self.size)

    def legal(self):
        if self.kigogo:
            many = [pit for pit in self.own() if self.seeds[pit] >= 2]
            return many or [pit for pit in self.own() if self.seeds[pit] == 1 and self.seeds[self.after(pit)] == 0]
        return [pit for pit in self.own() if self.seeds[pit] and pit not in self.reserved and self.play(pit) is not None]

    def after(self, pit):
        return pit // 24 * 24 + (pit + 1) % 24 if self.kigogo else (pit + 1) % 12

    def play(self, pit):
        """Returns the position after a move, its laps and its gain; None where it is not legal in Bao Kingulu."""
        board = Board.__new__(Board)
        board.kigogo, board.size, board.side = self.kigogo, self.size, self.side
        board.seeds, board.taken, board.reserved = self.seeds[:], self.taken[:], set(self.reserved)
        laps, before, seen = 0, self.taken[self.side], set()
        while True:
            state = (pit, *board.seeds, *board.taken)
            if state in seen:  # the sowing never ends
                return (None, None, 0) if self.kigogo else None
            seen.add(state)
            laps, (hand, board.seeds[pit]) = laps + 1, (board.seeds[pit], 0)
            count, place, last_two = hand, pit, None
            while count:
                last_two, place, count = place, board.after(place), count - 1
                held = board.seeds[place]
                if place in board.reserved and not (self.kigogo or count == 0):
                    board.taken[board.keeper(place)] += 1
                elif place in board.reserved:
                    board.taken[board.keeper(place)] += 1
                    return board.done(laps, before)
                else:
                    board.seeds[place] += 1
            mine = place in self.own()
            if held == 0:
                board.capture(place, mine)
                return board.done(laps, before)
            if not self.kigogo and not mine and held == 3:
                board.reserved.add(place)
                if hand > 1 and last_two not in board.reserved:
                    board.seeds[last_two] -= 1
                    board.seeds[place] += 1
                return board.done(laps, before)
            if not self.kigogo and mine and laps == 1:
                return None
            pit = place

    def keeper(self, pit):
        return 1 - pit // 6  # a pit is reserved by the side in whose row it is not

    def capture(self, place, mine):
        if self.kigogo and place % 24 >= 12:  # the front row; across from A(n) lies a(13 - n)
            column = 23 - place % 24
            front = (1 - self.side) * 24 + 12 + column
            back = (1 - self.side) * 24 + 11 - column
            if self.seeds[front]:
                self.taken[self.side] += self.seeds[front] + self.seeds[back]
                self.seeds[front] = self.seeds[back] = 0
        elif not self.kigogo and mine and self.seeds[11 - place] and 11 - place not in self.reserved:
            self.taken[self.side] += self.seeds[11 - place] + 1
            self.seeds[11 - place] = self.seeds[place] = 0

    def done(self, laps, before):
        gain = self.taken[self.side] - before
        self.side = 1 - self.side
        return self, laps, gain

    def score(self, side):
        if self.kigogo:
            return self.taken[side]
        own = [self.seeds[pit] for pit in range(12) if (pit // 6 != side if pit in self.reserved else pit // 6 == side)]
        return self.taken[side] + sum(own)

    def counted(self):
        scores = [0, 0] if self.kigogo else [self.score(0), self.score(1)]
        return None if scores[0] == scores[1] else "SN"[scores[1] > scores[0]]

    def over(self):
        if self.legal():
            return None
        if not self.kigogo:
            return "no_moves", self.counted()
        return "immobilised" if any(self.seeds[pit] for pit in self.own()) else "captured_all", "NS"[self.side]


class Clock:
    def __init__(self, text):
        us = [int(number) * {"s": 1_000_000, "ms": 1000, "us": 1}[unit] for number, unit in re.findall(r"(\d+)(us|ms|s)", text)]
        self.runs = not (text.startswith("none") or text.endswith("/move"))
        self.kind = next((kind for kind in ("byoyomi", "delay") if kind in text), "fischer")
        self.left, self.more = us[0] if us and self.runs else 0, us[1] if len(us) > 1 else 0
        self.base, self.moves = self.left, int(text.split("/")[0]) if self.runs and "/" in text else 0
        self.to_go, self.owed, self.most = self.moves, 0, us[0] if us and not self.runs else 0
        self.periods = int(re.search(r"byoyomi (\d+)x", text)[1]) if self.kind == "byoyomi" else 0

    def full(self):
        if not self.runs:
            return self.most
        return self.left + (self.periods * self.more if self.kind == "byoyomi" else self.more if self.kind == "delay" else 0)

    def owe(self, us):
        self.owed += us
        self.pay()

    def pay(self):
        paid = min(self.owed, self.left)
        self.left, self.owed = self.left - paid, self.owed - paid

    def charge(self, used):
        used, full = used + self.owed, self.full()
        self.owed = max(0, used - full)
        if not self.runs:
            return None
        if self.kind == "byoyomi":
            self.periods = max(1, self.periods - max(0, used - self.left - 1) // self.more)
        if self.kind == "fischer":
            self.left = max(0, self.left - used) + self.more
            if self.moves:
                self.to_go -= 1
                if self.to_go == 0:
                    self.to_go, self.left = self.moves, self.left + self.base
        else:
            self.left = max(0, self.left - (used if self.kind == "byoyomi" else max(0, used - self.more)))
        self.pay()
        return self.left


class Record:
    def __init__(self, folder):
        self.folder, self.differences, self.hellos = Path(folder), 0, []

    def same(self, what, found, should):
        if found != should or type(found) is not type(should):
            self.differences += 1
            print(f"{what}: is {found!r}, should be {should!r}")

    def verify(self):
        run = json.loads((self.folder / "run.json").read_bytes())
        self.plan = plan = run["plan"]
        self.version = run["record"]
        self.same("run.json: record, protocol, rules", (self.version in (1, 2), run["protocol"], run["rules"]), (True, 1, 1))
        self.same("run.json: seed", run["seed"], plan["seed"])
        acts = self.acts(sha256(compact(plan)))
        annulled = {act["row"] for act in acts if act["kind"] == "rerun"}
        self.whole = next((act["plan"] for act in reversed(acts) if act["kind"] == "extend"), plan)
        named = [(bot["name"], bot["command"]) for bot in self.whole["bots"]]
        self.same("run.json: bots", [(bot["name"], bot["command"]) for bot in run["bots"]], named)
        moves, start, voids = (self.folder / "moves.jsonl").read_bytes(), 0, {}
        errors, errors_start, courses, rows = self.standard_errors(), 0, {}, 0
        prev, place = sha256(compact(plan)), (1, 0)
        for line in (self.folder / "games.jsonl").read_bytes().splitlines(keepends=True):
            row, rows = json.loads(line), rows + 1
            about = f"game {row['game']}"
            self.same(f"{about}: prev_sha256", row["prev_sha256"], prev)
            prev = sha256(line)
            for act in self.decided:
                if act["rows"] == rows:
                    self.same(f"act {act['act']}: last_sha256", act["last_sha256"], prev)
                if act.get("row") == rows:
                    self.same(f"act {act['act']}: game", act["game"], row["game"])
            plies = moves[start : row["moves_end"]]
            start = row["moves_end"]
            self.same(f"{about}: line end of its moves", plies[-1:], b"\n" if plies else b"")
            attempt = voids[row["game"]] = voids.get(row["game"], 0) + 1
            counts = row["reason"] != "void" and rows not in annulled
            if counts:
                courses[row["game"]] = hashlib.sha256(compact_in_order({key: row[key] for key in COURSE})).digest()
            wire, said = None, {}
            if self.version == 2:
                self.same(f"{about}: attempt", row["attempt"], attempt)
                self.same(f"{about}: host is there", 0 <= row["host"] < len(run["hosts"]), True)
                here = (row["wire_segment"], row["wire_start"])
                if row["wire_sha256"]:
                    # Between two rows there may be attempts that were cut off with the referee.
                    self.same(f"{about}: its evidence is behind that of the row before", here >= place, True)
                    place = (here[0], here[1] + row["wire_length"])
                    wire = self.member(*here, row["wire_length"])
                else:
                    self.same(f"{about}: no evidence", here + (row["wire_length"],), (0, 0, 0))
                if errors is not None:
                    for text in errors[errors_start : row["stderr_end"]].splitlines(keepends=True):
                        found = json.loads(text)
                        self.same(f"{about}: standard error as it is written", text, compact_in_order(found) + b"\n")
                        key = ("game", "attempt", "side")
                        self.same(f"{about}: whose standard error", [found[part] for part in key][:2], [row["game"], attempt])
                        said[found["side"]] = found["text"].encode()
                    self.same(f"{about}: stderr_end", errors[: row["stderr_end"]][-1:], b"\n" if row["stderr_end"] else b"")
                errors_start = row["stderr_end"]
            elif row["wire_sha256"]:
                name = str(row["game"])
                if row["reason"] == "void":
                    name += ".void" if attempt == 1 else f".void-{attempt}"
                wire = (self.folder / "wire" / f"{name}.jsonl").read_bytes()
            if wire is not None:
                self.game(about, row, [json.loads(ply) for ply in plies.splitlines()], wire, said if errors is not None else None)
            if counts and self.version == 2:
                voids[row["game"]] = 0
        self.same("length of moves.jsonl", len(moves), start)
        if self.version == 2:
            self.same("length of stderr.jsonl", errors is None or len(errors) == errors_start, True)
            self.end(run.get("end"), rows, prev, len(moves), errors_start, courses)
        for bot in run["bots"]:
            said = [within(hello, bot["hello"]) for name, hello in self.hellos if name == bot["name"]]
            self.same(f"run.json: the hello of {bot['name']} was said", bot["hello"] is None or any(said), True)
        return self.differences

    def acts(self, plan):
        """Checks the chain of what the arbiter decided; returns what is in force."""
        path, prev, self.decided = self.folder / "acts.jsonl", plan, []
        for number, line in enumerate(path.read_bytes().splitlines(keepends=True) if path.exists() else [], 1):
            act = json.loads(line)
            self.same(f"act {number}: act, prev_sha256", (act["act"], act["prev_sha256"]), (number, prev))
            if act["rows"] == 0:
                self.same(f"act {number}: last_sha256", act["last_sha256"], plan)
            prev = sha256(line)
            self.decided.append(act)
        in_force, self.acts_sha256 = list(self.decided), prev if self.decided else None
        for act in reversed(self.decided):
            if act in in_force and act["kind"] == "undo":
                in_force.remove(self.decided[act["undoes"] - 1])
        return in_force

    def standard_errors(self):
        """Returns the bytes of stderr.jsonl; None in version 1, and in a copy for the public."""
        path = self.folder / "stderr.jsonl"
        return path.read_bytes() if self.version == 2 and path.exists() else None

    def member(self, segment, start, length):
        """Returns an attempt's evidence, unpacked."""
        packed = (self.folder / "wire" / f"{segment}.jsonl.gz").read_bytes()[start : start + length]
        self.same(f"wire/{segment}.jsonl.gz, byte {start}: length", len(packed), length)
        self.same(f"wire/{segment}.jsonl.gz, byte {start}", packed[:10].hex(), "1f8b08000000000000ff")
        return gzip.decompress(packed)

    def end(self, end, rows, last, moves_end, stderr_end, courses):
        """Compares what run.json says of the end; sequential tests and withdrawals have games that do not count."""
        if end is None:
            return
        lengths, number = [], 1
        while (path := self.folder / "wire" / f"{number}.jsonl.gz").exists():
            lengths, number = lengths + [path.stat().st_size], number + 1
        is_ = {"rows": rows, "last_sha256": last, "moves_end": moves_end, "stderr_end": stderr_end, "wire_ends": lengths}
        self.same("run.json: end.acts_sha256", end.get("acts_sha256"), self.acts_sha256)
        withdrawn = any(act["kind"] == "disqualify" for act in self.decided)
        if not withdrawn and "sprt" not in self.plan["format"] and self.plan["withdraw_after"] is None:
            is_["course_sha256"] = sha256(b"".join(courses[game] for game in sorted(courses)))
        for key, value in is_.items():
            self.same(f"run.json: end.{key}", end[key], value)

    def game(self, about, row, plies, wire, said_aside):
        self.same(f"{about}: wire_sha256", row["wire_sha256"], sha256(wire))
        lines, prev, last_us, digests = [], "0" * 64 if self.version == 1 else None, 0, {}
        for text in wire.splitlines(keepends=True):
            line = json.loads(text)
            self.same(f"{about}: prev in its evidence", line.get("prev"), prev)
            self.same(f"{about}: stamps go on", line["at_us"] >= last_us, True)
            prev, last_us = sha256(text) if self.version == 1 else None, line["at_us"]
            lines.append(line)
            if line["channel"].endswith("_stderr"):
                digests["SN"[line["channel"] == "north_stderr"]] = line["text"]
        if self.version == 2 and said_aside is not None:
            should = {side: compact_in_order({"sha256": sha256(text), "bytes": len(text)}).decode() for side, text in said_aside.items()}
            self.same(f"{about}: standard errors", digests, should)
        start, verdict = json.loads(lines[0]["text"]), json.loads(lines[-1]["text"])
        seats = [next(bot for bot in self.whole["bots"] if bot["name"] == row[side]) for side in ("south", "north")]
        should = {key: self.plan[key] for key in ("grace_us", "measure", "max_plies", "seed", "handshake_us", "ready_us")}
        should |= {"game": row["game"], "position": {"variant": row["variant"], "text": row["position"]}}
        for key, value in (should | {"plan_sha256": sha256(compact(self.plan))}).items():
            self.same(f"{about}: {key} at its start", start.get(key), value)
        for found, seat in zip(start["seats"], seats):
            for key in ("name", "clock", "options"):
                self.same(f"{about}: {key} of a bot at its start", found[key], seat[key])
        board, over, asked, used, made = Board(row["variant"], row["position"]), None, None, [0, 0], []
        clocks, seen = [Clock(seat["clock"]) for seat in seats], {board.text().rsplit(" ", 2)[0]}
        for line in lines:
            side = {"to_south": 0, "from_south": 0, "to_north": 1, "from_north": 1}.get(line["channel"])
            try:
                said = json.loads(line["text"] or "") if side is not None else {}
                said = said if isinstance(said, dict) else {}
            except json.JSONDecodeError:
                said = {}
            event = json.loads(line["text"]) if line["channel"] == "event" else {}
            if event.get("event") == "ran":
                clocks["SN".index(event["side"])].owe(event["us"])
            if line["channel"].startswith("to_") and said.get("type") == "go":
                asked = (said["id"], line["at_us"])
                legal = " ".join(sorted(map(board.name, board.legal())))
                for key, value in {"ply": len(made), "position": board.text(), "you": "SN"[side]}.items():
                    self.same(f"{about}: {key} of a request", said[key], value)
                self.same(f"{about}: legal", " ".join(sorted(said["legal"].split())), legal)
                for key, clock in (("you_ms", clocks[side]), ("opponent_ms", clocks[1 - side])):
                    if clock.runs:
                        self.same(f"{about}: {key}", said[key], max(1, clock.left // 1000))
            elif said.get("type") == "hello" and line["channel"].startswith("from_"):
                self.hellos.append((row[("south", "north")[side]], {key: said[key] for key in said if key != "type"}))
            elif side == board.side and asked and said.get("type") == "move" and said.get("id") == asked[0]:
                spent, asked = line["at_us"] - asked[1], None
                used[side] += spent
                pit = next((pit for pit in board.legal() if board.name(pit) == said["move"]), None)
                if pit is None or over or row["reason"] in ("time", "void") and len(made) == verdict["plies"]:
                    continue
                after, laps, gain = board.play(pit)
                made.append(said["move"])
                ply = plies[len(made) - 1] if len(plies) >= len(made) else {}
                info = said.get("info") or {}
                values = {"game": row["game"], "ply": len(made), "side": "SN"[side], "move": said["move"], "used_us": spent}
                values |= {"legal_count": len(board.legal()), "laps": laps, "captured": gain}
                values |= {key: info.get(key) for key in ("depth", "score", "nodes")}
                for key, value in (values | {"clock_us": clocks[side].charge(spent)}).items():
                    if row["reason"] != "void":
                        self.same(f"{about}, ply {len(made)}: {key}", ply.get(key), value)
                if after is None:
                    over = ("endless_sowing", None)
                    continue
                board, over = after, after.over()
                if not over and board.text().rsplit(" ", 2)[0] in seen:
                    over = ("repetition", board.counted())
                elif not over and len(made) >= self.plan["max_plies"]:
                    over = ("max_plies", board.counted())
                seen.add(board.text().rsplit(" ", 2)[0])
        reason, winner = over or (verdict["reason"], verdict["winner"])
        self.same(f"{about}: by the rules it is not over", not over and reason in BY_RULES, False)
        if reason in ("time", "illegal_move", "resign"):
            winner = "NS"[board.side]
        elif verdict["fault"]:
            winner = None if reason == "void" else "SN"["SN".index(verdict["fault"]) ^ 1]
        score = None if reason == "void" else {"S": 1.0, None: 0.5, "N": 0.0}[winner]
        derived = {"reason": reason, "winner": winner, "score_south": score, "plies": len(made), "moves": " ".join(made)}
        derived |= {"final_position": board.text(), "seeds_south": board.score(0), "seeds_north": board.score(1)}
        derived |= {"duration_us": last_us, "used_south_us": used[0], "used_north_us": used[1]}
        derived |= {key: verdict[key] for key in ("fault", "detail", "line")}
        lag_us = max((ply["lag_us"] for ply in plies), default=0)
        self.same(f"{about}: max_lag_us is that of its moves or more", row["max_lag_us"] >= lag_us, True)
        for key, value in derived.items():
            if not (key.startswith("used_") and reason in ("time", "void")):
                self.same(f"{about}: {key}", row[key], value)
        for key, value in {"plies": len(made), "position": board.text(), "winner": winner, "reason": reason}.items():
            self.same(f"{about}: {key} of the verdict", verdict[key], value)


if __name__ == "__main__":
    try:
        sys.exit(1 if Record(sys.argv[1]).verify() else 0)
    except (KeyError, ValueError, IndexError, StopIteration, TypeError, OSError) as error:
        print(f"the record cannot be read: {type(error).__name__}: {error}")
        sys.exit(1)
