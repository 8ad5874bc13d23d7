// What the address says is shown: #log=0&hand=17&nth=2&step=4.  `nth` tells hands of one number
// apart, which are in one log where several matches are.

const WRITE_MS = 250; // browsers refuse addresses that change too often

let written = location.hash; // or read, whichever came last
let waiting = 0;
let shown = null;

/** Return {log, hand, nth, step}: numbers; `hand` and `log` are null where they are not said. */
export function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const number = (name) => (/^\d{1,10}$/.test(parts.get(name)) ? Number(parts.get(name)) : null);
  return {
    log: number("log"),
    hand: number("hand"),
    nth: number("nth") ?? 1,
    step: number("step") ?? 0,
  };
}

/**
 * Write a step of a hand, a row of a table, into the address; `log` is null for the only one, and
 * `row` where the newest hand is always shown.
 */
export function writeAddress(log, table, row, step) {
  shown = { log, table, row, step };
  waiting ||= setTimeout(writeNow, WRITE_MS);
}

function writeNow() {
  waiting = 0;
  if (isNewAddress()) return; // it is to be obeyed first
  const { log, table, row, step } = shown;
  const parts = new URLSearchParams(log === null ? {} : { log });
  if (row !== null) {
    const hands = table.columns.hand.data;
    let nth = 1;
    let at = hands.indexOf(hands[row]);
    for (; at < row; at = hands.indexOf(hands[row], at + 1)) nth++;
    parts.set("hand", hands[row]);
    if (nth > 1) parts.set("nth", nth);
    if (step) parts.set("step", step);
  }
  written = parts.size ? `#${parts}` : "";
  window.history.replaceState(null, "", written || location.pathname);
}

/** Write into the address that a log is asked for, and no hand of it. */
export function writeLog(log) {
  clearTimeout(waiting);
  waiting = 0;
  written = `#log=${log}`;
  window.history.pushState(null, "", written);
}

/** Take an address that somebody else than this page has written; return whether there is one. */
export function takeNewAddress() {
  if (!isNewAddress()) return false;
  clearTimeout(waiting);
  waiting = 0;
  written = location.hash;
  return true;
}

function isNewAddress() {
  return location.hash !== written;
}

/** Return the row of the hand that an address names, the first one without, -1 where none is. */
export function addressedRow({ hand, nth }, table) {
  if (hand === null) return 0;
  const hands = table.columns.hand.data.subarray(0, table.length);
  let row = hands.indexOf(hand);
  for (let left = nth; left > 1 && row >= 0; left--) row = hands.indexOf(hand, row + 1);
  return row;
}
