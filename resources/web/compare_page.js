/** Page for side-by-side comparison; an answer is stored before the next item appears. Runs are not named. */

import { DocumentOpenings } from "./attention.js";
import { IDLE_ACTIONS, AT_WORK, KeyList, Message, ProgressCard, SaveState, TopicCard } from "./card_parts.js";
import { Workspace } from "./workspace.js";
import { isDialogOpen, showStatePage, withdrawnPage } from "./dialogs.js";
import { button, isTouchDevice, el, keyCap, noteBarHeight, reveal, setText } from "./dom.js";
import { GradeButtons } from "./grade_parts.js";
import { PagesButton, openPages } from "./pages.js";
import { Paper } from "./paper.js";
import { ListSides, PairSides, markHits } from "./sides.js";
import { endPart } from "./start_page.js";
import { compareWords } from "./states.js";
import { keyOf } from "./task.js";
import { fill, sentences, tr } from "./words.js";

/** @import { Comparing, Winner } from "./comparing.js" */
/** @import { App } from "./main.js" */
/** @import { Action, DocumentEntry } from "./task.js" */

const ANSWERS = ["much-left", "left", "equal", "right", "much-right"];
const OTHER_ACTIONS = ["open-result", "panel-note", "later", "undo", "shortcuts"];

/** Comparison page. */
export class ComparePage {
  /** @param {App} app @param {Comparing} session */
  constructor(app, session) {
    this.app = app;
    this.session = session;
    this.task = app.task;
    this.waiting = false;
    /** @type {Map<string, { reasons: string[], note: string }>} unfinished answers by key of the item */
    this.begun = new Map();
    const act = (/** @type {string} */ id) => app.act(id);
    this.message = new Message(act);
    this.workspace = new Workspace(session, this.message, () => app.keys.cap("retry"));
    this.workspace.changed = () => app.changed();
    this.workspace.reportBusy = (busy) => this.root.setAttribute("aria-busy", String(busy));
    this.openings = new DocumentOpenings();
    this.topic = new TopicCard(app.looks);
    const pairs = this.task.mode === "pairs";
    this.lists = new ListSides((side, place) => this.openResult(side, place));
    this.pair = new PairSides(this);
    this.sides = pairs ? this.pair : this.lists;
    this.opened = new OpenedResult(this);
    this.question = pairs ? tr("Which document fits the topic better?") : tr("Which side fits the topic better?");
    this.answers = new KeyList(ANSWERS, app.keys, act, "answers");
    this.others = new KeyList(pairs ? OTHER_ACTIONS.filter((id) => id !== "open-result") : OTHER_ACTIONS, app.keys, act, "key-flow");
    this.boxes = this.task.rules.reasons.map((reason, place) => reasonBox(reason, place));
    this.note = noteField(this.task.settings.longest_note);
    this.note.addEventListener("keydown", (event) => ["Enter", "Escape"].includes(event.key) && !event.isComposing && this.focus());
    this.progress = new ProgressCard(app.served ? [tr("You"), tr("Everyone")] : [tr("Comparisons")], app.keys, act);
    this.short = el("span", { class: "small quiet numbers grow" });
    this.shortSave = new SaveState(app.keys, act);
    this.resting = el("div", { class: "resting-place" });
    this.root = el(
      "main",
      { class: "comparing" },
      this.topic.root,
      el("div", { class: "middle" }, this.sides.root, this.opened.root),
      this.foot(),
      this.resting,
    );
    this.workspace.watch(this.root);
  }

  foot() {
    const { act } = this.app;
    const reasons = el("div", { class: "reasons", role: "group", "aria-label": tr("Reasons") }, ...this.boxes.map(({ label }) => label));
    const shortcut = (/** @type {string} */ words, /** @type {string} */ id, traits = {}) =>
      button(words, () => act.call(this.app, id), traits);
    const asked = el(
      "div",
      { class: "row" },
      el("h2", { class: "grow" }, this.question),
      shortcut(tr("Undo"), "undo", { class: "answer-undo" }),
    );
    const answer = el("div", { class: "answer-part" }, asked, this.answers.root);
    noteBarHeight(answer);
    const asking = el("section", { class: "card asking", "aria-label": tr("Answer") }, answer, reasons, this.note, this.others.root);
    const narrowParts = [
      shortcut(tr("Skip"), "later", AT_WORK),
      shortcut(tr("Undo"), "undo", { class: "at-work strip-undo" }),
      this.shortSave.button,
      shortcut(tr("More"), "shortcuts", { "aria-label": tr("More actions") }),
    ];
    const strip = el(
      "div",
      { class: "strip" },
      el("div", { class: "row" }, this.short, this.shortSave.words),
      el("div", { class: "row" }, ...narrowParts),
    );
    asking.append(this.message.root, strip);
    return el("div", { class: "foot" }, asking, this.progress.root);
  }

