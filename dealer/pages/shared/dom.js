// Elements without markup: whatever comes from a log is put in as text and never as HTML.

const SVG = "http://www.w3.org/2000/svg";
const SUIT_PATHS = [
  "M12 2a4.6 4.6 0 0 0-3.9 7A4.7 4.7 0 1 0 11 16.4C10.9 18.8 10.2 20.7 8.5 22h7C13.8 20.7 13.1" +
    " 18.8 13 16.4A4.7 4.7 0 1 0 15.9 9 4.6 4.6 0 0 0 12 2z",
  "M12 1.5C14.5 5.5 17.5 9 20.5 12 17.5 15 14.5 18.5 12 22.5 9.5 18.5 6.5 15 3.5 12 6.5 9 9.5" +
    " 5.5 12 1.5z",
  "M12 21C5 15 2 11.5 2 7.8 2 4.9 4.2 3 6.8 3 9 3 11 4.3 12 6.2 13 4.3 15 3 17.2 3 19.8 3 22 4.9" +
    " 22 7.8 22 11.5 19 15 12 21z",
  "M12 2C7 7.5 3 10.5 3 14.3 3 17 5 18.8 7.3 18.8 9 18.8 10.3 18 11 16.8 10.9 19 10.2 20.8 8.5" +
    " 22h7C13.8 20.8 13.1 19 13 16.8 13.7 18 15 18.8 16.7 18.8 19 18.8 21 17 21 14.3 21 10.5 17" +
    " 7.5 12 2z",
];

/** Return an element with attributes (`text` is its text, `on…` its listeners) and children. */
export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Return an SVG element; arguments as of `make`. */
export function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** Return the sign of a suit, 0 to 3, as a picture. */
export function suitSign(suit) {
  const path = draw("path", { d: SUIT_PATHS[suit] });
  return draw("svg", { class: "suit", viewBox: "0 0 24 24", "aria-hidden": "true" }, path);
}

/**
 * Put an element in a direction from the middle of the table; the style says how far.  Directions
 * lie on an oval that is fuller than an ellipse, so that ten seats have room on a narrow one.
 */
export function place(element, angle) {
  const across = -Math.sin(angle);
  element.style.setProperty("--across", (Math.sign(across) * Math.abs(across) ** 0.6).toFixed(4));
  element.style.setProperty("--down", Math.cos(angle).toFixed(4));
}

const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Return a text with its marks of direction written out: they could turn round what follows. */
export function straight(text) {
  const written = (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(DIRECTIONS, written);
}

const whole = new Intl.NumberFormat("en");
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const cents = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** Return chips as text: as they are, or in big blinds where that is their size. */
export function chipsText(chips, bigBlind = null) {
  if (bigBlind === null) return cents.format(chips);
  return `${tenths.format(chips / bigBlind)} BB`;
}

/** Return chips won as text, with a sign. */
export function signedText(chips, bigBlind = null) {
  const text = chipsText(Math.abs(chips), bigBlind);
  return chips > 0 ? `+${text}` : chips < 0 ? `\u2212${text}` : text;
}

/** Return how many there are of something, "1 log" or "2 logs". */
export function manyText(count, what) {
  return `${countText(count)} ${what}${count === 1 ? "" : "s"}`;
}

/** Return a whole number as text. */
export function countText(number) {
  return whole.format(number);
}
