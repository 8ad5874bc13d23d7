// The results of all logs: win rates, curve, crosstable, biggest pots and how everybody played.

import { crosstable } from "./crosstable.js";
import { countText, make, manyText, signedText, straight } from "../shared/dom.js";
import { estimateCell, grid, handAddress, logLink, nameHead, rateText, TITLES } from "./figures.js";
import { keep } from "./keeping.js";
import { latencyTable } from "./latency.js";
import { RateCurve } from "./ratecurve.js";
import { Settings } from "../shared/settings.js";
import { asked, openSource } from "../shared/source.js";
import { statistics } from "./statistics.js";
import { streetTable } from "./streets.js";

const AGAIN_MS = 10000; // a match that is being played, or another one that begins
const LOGS_TOLD = 10;
const main = document.getElementById("main");
const status = document.getElementById("status");
const settings = new Settings(() => {});
const theme = document.querySelector("[data-setting=theme]");
theme.addEventListener("click", () => settings.turn("theme"));

let shown = "";
let counted = ""; // logs of which all is shown

/** Count what is new, and look again after a while, whether the server was there or not. */
async function refresh() {
  try {
    const { logs } = await openSource();
    const listed = JSON.stringify(logs);
    if (listed !== counted) await count(logs, listed);
  } catch (error) {
    counted = "";
    status.textContent = error.message;
  }
  setTimeout(again, AGAIN_MS);
}

async function count(logs, listed) {
  const answer = await asked("results.json");
  const text = await answer.text();
  const results = JSON.parse(text);
  status.textContent = statusOf(results);
  if (text !== shown) show(results, new Map(logs.map(({ id, name }) => [id, name])));
  shown = text;
  counted = results.over ? listed : "";
}

/** Count again, unless somebody is looking elsewhere or at a list, which would close. */
function again() {
  const busy = document.hidden || document.activeElement?.tagName === "SELECT";
  if (busy) setTimeout(again, AGAIN_MS);
  else refresh();
}

function statusOf(results) {
  const hands = results.games.reduce((sum, game) => sum + game.hands, 0);
  const words = [manyText(hands, "hand"), manyText(results.logs, "log")];
  if (!results.over) words.push("not all have their end");
  return words.join(", ");
}

function show(results, names) {
  const setAgain = keep(main);
  main.replaceChildren(...results.games.flatMap((game) => sections(game, names, results.over)));
  if (!results.games.length) {
    const words = make("p", { text: "There is no hand yet." });
    main.append(make("h1", { text: "Results" }), words);
  }
  main.append(...leftOut(results, names));
  setAgain();
}

/** Return notes on what is not in the results, or is in them all the same. */
function leftOut({ lines_left_out: lines, logs_left_out: logs, notes }, names) {
  const texts = lines ? [`${countText(lines)} lines that are no hands are left out.`] : [];
  texts.push(...notes.map((text) => `${text}.`));
  const told = texts.map((text) => make("p", { class: "note", text }));
  for (const { log, why } of logs.slice(0, LOGS_TOLD)) {
    const name = make("bdi", { text: names.get(log) ?? `log ${log}` });
    told.push(make("p", { class: "note" }, name, `: ${why}`));
  }
  const rest = logs.length - LOGS_TOLD;
  if (rest > 0) told.push(make("p", { class: "note", text: `${countText(rest)} more such logs.` }));
  return told;
}

