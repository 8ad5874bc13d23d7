// Ratings of the board, a table for each game.

import { countText, make, signedText, straight } from "../shared/dom.js";

const DAY_SECONDS = 86400;
const HEADS = "Place,Bot,Strongest,Wins most,Fitted,Opponents,Hands,Last match".split(",");

/** Return a section for each game with rated bots. */
export function ratingTables(ratings) {
  const rated = Object.entries(ratings).filter(([, board]) => board.bots.length);
  return rated.flatMap(([game, board]) => section(game, board));
}

function section(game, { bots, cycles, least_opponents: least }) {
  const cell = (text, at) => make("th", { class: at === 1 ? "text" : null, text });
  const head = make("thead", {}, make("tr", {}, ...HEADS.map(cell)));
  const table = make("table", {}, head, make("tbody", {}, ...bots.map(row)));
  const notes = [
    "mbb/h with 95 % intervals. Strongest: against the mixture of bots that nobody beats; wins " +
      "most: the mean over its opponents, all alike; fitted: least squares over all that met. " +
      `A bot has a place with ${least} opponents or more that are of the house or have places ` +
      "themselves; bots of one owner are one opponent. Behind a version stands the digest of " +
      "its program.",
    ...cycles.map((names) => `They beat each other round: ${names.map(straight).join(", ")}.`),
  ];
  return [
    make("h2", { text: straight(game) }),
    make("div", { class: "wide-table" }, table),
    ...notes.map((text) => make("p", { class: "note", text })),
  ];
}

function row(rated) {
  const { bot, version, digest, strength, winnings, fitted, opponents, hands } = rated;
  const named = ` ${straight(version)} ${digest.slice(0, 4)}`;
  const link = make("a", { href: `?bot=${encodeURIComponent(bot)}`, text: straight(bot) });
  return make(
    "tr",
    {},
    make("td", { text: placesText(strength) }),
    make("td", { class: "text" }, make("bdi", { title: digest || null }, link, named)),
    ...[strength, winnings, fitted].map((number) => make("td", { text: numberText(number) })),
    make("td", { text: countText(opponents) }),
    make("td", { text: countText(hands) }),
    make("td", { text: ageText(rated.age_seconds) }),
  );
}

function placesText(number) {
  if (!number?.places) return "";
  const [best, worst] = number.places;
  return best === worst ? `${best}` : `${best}\u2013${worst}`;
}

function numberText(number) {
  if (!number) return "";
  const { mbb_per_hand: middle, ci95_mbb_per_hand: [low, high] } = number;
  const around = low === null || high === null ? "?" : Math.round((high - low) / 2);
  return `${signedText(Math.round(middle))} \u00b1 ${around}`;
}

function ageText(seconds) {
  if (seconds < DAY_SECONDS) return "today";
  const days = Math.floor(seconds / DAY_SECONDS);
  return days === 1 ? "yesterday" : `${days} days ago`;
}
