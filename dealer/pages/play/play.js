// A person's seat: the table, what may be done, and the hands that were played.

import { Answer } from "./answer.js";
import { Curve } from "../shared/curve.js";
import { countText, make, signedText } from "../shared/dom.js";
import { HandTable } from "../shared/filters.js";
import { parseHand } from "../shared/hand.js";
import { HistoryView, stepWords, streetName } from "../shared/history.js";
import { HandList } from "../shared/list.js";
import { Settings } from "../shared/settings.js";
import { StrategyView } from "../shared/strategy.js";
import { TableView } from "../shared/table.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)").matches;
const STEP_MS = STILL ? 0 : 450;
const RUN_OUT_MS = STILL ? 450 : 1000; // from street to street behind an all-in
const FEWEST = 10; // hands for an interval
const $ = (id) => document.getElementById(id);

class Seat {
  constructor(facts) {
    this.game = facts.game;
    this.me = facts.names[0];
    this.hands = facts.hands;
    this.played = new HandTable(this.game);
    this.situation = null;
    this.shown = null; // the hand on the table
    this.reached = 0; // the last of its steps that was shown
    this.untold = false; // there is a result of which nothing is shown yet
    this.waiting = false; // a hand that is over is looked at
    this.over = "";
    this.ending = null; // the match's, to be shown after its last result
    this.timer = 0;
    this.settings = new Settings(() => this.redraw());
    this.tableView = new TableView($("table"));
    this.history = new HistoryView($("history"), (step) => this.go(step));
    this.list = new HandList($("list"), (at) => this.look(at));
    this.curve = new Curve($("curve"), (row) => this.look(row));
    const { strategy } = facts;
    this.advice = strategy && new StrategyView($("advice"), strategy, (step) => this.go(step));
    this.answer = new Answer((action, line) => this.send(action, line), () => this.goOn());
    document.addEventListener("keydown", (event) => this.press(event));
    const events = new EventSource("events");
    events.addEventListener("hands", (event) => this.take(event.data.split("\n")));
    events.addEventListener("situation", (event) => this.hear(JSON.parse(event.data)));
    events.addEventListener("over", (event) => this.end(event.data, events));
    events.addEventListener("error", () => this.say("The connection is lost; it is tried again."));
    events.addEventListener("open", () => this.say(""));
  }

  get unit() {
    return this.settings.get("unit") === "bb" ? Math.max(...this.game.blinds) : null;
  }

  /** Take lines of hands that are over. */
  take(lines) {
    const first = this.played.length === 0;
    this.played.add(lines);
    this.untold = true;
    if (!first || this.shown !== null) this.finish(lines.at(-1));
    else this.showResult();
  }

  /** Show a hand that has ended, to its end or at once that; what comes next waits. */
  finish(line, atOnce = false) {
    this.waiting = true;
    this.say(""); // nobody thinks any more
    this.answer.ask(null);
    this.show(line, atOnce);
    this.answer.offerNext(!this.over);
  }

  hear(situation) {
    this.situation = situation;
    if (situation !== null) this.showCount();
    if (this.waiting || situation === null) return;
    const last = this.played.lines.at(-1);
    const newest = numberOf(last) === numberOf(situation.line);
    if (newest) this.finish(last, true);
    else this.show(situation.line);
  }

  /** Leave the hand that is over, for the one that is played. */
  goOn() {
    if (!this.waiting || this.over || this.ending) return;
    this.waiting = false;
    this.answer.offerNext(false);
    this.clear();
    if (this.untold) this.showResult();
    this.hear(this.situation);
  }

  /** Forget the hand on the table, and what was still to be shown of it. */
  clear() {
    clearTimeout(this.timer);
    this.shown = null;
  }

  /** The match has ended: show why, and what can be done now, lines of "what: command". */
  end(text, events) {
    const [why, ...lines] = text.split("\n");
    events.close();
    $("choice").hidden = true;
    if (this.untold) {
      this.ending = () => this.end(text, events);
      return;
    }
    this.over = why;
    this.showCount();
    this.answer.ask(null);
    $("after").replaceChildren(...lines.flatMap((line) => {
      const [what] = line.split(":", 1);
      const command = line.slice(what.length + 1).trim();
      return [make("dt", { text: what }), make("dd", {}, make("code", { text: command }))];
    }));
    $("after").hidden = false;
    if (!this.waiting) this.say(why);
  }

  /** Show a line, step by step from what is on the table already, or at once its last step. */
  show(line, atOnce = false) {
    const hand = parseHand(this.game, line);
    const goesOn = this.shown?.hand === hand.hand;
    const last = hand.steps.length - 1;
    const from = atOnce ? last : goesOn ? Math.min(this.reached + 1, last) : 0;
    if (line !== this.answer.line) this.answer.ask(null);
    this.shown = hand;
    $("hand-title").textContent = `Hand ${countText(hand.hand)}`;
    if (!goesOn) this.tableView.show(this.game, hand, hand.names.indexOf(this.me));
    else this.tableView.hand = hand;
    this.history.show(this.game, hand, this.unit);
    if (hand.values.length) this.advice?.show(this.game, hand, { line }, this.me);
    else this.advice?.hide();
    this.walk(from);
  }

