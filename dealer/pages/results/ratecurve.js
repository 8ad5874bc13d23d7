// The win rate of a player hand by hand with its band, or the chips won, beside other estimates.

import { countText, draw, make, signedText } from "../shared/dom.js";
import { intervalText } from "./figures.js";

const HEIGHT = 260;
const LEFT = 64;
const RIGHT = 10;
const BOTTOM = 22;
const TOP = 8;
const LINES = 5; // of the grid, about
const EARLY = 0.1; // share of the hands whose wide band may leave the picture
const NAMES = { raw: "raw", allin: "all-in expectation", aivat: "AIVAT" };

export class RateCurve {
  /** Draw the curves of a game; `root` is the element. */
  constructor({ curves }) {
    this.curves = curves.flatMap(viewsOf);
    this.kinds = Object.keys(NAMES).filter((kind) => curves[0]?.[kind]);
    this.width = 600;
    this.inChips = false;
    const players = [...new Set(this.curves.map(({ player }) => player))];
    const options = players.map((player, value) => make("option", { value, text: player }));
    const chosen = () => this.choose();
    this.player = make("select", { "aria-label": "Player", onchange: chosen }, ...options);
    this.against = make("select", { "aria-label": "Against", onchange: () => this.show() });
    this.unit = make("button", { type: "button", text: "Chips", "aria-pressed": false });
    this.unit.addEventListener("click", () => this.turn());
    const legend = make("span", { class: "legend" }, ...this.kinds.map(key));
    this.picture = draw("svg", { role: "img" });
    const point = () => this.point();
    this.place = make("input", { type: "range", min: 0, "aria-label": "Hands", oninput: point });
    this.words = make("p", { class: "note" });
    this.root = make("figure", { class: "rate-curve" });
    this.root.append(
      make("div", { class: "curve-bar" }, this.player, this.against, this.unit, legend),
      this.picture,
      this.place,
      this.words,
    );
    new ResizeObserver(() => this.resize()).observe(this.picture);
    this.choose();
  }

  turn() {
    this.inChips = !this.inChips;
    this.unit.setAttribute("aria-pressed", this.inChips);
    this.draw();
  }

  resize() {
    const { width } = this.picture.getBoundingClientRect();
    if (!width || width === this.width) return;
    this.width = width;
    this.draw();
  }

  /** Offer the opponents of the chosen player. */
  choose() {
    const { text } = this.player.selectedOptions[0];
    const options = [...this.curves.entries()]
      .filter(([, { player }]) => player === text)
      .map(([value, { against }]) => {
        const met = against.join(", ");
        return make("option", { value, text: `against ${met}` });
      });
    this.against.replaceChildren(...options);
    this.against.hidden = options.length < 2;
    this.show();
  }

  /** Show the chosen player against the chosen ones from the beginning to the end. */
  show() {
    this.curve = this.curves[Number(this.against.value)];
    this.place.max = this.curve.hands.length - 1;
    this.place.value = this.place.max;
    this.draw();
  }

  draw() {
    const { curve, kinds, inChips } = this;
    const { hands } = curve;
    const valuesOf = (kind) => curve[kind][inChips ? "chips" : "mbb_per_hand"];
    const halves = inChips ? null : curve.raw.ci95_mbb_per_hand;
    const settled = hands.findIndex((count) => count >= EARLY * hands.at(-1));
    const seen = kinds.flatMap((kind) => valuesOf(kind).slice(settled));
    if (halves) {
      const raw = valuesOf("raw");
      for (let at = settled; at < hands.length; at++) {
        if (halves[at] !== null) seen.push(raw[at] - halves[at], raw[at] + halves[at]);
      }
    }
    const low = Math.min(0, ...seen);
    const high = Math.max(0, ...seen);
    const scale = (HEIGHT - TOP - BOTTOM) / (high - low || 1);
    const across = (this.width - LEFT - RIGHT) / hands.at(-1);
    this.x = (at) => (LEFT + hands[at] * across).toFixed(1);
    const y = (value) => {
      const place = HEIGHT - BOTTOM - (value - low) * scale;
      return Math.max(-HEIGHT, Math.min(2 * HEIGHT, place)).toFixed(1);
    };
    const path = (values) => values.map((value, at) => `${this.x(at)} ${y(value)}`).join("L");
    this.cursor = draw("path", { class: "cursor" });
    this.picture.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.picture.replaceChildren(
      ...this.axes(low, high, y),
      ...(halves ? [band(valuesOf("raw"), halves, this.x, y)] : []),
      ...kinds.map((kind) => draw("path", { class: kind, d: `M${path(valuesOf(kind))}` })),
      this.cursor,
    );
    this.point();
    const whose = `${curve.player} against ${curve.against.join(", ")}`;
    this.picture.setAttribute("aria-label", `${whose}: ${this.words.textContent}`);
  }

