/** Session of side-by-side comparisons: order of items and actions. */

import { wellFormed } from "./log.js";
import { Session, around } from "./session.js";
import { keyOf, sightOf } from "./task.js";

/** @import { About, Action } from "./task.js" */

/** @typedef {"left" | "right" | "tie"} Winner */
/**
 * Viewing before an answer: times, and pairs of numbers for the left and right side.
 * @typedef {{ activeMs: number, opens: [number, number], dwellMs: [number, number], scrolled: [number, number] }} Attention
 */
/**
 * @typedef {object} Result
 * @property {number} document
 * @property {string} title
 * @property {string} text
 * @property {[number, number][]} titleMarks
 * @property {[number, number][]} marks
 * @property {string} facts
 * @property {string} picture
 * @property {boolean} fresh
 */

const NO_ATTENTION = { activeMs: 0, opens: [0, 0], dwellMs: [0, 0], scrolled: [0, 0] };

/** Comparisons in their order; skipped ones come last. */
export class Comparing extends Session {
  /**
   * @override
   * @param {number | null} at
   * @returns {number | null}
   */
  next(at) {
    const order = around([...this.keys.keys()], at);
    return order.find((place) => this.isOpen(place)) ?? order.find((place) => this.isLeft(place)) ?? null;
  }

  /**
   * Count the items to compare; identical lists are recorded automatically.
   * @override
   * @param {number} [topic]
   */
  count(topic) {
    const { judged, assigned } = super.count(topic);
    const places = topic === undefined ? [...this.keys.keys()] : (this.byTopic.get(topic) ?? []);
    const same = places.filter((place) => this.task.items[place].identical);
    const recordedCount = same.filter((place) => this.judgment(place)).length;
    const countedItems = same.filter((place) => this.judgment(place) || !this.task.items[place].gone).length;
    return { judged: judged - recordedCount, assigned: assigned - countedItems };
  }

  /** @returns {number[]} identical ones that are not recorded yet */
  get unrecorded() {
    return [...this.keys.keys()].filter((place) => this.task.items[place].identical && this.isLeft(place));
  }

  /** @returns {number} how many are identical and were never shown */
  get identical() {
    return this.task.items.filter((item) => item.identical).length;
  }

  /** @param {number} place @returns {Action} records that both lists are the same */
  sameLists(place) {
    const payload = this.preference(place, "tie", 0, [], "", /** @type {Attention} */ (NO_ATTENTION));
    return this.make(place, "preference", { ...payload, identical: true });
  }

  /**
   * Make an answer.
   * @param {number} place
   * @param {{ winner: Winner, strength: number, reasons: string[], note: string, attention: Attention }} answer
   * @returns {Action}
   */
  prefer(place, { winner, strength, reasons, note, attention }) {
    return this.make(place, "preference", this.preference(place, winner, winner === "tie" ? 0 : strength, reasons, note, attention));
  }

  /**
   * @param {number} place
   * @param {Winner} winner
   * @param {number} strength
   * @param {string[]} reasons
   * @param {string} note
   * @param {Attention} attention
   */
  preference(place, winner, strength, reasons, note, attention) {
    const { sides, sizes, about } = this.task.items[place];
    return {
      winner,
      strength,
      reasons,
      note: wellFormed(note),
      active_ms: attention.activeMs,
      opens: attention.opens,
      dwell_ms: attention.dwellMs,
      scrolled: attention.scrolled,
      ...(about.type === "panel" ? { sides, sizes } : {}),
    };
  }

  /** @param {number} place @returns {[Result[], Result[]]} results left and right */
  lists(place) {
    const item = this.task.items[place];
    const [left] = item.sizes ?? [1, 1];
    const seen = this.seen(place);
    const results = item.documents.map((document) => this.result(item.topic, document, item.about.type === "pair" && !seen.has(document)));
    return [results.slice(0, left), results.slice(left)];
  }

  /** @param {number} topic @param {number} document @param {boolean} fresh @returns {Result} */
  result(topic, document, fresh) {
    const { title, id, facts = "", picture = "" } = this.task.documents[document];
    const snippet = sightOf(this.task, topic, document).snippet;
    const shown = snippet ?? { title, text: "", title_marks: [], marks: [] };
    const marked = { title: shown.title || title || id, text: shown.text, titleMarks: shown.title_marks, marks: shown.marks };
    return { document, ...marked, facts, picture, fresh };
  }

  /** @param {number} place @returns {Set<number>} the documents of its topic that were compared before */
  seen(place) {
    const others = (this.byTopic.get(this.task.items[place].topic) ?? []).filter((each) => each !== place);
    const touched = others.filter((each) => this.log.ledger.touched(this.keys[each]));
    return new Set(touched.flatMap((each) => this.task.items[each].documents));
  }

  /**
   * Return which sides must still be scrolled to their end or opened; empty if the rules do not require it.
   * @param {number} place
   * @param {Attention} attention
   * @returns {("left" | "right")[]}
   */
  mustView(place, attention) {
    if (!this.task.rules.must_view) {
      return [];
    }
    const sizes = this.task.items[place].sizes ?? [1, 1];
    const sides = /** @type {("left" | "right")[]} */ (["left", "right"]);
    return sides.filter((_name, side) => !attention.opens[side] && attention.scrolled[side] < sizes[side]);
  }

  /**
   * Return whether opened results can be graded. The grade of a comparison's only result would be stored under the key of the answer.
   * @param {number} place
   * @returns {boolean}
   */
  canGrade(place) {
    return this.task.rules.grading && this.task.items[place].documents.length > 1;
  }

  /** @param {number} place @param {number} document @param {number} value @returns {Action} grades an opened result */
  grade(place, document, value) {
    return this.log.make("grade", this.aboutResult(place, document), { value, scale: this.task.scale.version, active_ms: 0 });
  }

  /** @param {number} place @param {number} document @returns {number | null} the grade a result has */
  given(place, document) {
    const judgment = this.log.ledger.judgment(keyOf(this.aboutResult(place, document)));
    return judgment?.kind === "grade" ? judgment.payload.value : null;
  }

  /** @param {number} place @param {number} document @returns {About} */
  aboutResult(place, document) {
    const { id, content } = this.task.documents[document];
    const { topic } = this.task.items[place].about;
    return { type: "document", topic, documents: [id], contents: [this.task.contents[content].digest], occurrence: 1 };
  }
}
