/** Cards of the session leader: progress and forecast, joining, late judgments, more judgments. */

import { Meter } from "./card_parts.js";
import { confirm } from "./dialogs.js";
import { button, el, reveal, setText } from "./dom.js";
import { duration, fill, sentences, tr } from "./words.js";

/** @import { Leader } from "./lead.js" */
/** @import { LedNorming } from "./lead_rounds.js" */

/** @typedef {{ id: string, title: string, judged: number, wanted: number }} TopicStanding */
/** @typedef {{ person: string, name: string, topic: string, topic_title: string, pair: string, what: string, title: string }} LateOne */
/**
 * @typedef {object} Seat
 * @property {string} id
 * @property {string} name
 * @property {number} judged
 * @property {number} late
 * @property {number} norming_count counted judgments in earlier norming rounds
 * @property {number} held
 * @property {boolean} aside
 * @property {boolean} withdrawn whether the participant declined or withdrew
 * @property {boolean} revoked whether the link or the access was revoked
 * @property {boolean | null} here whether a page is open; null after the end of the session
 * @property {number | null} seconds
 * @property {string} same
 * @property {[string, string] | null} completed
 */
/**
 * @typedef {object} Standing
 * @property {string} state
 * @property {string} message
 * @property {number} overlap
 * @property {string} join
 * @property {string[]} panel
 * @property {number} share
 * @property {number} judged
 * @property {number} wanted
 * @property {number | null} seconds
 * @property {TopicStanding[]} topics
 * @property {Seat[]} people
 * @property {LateOne[]} late
 * @property {{ id: string, name: string }[]} unused seats that can be freed
 * @property {string} code
 * @property {LedNorming | null} norming
 */

const QUIET_ZONE = 2; // margin of a QR code, in modules
const MODULE_SIZE = 6; // side length of a module, in pixels

/** Progress in total and by topic, with a forecast. */
export class ProgressPart {
  constructor() {
    this.all = new Meter(tr("Judgments"));
    this.words = el("p", { class: "small quiet" });
    this.topics = el("ul", { class: "lead-topics" });
    this.list = el("details", {}, el("summary", {}, tr("Topics")), this.topics);
    this.root = el("section", { class: "card", "aria-label": tr("Progress") }, this.all.root, this.words, this.list);
    this.shown = "";
  }

  /** @param {Standing} standing */
  show({ state, judged, wanted, seconds, people, topics }) {
    this.all.show({ judged, assigned: wanted });
    const presentCount = people.filter((seat) => seat.here && !seat.aside).length;
    const timeLeft = seconds ? fill(tr("About {duration} left at the current pace."), { duration: duration(seconds) }) : "";
    setText(this.words, sentences(fill(tr("Online now: {here}."), { here: presentCount }), timeLeft));
    reveal(this.words, state !== "ended");
    const shown = JSON.stringify(topics);
    if (shown !== this.shown) {
      this.shown = shown;
      this.topics.replaceChildren(
        ...topics.map((topic) => {
          const meter = new Meter(topic.title || topic.id);
          meter.show({ judged: topic.judged, assigned: topic.wanted });
          return el("li", {}, meter.root);
        }),
      );
    }
  }
}

/** Join link, code, QR code, and a preview. */
export class JoinCard {
  /** @param {Leader} leader */
  constructor(leader) {
    this.leader = leader;
    this.link = el("p", { class: "address" });
    this.code = el("p", { class: "code" });
    this.picture = el("div", { class: "lead-picture" });
    this.drawnLink = "";
    this.who = el("p", { hidden: true });
    this.copy = button(tr("Copy the link"), () => copyText(this.link.textContent ?? "", leader));
    this.preview = el("a", { target: "_blank", rel: "noopener" }, tr("Preview as a participant"));
    this.root = el(
      "section",
      { class: "card lead-join" },
      el("h2", {}, tr("How to join")),
      this.who,
      this.code,
      this.picture,
      this.link,
      el("div", { class: "row wrap" }, this.copy, this.preview),
      el("p", { class: "small quiet" }, tr("A preview shows some documents as participants see them. Nothing is saved.")),
    );
  }

  /** @param {Standing} standing */
  show({ code, join, panel }) {
    const byLinks = join === "links" && !panel.length;
    const words = panel.length
      ? tr("Give this link to the panel site. The site replaces the placeholders with the ids of each participant.")
      : byLinks
        ? tr("Participants join with their personal links. Without such a link, nobody can join.")
        : "";
    setText(this.who, words);
    reveal(this.who, Boolean(words));
    reveal(this.link, !byLinks);
    reveal(this.copy, !byLinks);
    for (const part of [this.code, this.picture]) {
      reveal(part, !byLinks && !panel.length); // a panel's participants need the ids in their link
    }
    const given = panel.map((name) => `${name}={{%${name}%}}`);
    const link = panel.length ? `${location.origin}/?${given.join("&")}&code=${code}` : `${location.origin}/#${code}`;
    if (link !== this.link.textContent) {
      setText(this.link, link);
      setText(this.code, `${code.slice(0, 4)} ${code.slice(4)}`);
      this.preview.setAttribute("href", `/?preview#${code}`);
    }
    if (link !== this.drawnLink) {
      this.drawnLink = link;
      void showPicture(this.picture, link, this.leader).then((isShown) => {
        this.drawnLink = isShown ? link : ""; // the next update tries again
      });
    }
  }
}

