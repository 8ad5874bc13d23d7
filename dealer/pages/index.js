// The list of logs; one alone is opened at once.

import { countText, make } from "./dom.js";
import { Settings } from "./settings.js";
import { openSource } from "./source.js";

const $ = (id) => document.getElementById(id);
const settings = new Settings(() => {});
const theme = document.querySelector("[data-setting=theme]");
theme.addEventListener("click", () => settings.turn("theme"));

try {
  const { logs } = await openSource();
  if (logs.length === 1) location.replace("replay.html");
  $("status").textContent = `${countText(logs.length)} logs`;
  $("log-list").append(...logs.map(entry));
} catch (error) {
  $("status").textContent = error.message;
  throw error;
}

function entry({ id, name, bytes, game }) {
  const size = `${countText(Math.ceil(bytes / 1000))} kB`;
  const words = game ? `${game.name}, ${game.players} players, ${size}` : `game not known, ${size}`;
  const link = make("a", { href: `replay.html#log=${id}` });
  link.append(make("bdi", { class: "name", text: name }), make("span", { text: words }));
  return make("li", {}, link);
}
