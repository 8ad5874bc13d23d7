// What a strategy does at a decision of a hand: with the cards that are held, and with the range
// that it would have there, and what the actions are worth.  The server tells it, a hand at a time,
// once the box is open; values, which take longer, on their own.

import { chipsText, countText, make } from "./dom.js";
import { stepWords, streetName } from "./history.js";
import { Matrix, actionBars, actionColours, handName } from "./matrix.js";

const WAIT_MS = 150; // hands that are passed by are not asked for
const LEAST = 0.0005; // of a share, to be told
const percent = (share) => `${(100 * share).toFixed(1)} %`;

export class StrategyView {
  /**
   * Draw into a `details` element.  With `onStep(number)`, which goes to a step of the hand, the
   * decisions of one player are listed.
   */
  constructor(root, name, onStep = null) {
    this.root = root;
    this.name = name;
    this.onStep = onStep;
    this.asked = null; // what the answer is about
    this.answer = null;
    this.values = null; // what actions are worth, by decision
    this.timer = 0;
    this.cell = 0;
    this.words = make("p", { class: "words", role: "status" });
    this.note = make("p", { class: "note" }); // on a strategy that does not repeat
    this.list = make("ol", { class: "decisions", "aria-label": "Your decisions" });
    this.shares = make("table");
    this.grid = make("div", { class: "matrix" });
    this.looked = make("p", { class: "looked" });
    this.cost = make("p", { class: "cost", role: "status" });
    const enlarge = make("button", { type: "button", text: "Enlarge" });
    enlarge.addEventListener("click", () => this.enlarge());
    this.chart = make("div", { class: "chart" }, this.grid, this.looked);
    this.body = make("div", { class: "body" }, this.shares, this.cost, enlarge, this.chart);
    this.dialog = make("dialog", { class: "enlarged", "aria-label": `Strategy of ${name}` });
    this.dialog.addEventListener("close", () => this.body.append(this.chart));
    this.matrix = new Matrix(this.grid, "Range", (cell) => this.lookAt(cell));
    root.replaceChildren(make("summary", { text: `Strategy of ${name}` }));
    root.append(this.words, this.note, this.list, this.body, this.dialog);
    root.addEventListener("toggle", () => this.ask());
    root.addEventListener("keydown", (event) => this.keep(event));
  }

  /** Show the chart as large as the page. */
  enlarge() {
    const close = make("button", { type: "button", text: "Close" });
    close.addEventListener("click", () => this.dialog.close());
    this.dialog.replaceChildren(this.chart, close);
    this.dialog.showModal();
  }

  /** Keep keys that do something in here from the page around. */
  keep(event) {
    const moves = event.key.startsWith("Arrow") && this.grid.contains(event.target);
    if (moves || event.key === " ") event.stopPropagation();
  }

  hide() {
    this.root.hidden = true;
    this.hand = null;
    this.forget();
  }

  forget() {
    clearTimeout(this.timer);
    this.asked = this.answer = this.values = null;
  }

  /** Take a hand; `request` is what the server is asked, `player` whose decisions are listed. */
  show(game, hand, request, player = null) {
    const holdem = game.ranks === 13 && game.suits === 4 && game.holeCards === 2;
    if (!holdem || game.players !== 2 || hand.fault !== null) return this.hide();
    this.root.hidden = false;
    if (this.asked?.line !== request.line || this.asked?.log !== request.log) this.forget();
    [this.game, this.hand, this.request, this.player] = [game, hand, request, player];
    let done = 0;
    this.decisions = hand.steps.map(({ position, kind, actor }) => {
      if (position !== null && kind !== "return") done += 1;
      return actor === null ? -1 : done;
    });
    this.ask();
  }

  /** Take the step that is shown. */
  at(step, unit) {
    if (!this.hand) return;
    [this.step, this.unit] = [step, unit];
    this.draw();
  }

