/** Grading page: shows a document, stores its judgment, continues. */

import { AT_WORK, KeyList, Message, ProgressCard, SaveState, TopicCard } from "./card_parts.js";
import { Workspace } from "./workspace.js";
import { openMenu, showStatePage, withdrawnPage } from "./dialogs.js";
import { button, isTouchDevice, el, keyCap, setText, noteBarHeight } from "./dom.js";
import { GradeButtons, MarksCard } from "./grade_parts.js";
import { openJumps } from "./jumps.js";
import { PagesButton, openPages } from "./pages.js";
import { Paper } from "./paper.js";
import { Reading } from "./reading.js";
import { placesOf, reasonOf } from "./reasons.js";
import { searchFrom } from "./searching.js";
import { Selected } from "./selected.js";
import { SeveralDocuments } from "./several.js";
import { endPart } from "./start_page.js";
import { roundPart } from "./rounds.js";
import { gradeBar, gradeWords, topicWords } from "./states.js";
import { unstashDraft } from "./stash.js";
import { titleOf } from "./task.js";
import { fill, sentences, tr } from "./words.js";

/** @import { Grading } from "./grading.js" */
/** @import { App } from "./main.js" */
/** @import { Action } from "./task.js" */

const MAX_RATIONALE_LENGTH = 10_000; // characters; an action must fit into a request
const SECOND_DIGIT_MS = 3000; // milliseconds to type the second digit of a grade
const SHORT_LIST = ["skip", "unjudgeable", "unsure", "note", "reason", "passage", "jump", "undo"]; // the help lists the other keys
const TOUCH_LIST = ["skip", "unjudgeable", "unsure", "note", "undo", "shortcuts"]; // the last one opens a list of the others

/** Grading page. */
export class GradePage {
  /** @param {App} app @param {Grading} session */
  constructor(app, session) {
    this.app = app;
    this.session = session;
    this.task = app.task;
    this.typed = ""; // first digit of a grade with two
    this.typing = 0;
    const act = (/** @type {string} */ id) => app.act(id);
    this.message = new Message(act);
    this.workspace = new Workspace(session, this.message, () => app.keys.cap("retry"));
    this.workspace.changed = () => app.changed();
    this.workspace.reportBusy = (busy) => this.root.setAttribute("aria-busy", String(busy));
    this.topic = new TopicCard(app.looks);
    this.scroller = el("div", { class: "paper", tabindex: 0, role: "document" });
    this.paper = new Paper(this.scroller, (address) => app.askLink(address));
    this.reading = new Reading(this.paper, { ...app.reader(), hint: (words) => this.message.hint(words), focus: () => this.focus() });
    this.pages = new PagesButton(() => this.showPages(), app.keys);
    this.grades = new GradeButtons(this.task.scale.grades, app.keys, (value) => this.give(value));
    this.marks = new MarksCard(this.noteCalls(), this.task.settings.longest_note);
    const actions = isTouchDevice() ? TOUCH_LIST : SHORT_LIST;
    this.keyList = new KeyList([...actions, ...(this.task.search ? ["search-collection"] : [])], app.keys, act, "key-list");
    const meters = app.served ? [tr("You"), tr("Everyone")] : [tr("This topic"), tr("All topics")];
    this.progress = new ProgressCard(meters, app.keys, act);
    this.waiting = false;
    this.several = new SeveralDocuments(this);
    this.short = el("span", { class: "small quiet numbers grow" });
    this.shortSave = new SaveState(app.keys, act);
    this.resting = el("div", { class: "resting-place" });
    const [may, begun] = [() => !this.workspace.reading, () => this.message.forgetWarning()];
    this.selected = new Selected(this.paper, () => this.act("reason"), may, begun);
    this.lastTopic = session.topics[0];
    this.root = el("main", { class: "grading" }, ...this.layOut(act));
    this.workspace.watch(this.root);
  }

