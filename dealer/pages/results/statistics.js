// How everybody played: shares with the counts behind them, of positions and depths on wish.

import { countText, make } from "../shared/dom.js";
import { grid, nameHead, rateCell, rateText, rowsButton, shareCell } from "./figures.js";

const RATES = { raw: "mbb/h", sets: "Sets", expected: "All-in exp." };
const SHARES = [
  ["VPIP", "vpip", ({ vpip }, hands) => [vpip, hands]],
  ["PFR", "pfr", ({ pfr }, hands) => [pfr, hands]],
  ["3-bet", "three_bet", (_, __, { three_bet: raised }) => [raised.count, raised.of]],
  ["C-bet", "cbet", (_, __, { streets }) => [streets.flop.cbet.count, streets.flop.cbet.of]],
  ["Fold to it", "fold_to_cbet", (_, __, { streets }) => foldsToIt(streets.flop)],
  ["AF", "aggression_factor", ({ raises, calls }) => [raises, calls]],
  ["AFq", "aggression_frequency", ({ raises, calls, folds }) => [raises, raises + calls + folds]],
  ["WTSD", "went_to_showdown", ({ showdowns, second_streets: seen }) => [showdowns, seen]],
  ["W$SD", "won_at_showdown", ({ showdowns_won: won, showdowns }) => [won, showdowns]],
  ["WWSF", "won_second_street", (_, __, { won_second_street: won }) => [won.count, won.of]],
  ["Won", "won", ({ won }, hands) => [won, hands]],
];
const MEANINGS =
  "VPIP: called or raised before the flop, blinds apart. PFR: raised before the flop. 3-bet: the " +
  "second raise there, of chances. C-bet: bets on the flop by who raised last before it, of " +
  "chances; fold to it: of those who faced one. AF: bets and raises to a call, from the flop on. " +
  "AFq: bets and raises of all bets, raises, calls and folds. WTSD: showdowns of hands that saw " +
  "the flop. W$SD: showdowns that won. WWSF: pots won of hands that saw the flop. Won: hands " +
  "with a profit.";

function foldsToIt({ fold_to_cbet: folds }) {
  return [folds.count, folds.of];
}

/** Return the table, the buttons for its positions and depths, and what its columns mean. */
export function statistics({ stats: all, repeated_hands: repeated }) {
  const several = new Set(all.map(({ depth }) => depth).filter(Boolean)).size > 1;
  const stats = several ? all : all.filter(({ depth }) => !depth);
  const rates = ["raw", ...["sets", "expected"].filter((name) => stats.some((row) => row[name]))];
  const titles = rates.map((name) => RATES[name]);
  const part = several ? "Part" : "Position";
  const head = ["Player", part, "Hands", ...titles, ...SHARES.map(([title]) => title)];
  const rows = stats.map((row) => cells(row, rates));
  const table = grid("How everybody played", head, rows, [0, 1]);
  const parts = (of) => [...table.querySelectorAll("tbody tr")].filter((_, at) => stats[at][of]);
  const bar = rowsButton("By position", parts("position"));
  if (several) bar.append(...rowsButton("By depth", parts("depth")).children);
  const sets = Math.max(...stats.map((row) => row.sets?.samples ?? 0));
  const words = [MEANINGS];
  if (sets) words.push(`Sets: deals played in every seating, up to ${countText(sets)} a player.`);
  if (repeated) {
    words.push(
      `${countText(repeated)} hands have the cards, players and seats of others: the interval of ` +
        "mbb/h takes them for independent, that of sets does not.",
    );
  }
  return [bar, table, make("p", { class: "note", text: words.join(" ") })];
}

function cells(row, rates) {
  const { player, position, depth, hands, counts, tracker } = row;
  return [
    nameHead(player),
    make("td", { class: "text", text: position || (depth && `${depth} BB`) || "all" }),
    make("td", { text: countText(hands) }),
    ...rates.map((name) => {
      const rate = row[name];
      return rateCell(rate && { mbb_per_hand: rate.mbb_per_hand, ci95_mbb_per_hand: rate.ci95 });
    }),
    ...SHARES.map(([, name, of]) => share(row[name], ...of(counts, hands, tracker), name)),
  ];
}

function share(value, part, whole, name) {
  if (value === null || name !== "aggression_factor") return shareCell(part, whole);
  const words = `${countText(part)} / ${countText(whole)}`;
  return make("td", {}, rateText(value, 2), make("small", { text: words }));
}