  ask() {
    if (!this.hand || !this.root.open || this.asked) return;
    const asked = (this.asked = this.request);
    this.say("Asking");
    this.timer = setTimeout(async () => {
      const answer = await told("strategy", asked);
      if (this.asked !== asked) return;
      if (answer.error) this.asked = null; // it may be asked again
      this.answer = answer;
      this.draw();
      if (answer.error) return;
      const values = await told("values", asked);
      if (this.asked !== asked) return;
      this.values = values;
      this.draw();
    }, WAIT_MS);
  }

  say(words) {
    this.words.textContent = words;
    this.note.textContent = "";
    this.body.hidden = true;
    this.list.replaceChildren();
  }

  draw() {
    const { answer } = this;
    if (!answer || !this.hand || this.step === undefined) return;
    if (answer.error) return this.say(answer.error);
    this.drawList();
    const decision = answer.decisions[this.decisions[this.step] ?? -1];
    this.body.hidden = !decision;
    this.words.textContent = decision ? this.about(decision) : this.aboutNone();
    this.note.textContent = answer.note ?? "";
    if (decision) this.drawDecision(decision);
  }

  /** Return what is said of a step at which nobody decides. */
  aboutNone() {
    if (this.onStep === null) return "Nobody decides at this step.";
    if (!this.list.childElementCount) return "You decided nothing in this hand.";
    return this.values ? "Your decisions" : "Your decisions; what they cost is being counted";
  }

  about({ position, taken, as }) {
    const name = this.hand.names[position];
    const mine = name === this.player;
    const here = `What ${this.name} would do here${mine ? "" : ` as ${name.slice(0, 40)}`}.`;
    if (taken === null || taken === as) return here;
    const done = this.actionName(taken);
    const owner = mine ? "Your" : `${name.slice(0, 40)}'s`;
    const whose = `${here} ${owner} ${done.replace("bet ", "bet of ")}`;
    if (as === null) return `${whose} is never done by ${this.name}, whose range stays as it was.`;
    const size = this.actionName(as).replace(/^(bet|raise to) /, "");
    return `${whose} is treated as its nearest size, ${size}, from here on.`;
  }

  /** Return what an action is called at the decision that follows a step. */
  actionName(action, step = this.step) {
    const { bets, spent, actor } = this.hand.steps[step];
    const most = Math.max(...spent);
    if (action === "f") return "fold";
    if (action === "c") {
      const owed = most - spent[actor];
      return owed ? `call ${chipsText(owed, this.unit)}` : "check";
    }
    const verb = Math.max(...bets) > 0 ? "raise" : "bet";
    if (action === "r") return verb;
    const street = Number(action.slice(1)) - (spent[actor] - bets[actor]);
    return `${verb === "bet" ? verb : "raise to"} ${chipsText(street, this.unit)}`;
  }

  /** List what the player did, each with what the strategy would have done. */
  drawList() {
    if (this.onStep === null) return;
    const { hand, answer, decisions } = this;
    const position = hand.names.indexOf(this.player);
    const mine = answer.decisions.filter((one) => one.position === position && one.taken !== null);
    this.list.replaceChildren(...mine.map((decision) => {
      const before = decisions.indexOf(decision.action);
      const done = hand.steps[before + 1];
      const words = `${streetName(this.game, done.street)}: ${stepWords(done, this.unit)}`;
      const onclick = () => this.onStep(before);
      const here = before === this.step && "step";
      const button = make(
        "button", { type: "button", onclick, "aria-current": here },
        make("span", { text: words }), make("span", { text: this.wouldHave(decision, before) }),
      );
      const cost = this.costWords(this.worthAt(decision));
      if (cost) button.append(make("span", { text: `it cost ${cost}` }));
      return make("li", {}, button);
    }));
  }

  wouldHave({ held, actions }, step) {
    if (held === null) return "";
    const order = held.map((_, at) => at).sort((one, other) => held[other] - held[one]);
    const words = order.slice(0, 2).filter((at) => held[at] >= 0.005)
      .map((at) => `${this.actionName(actions[at], step)} ${Math.round(100 * held[at])} %`);
    return `${this.name} would ${words.join(", ")}`;
  }

  /** Return what the actions of a decision are worth, undefined where that is not known. */
  worthAt({ action }) {
    return this.values?.decisions?.find((one) => one.action === action);
  }

