// A page on which a spot is described and solved; `walk.js` walks through the solution.

import { cardNumber, cardText } from "../shared/cards.js";
import { RangeMatrix, handName } from "../shared/matrix.js";
import { cardPicker } from "./picker.js";
import { Settings } from "../shared/settings.js";
import { Walk } from "./walk.js";

const WAIT_MS = 200; // after a change, for the next one
const MOST_CARDS = 5;
const $ = (id) => document.getElementById(id);
const form = $("spot");

class Spot {
  constructor() {
    this.side = "oop";
    this.known = {}; // what the server says of the spot
    this.changes = 0;
    this.waiting = 0;
    const brush = () => Number($("brush").value) / 100;
    const paint = (piece) => this.paint(piece);
    this.matrix = new RangeMatrix($("range"), brush, paint, (cell) => this.tell(cell));
    form.addEventListener("input", (event) => this.change(event.target));
    $("clear").addEventListener("click", () => this.paint("random:0"));
    $("pick-board").addEventListener("click", () => this.openCards($("board-cards").hidden));
    for (const button of document.querySelectorAll("[data-side]")) {
      button.addEventListener("click", () => this.turn(button.dataset.side));
    }
    this.check();
  }

  /** Return all that the form says. */
  get texts() {
    return Object.fromEntries([...new FormData(form)]);
  }

  change(field) {
    if (field.id === "brush") $("brush-text").value = `${field.value} %`;
    if (!field.name) return;
    if (field.name === "oop" || field.name === "ip") this.turn(field.name);
    if (field.name === "board") this.showCards();
    this.changed();
  }

  /** A piece of a range that comes later counts more than those before it. */
  paint(piece) {
    const area = form.elements[this.side];
    area.value = `${area.value},${piece}`;
    this.painted = true;
    this.changed();
  }

  changed() {
    this.changes++;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.check(), WAIT_MS);
  }

  /** Ask the server what the form says. */
  async check() {
    const { changes } = this;
    const answer = await post("spot", this.texts);
    const body = await (answer.ok ? answer.json() : answer.text());
    if (changes !== this.changes) return; // another one is on its way
    if (!answer.ok) {
      say(body);
      return;
    }
    this.known = body;
    $("command").value = this.known.command;
    for (const side of ["oop", "ip"]) {
      const { text, error } = this.known[side];
      form.elements[side].setAttribute("aria-invalid", error !== undefined);
      const ours = this.painted && side === this.side;
      if (ours && text !== undefined) form.elements[side].value = spaced(text);
    }
    if (this.painted) {
      this.painted = false;
      this.check();
      return;
    }
    this.show();
  }

  show() {
    const range = this.known[this.side];
    if (range.hands) this.matrix.show(range.hands);
    this.tell(null);
  }

  /** Tell what is in the range, or in one of its cells. */
  tell(cell) {
    const range = this.known[this.side];
    if (!range) return;
    const share = ((100 * range.combos) / 1326).toFixed(1);
    const whole = range.error ?? `${Math.round(10 * range.combos) / 10} combos, ${share} %`;
    const held = Math.round(100 * this.matrix.weights[cell]);
    const weight = cell === null ? "" : `; ${handName(cell)} ${held} %`;
    $("range-facts").textContent = whole + (range.error ? "" : weight);
  }

  turn(side) {
    this.side = side;
    for (const button of document.querySelectorAll("[data-side]")) {
      button.setAttribute("aria-pressed", button.dataset.side === side);
    }
    if (this.known[side]) this.show();
  }

  openCards(open) {
    $("board-cards").hidden = !open;
    $("pick-board").setAttribute("aria-expanded", open);
    this.showCards();
  }

  get board() {
    const cards = form.elements.board.value.match(/[2-9TJQKA][cdhs]/gi) ?? [];
    return cards.map((card) => cardNumber(card[0].toUpperCase() + card[1].toLowerCase()));
  }

  showCards() {
    const { board } = this;
    if ($("board-cards").hidden) return;
    const at = [...$("board-cards").children].indexOf(document.activeElement);
    cardPicker($("board-cards"), (card) => this.pick(card), (card) => ({
      "aria-pressed": board.includes(card),
      disabled: board.length >= MOST_CARDS && !board.includes(card),
    }));
    if (at >= 0) $("board-cards").children[at].focus();
  }

  pick(card) {
    const { board } = this;
    const next = board.includes(card) ? board.filter((one) => one !== card) : [...board, card];
    form.elements.board.value = next.map(cardText).join("");
    this.showCards();
    this.changed();
  }

  /** Describe the spot of a solution that was opened. */
  fill(spot) {
    for (const [name, text] of Object.entries(spot)) form.elements[name].value = spaced(text);
    this.showCards();
    this.changed();
  }
}

/** Return a range so that its text can break into lines. */
function spaced(text) {
  return text.replaceAll(",", ", ");
}

function post(address, document) {
  return fetch(address, { method: "POST", body: JSON.stringify(document) });
}

function say(words) {
  $("problem").textContent = words;
}

const settings = new Settings(() => {});
const spot = new Spot();
const walk = new Walk();
let number = 0; // of the solution that is shown
let heard = false;

/** Take the server's state: what is being solved, and what was. */
function hear({ progress, stopping, problem, solution }) {
  const idle = progress === "";
  $("solve").disabled = !idle;
  $("stop").hidden = idle;
  $("stop").textContent = stopping ? "Stop at once" : "Stop";
  $("status").textContent = idle ? (solution ? `Solved: ${solution.board}` : "Ready") : progress;
  say(problem);
  if (solution !== null && !heard) spot.fill(solution.spot);
  heard = true;
  if (solution === null || solution.number === number) return;
  number = solution.number;
  walk.open(solution);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  say("");
  const answer = await post("solve", spot.texts);
  if (!answer.ok) say(await answer.text());
});
$("stop").addEventListener("click", () => post("stop", {}));
for (const name of ["deck", "theme"]) {
  const button = document.querySelector(`[data-setting=${name}]`);
  button.addEventListener("click", () => settings.turn(name));
}
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea, select, [role=gridcell]")) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "t") settings.turn("theme");
  if (event.key === "4") settings.turn("deck");
});
const events = new EventSource("events");
events.addEventListener("state", (event) => hear(JSON.parse(event.data)));
events.addEventListener("error", () => {
  $("status").textContent = "The connection is lost; it is tried again.";
});
