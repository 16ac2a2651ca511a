/** Judging the sample on the site: reads what the page for browsers kept, and scores the sample's runs by it. */

/** @typedef {Record<string, Record<string, number>>} Grades by topic and document; an unjudgeable document has -2 */
/** @typedef {Record<string, Record<string, string[]>>} Rankings by run and topic, best first */
/** @typedef {{ run: string, precision: number, ndcg: number }} Row */

const UNJUDGEABLE = -2;

/**
 * Return the share of the first k documents of a ranking that are relevant.
 * @param {string[]} ranking
 * @param {Record<string, number>} grades
 * @param {number} k
 */
export function precision(ranking, grades, k) {
  return ranking.slice(0, k).filter((document) => grades[document] >= 1).length / k;
}

/**
 * Return the discounted gain of a ranking as a share of the highest possible one, both over k ranks; 0 where nothing gains.
 * @param {string[]} ranking
 * @param {Record<string, number>} grades
 * @param {number} k
 */
export function ndcg(ranking, grades, k) {
  const best = Object.values(grades).sort((one, other) => other - one);
  const highest = discounted(best, k);
  const reached = ranking.map((document) => grades[document] ?? 0);
  return highest > 0 ? discounted(reached, k) / highest : 0;
}

/** @param {number[]} gains by rank @param {number} k */
function discounted(gains, k) {
  return gains.slice(0, k).reduce((sum, gain, place) => sum + Math.max(gain, 0) / Math.log2(place + 2), 0);
}

/**
 * Return P@5 and nDCG@10 of each run: the mean over the topics that it has and that somebody judged; null where there is none.
 * @param {Rankings} rankings
 * @param {Grades} grades
 * @returns {Row[] | null}
 */
export function score(rankings, grades) {
  const rows = Object.entries(rankings).map(([run, topics]) => {
    const judged = Object.keys(grades).filter((topic) => topics[topic] && Object.keys(grades[topic]).length);
    const mean = (/** @type {typeof precision} */ measure, /** @type {number} */ k) =>
      judged.reduce((sum, topic) => sum + measure(topics[topic], grades[topic], k), 0) / judged.length;
    return judged.length ? { run, precision: mean(precision, 5), ndcg: mean(ndcg, 10) } : null;
  });
  return rows.every((row) => row !== null) ? /** @type {Row[]} */ (rows) : null;
}

/**
 * Return the grades that stand after a log of actions, by the rules of the page itself.
 * @param {string[]} texts
 * @param {{ new (): { apply(action: unknown): void, standing: Map<string, { kind: string, item: any, payload: any }> } }} Ledger
 * @returns {Grades}
 */
export function standing(texts, Ledger) {
  const ledger = new Ledger();
  texts.forEach((text) => ledger.apply(JSON.parse(text)));
  /** @type {Grades} */
  const grades = {};
  for (const { kind, item, payload } of ledger.standing.values()) {
    grades[item.topic] ??= {};
    grades[item.topic][item.documents[0]] = kind === "grade" ? Number(payload.value) : UNJUDGEABLE;
  }
  return grades;
}
