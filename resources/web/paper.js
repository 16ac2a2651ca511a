/** Document on the screen, inserted piece by piece, with character positions in its text. */

import { el, followLinks, makeLinksFocusable } from "./dom.js";
import { FIELDS } from "./reasons.js";

/** @import { Content, DocumentEntry } from "./task.js" */

const INSERTION_MS = 12; // milliseconds of insertion between two checks for user events
const MARKS = ["hit", "own", "now", "found", "reason"];

/** @type {Map<Paper, Map<string, AbstractRange[]>>} */
const marked = new Map();

/** Scrollable part of the page that shows one document. */
export class Paper {
  /**
   * @param {HTMLElement} scroller
   * @param {(address: string) => void} ask called for an external link
   */
  constructor(scroller, ask) {
    this.scroller = scroller;
    this.sheet = document.createElement("div");
    this.sheet.className = "sheet";
    scroller.append(this.sheet);
    this.complete = true;
    this.turn = 0;
    /** @type {Text[]} */
    this.nodes = [];
    /** @type {number[]} offset of each text node, then the total length */
    this.starts = [0];
    followLinks(this.sheet, ask);
  }

  /**
   * Show a document from its top. The first piece is inserted at once; the promise resolves after the last one.
   * @param {Content} content
   * @param {DocumentEntry} document
   * @returns {Promise<boolean>} false if another document was shown in the meantime
   */
  async show(content, document) {
    this.turn += 1;
    const { turn } = this;
    this.clear();
    this.sheet.dir = content.direction;
    this.sheet.lang = content.language ?? "";
    this.sheet.dataset.kind = content.kind;
    this.complete = content.html.length < 2;
    this.append(content.html[0] ?? "");
    this.showFields(document);
    let since = performance.now();
    for (const piece of content.html.slice(1)) {
      if (performance.now() - since > INSERTION_MS) {
        await new Promise((resolve) => setTimeout(resolve));
        since = performance.now();
      }
      if (turn !== this.turn) {
        return false;
      }
      this.append(piece);
    }
    this.complete = true;
    return true;
  }

  /** @returns {Element} the scrolled element: the paper, or the whole page on low screens */
  get port() {
    const own = getComputedStyle(this.scroller).overflowY !== "visible";
    return own ? this.scroller : (document.scrollingElement ?? document.documentElement);
  }

  /** @returns {{ top: number, bottom: number, height: number }} visible area, without sticky elements above and below */
  get view() {
    if (this.port === this.scroller) {
      return this.scroller.getBoundingClientRect();
    }
    const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
    const [top, bottom] = [parseFloat(scrollPaddingTop) || 0, innerHeight - (parseFloat(scrollPaddingBottom) || 0)];
    return { top, bottom, height: bottom - top };
  }

  /** Remove the document. */
  clear() {
    this.sheet.replaceChildren();
    this.nodes = [];
    this.starts = [0];
    this.port.scrollTop = 0;
    marked.delete(this);
    refreshMarks();
  }

  /** @param {DocumentEntry} document shows its fields below the title; they do not belong to its text */
  showFields({ fields = [], picture, title }) {
    if (fields.length || picture) {
      const rows = fields.flatMap(([name, text]) => [el("dt", { dir: "auto" }, name), el("dd", { dir: "auto" }, text)]);
      const fieldTable = el("div", { class: FIELDS }, picture ? el("img", { src: picture, alt: title }) : null, el("dl", {}, ...rows));
      const first = this.sheet.firstElementChild;
      if (first?.tagName === "H1") {
        first.after(fieldTable);
      } else {
        this.sheet.prepend(fieldTable);
      }
    }
  }

  /** @param {string} html */
  append(html) {
    this.sheet.insertAdjacentHTML("beforeend", html);
    const walker = document.createTreeWalker(this.sheet, NodeFilter.SHOW_ALL, replaceFormField);
    if (this.nodes.length) {
      walker.currentNode = this.nodes[this.nodes.length - 1];
    }
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node instanceof Text) {
        this.nodes.push(node);
        this.starts.push(this.starts[this.starts.length - 1] + node.length);
      }
    }
    makeLinksFocusable(this.sheet);
  }

  /** @returns {string} the text inserted so far */
  get text() {
    return this.nodes.map((node) => node.data).join("");
  }

  /** @returns {number} */
  get length() {
    return this.starts[this.starts.length - 1];
  }

  /** @param {number} offset @returns {[Text, number] | null} text node and offset in it */
  locate(offset) {
    let low = 0;
    let high = this.nodes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return this.nodes.length && offset <= this.length ? [this.nodes[low], offset - this.starts[low]] : null;
  }

  /** @param {number} begin @param {number} end @returns {Range | null} range in the text; null before it is inserted */
  range(begin, end) {
    const from = this.locate(begin);
    const to = this.locate(Math.max(begin, end - 1)); // the node of the last character, not the node after it
    if (!from || !to || end > this.length) {
      return null;
    }
    const range = document.createRange();
    range.setStart(...from);
    range.setEnd(to[0], to[1] + (end > begin ? 1 : 0));
    return range;
  }

  /**
   * Highlight places of a kind, in place of the earlier ones.
   * @param {"hit" | "own" | "now" | "found" | "reason"} kind
   * @param {[number, number][]} places
   */
  mark(kind, places) {
    const ranges = places.flatMap(([begin, end]) => this.fixed(begin, end));
    marked.set(this, (marked.get(this) ?? new Map()).set(kind, ranges));
    refreshMarks();
  }

  /** @param {number} begin @param {number} end @returns {StaticRange[]} empty before the text is inserted */
  fixed(begin, end) {
    const from = this.locate(begin);
    const to = this.locate(Math.max(begin, end - 1));
    const isInText = from && to && end > begin && end <= this.length;
    return isInText ? [new StaticRange({ startContainer: from[0], startOffset: from[1], endContainer: to[0], endOffset: to[1] + 1 })] : [];
  }

  /** @param {number} begin @param {number} end scrolls a place into view if necessary, a third from the top */
  reveal(begin, end) {
    const box = this.range(begin, end)?.getBoundingClientRect();
    const { view } = this;
    if (box && (box.top < view.top || box.bottom > view.bottom)) {
      this.port.scrollTop += box.top - view.top - view.height / 3;
    }
  }

  /** @param {number} begin scrolls a position to the top */
  scrollTo(begin) {
    const box = this.range(begin, begin + 1)?.getBoundingClientRect();
    if (box) {
      this.port.scrollTop += box.top - this.view.top - 8;
    }
  }

  /** @returns {number} the first visible position */
  get eye() {
    const { top } = this.view;
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const box = this.range(middle, middle + 1)?.getBoundingClientRect();
      if (box && box.bottom < top) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** @param {Node} node @returns {number} */
function replaceFormField(node) {
  return node instanceof Element && node.classList.contains(FIELDS) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
}

function refreshMarks() {
  const registry = typeof CSS === "undefined" ? undefined : CSS.highlights;
  for (const kind of registry ? MARKS : []) {
    const ranges = [...marked.values()].flatMap((kinds) => kinds.get(kind) ?? []);
    if (ranges.length) {
      registry?.set(`irjudge-${kind}`, new Highlight(...ranges));
    } else {
      registry?.delete(`irjudge-${kind}`);
    }
  }
}
