/** Which keys do what: the table of actions, the left hand's map, the person's own keys, and what a pressed key means. */

import { fill, tr } from "./words.js";

/** @import { Looks } from "./looks.js" */

/** @typedef {{ id: string, text: string, keys: string[], page: "" | "grade" | "compare" }} Action */

const ARROWS = /** @type {Record<string, string>} */ ({ Left: "←", Right: "→", Up: "↑", Down: "↓", Return: "Enter" });
const NAMED = /** @type {Record<string, string>} */ ({
  ArrowLeft: "Left",
  ArrowRight: "Right",
  ArrowUp: "Up",
  ArrowDown: "Down",
  Enter: "Return",
  " ": "Space",
});
const MOVING = new Set(["Tab", "Escape", "Return", "Space", "Left", "Right", "Up", "Down", "PageUp", "PageDown", "Home", "End"]);
const EDITING = new Set(["Ctrl+C", "Ctrl+X", "Ctrl+V", "Ctrl+A"]);

/**
 * Every action, with the ids and keys that the window has for it; what only a browser needs comes last.
 * @returns {Action[]}
 */
function table() {
  return [
    { id: "skip", text: tr("skip for now"), keys: ["S"], page: "grade" },
    { id: "unjudgeable", text: tr("cannot be judged"), keys: ["X"], page: "grade" },
    { id: "unsure", text: tr("unsure"), keys: ["U"], page: "grade" },
    { id: "note", text: tr("note"), keys: ["N"], page: "grade" },
    { id: "reason", text: tr("keep selection as reason"), keys: ["R"], page: "grade" },
    { id: "passage", text: tr("best passage"), keys: ["B"], page: "grade" },
    { id: "highlight", text: tr("highlight a word"), keys: ["H"], page: "grade" },
    { id: "next-hit", text: tr("next highlighted place"), keys: ["J"], page: "grade" },
    { id: "previous-hit", text: tr("previous highlighted place"), keys: ["K"], page: "grade" },
    { id: "find", text: tr("find in document"), keys: ["Ctrl+F"], page: "grade" },
    { id: "find-next", text: tr("find next"), keys: ["F3"], page: "grade" },
    { id: "find-previous", text: tr("find previous"), keys: ["Shift+F3"], page: "grade" },
    { id: "pages", text: tr("show pages as pictures"), keys: ["P"], page: "grade" },
    { id: "jump", text: tr("documents of a topic"), keys: ["L"], page: "grade" },
    { id: "back", text: tr("the document judged before"), keys: ["Backspace"], page: "grade" },
    { id: "left", text: tr("left better"), keys: ["Left"], page: "compare" },
    { id: "equal", text: tr("about equal"), keys: ["0", "="], page: "compare" },
    { id: "right", text: tr("right better"), keys: ["Right"], page: "compare" },
    { id: "much-left", text: tr("left much better"), keys: ["Shift+Left"], page: "compare" },
    { id: "much-right", text: tr("right much better"), keys: ["Shift+Right"], page: "compare" },
    { id: "open-result", text: tr("open the result"), keys: ["O"], page: "compare" },
    { id: "link", text: tr("scroll together or not"), keys: ["L"], page: "compare" },
    { id: "same", text: tr("where the same documents stand"), keys: ["J"], page: "compare" },
    { id: "panel-note", text: tr("note"), keys: ["N"], page: "compare" },
    { id: "later", text: tr("skip for now"), keys: ["S"], page: "compare" },
    { id: "undo", text: tr("undo"), keys: ["Ctrl+Z"], page: "" },
    { id: "redo", text: tr("redo"), keys: ["Ctrl+Shift+Z", "Ctrl+Y"], page: "" },
    { id: "save-result", text: tr("save result"), keys: ["Ctrl+S"], page: "" },
    { id: "hand-in", text: tr("hand in"), keys: ["Ctrl+Return"], page: "" },
    { id: "help", text: tr("Instructions"), keys: ["F1"], page: "" },
    { id: "shortcuts", text: tr("All shortcuts"), keys: ["?"], page: "" },
    { id: "settings", text: tr("Settings"), keys: ["Ctrl+,"], page: "" },
    { id: "retry", text: tr("try again to save"), keys: ["F5"], page: "" },
  ];
}

const LEFT_HAND = /** @type {Record<string, string[]>} */ ({
  "grade-0": ["`", "0"],
  "grade-6": ["Q", "6"],
  "grade-7": ["W", "7"],
  "grade-8": ["E", "8"],
  "grade-9": ["R", "9"],
  unsure: ["D"],
  note: ["A"],
  reason: ["F"],
  highlight: ["G"],
  pages: ["Alt+R", "P"],
  jump: ["T"],
  back: ["Z", "Backspace"],
  "previous-hit": ["C"],
  "next-hit": ["V"],
  "hand-in": ["Ctrl+D", "Ctrl+Return"],
  shortcuts: ["Shift+F1", "?"],
});