  /** @param {(id: string) => void} act */
  layOut(act) {
    const left = el("div", { class: "left" }, this.topic.root, this.reading.card.root);
    const middle = el(
      "div",
      { class: "card middle" },
      this.reading.finder.root,
      this.reading.notice,
      this.pages.root,
      this.several.root,
      this.scroller,
      this.selected.button,
      this.resting,
    );
    const questionText = this.task.question ? tr(this.task.question) : tr("How relevant is this document?");
    const question = el("h2", {}, questionText);
    const grades = el("section", { class: "card grade-card", "aria-label": tr("Grade") }, question, this.grades.root);
    const narrowParts = [
      button(tr("Skip"), () => act("skip"), AT_WORK),
      button(tr("Undo"), () => act("undo"), AT_WORK),
      this.shortSave.button,
      button(tr("More"), () => act("shortcuts"), { "aria-label": tr("More actions") }),
    ];
    const strip = el(
      "div",
      { class: "strip" },
      el("div", { class: "row" }, this.short, this.shortSave.words),
      el("div", { class: "row" }, ...narrowParts),
    );
    const more = isTouchDevice() ? "" : button(tr("All shortcuts"), () => act("shortcuts"), { class: "link more" }, keyCap("?"));
    const keys = el("section", { class: "card keys", "aria-label": isTouchDevice() ? tr("Actions") : tr("Keys") }, this.keyList.root, more);
    const right = el("div", { class: "right" }, grades, this.marks.root, keys, this.progress.root, this.message.root, strip);
    noteBarHeight(right);
    return [left, middle, right];
  }

  noteCalls() {
    return {
      keep: (/** @type {string} */ words) => this.keepNote(words),
      draft: (/** @type {string} */ words) => this.draft(words),
      stay: () => this.message.hint(tr("Unsaved note. It is saved with the grade, or when you press Enter.")),
      leave: () => this.focus(),
    };
  }

  // Interface for the app

  /** Show the current item. */
  start() {
    this.show(this.session.current());
  }

  /** Focus the document, or the next step. */
  focus() {
    const rest = /** @type {HTMLElement | null} */ (
      this.root.querySelector(".state > .row .primary") ?? this.root.querySelector(".state h1")
    );
    (rest ?? this.scroller).focus({ preventScroll: true });
  }

  /** Update after a change of the log or the keys. */
  refresh() {
    this.grades.refresh();
    this.keyList.refresh();
    this.pages.refresh();
    this.progress.links.refresh();
    this.showState();
  }

  /**
   * Handle a key; return whether it was used.
   * @param {KeyboardEvent} event
   * @returns {boolean}
   */
  key(event) {
    const meaning = this.app.keys.meaning(event, "grade");
    if (!meaning) {
      return false;
    }
    if (!event.repeat) {
      if (meaning.startsWith("grade-")) {
        this.type(meaning.slice("grade-".length));
      } else {
        this.app.act(meaning);
      }
    }
    return true;
  }

  /** @param {string} id @returns {boolean} whether an action would do anything at the moment */
  isUseful(id) {
    if (id.endsWith("-on-page")) {
      return this.several.shown;
    }
    return ["find-next", "find-previous"].includes(id) ? this.reading.finder.isOpen : this.workspace.isUseful(id);
  }

  /** @param {string} id does an action of this page */
  act(id) {
    const calls = /** @type {Record<string, () => unknown>} */ ({
      skip: () => this.judge((place, ms) => this.session.skip(place, ms, this.several.seen), tr("skipped for now")),
      unjudgeable: () => this.askUnjudgeable(),
      unsure: () => this.mark("unsure", (place) => this.session.switchUnsure(place), tr("unsure")),
      note: () => this.writeNote(),
      reason: () => this.keepSelection(),
      passage: () => this.reading.showPassage(),
      highlight: () => this.reading.highlight(),
      "next-hit": () => this.reading.walk(1),
      "previous-hit": () => this.reading.walk(-1),
      find: () => this.reading.finder.open(),
      "find-next": () => this.reading.finder.step(1),
      "find-previous": () => this.reading.finder.step(-1),
      pages: () => this.showPages(),
      jump: () => this.jump(),
      "search-collection": () => searchFrom(this),
      back: () => this.back(),
      several: () => this.several.toggle(),
      "next-on-page": () => this.several.step(1),
      "previous-on-page": () => this.several.step(-1),
      undo: () => this.undo(),
      redo: () => this.redo(),
      retry: () => this.workspace.retry(),
    });
    this.forgetDigit();
    calls[id]?.();
  }

