/** Page images of a document, one at a time. They are embedded in the file and parsed on demand. */

import { openDialog } from "./dialogs.js";
import { button, el, keyCap, reveal, setText } from "./dom.js";
import { fill, tr } from "./words.js";

/** @import { KeyMap } from "./keys.js" */
/** @import { DocumentEntry } from "./task.js" */

/** @typedef {{ pages: number, pictures: string[] }} Sheet number of pages, and the first pages in base 64 */

const PAGE_STEPS = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1 });

/** @type {Element[]} elements that contain them, in the order of the task */
let holders = [];

/** Detach the embedded images before the page is shown. */
export function readPageImages() {
  holders = [...document.querySelectorAll('script[id^="sheet-"]')];
  holders.forEach((holder) => holder.remove());
}

/** @returns {boolean} whether any document has page images */
export function hasPageImages() {
  return holders.length > 0;
}

/** Button of a document with page images. */
export class PagesButton {
  /** @param {() => void} call @param {KeyMap | null} [keys] if there is also a key for it */
  constructor(call, keys = null) {
    this.keys = keys;
    this.cap = keyCap("");
    this.root = button(tr("Show pages as images"), call, { class: "link show-pages", hidden: true }, this.cap);
    this.refresh();
  }

  /** @param {DocumentEntry | null} document */
  show(document) {
    reveal(this.root, document?.pages !== undefined);
  }

  /** Update the key. */
  refresh() {
    const cap = this.keys?.cap("pages") ?? "";
    setText(this.cap, cap);
    reveal(this.cap, Boolean(cap));
    const aria = this.keys?.aria("pages");
    if (aria) {
      this.root.setAttribute("aria-keyshortcuts", aria);
    } else {
      this.root.removeAttribute("aria-keyshortcuts");
    }
  }
}

/**
 * Show the page images of a document; the left and right arrow keys turn pages.
 * @param {DocumentEntry} document
 * @param {() => void} closed
 */
export function openPages(document, closed) {
  const sheet = /** @type {Sheet} */ (JSON.parse(holders[document.pages ?? 0].textContent || ""));
  const count = sheet.pictures.length;
  let at = 0;
  const picture = el("img");
  const frame = el("div", { class: "page-frame", tabindex: 0, role: "region", "aria-label": tr("Page"), autofocus: true }, picture);
  const pageLabel = el("span", { class: "quiet numbers", role: "status" });
  const turn = (/** @type {number} */ step) => {
    if (at + step >= 0 && at + step < count) {
      at += step;
      const words = fill(tr("Page {number} of {pages}"), { number: at + 1, pages: sheet.pages });
      picture.src = `data:image/webp;base64,${sheet.pictures[at]}`;
      picture.alt = words;
      setText(pageLabel, words);
      backButton.disabled = !at;
      nextButton.disabled = at === count - 1;
      frame.scrollTop = 0;
    }
  };
  const backButton = button(tr("Previous page"), () => turn(-1), { "aria-keyshortcuts": "ArrowLeft" });
  const nextButton = button(tr("Next page"), () => turn(1), { "aria-keyshortcuts": "ArrowRight" });
  const limitNote = count < sheet.pages ? fill(tr("This file contains only pages 1 to {count}."), { count }) : "";
  const turnRow = el(
    "div",
    { class: "row wrap turning" },
    backButton,
    nextButton,
    pageLabel,
    el("span", { class: "small quiet" }, limitNote),
  );
  const title = document.title || document.id;
  const dialog = openDialog({ title, parts: [frame], choices: [{ label: tr("Close") }], closed, style: "page-pictures" });
  dialog.querySelector(".choices")?.prepend(turnRow);
  dialog.addEventListener("keydown", (event) => {
    if (event.key in PAGE_STEPS && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      turn(PAGE_STEPS[event.key]);
    }
  });
  turn(0);
  frame.focus();
}
