// One line of a match log <-> a hand that can be shown step by step.

import { cardNumbers } from "./cards.js";
import { Betting, HandError, UNLIMITED, playBetting } from "./rules.js";

const VALUE = "-?\\d{1,18}(?:\\.\\d{1,18})?(?:e[+-]\\d{2,3})?";
const CHIPS = "\\d{1,10}(?:\\|\\d{1,10}){1,9}";
const STATE = new RegExp(
  `^STATE:(\\d{1,10})(?::(${CHIPS}):(${CHIPS}))?:((?:[fc/]|r\\d{0,10})*)` +
    `:((?:[2-9TJQKA][cdhs]|[|/])*):((?:${VALUE}(?:\\|${VALUE})*)?):([^\\n]*)$`,
);
const STAMP = / # \d+(?:\.\d+)?$/;

/**
 * Return what a STATE line says: {hand, stacks, blinds, betting, cards, values, names}, by
 * position; stacks and blinds are null where they are those of the game.  With `open` it may be a
 * hand that is still being played, which has no values: [].  Throws HandError.
 */
export function parseRecord(line, open = false) {
  const found = STATE.exec(line.endsWith("\r") ? line.slice(0, -1) : line);
  if (found === null || (found[6] === "" && !open)) throw new HandError("no line of a hand");
  const values = found[6] === "" ? [] : found[6].split("|").map(Number);
  const fields = found[7].replace(STAMP, "").split("|");
  const players = found[5].split("|").length;
  if ((values.length && values.length !== players) || fields.length < players) {
    throw new HandError("values, names and cards of different numbers of players");
  }
  const surplus = fields.length - players + 1;
  return {
    hand: Number(found[1]),
    stacks: found[2] === undefined ? null : found[2].split("|").map(Number),
    blinds: found[3] === undefined ? null : found[3].split("|").map(Number),
    betting: found[4],
    cards: found[5],
    values,
    names: [fields.slice(0, surplus).join("|"), ...fields.slice(surplus)],
  };
}

/** Return what a hand was played with: [stacks, blinds].  Throws HandError. */
export function chipsOf(game, record) {
  const stacks = record.stacks ?? game.stacks ?? game.blinds.map(() => UNLIMITED);
  const blinds = record.blinds ?? game.blinds;
  const fit = stacks.length === game.players && blinds.length === game.players;
  if (!fit || stacks.some((stack, at) => stack < blinds[at] || stack < 1 || stack > UNLIMITED)) {
    throw new HandError("stacks and blinds that no hand can be played with");
  }
  return [stacks, blinds];
}

/** Return {holes, board}: cards by position, and by street.  Throws HandError. */
export function parseCards(game, text) {
  const fields = text.split("|");
  if (fields.length !== game.players) throw new HandError("cards of another number of players");
  const [last, ...later] = fields.pop().split("/");
  const cut = last.length - 2 * game.boardCards[0];
  const streets = [last.slice(Math.max(cut, 0)), ...later];
  const holes = [...fields, last.slice(0, Math.max(cut, 0))];
  const fit =
    cut >= 0 &&
    streets.length <= game.rounds &&
    streets.every((cards, street) => cards.length === 2 * game.boardCards[street]) &&
    holes.every((cards) => cards === "" || cards.length === 2 * game.holeCards);
  if (!fit) throw new HandError("other cards than the game has");
  return { holes: holes.map(cardNumbers), board: streets.map(cardNumbers) };
}

/**
 * Return a hand: what `parseRecord` returns, with cards as `parseCards` returns them, `fault` (a
 * raise of a wrong size or a betting without an end, else null) and `steps`.
 *
 * A step is what lies on the table after something happened: {street, position (null for deals and
 * the end), kind ("deal", "fold", "check", "call", "bet", "raise", "return" or "end"), amount (put
 * in, or taken back), to (total of the street), allIn, pot (bets included), bets (of this street),
 * spent, stacks (left), folded, actor (next, or null)}.  What of a bet nobody called goes back in a
 * step of its own, and the pot is empty at the end, which a hand that is still being played has
 * not.  Throws HandError.
 */
