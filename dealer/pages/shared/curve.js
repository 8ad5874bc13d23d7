// What one player has won up to each hand of a log, as a curve that can be clicked.

import { draw, signedText } from "./dom.js";

const WIDTH = 400;
const HEIGHT = 90;
const POINTS = 400;

export class Curve {
  /** Draw into an element; `onPick(row)` is called with a hand that was clicked. */
  constructor(root, onPick) {
    this.path = draw("path", { class: "line" });
    this.zero = draw("path", { class: "zero" });
    this.mark = draw("path", { class: "mark" });
    const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" };
    this.picture = draw("svg", box, this.zero, this.path, this.mark);
    this.picture.addEventListener("click", (event) => {
      const { left, width } = this.picture.getBoundingClientRect();
      if (this.rows) onPick(Math.round(((event.clientX - left) / width) * (this.rows - 1)));
    });
    root.replaceChildren(this.picture);
  }

  /** Show the totals of a player, an index in `table.players`. */
  show(table, player) {
    this.rows = table.length;
    const points = this.points(table, player);
    const low = Math.min(0, ...points);
    const high = Math.max(0, ...points);
    const scale = (HEIGHT - 12) / (high - low || 1);
    const y = (total) => (HEIGHT - 6 - (total - low) * scale).toFixed(1);
    const x = (at) => ((at / Math.max(1, points.length - 1)) * WIDTH).toFixed(1);
    const line = points.map((total, at) => `${x(at)} ${y(total)}`).join("L");
    this.path.setAttribute("d", line && `M${line}`);
    this.zero.setAttribute("d", `M0 ${y(0)}H${WIDTH}`);
    const words = `${table.players[player]}: ${signedText(points.at(-1) ?? 0)} chips in all`;
    this.picture.setAttribute("aria-label", words);
  }

  /** Mark the hand that is shown. */
  at(row) {
    const x = ((row / Math.max(1, this.rows - 1)) * WIDTH).toFixed(1);
    this.mark.setAttribute("d", `M${x} 0V${HEIGHT}`);
  }

  points(table, player) {
    const points = [];
    let total = 0;
    let next = 0;
    const stride = Math.max(1, (table.length - 1) / POINTS);
    for (let row = 0; row < table.length; row++) {
      const position = table.positionOf(row, player);
      if (position >= 0) total = table.get("total", row, position);
      if (row < next && row + 1 < table.length) continue;
      points.push(total);
      next += stride;
    }
    return points;
  }
}
