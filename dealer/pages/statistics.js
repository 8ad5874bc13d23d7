// How everybody played: shares with the counts behind them, of each position on wish.

import { countText, make } from "./dom.js";
import { grid, intervalText, nameHead, rateText, sureClass } from "./figures.js";

const SHARES = [
  ["VPIP", "vpip", ({ vpip }, hands) => [vpip, hands]],
  ["PFR", "pfr", ({ pfr }, hands) => [pfr, hands]],
  ["AF", "aggression_factor", ({ raises, calls }) => [raises, calls]],
  ["AFq", "aggression_frequency", ({ raises, calls, folds }) => [raises, raises + calls + folds]],
  ["WTSD", "went_to_showdown", ({ showdowns, second_streets: seen }) => [showdowns, seen]],
  ["W$SD", "won_at_showdown", ({ showdowns_won: won, showdowns }) => [won, showdowns]],
  ["won", "won", ({ won }, hands) => [won, hands]],
];
const MEANINGS =
  "VPIP: called or raised before the flop, blinds apart. PFR: raised before the flop. AF: bets " +
  "and raises to a call, from the flop on. AFq: bets and raises of all bets, raises, calls and " +
  "folds. WTSD: showdowns of hands that saw the flop. W$SD: showdowns that won. Won: hands with " +
  "a profit.";

/** Return the table, the button for its positions, and what its columns mean. */
export function statistics({ stats }) {
  const head = ["Player", "Position", "Hands", "mbb/h", ...SHARES.map(([title]) => title)];
  const table = grid("How everybody played", head, stats.map(cells), [0, 1]);
  const parts = [...table.querySelectorAll("tbody tr")].filter((_, at) => stats[at].position);
  for (const row of parts) row.className = "part";
  const turn = () => {
    const shown = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", shown);
    for (const row of parts) row.hidden = !shown;
  };
  const pressed = { "aria-pressed": true, onclick: turn };
  const button = make("button", { type: "button", text: "By position", ...pressed });
  turn();
  const bar = make("div", { class: "curve-bar" }, button);
  return [bar, table, make("p", { class: "note", text: MEANINGS })];
}

function cells(row) {
  const { player, position, hands, raw, counts } = row;
  return [
    nameHead(player),
    make("td", { class: "text", text: position || "all" }),
    make("td", { text: countText(hands) }),
    make("td", {
      class: sureClass(raw.mbb_per_hand, raw.ci95),
      text: intervalText(raw.mbb_per_hand, raw.ci95, 0),
    }),
    ...SHARES.map(([, name, of]) => share(row[name], ...of(counts, hands), name)),
  ];
}

function share(value, part, whole, name) {
  if (value === null) return make("td", { text: "\u2013" });
  const text = name === "aggression_factor" ? rateText(value, 2) : `${rateText(100 * value)} %`;
  const words = `${countText(part)} / ${countText(whole)}`;
  return make("td", {}, text, make("small", { text: words }));
}
