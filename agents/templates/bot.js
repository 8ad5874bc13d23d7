// A poker bot in one JavaScript file, for any dealer that speaks the ACPC protocol 2.0.0.
//
//     node bot.js [-g GAME_FILE] [-s SEED] HOST PORT        (Node.js 18.3 or later)
//
// Change decide() to make it yours; everything else can stay.  As it stands the bot plays at
// random: it folds 6 % of the time, calls 47 % and raises 47 % by any legal size.  Without -g it
// plays heads-up no-limit hold'em; with -g the game that the file defines.  Without -s the seed is
// what arena match puts into the environment as ARENA_BOT_SEED, else a new one.

"use strict";
const fs = require("node:fs");
const net = require("node:net");
const { parseArgs } = require("node:util");

let game = {
  nolimit: [1],
  numplayers: [2],
  numrounds: [4],
  stack: [20000, 20000], // chips by position, like the blinds
  blind: [100, 50],
  raisesize: [], // chips by street, in limit games
  firstplayer: [2, 1, 1, 1], // by street, positions counted from 1
  maxraises: [],
};

// Return "f", "c", "r" (limit) or "r<total chips>" (no-limit).
function decide(hand) {
  const fold = hand.toMatch > hand.spent[hand.position] ? 0.06 : 0;
  const raise = hand.raiseRange ? 0.47 : 0;
  const pick = random() * (fold + 0.47 + raise);
  if (pick < fold) return "f";
  if (pick < fold + 0.47) return "c";
  if (!game.nolimit.length) return "r";
  const [smallest, largest] = hand.raiseRange;
  return `r${smallest + Math.floor(random() * (largest - smallest + 1))}`;
}

// Read one message of the dealer: the cards we may see and the betting, replayed.
function readHand(line) {
  const [kind, position, number, betting, cards] = line.split(":");
  if (kind !== "MATCHSTATE" || cards === undefined) throw new Error(`not a state: ${line}`);
  const { stack } = game;
  const players = stack.length;
  const hand = {
    number: Number(number),
    position: Number(position), // our place relative to the button, from 0
    cards, // "AhKd|/2c3c4c": hole cards by position, board by street
    street: 0,
    actor: -1, // the position that acts now, -1 when the hand is over
    spent: [...game.blind], // chips put in over the whole hand, by position
    folded: Array(players).fill(false),
    toMatch: Math.max(...game.blind), // chips it takes to stay in
    raiseRange: null, // [smallest, largest] legal total for a raise, where one is legal
  };
  let smallest = 2 * hand.toMatch || 1;
  let [raises, actions, settled] = [0, 0, 0]; // counts of this street

  const canAct = (p) => !hand.folded[p] && hand.spent[p] < stack[p];
  const ableCount = () => stack.filter((_, p) => canAct(p)).length;
  const nextToAct = (from) => {
    const found = stack.findIndex((_, step) => canAct((from + step) % players));
    return found < 0 ? -1 : (from + found) % players;
  };

  hand.actor = nextToAct(game.firstplayer[0] - 1);
  for (const [action] of betting.matchAll(/[fc]|r\d*/g)) {
    const actor = hand.actor;
    if (actor < 0) throw new Error(`not a state of this game: ${line}`);
    if (action === "f") {
      hand.folded[actor] = true;
    } else if (action === "c") {
      hand.spent[actor] = Math.min(hand.toMatch, stack[actor]);
      settled += canAct(actor);
    } else {
      let to = Math.min(hand.toMatch + game.raisesize[hand.street], stack[actor]);
      if (game.nolimit.length) {
        to = Number(action.slice(1));
        smallest = Math.max(smallest, 2 * to - hand.toMatch);
      }
      hand.spent[actor] = hand.toMatch = to;
      settled = Number(canAct(actor));
      raises++;
    }
    actions++;
    const able = ableCount();
    if (hand.folded.filter((gone) => !gone).length === 1) {
      hand.actor = -1;
    } else if (settled < able) {
      hand.actor = nextToAct(actor + 1);
    } else if (able > 1 && hand.street + 1 < game.numrounds[0]) {
      hand.street++;
      smallest = hand.toMatch + Math.max(...game.blind, 1);
      [raises, actions, settled] = [0, 0, 0];
      hand.actor = nextToAct(game.firstplayer[hand.street] - 1);
    } else {
      hand.actor = -1;
    }
  }
  const mine = stack[hand.actor];
  const cap = game.maxraises[hand.street] ?? 255;
  const roomToRaise = raises < cap && actions + players <= 64 && ableCount() > 1;
  if (hand.actor >= 0 && roomToRaise && mine > hand.toMatch) {
    hand.raiseRange = [Math.min(smallest, mine), mine];
  }
  return hand;
}

// Read a game file: lines of "key = number number ..."; unknown keys do not matter here.
function readGame(path) {
  const read = Object.fromEntries(Object.keys(game).map((key) => [key, []]));
  for (const line of fs.readFileSync(path, "latin1").split("\n")) {
    const key = Object.keys(read).find((known) => line.toLowerCase().startsWith(known));
    if (key) read[key] = key === "nolimit" ? [1] : (line.match(/\d+/g) ?? []).map(Number);
  }
  const [players] = read.numplayers;
  read.blind = read.blind.slice(0, players);
  read.stack = read.stack.length ? read.stack.slice(0, players) : Array(players).fill(2 ** 31 - 1);
  while (read.firstplayer.length < read.numrounds[0]) read.firstplayer.push(1);
  return read;
}

let randomState = 0; // begins anew at each decision

function mix(word) {
  let bits = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return (bits ^ (bits >>> 15)) >>> 0;
}

function random() {
  // uniform in [0, 1): splitmix32
  randomState = (randomState + 0x9e3779b9) | 0;
  return mix(randomState) / 2 ** 32;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { game: { type: "string", short: "g" }, seed: { type: "string", short: "s" } },
});
if (positionals.length !== 2) {
  console.error("usage: node bot.js [-g GAME_FILE] [-s SEED] HOST PORT");
  process.exit(2);
}
if (values.game) game = readGame(values.game);
const seed = Number(values.seed ?? process.env.ARENA_BOT_SEED ?? Date.now() ^ (process.pid << 16));

const dealer = net.connect({ host: positionals[0], port: Number(positionals[1]) });
dealer.setNoDelay(true).setEncoding("latin1");
dealer.write("VERSION:2.0.0\r\n");
let unread = "";
dealer.on("data", (data) => {
  const lines = (unread + data).split("\n");
  unread = lines.pop();
  for (const raw of lines) {
    const line = raw.trimEnd();
    if (/^[#;]/.test(line)) continue;
    const hand = readHand(line);
    if (hand.actor !== hand.position) continue;
    // By hand and betting alone: a bot that is started again in mid-match plays as it would have.
    randomState = mix(seed + mix(hand.number * 4096 + line.length - hand.cards.length));
    dealer.write(`${line}:${decide(hand)}\r\n`);
  }
});
dealer.on("error", (error) => {
  console.error(`bot: ${error.message}`);
  process.exitCode = 1;
});
