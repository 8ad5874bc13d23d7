// Which log is shown: the choice among all, and the next one of a match that is watched.

import { readAddress, writeLog } from "./address.js";
import { isPressed } from "./controls.js";
import { make } from "../shared/dom.js";

const FURTHER_MS = 3000; // between two looks whether another log grows
const $ = (id) => document.getElementById(id);

export class LogChoice {
  constructor(replayer) {
    this.replayer = replayer;
    this.sizes = null; // of all logs, at the last look
    this.looking = setInterval(() => this.lookFurther(), FURTHER_MS);
    $("log-choice").addEventListener("change", () => {
      writeLog(Number($("log-choice").value));
      replayer.open(readAddress().log);
    });
  }

  /** Offer the logs that there are by now. */
  offer() {
    const { source, log } = this.replayer;
    const { logs } = source;
    const options = logs.map(({ id, name }) => make("option", { value: id, text: name }));
    $("log-choice").replaceChildren(...options);
    $("log-choice").value = log.id;
    $("log-choice").hidden = logs.length < 2;
    $("results-link").hidden = !source.served;
    $("home").hidden = !source.served || logs.length < 2;
  }

  /** Go on to a log that grows where this one has its end, as at the next leg of a match. */
  async lookFurther() {
    const { replayer, sizes } = this;
    const { source, log } = replayer;
    if (!replayer.over || !isPressed("follow") || document.hidden) return;
    await source.look();
    this.offer();
    this.sizes = new Map(source.logs.map(({ id, bytes }) => [id, bytes]));
    const grows = ({ id, bytes }) => id !== log.id && bytes !== sizes.get(id);
    const next = sizes && source.logs.find(grows);
    if (!next || !isPressed("follow")) return;
    this.sizes = null;
    replayer.open(next.id, true);
  }

  /** Look no more. */
  stop() {
    clearInterval(this.looking);
  }
}
