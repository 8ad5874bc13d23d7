// What players did street by street, and where their hands ended and how.

import { countText, make } from "../shared/dom.js";
import { grid, nameHead, rateCell, shareCell } from "./figures.js";
import { streetName } from "../shared/history.js";

const ENDS = { folded: "Folded", uncontested: "Others folded", shown_down: "Showdown" };
const ACTIONS = { raises: "Bets, raises", calls: "Calls", checks: "Checks", folds: "Folds" };
const none = () => make("td", { text: "\u2013" });
const MEANINGS =
  "Reached: hands whose betting went on there with the player. They end with a fold, with that " +
  "of all others, or with a showdown, which counts where the betting closed. What each end won " +
  "is in mbb/h of all hands of the player, so all ends add up to the raw win rate. Actions are " +
  "shares of the actions on the street.";

/** Return the table and what its columns mean. */
export function streetTable({ streets, board_cards: boardCards }) {
  const rules = { boardCards, rounds: boardCards.length };
  const head = ["Player", "Street", "Reached", ...Object.values(ENDS), "In all"];
  head.push(...Object.values(ACTIONS));
  const rows = streets.map((row) => [
    nameHead(row.player),
    make("td", { class: "text", text: streetName(rules, row.street) }),
    shareCell(row.reached, row.hands),
    ...Object.keys(ENDS).map((end) => endCell(row[end])),
    Object.keys(ENDS).some((end) => row[end].hands) ? rateCell(row.won) : none(),
    ...actionCells(row.actions),
  ]);
  const table = grid("Street by street", head, rows, [0, 1]);
  for (const [at, row] of [...table.querySelectorAll("tbody tr")].entries()) {
    if (streets[at].street) row.className = "more";
  }
  return [table, make("p", { class: "note", text: MEANINGS })];
}

function endCell(end) {
  return end.hands ? rateCell(end, countText(end.hands)) : none();
}

function actionCells(actions) {
  const all = Object.values(actions).reduce((sum, count) => sum + count, 0);
  return Object.keys(ACTIONS).map((kind) => shareCell(actions[kind], all));
}
