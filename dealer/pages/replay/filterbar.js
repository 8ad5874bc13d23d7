// The form that says which hands are wanted.

import { handNumbers } from "../shared/filters.js";
import { make } from "../shared/dom.js";

const MOST_NAMES = 500;

export class FilterBar {
  /** Read a form; `onChange()` is called when something else is wanted. */
  constructor(form, onChange) {
    this.fields = form.elements;
    let waiting = 0;
    const changed = () => {
      clearTimeout(waiting);
      waiting = setTimeout(onChange, 80);
    };
    form.addEventListener("input", changed);
    form.addEventListener("reset", changed);
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Offer the players, positions and streets of a log. */
  offer(table, streetNames) {
    offerAll(this.fields.player, table.players.slice(0, MOST_NAMES));
    offerAll(this.fields.position, table.places);
    offerAll(this.fields.street, streetNames);
  }

  /** Return what `HandTable.select` takes; a field that cannot be read is marked and left out. */
  wanted() {
    const { fields } = this;
    const wanted = {};
    for (const name of ["player", "position"]) {
      if (fields[name].value) wanted[name] = fields[name].value;
    }
    if (fields.street.value) wanted.street = fields.street.selectedIndex;
    if (fields.showdown.value) wanted.showdown = fields.showdown.value === "yes";
    for (const name of ["pot", "won", "lost"]) this.take(wanted, name, bigBlinds);
    this.take(wanted, "hands", handNumbers);
    this.take(wanted, "offMenu", sizes);
    return wanted;
  }

  take(wanted, name, read) {
    const field = this.fields[name];
    const text = field.value.trim();
    const value = text ? read(text) : undefined;
    field.setAttribute("aria-invalid", String(value === null || field.validity.badInput));
    if (value !== undefined && value !== null) wanted[name] = value;
  }
}

function offerAll(select, words) {
  const options = [...select.options].slice(1);
  const same = options.length === words.length;
  if (same && options.every((one, at) => one.value === words[at])) return;
  const { value } = select;
  const offered = words.map((text) => make("option", { text, value: text }));
  select.replaceChildren(select.options[0], ...offered);
  select.value = words.includes(value) ? value : "";
}

function bigBlinds(text) {
  const chips = Number(text);
  return chips >= 0 && chips < 1e9 ? chips : null;
}

function sizes(text) {
  const found = text.split(",").map((part) => (part.trim() ? Number(part) : NaN));
  return found.every((size) => size > 0 && size < 1e6) ? found : null;
}
