// How long players took for their answers, of each street on wish.

import { countText, make } from "../shared/dom.js";
import { grid, handAddress, nameHead, rowsButton } from "./figures.js";
import { streetName } from "../shared/history.js";

const MEANINGS =
  "From the sending of a state to its answer, as the transaction files beside the logs say, so " +
  "with the time that the connection took. The last column leads to the hand.";

/** Return the table, the button for its streets, and what its columns mean; [] without times. */
export function latencyTable({ latency, board_cards: boardCards }, names) {
  if (!latency.length) return [];
  const rules = { boardCards, rounds: boardCards.length };
  const head = ["Player", "Street", "Answers", "Mean", "Median", "95 %", "99 %", "Longest"];
  const rows = latency.map(({ player, street, answers, mean_seconds: mean, ...times }) => [
    nameHead(player),
    make("td", { class: "text", text: street === null ? "all" : streetName(rules, street) }),
    make("td", { text: countText(answers) }),
    make("td", { text: timeText(mean) }),
    ...["0.5", "0.95", "0.99"].map((share) =>
      make("td", { text: timeText(times.quantiles_seconds[share]) }),
    ),
    make("td", {}, longest(times.longest, names)),
  ]);
  const table = grid("Time for answers", head, rows, [0, 1]);
  const parts = [...table.querySelectorAll("tbody tr")].filter(
    (_, at) => latency[at].street !== null,
  );
  const bar = parts.length ? [rowsButton("By street", parts)] : [];
  return [...bar, table, make("p", { class: "note", text: MEANINGS })];
}

function longest(place, names) {
  const title = `Hand ${countText(place.hand)}`;
  const href = handAddress(place, names.size > 1);
  return make("a", { href, title, text: timeText(place.seconds) });
}

/** Return seconds as text, to three digits. */
function timeText(seconds) {
  if (seconds >= 99.95) return `${countText(Math.round(seconds))} s`;
  const [value, unit] = seconds < 0.9995 ? [1000 * seconds, "ms"] : [seconds, "s"];
  const digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}
