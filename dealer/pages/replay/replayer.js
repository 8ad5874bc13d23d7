// The replayer: which hand and which step are shown, and what keys and buttons do.

import { addressedRow, readAddress, takeNewAddress, writeAddress } from "./address.js";
import { Controls, isPressed, release } from "./controls.js";
import { Curve } from "../shared/curve.js";
import { countText, make, manyText } from "../shared/dom.js";
import { FilterBar } from "./filterbar.js";
import { HandTable, mostFrequent } from "../shared/filters.js";
import { parseHand } from "../shared/hand.js";
import { HistoryView, stepWords, streetName, totalItems } from "../shared/history.js";
import { HandList } from "../shared/list.js";
import { Live } from "./live.js";
import { LogChoice } from "./logchoice.js";
import { Odds } from "./odds.js";
import { HandError } from "../shared/rules.js";
import { Settings } from "../shared/settings.js";
import { openSource } from "../shared/source.js";
import { TableView } from "../shared/table.js";

const NEWS_MS = 250;
const $ = (id) => document.getElementById(id);

class Replayer {
  constructor(source, advice) {
    this.source = source;
    this.advice = advice; // a StrategyView, or none
    this.rows = new Uint32Array(0);
    this.at = -1; // place in `rows`
    this.stepNumber = 0;
    this.news = 0;
    this.odds = new Odds();
    this.live = new Live(this);
    this.stop = () => {};
    this.settings = new Settings(() => this.redraw());
    this.tableView = new TableView($("table"));
    this.history = new HistoryView($("history"), (step) => this.byHand(() => this.go(step)));
    this.list = new HandList($("list"), (at) => this.byHand(() => this.pick(at)));
    this.curve = new Curve($("curve"), (row) => this.byHand(() => this.pickRow(row)));
    this.filters = new FilterBar($("filters"), () => this.refresh());
    this.controls = new Controls(this);
    this.logs = new LogChoice(this);
    addEventListener("hashchange", () => this.obeyChange());
  }

  byHand(act) {
    this.controls.halt();
    this.unasked = false;
    release("follow");
    act();
  }

  /** Read a log; show the hand that the address names, the first or, with `further`, the newest. */
  async open(id, further = false) {
    const log = this.source.logs.find((one) => one.id === id) ?? this.source.logs[0];
    this.stop();
    this.live.forget();
    if (!further) release("follow");
    this.unasked = !further && readAddress().hand === null; // no hand is asked for
    this.over = false; // whether the log has its end
    this.fail("", "");
    $("hand-title").textContent = "Hand";
    this.log = log;
    this.logs.offer();
    document.title = log.name;
    const { game } = log;
    if (!game) {
      $("status").textContent = log.error ?? `The game of ${log.name} is not known.`;
      return;
    }
    const table = (this.table = new HandTable(game));
    this.rows = new Uint32Array(0);
    this.at = -1;
    this.hero = 0;
    let ended = false;
    const onLines = (lines) => {
      if (this.table !== table) return false;
      this.over = lines.at(-1).startsWith("SCORE:");
      if (table.add(lines)) this.takeNews();
      $("follow").hidden = !ended && !further;
      if (ended && this.unasked) this.controls.actions.follow(); // a log that grows
      return true;
    };
    const openLine = await this.source.read(log.id, onLines);
    if (this.table !== table) return;
    ended = true;
    this.refresh();
    const missed = table.length > 0 && this.at < 0;
    this.tellHands(missed ? `, none with number ${readAddress().hand}` : "");
    if (missed) this.pick(0);
    this.stop = this.source.follow(log.id, this.live);
    if (openLine) this.live.open(openLine);
  }

  takeNews() {
    if (this.at < 0) {
      this.hero = mostFrequent(this.table);
      this.refresh();
    } else if (!this.news) {
      this.news = setTimeout(() => this.refresh(), NEWS_MS);
    }
    this.tellHands();
  }

  /** Say how many hands there are, and what else there is to say. */
  tellHands(note = "") {
    const { length } = this.table;
    $("status").textContent = (length ? manyText(length, "hand") : "No hand in this log") + note;
  }

  /** Choose hands again, and keep the one that is shown if it is among them. */
  refresh() {
    clearTimeout(this.news);
    this.news = 0;
    const { table, filters } = this;
    if (!table?.length) return;
    const { game } = table;
    filters.offer(table, Array.from({ length: game.rounds }, (_, at) => streetName(game, at)));
    const wanted = filters.wanted();
    if (wanted.player !== undefined) this.hero = table.players.indexOf(wanted.player);
    const shown = this.rows[this.at];
    this.rows = table.select(wanted);
    if (isPressed("biggest")) this.rows = table.biggestFirst(this.rows);
    const { length } = this.rows;
    $("count").textContent = length === table.length ? "" : countText(length);
    this.list.show(table, this.rows, this.hero, this.unitOf(0));
    this.curve.show(table, this.hero);
    $("results-title").textContent = table.players[this.hero] ?? "";
    if (isPressed("follow")) this.live.news();
    else if (this.at < 0) this.obeyAddress();
    else if (this.isOpen && this.live.row < table.length) {
      this.pick(this.rows.indexOf(this.live.row), this.stepNumber);
    } else this.find(shown);
  }

  /** Whether the hand that is shown was being played when it was drawn. */
  get isOpen() {
    return Boolean(this.hand) && !this.hand.values.length;
  }

  /** Show what is newest from now on, or stay here. */
  watch() {
    this.unasked = false;
    if (!isPressed("follow")) this.go(this.stepNumber);
    else if (this.news) this.refresh();
    else this.live.news();
  }

