/** The page of whoever leads a session: how it stands, who is there, and what can be done about it. */

import { openDialog } from "./dialogs.js";
import { button, el, reveal, setText } from "./dom.js";
import { JoinCard, MoreCard, ProgressPart, LateCard } from "./lead_cards.js";
import { followAddress } from "./joining.js";
import { PeopleCard } from "./lead_people.js";
import { RoundsCard } from "./lead_rounds.js";
import { Cut, Refusal, ask } from "./line.js";
import { Looks } from "./looks.js";
import { keepSettings, readSettings } from "./storage.js";
import { takeJson } from "./task.js";
import { fill, learnWords, speak, tr } from "./words.js";

/** @import { Standing } from "./lead_cards.js" */

const LOOK = 2000; // milliseconds between two looks
const LOOK_CLOSELY = 20_000; // and at how well people judge

/** Asks the server as whoever leads. */
export class Leader {
  /** @param {string} token */
  constructor(token) {
    this.token = token;
    this.said = el("p", { class: "lead-said", role: "status" });
    /** @type {() => Promise<void>} looks again */
    this.look = async () => {};
  }

  /** @param {string} wish @param {Record<string, unknown>} [values] @returns {Promise<any>} what is told */
  request(wish, values = {}) {
    return ask("/lead", { wish, values }, this.token);
  }

  /**
   * Do something, say what came of it, and look again.
   * @param {string} wish
   * @param {Record<string, unknown>} values
   * @param {(told: any) => string} words
   * @returns {Promise<any>} what was told; null where it could not be
   */
  async do(wish, values, words) {
    try {
      const told = await this.request(wish, values);
      this.say(words(told), "");
      await this.look();
      return told;
    } catch (fault) {
      this.say(faultWords(fault), "error");
      return null;
    }
  }

  /** @param {string} words @param {string} style */
  say(words, style) {
    this.said.className = `lead-said ${style}`;
    setText(this.said, words);
  }
}

/** The parts of the page, and what keeps them new. */
class LeadPage {
  /** @param {Leader} leader */
  constructor(leader) {
    this.leader = leader;
    this.state = el("span", { class: "chip lead-state" });
    this.pause = button("", () => this.switchPause(), { class: "primary" });
    this.message = new MessageForm(leader);
    this.progress = new ProgressPart();
    this.join = new JoinCard(leader);
    this.more = new MoreCard(leader);
    this.rounds = new RoundsCard(leader);
    this.people = new PeopleCard(leader);
    this.late = new LateCard(leader);
    this.end = button(tr("End"), () => this.askEnd());
    const head = el("header", { class: "row wrap lead-head" }, el("h1", {}, tr("Lead the session")), this.state, this.pause, this.end);
    const approvals = tr("irjudge export PROJECT --approvals -o PAID.csv lists whom to approve and whom to reject, with the reasons.");
    this.approvals = el("p", { class: "small quiet" }, approvals);
    this.over = el(
      "section",
      { class: "card", hidden: true },
      el("h2", {}, tr("The session has ended.")),
      el("p", {}, tr("All that was judged is kept.")),
      this.approvals,
    );
    const side = el("div", { class: "lead-side" }, this.over, this.progress.root, this.join.root, this.more.root);
    const main = el("div", { class: "lead-main" }, this.rounds.root, this.people.root, this.late.root);
    this.root = el("main", { class: "leading" }, head, leader.said, this.message.root, el("div", { class: "lead-columns" }, main, side));
    leader.look = () => this.look();
  }

  async look() {
    const standing = /** @type {Standing} */ (await this.leader.request("standing"));
    const words = /** @type {Record<string, string>} */ ({ open: tr("Open"), paused: tr("Paused"), ended: tr("Ended") });
    setText(this.state, words[standing.state] ?? standing.state);
    this.state.dataset.state = standing.state;
    this.now = standing.state;
    setText(this.pause, standing.state === "paused" ? tr("Go on") : tr("Pause"));
    for (const part of [this.message, this.progress, this.join, this.more, this.people, this.late]) {
      part.show(standing);
    }
    this.rounds.showStanding(standing);
    this.showEnd(standing);
  }

  /** @param {Standing} standing leaves out what nobody can do after the end, and says what comes then */
  showEnd({ state, norming, panel }) {
    const ended = state === "ended";
    for (const part of [this.pause, this.end, this.message.root, this.join.root]) {
      reveal(part, !ended);
    }
    reveal(this.more.root, !ended && (!norming || norming.over));
    reveal(this.over, ended);
    reveal(this.approvals, panel.length > 0);
  }