  // Judging

  /** @param {string} digit one key, or two where the scale goes beyond 9 */
  type(digit) {
    const values = this.task.scale.grades.map((grade) => grade.value);
    if (Math.max(...values) > 9 && !this.typed) {
      if (this.ready() !== null) {
        this.typed = digit;
        this.typing = setTimeout(() => this.forgetDigit(), SECOND_DIGIT_MS);
        this.message.hint(fill(tr("Grade {digit}_: type the second digit."), { digit }));
      }
      return;
    }
    const value = Number(this.typed + digit);
    this.forgetDigit();
    if (values.includes(value)) {
      this.give(value);
    } else {
      this.message.ignored(fill(tr("Grade {grade} is not on the scale."), { grade: value }));
    }
  }

  /** Forget the first digit of a grade, so that a later digit is not taken for the second one. */
  forgetDigit() {
    clearTimeout(this.typing);
    if (this.typed) {
      this.typed = "";
      this.message.hint("");
    }
  }

  /** @param {number} value */
  give(value) {
    this.forgetDigit();
    this.judge((place, ms) => this.session.grade(place, value, ms, this.several.seen), fill(tr("grade {grade}"), { grade: value }));
  }

  askUnjudgeable() {
    const reasons = this.task.unjudgeable;
    const place = this.onPaper();
    if (place === null) {
      return;
    }
    const chosen = (/** @type {number} */ choice) => {
      if (this.app.page === this && this.workspace.rendered === place) {
        this.unjudgeable(reasons[choice]);
      } else {
        this.app.page.message.ignored(tr("Ignored: the document is no longer shown."));
      }
    };
    openMenu(tr("Why can't this be judged?"), reasons.map(tr), chosen, () => this.focus());
  }

  /** @param {string} reason */
  unjudgeable(reason) {
    this.judge(
      (place, ms) => this.session.unjudgeable(place, reason, ms, this.several.seen),
      fill(tr("unjudgeable ({reason})"), { reason: tr(reason) }),
    );
  }

  /** @returns {number | null} the document that may be judged now */
  ready() {
    return this.workspace.ready(tr("Key ignored: the document had just appeared."));
  }

  /** @returns {number | null} the document of notes and flags */
  onPaper() {
    return this.workspace.reading ? this.ready() : this.workspace.rendered;
  }

  /** @param {(place: number, activeMs: number) => Action} make @param {string} words */
  judge(make, words) {
    const place = this.ready();
    if (place === null) {
      return;
    }
    this.keepUnkept(place);
    const activeMs = this.workspace.active.stop();
    const topic = this.task.items[place].topic;
    const remaining = this.left(topic);
    void this.workspace.commit(
      () => make(place, activeMs),
      () => {
        this.saySaved(place, words);
        this.message.add(this.agreed(place));
        // a topic with a single document has no summary, and topics in turn are not done when the loaded documents are judged
        const hasSummary = this.session.count(topic).judged > 1 && !this.task.mixed;
        if (hasSummary && remaining && this.left() && !this.left(topic)) {
          this.rest(topic);
        } else {
          this.show(this.session.advance());
        }
      },
    );
  }

  /** @param {number} [topic] @returns {number} documents that are not judged */
  left(topic) {
    const { judged, assigned } = this.session.count(topic);
    return assigned - judged;
  }

  /** @param {number} place @param {string} words */
  saySaved(place, words) {
    const noted = isTouchDevice() ? tr("Recorded: {document}, {text}.") : tr("Recorded: {document}, {text}. {key} undoes it.");
    const saved = isTouchDevice() ? tr("Saved: {document}, {text}.") : tr("Saved: {document}, {text}. {key} undoes it.");
    this.message.hint(
      fill(this.app.served ? noted : saved, { document: this.session.documentName(place), text: words, key: this.app.keys.cap("undo") }),
    );
  }

