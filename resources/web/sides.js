/** Two ranked lists or two documents side by side, and how far they were scrolled. */

import { button, el, reveal, setText } from "./dom.js";
import { PagesButton, openPages } from "./pages.js";
import { Paper } from "./paper.js";
import { sightOf } from "./task.js";
import { fill, tr } from "./words.js";

/** @import { ComparePage } from "./compare_page.js" */
/** @import { Result } from "./comparing.js" */
/** @import { DocumentEntry, Task } from "./task.js" */

/** Two scrollable parts, linked or independent. */
class Sides {
  /** @param {string} style */
  constructor(style) {
    this.linked = true;
    this.names = [tr("Left"), tr("Right")];
    this.scrollers = this.names.map((name) => el("div", { class: "side-scroll", tabindex: 0, role: "region", "aria-label": name }));
    this.heads = this.names.map((name) => el("div", { class: "row side-head" }, el("h2", {}, name)));
    const parts = this.scrollers.map((scroller, side) => el("div", { class: "side" }, this.heads[side], scroller));
    this.root = el("div", { class: `sides ${style}` }, ...parts);
    /** @type {[number, number]} */
    this.lowest = [0, 0];
    this.follows = [-1, -1];
    this.scrollers.forEach((scroller, side) => scroller.addEventListener("scroll", () => this.onScrolled(side), { passive: true }));
    document.addEventListener("scroll", () => this.look(), { passive: true });
  }

  /** @param {number} side */
  onScrolled(side) {
    const [mine, other] = [this.scrollers[side], this.scrollers[1 - side]];
    if (this.linked && mine.scrollTop !== this.follows[side]) {
      other.scrollTop = mine.scrollTop;
      this.follows[1 - side] = other.scrollTop; // it may be shorter; its own event must not pull the first one back
    }
    this.follows[side] = -1;
    this.look();
  }

  /** Record what is visible. */
  look() {}

  /** @param {number} side @returns {number} lower end of the visible part of a side */
  lowestSeen(side) {
    const below = parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) || 0;
    return Math.min(this.scrollers[side].getBoundingClientRect().bottom, innerHeight - below);
  }

  /** @param {number} lines @param {number} pages distance to scroll */
  step(lines, pages) {
    const focused = this.scrollers.findIndex((scroller) => scroller.contains(document.activeElement));
    const [one, other] = focused === 1 ? [1, 0] : [0, 1];
    const by = lines * 48 + pages * this.scrollers[one].clientHeight * 0.9;
    this.scrollers[one].scrollTop += by;
    if (this.linked) {
      this.scrollers[other].scrollTop += by;
    }
  }

  /** Scroll both sides to the top, and reset the viewed extent. */
  top() {
    this.lowest = [0, 0];
    if (document.scrollingElement) {
      document.scrollingElement.scrollTop = 0;
    }
    this.scrollers.forEach((scroller) => {
      scroller.scrollTop = 0;
    });
  }

  focus() {
    this.scrollers[0].focus({ preventScroll: true });
  }
}

/** Two ranked lists. */
export class ListSides extends Sides {
  /** @param {(side: number, place: number) => void} open */
  constructor(open) {
    super("lists");
    this.open = open;
    this.same = false;
    /** @type {[Result[], Result[]]} */
    this.results = [[], []];
  }

  /** @param {[Result[], Result[]]} results */
  show(results) {
    this.results = results;
    this.scrollers.forEach((scroller, side) => {
      const cards = results[side].map((result, place) => this.card(result, side, place));
      scroller.replaceChildren(...(cards.length ? cards : [el("p", { class: "quiet" }, tr("No results."))]));
    });
    this.top();
    this.showSame();
    this.look();
  }

  /** @param {Result} result @param {number} side @param {number} place */
  card(result, side, place) {
    const title = el("span", { class: "title", dir: "auto" }, ...spans(result.title, result.titleMarks));
    const text = el("span", { class: "snippet quiet", dir: "auto" }, ...spans(result.text, result.marks));
    const counterpart = el("span", { class: "counterpart small", hidden: true });
    const where = fill(side ? tr("Right, result {place}") : tr("Left, result {place}"), { place: place + 1 });
    return button(
      "",
      () => this.open(side, place),
      { class: "result" },
      el("span", { class: "rank quiet" }, el("span", { "aria-hidden": "true" }, String(place + 1)), el("span", { class: "spoken" }, where)),
      title,
      counterpart,
      result.picture && el("img", { src: result.picture, alt: "" }),
      result.facts && el("span", { class: "facts", dir: "auto" }, result.facts),
      text,
    );
  }

