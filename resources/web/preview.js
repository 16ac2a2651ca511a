/** Preview of a session: some documents as participants see them. Nothing is stored or sent. */

import { addParts } from "./growing.js";
import { ask } from "./line.js";
import { Log } from "./log.js";
import { Served } from "./served.js";
import { asksLast } from "./start_page.js";
import { memoryStorage } from "./storage.js";
import { tr } from "./words.js";

/** @import { Task } from "./task.js" */

/** Session without a server. */
export class Preview extends Served {
  /** @param {Task} task @param {Log} log */
  constructor(task, log) {
    super(task, log, "");
    this.share = task.items.length;
    this.news.state = "open";
    this.sendAnswers = async () => {};
  }

  /** @override */
  kick() {}

  /** @override */
  async listen() {}

  /** @override */
  get asksLast() {
    return asksLast(this.task);
  }

  /** @override */
  get lastWords() {
    return this.task.start?.count
      ? tr("Participants answer these questions before they get the code for their submission. Nothing is sent in this preview.")
      : tr("Participants answer these questions when nothing is left for them to judge. Nothing is sent in this preview.");
  }

  /** @override */
  rest() {
    if (this.asksLast) {
      return { title: tr("A few last questions"), words: this.lastWords };
    }
    return {
      title: tr("End of the preview"),
      words: tr("Participants judge more documents like these. Your work here was neither saved nor sent."),
    };
  }

  /** @override */
  banner() {
    return tr("This is a preview: nothing is saved or sent.");
  }
}

/**
 * Fetch the documents of a preview.
 * @param {string} code
 * @returns {Promise<Preview>}
 */
export async function openPreview(code) {
  const { task: head, items } = await ask("/preview", { code });
  const task = /** @type {Task} */ ({ ...head, served: true, topics: [], contents: [], documents: [], items: [], views: {} });
  items.forEach((/** @type {any} */ item) => addParts(task, item.place, item.parts));
  return new Preview(task, new Log(task.assignment, memoryStorage()));
}