  /** @param {number} place @returns {string} the agreed grade of a calibration document, once it was judged */
  agreed(place) {
    const value = this.task.items[place].agreed;
    const judged = this.session.judgment(place);
    const label = this.task.scale.grades.find((grade) => grade.value === value)?.label ?? "";
    return value === undefined || !judged
      ? ""
      : ` ${fill(tr("Known grade of {document}: {value} {label}"), { document: this.session.documentName(place), value, label: tr(label) })}`;
  }

  undo() {
    if (this.workspace.giveUp()) {
      this.message.hint(tr("Unsaved changes discarded."));
    } else if (this.onPaperOrRest()) {
      const words = isTouchDevice() ? tr("Undone: {action}.") : tr("Undone: {action}. {key} redoes it.");
      this.take(() => this.session.undo(), words, "redo");
    }
  }

  redo() {
    if (this.onPaperOrRest()) {
      this.take(() => this.session.redo(), tr("Redone: {action}. {key} undoes it."), "undo");
    }
  }

  /** @returns {boolean} whether this tab may write */
  onPaperOrRest() {
    return !this.workspace.reading || this.ready() !== null;
  }

  /** @param {() => Action | null} make @param {string} words @param {string} other */
  take(make, words, other) {
    if (this.app.served?.halted) {
      this.message.ignored(tr("Key ignored: there is nothing to judge here."));
      return;
    }
    this.flush();
    void this.workspace.commit(
      make,
      (action) => {
        this.session.goTo(action);
        this.show(this.session.current());
        this.message.hint(fill(words, { action: gradeWords(this.task, this.target(action)), key: this.app.keys.cap(other) }));
      },
      "take",
    );
  }

  /** @param {Action} action @returns {Action} what an undo or redo was about */
  target(action) {
    const found = this.session.log.actions.find((each) => each.client === action.target?.client && each.number === action.target?.number);
    return found ?? action;
  }

  // Marks

  /** @param {string} kind @param {(place: number) => Action} make @param {string} words */
  mark(kind, make, words) {
    const place = this.onPaper();
    if (place !== null) {
      void this.workspace.commit(
        () => make(place),
        () => {
          this.saySaved(place, words);
          this.showMarks(kind !== "note");
        },
        kind,
      );
    }
  }

  writeNote() {
    if (this.onPaper() !== null) {
      this.message.forgetWarning();
      this.marks.open();
    }
  }

  /** @param {string} words */
  keepNote(words) {
    if (this.marks.unkept !== null) {
      this.mark("note", (place) => this.session.note(place, words), tr("a note"));
    }
  }

  /** @param {number} place stores a typed note before the judgment */
  keepUnkept(place) {
    const words = this.marks.unkept;
    if (words !== null) {
      this.workspace.waiting.set("note", { make: () => this.session.note(place, words), then: () => {} });
      this.marks.kept = words;
    }
  }

  /** @param {string} words stores a draft, so that a crash does not lose it */
  draft(words) {
    const place = this.workspace.rendered;
    if (place === null || this.workspace.reading) {
      return;
    }
    const { draft, note } = this.session.marks(place);
    if (words !== (draft ?? note)) {
      void this.workspace.commit(
        () => this.session.draft(place, words),
        () => {},
        "draft",
      );
    }
  }

  /** Store unsaved text as a draft before the field changes. */
  flush() {
    const words = this.marks.unkept;
    if (words !== null) {
      this.draft(words);
    }
  }

