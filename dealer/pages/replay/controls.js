// Keys, buttons and the clock that plays hands by itself.

const SPEEDS = [0.5, 1, 2, 4, 8, 16];
const PAUSES = { deal: 900, end: 2200 };
const PAUSE = 1200; // ms at speed 1
const $ = (id) => document.getElementById(id);

const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  ArrowUp: "hand-before",
  ArrowDown: "hand-after",
  Home: "first",
  End: "last",
  " ": "play",
  "+": "faster",
  "=": "faster",
  "-": "slower",
  b: "biggest",
  f: "follow",
  "/": "filter",
  "?": "help",
  u: "unit",
  4: "deck",
  t: "theme",
};

export class Controls {
  constructor(replayer) {
    this.replayer = replayer;
    this.speed = 1;
    this.timer = 0;
    this.actions = this.actionsOf(replayer);
    for (const button of document.querySelectorAll("[data-do]")) {
      button.addEventListener("click", () => this.actions[button.dataset.do]());
    }
    for (const button of document.querySelectorAll("[data-setting]")) {
      button.addEventListener("click", () => replayer.settings.turn(button.dataset.setting));
    }
    $("help-button").addEventListener("click", () => $("help").showModal());
    $("steps").addEventListener("input", (event) => {
      replayer.byHand(() => replayer.go(Number(event.target.value)));
    });
    document.addEventListener("keydown", (event) => this.press(event));
  }

  actionsOf(replayer) {
    const byHand = (act) => () => replayer.byHand(act);
    return {
      back: byHand(() => replayer.stepBy(-1)),
      on: byHand(() => replayer.stepBy(1)),
      "hand-before": byHand(() => replayer.handBy(-1)),
      "hand-after": byHand(() => replayer.handBy(1)),
      first: byHand(() => replayer.go(0)),
      last: byHand(() => replayer.go(Infinity)),
      play: () => (this.timer ? this.halt() : this.play()),
      speed: () => this.change(1, true),
      faster: () => this.change(1),
      slower: () => this.change(-1),
      biggest: byHand(() => {
        this.turn("biggest", () => replayer.refresh());
        replayer.pick(0);
      }),
      follow: () => this.turn("follow", () => replayer.watch()),
      filter: () => {
        $("filter-box").open = true;
        $("filters").elements.player.focus();
      },
      help: () => $("help").showModal(),
      unit: () => replayer.settings.turn("unit"),
      deck: () => replayer.settings.turn("deck"),
      theme: () => replayer.settings.turn("theme"),
    };
  }

  press(event) {
    const { target } = event;
    const typed = target.matches("input:not([type=range]), select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    if (typed) {
      if (event.key === "Escape") target.blur();
      return;
    }
    if (event.key === " " && target.matches("button, summary")) return;
    const what = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (what === undefined) return;
    event.preventDefault();
    this.actions[what]();
  }

  turn(name, act) {
    const button = $(name);
    if (button.hidden) return;
    button.setAttribute("aria-pressed", String(!isPressed(name)));
    act();
  }

  change(by, around = false) {
    const next = SPEEDS.indexOf(this.speed) + by;
    this.speed = SPEEDS[next] ?? (around ? SPEEDS[0] : this.speed);
    $("speed").textContent = `${this.speed}\u00d7`;
    if (this.timer) this.play();
  }

  play() {
    clearTimeout(this.timer);
    const kind = this.replayer.hand?.steps[this.replayer.stepNumber].kind;
    const pause = (PAUSES[kind] ?? PAUSE) / this.speed;
    this.timer = setTimeout(() => {
      if (this.replayer.stepBy(1)) this.play();
      else this.halt();
    }, pause);
    this.show();
  }

  halt() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.show();
  }

  show() {
    const plays = this.timer !== 0;
    $("play").setAttribute("aria-label", plays ? "Stop" : "Play");
    $("play").classList.toggle("plays", plays);
  }
}

/** Let a button up that stays down. */
export function release(name) {
  document.getElementById(name).setAttribute("aria-pressed", "false");
}

/** Return whether a button that stays down is down. */
export function isPressed(name) {
  return document.getElementById(name).getAttribute("aria-pressed") === "true";
}
