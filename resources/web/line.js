/** Requests to the server of a session, and their errors. */

import { entryOf, tr } from "./words.js";

const PROTOCOL = 1;
const RESPONSE_TIMEOUT = 10_000; // milliseconds until the response begins, and between its parts

const MAX_RETRY_WAIT = 60_000; // milliseconds that a server may request

/**
 * The server refused: `kind` is the reason, `values` are details, `wait` is the requested delay in milliseconds.
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

/** No response. */
export class ConnectionLost extends Error {}

/**
 * Send a request.
 * @param {string} path
 * @param {Record<string, unknown>} data
 * @param {string} [token]
 * @param {number} [patience] milliseconds until the response begins
 * @returns {Promise<any>}
 * @throws {Refusal | ConnectionLost}
 */
export async function ask(path, data, token = "", patience = RESPONSE_TIMEOUT) {
  const controller = new AbortController();
  let timer = 0;
  const restartTimer = (/** @type {number} */ timeout) => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(), timeout);
  };
  restartTimer(patience);
  const headers = /** @type {Record<string, string>} */ ({ "Content-Type": "application/json" });
  if (token) {
    headers.Authorization = `Bearer ${token}`;
  }
  try {
    const body = JSON.stringify({ protocol: PROTOCOL, ...data });
    const response = await fetch(path, { method: "POST", headers, body, signal: controller.signal, cache: "no-store" });
    const content = await readJson(response, () => restartTimer(RESPONSE_TIMEOUT));
    if (!response.ok) {
      const seconds = Number(response.headers.get("Retry-After")) || 0;
      const wait = Math.min(MAX_RETRY_WAIT, Math.max(0, seconds * 1000));
      throw new Refusal(String(content.kind), String(content.problem), content.values, wait);
    }
    return content;
  } catch (error) {
    throw error instanceof Refusal ? error : new ConnectionLost(String(error));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Read a response, which takes long on a slow network: a picture can have several megabytes.
 * @param {Response} response
 * @param {() => void} onPart called whenever a part has arrived
 * @returns {Promise<any>}
 */
function readJson(response, onPart) {
  onPart();
  const parts = new TransformStream({
    transform: (part, controller) => {
      onPart();
      controller.enqueue(part);
    },
  });
  return new Response(response.body?.pipeThrough(parts)).json();
}

/**
 * Return why a request that is not repeated automatically was refused.
 * @param {Refusal} error
 * @returns {string}
 */
export function refusalWords(error) {
  const words = /** @type {Record<string, string>} */ ({
    busy: tr("The server is busy. Try again in a moment."),
    ended: tr("The session has ended."),
    protocol: tr("The server was updated. Reload this page; nothing will be lost."),
  });
  return entryOf(words, error.kind) ?? error.message;
}
