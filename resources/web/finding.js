/** Search in a document: own highlighted terms, and the find bar. */

const SLICE = 200_000; // characters searched between key events
const MIN_PREFIX_LENGTH = 4; // characters; shorter prefixes match too many words
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** @typedef {[number, number]} Place */

/**
 * Return the pattern of an own term: case-insensitive, whole words; a longer term matches prefixes too.
 * @param {string} words
 * @returns {RegExp | null}
 */
export function highlightPattern(words) {
  const typed = words.trim();
  if (!typed || SPACELESS.test(typed)) {
    return typed ? typedPattern(typed, false) : null;
  }
  const begins = typed.length >= MIN_PREFIX_LENGTH && !/\s/.test(typed);
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped(typed)}${begins ? "" : "(?![\\p{L}\\p{N}])"}`, "giu");
}

/**
 * Return the pattern of a typed text, also inside words.
 * @param {string} typed
 * @param {boolean} matchCase
 * @returns {RegExp | null}
 */
export function typedPattern(typed, matchCase) {
  return typed.trim() ? new RegExp(escaped(typed.trim()), matchCase ? "gu" : "giu") : null;
}

/**
 * Search a text in slices, so that key events are handled in between.
 * @param {string} text
 * @param {RegExp} pattern
 * @param {() => boolean} wanted false stops the search
 * @returns {Promise<Place[]>}
 */
export async function findAll(text, pattern, wanted) {
  const found = /** @type {Place[]} */ ([]);
  let end = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push([match.index, match.index + match[0].length]);
    if (match.index - end > SLICE || found.length % 5000 === 0) {
      end = match.index;
      const at = pattern.lastIndex;
      await new Promise((resolve) => setTimeout(resolve));
      if (!wanted()) {
        return [];
      }
      pattern.lastIndex = at;
    }
  }
  return found;
}

/**
 * Return the next match from the reading position.
 * @param {Place[]} places ascending
 * @param {number | null} now the one gone to last
 * @param {number} eye the first place in view
 * @param {number} step 1 for the next, -1 for the one before
 * @returns {number}
 */
export function nextPlace(places, now, eye, step) {
  if (now !== null) {
    return (now + step + places.length) % places.length;
  }
  const after = places.findIndex(([begin]) => begin >= eye);
  const next = after < 0 ? 0 : after;
  return step > 0 ? next : (next - 1 + places.length) % places.length;
}

/** @param {string} typed @returns {string} */
function escaped(typed) {
  return typed
    .split(/\s+/)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"))
    .join("\\s+");
}
