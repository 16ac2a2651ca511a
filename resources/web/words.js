/** Translation of texts, and formatting of numbers and times. */

/** @type {Record<string, Record<string, string>>} */
let translations = {};
let languageNow = "en";

export const LANGUAGES = /** @type {Record<string, string>} */ ({ en: "English", zh_CN: "简体中文" });

/**
 * Load the translations of the page.
 * @param {Record<string, Record<string, string>>} words by language, then by the English text
 */
export function loadTranslations(words) {
  translations = words;
}

/**
 * Set the language.
 * @param {string} code `en`, `zh_CN`, or empty for the browser's
 */
export function speak(code) {
  const browser = navigator.language.toLowerCase().startsWith("zh") ? "zh_CN" : "en";
  languageNow = Object.hasOwn(LANGUAGES, code) ? code : browser;
  document.documentElement.lang = languageNow === "zh_CN" ? "zh-Hans" : "en";
}

/** @returns {string} the current language */
export function language() {
  return languageNow;
}

/**
 * Return an own property of a table; inherited ones such as `constructor` are excluded.
 * @template T
 * @param {Record<string, T>} table
 * @param {string} name
 * @returns {T | undefined}
 */
export function entryOf(table, name) {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * Return a text in the reader's language; one without a translation stays as it is.
 * @param {string} text
 * @returns {string}
 */
export function tr(text) {
  return entryOf(translations[languageNow] ?? {}, text) || text;
}

/**
 * Replace placeholders such as {count} by values, all at once: a value may contain a placeholder itself.
 * @param {string} text
 * @param {Record<string, string | number>} values
 * @returns {string}
 */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (placeholder, name) => (Object.hasOwn(values, name) ? shown(values[name]) : placeholder));
}

/**
 * Join sentences; empty ones are left out. Chinese puts no blank between them.
 * @param {...string} parts
 * @returns {string}
 */
export function sentences(...parts) {
  return parts.filter(Boolean).join(languageNow === "zh_CN" ? "" : " ");
}

/**
 * Return a duration in rounded units for a forecast.
 * @param {number} seconds
 * @returns {string}
 */
export function duration(seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const hours = Math.floor(minutes / 60);
  return hours ? fill(tr("{hours} h {minutes} min"), { hours, minutes: minutes % 60 }) : fill(tr("{minutes} min"), { minutes });
}

/**
 * Return a time of the log in the local time zone.
 * @param {string} time ISO 8601
 * @returns {string}
 */
export function moment(time) {
  const parsed = new Date(time);
  const locale = languageNow === "zh_CN" ? "zh-Hans" : "en-GB";
  return Number.isNaN(parsed.valueOf()) ? time : parsed.toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
}

/**
 * Format a value of a message. Direction controls are left out, since their effect would reach the text after the value.
 * @param {string | number} value
 * @returns {string}
 */
function shown(value) {
  return typeof value === "number" ? value.toLocaleString("en") : value.replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
}