function sections(game, names, over) {
  const title = make("h1", {}, make("bdi", { text: game.game }));
  const hands = `${manyText(game.hands, "hand")}.`;
  const what = `${hands} Win rates are in thousandths of a big blind per hand (mbb/h).`;
  const verdict = game.verdict && `Verdict: ${game.verdict.text}`;
  const early = over || game.players.length > 2 ? "" : "No verdict before the end.";
  const judged = verdict ?? early;
  const parts = [title, make("p", { text: what })];
  if (judged) parts.push(make("p", { class: "verdict", text: straight(judged) }));
  parts.push(make("h2", { text: "Win rates" }), winRates(game), ...warnings(game));
  if (game.curves.length) parts.push(make("h2", { text: "Curve" }), new RateCurve(game).root);
  const crossed = crosstable(game, names);
  if (crossed) parts.push(make("h2", { text: "Crosstable" }), ...crossed);
  parts.push(make("h2", { text: "Play" }), ...statistics(game));
  parts.push(make("h2", { text: "Streets" }), ...streetTable(game));
  const times = latencyTable(game, names);
  if (times.length) parts.push(make("h2", { text: "Time for answers" }), ...times);
  parts.push(make("h2", { text: "Biggest pots" }), pots(game, names));
  return parts;
}

function winRates({ players }) {
  const toQuote = new Set(players.map((one) => one.quoted_estimator)); // first, also on a phone
  const found = Object.keys(TITLES).filter((name) => players.some((one) => one.estimators[name]));
  found.sort((one, other) => toQuote.has(other) - toQuote.has(one));
  const titles = found.map((name) => {
    const small = toQuote.has(name) && make("small", { text: "to quote" });
    return make("th", { scope: "col" }, TITLES[name], small || "");
  });
  const rows = players.map(({ player, hands, estimators, quoted_estimator: quoted }) => [
    nameHead(player),
    ...found.map((name) => estimateCell(estimators[name], estimators.raw, name === quoted)),
    make("td", { text: countText(hands) }),
  ]);
  const head = ["Player", ...titles, "Hands"];
  return grid("Win rates with 95 % intervals", head, rows);
}

/** Return notes on the estimates: what they save, what AIVAT knows, which of them disagree. */
function warnings({ aivat, hands, guard }) {
  const told = [["×1.5: without this estimator the same interval takes 1.5 times as many hands."]];
  if (aivat) {
    const of = aivat.hands < hands ? `, of ${countText(aivat.hands)} hands so far` : "";
    const known = Object.entries(aivat.known).flatMap(([name, bot], at) => {
      const words = `${at ? "," : " It knows the strategy of"} `;
      return [words, make("bdi", { text: name }), " as ", make("bdi", { text: bot })];
    });
    told.push([`AIVAT is from the files beside the logs${of}.`, ...known, known.length ? "." : ""]);
  }
  for (const { player, against, estimators, warns } of guard.comparisons) {
    if (!warns) continue;
    const [one, other] = estimators.map((name) => TITLES[name]);
    const met = against ? [" against ", make("bdi", { text: against })] : [];
    const about = `Estimators disagree, ${one} and ${other} about `;
    told.push([about, make("bdi", { text: player }), ...met, ": see arena rate."]);
  }
  return told.map((parts) => make("p", { class: "note" }, ...parts));
}

function pots({ pots: found, big_blind_chips: bigBlind }, names) {
  const head = ["Pot", "In big blinds", "Hands", "The first of them", "Won and lost"];
  if (names.size > 1) head.push("Log");
  const rows = found.map(({ log, hand, nth, pot_chips: pot, hands, players, chips }) => {
    const href = handAddress({ log, hand, nth }, names.size > 1);
    const link = make("a", { href, text: `Hand ${countText(hand)}` });
    const won = players.flatMap((player, at) =>
      chips[at] ? [make("bdi", { text: player }), ` ${signedText(chips[at])} `] : [],
    );
    const cells = [
      make("th", { scope: "row", text: countText(pot) }),
      make("td", { text: rateText(pot / bigBlind, 1) }),
      make("td", { text: countText(hands) }),
      make("td", { class: "text" }, link),
      make("td", { class: "text" }, ...(won.length ? won : ["split"])),
    ];
    if (names.size > 1) cells.push(make("td", { class: "text" }, logLink(log, names)));
    return cells;
  });
  return grid("Biggest pots", head, rows, [3, 4, 5]);
}

refresh();
