/** Session of graded documents: order and actions. The order is that of the desktop window. */

import { wellFormed } from "./log.js";
import { Session, around } from "./session.js";
import { keyOf, titleOf } from "./task.js";

/** @import { Rationale } from "./ledger.js" */
/** @import { Action, PageSeen } from "./task.js" */

/** @typedef {"grade" | "unjudgeable" | "skipped" | "unjudged"} State */
/** @typedef {{ place: number, state: State, grade: number | null, unsure: boolean, noted: boolean }} Standing */

/** Documents graded one after another, topic by topic. */
export class Grading extends Session {
  /**
   * Unjudged documents of the topic first, then those skipped once, then the next topic; documents skipped again come last.
   * @override
   * @param {number | null} at
   * @returns {number | null}
   */
  next(at) {
    const topic = at === null ? this.topics[0] : this.task.items[at].topic;
    const begin = this.topics.indexOf(topic);
    /** @type {number[]} */
    const postponed = [];
    for (const each of [...this.topics.slice(begin), ...this.topics.slice(0, begin)]) {
      const places = around(this.byTopic.get(each) ?? [], each === topic ? at : null);
      const remaining = places.filter((place) => place !== at && this.isLeft(place));
      const nextItem = remaining.find((place) => this.isOpen(place)) ?? remaining.find((place) => this.timesSkipped(place) === 1);
      if (nextItem !== undefined) {
        return nextItem;
      }
      postponed.push(...remaining);
    }
    postponed.sort((one, other) => this.timesSkipped(one) - this.timesSkipped(other));
    return postponed[0] ?? (at !== null && this.isLeft(at) ? at : null);
  }

  /**
   * Return the items on the page of an item. Pages are fixed, so that nothing moves during judging.
   * @param {number} place
   * @param {number} size
   * @param {boolean} rounds whether occurrences are norming rounds, which pages do not mix
   * @returns {number[]}
   */
  page(place, size, rounds) {
    const { topic, about } = this.task.items[place];
    const same = (/** @type {number} */ each) => this.task.items[each].about.occurrence === about.occurrence;
    const places = (this.byTopic.get(topic) ?? []).filter((each) => !rounds || same(each));
    const at = places.indexOf(place);
    const begin = at - (at % size);
    return places.slice(begin, begin + size).filter((each) => each === place || !this.task.items[each].gone || this.judgment(each));
  }

  /** @param {number} place @param {number} value @param {number} activeMs @param {PageSeen} [page] @returns {Action} */
  grade(place, value, activeMs, page) {
    return this.make(place, "grade", { value, scale: this.task.scale.version, active_ms: activeMs, ...(page && { page }) });
  }

  /** @param {number} place @param {string} reason @param {number} activeMs @param {PageSeen} [page] @returns {Action} */
  unjudgeable(place, reason, activeMs, page) {
    return this.make(place, "unjudgeable", { reason, active_ms: activeMs, ...(page && { page }) });
  }

  /** @param {number} place @returns {Action} toggles the document's flag */
  switchUnsure(place) {
    return this.make(place, "unsure", { value: !this.marks(place).unsure });
  }

  /** @param {number} place @param {string} text @returns {Action} */
  note(place, text) {
    return this.make(place, "note", { text: wellFormed(text) });
  }

  /** @param {number} place @param {string} text @returns {Action} a note that is still being typed */
  draft(place, text) {
    return this.make(place, "draft", { text: wellFormed(text) });
  }

  /** @param {number} place @param {Rationale} reason @returns {Action} */
  rationale(place, reason) {
    return this.make(place, "rationale", { text: wellFormed(reason.text), position: reason.position });
  }

  /** @param {number} topic @returns {number} its first unjudged document, or its first one when all are judged */
  firstOf(topic) {
    const places = this.byTopic.get(topic) ?? [];
    return places.find((place) => !this.judgment(place)) ?? places[0];
  }

  /**
   * Return the document judged last; if the shown one is judged, the one judged before it.
   * @returns {number | null}
   */
  lastJudged() {
    const judged = this.log.ledger.newestJudgments().map((action) => this.placeOf.get(keyOf(action.item)));
    const judgedItems = judged.filter((place) => place !== undefined);
    const position = this.at !== null && this.judgment(this.at) ? judgedItems.indexOf(this.at) : -1;
    return judgedItems[position + 1] ?? null;
  }

  /** @param {number} place @returns {Standing} */
  standing(place) {
    const judgment = this.judgment(place);
    const marks = this.marks(place);
    const hasNote = Boolean(marks.note || marks.draft || marks.rationales.length);
    const grade = judgment?.kind === "grade" ? Number(judgment.payload.value) : null;
    const unjudged = this.skipped(place) ? "skipped" : "unjudged";
    const state = judgment ? (judgment.kind === "grade" ? "grade" : "unjudgeable") : unjudged;
    return { place, state, grade, unsure: marks.unsure, noted: hasNote };
  }

  /** @param {number} topic @returns {Standing[]} the documents of a topic, in order */
  standings(topic) {
    return (this.byTopic.get(topic) ?? []).map((place) => this.standing(place));
  }

  /** @param {string} topic @param {string} document @returns {number | null} the newest grade of a document in any round */
  lastGrade(topic, document) {
    const places = this.keys
      .map((_key, place) => place)
      .filter((place) => {
        const { about } = this.task.items[place];
        return about.topic === topic && about.documents[0] === document && this.judgment(place) !== null;
      });
    const last = places.pop();
    return last === undefined ? null : this.standing(last).grade;
  }

  /** @param {number} place @returns {string} title or id of its document */
  documentName(place) {
    return titleOf(this.task, this.task.items[place].about.documents[0]);
  }
}
