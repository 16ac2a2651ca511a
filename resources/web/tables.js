/** What the page shares with the window, as the engine wrote it into the page. */

import { takeJson } from "./task.js";

/** @typedef {{ id: string, text: string, keys: string[], where: "" | "grade" | "compare" }} Action `where`: empty for both */
/**
 * @typedef {object} Tables
 * @property {Action[]} keys what can be done, in English, and with which keys
 * @property {Record<string, string[]>} left the keys of who judges with the left hand alone, where they are others
 * @property {Record<string, string>} arrows as a key cap shows them
 * @property {string[]} moving keys that move the focus or the page, press buttons or close menus
 * @property {string[]} editing
 * @property {{ needs: number, of: number }} pace how many judgments must be timed, and how many of the newest count
 * @property {number} most_topics lines of the list of what is left
 */

export const TABLES = /** @type {Tables} */ (takeJson("tables"));
