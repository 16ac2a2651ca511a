/** Norming rounds: messages between rounds, and the judgments of the document under discussion. */

import { el, reveal, setText } from "./dom.js";
import { gradeStep } from "./grade_parts.js";
import { ask } from "./line.js";
import { Paper } from "./paper.js";
import { fill, sentences, tr } from "./words.js";

/** @import { Served } from "./served.js" */
/** @import { Task } from "./task.js" */

/** @typedef {{ counts: [number, number][], unjudgeable: number, votes: number, split: boolean }} RoundCounts */
/** @typedef {{ grade: number, text: string, name: string }} RoundReason `grade` is negative if it is "unjudgeable" */
/**
 * @typedef {RoundCounts & {
 *   place: number, topic: string, topic_title: string, document: string, title: string, labels: string[],
 *   before: RoundCounts | null, reasons: RoundReason[],
 * }} ShownDocument judgments of a document of a closed round
 */
/**
 * @typedef {object} Round
 * @property {number} number
 * @property {"waiting" | "open" | "closed"} state
 * @property {boolean} names whether participants are asked to show their names next to their reasons
 * @property {number} documents
 * @property {ShownDocument | null} shown
 */

/**
 * Return the message of a round that is not open or that this participant has finished; null if there are no rounds.
 * @param {Round | null} round
 * @param {string} unsent
 * @param {boolean} hasJudged whether this participant judged the shown document
 * @returns {{ title: string, words: string } | null}
 */
export function roundWords(round, unsent, hasJudged) {
  if (!round) {
    return null;
  }
  if (round.state === "waiting") {
    const words = tr("Everyone will judge the same documents independently. The round will start on this page automatically.");
    return { title: tr("The first round has not started"), words: sentences(words, unsent) };
  }
  if (round.state === "open") {
    const words = tr("Others are still judging. No results are shown to anyone before the round is closed.");
    return { title: fill(tr("You've finished round {number}"), { number: round.number }), words: sentences(words, unsent) };
  }
  const { shown } = round;
  const words = shown
    ? sentences(tr("Discuss this document: why these grades?"), hasJudged ? tr("You don't have to change your grade.") : "")
    : tr("Discuss the judgments. The next round will start here automatically.");
  const title = shown
    ? fill(tr("Round {number}, document {place} of {documents}"), {
        number: round.number,
        place: shown.place + 1,
        documents: round.documents,
      })
    : "";
  return { title: title || fill(tr("Round {number} is closed"), { number: round.number }), words: sentences(words, unsent) };
}

/**
 * Return the document under discussion, and the check box for showing names; null if there is neither.
 * @param {Served} served
 * @param {Task} task
 * @param {{ lastGrade: (topic: string, document: string) => number | null }} session with this participant's grades
 * @param {{ askLink: (address: string) => void }} app confirms links in the document
 * @returns {HTMLElement | null}
 */
export function roundPart({ news: { round }, token }, task, session, app) {
  if (!round) {
    return null;
  }
  const shown = round.shown && documentPart(round.shown, session.lastGrade(round.shown.topic, round.shown.document));
  const text = round.shown && textPart(task, round.shown.document, token, app);
  return el("div", { class: "round" }, shown, text, round.names && namedPart(task, token));
}

/**
 * Return the text of a document; it is requested from the server if this participant did not get it in the round.
 * @param {Task} task
 * @param {string} name
 * @param {string} token
 * @param {{ askLink: (address: string) => void }} app
 */
function textPart(task, name, token, app) {
  const scroller = el("div", { class: "round-paper", tabindex: "0", role: "region", "aria-label": tr("Document") });
  const paper = new Paper(scroller, (address) => app.askLink(address));
  const entry = task.documents.find(({ id }) => id === name);
  if (entry) {
    void paper.show(task.contents[entry.content], entry);
    return scroller;
  }
  reveal(scroller, false);
  ask("/shown", {}, token).then(
    ({ document, content }) => {
      if (document.id === name) {
        reveal(scroller, true);
        void paper.show(content, document);
      }
    },
    () => {}, // the judgments are shown without the text
  );
  return scroller;
}

/**
 * Return the judgments of a document: grades as bars, the previous round as a line, and rationales and notes.
 * @param {ShownDocument} shown
 * @param {number | null} own
 * @returns {HTMLElement}
 */
export function documentPart(shown, own) {
  const most = Math.max(1, shown.votes, shown.before?.votes ?? 0);
  const rows = shown.counts.map(([value, count], place) =>
    countRow(`${value} ${tr(shown.labels[place])}`, count, most, gradeStep(place, shown.counts.length - 1), {
      before: shown.before && shown.before.counts[place][1],
      own: own === value,
    }),
  );
  if (shown.unjudgeable || shown.before?.unjudgeable) {
    rows.push(countRow(tr("unjudgeable"), shown.unjudgeable, most, 0, { before: shown.before?.unjudgeable ?? null, own: false }));
  }
  const reasons = shown.reasons.map(({ grade, text, name }) =>
    el(
      "li",
      {},
      el("b", {}, grade < 0 ? tr("unjudgeable") : String(grade)),
      el("q", { dir: "auto" }, text),
      name && el("span", { class: "small quiet" }, name),
    ),
  );
  return el(
    "section",
    { class: "round-document", "aria-label": tr("Judgments") },
    el("p", { class: "small quiet", dir: "auto" }, shown.topic_title || shown.topic),
    el("h2", { dir: "auto" }, shown.title || shown.document),
    el("ul", { class: "round-counts" }, ...rows),
    shown.before && el("p", { class: "small quiet" }, tr("The dashed line shows the previous round.")),
    reasons.length > 0 && el("ul", { class: "round-reasons", "aria-label": tr("Reasons") }, ...reasons),
  );
}

/**
 * @param {string} label
 * @param {number} count
 * @param {number} most
 * @param {number} step
 * @param {{ before: number | null, own: boolean }} more
 */
function countRow(label, count, most, step, { before, own }) {
  const bar = el("span", { class: "round-bar" });
  bar.style.inlineSize = `${(100 * count) / most}%`;
  bar.dataset.step = String(step);
  const line = before !== null && el("span", { class: "round-before", title: fill(tr("previous round: {before}"), { before }) });
  if (line) {
    line.style.insetInlineStart = `${(100 * before) / most}%`;
  }
  const words = before === null ? String(count) : fill(tr("{count} (previous round: {before})"), { count, before });
  return el(
    "li",
    { class: own ? "own" : "" },
    el("span", { class: "round-label" }, label, own && el("span", { class: "small" }, ` · ${tr("you")}`)),
    el("span", { class: "round-track", "aria-hidden": "true" }, bar, line),
    el("span", { class: "round-count" }, words),
  );
}

/** @param {Task} task @param {string} token check box that allows showing one's name next to one's reasons */
function namedPart(task, token) {
  const status = el("p", { class: "small quiet", role: "status", hidden: true });
  const box = el("input", { type: "checkbox", checked: Boolean(task.named) });
  box.addEventListener("change", async () => {
    try {
      await ask("/survey", { named: box.checked }, token);
      task.named = box.checked;
      reveal(status, false);
    } catch {
      box.checked = Boolean(task.named);
      setText(status, tr("The server is not responding. Try again."));
      reveal(status, true);
    }
  });
  const words = tr("You may show my name next to my reasons. Names are shown only if everyone agrees.");
  return el("div", { class: "round-named" }, el("label", { class: "row" }, box, words), status);
}
