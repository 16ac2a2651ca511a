/** Reading aids for the shown document: highlighted terms, navigation between them, best passage, find bar. */

import { button, el, isTouchDevice, keyCap, reveal, setText } from "./dom.js";
import { findAll, nextPlace, highlightPattern, typedPattern } from "./finding.js";
import { sightOf } from "./task.js";
import { entryOf, fill, tr } from "./words.js";

/** @import { Place } from "./finding.js" */
/** @import { KeyMap } from "./keys.js" */
/** @import { Log } from "./log.js" */
/** @import { Looks } from "./looks.js" */
/** @import { Paper } from "./paper.js" */
/** @import { Task } from "./task.js" */

/** @typedef {{ begin: number, end: number, term: number }} Hit */
/** @typedef {{ text: string, own: boolean }} Term */
/**
 * Parts of the page that the reading aids use.
 * @typedef {object} Reader
 * @property {Task} task
 * @property {Log} log
 * @property {KeyMap} keys
 * @property {Looks} looks
 * @property {(words: string) => void} hint
 * @property {() => void} focus
 */

/** Highlights terms in the document and scrolls to them. */
export class Reading {
  /** @param {Paper} paper @param {Reader} page */
  constructor(paper, page) {
    this.paper = paper;
    this.page = page;
    this.topic = -1;
    /** @type {Hit[]} matches computed by the engine */
    this.given = [];
    /** @type {Hit[]} highlighted matches */
    this.hits = [];
    /** @type {[number, number] | undefined} */
    this.best = undefined;
    /** @type {number | null} */
    this.now = null;
    this.turn = 0;
    this.card = new HighlightCard(this);
    this.finder = new Finder(paper, page);
    this.notice = this.makeNotice();
    const back = () => paper.port.scrollTop === 0 && reveal(this.notice, false);
    [paper.scroller, document].forEach((each) => each.addEventListener("scroll", back, { passive: true }));
  }

  makeNotice() {
    const back = button(tr("Show all"), () => this.showAll(), { class: "link" });
    return el("p", { class: "notice quiet", hidden: true }, tr("Opened at the best-matching passage."), " ", back, keyCap("Home"));
  }

  /** @returns {Term[]} the participant's own terms, then the topic's */
  get terms() {
    const { task, log } = this.page;
    const topic = task.topics[this.topic];
    const own = entryOf(log.facts.own, topic?.id ?? "") ?? [];
    return [...own.map((text) => ({ text, own: true })), ...(topic?.terms ?? []).map((text) => ({ text, own: false }))];
  }

  /** @returns {number} number of own terms */
  get ownCount() {
    return this.terms.filter((term) => term.own).length;
  }

  /**
   * Highlight the terms of a newly shown document.
   * @param {number} topic
   * @param {number} document
   * @param {Promise<boolean>} loaded
   */
  async begin(topic, document, loaded) {
    this.topic = topic;
    this.turn += 1;
    const sight = sightOf(this.page.task, topic, document);
    const flat = sight.hits ?? [];
    this.given = Array.from({ length: flat.length / 3 }, (_, at) => ({
      begin: flat[3 * at],
      end: flat[3 * at + 1],
      term: flat[3 * at + 2],
    }));
    this.best = sight.passage;
    this.now = null;
    this.hits = [];
    reveal(this.notice, false);
    this.finder.forget();
    const { turn } = this;
    await this.look();
    this.openAtBest();
    if (!this.paper.complete && (await loaded) && turn === this.turn) {
      await this.look();
    }
  }

  openAtBest() {
    const toPassage = this.page.looks.get("passage") ?? this.page.task.settings.best_passage;
    if (toPassage && this.best && this.paper.port.scrollTop === 0) {
      const box = this.paper.range(...this.best)?.getBoundingClientRect();
      if (box && box.bottom > this.paper.view.bottom) {
        this.paper.scrollTo(this.best[0]);
        reveal(this.notice, this.paper.port.scrollTop > 0);
      }
    }
  }

  /** Search the inserted text for all terms. */
  async look() {
    const { turn, terms, ownCount } = this;
    const own = /** @type {Hit[]} */ ([]);
    for (const [term, { text }] of terms.slice(0, ownCount).entries()) {
      const pattern = highlightPattern(text);
      const places = pattern ? await findAll(this.paper.text, pattern, () => turn === this.turn) : [];
      own.push(...places.map(([begin, end]) => ({ begin, end, term })));
    }
    if (turn === this.turn) {
      this.show(apart([...own, ...this.given.map((hit) => ({ ...hit, term: hit.term + ownCount }))]));
    }
  }

  /** @param {Hit[]} hits */
  show(hits) {
    this.hits = hits;
    this.now = null;
    const { ownCount } = this;
    const kind = (/** @type {boolean} */ own) => hits.filter((hit) => hit.term < ownCount === own).map(placeOf);
    this.paper.mark("hit", kind(false));
    this.paper.mark("own", kind(true));
    this.paper.mark("now", []);
    this.card.show(this.terms, hits);
  }

  // Own words

