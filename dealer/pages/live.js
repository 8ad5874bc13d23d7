// A match that is being watched: results of hands as they come, and the hand that is being played.
//
// Nobody can look at thousands of hands a second: a result is shown for a while, then what is newest
// by then.

import { isPressed } from "./controls.js";

const LOOK_MS = 1500;

export class Live {
  constructor(replayer) {
    this.replayer = replayer;
    this.line = "";
    this.unseen = false;
    this.timer = 0;
  }

  /** Take the line of the open hand, "" where there is none. */
  hear(line) {
    this.line = line;
    if (!this.replayer.news) this.show(); // else a result comes first
  }

  /** Take notice of hands that are over. */
  news() {
    this.unseen = true;
    this.show();
  }

  show() {
    if (this.timer || !isPressed("follow")) return;
    if (this.unseen) {
      this.unseen = false;
      this.replayer.pick(Infinity, "last");
      this.timer = setTimeout(() => this.goOn(), LOOK_MS);
    } else if (this.line) this.replayer.showOpen(this.line);
  }

  goOn() {
    this.timer = 0;
    this.show();
  }
}
