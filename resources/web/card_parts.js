/** Cards shared by grading and comparing: topic, keys, progress and message. */

import { button, el, isTouchDevice, keyCap, reveal, setText } from "./dom.js";
import { secondsLeft } from "./log.js";
import { duration, fill, moment, sentences, tr } from "./words.js";

/** @import { KeyMap } from "./keys.js" */
/** @import { Looks } from "./looks.js" */
/** @import { Count, Session } from "./session.js" */
/** @import { Topic } from "./task.js" */

/** Attributes of buttons that are enabled only during judging. */
export const AT_WORK = { class: "at-work" };

/** Actions that are enabled when no item is shown. */
export const IDLE_ACTIONS = ["undo", "redo", "back", "jump", "hand-in", "help", "shortcuts", "settings", "save-result"];

/** Topic with title and description, always visible. */
export class TopicCard {
  /** @param {Looks} looks */
  constructor(looks) {
    this.looks = looks;
    this.place = el("p", { class: "small quiet" });
    this.title = el("h1", { dir: "auto" });
    this.description = el("p", { dir: "auto" });
    this.fold = button("", () => this.switchFold(), { class: "link" });
    this.narrative = el("p", { class: "quiet", dir: "auto" });
    this.more = button("", () => this.unfold(!this.root.classList.contains("unfolded")), { class: "topic-more" });
    this.resized = new ResizeObserver(() => this.showMore());
    this.root = el(
      "section",
      { class: "card topic", "aria-label": tr("Topic"), tabindex: 0 },
      this.place,
      el("div", { class: "row topic-line" }, this.title, this.more),
      this.description,
      this.fold,
      this.narrative,
    );
  }

  /**
   * @param {Topic} topic
   * @param {number} number its position, from 1
   * @param {number} count of all topics; 0 if unknown
   * @param {boolean} fresh highlight a topic that has just changed
   */
  show(topic, number, count, fresh) {
    const hasOtherTitle = topic.title && topic.id !== String(number); // receipts and tables use the id
    setText(
      this.place,
      hasOtherTitle
        ? fill(tr("Topic {topic}, {place} of {count}"), { topic: topic.id, place: number, count })
        : fill(tr("Topic {place} of {count}"), { place: number, count }),
    );
    reveal(this.place, count > 0);
    setText(this.title, topic.title || topic.id);
    setText(this.description, topic.description);
    setText(this.narrative, topic.narrative);
    this.root.classList.toggle("fresh", fresh);
    reveal(this.description, Boolean(topic.description));
    reveal(this.fold, Boolean(topic.narrative));
    this.unfold(false);
    this.showFold();
    this.resized.unobserve(this.title); // observing again measures the new title after the layout
    this.resized.observe(this.title);
  }

  /** @param {boolean} whole show the whole card on small screens */
  unfold(whole) {
    this.root.classList.toggle("unfolded", whole);
    setText(this.more, whole ? tr("Less") : tr("Details"));
    this.more.setAttribute("aria-label", whole ? tr("Less topic detail") : tr("Details of the topic"));
    this.more.setAttribute("aria-expanded", String(whole));
  }

  /** Offer the whole topic if small screens show only a part of it. */
  showMore() {
    const isCut = this.title.scrollWidth > this.title.clientWidth || this.title.scrollHeight > this.title.clientHeight + 1;
    const hasText = Boolean(this.description.textContent || this.narrative.textContent);
    reveal(this.more, isCut || hasText || this.root.classList.contains("unfolded"));
  }

  switchFold() {
    this.looks.set("folded", !this.looks.get("folded"));
    this.showFold();
  }

  showFold() {
    const folded = this.looks.get("folded");
    setText(this.fold, folded ? tr("Show narrative") : tr("Hide narrative"));
    this.fold.setAttribute("aria-expanded", String(!folded));
    reveal(this.narrative, !folded && Boolean(this.narrative.textContent));
  }
}

/** List of actions with their key caps, each of which can be clicked. */
export class KeyList {
  /**
   * @param {string[]} ids
   * @param {KeyMap} keys
   * @param {(id: string) => void} act
   * @param {string} style
   */
  constructor(ids, keys, act, style) {
    this.keys = keys;
    this.buttons = new Map(ids.map((id) => [id, button("", () => act(id), { class: "action" })]));
    this.root = el("div", { class: style }, ...this.buttons.values());
    this.refresh();
  }