  /** @returns {boolean} whether results show the rank of the same document on the other side */
  switchSame() {
    this.same = !this.same;
    this.showSame();
    return this.same;
  }

  showSame() {
    this.results.forEach((mine, side) => {
      const others = this.results[1 - side].map((result) => result.document);
      mine.forEach((result, place) => {
        const counterpart = /** @type {HTMLElement} */ (this.scrollers[side].children[place].querySelector(".counterpart"));
        const at = others.indexOf(result.document);
        setText(counterpart, `= ${at + 1}`);
        reveal(counterpart, this.same && at >= 0);
      });
    });
  }

  /** @override */
  look() {
    this.scrollers.forEach((scroller, side) => {
      const bottom = this.lowestSeen(side);
      const seen = [...scroller.querySelectorAll(".result")].filter((card) => middleOf(card) <= bottom).length;
      this.lowest[side] = Math.max(this.lowest[side], seen);
    });
  }

  /** @param {number} side @param {number} place puts the focus on a result */
  focusResult(side, place) {
    /** @type {HTMLElement} */ (this.scrollers[side].children[place])?.focus();
  }

  /** @returns {{ side: number, place: number } | null} the focused result, or the first one */
  get focused() {
    const all = this.results.flatMap((results, side) => results.map((_result, place) => ({ side, place })));
    return all.find(({ side, place }) => this.scrollers[side].children[place] === document.activeElement) ?? all[0] ?? null;
  }
}

/** Two whole documents; one that was not compared before is marked as new. */
export class PairSides extends Sides {
  /** @param {ComparePage} page takes the focus after a dialog */
  constructor(page) {
    super("pair");
    this.task = page.task;
    this.papers = this.scrollers.map((scroller) => new Paper(scroller, (address) => page.app.askLink(address)));
    this.marks = this.heads.map((head) => {
      const mark = el("span", { class: "fresh-mark small" }, tr("new"));
      head.append(mark);
      return mark;
    });
    /** @type {(DocumentEntry | null)[]} */
    this.documents = [null, null];
    this.pages = this.heads.map((head, side) => {
      const pagesButton = new PagesButton(() => {
        const document = this.documents[side];
        return document && openPages(document, () => page.focus());
      });
      head.append(pagesButton.root);
      return pagesButton;
    });
  }

  /** @param {number} topic @param {[Result[], Result[]]} results */
  show(topic, results) {
    this.papers.forEach((paper, side) => {
      const [result] = results[side];
      const document = this.task.documents[result.document];
      this.documents[side] = document;
      this.pages[side].show(document);
      reveal(this.marks[side], result.fresh);
      const loaded = paper.show(this.task.contents[document.content], document);
      markHits(paper, this.task, topic, result.document);
      void loaded.then((whole) => {
        if (whole) {
          markHits(paper, this.task, topic, result.document);
          this.look();
        }
      });
    });
    this.top();
    this.look();
  }

  /** @override */
  look() {
    this.papers.forEach((paper, side) => {
      const { scroller } = paper;
      const isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
      if (paper.complete && isAtEnd && this.lowestSeen(side) >= scroller.getBoundingClientRect().bottom - 2) {
        this.lowest[side] = 1;
      }
    });
  }
}

/**
 * Highlight the engine's matches in a document.
 * @param {Paper} paper
 * @param {Task} task
 * @param {number} topic
 * @param {number} document
 */
export function markHits(paper, task, topic, document) {
  const flat = sightOf(task, topic, document).hits ?? [];
  paper.mark(
    "hit",
    Array.from({ length: flat.length / 3 }, (_, at) => [flat[3 * at], flat[3 * at + 1]]),
  );
}

/** @param {string} text @param {[number, number][]} marks @returns {(string | Node)[]} the text with its marks */
function spans(text, marks) {
  const parts = /** @type {(string | Node)[]} */ ([]);
  let offset = 0;
  for (const [begin, end] of marks) {
    parts.push(text.slice(offset, begin), el("mark", {}, text.slice(begin, end)));
    offset = end;
  }
  return [...parts, text.slice(offset)];
}

/** @param {Element} element @returns {number} */
function middleOf(element) {
  const box = element.getBoundingClientRect();
  return (box.top + box.bottom) / 2;
}
