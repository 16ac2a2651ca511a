/** Saving the result by key or automatically, opening a result file, and submission. */

import { openDialog } from "./dialogs.js";
import { button, el } from "./dom.js";
import { Saver, download, readResult, resultName, resultText } from "./result.js";
import { judgmentsIn, review } from "./states.js";
import { TABLES } from "./tables.js";
import { fill, moment, sentences, tr } from "./words.js";

/** @import { App } from "./main.js" */
/** @import { Opened } from "./result.js" */
/** @import { Review } from "./states.js" */

const AUTOMATIC_MS = 1500; // pause after an action before the chosen file is rewritten

/** Exports the work from the browser and imports it. */
export class Saving {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.saver = new Saver();
    this.pause = 0;
    /** @type {Promise<unknown>} */
    this.line = Promise.resolve();
    this.input = el("input", { type: "file", accept: ".json,application/json", hidden: true, "aria-label": tr("Result file") });
    this.input.addEventListener("change", () => this.openChosen());
    document.body.append(this.input);
    addEventListener("beforeunload", (event) => {
      if (app.log.unsaved && !app.reading && !app.task.preview) {
        event.preventDefault();
      }
    });
  }

  /** Rewrite the chosen file, if any, after a pause. */
  later() {
    clearTimeout(this.pause);
    if (this.saver.automatic) {
      this.pause = setTimeout(() => this.save(), AUTOMATIC_MS);
    }
  }

  /** @returns {boolean} whether this tab may write; otherwise a message says why not */
  mayWrite() {
    if (this.app.reading) {
      this.app.page.message.ignored(tr("This tab is read-only."));
    }
    return !this.app.reading;
  }

  /** @returns {Promise<boolean>} whether the result was saved to a file */
  save() {
    const saved = this.line.then(() => this.saveNow());
    this.line = saved.catch(() => {}); // an unexpected error must not prevent later saving
    return saved;
  }

  async saveNow() {
    const { app } = this;
    if (!this.mayWrite()) {
      return false; // the log of this tab lacks what the active tab has stored since
    }
    const count = app.log.texts.length;
    const first = !this.saver.automatic;
    try {
      const name = await this.saver.save(resultName(app.task), resultText(app.task, app.log));
      if (!name) {
        return false;
      }
      await app.log.note({ saved: count });
      if (first) {
        const more = this.saver.automatic
          ? tr("From now on, this file is saved automatically.")
          : tr("The file is in your Downloads folder.");
        app.page.message.hint(sentences(fill(tr("Saved as {path}."), { path: name }), more));
      }
    } catch (error) {
      app.page.message.problem(
        fill(tr("Cannot save the result file: {value}"), { value: String(/** @type {Error} */ (error).message) }),
        false,
      );
      return false;
    }
    app.page.refresh();
    return true;
  }

  // Opening a result file

  /** Ask for a result file to continue from. */
  askResult() {
    this.input.value = "";
    this.input.click();
  }

  async openChosen() {
    const [file] = this.input.files ?? [];
    if (file) {
      await this.open(file.name, await file.text());
    }
  }

  /** @param {string} name @param {string} text */
  async open(name, text) {
    const { app } = this;
    try {
      if (app.reading) {
        throw new Error(tr("This tab is read-only."));
      }
      const opened = readResult(app.task, name, text);
      const here = app.log.texts;
      const same = here.findIndex((own, place) => own !== opened.texts[place]);
      if (here.length >= opened.texts.length && (same < 0 || same >= opened.texts.length)) {
        this.tell(sentences(tr("This file contains nothing new."), opened.problem));
      } else if (same < 0) {
        await this.adopt(opened);
      } else {
        this.askWhich(name, opened);
      }
    } catch (error) {
      this.tell(/** @type {Error} */ (error).message);
    }
  }

  /** @param {Opened} opened */
  async adopt(opened) {
    const { app } = this;
    if (!this.mayWrite()) {
      return;
    }
    if (app.log.texts.some((text, place) => text !== opened.texts[place])) {
      clearTimeout(this.pause);
      this.saver = new Saver(); // the chosen file keeps the work that is replaced here
    }
    await app.log.adopt(opened.texts, opened.handedIn);
    app.restart();
    const words = fill(tr("Judgments imported: {count}. You can continue."), { count: judgmentsIn(app.log.actions) });
    this.tell(sentences(opened.problem, words));
  }

  /** @param {string} name @param {Opened} opened */
  askWhich(name, opened) {
    const words = fill(
      tr(
        "This browser contains work that is not in {name}, and the file contains work that is not in this browser. Choose whether to continue with this browser's work or with the file, and return both files at the end.",
      ),
      { name },
    );
    const choices = [
      { label: tr("Continue with the work in this browser") },
      { label: tr("Save this work, then use the file"), call: async () => (await this.save()) && this.adopt(opened) },
    ];
    openDialog({ title: tr("Two versions of your work"), parts: [el("p", {}, words)], choices, closed: () => this.app.page.focus() });
  }

  /** @param {string} words */
  tell(words) {
    openDialog({
      title: tr("Result file"),
      parts: [el("p", {}, words)],
      choices: [{ label: tr("Close") }],
      closed: () => this.app.page.focus(),
    });
  }

  // Submission

  /** Show what is missing, then submit if the assessor confirms. */
  handIn() {
    const { app } = this;
    if (!this.mayWrite()) {
      return;
    }
    if (!app.log.actions.length) {
      app.page.message.hint(tr("Nothing to submit yet: nothing has been judged."));
      return;
    }
    const topics = review(app.session);
    const sum = (/** @type {"judged" | "assigned" | "drafts"} */ name) => topics.reduce((all, topic) => all + topic[name], 0);
    const complete = sum("judged") === sum("assigned") && !sum("drafts");
    const left = sum("assigned") - sum("judged");
    const words = complete
      ? tr("Everything is judged. You will get a file to return, and a receipt for the person who asked you to judge.")
      : sentences(
          left ? fill(tr("Not judged yet: {left}."), { left }) : "",
          sum("drafts") ? fill(tr("Unsaved notes: {drafts}."), { drafts: sum("drafts") }) : "",
          tr("You can submit now and continue later."),
        );
    const open = topics
      .filter(({ judged, assigned, unsure, drafts }) => judged < assigned || unsure || drafts)
      .slice(0, TABLES.most_topics);
    const stay = { label: tr("Continue judging") };
    const close = { label: tr("Submit"), call: () => this.close() };
    openDialog({
      title: tr("Submit your work"),
      parts: [el("p", {}, words), open.length ? reviewTable(app, open) : null],
      choices: complete ? [close, stay] : [stay, close],
      closed: () => app.page.focus(),
    });
  }

  async close() {
    const { app } = this;
    if (!this.mayWrite()) {
      return;
    }
    try {
      await app.log.note({ handedIn: new Date().toISOString(), handedInAt: app.log.actions.length });
    } catch (error) {
      app.page.message.problem(/** @type {Error} */ (error).message, false);
      return;
    }
    if (await this.save()) {
      this.showReceipt();
    }
    app.page.refresh();
  }

  showReceipt() {
    const { app } = this;
    const text = receiptText(app);
    const shown = el("pre", { class: "receipt", tabindex: 0, "aria-label": tr("Receipt") }, text);
    const copy = button(tr("Copy receipt"), async () => {
      await navigator.clipboard?.writeText(text).catch(() => {});
    });
    const keep = button(tr("Save receipt"), () => download(resultName(app.task).replace(/\.json$/, ".receipt.txt"), text, "text/plain"));
    openDialog({
      title: tr("Submitted"),
      parts: [
        el("p", { class: "code" }, receiptCode(app)),
        el("p", {}, fill(tr("Return this file: {file}"), { file: resultName(app.task) })),
        shown,
        el("div", { class: "row" }, copy, keep),
      ],
      choices: [{ label: tr("Close") }],
      closed: () => app.page.focus(),
    });
  }
}

