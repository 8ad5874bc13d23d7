// A match that is being watched: results of hands as they come, and the hand that is being played.
//
// Nobody can look at thousands of hands a second: a result is shown for a while, then what is
// newest by then.

import { isPressed } from "./controls.js";
import { countText } from "../shared/dom.js";
import { parseHand } from "../shared/hand.js";

const LOOK_MS = 1500;
const $ = (id) => document.getElementById(id);

export class Live {
  constructor(replayer) {
    this.replayer = replayer;
    this.forget();
  }

  /** Begin with another log, or with this one again. */
  forget() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.line = "";
    this.unseen = false;
    this.row = 0; // of the open hand's result, as it was last drawn
  }

  /** Take the line of the open hand, "" for none; a page that was not asked for a hand shows it. */
  open(line) {
    $("follow").hidden = false;
    if (line && this.replayer.unasked) this.replayer.controls.actions.follow();
    this.line = line;
    if (!this.replayer.news) this.show(); // else a result comes first
  }

  /** Begin anew: the log is another one. */
  restart() {
    this.replayer.open(this.replayer.log.id);
  }

  /** Say whether the server is there; the browser tries again by itself. */
  connected(is) {
    this.replayer.tellHands(is ? "" : "; the connection is lost");
  }

  /** Say that nothing comes any more. */
  end() {
    this.replayer.logs.stop();
    this.line = "";
    this.show();
    const over = this.replayer.over && isPressed("follow");
    this.replayer.tellHands(over ? "; the match is over" : "; the server has ended");
  }

  /** Take notice of hands that are over. */
  news() {
    this.unseen = this.replayer.table.length > 0;
    this.show();
  }

  show() {
    if (this.timer || !isPressed("follow")) return;
    if (this.unseen) {
      this.unseen = false;
      this.showResult();
      this.timer = setTimeout(() => this.goOn(), LOOK_MS);
    } else if (this.line) this.draw();
    else if (this.replayer.isOpen) this.showResult(); // that hand is played no more
  }

  /** Show the end of the newest hand, whatever comes first in the list. */
  showResult() {
    const { rows } = this.replayer;
    const newest = rows.reduce((one, other) => Math.max(one, other), 0);
    this.replayer.pick(rows.indexOf(newest), "last");
  }

  /** Draw the open hand as far as it is. */
  draw() {
    const { replayer } = this;
    const { game, players } = replayer.table;
    const hand = parseHand(game, this.line);
    this.row = replayer.table.length;
    if (this.row && replayer.table.get("hand", this.row - 1) === hand.hand) return; // it is over
    const goesOn = replayer.isOpen && replayer.hand.hand === hand.hand;
    const seat = Math.max(0, hand.names.indexOf(players[replayer.hero]));
    replayer.hand = hand;
    replayer.clearFault();
    if (goesOn) replayer.tableView.hand = hand;
    else replayer.tableView.show(game, hand, seat);
    $("hand-title").textContent = `Hand ${countText(hand.hand)}, being played`;
    replayer.history.show(game, hand, replayer.unit);
    replayer.advice?.show(game, hand, { log: `${replayer.log.id}`, line: this.line });
    $("steps").max = hand.steps.length - 1;
    replayer.go(Infinity);
  }

  goOn() {
    this.timer = 0;
    this.show();
  }
}
