// Numbers with their intervals, and tables of them.

import { countText, make, manyText } from "../shared/dom.js";

/** Estimators and their columns, as `dealer.ratings.titles` has them. */
export const TITLES = {
  raw: "raw",
  sets: "duplicate sets",
  allin: "all-in expectation",
  allin_sets: "all-in exp. in sets",
  aivat: "AIVAT",
  aivat_sets: "AIVAT in sets",
};

const LOGS_SHOWN = 4;

/** Return a number with a minus that is one. */
export function rateText(number, digits = 1) {
  const places = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const options = { ...places, signDisplay: "negative" }; // no "-0"
  return number.toLocaleString("en", options).replace("-", "\u2212");
}

/** Return a win rate with half its interval as text. */
export function intervalText(mbb, ci95, digits = 1) {
  return `${rateText(mbb, digits)} ± ${ci95 === null ? "?" : rateText(ci95, digits)}`;
}

/** Return the class of a win rate: "" where its interval has 0. */
export function sureClass(mbb, ci95) {
  return ci95 === null || Math.abs(mbb) <= ci95 ? "" : mbb > 0 ? "up" : "down";
}

/**
 * Return a table that can be scrolled.
 * `head` has texts or cells, `rows` are lists of cells, `texts` columns of words.
 */
export function grid(label, head, rows, texts = [0]) {
  const titles = head.map((text, at) =>
    typeof text === "string"
      ? make("th", { scope: "col", class: texts.includes(at) && "text", text })
      : text,
  );
  const body = make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells)));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...titles)), body);
  const attributes = { class: "wide-table", role: "region", tabindex: 0, "aria-label": label };
  return make("div", attributes, table);
}

/** Return a bar with a button that shows and hides some rows of a table; first they are hidden. */
export function rowsButton(text, rows) {
  const turn = () => {
    const shown = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", shown);
    for (const row of rows) row.hidden = !shown;
  };
  const pressed = { "aria-pressed": true, onclick: turn };
  const button = make("button", { type: "button", text, ...pressed });
  for (const row of rows) row.className = "part";
  turn();
  return make("div", { class: "curve-bar" }, button);
}

/** Return a cell with a share and what it is a share of. */
export function shareCell(part, whole) {
  if (!whole) return make("td", { text: "\u2013" });
  const words = `${countText(part)} / ${countText(whole)}`;
  return make("td", {}, `${rateText((100 * part) / whole)} %`, make("small", { text: words }));
}

/** Return a cell with a win rate, `small` below it. */
export function rateCell(rate, small = null) {
  if (!rate || rate.mbb_per_hand === null) return make("td", { text: "\u2013" });
  const { mbb_per_hand: mbb, ci95_mbb_per_hand: ci95 } = rate;
  const cell = make("td", { class: sureClass(mbb, ci95), text: intervalText(mbb, ci95, 0) });
  if (small !== null) cell.append(make("small", { text: small }));
  return cell;
}

/** Return the address of a hand; `named` says whether there are other logs. */
export function handAddress({ log, hand, nth }, named) {
  const part = named ? `log=${log}&` : "";
  return `replay.html#${part}hand=${hand}${nth > 1 ? `&nth=${nth}` : ""}`;
}

/** Return the head of a player's row or column. */
export function nameHead(name, scope = "row") {
  const text = make("bdi", { text: name, title: name.slice(0, 200) });
  return make("th", { scope, class: scope === "row" && "text" }, text);
}

/** Return a cell with a win rate by one estimator, and what is behind it. */
export function estimateCell(estimate, raw, quoted) {
  if (!estimate) return make("td", { text: "?" });
  const { mbb_per_hand: mbb, ci95_mbb_per_hand: ci95, samples, sample_unit: unit } = estimate;
  const classes = `${sureClass(mbb, ci95)}${quoted ? " quoted" : ""}`;
  const saved = estimate.hands_saved_factor;
  const worth = estimate === raw || !saved ? "" : `, ×${rateText(saved, 2)}`;
  const words = `${manyText(samples, unit)}${worth}`;
  const title = quoted && "The estimator to quote";
  const small = make("small", { text: words });
  return make("td", { class: classes, title }, intervalText(mbb, ci95), small);
}

/** Return a link to a log. */
export function logLink(log, names, text = names.get(log) ?? `log ${log}`) {
  return make("a", { href: `replay.html#log=${log}`, title: names.get(log) ?? false, text });
}

/** Return links to the logs behind the first one. */
export function moreLogs(logs, names) {
  const second = logs.slice(1, LOGS_SHOWN);
  const links = second.map((log, at) => logLink(log, names, `log ${at + 2}`));
  const rest = logs.length - 1 - links.length;
  return make("span", { class: "logs" }, ...links, rest > 0 ? `and ${rest} more` : "");
}
