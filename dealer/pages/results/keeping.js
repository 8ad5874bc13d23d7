// What a reader has set on a page, kept while it is drawn anew: choices, focus, scrolled tables.

const REACHED = "a, button, select, input, [tabindex]";

/** Look at what is set below an element; return a function that sets it again on what is there. */
export function keep(root) {
  const before = new Map();
  for (const [key, one] of named(root)) {
    const { scrollLeft, value, max, type } = one;
    const pressed = one.getAttribute("aria-pressed");
    const chosen = one.selectedOptions?.[0]?.text;
    const place = type === "range" && value !== max ? value : null;
    const focused = one === document.activeElement;
    before.set(key, { scrollLeft, pressed, chosen, place, focused });
  }
  return () => {
    for (const [key, one] of named(root)) if (before.has(key)) set(one, before.get(key));
  };
}

function set(one, { scrollLeft, pressed, chosen, place, focused }) {
  if (pressed !== one.getAttribute("aria-pressed")) one.click();
  const option = [...(one.options ?? [])].find(({ text }) => text === chosen);
  if (option && !option.selected) {
    option.selected = true;
    one.dispatchEvent(new Event("change"));
  }
  if (place !== null) {
    one.value = place;
    one.dispatchEvent(new Event("input"));
  }
  one.scrollLeft = scrollLeft;
  if (focused) one.focus({ preventScroll: true });
}

/** Return what keys reach, by what it is called. */
function named(root) {
  const found = new Map();
  for (const one of root.querySelectorAll(REACHED)) {
    const { tagName, textContent: text } = one;
    const name = one.getAttribute("aria-label") ?? one.getAttribute("href") ?? text;
    let nth = 0;
    while (found.has(`${tagName} ${nth} ${name}`)) nth++;
    found.set(`${tagName} ${nth} ${name}`, one);
  }
  return found;
}
