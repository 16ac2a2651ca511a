/** The selected words as the reason of a judgment, with their place in the engine's text. */

/** @import { Rationale } from "./ledger.js" */

const SPACE = "[\\t\\n\\v\\f\\r\\x1c-\\x1f \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const SPACES = new RegExp(SPACE, "g");
const LEADING = new RegExp(`^${SPACE}`);

/**
 * Return the words that are selected in a document; null when none are. Places count code points of the text with runs of blanks as one.
 * @param {HTMLElement} sheet
 * @param {Selection | null} selection
 * @param {[number, number]} [unsaid] what places count and the sheet does not show
 * @returns {Rationale | null}
 */
export function reasonOf(sheet, selection, unsaid) {
  const chosen = selection?.rangeCount ? selection.getRangeAt(0) : null;
  if (!chosen || chosen.collapsed || !chosen.intersectsNode(sheet)) {
    return null;
  }
  const inside = document.createRange();
  inside.selectNodeContents(sheet);
  if (chosen.compareBoundaryPoints(Range.START_TO_START, inside) > 0) {
    inside.setStart(chosen.startContainer, chosen.startOffset);
  }
  if (chosen.compareBoundaryPoints(Range.END_TO_END, inside) < 0) {
    inside.setEnd(chosen.endContainer, chosen.endOffset);
  }
  const before = document.createRange();
  before.selectNodeContents(sheet);
  before.setEnd(inside.startContainer, inside.startOffset);
  return reasonAt(before.toString(), inside.toString(), unsaid);
}

/**
 * @param {string} before the text before the selection
 * @param {string} selected
 * @param {[number, number]} unsaid where words stand that are counted and not shown, and how many letters they have with a blank
 * @returns {Rationale | null}
 */
export function reasonAt(before, selected, [place, length] = [0, 0]) {
  const text = oneBlank(selected);
  const lead = LEADING.exec(selected)?.[0] ?? "";
  const shown = letters(oneBlank(`${before}${lead}x`)) - 1;
  const begin = shown > place ? shown + length : shown;
  return text ? { text, position: [begin, begin + letters(text)] } : null;
}

/** @param {string} text @returns {string} without marks that nobody sees, runs of blanks as one, none at the ends */
function oneBlank(text) {
  return text
    .replace(/[\u200b\ufffc]/g, "")
    .replace(SPACES, " ")
    .replace(/^ | $/g, "");
}

/** @param {string} text @returns {number} code points */
function letters(text) {
  return [...text].length;
}
