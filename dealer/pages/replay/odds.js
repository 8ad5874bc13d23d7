// The equities beside the seats: worked out beside the drawing, kept for the steps of one hand.

import { equityInSlices } from "./equity.js";
import { boardAt } from "../shared/hand.js";

export class Odds {
  constructor() {
    this.known = new Map();
    this.hand = null;
    this.work = new AbortController();
  }

  /**
   * Call `show` with what share of the pot each position can expect in a step: with null while that
   * is not known, and null for positions that have folded.
   */
  async of(game, hand, step, show) {
    this.work.abort();
    if (this.hand !== hand) this.known.clear();
    this.hand = hand;
    show(null);
    const alive = hand.names.map((_, at) => at).filter((at) => !step.folded[at]);
    const seen = alive.every((at) => hand.holes[at].length === game.holeCards);
    if (step.kind === "end" || alive.length < 2 || !seen) return;
    const board = boardAt(hand, step).flat();
    const key = `${alive}:${board}`;
    if (!this.known.has(key)) {
      const { signal } = (this.work = new AbortController());
      const dead = hand.holes.filter((_, at) => step.folded[at]).flat();
      const holes = alive.map((at) => hand.holes[at]);
      const shares = await equityInSlices(game, holes, dead, board, signal);
      if (shares === null || signal.aborted) return;
      this.known.set(key, shares);
    }
    const byPosition = hand.names.map(() => null);
    this.known.get(key).forEach((share, at) => (byPosition[alive[at]] = share.equity));
    show(byPosition);
  }
}
