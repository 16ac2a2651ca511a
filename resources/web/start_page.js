/** Consent and surveys before and after judging, and withdrawal. */

import { askLink, confirm } from "./dialogs.js";
import { button, el, followLinks, makeLinksFocusable, reveal, setText } from "./dom.js";
import { ConnectionLost, Refusal, ask, refusalWords } from "./line.js";
import { wellFormed } from "./log.js";
import { fill, sentences, tr } from "./words.js";

/** @import { Served } from "./served.js" */
/** @import { Start, SurveyQuestion, Task } from "./task.js" */

/** @typedef {(data: Record<string, unknown>) => Promise<unknown>} Send sends answers to the server; a preview sends nothing */

/** @param {string} token @returns {Send} */
export function sendAs(token) {
  return (data) => ask("/survey", data, token);
}

/**
 * Show consent and questions before judging, unless they were answered.
 * @param {Start} start
 * @param {Send} sendAnswers
 * @param {boolean} preview
 * @returns {Promise<boolean>} whether the participant takes part
 * @throws {Refusal} if the participant no longer has access
 */
export function beginStart(start, sendAnswers, preview = false) {
  const fields = new SurveyFields(start.before);
  const text = el("div", { class: "sheet", dir: "auto" });
  text.innerHTML = start.consent; // sanitised by the engine
  makeLinksFocusable(text);
  followLinks(text, (address) => askLink(address, () => {}));
  const count = start.count ? fill(tr("Items: {items}."), { items: start.count }) : "";
  const minutes = start.minutes ? fill(tr("About {minutes} min."), { minutes: start.minutes }) : "";
  const problem = el("p", { class: "error", role: "alert", hidden: true });
  const agree = button(start.consent ? tr("Agree and start") : tr("Start"), () => {}, { type: "submit", class: "primary" });
  const leave = button(tr("I don't want to take part"), () => {});
  const form = el("form", { class: "start-form", novalidate: true }, fields.root, problem, el("div", { class: "row wrap" }, agree, leave));
  const notice = el("p", { class: "warning", hidden: !preview }, tr("This is a preview: nothing is saved or sent."));
  const parts = [notice, el("h1", {}, tr("Before you start")), el("p", {}, sentences(count, minutes)), text, form];
  document.body.replaceChildren(el("main", { class: "joining" }, ...parts));
  return new Promise((resolve, reject) => {
    const send = (/** @type {Record<string, unknown>} */ data, /** @type {boolean} */ stays) =>
      sendAnswers(data).then(
        () => resolve(stays),
        (error) => {
          if (error instanceof Refusal && ["token", "ended"].includes(error.kind)) {
            reject(error);
            return;
          }
          setText(problem, problemWords(error));
          reveal(problem, true);
        },
      );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (fields.check()) {
        void send({ answers: fields.answers, consented: true }, true);
      }
    });
    const words = tr("You will not get any documents, even if you open this page again. This cannot be undone here.");
    const decline = () => void send({ withdraw: true }, false);
    leave.addEventListener("click", () => confirm(tr("Leave without taking part?"), [words], tr("I don't want to take part"), decline));
  });
}

/** Show that the participant withdrew and that no judgment counts. */
export function showWithdrawn() {
  const words = tr("None of your work here will be used. If another site sent you here, return your submission there.");
  document.body.replaceChildren(el("main", { class: "joining" }, el("h1", {}, tr("You chose not to take part")), el("p", {}, words)));
}

/**
 * Return whether the questions after judging are unanswered in a preview.
 * @param {Task} task
 * @returns {boolean}
 */
export function asksLast({ start }) {
  return Boolean(start?.after.length) && !start?.left && !start?.after.some(({ id }) => id in start.answered);
}

/**
 * Return the end of the page: the last questions or, once answered, the panel's completion code and link.
 * @param {Served} served
 * @returns {HTMLElement | null}
 */
export function endPart(served) {
  if (served.asksLast) {
    served.lastForm ??= lastQuestions(served);
    const oldFocus = document.activeElement;
    if (oldFocus instanceof HTMLElement && served.lastForm.contains(oldFocus)) {
      queueMicrotask(() => oldFocus.focus()); // the page around the form is replaced while the participant types
    }
    return el("div", { class: "end-part" }, served.lastForm);
  }
  if (!served.completion || !served.code) {
    return null;
  }
  const status = el("span", { class: "small quiet", role: "status" });
  const copy = button(tr("Copy the code"), async () => {
    const isCopied = await navigator.clipboard?.writeText(served.code).then(
      () => true,
      () => false,
    );
    setText(status, isCopied ? tr("Copied.") : tr("This browser does not let the page copy text. Select the text and copy it yourself."));
  });
  const code = el("div", { class: "row wrap" }, el("span", {}, tr("Code:")), el("strong", { class: "code" }, served.code), copy, status);
  return el("div", { class: "end-part" }, code);
}

