/** Page of the session leader: status, participants and controls. */

import { confirm } from "./dialogs.js";
import { button, el, reveal, setText } from "./dom.js";
import { JoinCard, MoreCard, ProgressPart, LateCard } from "./lead_cards.js";
import { followAddress } from "./joining.js";
import { PeopleCard } from "./lead_people.js";
import { RoundsCard } from "./lead_rounds.js";
import { ConnectionLost, Refusal, ask } from "./line.js";
import { Looks } from "./looks.js";
import { saveSettings, readSettings } from "./storage.js";
import { takeJson } from "./task.js";
import { fill, loadTranslations, speak, tr } from "./words.js";

/** @import { Standing } from "./lead_cards.js" */

const STATUS_INTERVAL = 2000; // milliseconds between updates of the status
const QUALITY_INTERVAL = 20_000; // milliseconds between updates of the quality
const RESULT_TIME = 8_000; // milliseconds for which the result of a request is shown

/** Client of the session leader's requests. */
export class Leader {
  /** @param {string} token @param {string} project title of the project */
  constructor(token, project) {
    this.token = token;
    this.project = project;
    this.statusLine = el("p", { class: "lead-status", role: "status" });
    this.shown = 0;
    document.addEventListener("click", () => this.shown && this.say("", ""), true); // a result disappears with the next action
    /** @type {() => Promise<void>} updates the page */
    this.look = async () => {};
  }

  /** @param {string} command @param {Record<string, unknown>} [values] @returns {Promise<any>} response */
  request(command, values = {}) {
    return ask("/lead", { wish: command, values }, this.token);
  }

  /**
   * Send a command, show its result, and update the page.
   * @param {string} command
   * @param {Record<string, unknown>} values
   * @param {(response: any) => string} words
   * @returns {Promise<any>} response; null after an error
   */
  async do(command, values, words) {
    try {
      const response = await this.request(command, values);
      this.say(words(response), "");
      void this.look().catch(errorText); // the command was executed even if this fails
      return response;
    } catch (error) {
      this.say(errorText(error), "error");
      return null;
    }
  }

  /** @param {string} words @param {string} style */
  say(words, style) {
    this.statusLine.className = `lead-status ${style}`;
    setText(this.statusLine, words);
    clearTimeout(this.shown);
    this.shown = words && !style ? setTimeout(() => this.say("", ""), RESULT_TIME) : 0;
  }
}

/** Page of the session leader: its cards, and their updates. */
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
    const head = el(
      "header",
      { class: "row wrap lead-head" },
      el("h1", {}, tr("Lead the session"), " ", el("span", { class: "quiet", dir: "auto" }, leader.project)),
      this.state,
      this.pause,
      this.end,
    );
    const approvals = tr(
      "The command “irjudge export PROJECT --approvals -o PAID.csv” lists the submissions to approve and to reject, with reasons.",
    );
    this.approvals = el("p", { class: "small quiet" }, approvals);
    this.over = endCard(this.approvals);
    const side = el("div", { class: "lead-side" }, this.over, this.progress.root, this.join.root, this.more.root);
    const main = el("div", { class: "lead-main" }, this.rounds.root, this.people.root, this.late.root);
    this.root = el(
      "main",
      { class: "leading" },
      head,
      leader.statusLine,
      this.message.root,
      el("div", { class: "lead-columns" }, main, side),
    );
    this.now = "";
    this.counts = { judged: 0, wanted: 0 };
    leader.look = () => this.look();
  }

  async look() {
    const standing = /** @type {Standing} */ (await this.leader.request("standing"));
    const words = /** @type {Record<string, string>} */ ({ open: tr("Running"), paused: tr("Paused"), ended: tr("Ended") });
    setText(this.state, words[standing.state] ?? standing.state);
    this.state.dataset.state = standing.state;
    this.now = standing.state;
    this.counts = { judged: standing.judged, wanted: standing.wanted };
    setText(this.pause, standing.state === "paused" ? tr("Continue") : tr("Pause"));
    for (const part of [this.message, this.progress, this.join, this.more, this.people, this.late]) {
      part.show(standing);
    }
    this.rounds.showStanding(standing);
    this.showEnd(standing);
  }

  /** @param {Standing} standing hides controls after the end and shows the next steps */
  showEnd({ state, norming, panel }) {
    const ended = state === "ended";
    for (const part of [this.pause, this.end, this.message.root, this.join.root]) {
      reveal(part, !ended);
    }
    const isNorming = norming !== null && !norming.over;
    this.pause.classList.toggle("primary", !isNorming); // the rounds have the next step
    reveal(this.more.root, !ended && !isNorming);
    reveal(this.over, ended);
    reveal(this.approvals, panel.length > 0);
  }

  switchPause() {
    const paused = this.now === "paused";
    const words = paused
      ? tr("Session resumed.")
      : tr("Paused: no new documents are assigned. Every participant's page now shows that the session is paused.");
    void this.leader.do("state", { state: paused ? "open" : "paused" }, () => words);
  }

  askEnd() {
    const words = [
      fill(tr("Judgments done: {judged} of {wanted}."), this.counts),
      tr("Judging will stop. All judgments are kept, including those that are still being sent."),
    ];
    confirm(tr("End the session?"), words, tr("End"), () => this.leader.do("state", { state: "ended" }, () => ""));
  }
}

