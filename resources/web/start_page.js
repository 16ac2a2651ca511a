/** What people of a panel read and answer before they judge, and after it; and the way out for who does not want to. */

import { button, el, reveal, setText } from "./dom.js";
import { Cut, Refusal, ask } from "./line.js";
import { fill, sentences, tr } from "./words.js";

/** @import { Served } from "./served.js" */
/** @import { Start, SurveyQuestion, Task } from "./task.js" */

/**
 * Show what stands before the work, where that was not agreed to yet.
 * @param {Start} start
 * @param {string} token
 * @returns {Promise<boolean>} whether somebody takes part
 */
export function beginStart(start, token) {
  const fields = new SurveyFields(start.before);
  const text = el("div", { class: "sheet", dir: "auto" });
  text.innerHTML = start.consent; // made harmless by the engine
  const count = start.count ? fill(tr("Items: %1."), start.count) : "";
  const minutes = start.minutes ? fill(tr("It takes about %1 minutes."), start.minutes) : "";
  const problem = el("p", { class: "error", role: "alert", hidden: true });
  const agree = button(start.consent ? tr("I agree and begin") : tr("Begin"), () => {}, { type: "submit", class: "primary" });
  const leave = button(tr("I do not take part"), () => {});
  const form = el("form", { class: "start-form" }, fields.root, problem, el("div", { class: "row wrap" }, agree, leave));
  const parts = [el("h1", {}, tr("Before you begin")), el("p", {}, sentences(count, minutes)), text, form];
  document.body.replaceChildren(el("main", { class: "joining" }, ...parts));
  return new Promise((resolve) => {
    const send = (/** @type {Record<string, unknown>} */ data, /** @type {boolean} */ stays) =>
      ask("/survey", data, token).then(
        () => resolve(stays),
        (fault) => {
          setText(problem, problemWords(fault));
          reveal(problem, true);
        },
      );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void send({ answers: fields.answers, consented: true }, true);
    });
    leave.addEventListener("click", () => void send({ withdraw: true }, false));
  });
}

/** Say that somebody does not take part, and that nothing of theirs counts. */
export function sayWithdrawn() {
  const words = tr("Nothing you did here counts. If a panel sent you, return the submission there.");
  document.body.replaceChildren(el("main", { class: "joining" }, el("h1", {}, tr("You do not take part")), el("p", {}, words)));
}

/**
 * Return what stands at the end of the work of somebody whom a panel sent: the last questions, and the code beside the link.
 * @param {Served} served
 * @returns {HTMLElement | null}
 */
export function endPart(served) {
  if (!served.completion) {
    return null;
  }
  const said = el("span", { class: "small quiet", role: "status" });
  const copy = button(tr("Copy the code"), async () => {
    const done = await navigator.clipboard?.writeText(served.code).then(
      () => true,
      () => false,
    );
    setText(said, done ? tr("Copied.") : tr("This browser does not let a page copy. Select the words and copy them."));
  });
  const code = served.code
    ? el("div", { class: "row wrap" }, el("span", {}, tr("Code:")), el("strong", { class: "code" }, served.code), copy, said)
    : null;
  return el("div", { class: "end-part" }, lastQuestions(served.task, served.token), code);
}

/** @param {Task} task @param {string} token */
function lastQuestions({ start }, token) {
  if (!start?.after.length || start.after.some(({ id }) => start.answered[id])) {
    return null;
  }
  const fields = new SurveyFields(start.after);
  const said = el("p", { class: "small quiet", role: "status" });
  const send = button(tr("Send the answers"), () => {}, { type: "submit" });
  const form = el(
    "form",
    { class: "start-form" },
    el("h2", {}, tr("A few last questions")),
    fields.root,
    el("div", { class: "row" }, send),
    said,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask("/survey", { answers: fields.answers }, token).then(
      () => {
        Object.assign(start.answered, fields.answers);
        form.replaceChildren(el("p", { role: "status" }, tr("Your answers are sent. Thank you.")));
      },
      (fault) => setText(said, problemWords(fault)),
    );
  });
  return form;
}

/** Questions with their fields: a choice of a few, or words of one's own. */
class SurveyFields {
  /** @param {SurveyQuestion[]} questions */
  constructor(questions) {
    this.questions = questions;
    this.root = el("div", { class: "start-form" }, ...questions.map((question) => this.field(question)));
  }

  /** @param {SurveyQuestion} question */
  field({ id, question, choices }) {
    if (!choices.length) {
      const area = el("textarea", { name: id, id: `survey-${id}`, rows: 2, maxlength: 2000, dir: "auto" });
      return el("div", { class: "start-form" }, el("label", { for: `survey-${id}` }, question), area);
    }
    const lines = choices.map((choice) =>
      el("label", { class: "check" }, el("input", { type: "radio", name: id, value: choice, required: true }), choice),
    );
    return el("fieldset", {}, el("legend", { dir: "auto" }, question), ...lines);
  }

  /** @returns {Record<string, string>} */
  get answers() {
    const said = (/** @type {string} */ id) => {
      const fields = /** @type {NodeListOf<HTMLInputElement>} */ (this.root.querySelectorAll(`[name="${CSS.escape(id)}"]`));
      return [...fields].find((field) => field.type !== "radio" || field.checked)?.value.trim() ?? "";
    };
    return Object.fromEntries(this.questions.map(({ id }) => [id, said(id)]));
  }
}

/** @param {unknown} fault @returns {string} */
function problemWords(fault) {
  if (!(fault instanceof Refusal || fault instanceof Cut)) {
    throw fault;
  }
  return fault instanceof Refusal ? fault.message : tr("The server does not answer. Is this device in the right network?");
}