  switchPause() {
    const paused = this.now === "paused";
    const words = paused ? tr("It goes on.") : tr("Paused: nothing new is given out, and every page says so.");
    void this.leader.do("state", { state: paused ? "open" : "paused" }, () => words);
  }

  askEnd() {
    const parts = [el("p", {}, tr("Nobody can judge in it any more. All of it is kept; what is under way is still taken."))];
    const call = () => this.leader.do("state", { state: "ended" }, () => tr("The session has ended."));
    openDialog({
      title: tr("End the session?"),
      parts,
      choices: [{ label: tr("Go on") }, { label: tr("End"), call }],
      closed: () => {},
    });
  }
}

/** A line to say something to all. */
class MessageForm {
  /** @param {Leader} leader */
  constructor(leader) {
    this.leader = leader;
    this.said = "";
    this.field = el("input", { type: "text", id: "message", maxlength: 500, dir: "auto", autocomplete: "off" });
    this.back = button(tr("Take it back"), () => this.say(""), { hidden: true });
    this.now = el("p", { class: "small quiet", dir: "auto" });
    const row = el(
      "div",
      { class: "row" },
      this.field,
      button(tr("Say to all"), () => {}, { type: "submit" }),
      this.back,
    );
    this.root = el("form", { class: "card lead-message" }, el("label", { for: "message" }, tr("Message")), row, this.now);
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      this.say(this.field.value);
    });
  }

  /** @param {string} words */
  say(words) {
    void this.leader
      .do("say", { words }, () => (words.trim() ? tr("It stands on every page now.") : tr("No page shows a message any more.")))
      .then((told) => {
        this.field.value = told ? "" : this.field.value;
      });
  }

  /** @param {Standing} standing */
  show({ message }) {
    setText(this.now, message && fill(tr("On every page: {message}"), { message }));
    this.back.hidden = !message;
  }
}

/** @param {unknown} fault @returns {string} */
function faultWords(fault) {
  if (fault instanceof Refusal) {
    return fault.kind === "token" ? tr("This link does not lead the session. Take the one that the server printed.") : fault.message;
  }
  if (fault instanceof Cut) {
    return tr("The server does not answer. This page tries again by itself.");
  }
  throw fault;
}

/** @param {LeadPage} page @param {number} every @param {() => Promise<unknown>} look looks again and again */
async function keepLooking(page, every, look) {
  for (;;) {
    try {
      await look();
      if (page.leader.said.classList.contains("cut")) {
        page.leader.say("", "");
      }
    } catch (fault) {
      page.leader.say(faultWords(fault), "error cut");
      if (fault instanceof Refusal && fault.kind === "token") {
        return;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}

/**
 * Ask for the secret of the leader's link, until the server takes it.
 * @param {string} name under which the browser keeps it
 * @param {string} words what is wrong with the one before; empty for nothing
 */
function askSecret(name, words) {
  const secret = el("input", { id: "secret", type: "password", autocomplete: "off", spellcheck: "false", required: true });
  const problem = el("p", { class: "error", role: "alert", hidden: !words }, words);
  const form = el(
    "form",
    { class: "join" },
    el("h1", {}, tr("Lead the session")),
    el("label", { for: "secret" }, tr("The leader's link, or the secret behind its #")),
    secret,
    problem,
    button(tr("Lead"), () => {}, { type: "submit", class: "primary" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void leadAs(name, secret.value.trim().replace(/^.*#/, ""));
  });
  document.body.replaceChildren(el("main", { class: "joining" }, form));
  secret.focus();
}

/**
 * Lead with a secret; where it is not that of the session, ask for it.
 * @param {string} name
 * @param {string} token
 */
async function leadAs(name, token) {
  const leader = new Leader(token);
  try {
    await leader.request("standing");
    await keepSettings({ token }, name);
  } catch (fault) {
    if (fault instanceof Refusal && fault.kind === "token") {
      askSecret(name, token && faultWords(fault));
      return;
    }
  }
  const page = new LeadPage(leader);
  document.body.replaceChildren(page.root);
  const ended = () => askSecret(name, faultWords(new Refusal("token", "")));
  void keepLooking(page, LOOK, () => page.look()).then(ended);
  void keepLooking(page, LOOK_CLOSELY, () => page.people.lookClosely());
}

async function beginLeading() {
  learnWords(takeJson("words") ?? {});
  const given = /** @type {{ session: string }} */ (takeJson("task"));
  const looks = new Looks();
  await looks.open();
  speak(looks.get("language"));
  followAddress();
  const name = `lead ${given.session}`;
  const token = location.hash.slice(1) || (await readSettings(name)).token || "";
  history.replaceState(null, "", location.pathname);
  document.title = tr("Lead the session");
  document.body.classList.add("lead");
  await leadAs(name, token);
}

void beginLeading();
