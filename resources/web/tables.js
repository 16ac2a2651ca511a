/** Tables shared with the desktop window, embedded in the page. */

import { takeJson } from "./task.js";

/** @typedef {{ id: string, text: string, keys: string[], where: "" | "grade" | "compare" }} Action `where`: empty for both */
/**
 * @typedef {object} Tables
 * @property {Action[]} keys actions in English with their keys
 * @property {Record<string, string[]>} left left-handed keys, if different
 * @property {Record<string, string>} arrows as a key cap shows them
 * @property {string[]} moving keys that move the focus or the page, press buttons or close menus
 * @property {string[]} editing
 * @property {{ needs: number, of: number }} pace number of timed judgments required, and number of newest ones used
 * @property {number} most_topics maximum number of topics in the list before submission
 */

export const TABLES = /** @type {Tables} */ (takeJson("tables"));
