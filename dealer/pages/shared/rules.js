// The betting of one hand by the rules of the ACPC dealer: the twin of engine.rules.state, but
// changed in place.  It knows chips and actions, never cards.

/** Stack of a position in a game that gives none, chips. */
export const UNLIMITED = 2147483647;
export const NOBODY = -1;
const MOST_ACTIONS = 64;

/** A line that is no hand, or a hand that breaks the rules; the message says what is wrong. */
export class HandError extends Error {}

export class Betting {
  /**
   * The state right after the blinds.  A lenient one takes raises of a wrong size too, as some
   * published logs have them, and notes the first as its `fault`.
   */
  constructor(game, stacks, blinds, lenient = false) {
    const largest = Math.max(...blinds);
    this.lenient = lenient;
    this.fault = null;
    this.game = game;
    this.stacks = stacks;
    this.bigBlind = largest || 1;
    this.spent = [...blinds];
    this.folded = blinds.map(() => false);
    this.street = 0;
    this.toMatch = largest;
    this.minRaiseTo = largest ? 2 * largest : 1;
    this.raises = 0;
    this.actions = 0;
    this.settled = 0;
    this.actor = this.nextAble(game.firstPlayers[0]);
    if (this.actor === NOBODY) this.street = game.rounds - 1;
  }

  get over() {
    return this.actor === NOBODY;
  }

  get pot() {
    let pot = 0;
    for (const chips of this.spent) pot += chips;
    return pot;
  }

  /** The pot without what of the largest bet nobody called. */
  get called() {
    const [most, second] = [...this.spent].sort((one, other) => other - one);
    return this.pot - (most - second);
  }

  /** Chips the actor must add to continue; its whole stack when that is less. */
  get toCall() {
    return Math.min(this.toMatch, this.stacks[this.actor]) - this.spent[this.actor];
  }

  /** Return [smallest, largest] legal raise-to, null where no raise is legal. */
  raiseRange() {
    const { game, actor, stacks, street } = this;
    if (actor === NOBODY || this.raises >= game.maxRaises[street]) return null;
    if (this.actions + game.players > MOST_ACTIONS) return null;
    const stack = stacks[actor];
    if (stack <= this.toMatch || !this.someoneBesides(actor)) return null;
    if (game.betting === "nolimit") return [Math.min(this.minRaiseTo, stack), stack];
    const to = Math.min(this.toMatch + game.raiseSizes[street], stack);
    return [to, to];
  }

  /** Take the actor's action, "f", "c" or "r"; of a limit raise the size does not matter. */
  apply(kind, raiseTo) {
    const { game, actor, stacks, spent } = this;
    if (actor === NOBODY) throw new HandError("an action after the end of the betting");
    if (kind === "f") this.fold();
    else if (kind === "c") {
      spent[actor] = Math.min(this.toMatch, stacks[actor]);
      if (spent[actor] < stacks[actor]) this.settled++;
    } else this.raise(raiseTo);
    this.actions++;
    this.goOn(kind === "f", game);
  }

  fold() {
    if (this.spent[this.actor] === this.toMatch) throw new HandError("a fold to no bet");
    this.folded[this.actor] = true;
  }

  raise(raiseTo) {
    const { game, actor, stacks, spent } = this;
    const legal = this.raiseRange();
    if (legal === null) throw new HandError("a raise where none is possible");
    let paid = legal[0];
    if (game.betting === "nolimit") {
      if (!(raiseTo >= legal[0] && raiseTo <= legal[1])) {
        const words = `r${raiseTo}, where r${legal[0]} to r${legal[1]} are allowed`;
        const takes = this.lenient && raiseTo > this.toMatch && raiseTo <= legal[1];
        if (!takes) throw new HandError(words);
        this.fault ??= words;
      }
      paid = raiseTo;
      this.minRaiseTo = Math.max(this.minRaiseTo, 2 * paid - this.toMatch);
    }
    spent[actor] = paid;
    this.toMatch = paid;
    this.raises++;
    this.settled = paid < stacks[actor] ? 1 : 0;
  }

  goOn(byFold, game) {
    let able = 0;
    let left = 0;
    for (let position = 0; position < game.players; position++) {
      if (this.folded[position]) continue;
      left++;
      if (this.spent[position] < this.stacks[position]) able++;
    }
    if (byFold && left === 1) {
      this.actor = NOBODY;
    } else if (this.settled < able) {
      this.actor = this.nextAble(this.actor + 1);
    } else if (able > 1 && this.street + 1 < game.rounds) {
      this.street++;
      this.minRaiseTo = this.toMatch + this.bigBlind;
      this.raises = this.actions = this.settled = 0;
      this.actor = this.nextAble(game.firstPlayers[this.street]);
    } else {
      this.street = game.rounds - 1;
      this.actor = NOBODY;
    }
  }

  someoneBesides(actor) {
    for (let position = 0; position < this.game.players; position++) {
      if (position !== actor && this.isAble(position)) return true;
    }
    return false;
  }

  isAble(position) {
    return !this.folded[position] && this.spent[position] < this.stacks[position];
  }

  nextAble(from) {
    for (let step = 0; step < this.game.players; step++) {
      const position = (from + step) % this.game.players;
      if (this.isAble(position)) return position;
    }
    return NOBODY;
  }
}

/** Call `see(betting, kind, raiseTo)` before each action of a betting text; return its end. */
export function playBetting(betting, text, see) {
  for (let at = 0; at < text.length; at++) {
    const kind = text[at];
    if (kind === "/") continue;
    let raiseTo = 0;
    if (kind === "r") {
      while (text.charCodeAt(at + 1) <= 57 && text.charCodeAt(at + 1) >= 48) {
        raiseTo = 10 * raiseTo + text.charCodeAt(++at) - 48;
      }
    }
    see?.(betting, kind, raiseTo);
    betting.apply(kind, raiseTo);
  }
  return betting;
}

/** Return what players call the positions of a game: twin of engine.rules.positions. */
export function positionNames(game, blinds) {
  const { players } = game;
  const paid = blinds.filter((chips) => chips > 0).sort((one, other) => one - other);
  const plain = blinds.map((_, position) => `P${position + 1}`);
  if (paid.length !== 2 || paid[0] === paid[1]) return plain;
  const small = blinds.indexOf(paid[0]);
  const big = blinds.indexOf(paid[1]);
  if (players === 2) return big === 0 ? ["BB", "SB"] : ["SB", "BB"];
  const button = (small - 1 + players) % players;
  const lastToAct = game.firstPlayers.slice(1).map((first) => (first - 1 + players) % players);
  if (big !== (small + 1) % players || lastToAct.some((last) => last !== button)) return plain;
  const between = players - 2;
  const names = Array.from({ length: between }, (_, step) => (step ? `UTG+${step}` : "UTG"));
  ["BTN", "CO", "HJ"].forEach((name, index) => {
    const back = index + 1;
    if (back < between || back === 1) names[between - back] = name;
  });
  plain[small] = "SB";
  plain[big] = "BB";
  names.forEach((name, step) => (plain[(big + step + 1) % players] = name));
  return plain;
}

/** Return the position with the dealer button, null in a game without one. */
export function buttonOf(game, blinds) {
  const names = positionNames(game, blinds);
  if (game.players === 2 && names.includes("SB")) return names.indexOf("SB");
  return names.includes("BTN") ? names.indexOf("BTN") : null;
}
