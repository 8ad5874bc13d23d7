// What a person may do now, as buttons, sizes and keys.

import { chipsText, make } from "./dom.js";

const SHARES = [
  ["⅓", 1 / 3],
  ["½", 1 / 2],
  ["¾", 3 / 4],
  ["Pot", 1],
];
const $ = (id) => document.getElementById(id);

export class Answer {
  /** Call `onAnswer(action)` with "f", "c", "r" or "r" and the chips to raise to. */
  constructor(onAnswer) {
    this.onAnswer = onAnswer;
    this.turn = null;
    $("fold").addEventListener("click", () => this.give("f"));
    $("call").addEventListener("click", () => this.give("c"));
    $("answer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.raise();
    });
    $("slider").addEventListener("input", () => this.choose(Number($("slider").value), "slider"));
    $("amount").addEventListener("input", () => this.choose(Number($("amount").value), "amount"));
    this.ask(null);
  }

  /**
   * Offer what may be done; null: it is not our turn.
   *
   * `step` is the last step of the hand, `position` ours, `unit` the big blind or null, and `limit`
   * says that a raise has one size.
   */
  ask(turn, step, position, unit, limit) {
    Object.assign(this, { turn, unit, limit });
    for (const id of ["fold", "call", "raise"]) $(id).disabled = turn === null;
    $("sizes").replaceChildren();
    $("amount-row").hidden = $("raise").hidden = !turn?.raise;
    if (turn === null) return;
    this.label("fold", "Fold", "F");
    $("fold").disabled = !turn.fold;
    this.label("call", turn.call ? `Call ${chipsText(turn.call, unit)}` : "Check", "C");
    if (!turn.raise) return;
    const [least, most] = turn.raise;
    this.before = step.spent[position] - step.bets[position];
    this.word = step.bets.some((chips) => chips > 0) ? "Raise to" : "Bet";
    $("amount-row").hidden = limit;
    for (const id of ["slider", "amount"]) {
      $(id).min = least - this.before;
      $(id).max = most - this.before;
    }
    if (!limit) this.offer(step, turn, least, most);
    this.choose(least - this.before, "");
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
      return make("button", { type: "button", text: `${name} `, onclick: choose }, shown);
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

  give(action) {
    if (this.turn === null || (action === "f" && !this.turn.fold)) return;
    this.ask(null);
    this.onAnswer(action);
  }

  raise() {
    if (this.turn?.raise) this.give($("amount-row").hidden ? "r" : `r${this.to}`);
  }

  /** Take a key; return whether it means something here. */
  press(key) {
    const size = this.turn?.raise && this.sizes?.find((one) => one.key === key);
    if (size) this.choose(size.to - this.before, "");
    else if (key === "f") this.give("f");
    else if (key === "c") this.give("c");
    else if (key === "r") this.raise();
    else return false;
    return true;
  }
}
