/** Synchronisation with a session's server: sends actions, counts unacknowledged ones, and receives items. */

import { addParts } from "./growing.js";
import { judges } from "./ledger.js";
import { ConnectionLost, Refusal, ask } from "./line.js";
import { Log, NotSaved } from "./log.js";
import { download, resultText } from "./result.js";
import { roundWords } from "./rounds.js";
import { sendAs } from "./start_page.js";
import { keyOf, nameOf, titleOf } from "./task.js";
import { fill, sentences, tr } from "./words.js";

/** @import { Facts } from "./log.js" */
/** @import { Count } from "./session.js" */
/** @import { Round } from "./rounds.js" */
/** @import { Action, Task } from "./task.js" */

const ITEMS_AHEAD = 4; // number of items loaded in advance
const LIST_PAIRS_AHEAD = 2; // number of pairs of lists loaded in advance; each contains twenty documents
const MAX_ACTIONS = 100; // maximum number of actions in a request
const MAX_REQUEST_BYTES = 262_144; // limit of the server
const HEARTBEAT_INTERVAL = 15_000; // milliseconds between heartbeats
const IDLE_INTERVAL = 2500; // milliseconds between requests while there is nothing to judge
const NEWS_TIMEOUT = 40_000; // milliseconds; the server responds as soon as there is news
const FINAL_REFUSALS = ["token", "protocol", "ended", "start"]; // refusals after which no more requests are sent
const FIRST_PAUSE = 500;
const MAX_PAUSE = 10_000;
const RETRY_SPREAD = 0.5; // share of the requested delay, so that the pages do not retry simultaneously

/**
 * Save the work to a file that the session leader can merge if the server does not return. Refused actions are included.
 * @param {Task} task
 * @param {Log} log
 */
export function saveWork(task, log) {
  const whole = new Log(log.assignment, log.storage);
  whole.take([...log.texts, ...refusedTexts(log)], log.facts);
  download(`${task.assessor || task.title}.result.json`, resultText(task, whole), "application/json");
}

/** @param {Log} log @returns {string[]} actions that a server with an older copy of the project refused */
export function refusedTexts(log) {
  return log.facts.refused ?? []; // facts that an earlier version of this page stored have none
}

/** @param {number} unsent @returns {string} what to do with actions that the server of an ended session refuses */
export function unsentWords(unsent) {
  return fill(tr("Not sent: {unsent}. Save this work to a file, and give the file to the session leader."), { unsent });
}

/** @param {Log} log @returns {string} what to do with the work that the server does not have; empty if it has everything */
export function lostWords(log) {
  const refused = refusedTexts(log).length;
  return sentences(
    log.unsent ? unsentWords(log.unsent) : "",
    refused ? fill(tr("Not accepted: {refused}. Save this work to a file, and give the file to the session leader."), { refused }) : "",
  );
}

/**
 * Session news.
 * @typedef {{ state: string, message: string, aside: boolean, round: Round | null }} News
 */

/** Synchronises actions and items with the server. */
export class Served {
  opening = false; // whether only items to judge are requested, since these are shown before the judged ones are received
  loading = false; // whether assigned items are still to be received
  sending = 0; // number of actions in the newest request

