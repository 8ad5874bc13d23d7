// The results of all logs: win rates, curve, crosstable, biggest pots and how everybody played.

import { crosstable } from "./crosstable.js";
import { countText, make, signedText } from "./dom.js";
import { estimateCell, grid, logLink, nameHead, rateText, TITLES } from "./figures.js";
import { RateCurve } from "./ratecurve.js";
import { Settings } from "./settings.js";
import { openSource } from "./source.js";
import { statistics } from "./statistics.js";

const AGAIN_MS = 10000; // a match that is being played
const main = document.getElementById("main");
const status = document.getElementById("status");
const settings = new Settings(() => {});
const theme = document.querySelector("[data-setting=theme]");
theme.addEventListener("click", () => settings.turn("theme"));

let shown = "";

async function refresh() {
  const { logs } = await openSource();
  const answer = await fetch("results.json");
  if (!answer.ok) throw new Error("The logs cannot be counted.");
  const text = await answer.text();
  const results = JSON.parse(text);
  if (text !== shown) show(results, new Map(logs.map(({ id, name }) => [id, name])));
  shown = text;
  if (!results.over) setTimeout(again, AGAIN_MS);
}

/** Count again, unless somebody is looking elsewhere or holds something of the page. */
function again() {
  const busy = document.hidden || main.contains(document.activeElement);
  if (busy) setTimeout(again, AGAIN_MS);
  else refresh().catch(fail);
}

function fail(error) {
  status.textContent = error.message;
  throw error;
}

function show(results, names) {
  const hands = results.games.reduce((sum, game) => sum + game.hands, 0);
  const words = [`${countText(hands)} hands`, `${countText(results.logs)} logs`];
  if (!results.over) words.push("being played");
  status.textContent = words.join(", ");
  main.replaceChildren(...results.games.flatMap((game) => sections(game, names, results.over)));
  if (!results.games.length) main.append(make("p", { text: "There is no hand yet." }));
  const lost = results.lines_left_out;
  const left = [
    lost ? `${countText(lost)} lines that are no hands are left out.` : "",
    results.logs_not_read ? `${results.logs_not_read} logs cannot be read to their end.` : "",
  ].join(" ");
  if (left.trim()) main.append(make("p", { class: "note", text: left }));
}

function sections(game, names, over) {
  const title = make("h1", { text: game.game });
  const hands = `${countText(game.hands)} hands.`;
  const what = `${hands} Win rates are in thousandths of a big blind per hand (mbb/h).`;
  const verdict = game.verdict && `Verdict: ${game.verdict.text}`;
  const early = over || game.players.length > 2 ? "" : "No verdict before the end.";
  const judged = verdict ?? early;
  const parts = [title, make("p", { text: what })];
  if (judged) parts.push(make("p", { class: "verdict", text: judged }));
  parts.push(make("h2", { text: "Win rates" }), winRates(game));
  parts.push(make("h2", { text: "Curve" }), new RateCurve(game).root);
  const crossed = crosstable(game, names);
  if (crossed) parts.push(make("h2", { text: "Crosstable" }), ...crossed);
  parts.push(make("h2", { text: "Play" }), ...statistics(game));
  parts.push(make("h2", { text: "Biggest pots" }), pots(game, names));
  return parts;
}

function winRates({ players }) {
  const found = Object.keys(TITLES).filter((name) => players.some((one) => one.estimators[name]));
  const head = ["Player", "Hands", ...found.map((name) => TITLES[name])];
  const rows = players.map(({ player, hands, estimators, quoted_estimator: quoted }) => [
    nameHead(player),
    make("td", { text: countText(hands) }),
    ...found.map((name) => estimateCell(estimators[name], estimators.raw, name === quoted)),
  ]);
  return grid("Win rates with 95 % intervals", head, rows);
}

function pots({ pots: found, big_blind_chips: bigBlind }, names) {
  const head = ["Hand", "Pot", "In big blinds", "Won and lost"];
  if (names.size > 1) head.push("Log");
  const rows = found.map(({ log, hand, nth, pot_chips: pot, players, chips }) => {
    const part = names.size > 1 ? `log=${log}&` : "";
    const address = `replay.html#${part}hand=${hand}${nth > 1 ? `&nth=${nth}` : ""}`;
    const link = make("a", { href: address, text: `Hand ${countText(hand)}` });
    const won = players.flatMap((player, at) =>
      chips[at] ? [make("bdi", { text: player }), ` ${signedText(chips[at])} `] : [],
    );
    const cells = [
      make("th", { class: "text", scope: "row" }, link),
      make("td", { text: countText(pot) }),
      make("td", { text: rateText(pot / bigBlind, 1) }),
      make("td", { class: "text" }, ...(won.length ? won : ["split"])),
    ];
    if (names.size > 1) cells.push(make("td", { class: "text" }, logLink(log, names)));
    return cells;
  });
  return grid("Biggest pots", head, rows, [0, 3, 4]);
}

refresh().catch(fail);