  keepSelection() {
    const place = this.onPaper();
    if (place === null) {
      return;
    }
    const { content } = this.task.documents[this.task.items[place].documents[0]];
    const reason = reasonOf(this.paper.sheet, this.selected.range, this.task.contents[content].unsaid);
    if (!reason) {
      this.message.ignored(tr("Select text first, then mark it as evidence."));
      return;
    }
    if (reason.text.length > MAX_RATIONALE_LENGTH) {
      const words = tr("This text is too long to mark as evidence. Select at most {count} characters.");
      this.message.ignored(fill(words, { count: MAX_RATIONALE_LENGTH }));
      return;
    }
    if (this.session.marks(place).rationales.some((kept) => JSON.stringify(kept) === JSON.stringify(reason))) {
      this.message.hint(tr("This text is already marked as evidence."));
      return;
    }
    getSelection()?.removeAllRanges();
    this.selected.forget();
    this.mark("reason", () => this.session.rationale(place, reason), tr("marked evidence"));
  }

  // Rendering

  back() {
    const place = this.session.lastJudged();
    if (place !== null) {
      this.open(place);
    } else {
      this.message.hint(tr("This is the first document."));
    }
  }

  /** @param {number} place */
  open(place) {
    this.flush();
    this.session.at = place;
    this.show(place);
  }

  /** @param {number} [topic] */
  jump(topic) {
    const at = this.session.at;
    const first = topic ?? (at === null ? this.session.topics[this.session.topics.length - 1] : this.task.items[at].topic);
    openJumps(
      this.session,
      first,
      at,
      (place) => this.open(place),
      () => this.focus(),
    );
  }

  /** @param {number | null} place */
  show(place) {
    this.forgetDigit();
    this.selected.forget();
    if (place === null || this.app.served?.halted) {
      this.showEnd();
      return;
    }
    this.waiting = false;
    this.root.classList.remove("resting");
    this.resting.replaceChildren();
    const { topic, documents } = this.task.items[place];
    const [document] = documents;
    this.lastTopic = topic;
    const { title, id, content } = this.task.documents[document];
    const isNewTopic = !this.session.count(topic).judged;
    const topicCount = this.app.served ? 0 : this.session.topics.length; // a session's task contains assigned items only
    this.topic.show(this.task.topics[topic], this.session.topics.indexOf(topic) + 1, topicCount, isNewTopic);
    this.scroller.setAttribute("aria-label", fill(tr("Document: {name}"), { name: title || id }));
    this.message.next(titleOf(this.task, id));
    this.pages.show(this.task.documents[document]);
    const loaded = this.several.put(place, () => this.paper.show(this.task.contents[content], this.task.documents[document]));
    this.scroller.focus({ preventScroll: true });
    this.showState();
    void this.workspace.show(place).then(() => unstashDraft(this, place));
    void this.reading.begin(topic, document, loaded);
    void loaded.then((whole) => whole && this.showReasons(place));
  }

  /** Show the page images of the document, if there are any. */
  showPages() {
    const place = this.workspace.rendered;
    const document = place === null ? null : this.task.documents[this.task.items[place].documents[0]];
    if (document?.pages !== undefined) {
      openPages(document, () => this.focus());
    } else {
      this.message.hint(tr("This document has no page images."));
    }
  }

  /** @param {number} place highlights the saved rationales */
  showReasons(place) {
    const { content } = this.task.documents[this.task.items[place].documents[0]];
    const { rationales } = this.session.marks(place);
    const places = rationales.length ? placesOf(this.paper.text, rationales, this.task.contents[content].unsaid) : [];
    this.paper.mark("reason", places);
  }

  /** Show progress, and the judgment of the document. */
  showState() {
    this.showProgress();
    this.several.refresh();
    this.showMarks(this.marks.isFocused);
  }

  /** Show progress in the card, or in a line on small screens. */
  showProgress() {
    const { served } = this.app;
    const counts = served ? served.counts : [this.session.count(this.lastTopic), this.session.count()];
    this.progress.show(this.session, counts, served?.state === "ended");
    this.progress.showRound(served?.roundWords ?? "");
    this.progress.showLate(served?.late ?? 0);
    this.shortSave.show(this.session);
    const [topic, all] = counts;
    const words = served
      ? served.countWords
      : fill(tr("{judged}/{assigned} in topic · {total_judged}/{total_assigned} total"), {
          judged: topic.judged,
          assigned: topic.assigned,
          total_judged: all.judged,
          total_assigned: all.assigned,
        });
    setText(this.short, words);
  }

