// Where lines come from: a server of `arena web`, or the page itself (`arena replay --html`).
//
// A source has `logs` ([{id, name, game}]), `read(id, onLines)`, which gives all lines there are in
// pieces, and `follow(id, hear)`, which tells what is new: `hear` has `lines(lines)`, `open(line)` for
// the hand that is being played ("": none is), and `restart()` for a log that is another one than
// before.  It returns what ends it.

const PIECE = 2000; // lines that are given at once
const EMBEDDED = "embedded-logs";

/** Return the source of this page.  Throws an error whose message is for the reader. */
export async function openSource() {
  const embedded = document.getElementById(EMBEDDED);
  if (embedded !== null) return new EmbeddedSource(JSON.parse(embedded.textContent));
  const answer = await asked("logs.json");
  return new ServedSource((await answer.json()).logs);
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
  constructor(logs) {
    this.logs = logs;
    this.served = true;
    this.ends = new Map(); // bytes read, by log
  }

  async read(id, onLines) {
    const answer = await asked(`log/${id}`);
    const reader = answer.body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      bytes += value?.length ?? 0;
      const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
      rest = done ? "" : lines.pop();
      if (onLines(lines) === false) {
        reader.cancel();
        return;
      }
      if (done) break;
    }
    this.ends.set(id, bytes);
  }

  /** The browser comes back by itself after a break, and says how far it got. */
  follow(id, hear) {
    const events = new EventSource(`live/${id}?from=${this.ends.get(id) ?? 0}`);
    events.addEventListener("lines", (event) => hear.lines(event.data.split("\n")));
    events.addEventListener("open", (event) => hear.open(event.data));
    events.addEventListener("restart", () => hear.restart());
    return () => events.close();
  }
}

async function asked(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The server answers ${answer.status} to ${address}.`);
  return answer;
}