  // Interface for the app

  /** Show the current item; identical lists are recorded first. */
  start() {
    void this.recordSame().then(() => this.show(this.session.current()));
  }

  /** Show a newly assigned item if none was shown; otherwise update the status, and the end at once. */
  goOn() {
    void this.recordSame().then(() => {
      const isHalted = Boolean(this.app.served?.halted);
      const next = this.waiting && !isHalted ? this.session.current() : null;
      if (next !== null) {
        this.show(next);
      } else if (isHalted || this.waiting) {
        this.showWaiting();
      } else if (this.session.at !== null && this.session.isWithdrawn(this.session.at)) {
        this.session.at = null;
        this.showPage(withdrawnPage(() => this.show(this.session.current())));
      }
    });
  }

  /** Keep the unfinished answer of the shown comparison until this comparison is shown again. */
  putDown() {
    const place = this.workspace.shown;
    if (place !== null && this.session.judgment(place)) {
      this.begun.delete(this.session.keys[place]);
    } else if (place !== null) {
      const reasons = this.boxes.filter(({ input }) => input.checked).map(({ input }) => input.value);
      this.begun.set(this.session.keys[place], { reasons, note: this.note.value });
    }
  }

  async recordSame() {
    for (const place of this.workspace.reading ? [] : this.session.unrecorded) {
      await this.workspace.commit(
        () => (this.session.judgment(place) ? null : this.session.sameLists(place)), // two responses can arrive at once
        () => {},
        "same",
      );
    }
  }

  focus() {
    const rest = /** @type {HTMLElement | null} */ (
      this.root.querySelector(".state > .row .primary") ?? this.root.querySelector(".state h1")
    );
    if (rest) {
      rest.focus();
    } else if (this.openings.at) {
      this.opened.focus();
    } else {
      this.sides.focus();
    }
  }

  refresh() {
    this.answers.refresh();
    this.others.refresh();
    this.progress.links.refresh();
    this.opened.refresh();
    this.showProgress();
  }

