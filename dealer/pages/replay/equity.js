// What share of the pot each hand wins on the boards that can still come.  All are counted, nothing
// is sampled: 1 712 304 boards for two hands before the flop.  Cards of folded hands are known, as
// in engine.equity.allin: none of them can come.

import { deckOf, strengthOfMasks } from "../shared/cards.js";

const SLICE_MS = 8;

/** Return {win, tie, equity, boards} of each hand: shares of 1, by order of the hands. */
export function equity(game, holes, dead, board) {
  const parts = counting(game, holes, dead, board);
  for (;;) {
    const part = parts.next();
    if (part.done) return part.value;
  }
}

/** Return a promise of the same, null once `signal` aborts; the page stays alive meanwhile. */
export async function equityInSlices(game, holes, dead, board, signal) {
  const parts = counting(game, holes, dead, board);
  let until = performance.now() + SLICE_MS;
  for (;;) {
    const part = parts.next();
    if (part.done) return part.value;
    if (performance.now() < until) continue;
    await new Promise((go) => setTimeout(go));
    if (signal.aborted) return null;
    until = performance.now() + SLICE_MS;
  }
}

function* counting(game, holes, dead, board) {
  const known = new Set([...holes.flat(), ...dead, ...board]);
  const deck = deckOf(game).filter((card) => !known.has(card));
  const toCome = game.boardCards.reduce((sum, cards) => sum + cards, 0) - board.length;
  const count = new BoardCount(holes, board, deck);
  if (toCome < 2) {
    count.deal(0, toCome, 0);
  } else {
    for (let first = 0; first <= deck.length - toCome; first++) {
      count.put(0, deck[first]);
      for (let second = first + 1; second <= deck.length - toCome + 1; second++) {
        count.put(1, deck[second]);
        count.deal(second + 1, toCome - 2, 2);
        yield;
      }
    }
  }
  return count.shares();
}

class BoardCount {
  constructor(holes, board, deck) {
    this.deck = deck;
    this.players = holes.length;
    this.holes = Int32Array.from(holes.flatMap(masksOf));
    // Suit masks of the board as it grows: four numbers for each number of cards that have come.
    this.masks = new Int32Array(4 * 9);
    this.masks.set(masksOf(board));
    this.strengths = new Int32Array(this.players);
    this.won = new Float64Array(this.players);
    this.tied = new Float64Array(this.players);
    this.shared = new Float64Array(this.players);
    this.boards = 0;
  }

  put(depth, card) {
    const { masks } = this;
    const at = 4 * depth;
    for (let suit = 0; suit < 4; suit++) masks[at + 4 + suit] = masks[at + suit];
    masks[at + 4 + (card & 3)] |= 1 << (card >> 2);
  }

  deal(from, toCome, depth) {
    if (toCome === 0) {
      this.showDown(4 * depth);
      return;
    }
    for (let next = from; next <= this.deck.length - toCome; next++) {
      this.put(depth, this.deck[next]);
      this.deal(next + 1, toCome - 1, depth + 1);
    }
  }

  showDown(at) {
    const { masks, holes, strengths, players } = this;
    let best = -1;
    let winners = 0;
    for (let hand = 0; hand < players; hand++) {
      const own = 4 * hand;
      const value = strengthOfMasks(
        masks[at] | holes[own], masks[at + 1] | holes[own + 1],
        masks[at + 2] | holes[own + 2], masks[at + 3] | holes[own + 3],
      );
      strengths[hand] = value;
      if (value > best) {
        best = value;
        winners = 1;
      } else if (value === best) winners++;
    }
    this.boards++;
    for (let hand = 0; hand < players; hand++) {
      if (strengths[hand] !== best) continue;
      if (winners === 1) this.won[hand]++;
      else {
        this.tied[hand]++;
        this.shared[hand] += 1 / winners;
      }
    }
  }

  shares() {
    const { boards } = this;
    return Array.from(this.won, (won, hand) => ({
      win: won / boards,
      tie: this.tied[hand] / boards,
      equity: (won + this.shared[hand]) / boards,
      boards,
    }));
  }
}

function masksOf(cards) {
  const masks = [0, 0, 0, 0];
  for (const card of cards) masks[card & 3] |= 1 << (card >> 2);
  return masks;
}
