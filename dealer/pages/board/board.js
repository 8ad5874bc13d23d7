// The board of a server: its ratings, matches that are played, and those that are over.
// ./ shows all, ?bot=NAME one bot, ?pair=NAME&with=NAME two of them, ?match=ID one match.

import { countText, make, manyText, straight } from "../shared/dom.js";
import { Settings } from "../shared/settings.js";
import { matchPage, matchTable } from "./matches.js";
import { ratingTables } from "./ratings.js";

const AGAIN_MS = 5000;
const main = document.getElementById("main");
const status = document.getElementById("status");
const settings = new Settings(() => {});
const theme = document.querySelector("[data-setting=theme]");
theme.addEventListener("click", () => settings.turn("theme"));
const asked = new URLSearchParams(location.search);

const PAGES = [
  ["match", (id) => `api/matches/${encodeURIComponent(id)}`, matchPage],
  ["bot", (name) => `api/bots/${encodeURIComponent(name)}`, botPage],
  ["pair", pairAddress, pairPage],
];

let shown = "";

/** Load what is asked for, and look again after a while, whether the server was there or not. */
async function refresh() {
  const [key, address, page] = PAGES.find(([name]) => asked.has(name)) ?? ["", boardAddress, board];
  try {
    const answer = await fetch(address(asked.get(key)));
    const text = await answer.text();
    if (!answer.ok) throw new Error(JSON.parse(text).message);
    const { at, ...document } = JSON.parse(text);
    const content = JSON.stringify(document);
    if (content !== shown) main.replaceChildren(...page(document));
    shown = content;
    status.textContent = statusOf(document);
  } catch (error) {
    status.textContent = error.message;
  }
  setTimeout(again, AGAIN_MS);
}

function again() {
  if (document.hidden) setTimeout(again, AGAIN_MS);
  else refresh();
}

function statusOf({ running, waiting }) {
  if (running === undefined) return "";
  return `${manyText(running.length, "match").replace("matchs", "matches")} played now, ` +
    `${manyText(waiting, "request")} waiting`;
}

function boardAddress() {
  return "api/board";
}

function pairAddress(name) {
  return `api/pairs/${encodeURIComponent(name)}/${encodeURIComponent(asked.get("with") ?? "")}`;
}

function board({ name, running, matches, house, ratings }) {
  document.title = straight(name);
  const over = matches.filter(({ state }) => state !== "running");
  return [
    make("h1", { text: straight(name) }),
    ...ratingTables(ratings ?? {}),
    ...section("Being played", running),
    ...section("Over", over),
    make("h2", { text: "House bots" }),
    make("p", {
      class: "note",
      text: "They are fixed programs: they do not learn from whom they play. A version is told " +
        "from another by the digest of all that it consists of.",
    }),
    make("ul", {}, ...house.map(houseItem)),
  ];
}

function houseItem({ bot, version, digest }) {
  const link = make("a", { href: `?bot=${encodeURIComponent(bot)}`, text: straight(bot) });
  return make("li", {}, link, ` ${straight(version)}, ${digest.slice(0, 12)}`);
}

function section(title, matches) {
  const table = matches.length ? matchTable(matches) : make("p", { class: "note", text: "None." });
  return [make("h2", { text: title }), table];
}

function botPage({ bot, owner, house, versions, matches }) {
  const whose = house ? "of the house" : `of ${straight(owner)}`;
  const words = versions.map(({ version, digest }) => `${version} (${digest.slice(0, 12) || "?"})`);
  document.title = straight(bot);
  return [
    make("h1", { text: straight(bot) }),
    make("p", { text: `A bot ${whose}. Versions: ${words.map(straight).join(", ")}` }),
    ...section(`${countText(matches.length)} newest matches`, matches),
  ];
}

function pairPage({ bots, matches }) {
  document.title = bots.map(straight).join(" and ");
  return [make("h1", { text: document.title }), ...section("Matches", matches)];
}

refresh();
