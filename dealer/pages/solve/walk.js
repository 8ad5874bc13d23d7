// A solution is walked through: what was done so far, what can be done, and each hand's part in it.

import { cardNumber, cardText } from "../shared/cards.js";
import { chipsText, make } from "../shared/dom.js";
import { Matrix, actionBars, actionColours, cellOf, handName } from "../shared/matrix.js";
import { cardPicker, cardRow } from "./picker.js";

const $ = (id) => document.getElementById(id);
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const valueText = (ev) => (Math.abs(ev) < 0.05 ? "0" : chipsText(Math.round(10 * ev) / 10));

export class Walk {
  constructor() {
    this.solution = null;
    this.steps = []; // [{name, node, dealt}], from the root on
    this.decision = null;
    this.view = "actions";
    this.asked = 0;
    this.matrix = new Matrix($("strategy"), "Hands", (cell) => this.lookAt(cell));
    this.cell = 0;
    $("save").addEventListener("click", () => ($("look").hidden = false));
    for (const button of document.querySelectorAll("[data-view]")) {
      button.addEventListener("click", () => this.turn(button.dataset.view));
    }
  }

  /** Show a solution from its root. */
  open(solution) {
    this.solution = solution;
    const { exploitability_of_pot: share, ev, notes } = solution;
    const words = `exploitability ${(100 * share).toFixed(3)} % of the pot`;
    const values = `EV ${valueText(ev[0])} out of position, ${valueText(ev[1])} in position`;
    $("facts").replaceChildren(
      make("strong", { text: words }), make("span", { text: values }),
      ...notes.map((text) => make("span", { text })),
    );
    $("nothing").hidden = true;
    for (const id of ["solution", "save"]) $(id).hidden = false;
    $("look").hidden = !solution.saved; // the command needs the file
    this.go([{ name: "Root", node: "", dealt: "" }]);
  }

  /** Go where some steps lead, as soon as the server has told what is there. */
  async go(steps) {
    const { node, dealt } = steps.at(-1);
    const asked = ++this.asked;
    const answer = await fetch(`decision?node=${node}&dealt=${dealt}`);
    if (asked !== this.asked) return;
    if (!answer.ok) {
      $("problem").textContent = await answer.text();
      return;
    }
    this.steps = steps;
    this.decision = await answer.json();
    this.show();
  }

  show() {
    const { decision, solution, steps } = this;
    const { node, dealt } = steps.at(-1);
    const words = ["arena solve", solution.name];
    if (node) words.push("--node", node);
    if (dealt) words.push("--dealt", dealt);
    $("look-command").value = words.join(" ");
    this.showPath();
    this.offer();
    $("deal").hidden = true;
    $("decision").hidden = false;
    $("unreached").hidden = decision.reached;
    this.combos = Array.from({ length: 169 }, () => []);
    for (const [name, facts] of Object.entries(decision.combos)) {
      this.combos[cellOf(name)].push([name, facts]);
    }
    this.paint();
    this.lookAt(this.cell);
  }

  showPath() {
    const crumbs = this.steps.map(({ name }, at) => {
      const here = at === this.steps.length - 1;
      const button = make("button", { type: "button", text: name, "aria-current": here && "step" });
      button.addEventListener("click", () => this.go(this.steps.slice(0, at + 1)));
      return button;
    });
    const { cards, player, pot, to_call: call } = this.decision;
    const toCall = call ? `, ${chipsText(call)} to call` : "";
    const text = `${player}, ${chipsText(pot)} in the pot${toCall}`;
    $("path").replaceChildren(...crumbs, cardRow(cards), make("span", { class: "about", text }));
  }

  /** Offer the actions, with how often each is taken. */
  offer() {
    const { actions, all } = this.decision;
    const colours = actionColours(actions.map(({ word }) => word));
    $("choices").replaceChildren(...actions.map((action, at) => {
      const of = action.of_pot === null ? "" : `${Math.round(100 * action.of_pot)} % of the pot`;
      const button = make(
        "button", { type: "button", disabled: action.next === "end", title: of },
        make("span", { class: "swatch" }), make("span", { text: action.name }),
        make("strong", { text: percent(all.probabilities[at]) }),
      );
      button.firstChild.style.background = colours[at];
      button.addEventListener("click", () => this.take(action));
      return button;
    }));
  }

