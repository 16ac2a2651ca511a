/** Start of the page: reads the task and the stored actions, and connects keys, pages, saving and dialogs. */

import { IDLE_ACTIONS, LeaderMessage } from "./card_parts.js";
import { ComparePage } from "./compare_page.js";
import { Comparing } from "./comparing.js";
import { askLink, isDialogOpen, openDialog } from "./dialogs.js";
import { button, el, reveal, setText, isTextField } from "./dom.js";
import { GradePage } from "./grade_page.js";
import { Grading } from "./grading.js";
import { openActions, openInstructions, openSettings } from "./guide.js";
import {
  askSwitch,
  codeGiven,
  followAddress,
  forgetRefused,
  forgetToken,
  readTask,
  showJoinRefusal,
  storeTask,
  tokenOf,
} from "./joining.js";
import { KeyMap } from "./keys.js";
import { ConnectionLost, Refusal, ask, refusalWords } from "./line.js";
import { Log, NotSaved } from "./log.js";
import { Looks } from "./looks.js";
import { hasPageImages, readPageImages } from "./pages.js";
import { openPreview } from "./preview.js";
import { download } from "./result.js";
import { Saving } from "./saving.js";
import { Served, lostWords, saveWork } from "./served.js";
import { beginStart, problemWords, showWithdrawn, sendAs } from "./start_page.js";
import { stashDraft } from "./stash.js";
import { openStorage } from "./storage.js";
import { claim } from "./tabs.js";
import { keyOf, takeJson } from "./task.js";
import { loadTranslations, speak, tr } from "./words.js";

/** @import { Invitation } from "./joining.js" */
/** @import { Task } from "./task.js" */

/** Application: the parts of the page and their interaction. */
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
    this.shownState = ""; // state of the session and its round when the last message was shown
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

  /** Show the page with the current item. */
  start() {
    document.title = `${this.task.title} · ${this.task.assessor}`;
    document.body.replaceChildren(this.banner, this.notice.root, this.page.root, this.saving.input);
    this.page.workspace.reading = this.reading;
    this.page.start();
    this.page.refresh();
  }

  /** Rebuild the page after the log or the language has changed. */
  restart() {
    const earlier = this.page;
    this.keys = new KeyMap(this.looks);
    this.session = this.newSession();
    this.page = this.newPage();
    if (earlier instanceof ComparePage && this.page instanceof ComparePage) {
      earlier.putDown();
      this.page.begun = earlier.begun;
    } else if (earlier instanceof GradePage) {
      stashDraft(earlier);
    }
    this.start();
    this.setReading(this.reading);
  }

  /** @param {string} language new language of the page; empty for the task's */
  speak(language) {
    this.looks.set("language", language);
    speak(language || this.task.language);
    document.querySelector("dialog")?.close();
    this.restart();
    openSettings(this);
  }

  /** @param {boolean} reading whether this tab is read-only because another tab is active */
  setReading(reading) {
    this.reading = reading;
    this.log.readOnly = reading;
    this.page.workspace.reading = reading;
    this.banner.replaceChildren(
      tr("This task is open in another tab. This tab is read-only."),
      " ",
      button(tr("Judge here"), () => this.take()),
    );
    reveal(this.banner, reading);
  }

  /** Update after a response or a failed request. @param {boolean} fresh whether there are new items to judge */
  heard(fresh) {
    if (fresh) {
      this.session.grow();
    }
    if (!this.reading && this.served) {
      const words = this.served.banner();
      setText(this.banner, words);
      reveal(this.banner, Boolean(words));
    }
    this.forgetMessage();
    this.notice.show(this.served?.state === "ended" ? "" : (this.served?.news.message ?? ""));
    this.page.goOn();
    this.page.refresh();
    this.sayLate();
  }

  /** Clear the message about the last action once the session or its round is in another state. */
  forgetMessage() {
    const { state = "", news } = this.served ?? {};
    const shownState = JSON.stringify([state, news?.aside, news?.round?.number, news?.round?.state]);
    if (this.shownState && shownState !== this.shownState && !this.page.workspace.waits) {
      this.page.message.hint("");
    }
    this.shownState = state && shownState;
  }

  /** Report each late judgment once. */
  sayLate() {
    const late = this.served?.late ?? 0;
    if (late > this.late) {
      this.page.message.ignored(tr("A judgment arrived after its document was reassigned. The judgment is stored but not used."));
    }
    this.late = late;
  }

  /** Become the active tab, after reading the actions that the other tab stored. */
  async takeOver() {
    if (this.log.storage.lasting) {
      await this.log.open(); // otherwise there is no other copy of the actions
    }
    this.setReading(false);
    this.restart();
  }

  /** @returns {{ task: Task, log: Log, keys: KeyMap, looks: Looks }} what parts of a page need */
  reader() {
    return { task: this.task, log: this.log, keys: this.keys, looks: this.looks };
  }

  /** Send or save after an action was stored. */
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

  /** @param {string} id runs an action of the page or of the application */
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

  /** @param {string} id @returns {boolean} whether an action is available in this task at the moment */
  offers(id) {
    const carried = /** @type {Record<string, boolean>} */ ({
      pages: hasPageImages(),
      "search-collection": Boolean(this.task.search),
      "save-result": !this.served, // in a session, judgments are sent at once
      "hand-in": !this.served,
    });
    const isResting = this.page.root.classList.contains("resting");
    return (carried[id] ?? true) && (!isResting || IDLE_ACTIONS.includes(id));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.defaultPrevented || event.isComposing || isDialogOpen()) {
      return;
    }
    this.page.workspace.active.touch(); // also for a key pressed while nothing on the page has the focus
    const hasModifier = (event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph"); // AltGraph enters characters
    const isTyping = isTextField(event.target) && !hasModifier && !/^F\d+$/.test(event.key);
    const isEditing = isTextField(event.target) && /^[zyacvx]$/i.test(event.key);
    if (!isTyping && !isEditing && this.page.key(event)) {
      event.preventDefault();
    }
  }
}

