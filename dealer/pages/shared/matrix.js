// The chart of the 169 starting hands: pairs on the diagonal, suited hands above it, offsuit below.
// One cell has the focus; the arrow keys move it.

import { make } from "./dom.js";

export const CHART = "AKQJT98765432";
const SIZE = CHART.length;
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SIZE, ArrowDown: SIZE };

/** Return the name of a cell: 0 "AA", 1 "AKs", 13 "AKo". */
export function handName(cell) {
  const [row, column] = [Math.floor(cell / SIZE), cell % SIZE];
  const [high, low] = [Math.min(row, column), Math.max(row, column)];
  return CHART[high] + CHART[low] + (row < column ? "s" : row > column ? "o" : "");
}

/** Return the cell of a combo: "AhKh" is in "AKs". */
export function cellOf(combo) {
  const [high, low] = [combo[0], combo[2]].map((rank) => CHART.indexOf(rank)).sort((a, b) => a - b);
  return combo[1] === combo[3] ? high * SIZE + low : low * SIZE + high;
}

/** Return a colour for each action, "f", "c" or "r…": raises are the darker the larger. */
export function actionColours(words) {
  const raises = words.filter((word) => word.startsWith("r")).length;
  let raise = 0;
  return words.map((word) => {
    if (!word.startsWith("r")) return word === "f" ? "var(--fold)" : "var(--call)";
    const depth = raises > 1 ? Math.round((100 * raise++) / (raises - 1)) : 50;
    return `color-mix(in oklab, var(--most) ${depth}%, var(--least))`;
  });
}

/** Return bars side by side as a background, as high as the hand is held. */
export function actionBars(probabilities, colours, height) {
  let from = 0;
  const stops = probabilities.map((share, at) => {
    const [begin, end] = [from, (from += 100 * share)];
    return `${colours[at]} ${begin.toFixed(1)}% ${end.toFixed(1)}%`;
  });
  const tall = Math.max(12, Math.round(100 * height));
  const bars = `linear-gradient(to right, ${stops.join(", ")})`;
  return `${bars} bottom / 100% ${tall}% no-repeat var(--raised)`;
}

/** Cells that are looked at: `onLook(cell)` hears which one, by focus and by the pointer. */
export class Matrix {
  constructor(root, label, onLook) {
    this.root = root;
    this.onLook = onLook;
    this.at = 0;
    this.cells = Array.from({ length: SIZE * SIZE }, (_, cell) => this.cell(cell));
    const rows = Array.from({ length: SIZE }, (_, row) =>
      make("div", { role: "row" }, ...this.cells.slice(row * SIZE, (row + 1) * SIZE)));
    root.setAttribute("role", "grid");
    root.setAttribute("aria-label", label);
    root.replaceChildren(...rows);
    root.addEventListener("keydown", (event) => this.press(event));
    root.addEventListener("focusin", (event) => this.look(this.cells.indexOf(event.target)));
    root.addEventListener("pointerover", (event) => this.look(this.cellAt(event)));
  }

  cell(number) {
    const name = make("span", { text: handName(number) });
    return make("div", { role: "gridcell", tabindex: number ? -1 : 0 }, name, make("small"));
  }

  cellAt(event) {
    const { clientX, clientY } = event;
    const touched = document.elementFromPoint(clientX, clientY);
    return this.cells.indexOf(touched?.closest("[role=gridcell]"));
  }

  look(cell) {
    if (cell >= 0) this.onLook(cell);
  }

  press(event) {
    const step = STEPS[event.key];
    const sideways = Math.abs(step) === 1;
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = this.at + step;
    if (next < 0 || next >= SIZE * SIZE) return;
    if (sideways && Math.floor(next / SIZE) !== Math.floor(this.at / SIZE)) return;
    this.focus(next);
  }

  focus(cell) {
    this.cells[this.at].tabIndex = -1;
    this.at = cell;
    this.cells[cell].tabIndex = 0;
    this.cells[cell].focus();
  }

  /** Show a cell: its background, a number in it, and the words that a reader hears. */
  paint(cell, background, number, words, filled) {
    const element = this.cells[cell];
    element.style.background = background;
    element.classList.toggle("empty", !filled);
    element.lastChild.textContent = number;
    element.setAttribute("aria-label", `${handName(cell)}, ${words}`);
  }
}

/** A range that is painted, by mouse, finger and keys; `onPaint({cell: weight})` hears strokes. */
export class RangeMatrix extends Matrix {
  constructor(root, brush, onPaint, onLook) {
    super(root, "Range", onLook);
    this.brush = brush; // returns the weight to paint with
    this.onPaint = onPaint;
    this.weights = new Array(SIZE * SIZE).fill(0);
    this.stroke = null; // the weight that is painted with while a button is down
    root.addEventListener("pointerdown", (event) => this.begin(event));
    root.addEventListener("pointermove", (event) => this.go(this.cellAt(event)));
    for (const end of ["pointerup", "pointercancel"]) {
      root.addEventListener(end, () => (this.stroke = null));
    }
  }

  show(weights) {
    this.weights = [...weights];
    this.weights.forEach((_, cell) => this.refresh(cell));
  }

  refresh(cell) {
    const share = Math.round(100 * this.weights[cell]);
    const fill = `linear-gradient(to top, var(--held) ${share}%, var(--raised) ${share}%)`;
    this.paint(cell, fill, share && share < 100 ? share : "", `${share} per cent`, share > 0);
  }

  begin(event) {
    const cell = this.cellAt(event);
    if (cell < 0 || event.button > 0) return;
    event.preventDefault();
    this.root.setPointerCapture(event.pointerId);
    this.focus(cell);
    this.stroke = this.turned(cell);
    this.go(cell);
  }

  /** Painting what has the brush's weight already takes it away. */
  turned(cell) {
    return Math.abs(this.weights[cell] - this.brush()) < 0.005 ? 0 : this.brush();
  }

  go(cell) {
    if (cell < 0 || this.stroke === null || this.weights[cell] === this.stroke) return;
    this.weights[cell] = this.stroke;
    this.refresh(cell);
    this.onPaint(`${handName(cell)}:${this.stroke}`);
  }

  press(event) {
    const painting = { " ": () => this.turned(this.at), Enter: () => this.turned(this.at) };
    const digit = /^\d$/.test(event.key) ? () => Number(event.key) / 10 : null;
    const weight = painting[event.key] ?? (event.key === "Delete" ? () => 0 : digit);
    const before = this.at;
    if (weight) this.set(this.at, weight());
    else super.press(event);
    if (weight) event.preventDefault();
    else if (event.shiftKey && this.at !== before) this.set(this.at, this.weights[before]);
  }

  set(cell, weight) {
    this.stroke = weight;
    this.go(cell);
    this.stroke = null;
  }
}
