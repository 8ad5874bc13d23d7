// The table: one step of a hand, drawn.

import { handName } from "./cards.js";
import { chipsText, make, place, signedText } from "./dom.js";
import { boardAt, hasShowdown } from "./hand.js";
import { stepWords } from "./history.js";
import { cardBack, cardFace, chipPiles } from "./pictures.js";
import { UNLIMITED, buttonOf, positionNames } from "./rules.js";

export class TableView {
  /** Draw into an element; `show` says which hand. */
  constructor(root) {
    this.board = make("div", { class: "board", role: "group", "aria-label": "Board" });
    this.pot = make("div", { class: "pot" });
    this.places = make("div", { class: "places" });
    const middle = make("div", { class: "middle" }, this.pot, this.board);
    this.oval = make("div", { class: "oval" }, make("div", { class: "felt" }), this.places, middle);
    root.replaceChildren(this.oval);
    this.seats = [];
  }

  /** Seat the players of a hand; `bottom` sits at the bottom, the others clockwise. */
  show(game, hand, bottom) {
    const names = positionNames(game, hand.blinds);
    const button = buttonOf(game, hand.blinds);
    this.hand = hand;
    this.oval.dataset.players = game.players;
    this.oval.classList.toggle("few", game.players <= 6);
    this.seats = hand.names.map((name, position) => {
      const turn = (position - bottom + game.players) % game.players;
      const angle = (2 * Math.PI * turn) / game.players;
      return new Seat(name, names[position], angle, position === button, game.holeCards);
    });
    this.places.replaceChildren(...this.seats.flatMap((seat) => seat.elements));
    this.board.replaceChildren();
  }

  /** Draw a step; `unit` is the big blind where chips are shown in big blinds, else null. */
  step(number, unit) {
    const { hand } = this;
    const step = hand.steps[number];
    const bets = step.bets.reduce((sum, chips) => sum + chips, 0);
    this.drawBoard(boardAt(hand, step).flat());
    const gathered = step.pot - bets;
    const piles = gathered > 0 ? [chipPiles(gathered)] : [];
    const text = step.kind === "end" ? "" : `Pot ${chipsText(step.pot, unit)}`;
    this.pot.replaceChildren(...piles, make("span", { text }));
    this.seats.forEach((seat, position) => seat.step(hand, step, position, unit));
  }

  /** Show what share of the pot each position can expect; null hides it. */
  equities(shares) {
    this.seats.forEach((seat, position) => seat.showEquity(shares?.[position] ?? null));
  }

  drawBoard(cards) {
    const { board } = this;
    while (board.children.length > cards.length) board.lastChild.remove();
    cards.forEach((card, at) => {
      if (board.children[at]?.dataset.card === String(card)) return;
      const face = cardFace(card);
      face.dataset.card = card;
      face.classList.add("dealt");
      if (board.children[at]) board.children[at].replaceWith(face);
      else board.append(face);
    });
  }
}

class Seat {
  constructor(name, position, angle, hasButton, dealt) {
    this.dealt = dealt; // cards
    this.hole = make("div", { class: "hole" });
    this.stack = make("span", { class: "stack" });
    this.share = make("span", { class: "share" });
    this.bar = make("span", { class: "bar" });
    this.said = make("div", { class: "said" });
    this.bet = make("div", { class: "bet" });
    this.name = name;
    this.position = position;
    const plate = make(
      "div", { class: "plate" },
      make("bdi", { class: "name", text: name, title: name.slice(0, 200) }),
      make("span", { class: "position", text: position }),
      make("span", { class: "numbers" }, this.stack, this.share),
      make("span", { class: "track" }, this.bar),
    );
    this.seat = make("div", { class: "seat", role: "group" }, this.hole, plate, this.said);
    this.elements = [this.bet, this.seat];
    place(this.seat, angle);
    place(this.bet, angle);
    const high = Math.cos(angle) < -0.1;
    const side = high ? "high" : Math.cos(angle) < 0.1 ? "level" : "low";
    this.seat.dataset.side = this.bet.dataset.side = side;
    this.bet.style.setProperty("--inward", high ? 1 : -1); // which way is down to the middle
    if (hasButton) {
      this.seat.append(make("div", { class: "button", text: "D", title: "Dealer button" }));
    }
  }

  step(hand, step, position, unit) {
    const over = step.kind === "end";
    const { seat } = this;
    this.drawHole(hand, position, step.folded[position]);
    const left = step.stacks[position];
    const endless = hand.stacks[position] === UNLIMITED;
    const words = this.words(hand, step, position, unit);
    this.stack.textContent = endless ? "" : left === 0 && !over ? "all-in" : chipsText(left, unit);
    seat.classList.toggle("folded", step.folded[position]);
    seat.classList.toggle("acts", step.actor === position);
    seat.classList.toggle("wins", over && hand.values[position] > 0);
    this.said.textContent = words;
    this.said.dataset.kind = over ? (hand.values[position] > 0 ? "won" : "lost") : step.kind;
    const bet = step.bets[position];
    this.bet.replaceChildren();
    if (bet > 0) this.bet.append(chipPiles(bet), make("span", { text: chipsText(bet, unit) }));
    const stack = endless ? "" : `, ${chipsText(left, unit)} behind`;
    seat.setAttribute("aria-label", `${this.name}, ${this.position}${stack}. ${words}`);
  }

  words(hand, step, position, unit) {
    if (step.kind === "end") {
      const shows = hasShowdown(hand) && !step.folded[position] && hand.holes[position].length;
      const cards = [...hand.holes[position], ...hand.board.flat()];
      const result = signedText(hand.values[position], unit);
      return shows ? `${result} \u00b7 ${handName(cards)}` : result;
    }
    return step.position === position ? stepWords(step, unit) : "";
  }

  drawHole(hand, position, folded) {
    const cards = hand.holes[position];
    if (this.drawn !== cards.join()) {
      this.drawn = cards.join();
      const backs = Array.from({ length: cards.length ? 0 : this.dealt }, cardBack);
      this.hole.replaceChildren(...cards.map(cardFace), ...backs);
    }
    this.hole.classList.toggle("out", folded);
  }

  showEquity(share) {
    this.share.textContent = share === null ? "" : `${(100 * share).toFixed(1)}%`;
    this.share.title = share === null ? "" : "Equity: all boards to come are counted";
    this.bar.style.setProperty("--share", `${share === null ? 0 : (100 * share).toFixed(2)}%`);
    this.seat.classList.toggle("shares", share !== null);
  }
}