/** Card for raising the number of judgments per document, with the expected work. */
export class MoreCard {
  /** @param {Leader} leader */
  constructor(leader) {
    this.field = el("input", { type: "number", id: "overlap", min: 1, max: 999, step: 1 });
    this.words = el("p", { class: "small quiet", role: "status" });
    this.now = 0;
    this.wanted = 0;
    const go = button(tr("Request"), () => this.go(leader));
    const label = el("label", { for: "overlap" }, tr("Judgments per document or comparison"));
    this.root = el(
      "section",
      { class: "card lead-more" },
      el("h2", {}, tr("More judgments")),
      label,
      el("div", { class: "row" }, this.field, go),
      this.words,
    );
    this.field.addEventListener("input", () => this.tell());
    this.field.addEventListener("wheel", (event) => document.activeElement !== this.field && event.preventDefault());
  }

  /** @param {Leader} leader asks before the number is raised; the server refuses a lower one */
  go(leader) {
    const value = Number(this.field.value);
    const call = () =>
      leader.do("more", { overlap: value }, () => fill(tr("Each document or comparison now gets {value} judgments."), { value }));
    if (this.additional > 0) {
      const words = fill(tr("Judgments per document or comparison: {now} now, {value} after this change."), { now: this.now, value });
      const title = fill(tr("Request {value} judgments per document or comparison?"), { value });
      confirm(title, [words, this.additionalWords, tr("You cannot lower this number later.")], tr("Request"), call);
    } else {
      void call();
    }
  }

  /** @returns {number} judgments that the number in the field adds */
  get additional() {
    return this.now ? Math.round(((Number(this.field.value) - this.now) * this.wanted) / this.now) : 0;
  }

  /** @returns {string} */
  get additionalWords() {
    return fill(tr("Additional judgments: {more}, including those for documents that are already assigned or judged."), {
      more: this.additional,
    });
  }

  /** @param {Standing} standing */
  show({ overlap, wanted }) {
    if (overlap !== this.now) {
      this.field.value = String(overlap);
    }
    this.now = overlap;
    this.wanted = wanted;
    this.tell();
  }

  tell() {
    const words = this.additional > 0 ? this.additionalWords : "";
    setText(this.words, words || fill(tr("Currently {now}. You can raise this number but not lower it."), { now: this.now }));
  }
}

/** Late judgments, each with a button to accept it. */
export class LateCard {
  /** @param {Leader} leader */
  constructor(leader) {
    this.leader = leader;
    this.list = el("ul", { class: "lead-late" });
    this.root = el("section", { class: "card", hidden: true }, el("h2", {}, tr("Late judgments")), this.list);
    this.shown = "";
  }

  /** @param {Standing} standing */
  show({ late }) {
    const shown = JSON.stringify(late);
    if (shown !== this.shown) {
      this.shown = shown;
      this.list.replaceChildren(...late.map((one) => this.line(one)));
      reveal(this.root, late.length > 0);
    }
  }

  /** @param {LateOne} one */
  line(one) {
    const words = `${one.name}: ${one.topic_title || one.topic} · ${one.title || one.what}`;
    const values = { person: one.person, topic: one.topic, pair: one.pair };
    const say = (/** @type {any} */ { taken }) =>
      taken ? tr("The judgment is now included.") : tr("This judgment can no longer be included. It was undone or is already included.");
    const count = button(tr("Include"), () => this.leader.do("take", values, say), {
      "aria-label": fill(tr("Include: {text}"), { text: words }),
    });
    return el("li", { class: "row" }, el("span", { class: "grow", dir: "auto" }, words), count);
  }
}

/**
 * Request the QR code of a link, and show it.
 * @param {HTMLElement} place
 * @param {string} link
 * @param {Leader} leader
 * @returns {Promise<boolean>} whether it is shown
 */
export function showPicture(place, link, leader) {
  return leader.request("picture", { link }).then(
    ({ rows }) => {
      place.replaceChildren(drawn(rows));
      return true;
    },
    () => false,
  );
}

/**
 * Draw a QR code from rows of 0 and 1.
 * @param {string[]} rows
 * @returns {HTMLElement}
 */
function drawn(rows) {
  const size = (rows.length + 2 * QUIET_ZONE) * MODULE_SIZE;
  const picture = el("canvas", { width: size, height: size, role: "img", "aria-label": tr("QR code for the link") });
  const pen = picture.getContext("2d");
  rows.forEach((row, down) =>
    [...row].forEach(
      (cell, across) =>
        cell === "1" && pen?.fillRect((across + QUIET_ZONE) * MODULE_SIZE, (down + QUIET_ZONE) * MODULE_SIZE, MODULE_SIZE, MODULE_SIZE),
    ),
  );
  return picture;
}

/** @param {string} text @param {Leader} leader copies a text, or reports that the browser forbids it */
export async function copyText(text, leader) {
  try {
    await navigator.clipboard.writeText(text);
    leader.say(tr("Copied."), "");
  } catch {
    leader.say(tr("This browser does not let the page copy text. Select the text and copy it yourself."), "error");
  }
}
