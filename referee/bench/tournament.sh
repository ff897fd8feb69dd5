#!/usr/bin/env bash
# What scheduling, statistics and the report add to a tournament of bots that answer at once, how much memory they take,
# and how a tournament with many finished games goes on. Usage: referee/bench/tournament.sh [GAMES [FINISHED_GAMES]]
set -euo pipefail
cd "$(dirname "$0")/../.."
games=${1:-10000} finished=${2:-100000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo build --release --quiet -p bao-referee --bins --example long_record
cc -O2 -o "$work/instant" bots/c/instant_bot.c
PATH=$PWD/target/release:$PATH

# Writes a round robin of four bots over about so many games.
file() {
    printf '[format.round_robin]\ncycles = %d\n' $((($2 + 11) / 12))
    printf '[[game]]\nname = "%s"\nopenings = { random = { plies = 6 } }\n' "$1"
    for name in one two three four; do printf '[[bot]]\nname = "%s"\ncommand = "%s"\n' $name "$work/instant"; done
}

# Prints the seconds that a command takes and the most memory that it has, in MiB.
measured() {
    python3 - "$@" <<'P'
import os, resource, subprocess, sys, time
began = time.monotonic()
with open(os.devnull, "w") as nowhere:
    subprocess.run(sys.argv[1:], stdout=nowhere, check=True)
print(f"{time.monotonic() - began:.3f} {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.1f}")
P
}

for game in bao-kigogo bao-kingulu; do
    file $game "$games" >"$work/$game.toml"
    tournament=(referee tournament "$work/$game.toml" --quiet --out "$work/$game")
    read -r playing memory < <(measured "${tournament[@]}")
    # The same command has nothing left to play: it reads all rows, schedules them, counts them and rates the bots.
    read -r again _ < <(measured "${tournament[@]}")
    read -r report _ < <(measured referee report "$work/$game" --html "$work/$game.html")
    python3 - "$game" "$(wc -l <"$work/$game/games.jsonl")" "$playing" "$memory" "$again" "$report" <<'P'
import sys
game, games, *rest = sys.argv[1:]
playing, memory, again, report = map(float, rest)
print(f"{game}, {games} games: {playing:.1f} s, {memory:.1f} MiB; schedule and statistics {again:.2f} s, "
      f"report {report:.2f} s: share {100 * (again + report) / playing:.1f} %")
P
done

file bao-kigogo $((finished + 12)) >"$work/long.toml"
target/release/examples/long_record "$work/long.toml" "$work/long" "$finished"
read -r seconds memory < <(measured referee tournament "$work/long.toml" --quiet --out "$work/long")
echo "a tournament with $finished finished games went on, played the rest and ended: $seconds s, $memory MiB"