  /**
   * @param {Task} task
   * @param {Log} log
   * @param {string} token
   */
  constructor(task, log, token) {
    this.task = task;
    this.log = log;
    this.token = token;
    this.has = 0;
    /** @type {number[]} positions of items to judge that the server omitted when the page was opened */
    this.needs = [];
    this.news = /** @type {News} */ ({ state: "", message: "", aside: false, round: null });
    this.heard = { server: "", number: 0 }; // origin and number of the newest update
    this.polled = this.news; // the poll waits until the state of the session differs from this
    this.late = 0;
    this.share = 0;
    this.whole = { judged: 0, assigned: 0 };
    this.done = false; // whether nothing is left for this participant, whatever others do
    this.cut = false;
    this.why = "";
    this.kind = "";
    this.elsewhere = false;
    this.asks = ""; // what the last questions come before: "code", "link" or "end"; empty if they are not asked
    this.complete = "";
    this.code = "";
    /** @type {HTMLElement | null} form of the last questions, with its entries */
    this.lastForm = null;
    this.sendAnswers = sendAs(token);
    this.shut = "";
    /** @type {(() => unknown) | null} forgets the token and asks for code and name; null if the session is not joined by code */
    this.joinAgain = null;
    this.pause = FIRST_PAUSE;
    this.most = MAX_ACTIONS;
    this.timer = 0;
    this.busy = false;
    this.again = false;
    /** @type {(fresh: boolean) => void} called after every response; `fresh`: it contains new items */
    this.onUpdate = () => {};
    /** @type {() => boolean} whether an unjudged item is loaded */
    this.open = () => true;
    /** @type {() => number} number of judged items */
    this.judged = () => 0;
    this.mine = 0; // number of judged items that the server's counts include
    this.own = 0; // the participant's judgments as counted by the server
    /** @type {(words: string) => void} called with a message about a rejected action */
    this.onRefused = () => {};
    this.onReset = () => {}; // called after all items were removed, to be received again
    addEventListener("online", () => this.kick());
  }

  /** @returns {string} state of the session; empty before the first response */
  get state() {
    return this.news.state;
  }

  /** @returns {boolean} whether judging is suspended, even of loaded items */
  get halted() {
    const { aside, round } = this.news;
    return Boolean(this.shut) || aside || this.state === "paused" || this.state === "ended" || Boolean(round && round.state !== "open");
  }

  /**
   * Merge the actions that the server has with local ones, the server's first.
   * @param {Action[]} there
   */
  async begin(there) {
    this.opening = there.length > 0 && this.task.mode === "grade" && !this.task.settings.several; // elsewhere the order matters
    const known = new Set(there.map(nameOf));
    await this.keep(() => {
      const { actions, facts } = this.log;
      const isLost = actions.slice(0, facts.saved).some((action) => !known.has(nameOf(action)));
      const mine = actions.filter((action) => !known.has(nameOf(action)));
      return { there, mine, facts: { restored: Boolean(facts.restored) || isLost } };
    });
  }

  /** @param {() => { there: Action[], mine: Action[], facts?: Partial<Facts> }} make returns the actions that the server has, and the others */
  async keep(make) {
    await this.log.replace(() => {
      const { there, mine, facts } = make();
      const texts = [...there, ...mine].map((action) => JSON.stringify(action));
      return { texts, facts: { ...this.log.facts, ...facts, saved: there.length } };
    });
  }

  /** @returns {Count[]} own and total progress, including unsent judgments */
  get counts() {
    const unsent = this.judged() - this.mine;
    const judged = Math.max(0, this.own + unsent);
    if (this.share) {
      return [{ judged, assigned: this.share }]; // participants with a fixed share do not see the others' progress
    }
    const { judged: all, assigned } = this.whole;
    return [
      { judged, assigned: 0 },
      { judged: Math.max(0, Math.min(assigned, all + unsent)), assigned },
    ];
  }

  /** @returns {string} the counts in a line */
  get countWords() {
    const { round } = this.news;
    return round?.state === "open"
      ? fill(tr("Round {number} · {counts}"), { number: round.number, counts: this.plainCountWords })
      : this.plainCountWords;
  }

  /** @returns {string} the counts without the round */
  get plainCountWords() {
    const [own, all] = this.counts;
    if (all && !all.assigned) {
      return fill(tr("Judged by you: {judged}"), { judged: own.judged }); // there is no count yet
    }
    return all
      ? fill(tr("Judged by you: {judged}; by everyone: {everybody} of {assigned}"), {
          judged: own.judged,
          everybody: all.judged,
          assigned: all.assigned,
        })
      : fill(tr("Judged by you: {judged} of {assigned}"), { judged: own.judged, assigned: own.assigned });
  }

  /** @returns {string} number and documents of the open round; empty for none */
  get roundWords() {
    const { round } = this.news;
    return round?.state === "open"
      ? fill(tr("Round {number}. Documents: {documents}."), { number: round.number, documents: round.documents })
      : "";
  }

