// Where lines come from: a server of `arena web`, or the page itself (`arena replay --html`).
//
// A source has `logs` ([{id, name, game}]), `read(id, onLines)`, which gives all lines in pieces,
// also those that are still to come, and returns the line of the hand that is being played ("" for
// none) once all that there were are read.  `follow(id, hear)` tells what is new of that hand by
// `hear.open(line)`, by `hear.restart()` that the log is another one than before, by
// `hear.connected(is)` whether the server is there, and by `hear.end()` that nothing comes any
// more; it returns what ends the reading.

const PIECE = 2000; // lines that are given at once
const EMBEDDED = "embedded-logs";

/** Return the source of this page.  Throws an error whose message is for the reader. */
export async function openSource() {
  const embedded = document.getElementById(EMBEDDED);
  if (embedded !== null) return new EmbeddedSource(JSON.parse(embedded.textContent));
  const answer = await asked("logs.json");
  return new ServedSource(await answer.json());
}

class EmbeddedSource {
  constructor(document) {
    this.logs = document.logs.map((log, id) => ({ ...log, id }));
    this.served = false;
  }

  async read(id, onLines) {
    const lines = this.logs[id].text.split("\n");
    for (let at = 0; at < lines.length; at += PIECE) {
      if (onLines(lines.slice(at, at + PIECE)) === false) return;
      await new Promise((go) => setTimeout(go));
    }
  }

  follow() {
    return () => {};
  }
}

class ServedSource {
  constructor({ logs, strategy }) {
    this.logs = logs;
    this.strategy = strategy; // whose strategy the server tells, if any
    this.served = true;
    this.events = null;
  }

  /** Look which logs there are by now; where the server is away, those that there were. */
  async look() {
    const answer = await fetch("logs.json").catch(() => null);
    if (answer?.ok) this.logs = (await answer.json()).logs;
  }

  /** The browser comes back by itself after a break, and says how far it got. */
  read(id, onLines) {
    const events = new EventSource(`live/${id}`);
    this.events = events;
    return new Promise((done, fail) => {
      events.addEventListener("lines", (event) => {
        if (onLines(event.data.split("\n")) === false) events.close();
      });
      events.addEventListener("hand", (event) => done(event.data));
      events.addEventListener("error", () => {
        if (events.readyState === EventSource.CLOSED) fail(new Error("This log cannot be read."));
      });
    });
  }

  follow(id, hear) {
    const { events } = this;
    events.addEventListener("hand", (event) => hear.open(event.data));
    events.addEventListener("restart", () => hear.restart());
    events.addEventListener("error", () => hear.connected(false));
    events.addEventListener("open", () => hear.connected(true));
    events.addEventListener("end", () => {
      events.close();
      hear.end();
    });
    return () => events.close();
  }
}

/** Return the server's answer.  Throws an error whose message is for the reader. */
export async function asked(address) {
  const answer = await fetch(address).catch(() => {
    throw new Error("The server is not there any more.");
  });
  if (!answer.ok) throw new Error(`The server answers ${answer.status} to ${address}.`);
  return answer;
}
