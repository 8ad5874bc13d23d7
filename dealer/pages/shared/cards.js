// Cards as numbers and names, and how strong hands are: the twin of protocol.cards and
// engine.showdown.evaluator.
//
//     card = rank * 4 + suit        0 "2c", 1 "2d", 2 "2h", 3 "2s", 4 "3c", ... 51 "As"
//
// A strength is 0xCabcde: C the category, a to e the ranks that decide, 1 (deuce) to 13 (ace).

export const RANKS = "23456789TJQKA";
export const SUITS = "cdhs";
export const SUIT_WORDS = ["clubs", "diamonds", "hearts", "spades"];
export const RANK_WORDS = [
  ..."23456789", "10", "jack", "queen", "king", "ace",
];
const CATEGORIES = [
  "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house",
  "four of a kind", "straight flush",
];
const WHEEL = 0x100f;
const RUN = 0xf00000;

/** Return the number of the card "Td". */
export function cardNumber(text) {
  return RANKS.indexOf(text[0]) * 4 + SUITS.indexOf(text[1]);
}

/** Return the text of a card: "Td". */
export function cardText(card) {
  return RANKS[card >> 2] + SUITS[card & 3];
}

/** Return a card in words: "10 of diamonds". */
export function cardWords(card) {
  return `${RANK_WORDS[card >> 2]} of ${SUIT_WORDS[card & 3]}`;
}

/** Return the numbers of the cards that stand one behind the other in a text. */
export function cardNumbers(text) {
  const cards = [];
  for (let at = 0; at < text.length; at += 2) cards.push(cardNumber(text.slice(at, at + 2)));
  return cards;
}

/** Return the cards of a game's deck: the highest of all suits and ranks. */
export function deckOf(game) {
  const deck = [];
  for (let card = 0; card < 52; card++) {
    if (card >> 2 >= 13 - game.ranks && (card & 3) >= 4 - game.suits) deck.push(card);
  }
  return deck;
}

// Of each set of ranks: bits 0-19 its five highest ranks, highest first, + 1 each; bits 20-23 the
// highest rank of its best straight, + 1, or 0.
const RANK_SETS = new Int32Array(8192);
for (let top = 0; top < 13; top++) {
  const window = (0x1f << top) >> 4;
  for (let below = 0; below < 1 << top; below++) {
    const held = (1 << top) | below;
    let run = RANK_SETS[below] & RUN;
    if (top >= 4 && (held & window) === window) run = (top + 1) << 20;
    else if (!run && (held & WHEEL) === WHEEL) run = 4 << 20;
    RANK_SETS[held] = run | ((top + 1) << 16) | ((RANK_SETS[below] & 0xffff0) >> 4);
  }
}

/** Return the strength of the best hand in four suit masks (bit r: the card of rank r). */
export function strengthOfMasks(s0, s1, s2, s3) {
  const every = s0 | s1 | s2 | s3;
  const held = RANK_SETS[every];
  let best = 0;
  if ((RANK_SETS[s0] | RANK_SETS[s1] | RANK_SETS[s2] | RANK_SETS[s3]) & 0xf) {
    best = Math.max(flush(s0), flush(s1), flush(s2), flush(s3));
  }
  const run = held & RUN ? (4 << 20) | ((held & RUN) >> 4) : 0;
  const twice = (s0 & s1) | (s2 & s3) | ((s0 | s1) & (s2 | s3));
  if (twice === 0) return Math.max(best, run || held);
  const thrice = (s0 & s1 & (s2 | s3)) | (s2 & s3 & (s0 | s1));
  if (thrice) return Math.max(best, run, threeOrMore(every, twice, thrice, s0 & s1 & s2 & s3));
  if (run || best) return Math.max(best, run);
  const pairs = RANK_SETS[twice];
  const top = pairs & 0xf0000;
  const second = pairs & 0xf000;
  const rest = every ^ (1 << ((top >> 16) - 1));
  if (!second) return (1 << 20) | top | ((RANK_SETS[rest] & 0xfff00) >> 4);
  const kickers = RANK_SETS[rest ^ (1 << ((second >> 12) - 1))];
  return (2 << 20) | top | second | ((kickers & 0xf0000) >> 8);
}

function flush(suited) {
  const held = RANK_SETS[suited];
  if (held & RUN) return (8 << 20) | ((held & RUN) >> 4);
  return held & 0xf ? (5 << 20) | held : 0;
}

function threeOrMore(every, twice, thrice, fours) {
  if (fours) {
    const top = RANK_SETS[fours] & 0xf0000;
    const rest = RANK_SETS[every ^ (1 << ((top >> 16) - 1))] & 0xf0000;
    return (7 << 20) | top | (rest >> 4);
  }
  const top = RANK_SETS[thrice] & 0xf0000;
  const bit = 1 << ((top >> 16) - 1);
  if (twice !== bit) return (6 << 20) | top | ((RANK_SETS[twice ^ bit] & 0xf0000) >> 4);
  return (3 << 20) | top | ((RANK_SETS[every ^ bit] & 0xff000) >> 4);
}

/** Return the strength of a hand of 1 to 10 cards; higher wins, equal shares. */
export function strength(cards) {
  const masks = [0, 0, 0, 0];
  for (const card of cards) masks[card & 3] |= 1 << (card >> 2);
  return strengthOfMasks(...masks);
}

/** Return what a hand is called: "two pair". */
export function handName(cards) {
  return CATEGORIES[strength(cards) >> 20];
}
