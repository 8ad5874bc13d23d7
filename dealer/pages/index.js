// The list of logs, also of those that are still to come; one alone is opened at once.

import { countText, make } from "./dom.js";
import { Settings } from "./settings.js";
import { openSource } from "./source.js";

const AGAIN_MS = 10000;
const $ = (id) => document.getElementById(id);
const settings = new Settings(() => {});
const theme = document.querySelector("[data-setting=theme]");
theme.addEventListener("click", () => settings.turn("theme"));
const facts = new Map(); // what stands below the name of each log

try {
  const { logs } = await openSource();
  if (logs.length === 1) location.replace("replay.html");
  show(logs);
  setInterval(again, AGAIN_MS);
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

function show(logs) {
  $("status").textContent = `${countText(logs.length)} logs`;
  for (const log of logs) {
    if (!facts.has(log.id)) $("log-list").append(entry(log));
    facts.get(log.id).textContent = factsOf(log);
  }
}

function factsOf({ bytes, game }) {
  const size = `${countText(Math.ceil(bytes / 1000))} kB`;
  return game ? `${game.name}, ${game.players} players, ${size}` : `game not known, ${size}`;
}

function entry({ id, name }) {
  const link = make("a", { href: `replay.html#log=${id}` });
  facts.set(id, make("span"));
  link.append(make("bdi", { class: "name", text: name }), facts.get(id));
  return make("li", {}, link);
}