  /** Highlight the selected words; without a selection, focus the field. */
  highlight() {
    const selection = getSelection();
    const selectedText = selection && this.paper.sheet.contains(selection.anchorNode) ? selection.toString() : "";
    if (selectedText.trim()) {
      void this.add(selectedText);
    } else if (this.card.root.offsetParent) {
      this.card.field.focus();
    } else {
      this.page.hint(tr("Select a word in the document first."));
    }
  }

  /** @param {string} words */
  async add(words) {
    const word = words.split(/\s+/).filter(Boolean).join(" ");
    const maxLength = this.page.task.settings.longest_term;
    const own = this.terms.slice(0, this.ownCount).map((term) => term.text);
    const existing = own.findIndex((text) => text.toLowerCase() === word.toLowerCase());
    if (word.length > maxLength) {
      this.page.hint(fill(tr("Select a shorter text: at most {limit} characters can be highlighted."), { limit: maxLength }));
    } else if (existing >= 0) {
      this.goToTerm(existing);
    } else if (word) {
      await this.keep([...own, word]);
      this.page.hint(fill(tr("Highlighted: {text}."), { text: word }));
    }
  }

  /** @param {number} index */
  async remove(index) {
    await this.keep(this.terms.slice(0, this.ownCount).flatMap((term, place) => (place === index ? [] : [term.text])));
    this.page.focus();
  }

  /** @param {string[]} own */
  async keep(own) {
    const { id } = this.page.task.topics[this.topic];
    const all = { ...this.page.log.facts.own, [id]: own };
    try {
      await this.page.log.note({ own: all });
    } catch {
      this.page.log.facts.own = all; // not stored, but highlighted until the page is closed
    }
    await this.look();
  }

  // Navigation

  /** @param {number} step */
  walk(step) {
    if (this.hits.length) {
      this.go(nextPlace(this.hits.map(placeOf), this.now, this.paper.eye, step));
    }
  }

  /** @param {number} index scrolls to the next match of a term */
  goToTerm(index) {
    const termHits = this.hits.flatMap((hit, place) => (hit.term === index ? [place] : []));
    const start =
      this.now === null
        ? termHits.find((place) => this.hits[place].begin >= this.paper.eye)
        : termHits.find((place) => place > Number(this.now));
    if (termHits.length) {
      this.go(start ?? termHits[0]);
    }
  }

  /** @param {number} now */
  go(now) {
    this.now = now;
    const place = placeOf(this.hits[now]);
    this.paper.mark("now", [place]);
    this.paper.reveal(...place);
    this.card.showPlace(now, this.hits.length);
    if (!this.card.root.offsetParent) {
      this.page.hint(fill(tr("{count} of {total}"), { count: now + 1, total: this.hits.length }));
    }
  }

  // The best passage

  /** Scroll to the passage with the most terms. */
  showPassage() {
    if (this.best) {
      this.paper.scrollTo(this.best[0]);
    } else {
      this.page.hint(tr("None of the words occurs in this document."));
    }
  }

  showAll() {
    this.paper.port.scrollTop = 0;
    reveal(this.notice, false);
    this.page.focus();
  }
}

/** List of the terms with their frequency in the document. */
class HighlightCard {
  /** @param {Reading} reading */
  constructor(reading) {
    this.reading = reading;
    const { keys } = reading.page;
    this.place = el("span", { class: "quiet" });
    this.list = el("ul", { class: "terms" });
    this.field = el("input", {
      type: "text",
      placeholder: tr("Add a term"),
      "aria-label": tr("Add a term to highlight"),
      autocomplete: "off",
      maxlength: reading.page.task.settings.longest_term,
    });
    const step = (/** @type {string} */ id, /** @type {string} */ name, /** @type {number} */ by) =>
      isTouchDevice()
        ? button(by < 0 ? "‹" : "›", () => reading.walk(by), { "aria-label": name })
        : button("", () => reading.walk(by), { class: "cap", "aria-label": name, title: name }, keyCap(keys.cap(id)));
    const form = el("form", { onsubmit: (/** @type {Event} */ event) => this.add(event) }, this.field, keyCap(keys.cap("highlight")));
    const head = el("div", { class: "row" }, el("h2", { class: "small" }, tr("Highlighted")), this.place, el("span", { class: "grow" }));
    head.append(step("previous-hit", tr("Previous highlight"), -1), step("next-hit", tr("Next highlight"), 1));
    this.root = el("section", { class: "card words", "aria-label": tr("Highlighted words") }, head, this.list, form);
    this.field.addEventListener("keydown", (event) => event.key === "Escape" && reading.page.focus());
  }

  /** @param {Event} event */
  add(event) {
    event.preventDefault();
    const words = this.field.value;
    this.field.value = "";
    void this.reading.add(words);
    this.reading.page.focus();
  }

  /** @param {Term[]} terms @param {Hit[]} hits */
  show(terms, hits) {
    const counts = terms.map(() => 0);
    hits.forEach((hit) => {
      counts[hit.term] += 1;
    });
    const own = terms.filter((term) => term.own).length;
    const topic = [...terms.keys()].slice(own); // terms that occur come first, own terms last
    const order = [...topic.filter((at) => counts[at]), ...topic.filter((at) => !counts[at]), ...[...terms.keys()].slice(0, own)];
    this.list.replaceChildren(...order.map((index) => this.line(index, terms[index], counts[index])));
    setText(this.place, "");
  }

