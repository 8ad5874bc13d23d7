// How everybody played: shares with the counts behind them, of each position on wish.

import { countText, make } from "./dom.js";
import { grid, nameHead, rateCell, rateText, rowsButton, shareCell } from "./figures.js";

const RATES = { raw: "mbb/h", sets: "Sets", expected: "All-in exp." };
const SHARES = [
  ["VPIP", "vpip", ({ vpip }, hands) => [vpip, hands]],
  ["PFR", "pfr", ({ pfr }, hands) => [pfr, hands]],
  ["AF", "aggression_factor", ({ raises, calls }) => [raises, calls]],
  ["AFq", "aggression_frequency", ({ raises, calls, folds }) => [raises, raises + calls + folds]],
  ["WTSD", "went_to_showdown", ({ showdowns, second_streets: seen }) => [showdowns, seen]],
  ["W$SD", "won_at_showdown", ({ showdowns_won: won, showdowns }) => [won, showdowns]],
  ["Won", "won", ({ won }, hands) => [won, hands]],
];
const MEANINGS =
  "VPIP: called or raised before the flop, blinds apart. PFR: raised before the flop. AF: bets " +
  "and raises to a call, from the flop on. AFq: bets and raises of all bets, raises, calls and " +
  "folds. WTSD: showdowns of hands that saw the flop. W$SD: showdowns that won. Won: hands with " +
  "a profit.";

/** Return the table, the button for its positions, and what its columns mean. */
export function statistics({ stats, repeated_hands: repeated }) {
  const rates = ["raw", ...["sets", "expected"].filter((name) => stats.some((row) => row[name]))];
  const titles = rates.map((name) => RATES[name]);
  const head = ["Player", "Position", "Hands", ...titles, ...SHARES.map(([title]) => title)];
  const rows = stats.map((row) => cells(row, rates));
  const table = grid("How everybody played", head, rows, [0, 1]);
  const parts = [...table.querySelectorAll("tbody tr")].filter((_, at) => stats[at].position);
  const sets = Math.max(...stats.map((row) => row.sets?.samples ?? 0));
  const words = [MEANINGS];
  if (sets) words.push(`Sets: deals played in every seating, up to ${countText(sets)} a player.`);
  if (repeated) {
    words.push(
      `${countText(repeated)} hands have the cards, players and seats of others: the interval of ` +
        "mbb/h takes them for independent, that of sets does not.",
    );
  }
  const note = make("p", { class: "note", text: words.join(" ") });
  return [rowsButton("By position", parts), table, note];
}

function cells(row, rates) {
  const { player, position, hands, counts } = row;
  return [
    nameHead(player),
    make("td", { class: "text", text: position || "all" }),
    make("td", { text: countText(hands) }),
    ...rates.map((name) => {
      const rate = row[name];
      return rateCell(rate && { mbb_per_hand: rate.mbb_per_hand, ci95_mbb_per_hand: rate.ci95 });
    }),
    ...SHARES.map(([, name, of]) => share(row[name], ...of(counts, hands), name)),
  ];
}

function share(value, part, whole, name) {
  if (value === null || name !== "aggression_factor") return shareCell(part, whole);
  const words = `${countText(part)} / ${countText(whole)}`;
  return make("td", {}, rateText(value, 2), make("small", { text: words }));
}
