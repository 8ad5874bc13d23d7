// The list of logs, also of those that are still to come; one alone is opened at once.

import { countText, make, manyText, signedText } from "../shared/dom.js";
import { Settings } from "../shared/settings.js";
import { asked, openSource } from "../shared/source.js";

const AGAIN_MS = 10000;
const $ = (id) => document.getElementById(id);
const settings = new Settings(() => {});
const theme = document.querySelector("[data-setting=theme]");
theme.addEventListener("click", () => settings.turn("theme"));
const facts = new Map(); // what stands below the name of each log
const results = new Map(); // what was played in each log, as far as it is counted
let shown = []; // the logs

try {
  const { logs } = await openSource();
  if (logs.length === 1) location.replace("replay.html");
  show(logs);
  setInterval(again, AGAIN_MS);
  count();
} catch (error) {
  $("status").textContent = error.message;
  throw error;
}

async function again() {
  if (document.hidden) return;
  await openSource().then(
    ({ logs }) => show(logs),
    (error) => ($("status").textContent = error.message),
  );
}

/** Tell what was played, and look again: more seldom when all is over, but other logs may join. */
async function count() {
  const document = await asked("results.json").then((answer) => answer.json(), () => null);
  for (const { logs, big_blind_chips: bigBlind } of document?.games ?? []) {
    for (const { log, hands, won } of logs) results.set(log, resultText(hands, won, bigBlind));
  }
  show(shown);
  setTimeout(count, document?.over ? 6 * AGAIN_MS : AGAIN_MS);
}

function resultText(hands, won, bigBlind) {
  const parts = Object.entries(won)
    .sort(([, one], [, other]) => other - one)
    .map(([player, chips]) => [make("bdi", { text: player }), ` ${signedText(chips, bigBlind)}`]);
  const joined = parts.flatMap((part, at) => (at ? [", ", ...part] : part));
  return [`${manyText(hands, "hand")}: `, ...joined];
}

function show(logs) {
  shown = logs;
  $("status").textContent = `${countText(logs.length)} logs`;
  for (const log of logs) {
    if (!facts.has(log.id)) $("log-list").append(entry(log));
    const { told, played } = facts.get(log.id);
    told.textContent = factsOf(log);
    if (results.has(log.id)) played.replaceChildren(...results.get(log.id));
  }
}

function factsOf({ bytes, game }) {
  const size = `${countText(Math.ceil(bytes / 1000))} kB`;
  return game ? `${game.name}, ${game.players} players, ${size}` : `game not known, ${size}`;
}

function entry({ id, name }) {
  const link = make("a", { href: `replay.html#log=${id}` });
  facts.set(id, { told: make("span"), played: make("span", { class: "played" }) });
  const { told, played } = facts.get(id);
  link.append(make("bdi", { class: "name", text: name }), played, told);
  return make("li", {}, link);
}
