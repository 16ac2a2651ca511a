/** Parts of the grading page: grades, note and marks. */

import { button, el, keyCap, setText, reveal } from "./dom.js";
import { fill, tr } from "./words.js";

/** @import { KeyMap } from "./keys.js" */
/** @import { Marks } from "./ledger.js" */
/** @import { Grade } from "./task.js" */

const DRAFT_MS = 700; // typing pause after which a draft is stored
const MAX_REASONS = 3; // maximum number of rationales shown
const MAX_REASON_LENGTH = 80; // maximum number of characters shown of a rationale

/** Grades of the scale as buttons with digit, label and a color scale. */
export class GradeButtons {
  /**
   * @param {Grade[]} grades
   * @param {KeyMap} keys
   * @param {(value: number) => void} give
   */
  constructor(grades, keys, give) {
    this.keys = keys;
    this.grades = grades;
    this.buttons = grades.map((grade, place) => this.make(grade, place, give));
    this.root = el(
      "div",
      { class: grades.length > 6 ? "grades many" : "grades", role: "group", "aria-label": tr("Grades") },
      ...[...this.buttons].reverse(),
    );
    this.root.style.setProperty("--grades", String(grades.length));
    this.refresh();
  }

  /** @param {Grade} grade @param {number} place @param {(value: number) => void} give */
  make(grade, place, give) {
    const label = tr(grade.label);
    const made = button("", () => give(grade.value), { class: "grade", title: grade.help || label });
    made.dataset.grade = String(grade.value);
    made.dataset.step = String(gradeStep(place, this.grades.length - 1));
    made.append(
      el("b", {}, String(grade.value)),
      el("span", { class: "label" }, label),
      el("span", { class: "given", hidden: true }, "✓"),
      keyCap(""),
    );
    return made;
  }

  /** Update the key caps; a key that is the digit of the grade is not shown. */
  refresh() {
    this.grades.forEach(({ value }, place) => {
      const cap = this.keys.gradeCap(value);
      const keyLabel = /** @type {HTMLElement} */ (this.buttons[place].querySelector("kbd"));
      setText(keyLabel, cap);
      reveal(keyLabel, Boolean(cap) && cap !== String(value) && cap !== [...String(value)].join(" "));
      const aria = value < 10 ? this.keys.aria(`grade-${value}`) : null;
      if (aria) {
        this.buttons[place].setAttribute("aria-keyshortcuts", aria);
      } else {
        this.buttons[place].removeAttribute("aria-keyshortcuts");
      }
    });
  }

  /** @param {number | null} given highlights the document's grade */
  show(given) {
    this.grades.forEach(({ value }, place) => {
      this.buttons[place].setAttribute("aria-pressed", String(value === given));
      reveal(/** @type {HTMLElement} */ (this.buttons[place].querySelector(".given")), value === given);
    });
  }
}

/** Field of the note, with flag and rationales. */
export class MarksCard {
  /**
   * @param {object} calls
   * @param {(words: string) => void} calls.keep with Enter
   * @param {(words: string) => void} calls.draft in pauses of typing, and with Escape
   * @param {() => void} calls.stay called with Escape if the note is not saved
   * @param {() => void} calls.leave
   * @param {number} longest maximum length of a note in characters
   */
  constructor({ keep, draft, stay, leave }, longest) {
    this.draft = draft;
    this.kept = "";
    this.pause = 0;
    this.used = false; // whether the document has any mark
    this.note = el("input", {
      type: "text",
      "aria-label": tr("Note"),
      enterkeyhint: "done",
      maxlength: longest,
      autocomplete: "off",
      dir: "auto",
    });
    this.marked = el("ul", { class: "marked small" });
    this.root = el("section", { class: "card marks", "aria-label": tr("Note, flag and evidence"), hidden: true }, this.note, this.marked);
    this.note.addEventListener("input", () => this.later());
    this.note.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) {
        clearTimeout(this.pause);
        keep(this.note.value);
        leave();
      } else if (event.key === "Escape") {
        this.stop(stay);
        leave();
      }
    });
  }

  later() {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.draft(this.note.value), DRAFT_MS);
  }

  /**
   * Store unsaved text as a draft.
   * @param {() => void} stay called if there is any
   */
  stop(stay) {
    clearTimeout(this.pause);
    if (this.unkept !== null) {
      this.draft(this.note.value);
      stay();
    }
  }

  /** @returns {string | null} unsaved note; null for none */
  get unkept() {
    return this.note.value === this.kept ? null : this.note.value;
  }

  /** @returns {boolean} */
  get isFocused() {
    return document.activeElement === this.note;
  }

  /** @param {Marks} marks @param {boolean} typing whether a note is being typed, which is not changed */
  show(marks, typing) {
    this.kept = marks.note;
    if (!typing) {
      clearTimeout(this.pause);
      this.note.value = marks.draft ?? marks.note;
    }
    const more = marks.rationales.length - MAX_REASONS;
    const lines = [
      marks.unsure && tr("⚑ unsure"),
      marks.draft !== null && tr("Unsaved note. It is saved with the grade, or when you press Enter."),
      ...marks.rationales.slice(-MAX_REASONS).map(({ text }) => `“${short(text)}”`),
      more > 0 && fill(tr("Marked as evidence: {count}"), { count: marks.rationales.length }),
    ];
    this.marked.replaceChildren(...lines.filter(Boolean).map((line) => el("li", { dir: "auto" }, line)));
    reveal(this.marked, this.marked.childElementCount > 0);
    this.used = Boolean(marks.note || marks.draft || marks.unsure || marks.rationales.length);
    reveal(this.root, this.used || this.isFocused);
  }

  open() {
    reveal(this.root, true);
    this.note.focus();
  }
}

/** @param {string} words @returns {string} */
function short(words) {
  return words.length <= MAX_REASON_LENGTH ? words : `${words.slice(0, MAX_REASON_LENGTH - 1)}…`;
}

/**
 * Return the index of a grade's color among seven: 0 is grey, 6 the strongest.
 * As in the window, the lowest positive grade is 1, the highest 6, and the middle between them 4.
 * @param {number} place
 * @param {number} highest
 * @returns {number}
 */
export function gradeStep(place, highest) {
  if (!place) {
    return 0;
  }
  const share = highest > 1 ? (place - 1) / (highest - 1) : 1;
  return share > 0.5 ? Math.round(2 + 4 * share) : Math.round(1 + 6 * share);
}
