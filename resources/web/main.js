/** Starts the page: reads the task, opens what was kept, and joins keys, pages, saving and dialogs. */

import { ComparePage } from "./compare_page.js";
import { Comparing } from "./comparing.js";
import { askLink, dialogOpen, openDialog } from "./dialogs.js";
import { button, el, reveal, writesText } from "./dom.js";
import { GradePage } from "./grade_page.js";
import { Grading } from "./grading.js";
import { openActions, openInstructions, openSettings } from "./guide.js";
import { KeyMap } from "./keys.js";
import { Log } from "./log.js";
import { Looks } from "./looks.js";
import { download } from "./result.js";
import { Saving } from "./saving.js";
import { openStorage } from "./storage.js";
import { claim } from "./tabs.js";
import { takeJson } from "./task.js";
import { learnWords, speak, tr } from "./words.js";

/** @import { Task } from "./task.js" */

/** All parts of the page, and what they do together. */
export class App {
  /** @param {Task} task @param {Log} log @param {Looks} looks */
  constructor(task, log, looks) {
    this.task = task;
    this.log = log;
    this.looks = looks;
    this.reading = false;
    this.keys = new KeyMap(looks);
    this.saving = new Saving(this);
    this.take = () => {};
    this.banner = el("div", { class: "banner", role: "status", hidden: true });
    this.session = this.newSession();
    this.page = this.newPage();
    looks.changed(() => this.page.refresh());
    addEventListener("keydown", (event) => this.onKey(event));
    addEventListener("pagehide", () => this.page instanceof GradePage && this.page.flush());
    document.addEventListener("visibilitychange", () => document.hidden && this.page instanceof GradePage && this.page.flush());
  }

  newSession() {
    return this.task.mode === "grade" ? new Grading(this.task, this.log) : new Comparing(this.task, this.log);
  }

  newPage() {
    return this.session instanceof Grading
      ? new GradePage(this, this.session)
      : new ComparePage(this, /** @type {Comparing} */ (this.session));
  }

  /** Show the page and what is to be judged. */
  start() {
    document.title = `${this.task.title} · ${this.task.assessor}`;
    document.body.replaceChildren(this.banner, this.page.root, this.saving.input);
    this.page.desk.reading = this.reading;
    this.page.start();
    this.page.refresh();
  }

  /** Begin anew with another log, or in another language. */
  restart() {
    this.keys = new KeyMap(this.looks);
    this.session = this.newSession();
    this.page = this.newPage();
    this.start();
    this.setReading(this.reading);
  }

  /** @param {string} wish speaks another language */
  speak(wish) {
    this.looks.set("language", wish);
    speak(wish || this.task.language);
    document.querySelector("dialog")?.close();
    this.restart();
    openSettings(this);
  }

  /** @param {boolean} reading this tab only reads: another one works */
  setReading(reading) {
    this.reading = reading;
    this.page.desk.reading = reading;
    this.banner.replaceChildren(
      tr("This task is open in another tab. This one only reads."),
      " ",
      button(tr("Judge here"), () => this.take()),
    );
    reveal(this.banner, reading);
  }

  /** This tab may write now: what the other one wrote comes first. */
  async takeOver() {
    await this.log.open();
    this.setReading(false);
    this.restart();
  }

  /** @returns {{ task: Task, log: Log, keys: KeyMap, looks: Looks }} what parts of a page need */
  reader() {
    return { task: this.task, log: this.log, keys: this.keys, looks: this.looks };
  }

  /** Something was kept. */
  changed() {
    this.saving.later();
    this.page.refresh();
  }

  /** @param {string} address */
  askLink(address) {
    askLink(address, () => this.page.focus());
  }

  /** @param {string} id does an action of the page, or one that works everywhere */
  act(id) {
    const calls = /** @type {Record<string, () => unknown>} */ ({
      "save-result": () => this.saving.save(),
      "hand-in": () => this.saving.handIn(),
      help: () => openInstructions(this),
      shortcuts: () => openActions(this),
      settings: () => openSettings(this),
    });
    const call = calls[id] ?? (() => this.page.act(id));
    call();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.defaultPrevented || event.isComposing || dialogOpen()) {
      return;
    }
    const writing = writesText(event.target) && !event.ctrlKey && !event.metaKey && !/^F\d+$/.test(event.key);
    const edits = writesText(event.target) && /^[zyacvx]$/i.test(event.key);
    if (!writing && !edits && this.page.key(event)) {
      event.preventDefault();
    }
  }
}

/** Show a fault of ours, with what helps to mend it; judging goes on if it can. */
function reportFaults() {
  const report = (/** @type {unknown} */ fault) => {
    const details = fault instanceof Error ? `${fault.message}\n${fault.stack ?? ""}` : String(fault);
    if (!dialogOpen()) {
      const save = button(tr("Save details"), () => download("irjudge-fault.txt", `${details}\n${navigator.userAgent}\n`, "text/plain"));
      const parts = [
        el("p", {}, tr("Something went wrong in this page. What was said to be saved is saved.")),
        el("pre", { tabindex: 0 }, details),
        save,
      ];
      openDialog({ title: tr("A fault of this page"), parts, choices: [{ label: tr("Go on") }], closed: () => {} });
    }
  };
  addEventListener("error", (event) => event.error && report(event.error));
  addEventListener("unhandledrejection", (event) => report(event.reason));
}

async function main() {
  learnWords(takeJson("words") ?? {});
  const task = /** @type {Task | null} */ (takeJson("task"));
  reportFaults();
  if (!task) {
    return;
  }
  const looks = new Looks();
  await looks.open();
  speak(looks.get("language") || task.language);
  const log = new Log(task.assignment, await openStorage(task.assignment));
  await log.open();
  const app = new App(task, log, looks);
  let started = false;
  const gained = () => started && void app.takeOver();
  const { working, take } = await claim(task.assignment, gained, () => app.setReading(true));
  app.take = take;
  app.reading = !working;
  app.start();
  app.setReading(!working);
  started = true;
  if (!log.actions.length || !log.storage.lasting) {
    openInstructions(app);
  }
}

void main();