  /** Go on step by step; at the last one it may be our turn. */
  walk(number) {
    clearTimeout(this.timer);
    this.reached = number;
    this.go(number);
    const next = this.shown.steps[number + 1];
    if (next === undefined) return this.arrive();
    const runOut = next.kind === "deal" && next.actor === null;
    this.timer = setTimeout(() => this.walk(number + 1), runOut ? RUN_OUT_MS : STEP_MS);
  }

  arrive() {
    const { situation, shown } = this;
    const open = shown.values.length === 0 && !this.waiting;
    const mine = open && !this.over && situation.turn !== null;
    const step = shown.steps.at(-1);
    this.answer.ask(mine ? situation : null, step, this.unit, this.game.betting === "limit");
    if (!open && this.untold) this.showResult();
    if (mine) this.say("Your turn");
    else if (open) this.say(this.over || this.whoThinks(shown.names[step.actor]));
    else this.say(`You ${this.ended()}`);
  }

  whoThinks(name) {
    return name === undefined || name === this.me ? "" : `${name} is thinking`;
  }

  ended() {
    const won = this.shown.values[this.shown.names.indexOf(this.me)];
    if (won === 0) return "break even";
    return `${won > 0 ? "win" : "lose"} ${signedText(Math.abs(won), this.unit).slice(1)}`;
  }

  go(number) {
    const { shown } = this;
    this.at = Math.max(0, Math.min(number, shown.steps.length - 1));
    const step = shown.steps[this.at];
    this.tableView.step(this.at, this.unit);
    this.history.mark(this.at, this.reached);
    this.advice?.at(this.at, this.unit);
    const name = step.position === null ? "" : shown.names[step.position];
    const dealt = streetName(this.game, step.street);
    $("spoken").textContent = name ? `${name} ${stepWords(step, this.unit)}` : dealt;
  }

  /** Look at a hand that was played. */
  look(row) {
    if (!this.waiting && this.situation?.turn) return;
    if (this.untold) this.showResult();
    this.list.mark(row);
    this.clear();
    this.finish(this.played.lines[row]);
  }

  /** Answer at the decision that a line leads to; the server refuses it at another one. */
  async send(action, line) {
    const asked = JSON.stringify({ line, action });
    this.say("");
    try {
      const answer = await fetch("act", { method: "POST", body: asked });
      if (!answer.ok) this.say(await answer.text());
    } catch {
      this.say("The connection is lost; reload the page.");
    }
  }

  showResult() {
    const { played } = this;
    this.untold = false;
    const rows = Uint32Array.from({ length: played.length }, (_, at) => at);
    const hero = played.players.indexOf(this.me);
    this.list.show(played, rows, hero, this.unit);
    this.list.mark(played.length - 1);
    this.curve.show(played, hero);
    const won = Array.from(rows, (row) => played.get("value", row, played.positionOf(row, hero)));
    const sum = won.reduce((total, one) => total + one, 0);
    const text = ` in ${handsText(won.length)}; ${winRateText(won, this.game)}`;
    const rate = make("span", { text });
    $("result").replaceChildren(make("strong", { text: signedText(sum, this.unit) }), rate);
    this.showCount();
    this.ending?.();
  }

  showCount() {
    const open = Number(numberOf(this.situation?.line) ?? 0); // those before a resume are over, too
    const done = countText(Math.max(this.played.length, open));
    $("status").textContent = this.over || `${done} of ${handsText(this.hands)} played`;
  }

  redraw() {
    if (this.played.length && !this.untold) this.showResult();
    if (!this.shown) return;
    this.history.show(this.game, this.shown, this.unit);
    this.go(this.at);
    if (!this.waiting && this.at === this.shown.steps.length - 1) this.arrive();
  }

  say(words) {
    $("words").textContent = words;
  }

  press(event) {
    const typed = event.target.matches("input[type=number]");
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.repeat) { // a key that is held presses a button once
      if (event.target.matches("button")) event.preventDefault();
      return;
    }
    if (typed && event.key !== "Escape" && !/^[fcr]$/i.test(event.key)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "u") this.settings.turn("unit");
    else if (key === "t") this.settings.turn("theme");
    else if (key === "Escape") event.target.blur();
    else if (!this.answer.press(event, key)) return;
    event.preventDefault();
  }
}

/** Return the number of a line's hand, as text. */
function numberOf(line) {
  return line?.split(":", 2)[1];
}

function handsText(count) {
  return `${countText(count)} hand${count === 1 ? "" : "s"}`;
}

/**
 * Return the rate of chips won in mbb per hand, from ten hands on with its 95 % interval by
 * Student's t: the quantile of the normal distribution and two terms of an expansion.
 */
function winRateText(won, game) {
  const unit = Math.max(...game.blinds) / 1000;
  const mean = won.reduce((sum, one) => sum + one, 0) / won.length;
  const square = won.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const rate = signedText(Math.round(mean / unit));
  if (won.length < FEWEST) return `${rate} mbb/h`;
  const free = won.length - 1;
  const quantile = 1.96 + (1.96 ** 3 + 1.96) / (4 * free) + 2.822 / free ** 2;
  const margin = quantile * Math.sqrt(square / free / won.length);
  return `${rate} ± ${countText(Math.round(margin / unit))} mbb/h`;
}

const facts = await fetch("game.json");
if (facts.ok) new Seat(await facts.json());
else $("status").textContent = `The server answers ${facts.status}.`;
