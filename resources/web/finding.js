/** Search in a document: own highlighted terms, and the find bar. */

const SLICE_LENGTH = 200_000; // number of characters searched before key events are handled
const MIN_PREFIX_LENGTH = 4; // minimum length; shorter prefixes would match too many words
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** @typedef {[number, number]} Place */

/**
 * Return the pattern of an own term: case-insensitive, whole words; a longer term matches prefixes too.
 * @param {string} words
 * @returns {RegExp | null}
 */
export function highlightPattern(words) {
  const trimmed = words.trim();
  if (!trimmed || SPACELESS.test(trimmed)) {
    return trimmed ? typedPattern(trimmed, false) : null;
  }
  const begins = trimmed.length >= MIN_PREFIX_LENGTH && !/\s/.test(trimmed);
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped(trimmed)}${begins ? "" : "(?![\\p{L}\\p{N}])"}`, "giu");
}

/**
 * Return the pattern of a typed text, which also matches inside words.
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
 * @param {() => boolean} isWanted false stops the search
 * @returns {Promise<Place[]>}
 */
export async function findAll(text, pattern, isWanted) {
  const places = /** @type {Place[]} */ ([]);
  let end = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    places.push([match.index, match.index + match[0].length]);
    if (match.index - end > SLICE_LENGTH || places.length % 5000 === 0) {
      end = match.index;
      const at = pattern.lastIndex;
      await new Promise((resolve) => setTimeout(resolve));
      if (!isWanted()) {
        return [];
      }
      pattern.lastIndex = at;
    }
  }
  return places;
}

/**
 * Return the index of the next match, from the current one or the reading position.
 * @param {Place[]} places ascending
 * @param {number | null} current the one gone to last
 * @param {number} readingPosition the first place in view
 * @param {number} step 1 for the next, -1 for the one before
 * @returns {number}
 */
export function nextPlace(places, current, readingPosition, step) {
  if (current !== null) {
    return (current + step + places.length) % places.length;
  }
  const following = places.findIndex(([begin]) => begin >= readingPosition);
  const next = following < 0 ? 0 : following;
  return step > 0 ? next : (next - 1 + places.length) % places.length;
}

/** @param {string} typed @returns {string} */
function escaped(typed) {
  return typed
    .split(/\s+/)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"))
    .join("\\s+");
}
