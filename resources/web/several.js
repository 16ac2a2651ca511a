/** Several documents of a topic on one page; keys judge the one with the focus. */

import { button, el, reveal, setText } from "./dom.js";
import { markChip } from "./jumps.js";
import { Paper } from "./paper.js";
import { sightOf, titleOf } from "./task.js";
import { fill, tr } from "./words.js";

/** @import { GradePage } from "./grade_page.js" */
/** @import { Grading } from "./grading.js" */
/** @import { Looks } from "./looks.js" */
/** @import { PageSeen, Task } from "./task.js" */

const MIN_VISIBLE_SHARE = 0.5; // share of a document's height, or of the screen's, that must be visible to count as in view

/**
 * Return the number of documents on a page; 0 for one at a time. The participant's setting overrides the task's.
 * @param {Task} task
 * @param {Looks} looks
 * @returns {number}
 */
export function severalOf({ settings: { several, usual_several } }, looks) {
  const userSetting = looks.get("several");
  return userSetting === null ? several : userSetting ? several || usual_several : 0;
}

/** Cards of the documents; the page's `Paper` is in the focused one. */
export class SeveralDocuments {
  /** @param {GradePage} page its paper moves to the focused card */
  constructor(page) {
    this.page = page;
    this.calls = {
      choose: (/** @type {number} */ place) => page.open(place),
      ask: (/** @type {string} */ address) => page.app.askLink(address),
    };
    /** @type {DocumentCard[]} */
    this.cards = [];
    this.root = el("ol", { class: "several", "aria-label": tr("Documents on this page"), hidden: true });
    addEventListener("resize", () => this.bring());
  }

  /** @returns {boolean} whether several documents are on the screen */
  get shown() {
    return !this.root.hidden;
  }

  /**
   * Show documents; existing cards are reused, so that nothing moves.
   * @param {number[]} places empty to show the paper alone, after this list
   */
  show(places) {
    const existingCards = new Map(this.cards.map((card) => [card.place, card]));
    this.cards = places.map((place) => existingCards.get(place) ?? new DocumentCard(this.page.session, place, this.calls));
    existingCards.forEach((card, place) => !places.includes(place) && card.let());
    if (!places.length) {
      this.root.after(this.page.scroller);
    }
    if (this.root.childElementCount !== places.length || this.cards.some((card, at) => card.root !== this.root.children[at])) {
      this.root.replaceChildren(...this.cards.map((card) => card.root));
      this.root.scrollTop = 0;
    }
    reveal(this.root, places.length > 0);
  }

  /** @param {number} place moves the focus, and with it the paper of the page, to a card */
  focus(place) {
    for (const card of this.cards) {
      card.focus(card.place === place ? this.page.scroller : null);
    }
  }

  /**
   * Show a document on the paper, with several documents in its card, without moving the others.
   * @template T
   * @param {number} place
   * @param {() => T} put
   * @returns {T}
   */
  put(place, put) {
    const { app, session } = this.page;
    const size = severalOf(app.task, app.looks);
    this.show(size ? session.page(place, size, Boolean(app.served?.news.round)) : []);
    this.focus(place);
    const port = document.scrollingElement;
    const top = port?.scrollTop ?? 0;
    const done = put();
    if (this.shown) {
      port?.scrollTo({ top }); // clearing the paper has scrolled to the top
      this.bring();
    }
    return done;
  }

  /** Scroll the focused card into view. */
  bring() {
    this.cards.find((card) => card.focused)?.root.scrollIntoView({ block: "nearest" });
  }

  /** Switch between several documents and one, as a setting for all tasks. */
  toggle() {
    const { app, session } = this.page;
    app.looks.set("several", !severalOf(app.task, app.looks));
    if (session.at !== null) {
      this.page.open(session.at);
    }
  }

  /** @param {number} step moves the focus to the document above or below */
  step(step) {
    const at = this.cards.findIndex(({ place }) => place === this.page.session.at);
    const next = at < 0 ? undefined : this.cards[at + step];
    if (next) {
      this.page.open(next.place);
    } else {
      this.page.message.hint(this.shown ? tr("There are no more documents on this page.") : tr("The page shows only one document."));
    }
  }

  /** Update the judgments on the cards. */
  refresh() {
    this.cards.forEach((card, at) => card.refresh(at + 1, this.cards.length));
  }

