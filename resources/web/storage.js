/** Storage of actions in IndexedDB, where completed transactions are durable, or in memory. */

import { NotSaved } from "./log.js";
import { fill, sentences, tr } from "./words.js";

/** @import { Facts, Storage } from "./log.js" */

const DATABASE = "irjudge";
const STORAGE_TIMEOUT = 5000; // milliseconds to wait; some browsers never respond if storage is disabled

/**
 * Open the storage of a task in the browser, or in memory.
 * @param {string} assignment
 * @returns {Promise<Storage>}
 */
export async function openStorage(assignment) {
  try {
    const storage = new BrowserStorage(assignment);
    await storage.note(await storage.facts()); // storage that is readable but not writable is unusable
    return storage;
  } catch {
    return new Memory();
  }
}

/** @implements {Storage} */
class BrowserStorage {
  /** @param {string} assignment */
  constructor(assignment) {
    this.assignment = assignment;
    this.lasting = true;
    /** @type {Promise<IDBDatabase> | null} */
    this.opened = null;
  }

  /** @returns {Promise<IDBDatabase>} */
  base() {
    this.opened ??= openBase(() => {
      this.opened = null;
    });
    this.opened.catch(() => {
      this.opened = null;
    });
    return this.opened;
  }

  /** @returns {Promise<Facts>} */
  async facts() {
    const transaction = (await this.base()).transaction("tasks");
    return (await answer(transaction.objectStore("tasks").get(this.assignment)))?.facts ?? null;
  }

  /** @returns {Promise<{ texts: string[], facts: Facts | null }>} */
  async read() {
    const transaction = (await this.base()).transaction("actions");
    const records = await answer(transaction.objectStore("actions").getAll(this.range()));
    return { texts: records.map((/** @type {{ text: string }} */ record) => record.text), facts: await this.facts() };
  }

  /** @param {string[]} texts */
  append(texts) {
    const last = texts.length - 1;
    return this.write((actions) => {
      const before = last ? actions.getKey([this.assignment, last - 1]) : null;
      const there = actions.get([this.assignment, last]);
      there.onsuccess = () => {
        const isComplete = !before || before.result !== undefined;
        if (there.result && there.result.text !== texts[last]) {
          actions.transaction.abort(); // another tab has stored an action
        } else {
          this.put(actions, texts, isComplete ? last : 0); // the browser may have deleted the data while the page was open
        }
      };
    });
  }

  /** @param {string[]} texts @param {Facts} facts */
  replace(texts, facts) {
    return this.write((actions, tasks) => {
      actions.delete(this.range());
      this.put(actions, texts, 0);
      tasks.put({ assignment: this.assignment, facts });
    });
  }

  /** @param {Facts | null} facts */
  note(facts) {
    return this.write((_actions, tasks) => {
      tasks.put({ assignment: this.assignment, facts });
    });
  }

  /** @param {IDBObjectStore} actions @param {string[]} texts @param {number} from */
  put(actions, texts, from) {
    texts.slice(from).forEach((text, place) => actions.put({ assignment: this.assignment, order: from + place, text }));
  }

  /** @returns {IDBKeyRange} */
  range() {
    return IDBKeyRange.bound([this.assignment, 0], [this.assignment, Infinity]);
  }

  /** @param {(actions: IDBObjectStore, tasks: IDBObjectStore) => void} change */
  async write(change) {
    try {
      const transaction = await this.begin();
      const ended = completed(transaction);
      change(transaction.objectStore("actions"), transaction.objectStore("tasks"));
      await ended;
    } catch (error) {
      throw new NotSaved(reason(error));
    }
  }

  /** @returns {Promise<IDBTransaction>} */
  async begin() {
    const stores = ["actions", "tasks"];
    try {
      return (await this.base()).transaction(stores, "readwrite", { durability: "strict" });
    } catch {
      this.opened = null; // the browser closed the database; the next access reopens it
      return (await this.base()).transaction(stores, "readwrite", { durability: "strict" });
    }
  }
}

/** @returns {Storage} storage in memory */
export function memoryStorage() {
  return new Memory();
}

/** @implements {Storage} */
class Memory {
  constructor() {
    this.lasting = false;
  }

  async read() {
    return { texts: [], facts: null };
  }

  async append() {}

  async replace() {}

  async note() {}
}

/**
 * @param {() => void} gone called when the browser closes the database
 * @returns {Promise<IDBDatabase>}
 */
function openBase(gone) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    const timer = setTimeout(() => reject(new Error("no answer")), STORAGE_TIMEOUT);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("actions", { keyPath: ["assignment", "order"] });
      request.result.createObjectStore("tasks", { keyPath: "assignment" });
      request.result.createObjectStore("settings");
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      clearTimeout(timer);
      const database = request.result;
      database.onclose = gone;
      database.onversionchange = () => {
        database.close();
        gone();
      };
      resolve(database);
    };
  });
}

/**
 * @param {IDBTransaction} transaction
 * @returns {Promise<void>}
 */
function completed(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("other tab"));
  });
}

/**
 * @param {IDBRequest} request
 * @returns {Promise<any>}
 */
function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @param {unknown} error
 * @returns {string}
 */
function reason(error) {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "QuotaExceededError") {
    return tr("Not saved: the disk or the browser's storage is full.");
  }
  const message = error instanceof Error || error instanceof DOMException ? error.message : "";
  if (message === "other tab") {
    return tr("Not saved: this task was worked on in another tab. Reload this page.");
  }
  return sentences(
    tr("Not saved: the browser refused to store your work."),
    message && fill(tr("Error message: {text}"), { text: message }),
  );
}

/**
 * Read the settings of the page, or other data stored under a name; empty if there are none.
 * @param {string} [name]
 * @returns {Promise<Record<string, any>>}
 */
export async function readSettings(name = "page") {
  try {
    const base = await openBase(() => {});
    const stored = await answer(base.transaction("settings").objectStore("settings").get(name));
    base.close();
    return stored ?? {};
  } catch {
    return {};
  }
}

/**
 * Store the settings of the page; without storage they last until the page is closed.
 * @param {Record<string, any>} settings
 * @param {string} [name]
 */
export async function saveSettings(settings, name = "page") {
  try {
    const base = await openBase(() => {});
    const transaction = base.transaction("settings", "readwrite");
    transaction.objectStore("settings").put(settings, name);
    await completed(transaction);
    base.close();
  } catch {
    // failing to store settings is not reported
  }
}

/** @type {Record<string, string>} settings of this tab as JSON, for browsers without storage */
const settingsOfTab = {};

/**
 * Read settings that this tab stored under a name; empty if there are none.
 * @param {string} name
 * @returns {Record<string, any>}
 */
export function readTabSettings(name) {
  let text = settingsOfTab[name];
  try {
    text ??= sessionStorage.getItem(`irjudge ${name}`) ?? "";
  } catch {
    // failing to read settings is not reported
  }
  return text ? JSON.parse(text) : {};
}

/**
 * Store settings of this tab; without storage they last until the tab is reloaded.
 * @param {Record<string, any>} settings
 * @param {string} name
 */
export function saveTabSettings(settings, name) {
  settingsOfTab[name] = JSON.stringify(settings);
  try {
    sessionStorage.setItem(`irjudge ${name}`, settingsOfTab[name]);
  } catch {
    // failing to store settings is not reported
  }
}