export function parseHand(game, line) {
  const record = parseRecord(line, true);
  if (record.names.length !== game.players) throw new HandError("another number of players");
  const [stacks, blinds] = chipsOf(game, record);
  const { holes, board } = parseCards(game, record.cards);
  const steps = new Steps(new Betting(game, stacks, blinds, true), blinds);
  playBetting(steps.betting, record.betting, (betting, kind) => steps.before(kind));
  const open = record.values.length === 0;
  const { over } = steps.betting;
  const fault = steps.betting.fault ?? (over || open ? null : "the betting stops before its end");
  if (open) steps.flush();
  else steps.end(board, record.values);
  return { ...record, stacks, blinds, holes, board, fault, steps: steps.list };
}

class Steps {
  constructor(betting, blinds) {
    this.betting = betting;
    this.blinds = blinds;
    this.list = [];
    this.street = 0;
    const antes = new Set(blinds).size === 1; // equal ones are no bets
    this.gathered = blinds.map((chips) => (antes ? chips : 0)); // spent on earlier streets
    this.pending = null;
    this.add(null, "deal", 0);
  }

  /** Note the last action now that its outcome is known, and which one comes. */
  before(kind) {
    this.flush();
    const { actor, raises, spent } = this.betting;
    this.pending = { actor, kind, raises, spent: spent[actor] };
  }

  flush() {
    const { betting, pending } = this;
    if (pending !== null) {
      const amount = betting.spent[pending.actor] - pending.spent;
      this.pending = null;
      this.add(pending.actor, this.word(pending, amount), amount);
    }
    if (betting.street > this.street && !betting.over) this.deal(betting.street);
  }

  word({ kind, raises }, amount) {
    if (kind === "f") return "fold";
    if (kind === "c") return amount ? "call" : "check";
    const opens = this.street > 0 || new Set(this.blinds).size === 1;
    return raises === 0 && opens ? "bet" : "raise";
  }

  deal(street) {
    this.street = street;
    this.gathered = [...this.betting.spent];
    this.add(null, "deal", 0);
  }

  /** Return what of the largest bet nobody called to who bet it. */
  giveBack() {
    const { betting } = this;
    const amount = betting.pot - betting.called;
    if (!betting.over || amount === 0) return;
    const position = betting.spent.indexOf(Math.max(...betting.spent));
    betting.spent[position] -= amount;
    this.add(position, "return", amount);
  }

  end(board, values) {
    this.flush();
    this.giveBack();
    while (this.street + 1 < board.length) this.deal(this.street + 1);
    this.gathered = [...this.betting.spent];
    this.add(null, "end", 0);
    const last = this.list.at(-1);
    last.pot = 0;
    last.stacks = last.stacks.map((chips, at) => chips + last.spent[at] + values[at]);
  }

  add(position, kind, amount) {
    const { betting, street, gathered } = this;
    const same = betting.street === street && !betting.over;
    this.list.push({
      street,
      position,
      kind,
      amount,
      to: position === null ? 0 : betting.spent[position] - gathered[position],
      allIn: amount > 0 && betting.spent[position] === betting.stacks[position],
      pot: betting.pot,
      bets: betting.spent.map((chips, at) => chips - gathered[at]),
      spent: [...betting.spent],
      stacks: betting.stacks.map((chips, at) => chips - betting.spent[at]),
      folded: [...betting.folded],
      actor: same ? betting.actor : null,
    });
  }
}

/** Return the board cards that lie open in a step, one list a street. */
export function boardAt(hand, step) {
  return hand.board.slice(0, step.street + 1);
}

/** Return whether a hand came to a showdown. */
export function hasShowdown(hand) {
  return hand.steps.at(-1).folded.filter((folded) => !folded).length > 1;
}
