// The list of hands: only the rows in sight are there, so that 100 000 hands stay fluid.

import { cardNumbers } from "./cards.js";
import { countText, make, signedText } from "./dom.js";
import { miniCard } from "./pictures.js";

const ROW = 56;
const SPARE = 4;
const TALLEST = 15000000; // browsers cut taller elements

export class HandList {
  /** Draw into an element that scrolls; `onPick(at)` is called with the place of a chosen row. */
  constructor(root, onPick) {
    this.root = root;
    this.onPick = onPick;
    this.space = make("div", { class: "space" });
    root.replaceChildren(this.space);
    this.rows = new Uint32Array(0);
    this.drawn = new Map(); // elements by their place in `rows`
    this.current = -1;
    root.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(root);
  }

  /** Show the hands of a table at `rows`, with results of the player `hero`. */
  show(table, rows, hero, unit) {
    Object.assign(this, { table, rows, hero, unit });
    this.drawn.clear();
    this.space.replaceChildren();
    this.height = Math.min(rows.length * ROW, TALLEST);
    this.space.style.setProperty("height", `${this.height}px`);
    this.draw();
  }

  /** Mark a row and bring it into sight. */
  mark(at) {
    this.current = at;
    const top = this.topOf(at);
    const { root } = this;
    if (top < root.scrollTop || top + ROW > root.scrollTop + root.clientHeight) {
      root.scrollTop = top - root.clientHeight / 2 + ROW / 2;
    }
    this.draw();
  }

  /** Return where a row begins, in pixels; all rows overlap where there are too many. */
  topOf(at) {
    const last = Math.max(1, this.rows.length - 1);
    return Math.min(at * ROW, (at / last) * (this.height - ROW));
  }

  draw() {
    if (!this.table) return;
    const { root, rows } = this;
    const shown = Math.ceil(root.clientHeight / ROW) + 2 * SPARE;
    const reach = Math.max(1, this.height - root.clientHeight);
    const tall = rows.length * ROW > TALLEST;
    const share = Math.min(1, root.scrollTop / reach);
    const firstInSight = tall
      ? Math.floor(share * (rows.length - root.clientHeight / ROW))
      : Math.floor(root.scrollTop / ROW);
    const first = Math.max(0, Math.min(firstInSight - SPARE, rows.length - shown));
    const last = Math.min(rows.length, first + shown);
    const start = tall ? root.scrollTop - (firstInSight - first) * ROW : first * ROW;
    for (const [at, element] of this.drawn) {
      if (at >= first && at < last) continue;
      element.remove();
      this.drawn.delete(at);
    }
    for (let at = first; at < last; at++) this.drawRow(at, start + (at - first) * ROW);
  }

  drawRow(at, top) {
    if (!this.drawn.has(at)) {
      this.drawn.set(at, this.row(at));
      this.space.append(this.drawn.get(at));
    }
    const element = this.drawn.get(at);
    element.style.setProperty("top", `${top}px`);
    if (at === this.current) element.setAttribute("aria-current", "true");
    else element.removeAttribute("aria-current");
  }

  row(at) {
    const { table } = this;
    const row = this.rows[at];
    const position = table.positionOf(row, this.hero);
    const [holes, board] = cardsIn(table, row);
    const hand = table.get("hand", row);
    return make(
      "button", {
        type: "button", class: "hand", onclick: () => this.onPick(at), tabindex: -1,
      },
      make("span", { class: "number", text: `#${hand}` }),
      make("span", { class: "minis" }, ...(holes[position] ?? []).map(miniCard)),
      this.won(row, position),
      make("span", { class: "position", text: position < 0 ? "" : this.placeName(row, position) }),
      make("span", { class: "minis" }, ...board.map(miniCard)),
      make("span", { class: "pot-size", text: this.potText(row) }),
    );
  }

  placeName(row, position) {
    return this.table.places[this.table.get("place", row, position)];
  }

  won(row, position) {
    if (position < 0) return make("span", { class: "amount" });
    const won = this.table.get("value", row, position);
    const sign = won > 0 ? "won" : won < 0 ? "lost" : "even";
    const unit = this.unit ? this.table.get("bigBlind", row) : null;
    return make("span", { class: `amount ${sign}`, text: signedText(won, unit) });
  }

  potText(row) {
    const size = this.table.get("pot", row) / (this.table.get("bigBlind", row) || 1);
    return `pot ${countText(Math.round(size))} BB`;
  }
}

/** Return hole cards by position and the board, for a glance: wrong lines give what is readable. */
function cardsIn(table, row) {
  const line = table.lines[row];
  const found = /:([2-9TJQKAcdhs|/]*):[-0-9.e+|]+:/.exec(line);
  if (found === null || table.game.boardCards[0] > 0) return [[], []];
  const fields = found[1].split("|");
  const [last, ...board] = fields.pop().split("/");
  return [[...fields, last].map(cardNumbers), board.flatMap(cardNumbers)];
}