  /** @param {number} index @param {Term} term @param {number} count */
  line(index, term, count) {
    const name = fill(tr("{text}, matches: {count}"), { text: term.text, count });
    const go = button(term.text, () => this.reading.goToTerm(index), { class: "term", "aria-label": name, dir: "auto", disabled: !count });
    const removal = fill(tr("Remove {text}"), { text: term.text });
    const remove = term.own && button("✕", () => this.reading.remove(index), { class: "link", "aria-label": removal, title: removal });
    return el("li", { class: term.own ? "own" : "" }, el("span", { class: "count" }, String(count)), go, remove);
  }

  /** @param {number} now @param {number} count */
  showPlace(now, count) {
    setText(this.place, fill(tr("{count} of {total}"), { count: now + 1, total: count }));
  }
}

/** Find bar. */
class Finder {
  /** @param {Paper} paper @param {Reader} page */
  constructor(paper, page) {
    this.paper = paper;
    this.page = page;
    /** @type {Place[]} */
    this.places = [];
    /** @type {number | null} */
    this.now = null;
    this.turn = 0;
    this.field = el("input", { type: "search", "aria-label": tr("Find in document"), placeholder: tr("Find"), autocomplete: "off" });
    this.matchCase = el("input", { type: "checkbox" });
    this.count = el("span", { class: "quiet", role: "status" });
    const step = (/** @type {number} */ by, /** @type {string} */ name, /** @type {string} */ sign) =>
      button(sign, () => this.step(by), { "aria-label": name, title: name });
    const buttons = [step(-1, tr("Find previous"), "↑"), step(1, tr("Find next"), "↓")];
    const closeButton = button("✕", () => this.close(), { "aria-label": tr("Close"), title: tr("Close") });
    const label = el("label", {}, this.matchCase, tr("Match case"));
    this.root = el("div", { class: "find row", hidden: true, role: "search" }, this.field, this.count, label, ...buttons, closeButton);
    this.field.addEventListener("input", () => this.look(1));
    this.matchCase.addEventListener("change", () => this.look(1));
    this.root.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key === "Escape") {
      event.stopPropagation();
      this.close();
    } else if (event.key === "Enter" && event.target === this.field) {
      event.preventDefault();
      this.step(event.shiftKey ? -1 : 1);
    }
  }

  open() {
    reveal(this.root, true);
    this.field.focus();
    this.field.select();
    void this.look(0);
  }

  close() {
    this.forget();
    reveal(this.root, false);
    this.page.focus();
  }

  /** @returns {boolean} whether the bar is open */
  get isOpen() {
    return !this.root.hidden;
  }

  /** Remove the matches of the previous document. An open bar stays open. */
  forget() {
    this.turn += 1;
    this.places = [];
    this.now = null;
    this.paper.mark("now", []);
    this.paper.mark("found", []);
    setText(this.count, "");
    if (!this.root.hidden && this.field.value) {
      void this.look(0);
    }
  }

  /** @param {number} step */
  step(step) {
    if (!this.field.value) {
      this.open();
    } else if (this.root.hidden) {
      reveal(this.root, true);
      void this.look(step);
    } else if (this.places.length) {
      this.go(nextPlace(this.places, this.now, this.paper.eye, step));
    }
  }

  /** @param {number} step shows the next or previous match from the reading position; 0 stays */
  async look(step) {
    this.turn += 1;
    const { turn } = this;
    const pattern = typedPattern(this.field.value, this.matchCase.checked);
    const places = pattern ? await findAll(this.paper.text, pattern, () => turn === this.turn) : [];
    if (turn === this.turn) {
      this.places = places;
      this.now = null;
      this.paper.mark("now", []);
      this.paper.mark("found", places);
      setText(this.count, this.field.value ? fill(tr("Matches: {places}"), { places: places.length }) : "");
      if (step && places.length) {
        this.go(nextPlace(places, null, this.paper.eye, step));
      }
    }
  }

  /** @param {number} now */
  go(now) {
    this.now = now;
    this.paper.mark("now", [this.places[now]]);
    this.paper.reveal(...this.places[now]);
    setText(this.count, fill(tr("{count} of {total}"), { count: now + 1, total: this.places.length }));
  }
}

/** @param {Hit} hit @returns {Place} */
function placeOf(hit) {
  return [hit.begin, hit.end];
}

/**
 * Return hits in ascending order without those that overlap a longer one; among equally long ones, the first term's is used.
 * @param {Hit[]} hits
 * @returns {Hit[]}
 */
function apart(hits) {
  const retained = /** @type {Hit[]} */ ([]);
  for (const hit of hits.sort((one, other) => one.begin - other.begin || one.term - other.term)) {
    const last = retained[retained.length - 1];
    if (!last || hit.begin >= last.end) {
      retained.push(hit);
    } else if (hit.end - hit.begin > last.end - last.begin) {
      retained[retained.length - 1] = hit;
    }
  }
  return retained;
}
