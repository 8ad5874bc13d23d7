// The betting of a hand, street by street, beside the table.

import { chipsText, make, signedText } from "./dom.js";
import { miniCard } from "./pictures.js";
import { positionNames } from "./rules.js";

const HOLDEM = ["Pre-flop", "Flop", "Turn", "River"];

/** Return what an action is in words: "raises to 900, all-in". */
export function stepWords(step, unit) {
  const put = chipsText(step.amount, unit);
  const words = {
    fold: "folds",
    check: "checks",
    call: `calls ${put}`,
    bet: `bets ${put}`,
    raise: `raises to ${chipsText(step.to, unit)}`,
    return: `takes back ${put}`,
  }[step.kind];
  return step.allIn ? `${words}, all-in` : words;
}

/** Return what a street is called. */
export function streetName(game, street) {
  const holdem = game.boardCards.every((cards, at) => cards === [0, 3, 1, 1][at]);
  return holdem && game.rounds > 1 ? HOLDEM[street] : `Street ${street + 1}`;
}

/** Return what each player has won so far, as a list of names and amounts. */
export function totalItems(names, totals, unit) {
  return names.flatMap((name, at) => {
    const sign = totals[at] > 0 ? "won" : totals[at] < 0 ? "lost" : "even";
    const title = make("dt", {}, make("bdi", { text: name, title: name.slice(0, 200) }));
    return [title, make("dd", { class: `amount ${sign}`, text: signedText(totals[at], unit) })];
  });
}

export class HistoryView {
  /** Draw into an element; `onStep(number)` is called when a step is chosen. */
  constructor(root, onStep) {
    this.root = root;
    this.onStep = onStep;
  }

  /** Show all steps of a hand. */
  show(game, hand, unit) {
    const places = positionNames(game, hand.blinds);
    this.buttons = [];
    this.root.replaceChildren();
    let lines = null;
    hand.steps.forEach((step, number) => {
      if (step.kind === "deal") {
        lines = make("ol", { class: "actions" });
        this.root.append(make("section", {}, this.heading(game, hand, step, number, unit), lines));
        if (number === 0) lines.append(...this.blinds(hand, places, unit));
      } else if (step.kind === "end") {
        this.root.append(this.result(hand, number, unit));
      } else {
        lines.append(make("li", {}, this.action(hand, step, number, places, unit)));
      }
    });
  }

  /** Mark the step that is shown; those behind the one `reached` are hidden. */
  mark(number, reached = Infinity) {
    this.buttons.forEach((button, at) => {
      button.hidden = at > reached;
      if (at === number) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
      button.classList.toggle("past", at < number);
    });
    const { root } = this;
    const now = this.buttons[number];
    const [above, below] = [now.offsetTop - 40, now.offsetTop + now.offsetHeight + 40];
    if (root.scrollHeight <= root.clientHeight) return;
    if (above < root.scrollTop) root.scrollTop = above;
    else if (below > root.scrollTop + root.clientHeight) root.scrollTop = below - root.clientHeight;
  }

  button(number, attributes, ...children) {
    const onclick = () => this.onStep(number);
    const button = make("button", { type: "button", ...attributes, onclick }, ...children);
    this.buttons[number] = button;
    return button;
  }

  heading(game, hand, step, number, unit) {
    return this.button(
      number, { class: "street" },
      make("span", { class: "title", text: streetName(game, step.street) }),
      make("span", { class: "minis" }, ...(hand.board[step.street] ?? []).map(miniCard)),
      make("span", { class: "chips-text", text: chipsText(step.pot, unit) }),
    );
  }

  blinds(hand, places, unit) {
    return hand.names.flatMap((name, at) => {
      if (!hand.blinds[at]) return [];
      const words = `posts ${chipsText(hand.blinds[at], unit)}`;
      return [make("li", { class: "blind" }, ...this.cells(name, places[at], words))];
    });
  }

  action(hand, step, number, places, unit) {
    const { position } = step;
    const words = stepWords(step, unit);
    return this.button(
      number, { class: "action", "data-kind": step.kind },
      ...this.cells(hand.names[position], places[position], words),
    );
  }

  cells(name, place, words) {
    return [
      make("span", { class: "position", text: place }),
      make("bdi", { class: "name", text: name, title: name.slice(0, 200) }),
      make("span", { class: "words", text: words }),
    ];
  }

  result(hand, number, unit) {
    const rows = hand.names.map((name, at) => {
      const won = hand.values[at];
      const sign = won > 0 ? "won" : won < 0 ? "lost" : "even";
      return make(
        "span", { class: "row" },
        make("bdi", { class: "name", text: name, title: name.slice(0, 200) }),
        make("span", { class: `amount ${sign}`, text: signedText(won, unit) }),
      );
    });
    const pot = chipsText(hand.steps[number - 1].pot, unit);
    const head = make(
      "span", { class: "row" },
      make("span", { class: "title", text: "Result" }),
      make("span", { class: "chips-text", text: `pot ${pot}` }),
    );
    return this.button(number, { class: "result" }, head, ...rows);
  }
}
