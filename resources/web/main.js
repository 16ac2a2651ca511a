/** Starts the page: reads the task, opens what was kept, and joins keys, pages, saving and dialogs. */

import { IDLE_ACTIONS, LeaderMessage } from "./card_parts.js";
import { ComparePage } from "./compare_page.js";
import { Comparing } from "./comparing.js";
import { askLink, isDialogOpen, openDialog } from "./dialogs.js";
import { button, el, reveal, setText, isTextField } from "./dom.js";
import { GradePage } from "./grade_page.js";
import { Grading } from "./grading.js";
import { openActions, openInstructions, openSettings } from "./guide.js";
import { codeGiven, followAddress, forgetToken, showJoinRefusal, tokenOf } from "./joining.js";
import { KeyMap } from "./keys.js";
import { ConnectionLost, Refusal, ask } from "./line.js";
import { Log } from "./log.js";
import { Looks } from "./looks.js";
import { hasPageImages, readPageImages } from "./pages.js";
import { openPreview } from "./preview.js";
import { download } from "./result.js";
import { Saving } from "./saving.js";
import { Served } from "./served.js";
import { beginStart, showWithdrawn, sendAs } from "./start_page.js";
import { stashDraft } from "./stash.js";
import { openStorage } from "./storage.js";
import { claim } from "./tabs.js";
import { takeJson } from "./task.js";
import { loadTranslations, speak, tr } from "./words.js";

/** @import { Invitation } from "./joining.js" */
/** @import { Task } from "./task.js" */

/** All parts of the page, and what they do together. */
export class App {
  /** @param {Task} task @param {Log} log @param {Looks} looks @param {Served | null} served the session it belongs to */
  constructor(task, log, looks, served = null) {
    this.task = task;
    this.log = log;
    this.looks = looks;
    this.served = served;
    this.leave = () => {};
    this.withdraw = /** @type {() => unknown} */ (() => {});
    this.reading = false;
    this.late = 0;
    this.keys = new KeyMap(looks);
    this.saving = new Saving(this);
    this.take = () => {};
    this.banner = el("div", { class: "banner", role: "status", hidden: true });
    this.notice = new LeaderMessage();
    this.session = this.newSession();
    this.page = this.newPage();
    looks.changed(() => this.page.refresh());
    addEventListener("keydown", (event) => this.onKey(event));
    addEventListener("pagehide", () => {
      if (this.page instanceof GradePage) {
        stashDraft(this.page);
        this.page.flush();
      }
    });
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
    document.body.replaceChildren(this.banner, this.notice.root, this.page.root, this.saving.input);
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
      tr("This task is open in another tab. This tab is read-only."),
      " ",
      button(tr("Judge here"), () => this.take()),
    );
    reveal(this.banner, reading);
  }

  /** The server answered, or did not. @param {boolean} fresh there is something new to judge */
  heard(fresh) {
    if (fresh) {
      this.session.grow();
    }
    if (!this.reading && this.served) {
      const words = this.served.banner();
      setText(this.banner, words);
      reveal(this.banner, Boolean(words));
    }
    this.notice.show(this.served?.news.message ?? "");
    this.page.goOn();
    this.page.refresh();
    this.sayLate();
  }

  /** Say once of each judgment that it came too late. */
  sayLate() {
    const late = this.served?.late ?? 0;
    if (late > this.late) {
      this.page.message.ignored(tr("A judgment arrived after its document was reassigned. It is stored but not used."));
    }
    this.late = late;
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
    if (this.served) {
      this.served.kick();
    } else {
      this.saving.later();
    }
    this.page.refresh();
  }

  /** @param {string} address */
  askLink(address) {
    askLink(address, () => this.page.focus());
  }

  /** @param {string} id does an action of the page, or one that works everywhere */
  act(id) {
    const calls = /** @type {Record<string, () => unknown>} */ ({
      "save-result": () => (this.served ? this.served.kick() : this.saving.save()),
      "hand-in": () => (this.served ? this.served.kick() : this.saving.handIn()),
      help: () => openInstructions(this),
      shortcuts: () => openActions(this),
      settings: () => openSettings(this),
    });
    const call = calls[id] ?? (() => this.page.act(id));
    call();
  }

  /** @param {string} id @returns {boolean} whether an action can mean anything in this task, and where the page is now */
  offers(id) {
    const carried = /** @type {Record<string, boolean>} */ ({
      pages: hasPageImages(),
      "search-collection": Boolean(this.task.search),
      "save-result": !this.served, // judgments are sent as they are made
      "hand-in": !this.served,
    });
    const resting = this.page.root.classList.contains("resting");
    return (carried[id] ?? true) && (!resting || IDLE_ACTIONS.includes(id));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.defaultPrevented || event.isComposing || isDialogOpen()) {
      return;
    }
    const held = (event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph"); // which writes signs
    const writing = isTextField(event.target) && !held && !/^F\d+$/.test(event.key);
    const edits = isTextField(event.target) && /^[zyacvx]$/i.test(event.key);
    if (!writing && !edits && this.page.key(event)) {
      event.preventDefault();
    }
  }
}