  /** Synchronise now instead of at the next heartbeat. */
  kick() {
    clearTimeout(this.timer);
    if (this.busy) {
      this.again = true;
    } else {
      void this.run();
    }
  }

  async run() {
    this.busy = true;
    this.again = false;
    try {
      await this.exchange();
      this.pause = FIRST_PAUSE;
      this.most = Math.min(MAX_ACTIONS, this.most * 2);
    } catch (error) {
      this.failed(error);
    } finally {
      this.busy = false;
      this.scheduleNext();
    }
  }

  scheduleNext() {
    const more = this.again || (!this.cut && !this.shut && this.log.unsent > 0);
    // news that a synchronisation brought can be outdated without the poll's noticing
    const idle = this.open() && this.polled === this.news ? HEARTBEAT_INTERVAL : IDLE_INTERVAL;
    if (!this.shut && (this.state !== "ended" || this.log.unsent > 0)) {
      this.timer = setTimeout(() => this.kick(), this.cut ? this.pause : more ? 0 : idle);
    }
  }

  /**
   * Try again later. An unexpected error is rethrown, so that it is reported.
   *
   * @param {unknown} error
   */
  failed(error) {
    if (error instanceof Refusal && FINAL_REFUSALS.includes(error.kind)) {
      this.shut = error.kind;
      this.news.state = error.kind === "ended" ? "ended" : this.state;
    }
    if (error instanceof Refusal && error.kind === "large") {
      this.most = Math.max(1, Math.floor(this.most / 2)); // the request may also have been too slow for the network
    }
    if (error instanceof ConnectionLost && this.sending > 1) {
      this.most = Math.ceil(this.sending / 2); // a slow network needs longer for the request than the page waits
    }
    this.cut = true;
    this.why = error instanceof Refusal ? error.message : "";
    this.kind = error instanceof Refusal ? error.kind : "";
    const requestedWait = error instanceof Refusal ? error.wait : 0;
    this.pause = Math.max(Math.min(MAX_PAUSE, this.pause * 2), requestedWait * (1 + RETRY_SPREAD * Math.random()));
    this.onUpdate(false);
    if (!(error instanceof ConnectionLost || error instanceof Refusal || error instanceof NotSaved)) {
      throw error;
    }
  }

  /** @returns {{ client: string, actions: Action[] }} unsent actions of one client for the next request */
  nextActions() {
    const { log } = this;
    const unsent = log.actions.slice(log.facts.saved, log.facts.saved + this.most);
    const client = unsent[0]?.client ?? log.client;
    const end = unsent.findIndex((action) => action.client !== client);
    return { client, actions: end < 0 ? unsent : unsent.slice(0, end) };
  }

  async exchange() {
    const { log } = this;
    const { client, actions } = this.nextActions();
    const mine = this.judged();
    this.sending = actions.length;
    const answer = await this.send(client, actions);
    if (!answer) {
      this.again = true;
      return;
    }
    this.cut = false; // set before the page shows the state of the connection
    const taken = actions.filter((action) => action.number <= answer.acknowledged).length;
    if (taken) {
      await this.noteSaved(log.facts.saved + taken);
    }
    if (this.hasLost(client, answer)) {
      await this.startAgain();
      return;
    }
    this.elsewhere = answer.count > log.facts.saved;
    this.has = answer.places;
    this.hear(answer);
    this.late = answer.late;
    this.share = answer.share;
    this.noteCompletion(answer);
    this.own = answer.own;
    this.whole = { judged: answer.judged, assigned: answer.wanted };
    const known = this.judged();
    const newItems = answer.items.filter((/** @type {any} */ item) => addParts(this.task, item.place, item.parts)).length > 0;
    this.mine = mine + this.judged() - known; // the counts in the response include judgments of the items in it
    const lostItems = new Set(answer.lost);
    for (const item of this.task.items) {
      item.gone = lostItems.has(item.given);
    }
    if (answer.refused) {
      await this.withoutRefused(actions[taken], answer.refused.problem);
    }
    this.requestRest(answer);
    this.onUpdate(newItems);
  }