  take({ word, name, next }) {
    const { node, dealt } = this.steps.at(-1);
    const who = this.decision.player === "in position" ? "IP" : "OOP";
    const step = { name: `${who} ${name}`, node: node + word, dealt };
    if (next === "decision") this.go([...this.steps, step]);
    else this.offerCards(step);
  }

  offerCards(step) {
    const dead = this.decision.cards.match(/../g).map(cardNumber);
    const chosen = (card) => {
      const text = cardText(card);
      const name = `${step.name}, ${text}`;
      const dealt = { name, node: `${step.node}/`, dealt: step.dealt + text };
      this.go([...this.steps, dealt]);
    };
    cardPicker($("deal"), chosen, (card) => ({ disabled: dead.includes(card) }));
    $("deal").hidden = false;
    $("decision").hidden = true;
    $("deal").querySelector("button:enabled").focus();
  }

  turn(view) {
    this.view = view;
    for (const button of document.querySelectorAll("[data-view]")) {
      button.setAttribute("aria-pressed", button.dataset.view === view);
    }
    this.paint();
  }

  paint() {
    const { hands, actions } = this.decision;
    const colours = actionColours(actions.map(({ word }) => word));
    const dense = this.combos.map((combos, cell) =>
      combos.length ? hands[handName(cell)].share / combos.length : 0);
    const most = Math.max(...dense);
    const known = this.decision.all.ev !== undefined;
    const values = known ? Object.values(hands).map(({ ev }) => ev) : [];
    const [least, best] = [Math.min(...values), Math.max(...values)];
    for (let cell = 0; cell < 169; cell++) {
      const facts = hands[handName(cell)];
      if (!facts) {
        this.matrix.paint(cell, "var(--raised)", "", "not held", false);
        continue;
      }
      const words = handWords(facts, actions);
      if (this.view === "actions") {
        const fill = actionBars(facts.probabilities, colours, dense[cell] / most);
        this.matrix.paint(cell, fill, "", words, true);
      } else {
        const warmth = known ? Math.round((100 * (facts.ev - least)) / (best - least || 1)) : 0;
        const fill = `color-mix(in oklab, var(--best) ${warmth}%, var(--worst))`;
        this.matrix.paint(cell, fill, known ? Math.round(facts.ev) : "?", words, true);
      }
    }
  }

  /** Tell the numbers of a hand, and of each of its combos. */
  lookAt(cell) {
    if (!this.decision) return;
    this.cell = cell;
    const { actions, hands, all } = this.decision;
    const facts = hands[handName(cell)];
    $("hand-name").textContent = handName(cell);
    const rows = [["all", all], [handName(cell), facts], ...this.combos[cell]];
    const value = all.ev === undefined ? [] : ["EV"];
    const head = ["hand", ...actions.map(({ name }) => name), ...value];
    const titles = head.map((text) => make("th", { text, scope: "col" }));
    const table = make("table", {}, make("tr", {}, ...titles));
    for (const [name, row] of rows) {
      const cells = row ? row.probabilities.map((share) => (100 * share).toFixed(1)) : ["not held"];
      if (row?.ev !== undefined) cells.push(valueText(row.ev));
      const what = name.length === 4 && name !== "all" ? cardRow(name) : name;
      const first = make("th", { scope: "row" }, what);
      table.append(make("tr", {}, first, ...cells.map((text) => make("td", { text }))));
    }
    const share = facts ? `${(100 * facts.share).toFixed(2)} % of the hands here` : "";
    $("hand-facts").replaceChildren(make("p", { text: share }), table);
  }
}

function handWords({ probabilities, ev }, actions) {
  const parts = actions.map(({ name }, at) => `${name} ${percent(probabilities[at])}`);
  return [...parts, ...(ev === undefined ? [] : [`EV ${valueText(ev)}`])].join(", ");
}
