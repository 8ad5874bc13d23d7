// Cards and chips as pictures.

import { RANKS, cardWords } from "./cards.js";
import { draw, make, suitSign } from "./dom.js";

const CHIPS = [
  [1, "#e8e6df"], [5, "#c8402f"], [25, "#2f8f5b"], [100, "#30343c"], [500, "#7b4bb3"],
  [1000, "#d9a514"], [5000, "#d96a1d"], [25000, "#2c7fc0"], [100000, "#b23a7a"],
  [500000, "#3aa6a0"], [2500000, "#8a5a36"],
];
const PILES = 3;
const HIGHEST = 5;

/** Return a card face: rank and suit in a corner, and the suit again, large. */
export function cardFace(card) {
  const rank = RANKS[card >> 2];
  const corner = make(
    "span", { class: "corner" },
    make("span", { class: "rank", text: rank === "T" ? "10" : rank }), suitSign(card & 3),
  );
  const words = { role: "img", "aria-label": cardWords(card) };
  const face = make("span", { class: "card", "data-suit": card & 3, ...words }, corner);
  face.append(suitSign(card & 3));
  return face;
}

/** Return the back of a card. */
export function cardBack() {
  return make("span", { class: "card back", role: "img", "aria-label": "a card face down" });
}

/** Return a card small enough for a line of text. */
export function miniCard(card) {
  const words = { role: "img", "aria-label": cardWords(card) };
  const mini = make("span", { class: "mini", "data-suit": card & 3, ...words });
  mini.append(make("span", { text: RANKS[card >> 2] }), suitSign(card & 3));
  return mini;
}

/** Return piles of chips that are worth about an amount: up to three kinds, five chips each. */
export function chipPiles(amount) {
  const piles = pilesOf(amount);
  const width = 26 * piles.length;
  const picture = draw("svg", {
    class: "chips", viewBox: `0 0 ${width} 40`, "aria-hidden": "true", width, height: 40,
  });
  piles.forEach(([colour, count], pile) => {
    const x = 26 * pile + 13;
    for (let chip = 0; chip < count; chip++) picture.append(chipAt(x, 30 - 5 * chip, colour));
  });
  return picture;
}

function pilesOf(amount) {
  const piles = [];
  let rest = amount;
  for (const [worth, colour] of [...CHIPS].reverse()) {
    const count = Math.min(Math.floor(rest / worth), HIGHEST);
    if (count < 1) continue;
    piles.push([colour, count]);
    rest -= count * worth;
    if (piles.length === PILES) break;
  }
  return piles.length ? piles : [[CHIPS[0][1], 1]];
}

function chipAt(x, y, colour) {
  const edge = `M${x - 12} ${y}v4.5a12 5 0 0 0 24 0v-4.5z`;
  const stripes = `M${x - 9} ${y + 3.3}v4.5M${x} ${y + 5}v4.5M${x + 9} ${y + 3.3}v4.5`;
  return draw(
    "g", { fill: colour },
    draw("path", { d: edge, class: "chip-edge" }),
    draw("path", { d: stripes, class: "chip-stripes" }),
    draw("ellipse", { cx: x, cy: y, rx: 12, ry: 5, class: "chip-top" }),
    draw("ellipse", { cx: x, cy: y, rx: 7, ry: 2.8, class: "chip-ring" }),
  );
}