  /** Return in words what a mistake cost, "" where that is not known. */
  costWords(worth) {
    if (!worth || worth.cost === null) return "";
    if (worth.cost === 0) return "nothing";
    const milli = 1000 / Math.max(...this.game.blinds);
    const [cost, error] = [worth.cost, worth.cost_error].map((chips) => Math.round(chips * milli));
    const sure = worth.errors === null ? "" : ` ± ${countText(error)}`;
    return `${this.roundText(worth.cost)} (${countText(cost)}${sure} mbb)`;
  }

  /** Say what the decision that is shown cost. */
  sayCost(decision, worth) {
    const { values } = this;
    if (!values) this.cost.textContent = decision.held ? "Counting what the actions are worth" : "";
    else if (values.error) this.cost.textContent = `No values: ${values.error}`;
    else if (!worth) {
      this.cost.textContent = decision.held ? "What the actions are worth is not known." : "";
    } else {
      const best = `Worth most: ${this.actionName(worth.best)}`;
      const cost = this.costWords(worth);
      this.cost.textContent = `${best}${cost ? `; what was done cost ${cost}` : ""}.`;
      if (worth.own_cost !== null) {
        this.cost.append(` ${this.name}'s own play costs ${this.roundText(worth.own_cost)}.`);
      }
    }
  }

  drawDecision(decision) {
    const { actions, held, all, taken, range, shares } = decision;
    const worth = this.worthAt(decision);
    this.sayCost(decision, worth);
    const colours = actionColours(actions);
    const rows = actions.map((action, at) => {
      const done = action === taken;
      const swatch = make("span", { class: "swatch" });
      swatch.style.background = colours[at];
      return make(
        "tr", { class: done ? "done" : null },
        make("th", { scope: "row" }, swatch, this.actionName(action) + (done ? " (done)" : "")),
        make("td", { text: held ? percent(held[at]) : "–" }),
        make("td", { text: percent(all[at]) }),
        ...(worth ? [make("td", { text: this.valueWords(worth, at) })] : []),
      );
    });
    const heads = [held ? "these cards" : "cards not seen", "range"];
    if (worth) heads.push(worth.errors ? "value ± s.e." : "value");
    const columns = heads.map((text) => make("th", { text, scope: "col" }));
    this.shares.replaceChildren(make("tr", {}, make("td"), ...columns), ...rows);
    for (let cell = 0; cell < range.length; cell++) {
      const fill = actionBars(shares[cell], colours, range[cell]);
      if (range[cell]) this.matrix.paint(cell, fill, "", this.handWords(decision, cell), true);
      else this.matrix.paint(cell, "var(--raised)", "", "not held", false);
    }
    this.decision = decision;
    this.lookAt(this.cell);
  }

  valueWords({ values, errors }, at) {
    if (values[at] === null) return "–";
    const error = errors?.[at] ? ` ± ${this.roundText(errors[at]).replace(" BB", "")}` : "";
    return this.roundText(values[at]).replace("-", "\u2212") + error;
  }

  /** Return chips as text, to a hundredth of the big blind. */
  roundText(chips) {
    const least = Math.max(...this.game.blinds) / 100;
    return chipsText(Math.round(chips / least) * least, this.unit);
  }

  handWords({ actions, range, shares }, cell) {
    if (!range[cell]) return "not held";
    const row = shares[cell];
    const parts = actions.map((action, at) => `${this.actionName(action)} ${percent(row[at])}`)
      .filter((_, at) => row[at] >= LEAST);
    return `weight ${range[cell].toFixed(2)}, ${parts.join(", ")}`;
  }

  lookAt(cell) {
    if (!this.decision) return;
    this.cell = cell;
    this.looked.textContent = `${handName(cell)}: ${this.handWords(this.decision, cell)}`;
  }
}

async function told(what, request) {
  try {
    const answer = await fetch(what, { method: "POST", body: JSON.stringify(request) });
    return answer.ok ? await answer.json() : { error: await answer.text() };
  } catch {
    return { error: "The connection is lost." };
  }
}