/** The keys of every action and grade as they are now. */
export class KeyMap {
  /** @param {Looks} looks the person's settings: `keys`, `hand`, `letters` */
  constructor(looks) {
    this.looks = looks;
    this.actions = new Map(table().map((action) => [action.id, action]));
    for (let digit = 0; digit < 10; digit += 1) {
      this.actions.set(`grade-${digit}`, { id: `grade-${digit}`, text: fill(tr("grade %1"), digit), keys: [String(digit)], page: "grade" });
    }
  }

  /** @param {string} id @returns {string[]} the keys of an action; the first is shown */
  keys(id) {
    const action = this.actions.get(id);
    const own = this.looks.get("keys")[id];
    const usual = (this.looks.get("hand") === "left" && LEFT_HAND[id]) || action?.keys || [];
    return (own ? [own] : usual).filter((key) => this.looks.get("letters") || !isSingle(key));
  }

  /** @param {string} id @returns {string} what the key cap of an action says; empty when it has no key */
  cap(id) {
    return this.capAt(id, 0);
  }

  /** @param {string} id @param {number} place @returns {string} what the cap of its first, second… key says */
  capAt(id, place) {
    return capOf(this.keys(id)[place] ?? "");
  }

  /** @param {number} grade @returns {string} for a grade of two digits both keys */
  gradeCap(grade) {
    return [...String(grade)].map((digit) => this.cap(`grade-${digit}`)).join(" ");
  }

  /** @param {string} id @returns {string | null} the keys as `aria-keyshortcuts` writes them */
  aria(id) {
    return (
      this.keys(id)
        .map((key) =>
          key
            .replace("Ctrl", "Control")
            .replace(/\b(Left|Right|Up|Down)$/, "Arrow$1")
            .replace("Return", "Enter"),
        )
        .join(" ") || null
    );
  }

  /**
   * Return what a pressed key means on a page: what is written on it comes first, then where it stands on the keyboard.
   * @param {KeyboardEvent} event
   * @param {"grade" | "compare"} page
   * @returns {string} the id of an action or grade; empty for none
   */
  meaning(event, page) {
    const pad = /^Numpad(\d)$/.exec(event.code);
    if (pad && !event.ctrlKey && !event.altKey && !event.metaKey) {
      return this.find(pad[1], page) || "";
    }
    const written = this.find(pressedKey(event), page);
    const held = event.ctrlKey || event.altKey || event.metaKey;
    const latin = /^[a-z0-9]$/i.test(event.key) && this.looks.get("hand") !== "left";
    if (written || held || event.shiftKey || latin) {
      return written;
    }
    const place = /^(?:Key|Digit)(.)$/.exec(event.code)?.[1] ?? (event.code === "Backquote" ? "`" : "");
    return place ? this.find(place, page) : "";
  }

  /** @param {string} key @param {string} page @returns {string} */
  find(key, page) {
    for (const action of key ? this.actions.values() : []) {
      if ((action.page === page || !action.page) && this.keys(action.id).includes(key)) {
        return action.id;
      }
    }
    return "";
  }

  /**
   * Return the other action that has a key in the same place; empty when the key is free.
   * @param {string} id
   * @param {string} key
   * @returns {string}
   */
  clash(id, key) {
    const here = this.actions.get(id)?.page ?? "";
    for (const other of this.actions.values()) {
      if (other.id !== id && (!here || !other.page || other.page === here) && this.keys(other.id).includes(key)) {
        return other.id;
      }
    }
    return "";
  }

  /** @param {string} id @param {string} key makes it the only one of an action; empty goes back to the usual ones */
  change(id, key) {
    const own = { ...this.looks.get("keys") };
    delete own[id];
    this.looks.set("keys", key ? { ...own, [id]: key } : own);
  }
}

/**
 * Return the key of an event as the table writes it; empty while only Shift, Ctrl or the like is down.
 * @param {KeyboardEvent} event
 * @returns {string}
 */
export function pressedKey(event) {
  if (["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Dead", "Process", "Unidentified"].includes(event.key)) {
    return "";
  }
  const name = NAMED[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  const sign = event.key.length === 1 && event.key !== " " && !/\p{L}/u.test(event.key);
  const writes = event.getModifierState("AltGraph"); // it reports Alt too, and Ctrl on some systems
  const held = [
    (event.ctrlKey || event.metaKey) && !writes && "Ctrl",
    event.altKey && !writes && "Alt",
    event.shiftKey && !sign && "Shift",
  ];
  return [...held.filter(Boolean), name].join("+");
}

/**
 * Tell whether a key can be made that of an action, clashes aside: no key that moves the focus or edits.
 * @param {string} id
 * @param {string} key
 * @returns {boolean}
 */
export function fits(id, key) {
  const bare = key.replace(/^Shift\+/, "");
  return Boolean(key) && !EDITING.has(key) && !MOVING.has(bare) && !(id.startsWith("grade-") && key.length > 1);
}

/** @param {string} key @returns {boolean} whether it is one letter, digit or sign, which may be pressed by accident or by speech */
function isSingle(key) {
  return [...key.replace(/^Shift\+/, "")].length === 1;
}

/** @param {string} key @returns {string} as it is printed on a key cap */
function capOf(key) {
  const words = key.length > 1 ? key.split("+") : [key];
  return words.map((word) => ARROWS[word] ?? word).join(" ");
}
