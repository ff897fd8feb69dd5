#!/usr/bin/env bash
# Plies a second with bots that answer at once, everything on one processor, beside the raw limit of two pipes in the
# same run. Usage: referee/bench/refereeing.sh [GAMES [ROUNDS]]
set -euo pipefail
cd "$(dirname "$0")/../.."
games=${1:-400} rounds=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo build --release --quiet -p bao-referee
cc -O2 -o "$work/pingpong" referee/bench/pingpong.c
cc -O2 -o "$work/instant" bots/c/instant_bot.c
for round in $(seq "$rounds"); do
    raw=$(taskset -c 0 "$work/pingpong" 60000 100 | awk '/2child_samecore/ {print $3}')
    taskset -c 0 target/release/referee match bao-kigogo "$work/instant" "$work/instant" \
        --games "$games" --out "$work/run$round" "${@:3}" 2>"$work/stderr" >/dev/null || { cat "$work/stderr"; exit 1; }
    python3 - "$work/run$round" "$raw" <<'P'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1] + "/games.jsonl")]
plies = sum(row["plies"] for row in rows)
rate = plies / sum(row["duration_us"] for row in rows) * 1e6
raw = float(sys.argv[2])
print(f"{len(rows)} games, {plies} plies: {rate:,.0f} plies/s; raw {raw:,.0f} round trips/s; ratio {rate / raw:.2f}")
P
done