  /** Update the key caps after keys were changed. */
  refresh() {
    for (const [id, actionButton] of this.buttons) {
      const text = id === "shortcuts" && isTouchDevice() ? tr("More") : this.keys.actions.get(id)?.text;
      actionButton.replaceChildren(keyCap(this.keys.cap(id)), el("span", {}, text));
      const aria = this.keys.aria(id);
      if (aria) {
        actionButton.setAttribute("aria-keyshortcuts", aria);
      } else {
        actionButton.removeAttribute("aria-keyshortcuts");
      }
    }
  }

  /** @param {string} id @param {boolean} possible */
  enable(id, possible) {
    const actionButton = this.buttons.get(id);
    if (actionButton && actionButton.disabled === possible) {
      actionButton.disabled = !possible;
    }
  }
}

/** Progress bar with a label. */
export class Meter {
  /** @param {string} name */
  constructor(name) {
    this.words = el("span", { class: "quiet numbers" });
    this.bar = el("progress", { "aria-label": name, max: 1, value: 0 });
    this.root = el("div", { class: "meter" }, el("div", { class: "row" }, el("span", { class: "grow" }, name), this.words), this.bar);
  }

  /** @param {Count} count */
  show({ judged, assigned }) {
    setText(this.words, assigned ? fill(tr("{count} of {total}"), { count: judged, total: assigned }) : String(judged));
    reveal(this.bar, assigned > 0);
    this.bar.max = Math.max(1, assigned);
    this.bar.value = judged;
  }
}

/** Progress, and the number of unsaved judgments. */
export class ProgressCard {
  /**
   * @param {string[]} meters
   * @param {KeyMap} keys
   * @param {(id: string) => void} act
   */
  constructor(meters, keys, act) {
    this.meters = meters.map((name) => new Meter(name));
    this.round = el("p", { class: "small", hidden: true });
    this.pace = el("p", { class: "small quiet" });
    this.late = el("p", { class: "small warning", hidden: true });
    this.handed = el("p", { class: "small" });
    this.unsaved = new SaveState(keys, act);
    this.links = new KeyList(["help", "settings", "hand-in"], keys, act, "links");
    this.root = el(
      "section",
      { class: "card progress", "aria-label": tr("Progress") },
      this.round,
      ...this.meters.map((meter) => meter.root),
      this.pace,
    );
    this.root.append(this.late, this.handed, this.unsaved.root, this.links.root);
  }

  /**
   * @param {Session} session
   * @param {Count[]} counts one a meter; a meter without one is not shown
   * @param {boolean} over whether judging has ended, so that there is no time left to forecast
   */
  show(session, counts, over = false) {
    this.meters.forEach((meter, place) => {
      reveal(meter.root, place < counts.length);
      meter.show(counts[place] ?? { judged: 0, assigned: 0 });
    });
    const [own] = counts;
    // in a session, the page has only the next items, so that the time is known only if the participant has a fixed share
    const remaining = session.task.served ? Math.max(0, own.assigned - own.judged) : null;
    const seconds = over ? null : remaining === null ? session.secondsLeft : secondsLeft(session.log.pace, remaining);
    setText(this.pace, seconds ? fill(tr("about {duration} left at your pace"), { duration: duration(seconds) }) : "");
    reveal(this.pace, Boolean(seconds));
    this.showHandedIn(session);
    this.unsaved.show(session);
    this.links.enable("hand-in", session.log.actions.length > 0 && !session.task.served);
  }

  /** @param {string} words about the open norming round; empty for none */
  showRound(words) {
    setText(this.round, words);
    reveal(this.round, Boolean(words));
  }

  /** @param {number} count how many judgments came too late to count */
  showLate(count) {
    setText(
      this.late,
      count
        ? fill(
            tr(
              "⚠ Judgments that arrived too late to be used: {count}. Others had already judged these documents; your judgments are kept.",
            ),
            { count },
          )
        : "",
    );
    reveal(this.late, count > 0);
  }