  showProgress() {
    const { served } = this.app;
    const count = this.session.count();
    this.progress.show(this.session, served ? served.counts : [count], served?.state === "ended");
    this.progress.showLate(served?.late ?? 0);
    this.shortSave.show(this.session);
    setText(this.short, served ? served.countWords : fill(tr("{count} of {total}"), { count: count.judged, total: count.assigned }));
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  key(event) {
    if (this.root.classList.contains("resting")) {
      return this.actBy(event, IDLE_ACTIONS);
    }
    return (this.openings.at !== null && this.opened.key(event)) || this.actBy(event) || this.scroll(event) || this.tick(event);
  }

  /** @param {KeyboardEvent} event @param {string[]} [only] @returns {boolean} */
  actBy(event, only) {
    const meaning = this.app.keys.meaning(event, "compare");
    if (!meaning || (only && !only.includes(meaning))) {
      return false;
    }
    if (!event.repeat) {
      this.app.act(meaning);
    }
    return true;
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  scroll(event) {
    const isOnButton = event.target instanceof HTMLElement && event.target.matches("button, input");
    const steps = /** @type {Record<string, [number, number]>} */ ({
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      PageUp: [0, -1],
      PageDown: [0, 1],
    });
    const step = event.key === " " && !isOnButton ? [0, event.shiftKey ? -1 : 1] : steps[event.key];
    if (step && !event.ctrlKey && !event.altKey && !event.metaKey && !this.openings.at) {
      this.sides.step(step[0], step[1]);
      return true;
    }
    return false;
  }

  /** @param {KeyboardEvent} event @returns {boolean} toggles a reason by its digit */
  tick(event) {
    const digit = Number(/^[1-9]$/.test(event.key) ? event.key : (/^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] ?? 0));
    const box = this.boxes[digit - 1];
    if (!box || event.ctrlKey || event.altKey || event.metaKey || !this.app.looks.get("letters")) {
      return false;
    }
    if (!event.repeat) {
      box.input.checked = !box.input.checked;
    }
    return true;
  }

  /** @param {string} id @returns {boolean} whether an action would do anything at the moment */
  isUseful(id) {
    return this.workspace.isUseful(id);
  }

  /** @param {string} id */
  act(id) {
    const calls = /** @type {Record<string, () => unknown>} */ ({
      left: () => this.prefer("left", 1),
      right: () => this.prefer("right", 1),
      equal: () => this.prefer("tie", 1),
      "much-left": () => this.prefer("left", 2),
      "much-right": () => this.prefer("right", 2),
      "open-result": () => this.openFocused(),
      link: () => this.switchLink(),
      same: () => this.switchSame(),
      "panel-note": () => this.writeNote(),
      later: () => this.skip(),
      undo: () => this.undo(),
      redo: () => this.take(() => this.session.redo(), tr("Redone: {action}. {key} undoes it."), "undo"),
      retry: () => this.workspace.retry(),
    });
    calls[id]?.();
  }

  // Comparing

  /** @returns {number | null} */
  ready() {
    return this.workspace.ready(tr("Key ignored: the two sides had just appeared."));
  }

  /** @param {Winner} winner @param {number} strength */
  prefer(winner, strength) {
    const place = this.ready();
    if (place === null) {
      return;
    }
    if (this.openings.at) {
      this.message.ignored(tr("Close the open result first."));
      return;
    }
    const { opens, dwellMs } = this.openings;
    const attention = { activeMs: this.workspace.active.stop(), opens, dwellMs, scrolled: this.sides.lowest };
    const missing = this.session.mustView(place, attention);
    if (missing.length) {
      this.message.ignored(missingListsText(missing));
      return;
    }
    const reasons = this.boxes.filter(({ input }) => input.checked).map(({ input }) => input.value);
    const answer = { winner, strength, reasons, note: this.note.value.trim(), attention };
    void this.workspace.commit(
      () => this.session.prefer(place, answer),
      (action) => this.proceed(action),
    );
  }

  skip() {
    const place = this.ready();
    if (place !== null) {
      const activeMs = this.workspace.active.stop();
      void this.workspace.commit(
        () => this.session.skip(place, activeMs),
        (action) => this.proceed(action),
      );
    }
  }

  /** @param {Action} action */
  proceed(action) {
    this.show(this.session.advance());
    this.saySaved(action);
  }

  /** @param {Action} action */
  saySaved(action) {
    const noted = isTouchDevice() ? tr("Recorded: {action}.") : tr("Recorded: {action}. {key} undoes it.");
    const saved = isTouchDevice() ? tr("Saved: {action}.") : tr("Saved: {action}. {key} undoes it.");
    this.message.hint(fill(this.app.served ? noted : saved, { action: compareWords(action), key: this.app.keys.cap("undo") }));
  }

  undo() {
    if (this.workspace.giveUp()) {
      this.message.hint(tr("Unsaved changes discarded."));
    } else {
      const words = isTouchDevice() ? tr("Undone: {action}.") : tr("Undone: {action}. {key} redoes it.");
      this.take(() => this.session.undo(), words, "redo");
    }
  }

  /** @param {() => Action | null} make @param {string} words @param {string} other */
  take(make, words, other) {
    if (this.workspace.reading) {
      this.ready();
      return;
    }
    if (this.app.served?.halted) {
      this.message.ignored(tr("Key ignored: there is nothing to judge here."));
      return;
    }
    void this.workspace.commit(
      make,
      (action) => {
        const { target } = action;
        const targetAction =
          this.session.log.actions.find((each) => each.client === target?.client && each.number === target?.number) ?? action;
        if (targetAction.kind === "grade") {
          this.showOpenedGrade(); // the comparison stays, with what was viewed and ticked
        } else {
          this.session.goTo(action);
          this.show(this.session.current());
        }
        this.message.hint(fill(words, { action: compareWords(targetAction), key: this.app.keys.cap(other) }));
        const isShown = this.session.at !== null && this.session.keys[this.session.at] === keyOf(targetAction.item);
        if (targetAction.kind === "preference" && isShown) {
          this.showAnswer(targetAction.payload.reasons, targetAction.payload.note);
        }
      },
      "take",
    );
  }

  /** @param {string[]} reasons @param {string} note shows an earlier answer */
  showAnswer(reasons, note) {
    this.boxes.forEach(({ input }) => {
      input.checked = reasons.includes(input.value);
    });
    this.note.value = note;
    reveal(this.note, Boolean(note));
  }

  writeNote() {
    reveal(this.note, true);
    this.note.focus();
  }

  switchLink() {
    this.sides.linked = !this.sides.linked;
    this.message.hint(this.sides.linked ? tr("Both sides scroll together.") : tr("The sides scroll independently."));
  }

  switchSame() {
    if (this.sides === this.lists) {
      this.message.hint(
        this.lists.switchSame()
          ? tr("Documents in both lists show their rank in the other list.")
          : tr("Ranks in the other list are hidden."),
      );
    }
  }

  // Opened results

  openFocused() {
    const at = this.sides === this.lists && !this.openings.at ? this.lists.focused : null;
    if (at) {
      this.openResult(at.side, at.place);
    }
  }

  /** @param {number} side @param {number} place */
  openResult(side, place) {
    const at = this.workspace.rendered;
    if (at !== null) {
      this.openings.open(side, place);
      this.root.classList.add("opened");
      this.opened.show(at, this.lists.results[side][place].document, side, place);
    }
  }

  closeResult() {
    const at = this.openings.close();
    this.root.classList.remove("opened");
    this.opened.hide();
    this.message.hint("");
    if (at && !isDialogOpen()) {
      this.lists.focusResult(at.side, at.place);
    }
  }

  /** @param {number} value */
  grade(value) {
    const { workspace, openings } = this;
    if (workspace.rendered === null || !openings.at || workspace.reading || !this.session.canGrade(workspace.rendered)) {
      return;
    }
    const place = workspace.rendered;
    const { document } = this.lists.results[openings.at.side][openings.at.place];
    void workspace.commit(
      () => this.session.grade(place, document, value),
      (action) => {
        this.showOpenedGrade();
        this.saySaved(action);
      },
      `grade ${document}`,
    );
  }

  /** Update the grade of the open result. */
  showOpenedGrade() {
    const { workspace, openings } = this;
    if (workspace.rendered !== null && openings.at) {
      const { document } = this.lists.results[openings.at.side][openings.at.place];
      this.opened.grades?.show(this.session.given(workspace.rendered, document));
    }
  }

  // Rendering

  /** @param {number | null} place */
  show(place) {
    this.putDown();
    this.openings = new DocumentOpenings();
    this.root.classList.remove("opened");
    this.opened.hide();
    this.showProgress();
    if (place === null || this.app.served?.halted) {
      this.showEnd();
      return;
    }
    this.waiting = false;
    this.root.classList.remove("resting");
    this.resting.replaceChildren();
    const { reasons, note } = this.begun.get(this.session.keys[place]) ?? { reasons: [], note: "" };
    this.showAnswer(reasons, note);
    const { topic } = this.task.items[place];
    const topicCount = this.app.served ? 0 : this.session.topics.length; // a session's task contains assigned items only
    this.topic.show(this.task.topics[topic], this.session.topics.indexOf(topic) + 1, topicCount, false);
    const results = this.session.lists(place);
    if (this.sides === this.pair) {
      this.pair.show(topic, results);
    } else {
      this.lists.show(results);
    }
    this.sides.focus();
    this.message.next(this.task.topics[topic].title || this.task.topics[topic].id);
    void this.workspace.show(place).then(() => this.sides.look());
  }

  showWaiting() {
    const { title, words } = this.app.served?.rest() ?? { title: "", words: "" };
    const { served } = this.app;
    this.session.at = null;
    this.waiting = true;
    const choices = [...(served?.ways ?? []), ...(this.canUndo ? [{ ...this.undoChoice, quiet: true }] : [])];
    const shows = JSON.stringify([title, words, choices.map(({ label }) => label), served?.code]);
    if (!this.resting.childElementCount || this.resting.dataset.shows !== shows) {
      this.showPage(showStatePage(title, words, choices, served ? endPart(served) : null), shows);
    }
  }

  showEnd() {
    if (this.app.served) {
      this.showWaiting();
      return;
    }
    const words = fill(tr("Comparisons made: {count}; topics: {topics}."), {
      count: this.session.count().judged,
      topics: this.session.topics.length,
    });
    const same = this.session.identical
      ? fill(tr("Comparisons of identical sides, recorded without being shown: {same}."), { same: this.session.identical })
      : "";
    const choices = [{ label: tr("Submit"), call: () => this.app.act("hand-in") }, this.undoChoice];
    this.showPage(showStatePage(tr("All comparisons done"), sentences(words, same, tr("Submit to create the file to return.")), choices));
  }

  /** @returns {boolean} whether undo is possible in an open session */
  get canUndo() {
    return Boolean(this.session.log.ledger.toUndo) && !this.app.served?.halted;
  }

  get undoChoice() {
    return { label: tr("Undo"), call: () => this.undo() };
  }

  /** @param {HTMLElement} page @param {string} [shows] contents of a page that is drawn again only if they change */
  showPage(page, shows = "") {
    this.putDown();
    this.message.forgetWarning();
    void this.workspace.show(null);
    this.showProgress();
    this.resting.replaceChildren(page);
    this.resting.dataset.shows = shows;
    this.root.classList.add("resting");
    this.focus();
  }
}

/** Document opened over the lists, with grades if they are allowed. */
class OpenedResult {
  /** @param {ComparePage} page */
  constructor(page) {
    this.page = page;
    const { task, keys } = page.app;
    this.where = el("h2", { class: "grow" });
    const back = button(tr("Back"), () => page.closeResult(), {}, keyCap("Esc"));
    /** @type {DocumentEntry | null} */
    this.document = null;
    this.pages = new PagesButton(() => this.document && openPages(this.document, () => this.focus()));
    this.scroller = el("div", { class: "paper card", tabindex: 0, role: "document" });
    this.paper = new Paper(this.scroller, (address) => page.app.askLink(address));
    this.grades = task.rules.grading ? new GradeButtons(task.scale.grades, keys, (value) => page.grade(value)) : null;
    this.root = el(
      "div",
      { class: "opened-result", hidden: true },
      el("div", { class: "row" }, this.where, this.pages.root, back),
      this.scroller,
      this.grades?.root,
    );
  }

