#!/usr/bin/env bash
# How much more than the true time bots are charged when 200 games run at once, each bot sleeping 50 ms a move.
# Usage: referee/bench/clocks.sh [GAMES]
set -euo pipefail
cd "$(dirname "$0")/../.."
games=${1:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo build --release --quiet -p bao-referee
cc -O2 -o "$work/sleepy" referee/bench/sleepy_bot.c
target/release/referee match bao-kigogo "$work/sleepy" "$work/sleepy" \
    --games "$games" --concurrency "$games" --out "$work/run" --json 2>/dev/null >/dev/null
python3 - "$work/run" <<'P'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1] + "/moves.jsonl")]
def at(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]
over = [row["used_us"] - row["nodes"] for row in rows]
lag = [row["lag_us"] for row in rows]
for name, values in (("charged beyond the true time", over), ("lag_us in the record", lag)):
    print(f"{len(rows)} moves, {name}: median {at(values, .5)} us, 99 % {at(values, .99)} us, most {max(values)} us")
P