  /** @param {Session} session */
  showHandedIn(session) {
    const { handedIn, handedInAt } = session.log.facts;
    const isOutdated = handedIn && session.log.actions.length !== handedInAt;
    const words = isOutdated
      ? tr("⚠ Changed since submission; submit again for a new receipt.")
      : fill(tr("Submitted {time}"), { time: moment(handedIn) });
    setText(this.handed, handedIn ? words : "");
    this.handed.classList.toggle("warning", Boolean(isOutdated));
    reveal(this.handed, Boolean(handedIn));
  }
}

/** Number of unsaved judgments, and the key for saving. */
export class SaveState {
  /** @param {KeyMap} keys @param {(id: string) => void} act */
  constructor(keys, act) {
    this.words = el("span", { class: "grow unsaved" });
    this.key = keyCap(keys.cap("save-result"));
    this.keys = keys;
    this.button = button(tr("Save result"), () => act("save-result"), { class: "save" }, this.key);
    this.root = el("div", { class: "row saving" }, this.words, this.button);
  }

  /** @param {Session} session */
  show(session) {
    const { unsaved, unsent, storage } = session.log;
    if (session.task.preview) {
      setText(this.words, tr("Nothing is saved"));
      return;
    }
    if (session.task.served) {
      setText(this.words, unsent ? fill(tr("Not sent: {unsent}"), { unsent }) : session.log.actions.length ? tr("All sent") : "");
      this.words.classList.toggle("pending", unsent > 0);
      return;
    }
    const here = storage.lasting ? "" : tr("This browser saves nothing.");
    const words = unsaved ? fill(tr("Not saved to file: {unsaved}"), { unsaved }) : tr("Everything saved to file");
    setText(this.words, session.log.actions.length ? sentences(words + (here && "."), here) : here);
    this.words.classList.toggle("pending", unsaved > 0);
    setText(this.key, this.keys.cap("save-result"));
  }
}

/** Last message: saved, ignored, or an error. */
export class Message {
  /** @param {(id: string) => void} act */
  constructor(act) {
    this.words = el("p", { role: "status" });
    this.again = button(tr("Try again"), () => act("retry"), { class: "primary", hidden: true });
    this.copy = button(tr("Save result"), () => act("save-result"), { hidden: true });
    this.root = el("div", { class: "message" }, this.words, el("div", { class: "row" }, this.again, this.copy));
  }

  /** @param {string} words */
  hint(words) {
    this.say(words, "small quiet", false);
  }

  /** @param {string} words reports an ignored key */
  ignored(words) {
    this.say(`⚠ ${words}`, "small warning", false);
  }

  /** @param {string} words @param {boolean} again whether to offer a retry */
  problem(words, again) {
    this.say(`✕ ${words}`, "error", again);
  }

  /** @param {string} words appended in bold */
  add(words) {
    if (words) {
      this.words.append(el("strong", {}, words));
    }
  }

  /** @param {string} title announces the new document to screen readers */
  next(title) {
    this.forgetWarning();
    this.words.append(el("span", { class: "spoken" }, ` ${fill(tr("Now shown: {title}"), { title })}`));
  }

  /** Clear a warning, since it refers to the previous document. */
  forgetWarning() {
    if (this.words.classList.contains("warning")) {
      this.hint("");
    }
  }

  /** @param {string} words @param {string} style @param {boolean} again */
  say(words, style, again) {
    this.words.className = style;
    setText(this.words, words);
    reveal(this.again, again);
    reveal(this.copy, again);
  }
}

/** Message of the session leader above the page, until it is withdrawn or closed. */
export class LeaderMessage {
  constructor() {
    this.message = "";
    this.words = el("span", { class: "grow", dir: "auto", role: "status" });
    const close = button(tr("Close"), () => reveal(this.root, false));
    this.root = el("div", { class: "banner leader-message row", hidden: true }, this.words, close);
  }

  /** @param {string} message empty for none; a closed message stays closed */
  show(message) {
    if (message !== this.message) {
      this.message = message;
      setText(this.words, message && fill(tr("Message from the session leader: {message}"), { message }));
      reveal(this.root, Boolean(message));
    }
  }
}