  /** @param {{ held: number[], places: number, more?: boolean }} answer requests the items that did not fit into it, or were omitted */
  requestRest(answer) {
    const positions = new Set(this.task.items.map(({ given }) => given));
    this.needs = answer.held.filter((position) => position < answer.places && !positions.has(position));
    this.loading = Boolean(answer.more) || this.needs.length > 0;
    this.again ||= this.loading || this.opening;
    if (this.opening && !this.loading) {
      this.opening = false;
      this.has = 0; // the judged items follow
    }
  }

  /** @param {{ done?: boolean, asks?: string, complete?: string, code?: string }} answer */
  noteCompletion({ done = false, asks = "", complete = "", code = "" }) {
    Object.assign(this, { done, asks, complete, code });
  }

  /**
   * Send actions and return the response; null if the first one is too large for any request and was removed.
   * @param {string} client
   * @param {Action[]} actions
   * @returns {Promise<any>}
   */
  async send(client, actions) {
    const want = this.task.mode === "panels" ? LIST_PAIRS_AHEAD : Math.max(ITEMS_AHEAD, this.task.settings.several);
    try {
      return await ask("/sync", { client, actions, want, has: this.has, needs: this.needs, open: this.opening }, this.token);
    } catch (error) {
      const isRefused = error instanceof Refusal && error.kind === "large" && actions.length > 0;
      if (!isRefused || new Blob([JSON.stringify(actions[0])]).size <= MAX_REQUEST_BYTES) {
        throw error;
      }
      await this.withoutRefused(actions[0], error.message); // otherwise it would prevent sending the later ones
      return null;
    }
  }

  /**
   * Return whether the server has lost acknowledged actions, since it continues from an older copy of the project.
   * @param {string} client
   * @param {{ acknowledged: number, count: number }} answer
   * @returns {boolean}
   */
  hasLost(client, { acknowledged, count }) {
    const saved = this.log.actions.slice(0, this.log.facts.saved);
    const known = saved.filter((action) => action.client === client).pop()?.number ?? 0;
    return acknowledged < known || (count < saved.length && count < new Set(saved.map(nameOf)).size);
  }

  /** Send the lost actions again, and receive all items again, since other items may be assigned in the older copy. */
  async startAgain() {
    const { actions } = await ask("/welcome", {}, this.token);
    await this.begin(actions);
    this.task.items = [];
    this.has = 0;
    this.needs = [];
    this.mine = 0;
    this.again = true;
    this.onReset();
  }

  /**
   * Record how many actions the server has, in memory if the browser stores nothing: a page counts them again when it is opened.
   * @param {number} saved
   */
  async noteSaved(saved) {
    const { log } = this;
    try {
      await log.note({ saved });
    } catch (error) {
      if (!(error instanceof NotSaved)) {
        throw error;
      }
      log.facts = { ...log.facts, saved };
    }
  }

  /**
   * Replace the news, unless a newer update from the same server arrived before.
   * @param {News & { server: string, number: number }} update
   * @returns {boolean} whether the news changed
   */
  hear({ state, message, aside, round, server, number }) {
    if (server === this.heard.server && number < this.heard.number) {
      return false;
    }
    const news = { state, message, aside, round };
    this.heard = { server, number };
    if (JSON.stringify(news) === JSON.stringify(this.news)) {
      return false;
    }
    this.news = news;
    return true;
  }

  /** Poll for session news, independently of sending actions. */
  async listen() {
    while (!this.shut && this.state !== "ended") {
      try {
        this.polled = this.news;
        const update = await ask("/news", { known: this.polled }, this.token, NEWS_TIMEOUT);
        const wasHalted = this.halted;
        if (update.protocol && this.hear(update)) {
          if (!wasHalted || this.halted) {
            this.onUpdate(false);
          }
          this.kick(); // judging goes on after its response, which says whether the last document was lost
        }
      } catch (error) {
        const known = error instanceof Refusal && FINAL_REFUSALS.includes(error.kind);
        if (known) {
          this.kick(); // the next request shows the reason
        }
        const wait = error instanceof Refusal && error.wait ? error.wait : IDLE_INTERVAL;
        await new Promise((resolve) => setTimeout(resolve, wait * (1 + RETRY_SPREAD * Math.random())));
      }
    }
  }

