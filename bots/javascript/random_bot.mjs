#!/usr/bin/env node
// A bot that plays any legal move. Node 18 or later, no packages.
//
// Run a match:  referee match bao-kigogo "node bots/javascript/random_bot.mjs" random-bot
// By hand:      node bots/javascript/random_bot.mjs     and type messages of PROTOCOL.md, one a line

import { createInterface } from "node:readline";

const identity = {
  type: "hello",
  protocol: 1,
  name: "random_bot.mjs",
  version: "1.0",
  author: "Bao Referee",
  games: ["bao-kigogo", "bao-kingulu"],
};

// console.log would do as well: on a pipe node writes at once. Only messages may go to standard output.
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

const anyOf = (list) => list[Math.floor(Math.random() * list.length)];

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "") continue;
  const message = JSON.parse(line);
  switch (message.type) {
    case "hello":
      say(identity);
      break;
    case "new_game":
      say({ type: "ready", id: message.id });
      break;
    case "go":
      say({ type: "move", id: message.id, move: anyOf(message.legal.split(" ")) });
      break;
    case "ping":
      say({ type: "pong", id: message.id });
      break;
    case "fault":
      console.error(message.code, message.detail);
      break;
    case "bye":
      process.exit(0);
    // Anything else (set_option, game_over, a type of a later version) needs no answer.
  }
}
