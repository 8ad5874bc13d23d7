// What the reader likes, kept by the browser: light or dark, colours of suits, chips or big blinds.

const KEY = "arena";
const CHOICES = {
  theme: { auto: "Auto", light: "Light", dark: "Dark" },
  deck: { four: "4 colours", two: "2 colours" },
  unit: { chips: "Chips", bb: "BB" },
};

export class Settings {
  constructor(onChange) {
    this.onChange = onChange;
    this.chosen = {};
    try {
      this.chosen = JSON.parse(localStorage.getItem(KEY)) ?? {};
    } catch {
      // a browser that keeps nothing
    }
    this.apply();
  }

  get(name) {
    const choices = Object.keys(CHOICES[name]);
    return choices.includes(this.chosen[name]) ? this.chosen[name] : choices[0];
  }

  /** Take the next choice. */
  turn(name) {
    const choices = Object.keys(CHOICES[name]);
    this.chosen[name] = choices[(choices.indexOf(this.get(name)) + 1) % choices.length];
    try {
      localStorage.setItem(KEY, JSON.stringify(this.chosen));
    } catch {
      // as above
    }
    this.apply();
    this.onChange();
  }

  apply() {
    for (const name of Object.keys(CHOICES)) {
      document.documentElement.dataset[name] = this.get(name);
      const button = document.querySelector(`[data-setting=${name}]`);
      if (button) button.textContent = CHOICES[name][this.get(name)];
    }
  }
}
