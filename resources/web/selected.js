/** What is selected in the document, and the button that keeps it as a reason. */

import { isDialogOpen } from "./dialogs.js";
import { button, reveal } from "./dom.js";
import { tr } from "./words.js";

/** @import { Paper } from "./paper.js" */

const SELECTION_GRACE = 500; // milliseconds for which a selection that is gone can still be kept as a reason

/** Offers to keep what is selected. A finger on the button may take the selection away first, so it is known for a moment longer. */
export class Selected {
  /** @param {Paper} paper @param {() => void} keep @param {() => boolean} may whether anything may be kept now */
  constructor(paper, keep, may) {
    this.paper = paper;
    this.may = may;
    /** @type {Range | null} */
    this.chosen = null;
    this.letGo = 0;
    const stay = (/** @type {Event} */ event) => event.preventDefault(); // the selection stays
    this.button = button(tr("Mark as evidence"), keep, { class: "keep primary", hidden: true, onpointerdown: stay });
    document.addEventListener("selectionchange", () => this.look());
  }

  /** @returns {Range | null} what is selected now, or was a moment ago */
  get range() {
    const selected = getSelection();
    return selected?.rangeCount && !selected.isCollapsed ? selected.getRangeAt(0) : this.chosen;
  }

  look() {
    const selected = getSelection();
    const inside = selected && !selected.isCollapsed && this.paper.sheet.contains(selected.anchorNode);
    clearTimeout(this.letGo);
    if (inside) {
      this.chosen = selected.getRangeAt(0).cloneRange();
      reveal(this.button, this.may());
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
