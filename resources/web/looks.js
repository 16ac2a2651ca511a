/** How the person likes the page: theme, size of the text, language, keys. It is kept in the browser, where the browser keeps anything. */

import { keepSettings, readSettings } from "./storage.js";

const USUAL = {
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

/** @typedef {typeof USUAL} Settings */

/** The settings as they are now; `changed` hears of every change. */
export class Looks {
  constructor() {
    this.settings = { ...USUAL };
    /** @type {(() => void)[]} */
    this.listeners = [];
  }

  /** Read what was kept. */
  async open() {
    const kept = await readSettings();
    for (const name of /** @type {(keyof Settings)[]} */ (Object.keys(USUAL))) {
      if (USUAL[name] === null || typeof kept[name] === typeof USUAL[name]) {
        Object.assign(this.settings, { [name]: kept[name] ?? USUAL[name] });
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
    void keepSettings(this.settings);
    this.listeners.forEach((listener) => listener());
  }

  /** @param {() => void} listener */
  changed(listener) {
    this.listeners.push(listener);
  }

  /** @param {number} steps larger by so many, or smaller; 0 is the usual size */
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
