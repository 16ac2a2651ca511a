/** Log of one task: actions in order, each stored durably before the page continues. */

import { Ledger, judges } from "./ledger.js";
import { sha256 } from "./sha256.js";
import { TABLES } from "./tables.js";

/** @import { About, Action, ActionName } from "./task.js" */

/**
 * Properties of a task that are stored with its actions.
 * @typedef {object} Facts
 * @property {number} saved number of actions in a saved result file
 * @property {string} handedIn time of the last submission; empty for never
 * @property {number} handedInAt number of actions at that time
 * @property {Record<string, string[]>} own the person's own words to highlight, by topic
 * @property {boolean} [restored] whether the server of the session lost actions, since it continues from an older copy
 * @property {string[]} [refused] actions that such a server refused
 */
/**
 * Storage of actions. Promises resolve once the data is durable, or reject with `NotSaved`.
 * @typedef {object} Storage
 * @property {boolean} lasting whether it survives closing the page
 * @property {() => Promise<{ texts: string[], facts: Facts | null }>} read
 * @property {(texts: string[]) => Promise<void>} append append the last text; earlier ones are stored
 * @property {(texts: string[], facts: Facts) => Promise<void>} replace
 * @property {(facts: Facts) => Promise<void>} note
 */

/** Storing failed; the message is translated. */
export class NotSaved extends Error {}

/** @returns {Facts} */
export function emptyFacts() {
  return { saved: 0, handedIn: "", handedInAt: 0, own: {} };
}

/** All actions, and the state derived from them. */
export class Log {
  /**
   * @param {string} assignment
   * @param {Storage} storage
   */
  constructor(assignment, storage) {
    this.assignment = assignment;
    this.storage = storage;
    this.facts = emptyFacts();
    this.ledger = new Ledger();
    /** @type {Action[]} */
    this.actions = [];
    /** @type {string[]} */
    this.texts = [];
    /** @type {string[]} */
    this.sums = [];
    this.readOnly = false; // whether another tab stores properties, so that this one must not overwrite them
    this.client = "";
    this.number = 0;
    /** @type {Promise<unknown>} the last change of the stored data */
    this.line = Promise.resolve();
    this.begin();
  }

  /**
   * Run a change of the stored data after the earlier ones, so that none is based on an outdated state.
   * @template T
   * @param {() => Promise<T>} change must not wait for another change
   * @returns {Promise<T>}
   */
  inTurn(change) {
    const changed = this.line.then(change);
    this.line = changed.catch(() => {});
    return changed;
  }

  /** Start as a new client, so that sequence numbers of earlier pages are not reused. */
  begin() {
    this.client = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.number = 0;
  }

  /** Read the stored actions. */
  open() {
    return this.inTurn(async () => {
      const { texts, facts } = await this.storage.read();
      this.take(texts, facts ?? emptyFacts());
    });
  }

  /**
   * Continue from the actions of a result file, which replace the stored ones.
   * @param {string[]} texts
   * @param {string} handedIn
   */
  async adopt(texts, handedIn) {
    await this.replace(() => ({
      texts,
      facts: { ...this.facts, saved: texts.length, handedIn, handedInAt: handedIn ? texts.length : 0 },
    }));
  }

  /**
   * Replace the stored actions.
   * @param {() => { texts: string[], facts: Facts }} make called once no other change is being stored
   */
  replace(make) {
    return this.inTurn(async () => {
      const { texts, facts } = make();
      await this.storage.replace(texts, facts);
      this.take(texts, facts);
    });
  }

  /** @param {string[]} texts @param {Facts} facts */
  take(texts, facts) {
    this.texts = texts;
    this.facts = facts;
    this.actions = texts.map((text) => JSON.parse(text));
    this.sums = [];
    this.ledger = new Ledger();
    this.actions.forEach((action) => this.ledger.apply(action));
    this.begin();
  }

  /**
   * Return the next action, without storing it.
   * @param {string} kind
   * @param {About} item
   * @param {Record<string, unknown>} payload
   * @param {ActionName | null} [target]
   * @returns {Action}
   */
  make(kind, item, payload, target = null) {
    const to = target && { client: target.client, number: target.number };
    const time = new Date().toISOString();
    return { client: this.client, number: this.number + 1, kind, item, time, payload, target: to };
  }

  /**
   * Store an action; it is durable once the promise resolves. A rejection leaves everything unchanged.
   * @param {() => Action | null} make called once no other change is being stored; null for no action
   */
  append(make) {
    return this.inTurn(async () => {
      const action = make();
      if (!action) {
        return;
      }
      const text = JSON.stringify(action);
      await this.storage.append([...this.texts, text]);
      this.texts.push(text);
      this.actions.push(action);
      this.number += 1;
      this.ledger.apply(action);
    });
  }

  /**
   * Store properties; in a read-only log, they last until it is opened again.
   * @param {Partial<Facts>} facts
   */
  note(facts) {
    return this.inTurn(async () => {
      const all = { ...this.facts, ...facts };
      if (!this.readOnly) {
        await this.storage.note(all);
      }
      this.facts = all;
    });
  }

  /** @returns {number} number of actions in no saved file, without drafts */
  get unsaved() {
    return this.actions.slice(this.facts.saved).filter((action) => action.kind !== "draft").length;
  }

  /** @returns {number} how many actions a server has not acknowledged */
  get unsent() {
    return this.actions.length - this.facts.saved;
  }

  /** @returns {string[]} the chained checksums, one an action */
  get checksums() {
    for (let place = this.sums.length; place < this.texts.length; place += 1) {
      this.sums.push(sha256(`${this.sums[place - 1] ?? this.assignment}\n${this.texts[place]}`));
    }
    return this.sums;
  }

  /** @returns {number[]} the active times of the newest judgments, in milliseconds */
  get pace() {
    const times = this.actions.filter(judges).map((action) => action.payload.active_ms);
    return times.filter((time) => time > 0).slice(-TABLES.pace.of);
  }
}

/**
 * Return the expected seconds of the remaining work; null before enough judgments were timed.
 * @param {number[]} times milliseconds
 * @param {number} left
 * @returns {number | null} seconds
 */
export function secondsLeft(times, left) {
  const ordered = [...times].sort((one, other) => one - other);
  return ordered.length < TABLES.pace.needs ? null : Math.round((ordered[Math.floor(ordered.length / 2)] * left) / 1000);
}

/**
 * Return a text that every JSON parser accepts: without lone surrogates.
 * @param {string} text
 * @returns {string}
 */
export function wellFormed(text) {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}