/** @param {Served} served @returns {HTMLElement} */
function lastQuestions(served) {
  const start = /** @type {Start} */ (served.task.start);
  const fields = new SurveyFields(start.after);
  const problem = el("p", { class: "error", role: "alert", hidden: true });
  const send = button(tr("Send the answers"), () => {}, { type: "submit", class: "primary" });
  const goOn = () => {
    start.left = true;
    served.onUpdate(false); // a preview continues at once
    served.kick(); // the server sends the code only now; until then the questions stay
  };
  const fail = (/** @type {unknown} */ error) => {
    setText(problem, problemWords(error));
    reveal(problem, true);
    reveal(leave, true); // payment does not depend on answers that cannot be sent
  };
  const leave = button(tr("Continue without sending"), () => void served.sendAnswers({ skip: true }).then(goOn, fail), { hidden: true });
  const form = el("form", { class: "start-form", novalidate: true }, fields.root, problem, el("div", { class: "row wrap" }, send, leave));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!fields.check()) {
      return;
    }
    served.sendAnswers({ answers: fields.answers }).then(() => {
      Object.assign(start.answered, fields.answers);
      goOn();
    }, fail);
  });
  return form;
}

/** Survey questions with choices or text fields. */
class SurveyFields {
  /** @param {SurveyQuestion[]} questions */
  constructor(questions) {
    this.questions = questions;
    /** @type {HTMLElement[]} questions with choices */
    this.groups = [];
    this.root = el("div", { class: "start-form" }, ...questions.map((question) => this.field(question)));
  }

  /** @param {SurveyQuestion} question */
  field({ id, question, choices }) {
    if (!choices.length) {
      const area = el("textarea", { name: id, id: `survey-${id}`, rows: 2, maxlength: 2000, dir: "auto" });
      return el(
        "div",
        { class: "start-form" },
        el("label", { for: `survey-${id}` }, `${question} `, el("span", { class: "quiet" }, tr("(optional)"))),
        area,
      );
    }
    const lines = choices.map((choice) =>
      el("label", { class: "check" }, el("input", { type: "radio", name: id, value: choice, required: true }), choice),
    );
    const missing = el("p", { class: "error", role: "alert", id: `missing-${id}`, hidden: true });
    const group = el("fieldset", { role: "radiogroup", "aria-describedby": missing.id }, el("legend", { dir: "auto" }, question), ...lines);
    group.append(missing);
    group.addEventListener("change", () => this.mark(group, false));
    this.groups.push(group);
    return group;
  }

  /** @param {HTMLElement} group @param {boolean} isMissing */
  mark(group, isMissing) {
    const words = /** @type {HTMLElement} */ (group.querySelector(".error"));
    setText(words, isMissing ? `✕ ${tr("Choose an answer.")}` : "");
    reveal(words, isMissing);
    group.setAttribute("aria-invalid", String(isMissing));
  }

  /** @returns {boolean} whether all choices were made; otherwise the first missing one is marked and focused */
  check() {
    const missing = this.groups.filter((group) => !group.querySelector("input:checked"));
    this.groups.forEach((group) => this.mark(group, missing.includes(group)));
    missing[0]?.querySelector("input")?.focus();
    return !missing.length;
  }

  /** @returns {Record<string, string>} */
  get answers() {
    const answer = (/** @type {string} */ id) => {
      const fields = /** @type {NodeListOf<HTMLInputElement>} */ (this.root.querySelectorAll(`[name="${CSS.escape(id)}"]`));
      return wellFormed([...fields].find((field) => field.type !== "radio" || field.checked)?.value.trim() ?? "");
    };
    return Object.fromEntries(this.questions.map(({ id }) => [id, answer(id)]));
  }
}

/** @param {unknown} error @returns {string} */
export function problemWords(error) {
  if (!(error instanceof Refusal || error instanceof ConnectionLost)) {
    throw error;
  }
  return error instanceof Refusal ? refusalWords(error) : tr("The server is not responding. Is this device on the right network?");
}
