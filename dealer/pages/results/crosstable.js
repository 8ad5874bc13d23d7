// What each player won of each other one; every cell leads to the logs.

import { make } from "../shared/dom.js";
import { grid, intervalText, logLink, moreLogs, nameHead, sureClass, TITLES } from "./figures.js";

const FEWEST = 3;

/** Return the crosstable and what its numbers are; null where not all hands are between two. */
export function crosstable({ players, groups }, names) {
  if (players.length < FEWEST || groups.some(({ against }) => against.length !== 1)) return null;
  const cells = new Map();
  const used = new Set();
  for (const { player, against, estimators, quoted_estimator: quoted, logs } of groups) {
    const estimate = estimators[quoted];
    used.add(TITLES[quoted]);
    cells.set(placeOf(player, against[0]), { estimate, logs, sign: 1 });
    cells.set(placeOf(against[0], player), { estimate, logs, sign: -1 });
  }
  const ranked = players.map(({ player }) => player).sort(byMean(cells, players));
  const rows = ranked.map((one) => [
    nameHead(one),
    ...ranked.map((other) => cell(cells.get(placeOf(one, other)), names)),
  ]);
  const table = grid("Crosstable", ["mbb/h", ...ranked.map((one) => nameHead(one, "col"))], rows);
  const how = [...used].join(" or ");
  const words = `What the row's player won of the column's, with 95 % intervals, by ${how}. `;
  const colours = "Coloured: the interval has no 0. Cells lead to the logs.";
  return [table, make("p", { class: "note", text: words + colours })];
}

function placeOf(one, other) {
  return JSON.stringify([one, other]);
}

/** Return an order by the mean of what was won of all who were met. */
function byMean(cells, players) {
  const means = new Map();
  for (const { player } of players) {
    const met = players.map((other) => cells.get(placeOf(player, other.player))).filter(Boolean);
    const won = met.reduce((sum, { estimate, sign }) => sum + sign * estimate.mbb_per_hand, 0);
    means.set(player, met.length ? won / met.length : 0);
  }
  return (one, other) => means.get(other) - means.get(one);
}

function cell(found, names) {
  if (!found) return make("td", {});
  const { estimate, sign, logs } = found;
  const won = sign * estimate.mbb_per_hand;
  const text = intervalText(won, estimate.ci95_mbb_per_hand, 0);
  const link = logLink(logs[0], names, text);
  const classes = sureClass(won, estimate.ci95_mbb_per_hand);
  return make("td", { class: classes }, link, logs.length > 1 ? moreLogs(logs, names) : "");
}
