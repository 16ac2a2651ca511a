/** Texts about actions, and summaries. */

import { el } from "./dom.js";
import { gradeStep } from "./grade_parts.js";
import { judges } from "./ledger.js";
import { titleOf } from "./task.js";
import { duration, entryOf, fill, sentences, tr } from "./words.js";

/** @import { Grading } from "./grading.js" */
/** @import { Session } from "./session.js" */
/** @import { Action, Task } from "./task.js" */

/**
 * Return a text that describes an action, with its document.
 * @param {Task} task
 * @param {Action} action
 * @returns {string}
 */
export function gradeWords(task, action) {
  const words = /** @type {Record<string, string>} */ ({
    skip: tr("skipped"),
    unjudgeable: tr("unjudgeable"),
    unsure: tr("unsure"),
    note: tr("a note"),
    rationale: tr("marked evidence"),
  });
  const text =
    action.kind === "grade" ? fill(tr("grade {grade}"), { grade: action.payload.value }) : (entryOf(words, action.kind) ?? action.kind);
  return `${titleOf(task, action.item.documents[0])}, ${text}`;
}

/**
 * Return a text that describes an action of a comparison.
 * @param {Action} action
 * @returns {string}
 */
export function compareWords(action) {
  if (action.kind === "skip") {
    return tr("skipped for now");
  }
  if (action.kind === "grade") {
    return fill(tr("grade {grade}"), { grade: action.payload.value });
  }
  const much = action.payload.strength === 2;
  const words = /** @type {Record<string, string>} */ ({
    left: much ? tr("left much better") : tr("left better"),
    right: much ? tr("right much better") : tr("right better"),
    tie: tr("about equal"),
  });
  return entryOf(words, action.payload.winner) ?? "";
}

/**
 * Return the summary of a topic, and the remaining work.
 * @param {Grading} session
 * @param {number} topic
 * @returns {string}
 */
export function topicWords(session, topic) {
  const standings = session.standings(topic);
  const judged = standings.filter(({ state }) => state === "grade" || state === "unjudgeable");
  const unjudgeable = judged.filter(({ state }) => state === "unjudgeable").length;
  const unsure = standings.filter((standing) => standing.unsure).length;
  const times = standings
    .flatMap(({ place }) => session.log.ledger.history.get(session.keys[place]) ?? [])
    .map((action) => action.payload.active_ms ?? 0);
  const words = fill(tr("Documents judged: {judged}, in {duration}."), {
    judged: judged.length,
    duration: duration(times.reduce((sum, ms) => sum + ms, 0) / 1000),
  });
  const unjudgeableText = unjudgeable ? fill(tr("Unjudgeable: {unjudgeable}."), { unjudgeable }) : "";
  const unsureText = unsure ? fill(tr("Unsure: {unsure}."), { unsure }) : "";
  const left = session.task.served ? "" : `\n${leftWords(session)}`; // a session's task contains assigned items only
  return `${sentences(words, unjudgeableText, unsureText)}${left}`;
}

/** @param {Grading} session @returns {string} */
function leftWords(session) {
  const counts = session.topics.map((topic) => session.count(topic)).filter(({ judged, assigned }) => judged < assigned);
  const documents = counts.reduce((sum, { judged, assigned }) => sum + assigned - judged, 0);
  const seconds = session.secondsLeft;
  const time = seconds ? fill(tr("About {duration} left at your pace."), { duration: duration(seconds) }) : "";
  return sentences(
    fill(tr("Documents left: {documents_left}; topics: {topics_left}."), { documents_left: documents, topics_left: counts.length }),
    time,
  );
}

/**
 * Return a bar with the shares of the grades of a topic.
 * @param {Grading} session
 * @param {number} topic
 * @returns {HTMLElement}
 */
export function gradeBar(session, topic) {
  const { grades } = session.task.scale;
  const given = session.standings(topic).map(({ grade }) => grade);
  const pieces = grades.map((grade, place) => {
    const count = given.filter((value) => value === grade.value).length;
    const piece = el("li", { class: "piece", hidden: !count }, `${grade.value} ${tr(grade.label)}: `, el("b", {}, String(count)));
    piece.style.flexGrow = String(count);
    piece.dataset.step = String(gradeStep(place, grades.length - 1));
    return piece;
  });
  return el("ul", { class: "grade-bar", "aria-label": tr("Grades") }, ...pieces);
}

/**
 * Counts of a topic that are shown before submission.
 * @typedef {{ topic: number, judged: number, assigned: number, skipped: number, unsure: number, drafts: number }} Review
 */

/**
 * Review the work before submission.
 * @param {Session} session
 * @returns {Review[]}
 */
export function review(session) {
  return session.topics.map((topic) => {
    const places = session.byTopic.get(topic) ?? [];
    const count = (/** @type {(place: number) => boolean} */ holds) => places.filter(holds).length;
    return {
      topic,
      ...session.count(topic),
      skipped: count((place) => !session.judgment(place) && session.skipped(place)),
      unsure: count((place) => session.marks(place).unsure),
      drafts: count((place) => session.marks(place).draft !== null),
    };
  });
}

/**
 * Return the number of judgments in a log.
 * @param {Action[]} actions
 * @returns {number}
 */
export function judgmentsIn(actions) {
  return actions.filter(judges).length;
}
