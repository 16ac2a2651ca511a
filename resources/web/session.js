/** Work of one participant on a task: base of grading and comparing. */

import { secondsLeft } from "./log.js";
import { keyOf } from "./task.js";

/** @import { Marks } from "./ledger.js" */
/** @import { Log } from "./log.js" */
/** @import { Action, PageSeen, Task } from "./task.js" */

/** @typedef {{ judged: number, assigned: number }} Count */

/** Items of a task by index, with their judgments and the current item. */
export class Session {
  /**
   * @param {Task} task
   * @param {Log} log
   */
  constructor(task, log) {
    this.task = task;
    this.log = log;
    /** @type {string[]} */
    this.keys = [];
    /** @type {Map<string, number>} */
    this.placeOf = new Map();
    /** @type {Map<number, number[]>} the items of each topic, in order */
    this.byTopic = new Map();
    /** @type {number[]} */
    this.topics = [];
    this.grow();
    /** @type {number | null} the current item */
    this.at = null;
  }

  /** Add new items of the task. */
  grow() {
    for (let place = this.keys.length; place < this.task.items.length; place += 1) {
      const { about, topic } = this.task.items[place];
      this.keys.push(keyOf(about));
      this.placeOf.set(this.keys[place], place);
      const before = this.byTopic.get(topic);
      if (before) {
        before.push(place);
      } else {
        this.byTopic.set(topic, [place]);
        this.topics.push(topic);
      }
    }
  }

  /** @param {number} place @returns {Action | null} the judgment in force */
  judgment(place) {
    return this.log.ledger.judgment(this.keys[place]);
  }

  /** @param {number} place @returns {boolean} */
  skipped(place) {
    return this.log.ledger.skipped(this.keys[place]);
  }

  /** @param {number} place @returns {number} */
  timesSkipped(place) {
    return this.log.ledger.timesSkipped(this.keys[place]);
  }

  /** @param {number} place @returns {Marks} */
  marks(place) {
    return this.log.ledger.marks(this.keys[place]);
  }

  /** @param {number} [topic] @returns {Count} of a topic, or of all */
  count(topic) {
    const places = topic === undefined ? this.keys.keys() : (this.byTopic.get(topic) ?? []);
    const count = { judged: 0, assigned: 0 };
    for (const place of places) {
      const judged = this.judgment(place) !== null;
      count.assigned += judged || !this.task.items[place].gone ? 1 : 0;
      count.judged += judged ? 1 : 0;
    }
    return count;
  }

  /** @returns {number | null} expected seconds for the remaining items */
  get secondsLeft() {
    const { judged, assigned } = this.count();
    return secondsLeft(this.log.pace, assigned - judged);
  }

  /** @param {number} place @returns {boolean} whether the item is neither judged nor skipped */
  isOpen(place) {
    return this.isLeft(place) && !this.skipped(place);
  }

  /** @param {number} place @returns {boolean} whether the item is unjudged, skipped or not */
  isLeft(place) {
    return !this.judgment(place) && !this.task.items[place].gone;
  }

  /** @param {number} place @returns {boolean} whether the server took the item back, unjudged */
  isWithdrawn(place) {
    return Boolean(this.task.items[place].gone) && !this.judgment(place);
  }

  /** @returns {number | null} the current item; null when everything is judged */
  current() {
    this.at ??= this.next(null);
    return this.at;
  }

  /** @returns {number | null} the next item, which becomes the current one */
  advance() {
    this.at = this.next(this.at);
    return this.at;
  }

  /**
   * Return the item after another.
   * @abstract
   * @param {number | null} at
   * @returns {number | null}
   */
  next(at) {
    throw new Error(`what comes after ${at} is for others to say`);
  }

  /**
   * Return an action on an item, not yet stored.
   * @param {number} place
   * @param {string} kind
   * @param {Record<string, unknown>} payload
   * @returns {Action}
   */
  make(place, kind, payload) {
    return this.log.make(kind, this.task.items[place].about, payload);
  }

  /** @param {number} place @param {number} activeMs @param {PageSeen} [page] @returns {Action} */
  skip(place, activeMs, page) {
    return this.make(place, "skip", { active_ms: activeMs, ...(page && { page }) });
  }

  /** @returns {Action | null} the action that undoes the newest; null for none */
  undo() {
    const target = this.log.ledger.toUndo;
    return target && this.log.make("undo", target.item, {}, target);
  }

  /** @returns {Action | null} the action that redoes the last undone one; null for none */
  redo() {
    const target = this.log.ledger.toRedo;
    return target && this.log.make("redo", target.item, {}, target);
  }

  /**
   * Make the item of an undo or redo the current one.
   * @param {Action} action
   */
  goTo(action) {
    this.at = this.placeOf.get(keyOf(action.item)) ?? this.at;
  }
}

/**
 * Return the indexes after one, then those before it, itself last; all in order for null.
 * @param {number[]} places
 * @param {number | null} at
 * @returns {number[]}
 */
export function around(places, at) {
  const begin = at === null ? 0 : places.indexOf(at) + 1;
  return [...places.slice(begin), ...places.slice(0, begin)];
}
