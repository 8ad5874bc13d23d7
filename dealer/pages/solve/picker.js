// Cards to choose from, and some cards in a row.

import { cardNumber, cardWords } from "../shared/cards.js";
import { make } from "../shared/dom.js";
import { miniCard } from "../shared/pictures.js";

/** Fill an element with all 52 cards as buttons; `state(card)` has further attributes of one. */
export function cardPicker(element, onPick, state) {
  const buttons = [3, 2, 1, 0].flatMap((suit) =>
    Array.from({ length: 13 }, (_, at) => {
      const card = (12 - at) * 4 + suit;
      const attributes = { type: "button", "aria-label": cardWords(card), ...state(card) };
      const button = make("button", attributes, miniCard(card));
      button.firstChild.setAttribute("aria-hidden", "true");
      button.addEventListener("click", () => onPick(card));
      return button;
    }));
  element.replaceChildren(...buttons);
}

/** Return cards in a row, given as text: "AhKh". */
export function cardRow(text) {
  const cards = text.match(/../g) ?? [];
  return make("span", { class: "minis" }, ...cards.map((card) => miniCard(cardNumber(card))));
}
