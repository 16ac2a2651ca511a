/** Stores the note that is being typed while the page closes, when a transaction of IndexedDB can no longer complete. */

/** @import { GradePage } from "./grade_page.js" */

/** @param {GradePage} page @returns {string} */
const stashName = ({ task }) => `irjudge draft ${task.assignment}`;

/**
 * Stash an unsaved note for the page that this tab loads next.
 * @param {GradePage} page
 */
export function stashDraft(page) {
  const place = page.workspace.rendered;
  const words = page.marks.unkept;
  if (place === null || words === null || page.workspace.reading) {
    return;
  }
  try {
    sessionStorage.setItem(stashName(page), JSON.stringify({ key: page.session.keys[place], words }));
  } catch {
    // this browser has no storage, and the page says so elsewhere
  }
}

/**
 * Make the stashed note of an item a draft again.
 * @param {GradePage} page
 * @param {number} place the shown item
 */
export function unstashDraft(page, place) {
  const words = page.workspace.rendered === place ? takeStash(page, page.session.keys[place]) : null;
  const { draft, note } = page.session.marks(place);
  if (words !== null && words !== (draft ?? note)) {
    void page.workspace.commit(
      () => page.session.draft(place, words),
      () => page.showMarks(false),
      "draft",
    );
  }
}

/**
 * Return the stashed note of an item and remove it.
 * @param {GradePage} page
 * @param {string} key
 * @returns {string | null}
 */
function takeStash(page, key) {
  try {
    const stashed = JSON.parse(sessionStorage.getItem(stashName(page)) ?? "null");
    if (stashed?.key !== key) {
      return null;
    }
    sessionStorage.removeItem(stashName(page));
    return String(stashed.words);
  } catch {
    return null;
  }
}
