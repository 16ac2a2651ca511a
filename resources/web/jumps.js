/** List of a topic's documents with their state, to return to any of them. */

import { openDialog } from "./dialogs.js";
import { button, el, setText } from "./dom.js";
import { gradeStep } from "./grade_parts.js";
import { fill, tr } from "./words.js";

/** @import { Grading, Standing } from "./grading.js" */

/** @type {Record<string, (standing: Standing) => boolean>} */
const FILTERS = {
  all: () => true,
  unjudged: ({ state }) => state === "unjudged",
  skipped: ({ state }) => state === "skipped",
  judged: ({ state }) => state === "grade" || state === "unjudgeable",
  unsure: ({ unsure }) => unsure,
};

/**
 * List the documents of a topic; the chosen one is shown.
 * @param {Grading} session
 * @param {number} topic
 * @param {number | null} at the current item
 * @param {(place: number) => void} chosen
 * @param {() => void} closed
 */
export function openJumps(session, topic, at, chosen, closed) {
  const list = el("ul", { class: "places", "aria-label": tr("Documents of this topic") });
  const topics = el("select", { "aria-label": tr("Topic") }, ...session.topics.map((each) => topicOption(session, each)));
  const filter = el("select", { "aria-label": tr("Documents to list") });
  const choose = (/** @type {number} */ place) => {
    dialog.addEventListener("close", () => chosen(place));
    dialog.close();
  };
  const listed = () => session.standings(Number(topics.value)).filter(({ place }) => !session.isWithdrawn(place));
  const show = () => {
    const standings = listed().filter(FILTERS[filter.value]);
    list.replaceChildren(...standings.map((standing) => placeLine(session, standing, choose)));
    const currentPosition = standings.findIndex(({ place }) => place === at);
    const first = standings.findIndex(({ state }) => state === "unjudged" || state === "skipped");
    const focused = /** @type {HTMLElement | undefined} */ (
      list.children[Math.max(0, currentPosition < 0 ? first : currentPosition)]?.firstChild
    );
    focused?.focus();
    focused?.scrollIntoView({ block: "center" });
  };
  const fillFilter = () => filter.replaceChildren(...filterOptions(listed()));
  topics.value = String(topic);
  fillFilter();
  topics.addEventListener("change", () => {
    fillFilter();
    show();
  });
  filter.addEventListener("change", show);
  list.addEventListener("keydown", (event) => walk(event, list));
  const hint = el(
    "p",
    { class: "small quiet of-keys" },
    tr("Press Enter to open a document. You can then press a digit to change its grade."),
  );
  const parts = [el("div", { class: "row" }, topics, filter), list, hint];
  const dialog = openDialog({ title: tr("Documents"), parts, choices: [{ label: tr("Close") }], closed, style: "tall" });
  show();
}

/** @param {Grading} session @param {number} topic */
function topicOption(session, topic) {
  const { judged, assigned } = session.count(topic);
  const { title, id } = session.task.topics[topic];
  return el("option", { value: topic }, `${title || id} (${fill(tr("{count} of {total}"), { count: judged, total: assigned })})`);
}

/** @param {Standing[]} standings */
function filterOptions(standings) {
  const names = { all: tr("All"), unjudged: tr("Not judged"), skipped: tr("Skipped"), judged: tr("Judged"), unsure: tr("Unsure") };
  return Object.entries(names).map(([name, label]) =>
    el("option", { value: name }, `${label} (${standings.filter(FILTERS[name]).length})`),
  );
}

/** @param {Grading} session @param {Standing} standing @param {(place: number) => void} take */
function placeLine(session, standing, take) {
  const { documents } = session.task.items[standing.place];
  const { id, title } = session.task.documents[documents[0]];
  const chip = el("span");
  markChip(chip, session, standing);
  const marks = [standing.unsure && "⚑", standing.noted && "✎"].filter(Boolean).join(" ");
  const spoken = [standing.unsure && tr("unsure"), standing.noted && tr("has a note")].filter(Boolean).join(", ");
  const made = button("", () => take(standing.place), { class: "place" }, chip);
  made.append(el("span", { class: "title", dir: "auto" }, title || id), el("span", { class: "small quiet id" }, title ? id : ""));
  made.append(el("span", { "aria-hidden": "true" }, marks), el("span", { class: "spoken" }, spoken));
  return el("li", {}, made);
}

/**
 * Show a document's state in a chip; return its text with the grade's label.
 * @param {HTMLElement} chip
 * @param {Grading} session
 * @param {Standing} standing
 * @returns {string}
 */
export function markChip(chip, session, standing) {
  const { grades } = session.task.scale;
  const place = grades.findIndex(({ value }) => value === standing.grade);
  chip.className = `chip state-${standing.state}`;
  setText(chip, stateWords(standing));
  if (place < 0) {
    delete chip.dataset.step;
    return stateWords(standing);
  }
  chip.dataset.step = String(gradeStep(place, grades.length - 1));
  return `${standing.grade} ${tr(grades[place].label)}`;
}

/** @param {Standing} standing @returns {string} */
function stateWords({ state, grade }) {
  const words = { unjudgeable: tr("unjudgeable"), skipped: tr("skipped"), unjudged: tr("not judged"), grade: "" };
  return state === "grade" ? String(grade) : words[state];
}

/** @param {KeyboardEvent} event @param {HTMLElement} list */
function walk(event, list) {
  const all = /** @type {HTMLElement[]} */ ([...list.querySelectorAll(".place")]);
  const current = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const target = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: all.length - 1 }[event.key];
  if (target !== undefined) {
    event.preventDefault();
    all[Math.min(all.length - 1, Math.max(0, target))]?.focus();
  }
}