  find(row) {
    const at = this.rows.indexOf(row);
    if (at >= 0 && this.hero !== this.atBottom) {
      this.pick(at, this.stepNumber);
    } else if (at >= 0) {
      this.at = at;
      this.list.mark(at);
      this.curve.at(row);
      this.drawTotals();
    } else this.pick(0);
  }

  /** Show the hand at a place of the list. */
  pick(at, step = 0) {
    if (!this.rows.length) return this.fail(this.table.length ? "No hand is as asked." : "", "");
    this.at = Math.max(0, Math.min(at, this.rows.length - 1));
    const row = this.rows[this.at];
    const { table } = this;
    this.list.mark(this.at);
    this.curve.at(row);
    try {
      this.hand = parseHand(table.game, table.lines[row]);
    } catch (error) {
      if (!(error instanceof HandError)) throw error;
      this.hand = null;
      return this.fail(`This hand cannot be shown: ${error.message}.`, table.lines[row]);
    }
    this.atBottom = this.hero;
    const { hand, fault } = this.hand;
    this.clearFault(fault === null ? "" : `Against the rules: ${fault}.`);
    $("hand-title").textContent = `Hand ${countText(hand)}`;
    this.tableView.show(table.game, this.hand, Math.max(0, table.positionOf(row, this.hero)));
    this.history.show(table.game, this.hand, this.unit);
    this.advice?.show(table.game, this.hand, { log: `${this.log.id}`, line: table.lines[row] });
    $("steps").max = this.hand.steps.length - 1;
    this.go(step === "last" ? this.hand.steps.length - 1 : step);
  }

  /** Show the hand of a row of the table, whatever is filtered. */
  pickRow(row, step = 0) {
    if (this.rows.indexOf(row) < 0) {
      $("filters").reset();
      this.refresh();
    }
    this.pick(this.rows.indexOf(row), step);
  }

  clearFault(note = "") {
    $("fault").hidden = true;
    $("stage").classList.remove("faulty");
    $("note").textContent = note;
  }

  fail(words, line) {
    const quoted = make("code", { text: line.slice(0, 2000) });
    $("fault").replaceChildren(make("p", { text: words }), quoted);
    $("fault").hidden = false;
    $("stage").classList.add("faulty");
    $("history").replaceChildren();
    this.hand = null;
    this.advice?.hide();
  }

  /** Show a step of the hand. */
  go(number) {
    const { hand } = this;
    if (!hand) return;
    this.stepNumber = Math.max(0, Math.min(number, hand.steps.length - 1));
    const step = hand.steps[this.stepNumber];
    this.tableView.step(this.stepNumber, this.unit);
    this.history.mark(this.stepNumber);
    this.advice?.at(this.stepNumber, this.unit);
    $("steps").value = this.stepNumber;
    const name = step.position === null ? "" : hand.names[step.position];
    const street = streetName(this.table.game, step.street);
    const dealt = step.kind === "end" ? "End of the hand" : street;
    $("spoken").textContent = name ? `${name} ${stepWords(step, this.unit)}` : dealt;
    this.drawTotals();
    const show = (shares) => this.tableView.equities(shares);
    this.odds.of(this.table.game, hand, step, show);
    if (this.isOpen) return;
    const only = this.source.logs.length === 1;
    const row = isPressed("follow") ? null : this.rows[this.at];
    writeAddress(only ? null : this.log.id, this.table, row, this.stepNumber);
  }

  get unit() {
    return this.unitOf(this.rows[this.at] ?? 0);
  }

  unitOf(row) {
    return this.settings.get("unit") === "bb" ? this.table.get("bigBlind", row) || null : null;
  }

  drawTotals() {
    const { hand, table } = this;
    if (!hand?.values.length) return;
    const over = this.stepNumber === hand.steps.length - 1;
    const row = this.rows[this.at];
    const totals = hand.values.map((won, at) => table.get("total", row, at) - (over ? 0 : won));
    $("totals").replaceChildren(...totalItems(hand.names, totals, this.unit));
  }

  /** Show what the address names; one that is still to be read is shown when it is there. */
  obeyAddress() {
    const address = readAddress();
    const row = addressedRow(address, this.table);
    if (row >= 0) this.pickRow(row, address.step);
    else $("status").textContent = `Looking for hand ${address.hand}`;
  }

  obeyChange() {
    if (!takeNewAddress()) return;
    const log = readAddress().log ?? this.log.id;
    if (log !== this.log.id) this.open(log);
    else if (this.table?.length) this.obeyAddress();
  }

  /** Go some steps on or back, over the ends of the hand; return whether there was one. */
  stepBy(steps) {
    const next = this.stepNumber + steps;
    if (this.hand && next >= 0 && next < this.hand.steps.length) {
      this.go(next);
      return true;
    }
    return this.handBy(steps, steps < 0 ? "last" : 0);
  }

  handBy(hands, step = 0) {
    const next = (this.isOpen ? this.rows.length : this.at) + hands;
    if (next < 0 || next >= this.rows.length) return false;
    this.pick(next, step);
    return true;
  }

  redraw() {
    if (!this.hand) return;
    this.list.show(this.table, this.rows, this.hero, this.unitOf(0));
    this.history.show(this.table.game, this.hand, this.unit);
    this.go(this.stepNumber);
  }
}

try {
  const source = await openSource();
  const { strategy } = source; // what shows one is no part of a page without a server
  const { StrategyView } = strategy ? await import("../shared/strategy.js") : {};
  const view = strategy && new StrategyView($("advice"), strategy);
  await new Replayer(source, view).open(readAddress().log ?? 0);
} catch (error) {
  $("status").textContent = error.message;
  throw error;
}