/** @param {App} app @param {Review[]} topics */
function reviewTable(app, topics) {
  const columns = /** @type {[string, (topic: Review) => number][]} */ ([
    [tr("Not judged"), ({ assigned, judged }) => assigned - judged],
    [tr("Skipped"), ({ skipped }) => skipped],
    [tr("Unsure"), ({ unsure }) => unsure],
    [tr("Unsaved notes"), ({ drafts }) => drafts],
  ]);
  const shown = columns.filter(([, count]) => topics.some((topic) => count(topic)));
  const head = el("tr", {}, el("th", { scope: "col" }, tr("Topic")), ...shown.map(([name]) => el("th", { scope: "col" }, name)));
  const rows = topics.map((topic) => {
    const { title, id } = app.task.topics[topic.topic];
    return el(
      "tr",
      {},
      el("th", { scope: "row", dir: "auto" }, title || id),
      ...shown.map(([, count]) => el("td", {}, String(count(topic) || ""))),
    );
  });
  return el("table", { class: "review" }, el("thead", {}, head), el("tbody", {}, ...rows));
}

/** @param {App} app @returns {string} the beginning of the last checksum in groups, to be read aloud */
function receiptCode(app) {
  const last = app.log.checksums[app.log.checksums.length - 1] ?? "";
  return [0, 4, 8].map((begin) => last.slice(begin, begin + 4)).join(" ");
}

/** @param {App} app @returns {string} */
function receiptText(app) {
  const { task, log, session } = app;
  const count = session.count();
  const lines = [
    fill(tr("Receipt {code}"), { code: receiptCode(app) }),
    "",
    `${tr("Assessor")}: ${task.assessor}`,
    `${tr("Project")}: ${task.title} (${task.code})`,
    `${tr("File")}: ${resultName(task)}`,
    `${tr("Submitted")}: ${moment(log.facts.handedIn)}`,
    `${tr("Judged")}: ${fill(tr("{count} of {total}"), { count: count.judged, total: count.assigned })}`,
    `${tr("Actions")}: ${log.texts.length}`,
    `${tr("Last checksum")}: ${log.checksums[log.checksums.length - 1]}`,
    "",
    tr("The code reveals accidental loss or changes, but not deliberate tampering."),
  ];
  return `${lines.join("\n")}\n`;
}
