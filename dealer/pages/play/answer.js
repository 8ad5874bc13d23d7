// What a person may do now, as buttons, sizes and keys.

import { chipsText, make } from "../shared/dom.js";

const SHARES = [
  ["⅓", 1 / 3],
  ["½", 1 / 2],
  ["¾", 3 / 4],
  ["Pot", 1],
];
const REST_MS = 500;
const PARTS = ["sizes", "amount-row", "raise"]; // of a bet
const $ = (id) => document.getElementById(id);

export class Answer {
  /**
   * Call `onAnswer(action, line)` with "f", "c", "r" or "r" and the chips to raise to, and the line
   * of the hand that was decided on; `onNext()` where the next hand is wanted.
   */
  constructor(onAnswer, onNext) {
    Object.assign(this, { onAnswer, onNext });
    this.turn = null;
    this.line = null;
    $("fold").addEventListener("click", (event) => this.give("f", event));
    $("call").addEventListener("click", (event) => this.give("c", event));
    $("raise").addEventListener("click", (event) => this.raise(event));
    $("next").addEventListener("click", (event) => this.goOn(event));
    $("answer").addEventListener("submit", (event) => event.preventDefault());
    $("slider").addEventListener("input", () => this.choose(Number($("slider").value), "slider"));
    $("amount").addEventListener("input", () => this.choose(Number($("amount").value), "amount"));
    this.ask(null);
  }

  /**
   * Offer what may be done in a situation, as the server tells it; null: it is not our turn.
   *
   * `step` is the last step of the hand, `unit` the big blind or null, and `limit` says that a
   * raise has one size.
   */
  ask(situation, step, unit, limit) {
    const turn = situation?.turn ? turnOf(situation.turn) : null;
    const again = turn !== null && situation.line === this.line;
    if (!again) this.rest();
    Object.assign(this, { turn, line: turn && situation.line, unit });
    if (turn !== null) {
      this.label("fold", "Fold", "F");
      this.label("call", turn.call ? `Call ${chipsText(turn.call, unit)}` : "Check", "C");
      for (const id of PARTS) $(id).classList.toggle("unseen", !turn.raise);
      if (turn.raise) this.askSize(turn, step, situation.position, limit, again);
    }
    this.enable();
  }

  askSize(turn, step, position, limit, again) {
    const [least, most] = turn.raise;
    this.limit = limit;
    this.before = step.spent[position] - step.bets[position];
    this.word = step.bets.some((chips) => chips > 0) ? "Raise to" : "Bet";
    for (const id of ["sizes", "amount-row"]) $(id).hidden = limit;
    for (const id of ["slider", "amount"]) {
      $(id).min = least - this.before;
      $(id).max = most - this.before;
    }
    if (!limit) this.offer(step, turn, least, most);
    this.choose((again ? this.to : least) - this.before, "");
  }

  /** Offer the next hand, or do not. */
  offerNext(offered) {
    if (offered === !$("next").hidden) return;
    $("next").hidden = !offered;
    for (const id of ["fold", "call", "raise"]) $(id).hidden = offered;
    if (offered) for (const id of PARTS) $(id).classList.add("unseen");
    this.rest();
    this.enable();
  }

  /** Take nothing for a while: what is clicked again was meant for other buttons. */
  rest() {
    clearTimeout(this.timer);
    this.changed = performance.now();
    this.resting = true;
    this.timer = setTimeout(() => {
      this.resting = false;
      this.enable();
    }, REST_MS);
  }

  /** Return whether a click or key came when the buttons had stood there for a while. */
  isMeant(event) {
    return !this.resting && event.timeStamp - this.changed > REST_MS - 2; // timers are rounded
  }

  enable() {
    const { turn, resting } = this;
    $("fold").disabled = resting || !turn?.fold;
    $("call").disabled = resting || turn === null;
    $("raise").disabled = resting || !turn?.raise;
    $("next").disabled = resting;
    const sizes = $("sizes").querySelectorAll("button");
    for (const part of [$("slider"), $("amount"), ...sizes]) part.disabled = !turn?.raise;
  }

  offer(step, turn, least, most) {
    const toMatch = Math.max(...step.spent);
    const pot = step.pot + turn.call;
    const shares = SHARES.map(([name, share]) => [name, toMatch + Math.round(share * pot)]);
    const all = [["Min", least], ...shares, ["All-in", most]];
    const keyed = all.map(([name, to], at) => ({ name, to, key: `${at + 1}` }));
    const between = keyed.slice(1, -1).filter(({ to }) => to > least && to < most);
    this.sizes = [keyed[0], ...between, keyed.at(-1)]; // a size has the same key in every hand
    const buttons = this.sizes.map(({ name, to, key }) => {
      const choose = () => this.choose(to - this.before, "");
      const shown = make("kbd", { text: key });
      const button = make("button", { type: "button", text: `${name} `, onclick: choose }, shown);
      button.style.setProperty("grid-column", key); // and the same place
      return button;
    });
    $("sizes").replaceChildren(...buttons);
  }

  /** Take chips on this street for the size; they are put in all fields but `from`. */
  choose(chips, from) {
    const [least, most] = this.turn.raise;
    this.to = Math.min(Math.max(Math.round(chips) + this.before || 0, least), most);
    for (const id of ["slider", "amount"]) if (id !== from) $(id).value = this.to - this.before;
    const all = this.to === most && !this.limit ? ", all-in" : "";
    this.label("raise", `${this.word} ${chipsText(this.to - this.before, this.unit)}${all}`, "R");
  }

  label(id, text, key) {
    $(id).replaceChildren(`${text} `, make("kbd", { text: key }));
  }

  give(action, event) {
    const { turn, line } = this;
    if (turn === null || (action === "f" && !turn.fold) || !this.isMeant(event)) return;
    this.ask(null);
    this.onAnswer(action, line);
  }

  raise(event) {
    if (this.turn?.raise) this.give(this.limit ? "r" : `r${this.to}`, event);
  }

  goOn(event) {
    if (this.isMeant(event)) this.onNext();
  }

  /** Take a key; return whether it means something here. */
  press(event, key) {
    const size = this.turn?.raise && this.sizes?.find((one) => one.key === key);
    if (size) this.choose(size.to - this.before, "");
    else if (key === "f") this.give("f", event);
    else if (key === "c") this.give("c", event);
    else if (key === "r") this.raise(event);
    else if (key === " " && !$("next").hidden) this.goOn(event);
    else return false;
    return true;
  }
}

/** Return what may be done at a decision: fold or not, chips to call, [least, most] to raise to. */
function turnOf({ legal, to_call: call }) {
  const { fold, raise } = Object.fromEntries(legal.map((option) => [option.action, option]));
  return { fold: Boolean(fold), call, raise: raise ? [raise.min, raise.max] : null };
}
