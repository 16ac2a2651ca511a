/** State after a log of actions: current judgments, undo and redo. The engine's ledger has the same rules. */

import { keyOf, nameOf } from "./task.js";

/** @import { Action, ActionName } from "./task.js" */

/** @typedef {{ text: string, position: [number, number] }} Rationale */
/** @typedef {{ unsure: boolean, note: string, draft: string | null, rationales: Rationale[] }} Marks */

const JUDGMENTS = new Set(["grade", "unjudgeable", "preference"]);
const UNDOABLE = new Set([...JUDGMENTS, "skip", "unsure", "note", "rationale"]);

/** State derived from the actions only. */
export class Ledger {
  constructor() {
    /** @type {Map<string, Action[]>} */
    this.history = new Map();
    /** @type {Map<string, Action>} */
    this.standing = new Map();
    /** @type {Map<string, string>} */
    this.drafts = new Map();
    /** @type {Set<string>} */
    this.withdrawn = new Set();
    /** @type {Action[]} */
    this.done = [];
    /** @type {Action[]} */
    this.undone = [];
  }

  /**
   * Apply an action.
   * @param {Action} action
   */
  apply(action) {
    const key = keyOf(action.item);
    if (action.kind === "undo") {
      move(action.target, this.done, this.undone);
      this.withdrawn.add(action.target ? nameOf(action.target) : "");
    } else if (action.kind === "redo") {
      move(action.target, this.undone, this.done);
      this.withdrawn.delete(action.target ? nameOf(action.target) : "");
    } else if (action.kind === "draft") {
      this.drafts.set(key, String(action.payload.text));
    } else if (UNDOABLE.has(action.kind)) {
      this.keep(key, action);
    }
    this.settle(key);
  }

  /** @param {string} key @param {Action} action */
  keep(key, action) {
    if (action.kind === "note") {
      this.drafts.delete(key);
    }
    const before = this.history.get(key);
    if (before) {
      before.push(action);
    } else {
      this.history.set(key, [action]);
    }
    if (!action.payload.identical) {
      this.done.push(action);
      this.undone = [];
    }
  }

  /** @param {string} key */
  settle(key) {
    const judgment = this.inForce(key).find((action) => JUDGMENTS.has(action.kind));
    if (judgment) {
      this.standing.set(key, judgment);
    } else {
      this.standing.delete(key);
    }
  }

  /** @returns {Action | null} the action that undo would undo */
  get toUndo() {
    return this.done[this.done.length - 1] ?? null;
  }

  /** @returns {Action | null} the action that redo would redo */
  get toRedo() {
    return this.undone[this.undone.length - 1] ?? null;
  }

  /** @param {string} key @returns {Action | null} the newest judgment in force */
  judgment(key) {
    return this.standing.get(key) ?? null;
  }

  /** @param {string} key @returns {boolean} whether the item was skipped and not judged since */
  skipped(key) {
    return this.timesSkipped(key) > 0;
  }

  /** @param {string} key @returns {number} how often the item was skipped since its last judgment */
  timesSkipped(key) {
    const kinds = this.inForce(key)
      .map((action) => action.kind)
      .filter((kind) => JUDGMENTS.has(kind) || kind === "skip");
    const judged = kinds.findIndex((kind) => kind !== "skip");
    return judged < 0 ? kinds.length : judged;
  }

  /** @param {string} key @returns {boolean} whether the item has any action */
  touched(key) {
    return this.history.has(key);
  }

  /** @returns {Action[]} the judgments in force, the one made or brought back last first */
  newestJudgments() {
    return this.done.filter((action) => this.standing.get(keyOf(action.item)) === action).reverse();
  }

  /** @param {string} key @returns {Marks} note, flag and rationales of the item */
  marks(key) {
    const actions = this.inForce(key);
    const note = String(actions.find((action) => action.kind === "note")?.payload.text ?? "");
    const draft = this.drafts.get(key) ?? null;
    return {
      unsure: Boolean(actions.find((action) => action.kind === "unsure")?.payload.value),
      note,
      draft: draft === note ? null : draft,
      rationales: actions
        .filter((action) => action.kind === "rationale")
        .reverse()
        .map((action) => ({ text: action.payload.text, position: action.payload.position })),
    };
  }

  /** @param {string} key @returns {Action[]} the actions in force for an item, newest first */
  inForce(key) {
    return (this.history.get(key) ?? []).filter((action) => !this.withdrawn.has(nameOf(action))).reverse();
  }
}

/**
 * Return whether an action is a judgment.
 * @param {Action} action
 * @returns {boolean}
 */
export function judges(action) {
  return JUDGMENTS.has(action.kind);
}

/**
 * @param {ActionName | null} target
 * @param {Action[]} from
 * @param {Action[]} to
 */
function move(target, from, to) {
  const name = target ? nameOf(target) : "";
  for (let place = from.length - 1; place >= 0; place -= 1) {
    // searched from the end, since the newest action is nearly always the one undone
    if (nameOf(from[place]) === name) {
      to.push(...from.splice(place, 1));
      return;
    }
  }
}