  axes(low, high, y) {
    const step = roundStep((high - low) / LINES || 1);
    const drawn = [];
    for (let at = Math.ceil(low / step); at * step <= high; at++) {
      const value = at * step;
      const d = `M${LEFT} ${y(value)}H${this.width - RIGHT}`;
      drawn.push(draw("path", { class: at ? "grid" : "zero", d }));
      const place = { x: LEFT - 8, y: Number(y(value)) + 4, "text-anchor": "end" };
      drawn.push(draw("text", { ...place, text: signedText(value) }));
    }
    const last = `${countText(this.curve.hands.at(-1))} hands`;
    const place = { x: this.width - RIGHT, y: HEIGHT - 5, "text-anchor": "end" };
    drawn.push(draw("text", { ...place, text: last }));
    drawn.push(draw("text", { x: 4, y: HEIGHT - 5, text: this.inChips ? "chips" : "mbb/h" }));
    return drawn;
  }

  /** Say in words what the curve is at the chosen place. */
  point() {
    const at = Number(this.place.value);
    const { curve } = this;
    const said = this.kinds.map((kind) => {
      const { chips, mbb_per_hand: mbb, ci95_mbb_per_hand: ci95 } = curve[kind];
      const rate = `${intervalText(mbb[at], ci95[at])} mbb/h`;
      return `${NAMES[kind]} ${this.inChips ? `${signedText(chips[at])} chips` : rate}`;
    });
    const text = `After ${countText(curve.hands[at])} hands: ${said.join("; ")}`;
    this.words.textContent = text;
    this.place.setAttribute("aria-valuetext", text);
    this.cursor.setAttribute("d", `M${this.x(at)} ${TOP}V${HEIGHT - BOTTOM}`);
  }
}

/** Return a curve from the view of each of two players; of more each has its own. */
function viewsOf(curve) {
  if (curve.against.length !== 1) return [curve];
  const turned = { ...curve, player: curve.against[0], against: [curve.player] };
  for (const kind of Object.keys(NAMES).filter((name) => curve[name])) {
    const { chips, mbb_per_hand: mbb, ci95_mbb_per_hand: ci95 } = curve[kind];
    const minus = (values) => values.map((value) => 0 - value);
    turned[kind] = { chips: minus(chips), mbb_per_hand: minus(mbb), ci95_mbb_per_hand: ci95 };
  }
  return [curve, turned];
}

function key(kind) {
  const line = draw("path", { class: kind, d: "M0 4H26" });
  const sample = draw("svg", { viewBox: "0 0 26 8", "aria-hidden": "true" }, line);
  return make("span", {}, sample, kind === "raw" ? "raw, with its 95 % band" : NAMES[kind]);
}

function band(values, halves, x, y) {
  const known = [...halves.keys()].filter((at) => halves[at] !== null);
  const upper = known.map((at) => `${x(at)} ${y(values[at] + halves[at])}`);
  const lower = known.reverse().map((at) => `${x(at)} ${y(values[at] - halves[at])}`);
  const around = [...upper, ...lower].join("L");
  return draw("path", { class: "band", d: around && `M${around}Z` });
}

/** Return 1, 2 or 5 times a power of ten, not below a number. */
function roundStep(least) {
  const unit = 10 ** Math.floor(Math.log10(least));
  return unit * [1, 2, 5, 10].find((factor) => factor * unit >= least * 0.999);
}
