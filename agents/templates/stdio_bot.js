// A poker bot that reads questions in JSON from standard input and writes answers to its output.
//
//     arena match "stdio:node stdio_bot.js" rule        (Node.js 18 or later)
//
// Change decide() to make it yours; docs/bridges.md explains the fields of a question.  As it stands
// the bot plays at random: it folds 6 % of the time, calls 47 % and raises 47 % by any legal size.
// Print nothing else: console.error is for what is to be seen.

"use strict";
const readline = require("node:readline");

let state = 1;

// A random number from 0 to 1, the same ones for the same seed (mulberry32).
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}

// Return an action such as {action: "raise", to: 600}.
function decide(question) {
  const weight = ({ action }) => (action === "fold" ? 6 : 47);
  let pick = random() * question.legal.reduce((sum, one) => sum + weight(one), 0);
  const chosen = question.legal.find((one) => (pick -= weight(one)) < 0);
  if (chosen.action !== "raise") return chosen;
  return { action: "raise", to: chosen.min + Math.floor(random() * (chosen.max - chosen.min + 1)) };
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const told = JSON.parse(line);
  if (told.type === "hello") {
    state = told.seed % 4294967296;
    console.log("ready");
  } else if (told.type === "decision") {
    console.log(JSON.stringify(decide(told)));
  } else if (told.type === "error") {
    console.error(told.message);
  } // "result" has the chips won and the cards shown; there may be other types one day
});
