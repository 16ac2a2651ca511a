/** Settings of the page, stored in the browser: theme, text size, language, keys. */

import { saveSettings, readSettings } from "./storage.js";

const DEFAULT_LOOKS = {
  theme: "system",
  zoom: 1,
  language: "",
  hand: "right",
  letters: true,
  keys: /** @type {Record<string, string>} */ ({}),
  passage: /** @type {boolean | null} */ (null),
  several: /** @type {boolean | null} */ (null),
  folded: false,
};
const ZOOM = { least: 0.8, most: 3, step: 0.1 };

/** @typedef {typeof DEFAULT_LOOKS} Settings */

/** Current settings; `changed` registers a listener. */
export class Looks {
  constructor() {
    this.settings = { ...DEFAULT_LOOKS };
    /** @type {(() => void)[]} */
    this.listeners = [];
  }

  /** Read the stored settings. */
  async open() {
    const kept = await readSettings();
    for (const name of /** @type {(keyof Settings)[]} */ (Object.keys(DEFAULT_LOOKS))) {
      if (DEFAULT_LOOKS[name] === null || typeof kept[name] === typeof DEFAULT_LOOKS[name]) {
        Object.assign(this.settings, { [name]: kept[name] ?? DEFAULT_LOOKS[name] });
      }
    }
    this.apply();
  }

  /** @template {keyof Settings} T @param {T} name @returns {Settings[T]} */
  get(name) {
    return this.settings[name];
  }

  /** @param {keyof Settings} name @param {unknown} value */
  set(name, value) {
    Object.assign(this.settings, { [name]: value });
    this.apply();
    void saveSettings(this.settings);
    this.listeners.forEach((listener) => listener());
  }

  /** @param {() => void} listener @param {AbortSignal} [signal] ends it */
  changed(listener, signal) {
    this.listeners.push(listener);
    signal?.addEventListener("abort", () => {
      this.listeners = this.listeners.filter((each) => each !== listener);
    });
  }

  /** @param {number} steps change of the text size; 0 restores the default */
  zoom(steps) {
    const wanted = steps ? this.settings.zoom + steps * ZOOM.step : 1;
    this.set("zoom", Math.round(Math.min(ZOOM.most, Math.max(ZOOM.least, wanted)) * 10) / 10);
  }

  apply() {
    const root = document.documentElement;
    root.dataset.theme = this.settings.theme;
    root.style.fontSize = `${this.settings.zoom * 100}%`;
  }
}