  /**
   * Remove a rejected action, report it, and send the later ones as a new client. If the server lost actions, the rejected one is kept
   * with the log, so that it can be saved to a file.
   * @param {Action | undefined} action
   * @param {string} problem
   */
  async withoutRefused(action, problem) {
    const { log } = this;
    await this.keep(() => {
      const rest = log.actions.slice(log.facts.saved + 1);
      const there = log.actions.slice(0, log.facts.saved);
      log.begin();
      const names = /** @type {Map<string, { client: string, number: number }>} */ (new Map());
      const retained = rest.filter((each) => !action || !each.target || nameOf(each.target) !== nameOf(action));
      const mine = retained.map((each, place) => {
        const name = { client: log.client, number: place + 1 };
        names.set(nameOf(each), name);
        return { ...each, ...name, target: each.target && (names.get(nameOf(each.target)) ?? each.target) };
      });
      const refused = log.facts.restored && action ? [...refusedTexts(log), JSON.stringify(action)] : refusedTexts(log);
      return { there, mine, facts: { refused } };
    });
    const what = action ? action.item.documents.map((id) => titleOf(this.task, id)).join(", ") : "";
    const refusal = !action || judges(action) ? tr("Judgment not accepted: {what}.") : tr("Not accepted: {what}.");
    this.onRefused(sentences(fill(refusal, { what }), fill(tr("Server message: {problem}"), { problem })));
  }

  /** @returns {{ title: string, words: string }} title and text of the page without an item */
  rest() {
    if (!this.state && !this.cut) {
      return { title: tr("One moment"), words: tr("Loading the first documents.") };
    }
    const unsent = this.log.unsent
      ? fill(tr("Not sent yet: {unsent}. Leave this page open."), { unsent: this.log.unsent })
      : lostWords(this.log) || tr("Everything has been sent.");
    if (this.asksLast) {
      return { title: tr("A few last questions"), words: sentences(this.lastWords, unsent) };
    }
    if (this.completion) {
      return { title: tr("Thank you"), words: sentences(tr("You're done."), unsent) };
    }
    if (this.state === "ended") {
      const late = this.shut && this.log.unsent ? lostWords(this.log) : unsent;
      return { title: tr("The session has ended"), words: sentences(tr("Thank you."), late) };
    }
    if (this.shut) {
      if (this.shut === "token") {
        return { title: tr("This page no longer has access"), words: sentences(this.shutWords, unsent) };
      }
      const left = this.log.unsent ? fill(tr("Not sent: {unsent}."), { unsent: this.log.unsent }) : "";
      return { title: tr("Reload this page"), words: sentences(this.shutWords, left) };
    }
    if (this.news.aside) {
      const words =
        this.share || this.task.start?.count
          ? tr("The session leader excluded you, or your submission was returned or timed out. You will not get any more documents here.")
          : tr("The session leader excluded you. You will not get any more documents here.");
      return { title: tr("Excluded"), words: sentences(words, tr("Your work is kept but not used."), unsent) };
    }
    if (this.cut) {
      return this.cutWords(unsent);
    }
    if (this.state === "paused") {
      return { title: tr("Paused"), words: sentences(tr("The session is paused. This page will continue automatically."), unsent) };
    }
    const round = roundWords(this.news.round, unsent, this.hasJudgedShown);
    if (round) {
      return round;
    }
    return this.waitWords(unsent);
  }

  /** @returns {boolean} whether this participant judged the document that is shown after a round */
  get hasJudgedShown() {
    const shown = this.news.round?.shown;
    return this.task.items.some(
      ({ about }) => about.topic === shown?.topic && about.documents[0] === shown.document && this.log.ledger.judgment(keyOf(about)),
    );
  }

