#!/usr/bin/env bash
# How long `referee ratings` takes for twenty bots that all met in ten pairs of games, and for more.
# Usage: referee/bench/ratings.sh [RUNS]. To measure a referee that is already built: REFEREE=PATH referee/bench/ratings.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=${1:-21}
if [ -z "${REFEREE:-}" ]; then
    cargo build --release --quiet -p bao-referee --bins
    REFEREE=$PWD/target/release/referee
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 - "$REFEREE" "$work" "$runs" <<'P'
import os, random, statistics, subprocess, sys, time

referee, work, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])


def results(path, bots, pairs):
    """Writes a round robin between bots whose strengths are 50 Elo apart; the same results in every run."""
    chance = random.Random(1)
    with open(path, "w") as file:
        file.write("a,b,points_a,points_b\n")
        for a in range(bots):
            for b in range(a + 1, bots):
                expected = 1 / (1 + 10 ** (50 * (a - b) / 400))
                for _ in range(pairs):
                    points = sum(chance.random() < expected for _ in range(2))
                    file.write(f"bot{a},bot{b},{points},{2 - points}\n")


def measured(path):
    """Seconds until the command ended, and seconds of processor time, of one run."""
    before, began = os.times(), time.monotonic()
    subprocess.run([referee, "ratings", path, "--json"], stdout=subprocess.DEVNULL, check=True)
    passed, after = time.monotonic() - began, os.times()
    return passed, sum(after[2:4]) - sum(before[2:4])


for bots, pairs in ((20, 10), (20, 100), (50, 10)):
    path = f"{work}/{bots}-{pairs}.csv"
    results(path, bots, pairs)
    passed, used = zip(*(measured(path) for _ in range(runs)))
    print(f"{bots} bots, {pairs} pairs each: median {statistics.median(passed):.3f} s, longest {max(passed):.3f} s, "
          f"processor time {statistics.median(used):.2f} s ({runs} runs)")
P