/** Show a fault of ours, with what helps to mend it; judging goes on if it can. */
function reportErrors() {
  const report = (/** @type {unknown} */ fault) => {
    const details = fault instanceof Error ? `${fault.message}\n${fault.stack ?? ""}` : String(fault);
    if (!isDialogOpen()) {
      const save = button(tr("Save details"), () => download("irjudge-fault.txt", `${details}\n${navigator.userAgent}\n`, "text/plain"));
      const parts = [
        el("p", {}, tr("Something went wrong on this page. Everything shown as saved is saved.")),
        el("pre", { tabindex: 0 }, details),
        save,
      ];
      openDialog({ title: tr("Error on this page"), parts, choices: [{ label: tr("Continue") }], closed: () => {} });
    }
  };
  addEventListener("error", (event) => event.error && report(event.error));
  addEventListener("unhandledrejection", (event) => report(event.reason));
}

async function main() {
  loadTranslations(takeJson("words") ?? {});
  const given = /** @type {Task | Invitation | null} */ (takeJson("task"));
  readPageImages();
  reportErrors();
  if (!given) {
    return;
  }
  const looks = new Looks();
  await looks.open();
  if ("session" in given) {
    speak(looks.get("language"));
    followAddress();
    await joinSession(given, looks);
    return;
  }
  speak(looks.get("language") || given.language);
  const log = new Log(given.assignment, await openStorage(given.assignment));
  await log.open();
  await work(new App(given, log, looks));
}

/**
 * Take part in a session: join, fetch what was done before, and judge what comes.
 * @param {Invitation} invitation
 * @param {Looks} looks
 */
async function joinSession(invitation, looks) {
  const token = await tokenOf(invitation);
  if (!token) {
    await showPreview(looks);
    return;
  }
  try {
    const { task: head, actions } = await ask("/welcome", {}, token);
    const task = /** @type {Task} */ ({ ...head, served: true, topics: [], contents: [], documents: [], items: [], views: {} });
    if (
      task.start &&
      (task.start.answered.withdrawn || !(task.start.answered.consented || (await beginStart(task.start, sendAs(token)))))
    ) {
      showWithdrawn();
      return;
    }
    const log = new Log(task.assignment, await openStorage(task.assignment));
    await log.open();
    const served = new Served(task, log, token);
    await served.begin(actions);
    const app = new App(task, log, looks, served);
    joinTogether(app, served, invitation);
    await work(app);
    served.kick();
    void served.listen();
  } catch (fault) {
    if (fault instanceof Refusal && fault.kind === "token") {
      await forgetToken(invitation);
      await joinSession(invitation, looks);
      return;
    }
    const ended = fault instanceof Refusal && fault.kind === "ended";
    const wait = fault instanceof Refusal && fault.kind === "busy" ? fault.wait : 0;
    showClosed(ended, wait, () => joinSession(invitation, looks));
  }
}

/** @param {App} app @param {Served} served @param {Invitation} invitation lets the page and its session hear of each other */
function joinTogether(app, served, invitation) {
  const { task } = app;
  document.body.classList.add("served");
  served.open = () => task.items.some((_item, place) => app.session.isLeft(place));
  served.judged = () => task.items.filter((_item, place) => app.session.judgment(place)).length;
  served.told = (fresh) => app.heard(fresh);
  served.refused = (words) => {
    app.restart();
    app.page.message.problem(words, false);
  };
  app.withdraw = async () => {
    await ask("/survey", { withdraw: true }, served.token);
    served.shut = "withdrawn";
    showWithdrawn();
  };
  app.leave = async () => {
    await forgetToken(invitation);
    location.reload();
  };
}

/** @param {Looks} looks shows some documents as people see them */
async function showPreview(looks) {
  try {
    const preview = await openPreview(codeGiven());
    if (preview.task.start && !(await beginStart(preview.task.start, preview.sendAnswers))) {
      showWithdrawn();
      return;
    }
    const app = new App(preview.task, preview.log, looks, preview);
    document.body.classList.add("served");
    preview.told = (fresh) => app.heard(fresh);
    preview.judged = () => app.session.count().judged;
    await work(app);
    app.heard(false);
  } catch (fault) {
    if (!(fault instanceof Refusal || fault instanceof ConnectionLost)) {
      throw fault;
    }
    showJoinRefusal(fault, "");
  }
}

/** @param {boolean} ended @param {number} wait milliseconds after which it is tried again by itself; 0 for never @param {() => unknown} again */
function showClosed(ended, wait, again) {
  if (ended) {
    document.body.replaceChildren(
      el("main", { class: "joining" }, el("h1", {}, tr("The session has ended")), el("p", {}, tr("Thank you."))),
    );
    return;
  }
  const busy = tr("The server is busy. Your work is saved in this browser, and this page will retry automatically.");
  const words = el("p", {}, wait ? busy : tr("The server does not respond. Your work is saved in this browser."));
  const timer = wait ? setTimeout(again, wait) : 0;
  const retry = button(tr("Try again"), () => (clearTimeout(timer), again()), { class: "primary" });
  const title = el("h1", {}, wait ? tr("One moment") : tr("No connection"));
  document.body.replaceChildren(el("main", { class: "joining" }, title, words, retry));
}

/** @param {App} app begins the work, in one tab at a time */
async function work(app) {
  const { task, log } = app;
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
