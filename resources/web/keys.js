/** Key bindings: default or left-handed keys, overridden by the participant's own. */

import { TABLES } from "./tables.js";
import { fill, tr } from "./words.js";

/** @import { Looks } from "./looks.js" */
/** @import { Action } from "./tables.js" */

const ARROWS = /** @type {Record<string, string>} */ ({ ...TABLES.arrows, Return: "Enter" });
const KEY_NAMES = /** @type {Record<string, string>} */ ({
  ArrowLeft: "Left",
  ArrowRight: "Right",
  ArrowUp: "Up",
  ArrowDown: "Down",
  Enter: "Return",
  " ": "Space",
});
const MOVING_KEYS = new Set(TABLES.moving);
const EDITING_KEYS = new Set(TABLES.editing);

/** Current keys of all actions and grades. */
export class KeyMap {
  /** @param {Looks} looks with the settings `keys`, `hand` and single-character keys */
  constructor(looks) {
    this.looks = looks;
    /** @type {Map<string, Action>} */
    this.actions = new Map(TABLES.keys.map((action) => [action.id, { ...action, text: tr(action.text) }]));
    for (let digit = 0; digit < 10; digit += 1) {
      this.actions.set(`grade-${digit}`, {
        id: `grade-${digit}`,
        text: fill(tr("grade {grade}"), { grade: digit }),
        keys: [String(digit)],
        where: "grade",
      });
    }
  }

  /** @param {string} id @returns {string[]} the keys of an action; the first is shown */
  keys(id) {
    const action = this.actions.get(id);
    const userKey = this.looks.get("keys")[id];
    const defaultKeys = (this.looks.get("hand") === "left" && TABLES.left[id]) || action?.keys || [];
    return (userKey ? [userKey] : defaultKeys).filter((key) => this.looks.get("letters") || !isSingle(key));
  }

  /** @param {string} id @returns {string} text of an action's key cap; empty without a key */
  cap(id) {
    return this.capAt(id, 0);
  }

  /** @param {string} id @param {number} place @returns {string} text of the cap of its first, second… key */
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
   * Return the action of a pressed key: first by its character, then by its position on the keyboard.
   * @param {KeyboardEvent} event
   * @param {"grade" | "compare"} page
   * @returns {string} the id of an action or grade; empty for none
   */
  meaning(event, page) {
    const pad = /^Numpad(\d)$/.exec(event.code);
    if (pad && !event.ctrlKey && !event.altKey && !event.metaKey) {
      return this.find(pad[1], page) || "";
    }
    const action = this.find(pressedKey(event), page);
    const hasModifier = event.ctrlKey || event.altKey || event.metaKey;
    const isLatin = /^[a-z0-9]$/i.test(event.key) && this.looks.get("hand") !== "left";
    if (action || hasModifier || event.shiftKey || isLatin) {
      return action;
    }
    const place = /^(?:Key|Digit)(.)$/.exec(event.code)?.[1] ?? (event.code === "Backquote" ? "`" : "");
    return place ? this.find(place, page) : "";
  }

  /** @param {string} key @param {string} page @returns {string} */
  find(key, page) {
    for (const action of key ? this.actions.values() : []) {
      if ((action.where === page || !action.where) && this.keys(action.id).includes(key)) {
        return action.id;
      }
    }
    return "";
  }

  /**
   * Return the other action that uses a key; empty if the key is free.
   * @param {string} id
   * @param {string} key
   * @returns {string}
   */
  clash(id, key) {
    const page = this.actions.get(id)?.where ?? "";
    for (const other of this.actions.values()) {
      if (other.id !== id && (!page || !other.where || other.where === page) && this.keys(other.id).includes(key)) {
        return other.id;
      }
    }
    return "";
  }

  /** @param {string} id @param {string} key the action's only key; empty restores the defaults */
  change(id, key) {
    const userKeys = { ...this.looks.get("keys") };
    delete userKeys[id];
    this.looks.set("keys", key ? { ...userKeys, [id]: key } : userKeys);
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
  const name = KEY_NAMES[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  const sign = event.key.length === 1 && event.key !== " " && !/\p{L}/u.test(event.key);
  const writesCharacter = event.getModifierState("AltGraph"); // AltGraph is also reported as Alt, and on some systems as Ctrl
  const modifiers = [
    (event.ctrlKey || event.metaKey) && !writesCharacter && "Ctrl",
    event.altKey && !writesCharacter && "Alt",
    event.shiftKey && !sign && "Shift",
  ];
  return [...modifiers.filter(Boolean), name].join("+");
}

/**
 * Return whether a key may be bound; keys that move the focus or edit may not.
 * @param {string} id
 * @param {string} key
 * @returns {boolean}
 */
export function fits(id, key) {
  const unshifted = key.replace(/^Shift\+/, "");
  return Boolean(key) && !EDITING_KEYS.has(key) && !MOVING_KEYS.has(unshifted) && !(id.startsWith("grade-") && key.length > 1);
}

/** @param {string} key @returns {boolean} whether it is a single character, which may be pressed by accident or by speech input */
function isSingle(key) {
  return [...key.replace(/^Shift\+/, "")].length === 1;
}

/** @param {string} key @returns {string} as it is printed on a key cap */
function capOf(key) {
  const words = key.length > 1 ? key.split("+") : [key];
  return words.map((word) => ARROWS[word] ?? word).join(" ");
}
