/** The log of one task: actions in order, each kept durably before anybody moves on. */

import { Ledger, judges } from "./ledger.js";
import { sha256 } from "./sha256.js";
import { TABLES } from "./tables.js";

/** @import { About, Action, ActionName } from "./task.js" */

/**
 * What is kept beside the actions.
 * @typedef {object} Facts
 * @property {number} saved how many actions stand in a saved result file
 * @property {string} handedIn when the work was handed in last; empty for never
 * @property {number} handedInAt after how many actions that was
 * @property {Record<string, string[]>} own the person's own words to highlight, by topic
 */
/**
 * Where actions are kept. Every promise is fulfilled when the work is durable, and broken with a `NotSaved` when it is not.
 * @typedef {object} Storage
 * @property {boolean} lasting whether it outlives the page
 * @property {() => Promise<{ texts: string[], facts: Facts | null }>} read
 * @property {(texts: string[]) => Promise<void>} append keep the last of all texts; those before are there already
 * @property {(texts: string[], facts: Facts) => Promise<void>} replace
 * @property {(facts: Facts) => Promise<void>} note
 */

/** Something could not be kept; its message says why, in the reader's language. */
export class NotSaved extends Error {}

/** @returns {Facts} */
export function noFacts() {
  return { saved: 0, handedIn: "", handedInAt: 0, own: {} };
}

/** All that was done, and what follows from it. */
export class Log {
  /**
   * @param {string} assignment
   * @param {Storage} storage
   */
  constructor(assignment, storage) {
    this.assignment = assignment;
    this.storage = storage;
    this.facts = noFacts();
    this.ledger = new Ledger();
    /** @type {Action[]} */
    this.actions = [];
    /** @type {string[]} */
    this.texts = [];
    /** @type {string[]} */
    this.sums = [];
    this.client = "";
    this.number = 0;
    this.begin();
  }

  /** Begin as a new client: what was opened anywhere before never shares a running number with what comes now. */
  begin() {
    this.client = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.number = 0;
  }

  /** Read what was kept. */
  async open() {
    const { texts, facts } = await this.storage.read();
    this.take(texts, facts ?? noFacts());
  }

  /**
   * Go on after the actions of a result file; they replace those that are kept here.
   * @param {string[]} texts
   * @param {string} handedIn
   */
  async adopt(texts, handedIn) {
    const facts = { ...this.facts, saved: texts.length, handedIn, handedInAt: handedIn ? texts.length : 0 };
    await this.storage.replace(texts, facts);
    this.take(texts, facts);
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
   * Make the next action; nothing is kept yet.
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
   * Keep an action; it is durable when the promise is fulfilled. Nothing has changed when it is broken.
   * @param {Action} action
   */
  async append(action) {
    const text = JSON.stringify(action);
    await this.storage.append([...this.texts, text]);
    this.texts.push(text);
    this.actions.push(action);
    this.number += 1;
    this.ledger.apply(action);
  }

  /**
   * Keep a fact beside the actions.
   * @param {Partial<Facts>} facts
   */
  async note(facts) {
    const all = { ...this.facts, ...facts };
    await this.storage.note(all);
    this.facts = all;
  }

  /** @returns {number} how many actions stand in no saved file; notes still being typed do not count */
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
 * Return how long what is left takes at this pace; null before enough judgments were timed.
 * @param {number[]} times milliseconds
 * @param {number} left
 * @returns {number | null} seconds
 */
export function secondsLeft(times, left) {
  const ordered = [...times].sort((one, other) => one - other);
  return ordered.length < TABLES.pace.needs ? null : Math.round((ordered[Math.floor(ordered.length / 2)] * left) / 1000);
}

/**
 * Return a text that every reader of JSON takes: without halves of letters.
 * @param {string} text
 * @returns {string}
 */
export function wellFormed(text) {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}
