/** Result file: returned to the organiser, or opened on another computer to continue there. */

import { Ledger } from "./ledger.js";
import { sha256 } from "./sha256.js";
import { fill, sentences, tr } from "./words.js";

/** @import { Log } from "./log.js" */
/** @import { Task } from "./task.js" */

const FORMAT_VERSION = 2; // format version; version 1 has no checksum of the header
const BEFORE_ACTIONS = /,"actions":\[\s*$/;

/** @typedef {{ texts: string[], handedIn: string, problem: string }} Opened the valid part of a result file, and a message about the rest */

/**
 * Return the name of a task's result file.
 * @param {Task} task
 * @returns {string}
 */
export function resultName(task) {
  return task.file.replace(/(\.html?)?$/i, ".result.json");
}

/**
 * Return the text of the result file: valid JSON with one line per action, so that a truncated file can be read.
 * @param {Task} task
 * @param {Log} log
 * @returns {string}
 */
export function resultText(task, log) {
  const head = {
    irjudge: "result",
    version: FORMAT_VERSION,
    assignment: task.assignment,
    code: task.code,
    assessor: task.assessor,
    title: task.title,
    saved: new Date().toISOString(),
    handed_in: log.facts.handedIn,
    origin: task.origin,
  };
  const sums = log.checksums;
  const begin = JSON.stringify(head);
  const lines = log.texts.map((text, place) => JSON.stringify([sums[place], text]));
  const receipt = JSON.stringify({ count: sums.length, last: sums[sums.length - 1] ?? "", head: sha256(begin) });
  return `${begin.slice(0, -1)},"actions":[\n${lines.join(",\n")}${lines.length ? "\n" : ""}],"receipt":${receipt}}\n`;
}

/**
 * Read a result file of this task; if it was truncated or changed, the valid part.
 * @param {Task} task
 * @param {string} name of the file
 * @param {string} text
 * @returns {Opened}
 * @throws {Error} if it is not a result file or belongs to another task
 */
export function readResult(task, name, text) {
  const lines = text.replace(/^\ufeff/, "").split("\n");
  const head = headOf(lines[0]);
  if (head?.irjudge !== "result") {
    throw new Error(fill(tr("{name} is not an irjudge result file. Choose a file whose name ends in .result.json."), { name }));
  }
  if (head.version !== 1 && head.version !== FORMAT_VERSION) {
    throw new Error(
      fill(tr("The file {name} was saved by a newer version of this page. Open the file with the task file that it came from."), { name }),
    );
  }
  if (head.assignment !== task.assignment) {
    throw new Error(
      fill(tr("The file {name} belongs to another task, created for {assessor}."), { name, assessor: String(head.assessor) }),
    );
  }
  const end = lines.findIndex((line) => line.startsWith("]"));
  const body = lines.slice(1, end < 0 ? undefined : end).filter((line) => line.trim());
  const texts = hasSoundTexts(task.assignment, body);
  const receipt = end < 0 ? {} : receiptOf(lines[end]);
  const isHeaderIntact = receipt.head === undefined ? head.version === 1 : receipt.head === sha256(lines[0].replace(BEFORE_ACTIONS, "}"));
  const isComplete = end > 0 && texts.length === body.length && receipt.count === texts.length && isHeaderIntact;
  const problem = isComplete
    ? ""
    : sentences(
        fill(tr("The file {name} was truncated or changed."), { name }),
        fill(tr("Valid actions before the damaged part: {texts}."), { texts: texts.length }),
      );
  return { texts, handedIn: String(head.handed_in ?? ""), problem };
}

/** @param {string} line @returns {Record<string, unknown> | null} */
function headOf(line) {
  try {
    return JSON.parse(line.replace(BEFORE_ACTIONS, "}"));
  } catch {
    return null;
  }
}

/** @param {string} line @returns {{ count?: number, head?: string }} */
function receiptOf(line) {
  try {
    return JSON.parse(`{${line.slice(line.indexOf('"receipt"'))}`).receipt ?? {};
  } catch {
    return {};
  }
}

/** @param {string} assignment @param {string[]} body @returns {string[]} */
function hasSoundTexts(assignment, body) {
  const texts = /** @type {string[]} */ ([]);
  const ledger = new Ledger(); // throws at malformed actions
  let before = assignment;
  for (const line of body) {
    try {
      const [sum, text] = JSON.parse(line.replace(/,\s*$/, ""));
      if (sum !== sha256(`${before}\n${text}`) || !JSON.parse(text).item) {
        break;
      }
      ledger.apply(JSON.parse(text));
      before = sum;
      texts.push(text);
    } catch {
      break;
    }
  }
  return texts;
}

/** Writes the result to a chosen file, which later saves overwrite, or to the downloads. */
export class Saver {
  constructor() {
    /** @type {any} FileSystemFileHandle of the chosen file; null for none */
    this.handle = null;
  }

  /** @returns {boolean} whether the result is saved automatically */
  get automatic() {
    return Boolean(this.handle);
  }

  /**
   * Save a text under a name.
   * @param {string} name
   * @param {string} text
   * @returns {Promise<string>} name of the file; empty if the dialog was cancelled
   */
  async save(name, text) {
    const picker = /** @type {any} */ (window).showSaveFilePicker;
    if (!this.handle && picker) {
      try {
        this.handle = await picker.call(window, { suggestedName: name, types: [{ accept: { "application/json": [".json"] } }] });
      } catch (error) {
        if (error instanceof DOMException && error.name === "AbortError") {
          return "";
        }
      }
    }
    if (!this.handle) {
      download(name, text, "application/json");
      return name;
    }
    await this.write(text);
    return this.handle.name;
  }

  /** @param {string} text */
  async write(text) {
    try {
      const stream = await this.handle.createWritable();
      await stream.write(text);
      await stream.close();
    } catch (error) {
      this.handle = null; // the next attempt asks for a file again
      throw error;
    }
  }
}

/**
 * Download a text as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function download(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
