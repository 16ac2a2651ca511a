/** Workspace of grading and comparing: show an item, ignore keys before it is visible, store the action, continue. */

import { ActiveTime } from "./attention.js";
import { waitForRendering } from "./dom.js";
import { NotSaved } from "./log.js";
import { fill, sentences, tr } from "./words.js";

/** @import { Session } from "./session.js" */
/** @import { Action } from "./task.js" */

/**
 * Unsaved action; `failed`: storing it failed, and it is stored on request only.
 * @typedef {{ make: () => Action | null, then: (action: Action) => unknown, action?: Action | null, failed?: boolean }} Waiting
 */
/**
 * Display of messages.
 * @typedef {object} Voice
 * @property {(words: string) => void} hint
 * @property {(words: string) => void} ignored
 * @property {(words: string, again: boolean) => void} problem
 */

const JUDGMENT = "judgment";
const TAKE = "take"; // undo and redo
const TEXTS = ["draft", "note"]; // kinds that are stored for their own item after another one is shown

/** Tracks the visible item; the next one is shown only after the action on it is stored. */
export class Workspace {
  /**
   * @param {Session} session
   * @param {Voice} voice
   * @param {() => string} retryKey
   */
  constructor(session, voice, retryKey) {
    this.session = session;
    this.voice = voice;
    this.retryKey = retryKey;
    /** @type {number | null} the item shown last; it may not be visible yet */
    this.shown = null;
    /** @type {number | null} the visible item, to which keys apply */
    this.rendered = null;
    this.renderedAt = 0;
    this.active = new ActiveTime(session.task.settings.idle_ms);
    /** @type {Map<number, number>} active milliseconds of items that were shown before, since they were judged */
    this.activeTimes = new Map();
    /** @type {Map<string, Waiting>} unsaved actions, the newest of each kind */
    this.waiting = new Map();
    this.saving = false;
    /** @type {Promise<void>} */
    this.line = Promise.resolve();
    this.pending = 0;
    /** @type {(busy: boolean) => void} called when saving or rendering begins or ends */
    this.reportBusy = () => {};
    /** @type {() => void} called after every action */
    this.changed = () => {};
    this.reading = false;
    this.turn = 0;
  }

  /** @param {HTMLElement} root user events in it count as activity */
  watch(root) {
    for (const sign of ["keydown", "mousemove", "wheel", "pointerdown", "touchmove"]) {
      root.addEventListener(sign, () => this.active.touch(), { passive: true, capture: true });
    }
  }

  /**
   * Register a shown item; keys judge it once it is rendered.
   * @param {number | null} place
   */
  async show(place) {
    const failedCount = this.failedKinds.length;
    const take = this.waiting.get(TAKE);
    if (place !== this.shown) {
      for (const kind of [...this.waiting.keys()].filter((each) => !TEXTS.includes(each))) {
        this.waiting.delete(kind);
      }
    }
    if (this.rendered !== null) {
      this.activeTimes.set(this.rendered, this.active.stop());
    }
    this.turn += 1;
    const { turn } = this;
    this.shown = place;
    this.rendered = null;
    if (take && !take.failed) {
      this.waiting.set(TAKE, take); // pressed while the action before it was being stored
    }
    if (this.failedKinds.length < failedCount) {
      this.voice.hint(tr("Unsaved changes discarded.")); // the message said that they were kept
    }
    this.wait(1);
    await waitForRendering();
    this.wait(-1);
    if (turn === this.turn) {
      this.rendered = place;
      this.renderedAt = performance.now();
      this.active.start(place === null ? 0 : this.activeTimes.get(place));
    }
  }

  /** @param {number} more change of the number of pending operations */
  wait(more) {
    this.pending += more;
    this.reportBusy(this.pending > 0);
  }