  /** @param {string} unsent @returns {{ title: string, words: string }} text of the page of a participant without an item */
  waitWords(unsent) {
    if (this.loading) {
      return { title: tr("One moment"), words: sentences(tr("Loading the first documents."), unsent) };
    }
    if (this.whole.assigned && this.whole.judged >= this.whole.assigned) {
      return { title: tr("All done"), words: sentences(tr("All judgments are complete."), unsent) };
    }
    if (this.done) {
      return {
        title: tr("All done"),
        words: sentences(tr("You've judged everything you can. The remaining judgments have to come from others."), unsent),
      };
    }
    const words = tr(
      "All remaining documents are assigned. You will get the next document that becomes free, and this page will continue automatically.",
    );
    return { title: tr("Nothing to judge at the moment"), words: sentences(words, unsent) };
  }

  /** @param {string} unsent @returns {{ title: string, words: string }} message while the server is not responding */
  cutWords(unsent) {
    if (this.kind === "busy") {
      const words = tr("The server is busy. Your work is saved in this browser, and this page will retry automatically.");
      return { title: tr("One moment"), words: sentences(words, unsent) };
    }
    const words = tr("Your work is saved in this browser and sent when the connection is back.");
    return { title: tr("No connection"), words: sentences(words, unsent) };
  }

  get shutWords() {
    if (this.shut === "token" && this.joinAgain) {
      return sentences(
        tr("The session leader created a new link for you, revoked your access, or made your name available to others."),
        tr("If you have a new link, open it. Otherwise join again with the code; if your name is not accepted, ask the session leader."),
      );
    }
    if (this.shut === "start") {
      return tr("Reload this page to answer the start page of the session; nothing will be lost.");
    }
    return this.shut === "token"
      ? tr("Your link was replaced or revoked. If you have a new link, open it. Otherwise ask the session leader.")
      : tr("The server was updated. Reload this page; nothing will be lost.");
  }

  /** @returns {string} completion address of the panel once everything is acknowledged, even if the server stops later; empty before */
  get completion() {
    return this.log.unsent ? "" : this.complete;
  }

  /** @returns {boolean} whether judging is complete and the last questions are unanswered */
  get asksLast() {
    return Boolean(this.asks) && !this.log.unsent && !this.cut;
  }

  /** @returns {string} introduction to the last questions */
  get lastWords() {
    if (this.asks === "end") {
      return tr("You're done judging. Answer these last questions.");
    }
    return this.asks === "code"
      ? tr("You're done judging. Answer these questions; then you will get the code for your submission.")
      : tr("You're done judging. Answer these questions; then complete your submission.");
  }

  /** @returns {{ label: string, call: () => void }[]} next steps, possibly none */
  get ways() {
    const address = this.completion;
    const { joinAgain } = this;
    const again = this.shut === "token" && joinAgain ? [{ label: tr("Join again"), call: () => joinAgain() }] : [];
    const isUnsent = (this.cut && this.log.unsent > 0) || refusedTexts(this.log).length > 0;
    const mayBeLost = this.shut === "token" && this.log.actions.length > 0; // a server with an older copy knows no later participant
    const save = { label: tr("Save this work to a file"), call: () => saveWork(this.task, this.log), quiet: !isUnsent };
    const complete = address ? [{ label: tr("Complete the submission"), call: () => location.assign(address) }] : [];
    const others = again.length ? again : complete;
    return isUnsent ? [save, ...others] : [...others, ...(mayBeLost ? [save] : [])];
  }

  /** @returns {string} text of the banner; empty for none */
  banner() {
    if (this.shut || (this.halted && !(this.cut && this.news.round))) {
      return ""; // the page itself shows this state
    }
    if (this.elsewhere) {
      return tr("You are also working in another window. Reload this page to see all your work.");
    }
    const unsent = this.log.unsent ? fill(tr("Not sent: {unsent}."), { unsent: this.log.unsent }) : "";
    if (this.cut && this.kind === "busy") {
      return sentences(tr("The server is busy. You can continue; your work is saved here and sent later."), unsent);
    }
    if (this.cut && this.why) {
      return sentences(fill(tr("Server message: {problem}"), { problem: this.why }), unsent);
    }
    return this.cut && this.open() ? sentences(tr("No connection. You can continue; your work is saved here and sent later."), unsent) : "";
  }
}
