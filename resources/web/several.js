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

const HALF = 0.5; // visible share of a document, or share of the screen, to count as in view

/**
 * Return the number of documents on a page; 0 for one at a time. The participant's setting overrides the task's.
 * @param {Task} task
 * @param {Looks} looks
 * @returns {number}
 */
export function severalOf({ settings: { several, usual_several } }, looks) {
  const wish = looks.get("several");
  return wish === null ? several : wish ? several || usual_several : 0;
}

/** Cards of the documents; the page's `Paper` is in the focused one. */
export class SeveralDocuments {
  /** @param {GradePage} page whose paper goes from card to card */
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
   * Put documents on the page; cards that stay are not made anew, so that nothing moves.
   * @param {number[]} places none where the paper stands alone, behind this list
   */
  show(places) {
    const kept = new Map(this.cards.map((card) => [card.place, card]));
    this.cards = places.map((place) => kept.get(place) ?? new DocumentCard(this.page.session, place, this.calls));
    kept.forEach((card, place) => !places.includes(place) && card.let());
    if (!places.length) {
      this.root.after(this.page.scroller);
    }
    if (this.root.childElementCount !== places.length || this.cards.some((card, at) => card.root !== this.root.children[at])) {
      this.root.replaceChildren(...this.cards.map((card) => card.root));
      this.root.scrollTop = 0;
    }
    reveal(this.root, places.length > 0);
  }

  /** @param {number} place takes the focus: the paper of the page stands there, and what stood there before is a plain one again */
  focus(place) {
    for (const card of this.cards) {
      card.focus(card.place === place ? this.page.scroller : null);
    }
  }

  /**
   * Put a document on the paper; where several stand on the page, in its place among them, and nothing else moves.
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
      port?.scrollTo({ top }); // an emptied paper went to the top
      this.bring();
    }
    return done;
  }

  /** Bring what has the focus into view. */
  bring() {
    this.cards.find((card) => card.focused)?.root.scrollIntoView({ block: "nearest" });
  }

  /** Show several documents, or one at a time, as a setting for all tasks. */
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
      this.page.message.hint(this.shown ? tr("There are no more documents on this page.") : tr("The page shows one document."));
    }
  }

  /** Show the judgment of each. */
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
    const own = overflowY === "visible" ? null : this.root.getBoundingClientRect();
    const view = own ?? { top: parseFloat(scrollPaddingTop) || 0, bottom: innerHeight - (parseFloat(scrollPaddingBottom) || 0) };
    const seen = this.cards.filter((card) => card.inView(view));
    return { order: this.cards.map((card) => card.id), visible: seen.map((card) => card.id) };
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

  /** Leave the page: what was marked here is marked no more. */
  let() {
    this.paper.clear();
    this.root.remove();
  }

  /** @param {HTMLElement | null} scroller the paper of the page, which stands here in place of the plain one; null for the plain one */
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
    const said = [standing.unsure && tr("unsure"), standing.noted && tr("has a note"), this.focused && tr("keys apply here")];
    const name = [fill(tr("{count} of {total}"), { count: number, total: count }), this.title, judged ? words : tr("not judged"), ...said]
      .filter(Boolean)
      .join(", ");
    this.head.setAttribute("aria-label", name);
  }

  /** @param {{ top: number, bottom: number }} view @returns {boolean} whether half of it is there, or it fills half of the screen */
  inView({ top, bottom }) {
    const box = this.root.getBoundingClientRect();
    const there = Math.min(box.bottom, bottom) - Math.max(box.top, top);
    return there > 0 && there >= HALF * Math.min(box.height, bottom - top);
  }
}