/** @param {HTMLElement} approvals how the participants of a panel are paid */
function endCard(approvals) {
  return el(
    "section",
    { class: "card lead-over", hidden: true },
    el("h2", {}, tr("The session has ended.")),
    el(
      "p",
      {},
      tr(
        "All judgments are saved. If the session runs in a terminal (irjudge serve), press Ctrl+C there to stop the server before you open the project.",
      ),
    ),
    el("p", {}, tr("Open the project in irjudge to see the agreement, export data or start another session.")),
    approvals,
  );
}

/** Field for a message to all. */
class MessageForm {
  /** @param {Leader} leader */
  constructor(leader) {
    this.leader = leader;
    this.message = "";
    this.field = el("input", { type: "text", id: "message", maxlength: 500, dir: "auto", autocomplete: "off" });
    this.back = button(tr("Remove message"), () => this.say(""), { hidden: true });
    this.now = el("p", { class: "small quiet", dir: "auto" });
    const row = el(
      "div",
      { class: "row" },
      this.field,
      button(tr("Message to all"), () => {}, { type: "submit" }),
      this.back,
    );
    this.root = el("form", { class: "card lead-message" }, el("label", { for: "message" }, tr("Message")), row, this.now);
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.field.value.trim() || !this.back.hidden) {
        this.say(this.field.value);
      }
    });
  }

  /** @param {string} words */
  say(words) {
    void this.leader
      .do("say", { words }, () =>
        words.trim()
          ? tr("The message is now shown on every participant's page.")
          : tr("The message was removed from all participants' pages."),
      )
      .then((response) => {
        this.field.value = response ? "" : this.field.value;
      });
  }

  /** @param {Standing} standing */
  show({ message }) {
    setText(this.now, message && fill(tr("Shown on every participant's page: {message}"), { message }));
    this.back.hidden = !message;
  }
}

/** @param {unknown} error @returns {string} */
function errorText(error) {
  if (error instanceof Refusal) {
    return error.kind === "token" ? tr("This link does not open the leader's page. Use the link printed by the server.") : error.message;
  }
  if (error instanceof ConnectionLost) {
    return tr("The server is not responding. This page will retry automatically.");
  }
  throw error;
}

/** @param {LeadPage} page @param {number} every @param {() => Promise<unknown>} look polled function */
async function poll(page, every, look) {
  for (;;) {
    try {
      await look();
      if (page.leader.statusLine.classList.contains("cut")) {
        page.leader.say("", "");
      }
    } catch (error) {
      page.leader.say(errorText(error), "error cut");
      if (error instanceof Refusal && error.kind === "token") {
        return;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}

/**
 * Ask for the host secret until the server accepts it.
 * @param {string} name key in browser storage
 * @param {string} project
 * @param {string} words error of the previous secret; empty for none
 */
function askSecret(name, project, words) {
  const secret = el("input", { id: "secret", type: "password", autocomplete: "off", spellcheck: "false", required: true });
  const problem = el("p", { class: "error", role: "alert", hidden: !words }, words);
  const form = el(
    "form",
    { class: "join" },
    el("h1", {}, tr("Lead the session")),
    el("p", { dir: "auto" }, project),
    el("label", { for: "secret" }, tr("The session leader's link, or the part of the link after the #")),
    secret,
    problem,
    button(tr("Lead the session"), () => {}, { type: "submit", class: "primary" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void leadAs(name, project, secret.value.trim().replace(/^.*#/, ""));
  });
  document.body.replaceChildren(el("main", { class: "joining" }, form));
  secret.focus();
}

/**
 * Open the page with a secret; if the server rejects it, ask for another.
 * @param {string} name
 * @param {string} project
 * @param {string} token
 */
async function leadAs(name, project, token) {
  const leader = new Leader(token, project);
  try {
    await leader.request("standing");
  } catch (error) {
    if (error instanceof Refusal && error.kind === "token") {
      askSecret(name, project, token && errorText(error));
      return;
    }
  }
  const page = new LeadPage(leader);
  document.body.replaceChildren(page.root);
  const ended = () => askSecret(name, project, errorText(new Refusal("token", "")));
  let isStored = false;
  const look = async () => {
    await page.look();
    if (!isStored) {
      isStored = true; // the server has accepted the secret
      await saveSettings({ token }, name);
    }
  };
  void poll(page, STATUS_INTERVAL, look).then(ended);
  void poll(page, QUALITY_INTERVAL, () => page.people.lookClosely());
}

async function beginLeading() {
  loadTranslations(takeJson("words") ?? {});
  const given = /** @type {{ session: string, project: string }} */ (takeJson("task"));
  const looks = new Looks();
  await looks.open();
  speak(looks.get("language"));
  followAddress();
  const name = `lead ${given.session}`;
  const token = location.hash.slice(1) || (await readSettings(name)).token || "";
  history.replaceState(null, "", location.pathname);
  document.title = tr("Lead the session");
  document.body.classList.add("lead");
  await leadAs(name, given.project, token);
}

void beginLeading();