/** Show unexpected errors, with details for a bug report; judging continues if possible. */
function reportErrors() {
  const report = (/** @type {unknown} */ error) => {
    const details = error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error);
    if (!isDialogOpen()) {
      const save = button(tr("Save error details"), () =>
        download("irjudge-error.txt", `${details}\n${navigator.userAgent}\n`, "text/plain"),
      );
      const parts = [
        el("p", {}, tr("Something went wrong on this page. All work that is shown as saved has been saved.")),
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
 * Take part in a session: join, fetch earlier actions, and judge the assigned items.
 * @param {Invitation} invitation
 * @param {Looks} looks
 * @param {string} [problem] why the last token was refused
 * @param {HTMLElement[]} [lostPart] work that was done with it
 */
async function joinSession(invitation, looks, problem = "", lostPart = []) {
  const token = await tokenOf(invitation, problem, lostPart);
  if (!token) {
    await showPreview(looks, invitation);
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
    await storeTask(invitation, task);
    const log = new Log(task.assignment, await openStorage(task.assignment));
    await log.open();
    const served = new Served(task, log, token);
    await served.begin(actions);
    const app = new App(task, log, looks, served);
    joinTogether(app, served, invitation);
    await work(app);
    served.kick();
    void served.listen();
  } catch (error) {
    if (error instanceof Refusal && error.kind === "token") {
      const earlier = await lostWork(invitation, true); // before its task is forgotten
      await joinSession(invitation, looks, await forgetRefused(invitation), earlier);
      return;
    }
    if (error instanceof Refusal && error.kind === "ended") {
      await showEnded(invitation);
      return;
    }
    showClosed(error instanceof Refusal || error instanceof NotSaved ? error : null, () => joinSession(invitation, looks));
  }
}

/** @param {App} app @param {Served} served @param {Invitation} invitation connects the page with its session */
function joinTogether(app, served, invitation) {
  const { task, log } = app;
  document.body.classList.add("served");
  served.open = () => task.items.some((_item, place) => app.session.isLeft(place));
  served.judged = () => task.items.filter(({ about }) => app.log.ledger.judgment(keyOf(about))).length; // counted again for each response, since items are added
  served.onUpdate = (fresh) => app.heard(fresh);
  served.onReset = () => app.restart();
  served.onRefused = (words) => {
    app.restart();
    app.page.message.problem(words, false);
  };
  app.withdraw = async () => {
    try {
      await ask("/survey", { withdraw: true }, served.token);
    } catch (error) {
      const words = [el("p", {}, problemWords(error)), el("p", {}, tr("Your withdrawal has not been confirmed. Try again."))];
      openDialog({ title: tr("Withdraw?"), parts: words, choices: [{ label: tr("Close") }], closed: () => app.page.focus() });
      return;
    }
    served.shut = "withdrawn";
    app.page.workspace.reading = true; // keys no longer judge the document that was shown
    showWithdrawn();
  };
  const leave = async () => {
    await forgetToken(invitation);
    location.reload();
  };
  served.joinAgain = invitation.join === "links" || invitation.panel.length ? null : leave;
  app.leave = () => askSwitch(invitation, task.assessor, log.unsent, leave);
}

/** @param {Looks} looks @param {Invitation} invitation shows a preview of the session */
async function showPreview(looks, invitation) {
  try {
    const preview = await openPreview(codeGiven());
    if (preview.task.start && !(await beginStart(preview.task.start, preview.sendAnswers, true))) {
      showWithdrawn();
      return;
    }
    const app = new App(preview.task, preview.log, looks, preview);
    document.body.classList.add("served");
    preview.onUpdate = (fresh) => app.heard(fresh);
    preview.judged = () => app.session.count().judged;
    await work(app);
    app.heard(false);
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof ConnectionLost)) {
      throw error;
    }
    showJoinRefusal(error, "", invitation);
  }
}

/** @param {Invitation} invitation says that the session has ended, and offers to save actions that were not sent before */
async function showEnded(invitation) {
  const parts = [el("h1", {}, tr("The session has ended")), el("p", {}, tr("Thank you.")), ...(await lostWork(invitation, false))];
  document.body.replaceChildren(el("main", { class: "joining" }, ...parts));
}

/**
 * Return what to do with work that is stored in this browser only; empty for none.
 * @param {Invitation} invitation
 * @param {boolean} all whether the server may also lack the actions that were sent, because it has an older copy of the project
 * @returns {Promise<HTMLElement[]>}
 */
async function lostWork(invitation, all) {
  const task = await readTask(invitation);
  const log = task && new Log(task.assignment, await openStorage(task.assignment));
  await log?.open();
  const words = log ? lostWords(log) : "";
  return task && log && (words || (all && log.actions.length))
    ? [el("p", {}, words), button(tr("Save this work to a file"), () => saveWork(task, log), { class: words && "primary" })]
    : [];
}

/**
 * Show why the page cannot be opened.
 * @param {Refusal | NotSaved | null} error null if there was no response
 * @param {() => unknown} again
 */
function showClosed(error, again) {
  const refusal = error instanceof Refusal ? error : null;
  const wait = refusal?.kind === "busy" ? refusal.wait : 0;
  const busy = tr("The server is busy. Your work is saved in this browser, and this page will retry automatically.");
  const lost = tr("The server is not responding. Your work is saved in this browser.");
  const words = el("p", {}, wait ? busy : refusal ? refusalWords(refusal) : (error?.message ?? lost));
  const timer = wait ? setTimeout(again, wait) : 0;
  const retry =
    refusal?.kind === "protocol"
      ? button(tr("Reload this page"), () => location.reload(), { class: "primary" })
      : button(tr("Try again"), () => (clearTimeout(timer), again()), { class: "primary" });
  const problem = error ? tr("Error on this page") : tr("No connection");
  const title = el("h1", {}, refusal ? tr("One moment") : problem);
  document.body.replaceChildren(el("main", { class: "joining" }, title, words, retry));
}

/** @param {App} app starts judging, in one tab at a time */
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
    openInstructions(app, !log.actions.length);
  }
}

void main();