  /** Show a newly assigned document if none was shown; otherwise update the session's status. */
  goOn() {
    const isHalted = Boolean(this.app.served?.halted);
    const next = this.waiting && !isHalted ? this.session.current() : null;
    if (next !== null) {
      this.show(next);
    } else if (isHalted || this.waiting) {
      if (this.session.at !== null) {
        this.flush();
      }
      this.showWaiting();
    } else if (this.session.at !== null && this.session.isWithdrawn(this.session.at)) {
      this.flush();
      this.showWithdrawn();
    }
  }

  /** Say that the document was taken back; a key pressed for it must not grade the next one. */
  showWithdrawn() {
    this.session.at = null;
    this.showPage(withdrawnPage(() => this.show(this.session.current())));
  }

  showWaiting() {
    const { title, words } = this.app.served?.rest() ?? { title: "", words: "" };
    this.session.at = null;
    this.waiting = true;
    const { served } = this.app;
    const undo = { label: tr("Undo"), call: () => this.undo(), quiet: true };
    const back = this.session.log.ledger.toUndo && !served?.halted ? [undo] : [];
    const choices = [...(served?.ways ?? []), ...back];
    const labels = choices.map(({ label }) => label);
    const shows = JSON.stringify([title, words, labels, served?.code, served?.news.round]);
    if (this.resting.childElementCount && this.resting.dataset.shows === shows) {
      this.showProgress();
      return;
    }
    const round = served && !served.shut && !served.news.aside ? roundPart(served, this.task, this.session, this.app) : null;
    const end = served ? (round ?? endPart(served)) : null;
    this.showPage(showStatePage(title, words, choices, end), shows);
  }

  /** @param {boolean} typing whether a note is being typed, which is not changed */
  showMarks(typing) {
    const place = this.session.at;
    if (place !== null) {
      const judgment = this.session.judgment(place);
      this.grades.show(judgment?.kind === "grade" ? judgment.payload.value : null);
      this.marks.show(this.session.marks(place), typing);
      this.marks.note.placeholder =
        this.app.served?.news.round?.state === "open" ? tr("Note (others see it after the round)") : tr("Note, saved with the grade");
      if (this.paper.complete) {
        this.showReasons(place);
      }
    }
  }

  /** @param {number} topic shows a summary before the next topic */
  rest(topic) {
    const picture = gradeBar(this.session, topic);
    const next = () => this.show(this.session.advance());
    const choices = [
      { label: tr("Next topic"), call: next },
      { label: tr("Documents of this topic"), call: () => this.jump(topic) },
    ];
    const name = this.task.topics[topic].title || this.task.topics[topic].id;
    this.showPage(showStatePage(fill(tr("Topic done: {name}"), { name }), topicWords(this.session, topic), choices, picture));
  }

  showEnd() {
    if (this.app.served) {
      this.showWaiting();
      return;
    }
    const count = this.session.count();
    const words = fill(tr("Documents judged: {judged}; topics: {topics}."), { judged: count.judged, topics: this.session.topics.length });
    const choices = [
      { label: tr("Submit"), call: () => this.app.act("hand-in") },
      { label: tr("Browse documents"), call: () => this.jump() },
      { label: tr("Undo"), call: () => this.undo() },
    ];
    this.session.at = null;
    this.showPage(showStatePage(tr("All done"), sentences(words, tr("Submit to create the file to return.")), choices));
  }

  /** @param {HTMLElement} page @param {string} [shows] contents of a page that is drawn again only if they change */
  showPage(page, shows = "") {
    this.message.forgetWarning();
    void this.workspace.show(null);
    this.showProgress();
    this.resting.replaceChildren(page);
    this.resting.dataset.shows = shows;
    this.root.classList.add("resting");
    this.focus();
  }
}
