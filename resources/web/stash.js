/** The note that is being typed, where a page that closes can still write: a transaction of IndexedDB would not end any more. */

/** @import { GradePage } from "./grade_page.js" */

/** @param {GradePage} page @returns {string} */
const stashName = ({ task }) => `irjudge draft ${task.assignment}`;

/** @param {GradePage} page stashes its note where it is not saved, for a page that opens next in this tab */
export function stashDraft(page) {
  const place = page.desk.painted;
  const words = page.marks.unkept;
  if (place === null || words === null || page.desk.reading) {
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
 * @param {number} place what was put on the screen
 */
export function unstashDraft(page, place) {
  const words = page.desk.painted === place ? takeStash(page, page.session.keys[place]) : null;
  const { draft, note } = page.session.marks(place);
  if (words !== null && words !== (draft ?? note)) {
    void page.desk.commit(
      () => page.session.draft(place, words),
      () => page.showMarks(false),
      "draft",
    );
  }
}

/** @param {GradePage} page @param {string} key of an item @returns {string | null} its note, once */
function takeStash(page, key) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(stashName(page)) ?? "null");
    if (kept?.key !== key) {
      return null;
    }
    sessionStorage.removeItem(stashName(page));
    return String(kept.words);
  } catch {
    return null;
  }
}