  /**
   * Return the item that may be judged now; null, with a message, if the key came too early.
   * @param {string} words message for a key that came too early
   * @returns {number | null}
   */
  ready(words) {
    if (this.reading) {
      this.voice.ignored(tr("This tab is read-only."));
      return null;
    }
    if (this.shown === null) {
      this.voice.ignored(tr("Key ignored: there is nothing to judge here."));
      return null;
    }
    const isTooSoon = performance.now() - this.renderedAt < this.session.task.settings.guard_ms;
    if (this.rendered === null || isTooSoon || this.saving) {
      this.voice.ignored(this.saving ? tr("Key ignored: the previous judgment is still being saved.") : words);
      return null;
    }
    return this.rendered;
  }

  /** @returns {string[]} kinds of the actions that could not be stored */
  get failedKinds() {
    return [...this.waiting].filter(([, { failed }]) => failed).map(([kind]) => kind);
  }

  /** @returns {boolean} whether an action that could not be stored waits for a retry */
  get waits() {
    return this.failedKinds.length > 0;
  }

  /**
   * Store an action, then call `then`.
   * @param {() => Action | null} make
   * @param {(action: Action) => unknown} then
   * @param {string} [kind] if storing fails, the newest action of each kind waits for a retry
   * @returns {Promise<void>}
   */
  commit(make, then, kind = JUDGMENT) {
    this.waiting.delete(kind);
    this.waiting.set(kind, { make, then });
    return this.retry();
  }

  /** @returns {Promise<void>} resolves when the waiting actions are stored or have failed again */
  retry() {
    this.wait(1);
    const saved = this.line.then(() => this.saveAll());
    this.line = saved.catch(() => {}); // an unexpected error, which the caller gets, must not prevent later saving
    return saved.finally(() => this.wait(-1));
  }

  /** Store the waiting actions: marks first, because a judgment moves on to the next document. */
  async saveAll() {
    const kinds = [...this.waiting.keys()].sort((one, other) => Number(one === JUDGMENT) - Number(other === JUDGMENT));
    for (const kind of kinds) {
      const waiting = this.waiting.get(kind);
      if (waiting && !(await this.save(kind, waiting))) {
        return;
      }
    }
  }

  /** @param {string} kind @param {Waiting} waiting @returns {Promise<boolean>} whether it is stored */
  async save(kind, waiting) {
    waiting.failed = false;
    const { log } = this.session;
    const make = () => {
      if (waiting.action?.client !== log.client || waiting.action.number !== log.number + 1) {
        waiting.action = waiting.make();
      }
      return waiting.action;
    };
    try {
      this.saving = kind === JUDGMENT;
      await log.append(make);
    } catch (error) {
      this.saving = false;
      waiting.failed = true;
      this.say(error);
      return false;
    }
    this.saving = false;
    if (this.waiting.get(kind) === waiting) {
      this.waiting.delete(kind);
    }
    if (kind === JUDGMENT) {
      this.active.start(); // the time of the next judgment of this item
    }
    if (waiting.action) {
      this.changed();
      waiting.then(waiting.action);
    } else if (kind === TAKE) {
      this.voice.ignored(tr("There is nothing to undo or redo."));
    }
    return true;
  }

  /** @param {unknown} error */
  say(error) {
    if (!(error instanceof NotSaved)) {
      throw error;
    }
    const again = this.waits ? fill(tr("Your input has been kept; press {key} to try again."), { key: this.retryKey() }) : "";
    this.voice.problem(sentences(error.message, again), this.waits);
  }

  /** @param {string} id @returns {boolean} whether an action would do anything at the moment */
  isUseful(id) {
    const { ledger } = this.session.log;
    const useful = /** @type {Record<string, boolean>} */ ({
      undo: Boolean(ledger.toUndo) || this.waits,
      redo: Boolean(ledger.toRedo),
      retry: this.waits,
    });
    return useful[id] ?? true;
  }

  /** @returns {boolean} whether actions that could not be stored were discarded; those being stored are not */
  giveUp() {
    const kinds = this.failedKinds;
    kinds.forEach((kind) => this.waiting.delete(kind));
    return kinds.length > 0;
  }
}
