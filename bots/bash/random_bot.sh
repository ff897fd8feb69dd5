#!/usr/bin/env bash
# A bot that plays any legal move. Bash alone, no jq: messages are compact and have their fields in the order of
# PROTOCOL.md, so cutting a line at a field's name is enough.
#
# Run a match:  referee match bao-kigogo "bash bots/bash/random_bot.sh" random-bot
# By hand:      bash bots/bash/random_bot.sh [SEED]     and type messages of PROTOCOL.md, one a line

[ -n "$1" ] && RANDOM=$1

# Prints one message. printf writes at once; echo would do strange things to backslashes.
say() { printf '%s\n' "$1"; }

while IFS= read -r line; do
  id=${line#*'"id":'}
  id=${id%%[!0-9]*}
  case $line in
    '{"type":"hello"'*)
      say '{"type":"hello","protocol":1,"name":"random_bot.sh","version":"1.0","author":"Bao Referee","games":["bao-kigogo","bao-kingulu"]}' ;;
    '{"type":"new_game"'*)
      say "{\"type\":\"ready\",\"id\":$id}" ;;
    '{"type":"go"'*)
      legal=${line#*'"legal":"'}
      legal=(${legal%%'"'*})
      say "{\"type\":\"move\",\"id\":$id,\"move\":\"${legal[RANDOM % ${#legal[@]}]}\"}" ;;
    '{"type":"ping"'*)
      say "{\"type\":\"pong\",\"id\":$id}" ;;
    '{"type":"fault"'*)
      printf '%s\n' "$line" >&2 ;;
    '{"type":"bye"'*)
      exit 0 ;;
    # Anything else (set_option, game_over, a type of a later version) needs no answer.
  esac
done
