/** The line to the server of a session: one question at a time, and a word about why there is no answer. */

const PROTOCOL = 1;
const LONGEST_ANSWER = 10_000; // milliseconds for an answer

const LONGEST_WAIT = 60_000; // milliseconds for which a server can ask

/**
 * The server said no; `kind` says why in a word, `values` what it speaks of, and `wait` how many milliseconds to wait, where it says so.
 */
export class Refusal extends Error {
  /** @param {string} kind @param {string} words @param {Record<string, any>} [values] @param {number} [wait] */
  constructor(kind, words, values = {}, wait = 0) {
    super(words);
    this.kind = kind;
    this.values = values;
    this.wait = wait;
  }
}

/** Nobody answered. */
export class Cut extends Error {}

/**
 * Ask the server.
 * @param {string} path
 * @param {Record<string, unknown>} data
 * @param {string} [token]
 * @param {number} [patience] milliseconds to wait for the answer
 * @returns {Promise<any>}
 * @throws {Refusal | Cut}
 */
export async function ask(path, data, token = "", patience = LONGEST_ANSWER) {
  const given = new AbortController();
  const tired = setTimeout(() => given.abort(), patience);
  const headers = /** @type {Record<string, string>} */ ({ "Content-Type": "application/json" });
  if (token) {
    headers.Authorization = `Bearer ${token}`;
  }
  try {
    const body = JSON.stringify({ protocol: PROTOCOL, ...data });
    const answer = await fetch(path, { method: "POST", headers, body, signal: given.signal, cache: "no-store" });
    const told = await answer.json();
    if (!answer.ok) {
      const seconds = Number(answer.headers.get("Retry-After")) || 0;
      const wait = Math.min(LONGEST_WAIT, Math.max(0, seconds * 1000));
      throw new Refusal(String(told.kind), String(told.problem), told.values, wait);
    }
    return told;
  } catch (fault) {
    throw fault instanceof Refusal ? fault : new Cut(String(fault));
  } finally {
    clearTimeout(tired);
  }
}
