/** Selected text as a rationale, with its position in the engine's text. */

/** Class of the elements in a sheet that do not belong to the document's text. */
export const FIELDS = "fields";

/** @import { Rationale } from "./ledger.js" */

const SPACE = "[\\t\\n\\v\\f\\r\\x1c-\\x1f \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const SPACES = new RegExp(SPACE, "g");
const IN_WORD = /^(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Mymr}\p{sc=Khmr}\p{sc=Hang}])[\p{L}\p{M}\p{N}]$/u;
const LEADING = new RegExp(`^${SPACE}`);
const SPACES_ONLY = new RegExp(`^${SPACE}$`);
const INVISIBLE = /[\u200b\ufffc]/;

/**
 * Return the selected text of a document as a rationale; null if nothing is selected. Positions count code points, with runs of white space as one.
 * @param {HTMLElement} sheet
 * @param {Range | null} selection
 * @param {[number, number]} [unsaid] position and length of text that counts but is not shown
 * @returns {Rationale | null}
 */
export function reasonOf(sheet, selection, unsaid) {
  if (!selection || selection.collapsed || !selection.intersectsNode(sheet)) {
    return null;
  }
  const inside = document.createRange();
  inside.selectNodeContents(sheet);
  if (selection.compareBoundaryPoints(Range.START_TO_START, inside) > 0) {
    inside.setStart(selection.startContainer, selection.startOffset);
  }
  if (selection.compareBoundaryPoints(Range.END_TO_END, inside) < 0) {
    inside.setEnd(selection.endContainer, selection.endOffset);
  }
  takeWholeWords(inside);
  const before = document.createRange();
  before.selectNodeContents(sheet);
  before.setEnd(inside.startContainer, inside.startOffset);
  return reasonAt(textIn(before, sheet), textIn(inside, sheet), unsaid);
}

/** @param {Range} range @param {HTMLElement} sheet @returns {string} its text without the fields, which positions do not count */
function textIn(range, sheet) {
  const fields = sheet.querySelector(`.${FIELDS}`);
  if (!fields || !range.intersectsNode(fields)) {
    return range.toString();
  }
  if (fields.contains(range.commonAncestorContainer)) {
    return "";
  }
  const copy = range.cloneContents();
  copy.querySelectorAll(`.${FIELDS}`).forEach((each) => each.remove());
  return copy.textContent ?? "";
}

/** @param {Range} range extended to whole words at both ends */
function takeWholeWords(range) {
  const { startContainer: first, endContainer: last } = range;
  let { startOffset: begin, endOffset: end } = range;
  while (first instanceof Text && isWithinWord(first.data, begin)) {
    begin -= 1;
  }
  while (last instanceof Text && isWithinWord(last.data, end)) {
    end += 1;
  }
  range.setStart(first, begin);
  range.setEnd(last, end);
}

/** @param {string} text @param {number} at @returns {boolean} whether a position is inside a word of a script with spaces */
function isWithinWord(text, at) {
  return at > 0 && at < text.length && IN_WORD.test(text[at - 1]) && IN_WORD.test(text[at]);
}

/**
 * @param {string} before the text before the selection
 * @param {string} selected
 * @param {[number, number]} unsaid position and length, with a space, of text that counts but is not shown
 * @returns {Rationale | null}
 */
export function reasonAt(before, selected, [place, length] = [0, 0]) {
  const text = collapseSpaces(selected);
  const lead = LEADING.exec(selected)?.[0] ?? "";
  const shown = countCodePoints(collapseSpaces(`${before}${lead}x`)) - 1;
  const begin = shown > place ? shown + length : shown;
  return text ? { text, position: [begin, begin + countCodePoints(text)] } : null;
}

/**
 * Return the ranges of rationales in the shown text: the inverse of `reasonAt`.
 * @param {string} text
 * @param {Rationale[]} reasons
 * @param {[number, number]} [unsaid] see `reasonOf`
 * @returns {[number, number][]} UTF-16 offsets in ascending order, without rationales that do not occur
 */
export function placesOf(text, reasons, [place, length] = [0, 0]) {
  const shown = (/** @type {number} */ counted) => (counted > place ? Math.max(place, counted - length) : counted);
  const ranges = reasons.map(({ position: [begin, end] }) => ({ begin: shown(begin), end: shown(end), from: -1, to: -1 }));
  let counted = 0;
  let blank = false;
  let offset = 0;
  for (const character of ranges.length ? text : "") {
    const next = offset + character.length;
    if (SPACES_ONLY.test(character)) {
      blank = counted > 0;
    } else if (!INVISIBLE.test(character)) {
      counted += blank ? 1 : 0;
      blank = false;
      for (const each of ranges) {
        if (counted >= each.begin && counted < each.end) {
          each.from = each.from < 0 ? offset : each.from;
          each.to = next;
        }
      }
      counted += 1;
    }
    offset = next;
  }
  const found = ranges.flatMap(({ from, to }) => (from < 0 ? [] : [/** @type {[number, number]} */ ([from, to])]));
  return found.sort((one, other) => one[0] - other[0]);
}

/** @param {string} text @returns {string} without invisible characters, with white space collapsed and trimmed */
function collapseSpaces(text) {
  return text
    .replace(/[\u200b\ufffc]/g, "")
    .replace(SPACES, " ")
    .replace(/^ | $/g, "");
}

/** @param {string} text @returns {number} code points */
function countCodePoints(text) {
  return [...text].length;
}