  /** @param {number} item @param {number} document @param {number} side @param {number} place */
  show(item, document, side, place) {
    const { task, session } = this.page;
    setText(this.where, fill(side ? tr("Right, result {place}") : tr("Left, result {place}"), { place: place + 1 }));
    reveal(this.root, true);
    this.document = task.documents[document];
    this.pages.show(this.document);
    const { title, id, content } = this.document;
    this.scroller.setAttribute("aria-label", fill(tr("Document: {name}"), { name: title || id }));
    const { topic } = task.items[item];
    const loaded = this.paper.show(task.contents[content], task.documents[document]);
    markHits(this.paper, task, topic, document);
    void loaded.then((whole) => whole && markHits(this.paper, task, topic, document));
    if (this.grades) {
      reveal(this.grades.root, session.canGrade(item));
      this.grades.show(session.given(item, document));
    }
    this.focus();
  }

  hide() {
    reveal(this.root, false);
    this.paper.clear();
  }

  focus() {
    this.scroller.focus({ preventScroll: true });
  }

  refresh() {
    this.grades?.refresh();
  }

  /** @param {KeyboardEvent} event @returns {boolean} takes a key that closes or grades */
  key(event) {
    if (event.key === "Escape") {
      this.page.closeResult();
      return true;
    }
    const meaning = this.grades ? this.page.app.keys.meaning(event, "grade") : "";
    const value = meaning.startsWith("grade-") ? Number(meaning.slice("grade-".length)) : -1;
    const values = this.page.task.scale.grades.map((grade) => grade.value);
    if (!values.includes(value) || Math.max(...values) > 9) {
      return false;
    }
    if (!event.repeat) {
      this.page.grade(value);
    }
    return true;
  }
}

/** @param {string} reason @param {number} index */
function reasonBox(reason, index) {
  const input = el("input", { type: "checkbox", value: reason });
  return { input, label: el("label", {}, keyCap(String(index + 1)), input, tr(reason)) };
}

/** @param {number} maxLength characters */
function noteField(maxLength) {
  const traits = {
    type: "text",
    placeholder: tr("Note, saved with the answer"),
    "aria-label": tr("Note"),
    maxlength: maxLength,
    hidden: true,
    dir: "auto",
  };
  return el("input", traits);
}

/** @param {("left" | "right")[]} missing @returns {string} */
function missingListsText(missing) {
  if (missing.length > 1) {
    return tr("First scroll both sides to the end, or open a result on each side.");
  }
  return missing[0] === "left"
    ? tr("First scroll the left side to the end, or open one of its results.")
    : tr("First scroll the right side to the end, or open one of its results.");
}
