/** Selection in the document, and the button that saves it as a rationale. */

import { isDialogOpen } from "./dialogs.js";
import { button, reveal } from "./dom.js";
import { tr } from "./words.js";

/** @import { Paper } from "./paper.js" */

const SELECTION_GRACE = 500; // milliseconds for which a cleared selection can still be saved

/** Button that saves the selection. A tap on it may clear the selection first, so the selection is remembered for a moment. */
export class Selected {
  /**
   * @param {Paper} paper
   * @param {() => void} keep
   * @param {() => boolean} may whether saving is possible
   * @param {() => void} begun called when text is selected
   */
  constructor(paper, keep, may, begun) {
    this.paper = paper;
    this.may = may;
    this.begun = begun;
    /** @type {Range | null} */
    this.chosen = null;
    this.letGo = 0;
    const keepSelection = (/** @type {Event} */ event) => event.preventDefault(); // the selection stays
    this.button = button(tr("Mark as evidence"), keep, { class: "keep primary", hidden: true, onpointerdown: keepSelection });
    document.addEventListener("selectionchange", () => this.look());
  }

  /** @returns {Range | null} the current or just cleared selection */
  get range() {
    const selected = getSelection();
    return selected?.rangeCount && !selected.isCollapsed ? selected.getRangeAt(0) : this.chosen;
  }

  look() {
    const selected = getSelection();
    const isInDocument = selected && !selected.isCollapsed && this.paper.sheet.contains(selected.anchorNode);
    clearTimeout(this.letGo);
    if (isInDocument) {
      this.chosen = selected.getRangeAt(0).cloneRange();
      reveal(this.button, this.may());
      this.begun();
    } else if (!isDialogOpen()) {
      this.letGo = setTimeout(() => this.forget(), SELECTION_GRACE);
    }
  }

  forget() {
    clearTimeout(this.letGo);
    this.chosen = null;
    reveal(this.button, false);
  }
}