  /** @returns {PageSeen | undefined} documents on the page and which are visible; undefined for a single one */
  get seen() {
    if (!this.shown) {
      return undefined;
    }
    const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
    const { overflowY } = getComputedStyle(this.root);
    const rootBox = overflowY === "visible" ? null : this.root.getBoundingClientRect();
    const view = rootBox ?? { top: parseFloat(scrollPaddingTop) || 0, bottom: innerHeight - (parseFloat(scrollPaddingBottom) || 0) };
    const visibleCards = this.cards.filter((card) => card.inView(view));
    return { order: this.cards.map((card) => card.id), visible: visibleCards.map((card) => card.id) };
  }
}

/** Card of a document: number, judgment and text. */
class DocumentCard {
  /** @param {Grading} session @param {number} place @param {{ choose: (place: number) => void, ask: (address: string) => void }} calls */
  constructor(session, place, { choose, ask }) {
    const { task } = session;
    const { topic, documents, about } = task.items[place];
    this.session = session;
    this.place = place;
    this.id = about.documents[0];
    this.title = titleOf(task, this.id);
    this.number = el("span", { class: "small quiet numbers" });
    this.chip = el("span", { class: "chip" });
    this.marks = el("span", { class: "small", "aria-hidden": "true" });
    this.head = button("", () => choose(place), { class: "several-head" }, this.number, this.chip, this.marks);
    this.plain = el("div", { class: "paper plain" });
    this.paper = new Paper(this.plain, ask);
    this.root = el("li", { class: "several-card" }, this.head, this.plain);
    this.root.addEventListener("click", (event) => this.onClick(event, choose));
    void this.fill(topic, documents[0]).then(() => this.plain.classList.toggle("cut", this.plain.scrollHeight > this.plain.clientHeight));
  }

  /** @param {MouseEvent} event @param {(place: number) => void} choose */
  onClick(event, choose) {
    const link = event.target instanceof Element && event.target.closest("a, button");
    if (!link && !this.focused && !getSelection()?.toString()) {
      choose(this.place);
    }
  }

  /** @returns {boolean} */
  get focused() {
    return this.root.getAttribute("aria-current") === "true";
  }

  /** @param {number} topic @param {number} document */
  async fill(topic, document) {
    const { task } = this.session;
    const entry = task.documents[document];
    if (await this.paper.show(task.contents[entry.content], entry)) {
      const flat = sightOf(task, topic, document).hits ?? [];
      this.paper.mark(
        "hit",
        Array.from({ length: flat.length / 3 }, (_, at) => [flat[3 * at], flat[3 * at + 1]]),
      );
    }
  }

  /** Remove the card and its highlights. */
  let() {
    this.paper.clear();
    this.root.remove();
  }

  /** @param {HTMLElement | null} scroller the page's paper, shown in this card; null for the card's own */
  focus(scroller) {
    reveal(this.plain, !scroller);
    if (scroller && scroller.parentNode !== this.root) {
      this.root.append(scroller);
    }
    if (scroller) {
      this.root.setAttribute("aria-current", "true");
    } else {
      this.root.removeAttribute("aria-current");
    }
  }

  /** @param {number} number @param {number} count */
  refresh(number, count) {
    const standing = this.session.standing(this.place);
    const words = markChip(this.chip, this.session, standing);
    const judged = standing.state !== "unjudged";
    setText(this.chip, words);
    reveal(this.chip, judged);
    setText(this.number, fill(tr("{count} of {total}"), { count: number, total: count }));
    setText(this.marks, [standing.unsure && "⚑", standing.noted && "✎"].filter(Boolean).join(" "));
    const states = [standing.unsure && tr("unsure"), standing.noted && tr("has a note"), this.focused && tr("current document")];
    const name = [fill(tr("{count} of {total}"), { count: number, total: count }), this.title, judged ? words : tr("not judged"), ...states]
      .filter(Boolean)
      .join(", ");
    this.head.setAttribute("aria-label", name);
  }

  /** @param {{ top: number, bottom: number }} view @returns {boolean} whether half of it is visible, or it fills half of the screen */
  inView({ top, bottom }) {
    const box = this.root.getBoundingClientRect();
    const visibleHeight = Math.min(box.bottom, bottom) - Math.max(box.top, top);
    return visibleHeight > 0 && visibleHeight >= MIN_VISIBLE_SHARE * Math.min(box.height, bottom - top);
  }
}
