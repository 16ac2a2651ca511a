/** The page on which one judges the sample: shows what the runs are worth by the grades given so far. */

import { Ledger } from "./ledger.js";
import { score, standing } from "./score.js";

/** @typedef {{ assignment: string, count: number, rankings: import("./score.js").Rankings }} Sample */

const PAUSE = 700; // milliseconds between two looks at what was judged
const place = (/** @type {string} */ name) => /** @type {HTMLElement} */ (document.querySelector(`[data-try="${name}"]`));

/**
 * Open what the page for browsers keeps here, without making anything: it makes its own places when it begins.
 * @returns {Promise<IDBDatabase | null>}
 */
function openKept() {
  return new Promise((resolve) => {
    const asked = indexedDB.open("irjudge", 1);
    asked.onupgradeneeded = () => asked.transaction?.abort();
    asked.onerror = () => resolve(null);
    asked.onsuccess = () => resolve(asked.result);
  });
}

/**
 * Return the actions that are kept of a task, in order.
 * @param {string} assignment
 * @returns {Promise<string[]>}
 */
async function keptTexts(assignment) {
  const base = await openKept();
  if (!base) {
    return [];
  }
  const range = IDBKeyRange.bound([assignment, 0], [assignment, Infinity]);
  const asked = base.transaction("actions").objectStore("actions").getAll(range);
  return new Promise((resolve) => {
    asked.onerror = () => resolve([]);
    asked.onsuccess = () => {
      base.close();
      resolve(asked.result.map((record) => record.text));
    };
  });
}

/** @param {string} text @returns {string[]} the actions in a result file; none where it is no such file */
function textsOf(text) {
  try {
    return JSON.parse(text).actions.map((/** @type {[string, string]} */ [, action]) => action);
  } catch {
    return [];
  }
}

/** @param {Sample} sample @param {string[]} texts */
function show(sample, texts) {
  const grades = standing(texts, Ledger);
  const rows = score(sample.rankings, grades);
  const judged = Object.values(grades).reduce((sum, topic) => sum + Object.keys(topic).length, 0);
  place("count").textContent = `${judged} / ${sample.count}`;
  for (const run of Object.keys(sample.rankings)) {
    const row = rows?.find((each) => each.run === run);
    place(`P@5 ${run}`).textContent = row ? row.precision.toFixed(4) : "–";
    place(`nDCG@10 ${run}`).textContent = row ? row.ndcg.toFixed(4) : "–";
  }
}

/** @param {Sample} sample */
async function follow(sample) {
  let before = "";
  const look = async () => {
    const texts = document.hidden ? null : await keptTexts(sample.assignment);
    if (texts && texts.join("\n") !== before) {
      before = texts.join("\n");
      show(sample, texts);
    }
    setTimeout(look, PAUSE);
  };
  await look();
}

const sample = /** @type {Sample} */ (JSON.parse(place("sample").textContent ?? ""));
show(sample, []);
follow(sample);
place("file").addEventListener("change", async (event) => {
  const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
  if (file) {
    show(sample, textsOf(await file.text()));
  }
});
